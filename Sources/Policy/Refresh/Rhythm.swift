import FreshetBase

/// Calls again and again, a span behind the end of the call before, until it is cancelled or released.
// SAFETY: all mutable state is read and written under `lock`.
package final class Rhythm: @unchecked Sendable {
    private let span: Duration
    private let clock: any OperationClock
    private let beat: @Sendable () -> Bool
    private let lock = Lock()
    private var alarm: ScheduledAction?
    private var hasEnded = false

    /// - Parameter beat: Called a span from now for the first time; returns whether it goes on.
    package init(
        every span: Duration, on clock: any OperationClock, _ beat: @escaping @Sendable () -> Bool
    ) {
        self.span = span
        self.clock = clock
        self.beat = beat
        next()
    }

    deinit { alarm?.cancel() }

    private func next() {
        lock.withLock {
            guard !hasEnded else { return }
            alarm = clock.schedule(at: clock.now.addingSaturated(span)) { [weak self] in
                guard let self, beat() else { return }
                next()
            }
        }
    }

    package func cancel() {
        let alarm = lock.withLock {
            hasEnded = true
            defer { self.alarm = nil }
            return self.alarm
        }
        alarm?.cancel()
    }
}
