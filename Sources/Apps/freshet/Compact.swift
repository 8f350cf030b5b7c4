import FreshetBase
import FreshetServer
import FreshetStore

/// `freshet compact --data DIR`: writes a snapshot, verifies it, and deletes the log before it and
/// what else no kept generation needs. Not beside a server, which does this by itself.
enum CompactCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let directory = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        var options = FileStoreOptions(directory: directory)
        options.writerVersion = BuildInfo.current.version
        options.snapshotRate = 0
        options.scrubRate = 0
        options.allowsNetwork = arguments.has("allow-network-fs")
        // Not by itself, so that there is one.
        options.snapshotMinimum = .max
        options.makesDirectory = false
        if let text = arguments.flags["retain"]?.last {
            guard let retain = Int(text), (1...2).contains(retain) else {
                throw .usage("--retain: expected 1 or 2, not \"\(text)\"")
            }
            options.retain = retain
        }
        let store = try Progress.ofStore("reading") { progress throws(StoreError) in
            try FileStore.open(options, log: Log(level: .error), progress: progress)
        }
        let report: CompactionReport
        do throws(StoreError) {
            defer { store.close() }
            report = try store.compact()
        } catch {
            throw .failed(error.description)
        }
        let files = report.removedFiles == 1 ? "file" : "files"
        Terminal.print(
            "\(directory) is compacted: a snapshot at seq \(report.seq) of \(report.entities)"
                + " \(report.entities == 1 ? "entity" : "entities") in \(report.bytes) bytes;"
                + " \(report.removedFiles) \(files) deleted\n")
        return .done
    }
}
