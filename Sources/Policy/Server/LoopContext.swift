import FreshetBase
import FreshetHTTP
import FreshetQuery

/// What one event loop reuses from request to request, so that a request allocates nothing of it.
// SAFETY: a context belongs to one event loop and is touched on that loop's thread only.
final class LoopContext: @unchecked Sendable {
    var path = PathSegments()
    var parameters = QueryParameters()
    var builder = DocumentBuilder()
    var scratch = ByteBuffer(capacity: 4096)

    /// Random start, so that ids of two processes do not meet; odd step, so that they do not repeat.
    private var nextRequestNumber = UInt64.random(in: .min ... .max)

    func makeRequestID() -> RequestID {
        nextRequestNumber &+= 0x9E37_79B9_7F4A_7C15
        return .made(nextRequestNumber)
    }
}
