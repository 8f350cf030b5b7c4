import FreshetBase
import FreshetRefresh
import FreshetRemote

/// A transport of streams that answers as the test says, and keeps what it was asked.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedStreams: StreamTransport, @unchecked Sendable {
    typealias Answer = Result<ByteStream, UpstreamError>

    private let lock = Lock()
    private var script: [Answer]
    private var asked: [UpstreamRequest] = []

    /// - Parameter script: One answer each; behind the last everything is refused for good.
    init(_ script: [Answer]) {
        self.script = script
    }

    var requests: [UpstreamRequest] { lock.withLock { asked } }

    /// What `Last-Event-ID` said on each connection.
    var positions: [String?] {
        requests.map { $0.headers.first { $0.0 == "Last-Event-ID" }?.1 }
    }

    func open(_ request: UpstreamRequest) async throws(UpstreamError) -> ByteStream {
        let answer = lock.withLock {
            asked.append(request)
            return script.isEmpty ? Self.refused : script.removeFirst()
        }
        return try answer.get()
    }

    static let refused = Answer.failure(.status(410, retryAfter: nil, excerpt: ""))

    /// A stream that has sent `text` and stays open.
    static func stream(
        _ text: String = "", status: Int = 200, type: String = "text/event-stream",
        headers: [(String, String)] = [], limit: Int = 1 << 20,
        onDrain: @escaping @Sendable () -> Void = {},
        onCancel: @escaping @Sendable () -> Void = {}
    ) -> ByteStream {
        let stream = ByteStream(
            status: status, headers: [("Content-Type", type)] + headers, limit: limit,
            onDrain: onDrain, onCancel: onCancel)
        if !text.isEmpty { stream.push(Array(text.utf8)) }
        return stream
    }

    /// A stream that has sent `text` and was closed.
    static func closed(_ text: String, _ error: UpstreamError? = nil) -> Answer {
        let stream = stream(text)
        stream.finish(error)
        return .success(stream)
    }
}

/// A clock on which whatever is due within a quarter of an hour happens at once, and nothing else
/// ever does; it keeps how long it was asked to wait.
// SAFETY: `asked` is read and written under `lock`.
final class EagerClock: OperationClock, @unchecked Sendable {
    private let lock = Lock()
    private var asked: [Duration] = []

    var now: Duration { .zero }
    var pauses: [Duration] { lock.withLock { asked } }

    func schedule(
        at instant: Duration, _ action: @escaping @Sendable () -> Void
    ) -> ScheduledAction {
        if instant < .seconds(900) {
            lock.withLock { asked.append(instant) }
            action()
        }
        return ScheduledAction {}
    }
}
