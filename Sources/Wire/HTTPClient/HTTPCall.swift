/// One outgoing request, and what its answer may be.
package struct HTTPCall: Sendable {
    package var method: String
    /// Absolute, `http` or `https`, percent-encoded, without a user or a password.
    package var url: String
    /// In order. An empty value is sent as an empty field.
    package var fields: [(name: String, value: String)]
    /// Nil: no body, and for POST, PUT and PATCH an empty one.
    package var body: [UInt8]?
    /// Bytes of the status line, the fields and the trailers, over all interim answers.
    package var headLimit = 64 << 10
    /// Bytes of the body, decoded; nil: as many as come.
    package var bodyLimit: Int?
    /// Whether content codings are asked for and undone. A stream wants none.
    package var takesCoding = true
    /// Whether the answer is expected to be without an end and most of the time silent: it is read in
    /// pieces of 1 KiB in place of 16, so that there is less to hold meanwhile.
    package var isQuiet = false
    /// Whether it may be sent again, unasked, on another connection: where a kept connection ends
    /// before the first byte of an answer. What may not ends as *lost*.
    package var isRepeatable: Bool
    package var route = HTTPRoute()

    package init(
        method: String = "GET", url: String, fields: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        isRepeatable = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method)
    }

    /// Whether a certificate is asked for on the way, by the host or by the proxy.
    var needsTLS: Bool {
        Self.isSecure(url) || route.proxy.map(Self.isSecure) ?? false
    }

    private static func isSecure(_ address: String) -> Bool {
        address.utf8.prefix(8).elementsEqual("https://".utf8) { $0 | 0x20 == $1 | 0x20 }
    }
}

/// How a host is reached.
package struct HTTPRoute: Sendable, Equatable {
    /// A file of authorities in PEM that are trusted in place of the system's, for the proxy's
    /// certificate as well.
    package var roots: String?
    /// A client certificate and its key, files in PEM.
    package var certificate: String?
    package var key: String?
    /// The address of a proxy; nil: none, whatever the environment says.
    package var proxy: String?
    /// The path of a Unix socket to connect to in place of the host.
    package var unixSocket: String?
    /// Milliseconds for a name look-up, a connection and its TLS.
    package var connectMilliseconds = 10_000
    /// Addresses that are not connected to, whatever name resolves to them.
    package var refused: HTTPAddressClass = [.linkLocal]

    package init() {}
}

/// The answer's head: behind interim answers, before its body.
package struct HTTPHead: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)]
}

/// Why a transfer has no answer, or not a whole one.
package enum HTTPFault: Error, Equatable, Sendable {
    package enum Reason: Sendable {
        case dns, refused, tls, reset
        /// It was sent, and no answer came: whether it was carried out is not known.
        case lost
        case other
    }

    /// - Parameter detail: libcurl's own words. They name hosts and files, never header fields.
    case unreachable(Reason, detail: String)
    case timeout
    /// - Parameter status: That of the line before the fields; 0 where it has not come.
    case headTooLarge(limit: Int, status: Int)
    case bodyTooLarge(limit: Int)
    case cancelled
}

/// Takes an answer. Called on the client's thread, in this order, and never blocked: `head` once,
/// `body` for each piece, `finish` once. A transfer that fails early has its `finish` alone.
package protocol HTTPReceiver: AnyObject, Sendable {
    func head(_ head: HTTPHead)

    /// - Returns: false where it is enough for now: no more comes until `HTTPTransfer.resume`, but
    ///   for what the connection has in hand (16 KiB).
    func body(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// - Parameter fault: nil for a whole answer.
    func finish(_ fault: HTTPFault?)
}
