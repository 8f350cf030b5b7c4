import FreshetBase

/// What was added and not taken away again, in the order in which it came. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
package final class Registry<Item: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var entries: [(number: UInt64, item: Item)] = []
    private var lastNumber: UInt64 = 0

    package init() {}

    package var items: [Item] { lock.withLock { entries.map(\.item) } }

    /// - Returns: What takes it away.
    package func add(_ item: Item) -> RunSubscription {
        let number = lock.withLock {
            lastNumber += 1
            entries.append((lastNumber, item))
            return lastNumber
        }
        return RunSubscription { [weak self] in
            guard let self else { return }
            lock.withLock { entries.removeAll { $0.number == number } }
        }
    }

    package func removeAll() -> [Item] {
        lock.withLock {
            defer { entries = [] }
            return entries.map(\.item)
        }
    }
}
