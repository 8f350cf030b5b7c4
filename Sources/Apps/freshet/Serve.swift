import FreshetServer

/// `freshet serve`, and its `--probe`.
enum ServeCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let source = Configuration.source(arguments)
        if arguments.has("probe") { return try probe(source) }
        let settings: ServeSettings
        do {
            settings = try source.load()
        } catch {
            Configuration.report(error.faults)
            return .usage
        }
        return startServer(settings)
    }

    /// Asks the server on the configured address whether it is ready; for health checks of
    /// containers. Faults of other settings do not matter here.
    private static func probe(_ source: ConfigurationSource) throws(CommandFailure) -> Exit {
        let settings = source.resolve().settings
        var host = settings.host
        if host == "0.0.0.0" { host = "127.0.0.1" }
        if host == "::" { host = "::1" }
        let address = SettingText.text(host: host, port: settings.port)
        let client = HTTPClient(
            server: try ServerAddress("http://\(address)"), timeout: .seconds(3))
        do throws(CommandFailure) {
            try client.send("GET", "/readyz", headers: [("Connection", "close")])
            let (head, body) = try client.receive()
            if head.status == 200 { return .done }
            throw CommandFailure.failed(
                "not ready: \(ServerConnection.sentence(status: head.status, body: body))")
        } catch {
            // A health check knows two answers.
            throw .failed(error.sentence)
        }
    }

    /// The one place where the program hands over to the server.
    private static func startServer(_ settings: ServeSettings) -> Exit {
        ServerProgram.run(settings: settings) == 0 ? .done : .failed
    }
}

/// What `serve` and `check` share.
enum Configuration {
    static func source(_ arguments: ParsedArguments) -> ConfigurationSource {
        ConfigurationSource(
            flags: arguments.flags, environment: Environment.all,
            path: arguments.value("config", variable: "FRESHET_CONFIG"))
    }

    /// One line a fault, and one with what to do.
    static func report(_ faults: [ConfigurationFault]) {
        for fault in faults { Terminal.complain(fault.description) }
    }
}
