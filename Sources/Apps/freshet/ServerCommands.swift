import FreshetBase
import FreshetJSON
import FreshetServer

/// What all commands that talk to a running server share.
enum ServerConnection {
    /// - Parameter patience: Longest wait where the user names none.
    static func client(
        _ arguments: ParsedArguments, patience: Duration = .seconds(60)
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
            roots: arguments.value("cacert", variable: "FRESHET_CACERT"))
    }

    /// What a problem answer says, as a sentence: its detail, its first faults, its hint.
    static func sentence(status: Int, body: [UInt8]) -> String {
        // What is no problem document is told by its status alone.
        guard let problem = try? JSONValue.parse(body), let detail = problem["detail"]?.stringValue
        else { return "the server answered with status \(status)" }
        var sentence = detail
        for fault in (problem["errors"]?.arrayValue ?? []).prefix(3) {
            let place =
                fault["pointer"]?.stringValue ?? fault["parameter"]?.stringValue
                ?? fault["offset"]?.numberText.map { "offset \($0)" } ?? ""
            if let text = fault["detail"]?.stringValue, !detail.contains(text) {
                sentence += place.isEmpty ? "; \(text)" : "; \(place): \(text)"
            }
        }
        if let hint = problem["hint"]?.stringValue { sentence += " (\(hint))" }
        return sentence
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
            arguments.flags[option.name]?.last.map { "\(option.name)=\(URLText.encodedList($0))" }
        }
    }
}

/// `get`, `search`, `set` and `remove`: one request each.
enum EntityCommands {
    static func get(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let path = entityPath(arguments.positionals)
        let body = try ask("GET", path, arguments)
        // An answer that is no table is shown as it came.
        guard Terminal.outputIsTerminal, !arguments.has("json"),
            let entity = try? JSONValue.parse(body), let members = entity.objectValue
        else {
            try Terminal.write(body)
            return .done
        }
        try Terminal.print(
            TableText.table(members.map { [$0.name, TableText.cell($0.value)] }, header: nil))
        return .done
    }

    static func search(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let query = SearchOptions.query(arguments)
        let path =
            "/v1/" + URLText.encoded(arguments.positionals[0])
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        let body = try ask("GET", path, arguments)
        // An answer that is no table is shown as it came.
        guard Terminal.outputIsTerminal, !arguments.has("json"),
            let answer = try? JSONValue.parse(body), answer.objectValue != nil
        else {
            try Terminal.write(body)
            return .done
        }
        try Terminal.print(
            ResultText.answer(answer, width: Terminal.width).map { $0 + "\n" }.joined())
        return .done
    }

    static func set(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let input = try InputFile.readAll()
        let hasID = arguments.positionals.count == 2
        let path = entityPath(arguments.positionals)
        let body = try ask(hasID ? "PUT" : "POST", path, arguments, body: input)
        try Terminal.write(body)
        return .done
    }

    static func remove(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let client = try ServerConnection.client(arguments)
        for id in arguments.positionals.dropFirst() {
            client.send("DELETE", entityPath([arguments.positionals[0], id]))
            let (head, body) = try client.receive()
            guard (200..<300).contains(head.status) else {
                throw .failed(ServerConnection.sentence(status: head.status, body: body))
            }
        }
        if arguments.has("json") {
            let result: JSONValue = ["removed": .count(arguments.positionals.count - 1)]
            try Terminal.print(result.text + "\n")
        }
        return .done
    }

    private static func entityPath(_ positionals: [String]) -> String {
        "/v1/" + positionals.prefix(2).map(URLText.encoded).joined(separator: "/")
    }

    private static func ask(
        _ method: String, _ path: String, _ arguments: ParsedArguments, body: [UInt8]? = nil
    ) throws(CommandFailure) -> [UInt8] {
        let client = try ServerConnection.client(arguments)
        client.send(
            method, path, headers: body == nil ? [] : [("Content-Type", "application/json")],
            body: body)
        let answer = try client.receive()
        guard (200..<300).contains(answer.head.status) else {
            throw .failed(
                ServerConnection.sentence(status: answer.head.status, body: answer.body))
        }
        return answer.body
    }
}
