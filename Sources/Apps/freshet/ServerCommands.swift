import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetServer
import Glibc

/// What all commands that talk to a running server share.
enum ServerConnection {
    /// - Parameters:
    ///   - patience: Longest wait where the user names none.
    ///   - token: What to show in place of the user's token; of `.some(nil)` none.
    static func client(
        _ arguments: ParsedArguments, patience: Duration = .seconds(60),
        token: AccessToken?? = .none
    ) throws(CommandFailure) -> ServerClient {
        let server = arguments.value("server", variable: "FRESHET_SERVER")
        var timeout = patience
        if let text = arguments.value("timeout", variable: "FRESHET_TIMEOUT") {
            guard let milliseconds = SettingText.milliseconds(text), milliseconds > 0 else {
                throw .usage("--timeout: expected a time such as \"60s\", not \"\(text)\"")
            }
            timeout = .milliseconds(milliseconds)
        }
        return try ServerClient(
            server: try ServerAddress(server ?? ServerAddress.standard), timeout: timeout,
            roots: arguments.value("cacert", variable: "FRESHET_CACERT"),
            token: try shown(token, arguments), printsOnly: arguments.has("curl"))
    }

    private static func shown(
        _ token: AccessToken??, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> AccessToken? {
        if let token { return token }
        return try AccessToken.find(arguments)
    }

    /// The failure of an answer that is none of a Freshet server.
    ///
    /// - Parameter lack: What the answer does not say.
    static func strange(_ client: ServerClient, _ lack: String) -> CommandFailure {
        .failed(
            "\(client.serverText) answers, and is no Freshet server: it does not say \(lack);"
                + " check --server")
    }

    /// What a problem answer says, as a sentence: its detail, its first faults, its hint.
    static func sentence(status: Int, body: [UInt8]) -> String {
        // What is no problem document is told by its status alone.
        guard let problem = try? JSONValue.parse(body), let detail = problem["detail"]?.stringValue
        else {
            return "the answer has status \(status) and does not say why; check --server, and the"
                + " proxy where one stands before it"
        }
        var sentence = detail
        for fault in (problem["errors"]?.arrayValue ?? []).prefix(3) {
            let place =
                fault["pointer"]?.stringValue ?? fault["parameter"]?.stringValue
                ?? fault["offset"]?.numberText.map { "offset \($0)" } ?? ""
            if let text = fault["detail"]?.stringValue, !detail.contains(text) {
                sentence += place.isEmpty ? "; \(text)" : "; \(place): \(text)"
            }
        }
        let hint: String?
        switch (status, problem["code"]?.stringValue) {
        // A token is shown by a flag here, not by a header.
        case (401, _): hint = "--token-file FILE or FRESHET_TOKEN shows one"
        // What a shell has taken the quotes from, or nobody has written in any.
        case (_, "bad-json"):
            hint = "JSON wants text and names in double quotes: {\"title\":\"a b\"}"
        default: hint = problem["hint"]?.stringValue
        }
        if let hint { sentence += " (\(hint))" }
        return Terminal.line(sentence)
    }
}

extension CommandFailure {
    /// A request that the server did not do: what it calls a bad one was wrongly used here.
    static func refused(status: Int, body: [UInt8], about subject: String = "") -> CommandFailure {
        let sentence = subject + ServerConnection.sentence(status: status, body: body)
        return status == 400 ? .usage(sentence) : .failed(sentence)
    }
}

/// The flags of `search` and `watch` that are parameters of a search.
enum SearchOptions {
    static let all = [
        Option("filter", "EXPR", "which entities", hasVariable: false),
        Option("order", "KEYS", "such as -priority,title", hasVariable: false),
        Option("limit", "N", "at most so many", hasVariable: false),
        Option("offset", "N", "leave out the first", hasVariable: false),
        Option("ids", "IDS", "these, in this order: 3,1,2", hasVariable: false),
        Option("fields", "NAMES", "only these members", hasVariable: false),
        Option("include", "PATHS", "related entities: author,comments", hasVariable: false),
        Option("group", "NAME", "groups by a property", hasVariable: false),
        Option("distinct", "NAME", "the first of each value", hasVariable: false),
        Option("aggregate", "LIST", "such as count,sum(points)", hasVariable: false),
        Option("count", nil, "the number without the window", hasVariable: false),
    ]

    /// `name=value`, encoded, of each that was given.
    static func query(_ arguments: ParsedArguments) -> [String] {
        all.compactMap { option in
            arguments.flags[option.name]?.last.map { "\(option.name)=\(PercentEncoding.list($0))" }
        }
    }
}

/// `get`, `search`, `set` and `remove`: one request each.
enum EntityCommands {
    static func get(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let path = entityPath(arguments.positionals)
        return try show(try ask("GET", path, arguments), arguments)
    }

