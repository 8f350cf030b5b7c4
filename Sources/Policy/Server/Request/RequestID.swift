import FreshetBase
import FreshetHTTPServer

/// The name of one request in logs, problems and `X-Request-Id`: the client's own where it sent a
/// sane one, else made here.
enum RequestID: Sendable {
    case made(UInt64)
    case sent([UInt8])

    var text: String {
        switch self {
        case .made(let number):
            return number.padded(to: 16, radix: 16)
        case .sent(let bytes):
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Writes the header without making a string.
    func append(to response: inout ResponseWriter) {
        switch self {
        case .made(let number):
            withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { digits in
                for index in 0..<16 {
                    let nibble = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 0xF
                    digits[index] = nibble < 10 ? 0x30 + nibble : 0x57 + nibble
                }
                response.header(requestID: UnsafeRawBufferPointer(digits))
            }
        case .sent(let bytes):
            // A sane one: `Correlation.isSaneRequestID`.
            bytes.withUnsafeBytes { response.header(requestID: $0) }
        }
    }
}
