import FreshetStore
import Glibc

/// The token that a command shows a server, and where a shell finds it.
struct AccessToken: Equatable {
    let text: String
    /// What a shell has between double quotes in place of the token, so that it is not on view.
    let shell: String

    /// The file that `--token-file` names, else `FRESHET_TOKEN`, else the file that
    /// `FRESHET_TOKEN_FILE` names; nil for none.
    static func find(_ arguments: ParsedArguments) throws(CommandFailure) -> AccessToken? {
        if let path = arguments.value("token-file") { return try AccessToken(file: path) }
        if let text = Environment.value("FRESHET_TOKEN"), !text.isEmpty {
            return try AccessToken(text, from: "FRESHET_TOKEN", shell: "$FRESHET_TOKEN")
        }
        return try Environment.value("FRESHET_TOKEN_FILE").flatMap { path throws(CommandFailure) in
            path.isEmpty ? nil : try AccessToken(file: path)
        }
    }

    /// The token that `find` finds, else what stands on standard input, where that is no terminal.
    static func needed(_ arguments: ParsedArguments) throws(CommandFailure) -> AccessToken {
        if let token = try find(arguments) { return token }
        guard isatty(STDIN_FILENO) != 1 else {
            throw .usage(
                "there is no token: put it into FRESHET_TOKEN, into a file (--token-file FILE), or"
                    + " on standard input")
        }
        return try AccessToken(file: "-")
    }

    /// A line feed behind the token does no harm.
    private init(file path: String) throws(CommandFailure) {
        var bytes = try InputFile.whole(path, limit: 64 << 10)
        while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0x20 {
            bytes.removeLast()
        }
        try self.init(
            String(decoding: bytes, as: UTF8.self), from: path == "-" ? "standard input" : path,
            shell: "$(cat \(ShellWord.quoted(path)))")
    }

    private init(_ text: String, from place: String, shell: String) throws(CommandFailure) {
        guard !text.isEmpty else {
            throw .usage(
                "\(place) is empty; it has the token alone, as `freshet token new` makes one")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .usage("\(place) holds no token: a token is one line of ASCII without spaces")
        }
        self.text = text
        self.shell = shell
    }
}
