import FreshetBase
import FreshetJSON
import FreshetServer
import FreshetStore

/// `freshet compact --data DIR`: writes a snapshot, verifies it, and deletes the log before it and
/// what else no kept generation needs. Files that are damaged, and outvoted by the others, are set
/// aside before. Not beside a server, which does all this by itself.
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
        defer { store.close() }
        // A generation that stays has to be whole, and the newest snapshot may say all already.
        let scrub = store.scrub()
        for damage in scrub.damages { Terminal.complain(damage.description) }
        if let failure = scrub.failure { throw .failed(failure) }
        let report: CompactionReport
        do throws(StoreError) {
            report = try store.compact()
        } catch {
            throw .failed(error.description)
        }
        if !scrub.damages.isEmpty, !arguments.has("json") {
            try Terminal.print(
                "\(directory) had \(Count.text(scrub.damages.count, "damaged file", "damaged files")),"
                    + " and is whole again: look after the disk\n")
        }
        try Terminal.report(
            arguments,
            [
                "directory": .string(directory), "seq": .count(report.seq),
                "entities": .count(report.entities), "bytes": .count(report.bytes),
                "removedFiles": .count(report.removedFiles), "damages": .damages(scrub.damages),
            ],
            "\(directory) is compacted: a snapshot at seq \(report.seq) of"
                + " \(Count.text(report.entities, "entity", "entities")) in \(report.bytes) bytes;"
                + " \(Count.text(report.removedFiles, "file", "files")) deleted")
        return .done
    }
}
