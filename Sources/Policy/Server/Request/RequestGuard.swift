import FreshetHTTP
import FreshetHTTPServer
import Glibc

/// What must hold of any request before it reaches a handler (robustness.md section 3): the host
/// that it names, and the page that it comes from.
///
/// A foreign page can make its own name resolve to any address that its reader's browser reaches
/// (DNS rebinding), so the address that the server listens on says nothing. It cannot do so with an
/// address, with `localhost`, or with a name of somebody else's.
struct RequestGuard: Sendable {
    /// Lower-case host names without port, beside `localhost` and literal addresses.
    private let hosts: [String]
    /// Whether requests may name any host.
    private let answersToAnyName: Bool
    private let allowedOrigins: [String]

    /// Whether answers differ by the origin that asks.
    var namesOrigins: Bool { !allowedOrigins.isEmpty }

    /// - Parameters:
    ///   - boundHost: Where the server listens, without brackets.
    ///   - needsToken: Whether nobody may do anything without a token, which a foreign page has
    ///     not. Then any name will do where `hosts` names none.
    init(boundHost: String, hosts: [String], allowedOrigins: [String], needsToken: Bool) {
        self.hosts = [boundHost.lowercased()] + hosts.map { Self.withoutPort($0).lowercased() }
        answersToAnyName = hosts.isEmpty && needsToken
        // Browsers send them so.
        self.allowedOrigins = allowedOrigins.map { $0.lowercased() }
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
        if !answersToAnyName, !authority.isEmpty, !isKnown(authority) {
            let name = String(decoding: Self.name(in: authority).prefix(100), as: UTF8.self)
            return Problem(
                .hostNotAllowed, "this server does not answer to the host name '\(name)'",
                hint: "use localhost or its address, or allow the name with --allow-host, "
                    + "FRESHET_ALLOW_HOST or \"hosts\" in the configuration")
        }
        guard !isSafe else { return nil }
        if let origin, allowedOrigin(origin) == nil, !Self.isSameOrigin(origin, authority) {
            return Problem(
                .originNotAllowed, "pages of this origin may not change anything here",
                hint: "name it with --allow-origin")
        }
        if let fetchSite, isForeign(origin, from: fetchSite) {
            return Problem(
                .originNotAllowed, "pages of other sites may not change anything here",
                hint: "name their origin with --allow-origin")
        }
        return nil
    }

    /// Whether a page of another origin asks, by what the browser says of it. An image has no origin, be it
    /// a neighbour's.
    private func isForeign(
        _ origin: UnsafeRawBufferPointer?, from fetchSite: UnsafeRawBufferPointer
    ) -> Bool {
        guard origin == nil else {
            return allowedOrigin(origin) == nil
                && HeaderText.equalsIgnoringCase(fetchSite, "cross-site")
        }
        return !HeaderText.equalsIgnoringCase(fetchSite, "same-origin")
            && !HeaderText.equalsIgnoringCase(fetchSite, "none")
    }

    /// The host without its port.
    private static func name(in authority: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = authority.count
        if authority.first == UInt8(ascii: "[") {
            end = (authority.firstIndex(of: UInt8(ascii: "]")) ?? end - 1) + 1
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            end = colon
        }
        return UnsafeRawBufferPointer(rebasing: authority[..<end])
    }

    private func isKnown(_ authority: UnsafeRawBufferPointer) -> Bool {
        let name = Self.name(in: authority)
        return HeaderText.equalsIgnoringCase(name, "localhost") || Self.isAddress(name)
            || hosts.contains { host in
                host.utf8.count == name.count
                    && zip(host.utf8, name).allSatisfy {
                        $0 == $1 | ($1 >= 0x41 && $1 <= 0x5A ? 0x20 : 0)
                    }
            }
    }

    /// Whether `host` is a literal address: four decimal numbers, or IPv6 in brackets without a zone.
    /// Other spellings that some resolvers take (`127.1`, `0x7f000001`) are none.
    static func isAddress(_ host: UnsafeRawBufferPointer) -> Bool {
        let isSix = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        let digits = isSix ? UnsafeRawBufferPointer(rebasing: host[1..<(host.count - 1)]) : host
        guard digits.count <= INET6_ADDRSTRLEN, !digits.contains(0) else { return false }
        return withUnsafeTemporaryAllocation(byteCount: digits.count + 1, alignment: 1) { text in
            text.copyMemory(from: digits)
            text[digits.count] = 0
            var address = in6_addr()
            let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
            return start.map { inet_pton(isSix ? AF_INET6 : AF_INET, $0, &address) == 1 } ?? false
        }
    }

    /// Whether a ticket that a page of `origin` was given opens a stream for this request. Browsers
    /// name no origin where they ask a page's own server, and say so.
    ///
    /// - Parameter origin: nil where no page has asked for the ticket; then it is bound to none.
    static func admitsTicket(
        of origin: String?, to request: borrowing Request
    ) -> Bool {
        guard let origin else { return true }
        var text = origin
        return text.withUTF8 { bound in
            let bound = UnsafeRawBufferPointer(bound)
            if let asking = request.header(.origin) { return asking.elementsEqual(bound) }
            return isSameOrigin(bound, request.authority)
                || request.header(.secFetchSite).map {
                    HeaderText.equalsIgnoringCase($0, "same-origin")
                } ?? false
        }
    }

    /// `http://` and the request's own authority.
    private static func isSameOrigin(
        _ origin: UnsafeRawBufferPointer, _ authority: UnsafeRawBufferPointer
    ) -> Bool {
        guard !authority.isEmpty,
            let separator = origin.firstIndex(of: UInt8(ascii: "/"))
        else { return false }
        return origin.count - separator - 2 == authority.count
            && origin[(separator + 2)...].elementsEqual(authority)
    }
}
