/// Where a server is: `http://HOST:PORT` or `https://HOST`, with a path in front of everything if
/// wanted, or `unix:/PATH` of its socket. Without a port it is the scheme's, but 8080 on this machine
/// by `http`, where `freshet serve` listens.
struct ServerAddress: Equatable {
    /// Scheme, host and port.
    let origin: String
    /// Empty, or begins with a slash and ends without one.
    let prefix: String
    /// The path of the socket to connect to in place of the host.
    let unixSocket: String?

    static let standard = "http://127.0.0.1:8080"

    init(_ text: String) throws(CommandFailure) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // sockaddr_un takes 107 bytes.
            guard path.hasPrefix("/"), path.utf8.count <= 107 else {
                throw .usage("\"\(text)\" is no socket; write it like unix:/run/freshet.sock")
            }
            (origin, prefix, unixSocket) = ("http://localhost", "", path)
            return
        }
        let scheme = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }
        let isSecure = scheme == "https://"
        let rest = text.dropFirst(scheme?.count ?? 0)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        var prefix = String(rest[slash...])
        while prefix.hasSuffix("/") { prefix.removeLast() }
        // The address of the API is one of the server, too.
        if prefix.hasSuffix("/v1") { prefix.removeLast(3) }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        let isPlain = rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#".utf8.contains($0) }
        guard isPlain, !authority.contains("@"), let (host, port) = Self.parts(of: authority)
        else { throw Self.refusal(of: text) }
        let isHere = ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased())
        let number = port ?? (isSecure ? "443" : isHere ? "8080" : "80")
        origin = "\(isSecure ? "https" : "http")://\(host):\(number)"
        self.prefix = prefix
        unixSocket = nil
    }

    /// Host and port of `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`; nil for anything else.
    private static func parts(of authority: Substring) -> (host: String, port: String?)? {
        var host = authority
        var port: Substring?
        let end: String.Index? =
            authority.hasPrefix("[") ? authority.firstIndex(of: "]") : authority.startIndex
        guard let end else { return nil }
        if let colon = authority[end...].firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
        // An address of IPv6 stands in brackets, and nothing else does.
        guard !name.isEmpty, !name.contains(where: { $0 == "[" || $0 == "]" }),
            name.contains(":") == host.hasPrefix("[")
        else { return nil }
        guard let port else { return (String(host), nil) }
        let isNumber = port.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, UInt16(port) != nil else { return nil }
        return (String(host), String(port))
    }

    /// Why an address is none; one that may hold a password is not repeated.
    private static func refusal(of text: String) -> CommandFailure {
        text.contains("@")
            ? .usage(
                "an address with a user or a password is no server; write it like \(standard), and"
                    + " show a token by --token-file")
            : .usage("\"\(text)\" is no server; write it like \(standard)")
    }

    var text: String { unixSocket.map { "unix:\($0)" } ?? origin + prefix }
}
