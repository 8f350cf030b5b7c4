import FreshetBase
import FreshetRefresh

/// Ends a stream on which nothing arrives.
// SAFETY: `seen` is read and written by the beats alone, one after the other; `rhythm` is set once, by
// `init`.
final class SilenceWatch: @unchecked Sendable {
    private let stream: ByteStream
    private var seen = 0
    private var rhythm: Rhythm?

    @inline(never)
    init(_ stream: ByteStream, _ clock: any OperationClock, _ span: Duration) {
        self.stream = stream
        rhythm = Rhythm(every: span, on: clock) { [weak self] in self?.goesOn() ?? false }
    }

    @inline(never)
    func stop() {
        rhythm?.cancel()
    }

    private func goesOn() -> Bool {
        let received = stream.received
        defer { seen = received.count }
        // Whom we do not listen to is not silent.
        guard received.count == seen, !received.isFull else { return true }
        stream.abandon(.timeout)
        return false
    }
}
