import FreshetBase
import FreshetOperations

/// Somebody who waits for the end of an entry, for a bounded time. Told once.
// SAFETY: `completion` and `bound` are read and written under `lock`.
final class OutboxWaiter: @unchecked Sendable {
    private let lock = Lock()
    private var completion: (@Sendable (OutboxEntry?) -> Void)?
    private var bound: ScheduledAction?

    init(_ completion: @escaping @Sendable (OutboxEntry?) -> Void) {
        self.completion = completion
    }

    /// What tells it when its time is over; called off when it was told before.
    func give(_ bound: ScheduledAction) {
        let isOver = lock.withLock {
            if completion != nil { self.bound = bound }
            return completion == nil
        }
        if isOver { bound.cancel() }
    }

    func tell(_ entry: OutboxEntry?) {
        let (completion, bound) = lock.withLock {
            defer {
                self.completion = nil
                self.bound = nil
            }
            return (self.completion, self.bound)
        }
        bound?.cancel()
        completion?(entry)
    }
}
