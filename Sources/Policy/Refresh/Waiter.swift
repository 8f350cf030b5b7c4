import FreshetBase

/// Somebody who waits for one value: told once, unless it has left before. Any thread.
package final class Waiter<Value: Sendable>: Sendable {
    private let lock = Lock()
    /// nil: it waits no more.
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var completion: (@Sendable (Value) -> Void)?
    // SAFETY: as `completion`.
    nonisolated(unsafe) private var actions: [@Sendable () -> Void] = []

    /// - Parameter completion: Called with the value.
    package init(_ completion: @escaping @Sendable (Value) -> Void) {
        self.completion = completion
    }

    /// Has `action` called once it waits no more, whether it was told or has left; at once where that
    /// is past. Before the completion is.
    package func atEnd(_ action: @escaping @Sendable () -> Void) {
        let isLate = lock.withLock {
            if completion != nil { actions.append(action) }
            return completion == nil
        }
        if isLate { action() }
    }

    /// Tells it the value, the first time.
    package func finish(_ value: Value) {
        end()?(value)
    }

    /// Waits no longer. Harmless after its end.
    package func leave() {
        _ = end()
    }

    /// - Returns: The completion, the first time.
    private func end() -> (@Sendable (Value) -> Void)? {
        let (completion, actions) = lock.withLock {
            defer {
                self.completion = nil
                self.actions = []
            }
            return (self.completion, self.actions)
        }
        for action in actions { action() }
        return completion
    }
}