    /// Members of one thing, a line each, on a terminal.
    static func show(
        _ body: [UInt8], _ arguments: ParsedArguments
    ) throws(CommandFailure) -> Exit {
        // An answer that is no object is shown as it came.
        guard Terminal.outputIsTerminal, !arguments.has("json"),
            let members = (try? JSONValue.parse(body))?.objectValue
        else {
            try Terminal.write(json: body)
            return .done
        }
        try Terminal.print(
            TableText.table(
                members.map { [Terminal.line($0.name), TableText.cell($0.value)] }, header: nil))
        return .done
    }

    static func search(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let query = SearchOptions.query(arguments)
        let path =
            "/v1/" + PercentEncoding.segment(arguments.positionals[0])
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        let body = try ask("GET", path, arguments, isBounded: false)
        // An answer that is no table is shown as it came.
        guard Terminal.outputIsTerminal, !arguments.has("json"),
            let answer = try? JSONValue.parse(body), answer.objectValue != nil
        else {
            try Terminal.write(json: body)
            return .done
        }
        try Terminal.print(
            ResultText.answer(answer, width: Terminal.width).map { $0 + "\n" }.joined())
        return .done
    }

    static func set(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let form = arguments.positionals.joined(separator: " ")
        if isatty(STDIN_FILENO) == 1 {
            Terminal.complain("the JSON comes from this terminal now; end it with Ctrl-D")
        }
        let input = try InputFile.whole("-", limit: 64 << 20)
        guard input.contains(where: { $0 > 0x20 }) else {
            throw .usage(
                "standard input is empty, and JSON is expected there, as in: echo '{\"title\":\"x\"}' |"
                    + " freshet set \(form)")
        }
        var place = arguments.positionals
        if place.count == 1, let id = id(ofEntity: input) { place.append(id) }
        let body = try ask(
            place.count == 2 ? "PUT" : "POST", entityPath(place), arguments, body: input)
        try Terminal.write(json: body)
        return .done
    }

    /// The id that the JSON of an entity bears, a string or an integer; nil where it has none.
    private static func id(ofEntity json: [UInt8]) -> String? {
        guard let id = try? JSONValue.parse(json)["id"] else { return nil }
        if let text = id.stringValue { return text.isEmpty ? nil : text }
        return id.int64Value.map { "\($0)" }
    }

    /// Removes one entity.
    ///
    /// - Returns: Whether it was there.
    private static func wasRemoved(
        _ id: String, at path: String, by client: ServerClient
    ) throws(CommandFailure) -> Bool {
        try client.send("DELETE", path)
        let (head, body) = try client.receive(isBounded: true)
        guard (200..<300).contains(head.status) else {
            throw .refused(status: head.status, body: body, about: "\(id): ")
        }
        switch head.header("freshet-changed") {
        case "true": return true
        case "false": return false
        default: throw ServerConnection.strange(client, "whether '\(id)' was there")
        }
    }

    /// One request an id, each a commit; says which were there.
    static func remove(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let client = try ServerConnection.client(arguments)
        let ids = arguments.positionals.dropFirst()
        let paths = ids.map { entityPath([arguments.positionals[0], $0]) }
        if client.printsOnly {
            for path in paths { try client.send("DELETE", path) }
            return .done
        }
        var removed: [String] = []
        var absent: [String] = []
        func report() throws(CommandFailure) {
            let result: JSONValue = [
                "removed": .array(removed.map { .string($0) }),
                "absent": .array(absent.map { .string($0) }),
            ]
            let parts = [("removed", removed), ("absent", absent)].filter { !$0.1.isEmpty }
            try Terminal.answer(
                arguments, result,
                parts.map { "\($0.0): \($0.1.joined(separator: ", "))" }.joined(separator: "; "))
        }
        for (id, path) in zip(ids, paths) {
            do throws(CommandFailure) {
                let wasThere = try wasRemoved(id, at: path, by: client)
                if wasThere { removed.append(id) } else { absent.append(id) }
            } catch {
                // What is gone already is told before the reason to stop.
                if !removed.isEmpty || !absent.isEmpty { try report() }
                throw error
            }
        }
        try report()
        return .done
    }

    private static func entityPath(_ positionals: [String]) -> String {
        "/v1/" + positionals.prefix(2).map(PercentEncoding.segment).joined(separator: "/")
    }

    /// One request, and the body of its answer.
    ///
    /// - Parameter isBounded: Whether the whole answer has to come within the timeout.
    static func ask(
        _ method: String, _ path: String, _ arguments: ParsedArguments, body: [UInt8]? = nil,
        patience: Duration = .seconds(60), isBounded: Bool = true
    ) throws(CommandFailure) -> [UInt8] {
        let client = try ServerConnection.client(arguments, patience: patience)
        try client.send(
            method, path, headers: body == nil ? [] : [("Content-Type", "application/json")],
            body: body)
        let answer = try client.receive(isBounded: isBounded)
        guard (200..<300).contains(answer.head.status) else {
            throw .refused(status: answer.head.status, body: answer.body)
        }
        return answer.body
    }
}
