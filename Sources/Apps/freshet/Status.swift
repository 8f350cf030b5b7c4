import FreshetBase
import FreshetJSON

/// `freshet status`: exit 0 for a server that is ready, 1 for another.
///
/// What the token may not ask is left out; the sentence behind the table says so.
enum StatusCommand {
    private static let paths = [
        "/version", "/v1", "/v1/_upstreams", outboxPath, "/metrics",
    ]
    /// The most entries of an outbox that a server lists.
    private static let mostEntries = 1_000
    private static let outboxPath = "/v1/_outbox?limit=\(mostEntries)"

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let client = try ServerConnection.client(arguments)
        if client.printsOnly {
            for path in ["/readyz"] + paths { try client.send("GET", path) }
            return .done
        }
        let readiness = try Readiness.ask(client)
        guard let state = readiness.answer else {
            throw ServerConnection.strange(client, "whether it is ready")
        }
        var bodies: [String: [UInt8]] = [:]
        for path in paths {
            try client.send("GET", path)
            let (head, body) = try client.receive(isBounded: true)
            if head.status == 200 { bodies[path] = body }
        }
        // What is no JSON here is no answer of a Freshet server.
        func json(_ path: String) -> JSONValue? {
            bodies[path].flatMap { try? JSONValue.parse($0) }
        }
        let figures = metrics(bodies["/metrics"] ?? [])
        let types = json("/v1")?["types"]
        let upstreams = json("/v1/_upstreams")?["items"]
        let outbox = json(outboxPath)?["items"]?.arrayValue
        let result: JSONValue = [
            "server": .string(client.serverText), "ready": .bool(readiness.isReady),
            "status": state["status"] ?? .null,
            "stores": state["stores"] ?? .null,
            "version": json("/version")?["version"] ?? .null,
            "revision": json("/v1")?["meta"]?["revision"] ?? .null, "types": types ?? .null,
            "upstreams": upstreams ?? .null, "outbox": outbox.map { .count($0.count) } ?? .null,
            "uptimeSeconds": figure("freshet_uptime_seconds", figures),
            "connections": figure("freshet_connections_open", figures),
            "streams": figure("freshet_streams_open", figures),
            "requests": figure("freshet_requests_total", figures),
        ]
        try Terminal.answer(arguments, result, table(result, readiness.faults))
        return readiness.isReady ? .done : .failed
    }

    /// The samples without labels.
    private static func metrics(_ page: [UInt8]) -> [Substring: Substring] {
        var figures: [Substring: Substring] = [:]
        for line in String(decoding: page, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, !line.hasPrefix("#") { figures[words[0]] = words[1] }
        }
        return figures
    }

    private static func figure(_ name: Substring, _ figures: [Substring: Substring]) -> JSONValue {
        figures[name].flatMap { Double($0) }.flatMap { Int(exactly: $0.rounded(.down)) }.map {
            .count($0)
        } ?? .null
    }

    private static func table(_ status: JSONValue, _ faults: [Readiness.Fault]) -> String {
        func number(_ name: String) -> String? {
            status[name]?.int64Value.map { Progress.grouped(Int($0)) }
        }
        var rows = [
            ["server", status["server"]?.stringValue ?? ""],
            ["status", status["status"]?.stringValue ?? ""],
        ]
        for store in status["stores"]?.objectValue ?? [] {
            let state = store.value["state"]?.stringValue ?? ""
            let reason = store.value["reason"]?.stringValue ?? ""
            rows.append(["store \(store.name)", reason.isEmpty ? state : "\(state): \(reason)"])
        }
        // What the stores lack stands there.
        let stores = status["stores"]?.objectValue?.map(\.name) ?? []
        for fault in faults where !stores.contains(fault.part) {
            rows.append([fault.part, fault.sentence])
        }
        rows.append(["version", status["version"]?.stringValue ?? "?"])
        if let seconds = status["uptimeSeconds"]?.int64Value {
            rows.append(["up", Self.time(seconds)])
        }
        if let revision = number("revision") { rows.append(["revision", revision]) }
        let types = status["types"]?.arrayValue ?? []
        let entities = Int(
            types.reduce(Int64(0)) { $0.addingSaturated($1["count"]?.int64Value ?? 0) })
        if status["types"]?.arrayValue != nil {
            let listed = types.map {
                "\($0["name"]?.stringValue ?? "?") \(Progress.grouped(Int($0["count"]?.int64Value ?? 0)))"
            }
            rows.append([
                "entities",
                Progress.grouped(Int(entities))
                    + (listed.isEmpty ? "" : " (\(listed.joined(separator: ", ")))"),
            ])
        }
        if let connections = number("connections"), let streams = number("streams") {
            rows.append(["connected", "\(connections), with \(streams) live streams"])
        }
        if let requests = number("requests") { rows.append(["requests", requests]) }
        for upstream in status["upstreams"]?.arrayValue ?? [] {
            rows.append([
                "upstream \(upstream["id"]?.stringValue ?? "?")",
                "\(upstream["link"]?.stringValue ?? "?") (\(upstream["base"]?.stringValue ?? "?"))",
            ])
        }
        if let waiting = status["outbox"]?.int64Value, waiting > 0 {
            let count =
                waiting < mostEntries
                ? Count.text(Int(waiting), "entry", "entries") : "\(mostEntries) or more entries"
            rows.append(["outbox", count])
        }
        var text = TableText.table(rows.map { $0.map(Terminal.line) }, header: nil)
        if status["upstreams"]?.arrayValue == nil {
            text += "the rest needs an administrator's token (--token-file FILE)\n"
        }
        return String(text.dropLast())
    }

    /// `3 d 4 h`, `12 min`, `40 s`
    private static func time(_ seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h \(seconds / 60 % 60) min"
        default: "\(seconds / 86_400) d \(seconds / 3_600 % 24) h"
        }
    }
}

