import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetServer
import FreshetStore

/// `freshet check`: every fault of the configuration, or what holds and why.
enum CheckCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        if arguments.has("print-schema") {
            try Terminal.print(ConfigurationSchema.text)
            return .done
        }
        let resolution = Configuration.source(arguments).resolve()
        Configuration.warn(of: resolution)
        let file = arguments.value("config", variable: "FRESHET_CONFIG")
        let types = resolution.settings.types.count
        var faults = resolution.faults.map(\.description)
        if let lack = FreshetServer.lack(of: resolution.settings) { faults.append(lack) }
        var remarks: [String] = []
        if faults.isEmpty, resolution.settings.cluster.isOn {
            do throws(StartFailure) {
                remarks = try ClusterStore.remarks(on: resolution.settings.cluster)
            } catch {
                faults.append(error.sentence)
            }
        }
        var result: [JSONValue.Member] = [
            .init(name: "valid", value: .bool(faults.isEmpty)),
            .init(name: "file", value: .text(file)),
            .init(name: "types", value: .count(types)),
            .init(
                name: "faults", value: .array(faults.map { .string($0) })),
        ]
        if !remarks.isEmpty {
            result.append(.init(name: "remarks", value: .array(remarks.map { .string($0) })))
        }
        if arguments.has("effective") {
            if arguments.has("json") {
                result.append(
                    .init(name: "settings", value: .array(resolution.effective.map(\.json))))
            } else {
                try Terminal.print(effective(resolution.effective))
            }
        }
        guard faults.isEmpty else {
            if arguments.has("json") { try Terminal.print(JSONValue.object(result).text + "\n") }
            Configuration.report(faults)
            return .usage
        }
        if !arguments.has("json") { remarks.forEach(Terminal.complain) }
        if let directory = arguments.flags["data"]?.last {
            return try examine(directory, under: resolution.settings, arguments, into: &result)
        }
        if !arguments.has("effective") || arguments.has("json") {
            try Terminal.report(
                arguments, .object(result),
                "the configuration is in order (\(file ?? "no file"),"
                    + " \(Count.text(types, "declared type", "declared types")))")
        }
        return .done
    }

    /// `--data DIR`: whether what is stored there fits the configuration's types. Changes nothing,
    /// and may run beside a server.
    private static func examine(
        _ directory: String, under settings: ServeSettings, _ arguments: ParsedArguments,
        into result: inout [JSONValue.Member]
    ) throws(CommandFailure) -> Exit {
        let stored = try Progress.ofStore("reading") { progress throws(StoreError) in
            try StoreReader.read(directory: directory, progress: progress)
        }
        var lines: [JSONValue] = []
        var unwritten: CommandFailure?
        let check = StoredCheck(
            stored, types: settings.types, isStrict: settings.isStrict
        ) { line in
            if arguments.has("json") {
                lines.append(.string(line))
            } else if unwritten == nil {
                do throws(CommandFailure) {
                    try Terminal.print(Terminal.line(line) + "\n")
                } catch {
                    unwritten = error
                }
            }
        }
        if let unwritten { throw unwritten }
        for note in check.notes { Terminal.complain(note) }
        let seen =
            "\(Count.text(check.entities, "entity", "entities")) of"
            + " \(Count.text(check.types, "type", "types")) in \(directory) at seq"
            + " \(stored.views.cursor.seq)"
        result.append(
            .init(
                name: "stored",
                value: [
                    "directory": .string(directory), "seq": .count(stored.views.cursor.seq),
                    "types": .count(check.types), "entities": .count(check.entities),
                    "unfit": .count(check.unfit), "findings": .array(lines),
                    "notes": .array(check.notes.map { .string($0) }),
                ]))
        if arguments.has("json") { try Terminal.print(JSONValue.object(result).text + "\n") }
        guard check.unfit == 0 else {
            throw .failed(
                "of \(seen), \(check.unfit) \(check.unfit == 1 ? "does" : "do") not fit the"
                    + " configuration; they are kept and stay readable: write them anew, or"
                    + " loosen the schema")
        }
        if !arguments.has("json") { try Terminal.print("\(seen) fit the configuration\n") }
        return .done
    }

    /// One line a setting: its member, its value, where that came from.
    private static func effective(_ settings: [ConfigurationSource.Effective]) -> String {
        TableText.table(
            settings.map {
                [$0.setting.key.rawValue, $0.shownText, $0.originText]
            },
            header: nil)
    }
}
