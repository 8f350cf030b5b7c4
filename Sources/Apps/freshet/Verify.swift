import FreshetBase
import FreshetJSON
import FreshetStore

/// `freshet verify --data DIR`: reads every record and reports damage; changes nothing, and may
/// run beside a server. `freshet verify FILE` does the same with a backup.
enum VerifyCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        if let file = arguments.positionals.first {
            guard arguments.flags["data"] == nil else {
                throw .usage("verify takes a backup's FILE or --data DIR, not both")
            }
            guard PathForm.isDirectory(file) != true else {
                throw .failed(
                    "\(file) is a directory, and a backup is a file: `freshet verify --data"
                        + " \(ShellWord.quoted(file))` checks a data directory")
            }
            let report = try BackupCommand.verify(file)
            try Terminal.report(
                arguments,
                [
                    "intact": true, "file": .string(file), "entities": .count(report.entities),
                    "seq": .count(report.seq), "bytes": .count(report.bytes),
                    "created": .time(milliseconds: report.created),
                ],
                "\(file) is intact: \(Count.text(report.entities, "entity", "entities")) at seq"
                    + " \(report.seq) in \(report.bytes) bytes, made"
                    + " \(WallTime(milliseconds: report.created).rfc3339)")
            return .done
        }
        let directory = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        guard PathForm.isDirectory(directory) != false else {
            throw .failed(
                "\(directory) is a file, and a data directory is a directory: `freshet verify"
                    + " \(ShellWord.quoted(directory))` checks a backup")
        }
        let report = try Progress.ofStore("verifying") { progress throws(StoreError) in
            try StoreVerifier.verify(directory: directory, progress: progress)
        }
        if arguments.has("json") {
            try Terminal.print(result(directory, report).text + "\n")
        } else if let torn = report.torn {
            try Terminal.print(
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
        if arguments.has("json") { return .done }
        try Terminal.print(
            "\(directory) is intact: \(Count.text(report.entities, "entity", "entities")) at seq"
                + " \(report.lastSeq), \(Count.text(report.commits, "commit", "commits")) in"
                + " \(Count.text(report.segments.count, "segment", "segments")),"
                + " \(Count.text(report.snapshots.count, "snapshot", "snapshots"))\n")
        return .done
    }

    private static func result(_ directory: String, _ report: VerifyReport) -> JSONValue {
        [
            "intact": .bool(report.isIntact), "directory": .string(directory),
            "entities": .count(report.entities), "seq": .count(report.lastSeq),
            "commits": .count(report.commits), "segments": .count(report.segments.count),
            "snapshots": .count(report.snapshots.count), "bytes": .count(report.bytes),
            "torn": report.torn.map {
                [
                    "file": .string($0.file), "offset": .count($0.offset),
                    "bytes": .count($0.count),
                ]
            } ?? .null,
            "damages": .damages(report.damages), "outvoted": .damages(report.outvoted),
        ]
    }
}
