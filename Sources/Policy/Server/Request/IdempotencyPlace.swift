import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer

extension Call {
    /// Where the answer to a write with an `Idempotency-Key` is kept.
    borrowing func place(ofKey key: UnsafeRawBufferPointer) -> SHA256Digest {
        let caller = reply.caller?.digest?.hexadecimal ?? ""
        var place = namedPath() + [0] + Array(caller.utf8) + [0] + [UInt8](key)
        // Several methods of one path are different requests. POST has none, so that what was kept stays.
        if request.method != .post { place += [0] + [UInt8](request.methodText) }
        return place.withUnsafeBytes { SHA256Digest(of: $0) }
    }

    /// The path, however it is escaped.
    private borrowing func namedPath() -> [UInt8] {
        var path = ByteBuffer(capacity: request.path.count)
        for index in 0..<context.path.count {
            path.append(UInt8(ascii: "/"))
            PercentEncoding.append(context.path[index], to: &path)
        }
        return Array(path.bytes)
    }
}

extension AnswerBook {
    /// Whether the write was asked for with the same key before, and nobody knows whether it was done.
    func isUnknown(_ call: borrowing Call, _ endpoint: Endpoint) -> Bool {
        guard endpoint.keepsAnswer, let key = call.request.header(.idempotencyKey), hasUnknown
        else { return false }
        return isUnknown(call.place(ofKey: key))
    }
}
