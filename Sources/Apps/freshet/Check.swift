import FreshetCore
import FreshetServer
import FreshetStore

/// `freshet check`: every fault of the configuration, or what holds and why.
enum CheckCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        if arguments.has("print-schema") {
            Terminal.print(ConfigurationSchema.text)
            return .done
        }
        let resolution = Configuration.source(arguments).resolve()
        if arguments.has("effective") { Terminal.print(effective(resolution.effective)) }
        guard resolution.faults.isEmpty else {
            Configuration.report(resolution.faults)
            return .usage
        }
        if let directory = arguments.flags["data"]?.last {
            return try examine(directory, resolution.settings)
        }
        if !arguments.has("effective") {
            let types = resolution.settings.types.count
            let file = arguments.value("config", variable: "FRESHET_CONFIG") ?? "no file"
            Terminal.print(
                "the configuration is in order (\(file), \(types) declared"
                    + " \(types == 1 ? "type" : "types"))\n")
        }
        return .done
    }

    /// `--data DIR`: whether what is stored there fits the configuration's types. Changes nothing,
    /// and may run beside a server.
    private static func examine(
        _ directory: String, _ settings: ServeSettings
    ) throws(CommandFailure) -> Exit {
        let stored = try Progress.ofStore("reading") { progress throws(StoreError) in
            try StoreReader.read(directory: directory, progress: progress)
        }
        let check = StoredCheck(
            stored, types: settings.types, isStrict: settings.isStrict
        ) { line in
            Terminal.print(Terminal.printable(line) + "\n")
        }
        for note in check.notes { Terminal.complain(note) }
        let seen =
            "\(check.entities) \(check.entities == 1 ? "entity" : "entities") of"
            + " \(check.types) \(check.types == 1 ? "type" : "types") in \(directory) at seq"
            + " \(stored.views.cursor.seq)"
        guard check.unfit == 0 else {
            throw .failed(
                "of \(seen), \(check.unfit) \(check.unfit == 1 ? "does" : "do") not fit the"
                    + " configuration; they are kept and stay readable: write them anew, or"
                    + " loosen the schema")
        }
        Terminal.print("\(seen) fit the configuration\n")
        return .done
    }

    /// One line a setting: its member, its value, where that came from.
    private static func effective(_ settings: [ConfigurationSource.Effective]) -> String {
        TableText.table(
            settings.map {
                [$0.setting.key.rawValue, $0.setting.text(of: $0.value), $0.originText]
            },
            header: nil)
    }
}
