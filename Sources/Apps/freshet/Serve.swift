import FreshetServer

/// `freshet serve`, and its `--probe`.
enum ServeCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let source = Configuration.source(arguments)
        if arguments.has("probe") {
            try probe(source)
            if arguments.has("json") { try Terminal.print("{\"ready\":true}\n") }
            return .done
        }
        let resolution = source.resolve()
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
    private static func probe(_ source: ConfigurationSource) throws(CommandFailure) {
        let settings = source.resolve().settings
        var host = settings.host
        if host == "0.0.0.0" { host = "127.0.0.1" }
        if host == "::" { host = "::1" }
        let address = SettingText.text(host: host, port: settings.port)
        let client = try ServerClient(
            server: try ServerAddress("http://\(address)"), timeout: .seconds(3))
        do throws(CommandFailure) {
            client.send("GET", "/readyz", headers: [("Connection", "close")])
            let (head, body) = try client.receive()
            if head.status == 200 { return }
            throw CommandFailure.failed(
                "not ready: \(ServerConnection.sentence(status: head.status, body: body))")
        } catch {
            // A health check knows two answers.
            throw .failed(error.sentence)
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

    /// One line a fault, and one with what to do.
    static func report(_ faults: [String]) {
        for fault in faults { Terminal.complain(fault) }
    }
}
