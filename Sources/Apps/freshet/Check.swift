import FreshetServer

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
        if !arguments.has("effective") {
            let types = resolution.settings.types.count
            let file = arguments.value("config", variable: "FRESHET_CONFIG") ?? "no file"
            Terminal.print(
                "the configuration is in order (\(file), \(types) declared"
                    + " \(types == 1 ? "type" : "types"))\n")
        }
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
