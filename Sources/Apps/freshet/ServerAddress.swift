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
        var authority = String(rest[..<slash])
        var prefix = String(rest[slash...])
        while prefix.hasSuffix("/") { prefix.removeLast() }
        // The address of the API is one of the server, too.
        if prefix.hasSuffix("/v1") { prefix.removeLast(3) }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        var port: String?
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            port = String(authority[authority.index(after: colon)...])
            authority = String(authority[..<colon])
        }
        if authority.hasPrefix("["), authority.hasSuffix("]") {
            authority = String(authority.dropFirst().dropLast())
        }
        let plain = (authority + prefix).utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        guard !authority.isEmpty, plain,
            !(authority + prefix).contains(where: { $0 == "?" || $0 == "#" }),
            !authority.contains("@"),
            port.map({ UInt16($0) != nil }) ?? true
        else {
            throw .usage("\"\(text)\" is no server; write it like \(Self.standard)")
        }
        let isHere =
            authority.lowercased() == "localhost" || authority == "127.0.0.1"
            || authority == "::1"
        let number = port ?? (isSecure ? "443" : isHere ? "8080" : "80")
        let host = authority.contains(":") ? "[\(authority)]" : authority
        origin = "\(isSecure ? "https" : "http")://\(host):\(number)"
        self.prefix = prefix
        unixSocket = nil
    }

    var text: String { unixSocket.map { "unix:\($0)" } ?? origin + prefix }
}
