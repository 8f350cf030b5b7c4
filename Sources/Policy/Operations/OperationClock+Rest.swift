import FreshetBase

extension OperationClock {
    /// Waits until `instant`, or until the task is cancelled.
    ///
    /// - Returns: Whether the instant was reached.
    package func rest(until instant: Duration) async -> Bool {
        let rest = Rest()
        let alarm = schedule(at: instant) { rest.end(true) }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { rest.wait($0) }
        } onCancel: {
            rest.end(false)
        }
    }
}

/// The first of two ends.
// SAFETY: all mutable state is read and written under `lock`.
private final class Rest: @unchecked Sendable {
    private let lock = Lock()
    private var outcome: Bool?
    private var waiter: CheckedContinuation<Bool, Never>?

    func wait(_ continuation: CheckedContinuation<Bool, Never>) {
        let outcome = lock.withLock {
            if self.outcome == nil { waiter = continuation }
            return self.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
    }

    func end(_ outcome: Bool) {
        let waiter = lock.withLock { () -> CheckedContinuation<Bool, Never>? in
            guard self.outcome == nil else { return nil }
            self.outcome = outcome
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume(returning: outcome)
    }
}
