import FreshetBase

/// A place among those who wait for a fetch. Letting go of it leaves nothing: `leave` does.
package final class FetchPlace: Sendable {
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var action: (@Sendable () -> Void)?
    // SAFETY: as `action`.
    nonisolated(unsafe) private var isOver = false

    /// Has `action` called when the place is left; at once where that is past.
    ///
    /// - Parameter replacing: In place of what was to be called so far.
    func take(_ action: @escaping @Sendable () -> Void, replacing: Bool = true) {
        let isLate = lock.withLock {
            if !isOver, replacing || self.action == nil { self.action = action }
            return isOver
        }
        if isLate { action() }
    }

    /// - Returns: Whether it is the first end.
    func end() -> Bool {
        lock.withLock {
            defer {
                isOver = true
                action = nil
            }
            return !isOver
        }
    }

    /// Waits no longer; the last one to leave ends the fetch. Harmless after its end.
    package func leave() {
        let action = lock.withLock { () -> (@Sendable () -> Void)? in
            defer {
                isOver = true
                self.action = nil
            }
            return isOver ? nil : self.action
        }
        action?()
    }
}
