import FreshetBase
import FreshetConfig
import FreshetJSON

/// `freshet token new NAME`: a random token, and the configuration's member that lets it in. The
/// server knows the digest only, so the token is shown this once.
///
/// `freshet token check`: what a token may do, by a configuration or by what a server answers it.
enum TokenCommand {
    /// Random bits of a token.
    private static let bytes = 32

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        switch arguments.positionals[0] {
        case "new": return try printNew(arguments)
        case "check":
            guard arguments.positionals.count == 1 else {
                throw .usage(
                    "a token on the command line is seen by others: put it into FRESHET_TOKEN, into"
                        + " a file (--token-file FILE), or on standard input")
            }
            return try TokenCheck.run(arguments)
        case let action:
            throw .usage(
                "there is no \"freshet token \(action)\"; the forms are: freshet token new [NAME],"
                    + " freshet token check")
        }
    }

    private static func printNew(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let positional = arguments.positionals.dropFirst().first
        if positional != nil, arguments.value("name") != nil {
            throw .usage("the name stands there twice; give it once")
        }
        let name = arguments.value("name") ?? positional ?? "token"
        guard AccessSettings.isTokenName(name) else {
            throw .usage("a token has \(AccessSettings.nameExpectation)")
        }
        let token = make()
        var output =
            arguments.has("json") ? "" : "token (shown once; keep it safe):\n  \(token)\n\n"
        let entry = snippet(name, token)
        if arguments.has("json") {
            output += "{\"token\":\(JSONValue.string(token).text),\"configuration\":\(entry)}\n"
        } else {
            output +=
                "add to \"access\": {\"tokens\": [ … ]} of the configuration, with the rights it"
                + " needs, and send SIGHUP:\n  \(entry)\n"
        }
        try Terminal.print(output)
        return .done
    }

    /// `fr_` and 43 letters, digits, `-` and `_`: 256 bits of the system's generator.
    static func make() -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var generator = SystemRandomNumberGenerator()
        var text: [UInt8] = Array("fr_".utf8)
        var bits = 0
        var held = 0
        for _ in 0..<bytes {
            held = held << 8 | Int(UInt8.random(in: .min ... .max, using: &generator))
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[held >> bits & 63])
            }
            held &= 1 << bits - 1
        }
        if bits > 0 { text.append(alphabet[held << (6 - bits) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The element of `access.tokens`: it may read until told otherwise.
    static func snippet(_ name: String, _ token: String) -> String {
        "{\"name\": \(JSONValue.string(name).text),"
            + " \"sha256\": \"\(SHA256Digest(of: token).hexadecimal)\","
            + " \"types\": {\"*\": {\"read\": true, \"write\": false}}}"
    }
}
