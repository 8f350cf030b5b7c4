import FreshetHTTP
import FreshetHTTPServer

extension Request {
    var method: FreshetHTTP.Method { head.method }

    /// The value of a header without white space around it, nil where it is absent.
    func header(_ name: KnownHeader) -> UnsafeRawBufferPointer? { value(name) }

    /// The host that the request names.
    var authority: UnsafeRawBufferPointer { head.authority.bytes(in: bytes) }

    /// `OPTIONS *`.
    var isAsteriskForm: Bool { head.isAsteriskForm }
}
