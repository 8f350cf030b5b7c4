import FreshetBase
import FreshetOperations

/// Ends a stream on which nothing arrives.
// SAFETY: all mutable state is read and written under `lock`.
final class SilenceWatch: @unchecked Sendable {
    private let lock = Lock()
    private let stream: ByteStream
    private let clock: any OperationClock
    private let span: Duration
    private var seen = 0
    private var alarm: ScheduledAction?
    private var hasEnded = false

    @inline(never)
    init(_ stream: ByteStream, _ clock: any OperationClock, _ span: Duration) {
        self.stream = stream
        self.clock = clock
        self.span = span
        arm()
    }

    @inline(never)
    func end() {
        let alarm = lock.withLock {
            hasEnded = true
            defer { self.alarm = nil }
            return self.alarm
        }
        alarm?.cancel()
    }

    private func arm() {
        let alarm = clock.schedule(at: clock.now + span) { [weak self] in self?.look() }
        let isLate = lock.withLock {
            if !hasEnded { self.alarm = alarm }
            return hasEnded
        }
        if isLate { alarm.cancel() }
    }

    private func look() {
        let received = stream.received
        let isSilent = lock.withLock {
            defer { seen = received.count }
            // Whom we do not listen to is not silent.
            return received.count == seen && !received.isFull
        }
        if isSilent { stream.abandon(.timeout) } else { arm() }
    }
}
