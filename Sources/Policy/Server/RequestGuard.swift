import FreshetHTTP
import FreshetHTTPServer

/// What must hold of any request before it reaches a handler (robustness.md section 3): the host
/// that it names, and the page that it comes from.
struct RequestGuard: Sendable {
    /// Lower-case host names without port; empty: any host is accepted.
    private let hosts: [String]
    private let allowedOrigins: [String]

    /// - Parameters:
    ///   - boundHost: Where the server listens, without brackets.
    ///   - isLoopback: Whether that is a loopback address; then only known hosts are answered,
    ///     since a foreign page can make its own name resolve to it.
    init(boundHost: String, isLoopback: Bool, hosts: [String], allowedOrigins: [String]) {
        if isLoopback || !hosts.isEmpty {
            let known = ["localhost", "127.0.0.1", "[::1]", Self.name(ofHost: boundHost)]
            self.hosts = known + hosts.map { Self.withoutPort($0).lowercased() }
        } else {
            self.hosts = []
        }
        self.allowedOrigins = allowedOrigins
    }

    private static func name(ofHost host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host.lowercased()
    }

    /// `example.org:8080` → `example.org`, `[::1]:8080` → `[::1]`.
    private static func withoutPort(_ authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[...end])
        }
        return String(authority.prefix { $0 != ":" })
    }

    /// The origin whose pages may read the answer, or nil where none asks or none may.
    func allowedOrigin(_ origin: UnsafeRawBufferPointer?) -> String? {
        guard let origin, !allowedOrigins.isEmpty else { return nil }
        let text = String(decoding: origin, as: UTF8.self)
        return allowedOrigins.contains(text) ? text : nil
    }

    /// The reason to refuse a request, or nil.
    ///
    /// - Parameters:
    ///   - authority: `Host`, or the authority of an absolute target.
    ///   - isSafe: Whether the method changes nothing.
    func refusal(
        authority: UnsafeRawBufferPointer, origin: UnsafeRawBufferPointer?,
        fetchSite: UnsafeRawBufferPointer?, isSafe: Bool
    ) -> Problem? {
        if !hosts.isEmpty, !authority.isEmpty, !isKnown(authority) {
            return Problem(
                .hostNotAllowed,
                "the Host of this request is none that this server answers to",
                hint: "name it under \"hosts\" in the configuration")
        }
        guard !isSafe else { return nil }
        if let origin, allowedOrigin(origin) == nil, !isSameOrigin(origin, authority) {
            return Problem(
                .originNotAllowed, "pages of this origin may not change anything here",
                hint: "name it with --allow-origin")
        }
        if let fetchSite, origin == nil || allowedOrigin(origin) == nil,
            HeaderText.equalsIgnoringCase(fetchSite, "cross-site")
        {
            return Problem(
                .originNotAllowed, "pages of other sites may not change anything here",
                hint: "name their origin with --allow-origin")
        }
        return nil
    }

    private func isKnown(_ authority: UnsafeRawBufferPointer) -> Bool {
        var end = authority.count
        if authority.first == UInt8(ascii: "[") {
            end = (authority.firstIndex(of: UInt8(ascii: "]")) ?? end - 1) + 1
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            end = colon
        }
        let name = UnsafeRawBufferPointer(rebasing: authority[..<end])
        return hosts.contains { host in
            host.utf8.count == name.count
                && zip(host.utf8, name).allSatisfy {
                    $0 == $1 | ($1 >= 0x41 && $1 <= 0x5A ? 0x20 : 0)
                }
        }
    }

    /// `http://` and the request's own authority.
    private func isSameOrigin(
        _ origin: UnsafeRawBufferPointer, _ authority: UnsafeRawBufferPointer
    ) -> Bool {
        guard !authority.isEmpty,
            let separator = origin.firstIndex(of: UInt8(ascii: "/"))
        else { return false }
        return origin.count - separator - 2 == authority.count
            && origin[(separator + 2)...].elementsEqual(authority)
    }
}
