import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetServer
import FreshetStore

/// `freshet restore FILE|DIR --data NEW`: makes a data directory from a backup, or from another data
/// directory as it was at an earlier commit.
enum RestoreCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let source = arguments.positionals[0]
        let target = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        let point = try point(arguments)
        try OutsideOfData.check(target)
        let report = try Progress.ofStore("restoring") { progress throws(StoreError) in
            try StoreRestorer.restore(
                source, into: target, upTo: point,
                allowsNetwork: arguments.has("allow-network-fs"),
                writerVersion: BuildInfo.current.version, progress: progress)
        }
        let rest =
            report.seq < report.newestSeq
            ? "; \(source) goes on to seq \(report.newestSeq)" : ""
        try Terminal.report(
            arguments,
            [
                "directory": .string(target), "entities": .count(report.entities),
                "seq": .count(report.seq), "oldestSeq": .count(report.oldestSeq),
                "newestSeq": .count(report.newestSeq),
            ],
            "\(target) holds \(Count.text(report.entities, "entity", "entities")) at seq"
                + " \(report.seq)\(rest). It is a store of its own: clients of the first one get a"
                + " new snapshot")
        return .done
    }

    private static func point(_ arguments: ParsedArguments) throws(CommandFailure) -> RestorePoint {
        var point = RestorePoint.newest
        if let text = arguments.flags["to-seq"]?.last {
            guard let seq = UInt64(text), seq < .max else {
                throw .usage("--to-seq: expected a number, not \"\(text)\"")
            }
            point.seq = seq
        }
        if let text = arguments.flags["to-time"]?.last {
            guard point == .newest else {
                throw .usage("--to-time and --to-seq exclude each other; give one of them")
            }
            guard let time = WallTime(rfc3339: text) else {
                throw .usage(
                    "--to-time: expected a time like 2026-07-01T12:00:00Z, not \"\(text)\"")
            }
            guard time.milliseconds >= 0 else {
                throw .usage(
                    "--to-time: \(text) is before 1970, and so before every commit; give a later time"
                )
            }
            point.milliseconds = time.milliseconds
        }
        return point
    }
}

/// `freshet checkpoint --data DIR TARGET`: a second directory that shares all finished files.
enum CheckpointCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let source = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        let target = arguments.positionals[0]
        try OutsideOfData.check(target)
        let report: CheckpointReport
        do throws(StoreError) {
            report = try StoreCheckpoint.make(
                of: source, at: target, allowsNetwork: arguments.has("allow-network-fs"))
        } catch {
            throw .failed(error.description)
        }
        try Terminal.report(
            arguments,
            [
                "directory": .string(target), "source": .string(source),
                "seq": .count(report.seq), "linkedFiles": .count(report.linked),
                "linkedBytes": .count(report.linkedBytes),
                "copiedBytes": .count(report.copiedBytes),
            ],
            "\(target) holds \(source) at seq \(report.seq):"
                + " \(Count.text(report.linked, "file", "files")) shared (\(report.linkedBytes)"
                + " bytes), \(report.copiedBytes) bytes copied")
        return .done
    }
}

/// `freshet salvage --data DIR TARGET`: everything that a damaged directory proves, in a new one.
enum SalvageCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let source = arguments.value("data", variable: "FRESHET_DATA") ?? "./freshet-data"
        let target = arguments.positionals[0]
        guard PathForm.isDirectory(source) != false else {
            throw .failed(
                "\(source) is a file, and a data directory is a directory: `freshet restore"
                    + " \(ShellWord.quoted(source)) --data \(ShellWord.quoted(target))` makes one of a"
                    + " backup")
        }
        try OutsideOfData.check(target)
        let report = try Progress.ofStore("salvaging") { progress throws(StoreError) in
            try StoreSalvager.salvage(
                source, into: target, allowsNetwork: arguments.has("allow-network-fs"),
                writerVersion: BuildInfo.current.version, progress: progress)
        }
        if arguments.has("json") {
            try Terminal.print(result(report, in: target, from: source).text + "\n")
            return .done
        }
        try Terminal.print(
            "\(target) holds \(Count.text(report.entities, "entity", "entities")) at seq"
                + " \(report.seq), all that \(source) proves\n")
        for range in report.losses.ranges {
            let seqs = range.seqs.map { seqs in
                seqs.lowerBound == seqs.upperBound
                    ? "seq \(seqs.lowerBound): " : "seq \(seqs.lowerBound)…\(seqs.upperBound): "
            }
            try Terminal.print(
                "lost: \(seqs ?? "")\(range.file) at \(range.offset): \(range.finding)\n")
        }
        if report.losses.entities > 0 {
            try Terminal.print(
                "lost frames seem to hold"
                    + " \(Count.text(report.losses.entities, "entity", "entities"))\n")
        }
        try Terminal.print(
            report.losses.isEmpty
                ? "nothing is lost\n" : "\(report.file) says what is lost, a line each\n")
        return .done
    }

    private static func result(
        _ report: SalvageReport, in target: String, from source: String
    ) -> JSONValue {
        [
            "directory": .string(target), "source": .string(source),
            "entities": .count(report.entities), "seq": .count(report.seq),
            "lost": .array(
                report.losses.ranges.map { range in
                    [
                        "file": .string(range.file), "offset": .count(range.offset),
                        "bytes": .count(range.bytes), "seqs": .seqs(range.seqs),
                        "finding": .string(range.finding),
                    ]
                }),
            "lostEntities": .count(report.losses.entities),
            "file": report.losses.isEmpty ? .null : .string(report.file),
        ]
    }
}
