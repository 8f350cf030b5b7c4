import FreshetHTTP
import FreshetHTTPServer

extension Request {
    /// Lends the value of a header that is a list; its lines, where it has several, as one
    /// (RFC 9110, section 5.3).
    func list<Result, Failure: Error>(
        _ name: KnownHeader,
        _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard isRepeated(name) else { return try body(header(name)) }
        var joined: [UInt8] = []
        forEachValue(of: name) { value in
            if !joined.isEmpty { joined.append(UInt8(ascii: ",")) }
            joined.append(contentsOf: value)
        }
        return try joined.withBytes { bytes throws(Failure) in try body(bytes) }
    }

    /// Whether the answer to a write should be as small as possible.
    var wantsMinimal: Bool {
        header(.prefer) != nil
            && list(.prefer) { $0.map { Preference.isReturnMinimal($0) } ?? false }
    }
}
