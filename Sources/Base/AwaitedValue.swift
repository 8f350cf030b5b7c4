/// One value from one thread to others that wait for it, blocked; the first that is given stays.
// SAFETY: the one variable is read and written under `lock` alone.
package final class AwaitedValue<Value: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private let given = LockCondition()
    private var current: Value?

    package init() {}

    /// What was given; nil where nothing was yet.
    package var value: Value? { lock.withLock { current } }

    package func give(_ value: Value) {
        lock.withLock {
            guard current == nil else { return }
            current = value
            given.broadcast()
        }
    }

    package func wait() -> Value {
        lock.withLock {
            while true {
                if let current { return current }
                given.wait(lock)
            }
        }
    }

    /// - Returns: nil where nothing was given until `deadline`.
    package func wait(until deadline: MonotonicInstant) -> Value? {
        lock.withLock {
            while current == nil, given.wait(lock, until: deadline) {}
            return current
        }
    }
}
