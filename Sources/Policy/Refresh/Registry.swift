import FreshetBase

/// What was added and not taken away again, in the order in which it came. Any thread. What is taken
/// away is destroyed without the lock, since it may have added something itself.
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
            let removed = lock.withLock { () -> Item? in
                guard let index = entries.firstIndex(where: { $0.number == number }) else {
                    return nil
                }
                return entries.remove(at: index).item
            }
            withExtendedLifetime(removed) {}
        }
    }

    package func removeAll() -> [Item] {
        lock.withLock {
            defer { entries = [] }
            return entries.map(\.item)
        }
    }
}
