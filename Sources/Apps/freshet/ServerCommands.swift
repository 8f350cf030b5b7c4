import FreshetBase
import FreshetJSON
import FreshetServer

/// What all commands that talk to a running server share.
enum ServerConnection {
    /// - Parameter patience: Longest wait where the user names none.
    static func client(
        _ arguments: ParsedArguments, patience: Duration = .seconds(60)
    ) throws(CommandFailure) -> HTTPClient {
        let server = arguments.value("server", variable: "FRESHET_SERVER")
        var timeout = patience
        if let text = arguments.value("timeout", variable: "FRESHET_TIMEOUT") {
            guard let milliseconds = SettingText.milliseconds(text), milliseconds > 0 else {
                throw .usage("--timeout: expected a time such as \"60s\", not \"\(text)\"")
            }
            timeout = .milliseconds(milliseconds)
        }
        return HTTPClient(
            server: try ServerAddress(server ?? ServerAddress.standard), timeout: timeout)
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
            arguments.flags[option.name]?.last.map { "\(option.name)=\(URLText.encoded($0))" }
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
            write(body)
            return .done
        }
        Terminal.print(
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
            let answer = try? JSONValue.parse(body), let items = answer["items"]?.arrayValue
        else {
            write(body)
            return .done
        }
        Terminal.print(TableText.table(of: items, width: Terminal.width))
        return .done
    }

    static func set(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let input = try InputFile.readAll()
        let hasID = arguments.positionals.count == 2
        let path = entityPath(arguments.positionals)
        let body = try ask(hasID ? "PUT" : "POST", path, arguments, body: input)
        write(body)
        return .done
    }

    static func remove(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let client = try ServerConnection.client(arguments)
        for id in arguments.positionals.dropFirst() {
            try client.send("DELETE", entityPath([arguments.positionals[0], id]))
            let (head, body) = try client.receive(to: "DELETE")
            guard (200..<300).contains(head.status) else {
                throw .failed(ServerConnection.sentence(status: head.status, body: body))
            }
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
        try client.send(
            method, path, headers: body == nil ? [] : [("Content-Type", "application/json")],
            body: body)
        let answer = try client.receive(to: method)
        guard (200..<300).contains(answer.head.status) else {
            throw .failed(
                ServerConnection.sentence(status: answer.head.status, body: answer.body))
        }
        return answer.body
    }

    private static func write(_ body: [UInt8]) {
        // Nobody is left to tell where standard output is closed.
        _ = Terminal.writeAll(body, to: 1)
    }
}

/// Columns of text for a terminal.
enum TableText {
    private static let widest = 40

    /// Items as rows; the columns are the members of the first items in order of appearance,
    /// as many as fit.
    static func table(of items: [JSONValue], width: Int) -> String {
        guard !items.isEmpty else { return "no items\n" }
        var names: [String] = ["id"]
        for item in items.prefix(50) {
            for member in item.objectValue ?? [] where !names.contains(member.name) {
                names.append(member.name)
            }
        }
        var rows = items.map { item in names.map { name in item[name].map(cell) ?? "" } }
        var used = 0
        var columns = 0
        for column in names.indices {
            let longest = rows.map { $0[column].count }.max() ?? 0
            used += min(widest, max(longest, names[column].count)) + 2
            if used > width && columns > 0 { break }
            columns += 1
        }
        rows = rows.map { Array($0.prefix(columns)) }
        return table(rows, header: Array(names.prefix(columns)))
    }

    static func table(_ rows: [[String]], header: [String]?) -> String {
        let all = (header.map { [$0] } ?? []) + rows
        var widths = [Int](repeating: 0, count: all.map(\.count).max() ?? 0)
        for row in all {
            for (column, text) in row.enumerated() {
                widths[column] = max(widths[column], min(widest, text.count))
            }
        }
        var output = ""
        for row in all {
            var line = ""
            for (column, text) in row.enumerated() {
                let isLast = column == row.count - 1
                let shown = text.count > widest && !isLast ? text.prefix(widest - 1) + "…" : text
                line += shown
                if !isLast {
                    line += String(repeating: " ", count: widths[column] - shown.count + 2)
                }
            }
            output += line + "\n"
        }
        return output
    }

    static func cell(_ value: JSONValue) -> String {
        let text = value.stringValue ?? value.text
        return Terminal.printable(String(text.map { $0.isNewline ? " " : $0 }))
    }
}
