import FreshetBase
import FreshetStore

/// `freshet verify --data DIR`: reads every record and reports damage; changes nothing, and may
/// run beside a server. `freshet verify FILE` does the same with a backup.
enum VerifyCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        if let file = arguments.positionals.first {
            guard arguments.flags["data"] == nil else {
                throw .usage("verify takes a backup's FILE or --data DIR, not both")
            }
            let report = try BackupCommand.verify(file)
            Terminal.print(
                "\(file) is intact: \(Count.text(report.entities, "entity", "entities")) at seq"
                    + " \(report.seq) in \(report.bytes) bytes, made"
                    + " \(WallTime(milliseconds: report.created).rfc3339)\n")
            return .done
        }
        let directory = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        let noun: (RecoveryProgress) -> String = {
            $0.phase == .snapshot ? "commits behind the snapshot" : "commits"
        }
        let report = try Progress.ofStore("verifying", of: noun) { progress throws(StoreError) in
            try StoreVerifier.verify(directory: directory, progress: progress)
        }
        if let torn = report.torn {
            Terminal.print(
                "\(torn.file): \(torn.count) bytes at offset \(torn.offset) were written and never"
                    + " acknowledged; the next start sets them aside\n")
        }
        for damage in report.damages + report.outvoted { Terminal.complain(damage.description) }
        guard report.damages.isEmpty else {
            throw .failed(
                "store-damaged: \(directory) is damaged; keep it as it is, and restore a backup, or take"
                    + " what can be proved into a new directory: `freshet salvage --data"
                    + " \(ShellWord.quoted(directory)) NEW-DIRECTORY`")
        }
        guard report.outvoted.isEmpty else {
            throw .failed(
                "\(directory) is damaged, and all acknowledged data can still be read from the"
                    + " other generation: look after the disk; `freshet compact --data"
                    + " \(ShellWord.quoted(directory))` sets what is damaged aside and makes it"
                    + " whole, and so does `POST /v1/_store/scrub` where its server runs")
        }
        Terminal.print(
            "\(directory) is intact: \(number(report.entities, "entity", "entities")) at seq"
                + " \(report.lastSeq), \(number(report.commits, "commit", "commits")) in"
                + " \(number(report.segments.count, "segment", "segments")),"
                + " \(number(report.snapshots.count, "snapshot", "snapshots"))\n")
        return .done
    }
    private static func number(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