/// `freshet ops`: the operations of a server.
enum OperationsCommand {
    static let actions = ["run", "cancel", "invalidate", "reset"]

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let words = arguments.positionals
        if words.count == 2 {
            guard actions.contains(words[0]) else {
                throw .usage(
                    "there is no \"freshet ops \(words[0]) ID\"; it can"
                        + " \(actions.joined(separator: ", "))")
            }
            let path = "/v1/_operations/\(PercentEncoding.segment(words[1]))/\(words[0])"
            guard words[0] == "run" else {
                return try EntityCommands.show(
                    try EntityCommands.ask("POST", path, arguments), arguments)
            }
            // The answer of a run is its end, not its beginning.
            let body = try EntityCommands.ask("POST", path + "?wait=1", arguments)
            _ = try EntityCommands.show(body, arguments)
            // What is no JSON has no outcome either.
            let operation = try? JSONValue.parse(body)
            let outcome = operation?["lastRun"]?["outcome"]?.stringValue ?? "unknown"
            guard outcome == "success" else {
                let detail = operation?["error"]?["detail"]?.stringValue
                throw .failed(
                    "the run of \(words[1]) ended with \(outcome)"
                        + (detail.map { ": \($0)" } ?? ""))
            }
            return .done
        }
        guard let id = words.first else {
            let body = try EntityCommands.ask("GET", "/v1/_operations", arguments)
            return try list(
                body, arguments, none: "no operation is configured or was asked for", row)
        }
        guard !actions.contains(id) else {
            throw .usage("the operation is missing; the form is: freshet ops \(id) ID")
        }
        return try EntityCommands.show(
            try EntityCommands.ask(
                "GET", "/v1/_operations/\(PercentEncoding.segment(id))", arguments),
            arguments)
    }

    private static func row(_ operation: JSONValue) -> [(name: String, value: JSONValue)] {
        let last = operation["lastRun"]
        return [
            ("id", operation["id"] ?? .null), ("kind", operation["kind"] ?? .null),
            ("status", operation["status"] ?? .null), ("stale", operation["isStale"] ?? .null),
            ("count", operation["count"] ?? .null),
            ("subscribers", operation["subscribers"] ?? .null),
            ("failures", operation["failures"] ?? .null), ("last run", last?["outcome"] ?? .null),
            ("at", last?["startedAt"] ?? .null), ("ms", last?["durationMs"] ?? .null),
        ]
    }

    /// Items as rows of the members that matter, on a terminal.
    static func list(
        _ body: [UInt8], _ arguments: ParsedArguments, none: String,
        _ row: (JSONValue) -> [(name: String, value: JSONValue)]
    ) throws(CommandFailure) -> Exit {
        guard Terminal.outputIsTerminal, !arguments.has("json"),
            let items = (try? JSONValue.parse(body))?["items"]?.arrayValue
        else {
            try Terminal.write(json: body)
            return .done
        }
        guard !items.isEmpty else {
            try Terminal.print(none + "\n")
            return .done
        }
        let rows: [JSONValue] = items.map { item in
            .object(
                row(item).map {
                    .init(name: $0.name, value: $0.value.isNull ? .string("") : $0.value)
                })
        }
        try Terminal.print(
            TableText.table(of: rows, width: Terminal.width, advice: "--json shows all"))
        return .done
    }
}

/// `freshet conditions`: the flags of a server.
enum ConditionsCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let words = arguments.positionals
        let ttl = arguments.flags["ttl"]?.last
        guard words.count == 2 || ttl == nil else {
            throw .usage("--ttl is for setting a condition: freshet conditions NAME true --ttl 10m")
        }
        guard let name = words.first else {
            let body = try EntityCommands.ask("GET", "/v1/_conditions", arguments)
            return try OperationsCommand.list(body, arguments, none: "no condition is declared") {
                item in
                ["name", "value", "expiresAt", "persist", "revision"].map {
                    ($0, item[$0] ?? .null)
                }
            }
        }
        let path = "/v1/_conditions/\(PercentEncoding.segment(name))"
        guard words.count == 2 else {
            return try EntityCommands.show(
                try EntityCommands.ask("GET", path, arguments), arguments)
        }
        guard ["true", "false"].contains(words[1]) else {
            throw .usage("a condition is true or false, not \"\(words[1])\"")
        }
        var change: [JSONValue.Member] = [.init(name: "value", value: .bool(words[1] == "true"))]
        if let ttl { change.append(.init(name: "ttl", value: .string(ttl))) }
        let body = Array(JSONValue.object(change).text.utf8)
        return try EntityCommands.show(
            try EntityCommands.ask("PUT", path, arguments, body: body), arguments)
    }
}
