import FreshetBase

/// Asks for a rerun in a fixed rhythm. Refused ones are not made up for.
public struct PollingController: OperationController {
    private let interval: Duration

    /// - Parameter interval: At least 100 ms.
    public init(every interval: Duration) {
        self.interval = max(interval, .milliseconds(100))
    }

    public func control(with controls: OperationControls) throws -> RunSubscription {
        let rhythm = Rhythm(interval, controls)
        rhythm.next()
        return RunSubscription { rhythm.end() }
    }
}

// SAFETY: all mutable state is read and written under `lock`.
private final class Rhythm: @unchecked Sendable {
    private let interval: Duration
    private let controls: OperationControls
    private let lock = Lock()
    private var alarm: ScheduledAction?
    private var hasEnded = false

    init(_ interval: Duration, _ controls: OperationControls) {
        self.interval = interval
        self.controls = controls
    }

    func next() {
        lock.withLock {
            guard !hasEnded else { return }
            alarm = controls.clock.schedule(at: controls.clock.now + interval) { [weak self] in
                guard let self else { return }
                controls.rerun()
                next()
            }
        }
    }

    func end() {
        let alarm = lock.withLock {
            hasEnded = true
            defer { self.alarm = nil }
            return self.alarm
        }
        alarm?.cancel()
    }
}
