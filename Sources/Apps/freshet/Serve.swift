import FreshetConfig
import FreshetServer

/// `freshet serve`, and its `--probe`.
enum ServeCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        if arguments.has("probe") {
            var arguments = arguments
            // Who asks need not say again who is let in.
            arguments.flags["open"] = ["true"]
            try probe(Configuration.source(arguments))
            if arguments.has("json") { try Terminal.print("{\"ready\":true}\n") }
            return .done
        }
        let resolution = Configuration.source(arguments).resolve()
        Configuration.warn(of: resolution)
        guard resolution.faults.isEmpty else {
            Configuration.report(resolution.faults.map(\.description))
            return .usage
        }
        let code = ServerProgram.run(
            settings: resolution.settings, announcesJSON: arguments.has("json"))
        return code == 0 ? .done : .failed
    }

    /// Asks the server on the configured address whether it is ready; for health checks of
    /// containers. Faults of other settings do not matter here.
    ///
    /// - Throws: `.failed` where it is not ready, `.unreachable` where nobody answers.
    private static func probe(_ source: ConfigurationSource) throws(CommandFailure) {
        let resolution = source.resolve()
        let faults = resolution.faults.filter { $0.concerns(.listen) }
        guard faults.isEmpty else {
            throw .usage(faults.map(\.description).joined(separator: "; "))
        }
        let client = try ServerClient(
            server: try ServerAddress(Configuration.url(of: resolution.settings)),
            timeout: .seconds(3))
        if let reason = try Readiness.ask(client, headers: [("Connection", "close")]).reason {
            throw .failed("not ready: \(reason)")
        }
    }
}

/// What `serve` and `check` share.
enum Configuration {
    static func source(_ arguments: ParsedArguments) -> ConfigurationSource {
        ConfigurationSource(
            flags: arguments.flags, environment: Environment.all,
            path: arguments.value("config", variable: "FRESHET_CONFIG"))
    }

    /// Says which variables look like a setting's and are none.
    static func warn(of resolution: ConfigurationSource.Resolution) {
        let known = Command.variables.union(resolution.variables)
        for warning in UnknownVariables.warnings(Environment.all, known: known) {
            Terminal.complain(warning.sentence)
        }
    }

    /// Where this machine reaches a server that listens as `settings` say.
    static func url(of settings: ServeSettings) -> String {
        let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][settings.host] ?? settings.host
        return "http://" + SettingText.text(host: host, port: settings.port)
    }

    /// One line a fault, and one with what to do.
    static func report(_ faults: [String]) {
        for fault in faults { Terminal.complain(fault) }
    }
}
