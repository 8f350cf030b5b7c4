import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer

/// `freshet token check`: exit 0 for a token that is let in, 1 for another.
enum TokenCheck {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        var arguments = arguments
        let token = try AccessToken.needed(arguments)
        guard let path = arguments.flags["config"]?.last else {
            return try ask(token, arguments)
        }
        // The file is looked at, not what would listen.
        arguments.flags = [
            "config": [path], "open": ["true"], "json": arguments.flags["json"] ?? [],
        ]
        let resolution = Configuration.source(arguments).resolve()
        guard resolution.faults.isEmpty else {
            Configuration.report(resolution.faults.map(\.description))
            return .usage
        }
        return try judge(token, by: resolution.settings.access, in: path, arguments)
    }

    // MARK: By a configuration

    private static func judge(
        _ token: AccessToken, by access: AccessSettings?, in path: String,
        _ arguments: ParsedArguments
    ) throws(CommandFailure) -> Exit {
        guard let access else {
            throw .failed("\(path) has no \"access\": no token is asked for, everybody is let in")
        }
        let digest = SHA256Digest(of: token.text)
        guard let known = access.tokens.first(where: { $0.digest == digest }) else {
            throw .failed(
                "\(path) does not know this token (its sha256 is \(digest.hexadecimal)); `freshet"
                    + " token new` makes one with the line that lets it in")
        }
        if let expires = known.expires, expires <= .now {
            throw .failed("the token \"\(known.name)\" has expired at \(expires.rfc3339)")
        }
        var types = known.rights.byType.map { (type: $0.type.text, rights: $0.rights) }
        if !known.rights.others.isEmpty { types.append(("*", known.rights.others)) }
        let result: JSONValue = [
            "valid": true, "name": .string(known.name),
            "expires": .text(known.expires?.rfc3339), "admin": .bool(known.rights.isAdmin),
            "types": .object(
                types.map { entry in
                    .init(
                        name: entry.type,
                        value: [
                            "read": .string(word(entry.rights.read)),
                            "write": .string(word(entry.rights.write)),
                            "level": .string(entry.rights.level.rawValue),
                        ])
                }),
        ]
        let rows = types.map { entry in
            [
                entry.type, word(entry.rights.read), word(entry.rights.write),
                entry.rights.level.rawValue,
            ]
        }
        let head =
            "\"\(known.name)\" is let in"
            + (known.expires.map { ", until \($0.rfc3339)" } ?? "")
            + (known.rights.isAdmin ? "; it is an administrator" : "")
        let table = TableText.table(rows, header: ["type", "read", "write", "level"])
        try Terminal.report(
            arguments, result,
            rows.isEmpty ? head : head + "\n\n" + String(table.dropLast()))
        return .done
    }

    private static func word(_ rows: AccessRights.Rows) -> String {
        switch rows {
        case .none: "none"
        case .all: "all"
        case .some: "some"
        }
    }

    // MARK: By a server

    private static func ask(
        _ token: AccessToken, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> Exit {
        let nobody = try ServerConnection.client(arguments, token: .some(nil))
        if nobody.printsOnly {
            try ServerConnection.client(arguments, token: token).send("GET", "/v1")
            return .done
        }
        // Only administrators may ask this.
        let administrators = "/v1/_service/active"
        let (open, state) = try status(nobody, administrators)
        if open.status == 200 {
            // What is no JSON has no switch.
            guard (try? JSONValue.parse(state))?["active"]?.boolValue != nil else {
                throw ServerConnection.strange(nobody, "who is let in")
            }
            throw .failed(
                "the server asks for no token: everybody is let in and may do everything")
        }
        let client = try ServerConnection.client(arguments, token: token)
        let (head, body) = try status(client, "/v1")
        guard head.status == 200 else {
            throw .refused(status: head.status, body: body)
        }
        let isAdmin = try status(client, administrators).head.status == 200
        // An answer of 200 without types would show none.
        let types = (try? JSONValue.parse(body))?["types"]?.arrayValue ?? []
        let names = types.compactMap { $0["name"]?.stringValue }
        try Terminal.report(
            arguments,
            [
                "valid": true, "admin": .bool(isAdmin),
                "visible": .array(names.map { .string($0) }),
            ],
            "the server lets the token in"
                + (isAdmin ? "; it is an administrator" : "")
                + (names.isEmpty
                    ? "; it sees no type that has entities or is declared"
                    : "; it sees \(names.map(Terminal.line).joined(separator: ", "))"))
        return .done
    }

    private static func status(
        _ client: ServerClient, _ path: String
    ) throws(CommandFailure) -> (head: ResponseHead, body: [UInt8]) {
        try client.send("GET", path)
        return try client.receive(isBounded: true)
    }
}
