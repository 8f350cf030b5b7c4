/// One HTTP exchange with an upstream: no retry, no credential, no cache.
///
/// `HTTPTransport` is the real one; tests script theirs. A transport belongs to one base
/// address and reaches nothing else.
package protocol UpstreamTransport: Sendable {
    /// Sends `request` and receives the whole answer, whatever its status.
    ///
    /// Cancelling the task aborts the exchange and throws `.cancelled` at once.
    ///
    /// - Throws: `.unreachable`, `.timeout`, `.tooLarge`, `.cancelled`.
    func send(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamResponse
}

/// What is sent to an upstream.
package struct UpstreamRequest: Sendable {
    package var method: String
    /// Path and query behind the transport's base, percent-encoded; it begins with `/`, or is empty
    /// for the base itself.
    package var path: String
    /// In order; a later field replaces an earlier one of the same name, whatever its case.
    package var headers: [(String, String)]
    package var body: [UInt8]?
    /// How long the exchange may take as a whole.
    package var timeout: Duration
    /// The most bytes of the answer's body, decoded.
    package var maxBody: Int
    /// Whether it may be sent a second time where a connection has died without an answer, whatever
    /// its method: where it asks and changes nothing. GET, PUT, DELETE and their like always may.
    package var isRepeatable = false
    /// Whether it asks and changes nothing.
    package var isQuestion: Bool { isRepeatable || method == "GET" || method == "HEAD" }
    /// The secrets in the request, which must not be shown where it fails.
    package var mask: @Sendable () -> SecretMask = { .none }

    package init(
        method: String = "GET", path: String, headers: [(String, String)] = [],
        body: [UInt8]? = nil, timeout: Duration = .seconds(10), maxBody: Int = 16 << 20
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maxBody = maxBody
    }

    /// Sets a header field in place of all of that name.
    package mutating func set(_ name: String, _ value: String) {
        headers.removeAll { HeaderName.areSame($0.0, name) }
        headers.append((name, value))
    }
}

/// What an upstream answered, redirects followed and content codings undone.
package struct UpstreamResponse: Sendable {
    package var status: Int
    package var headers: [(String, String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first field of that name, whatever its case.
    package func header(_ name: String) -> String? {
        headers.first { HeaderName.areSame($0.0, name) }?.1
    }
}

/// Names of header fields: ASCII tokens that are compared without case (RFC 9110, section 5.1).
package enum HeaderName {
    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Whether `name` is a token (RFC 9110, section 5.6.2).
    package static func isValid(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Whether `value` can be sent: visible ASCII, spaces and tabs inside of it.
    package static func isValid(value: String) -> Bool {
        let bytes = Array(value.utf8)
        guard bytes.allSatisfy({ $0 == 0x09 || (0x20..<0x7F).contains($0) }) else { return false }
        return bytes.first.map { $0 > 0x20 } ?? true && bytes.last.map { $0 > 0x20 } ?? true
    }
}
