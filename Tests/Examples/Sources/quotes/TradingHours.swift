import Foundation
import Freshet

/// Holds while the exchange is open: a run specification of this program's own.
final class TradingHours: RunSpecification, @unchecked Sendable {
    // SAFETY: all mutable state is read and written under `lock`.
    private let lock = NSLock()
    private var isOpen = false
    private var listeners: [UUID: @Sendable () -> Void] = [:]

    func set(isOpen: Bool) {
        let listeners = lock.withLock {
            self.isOpen = isOpen
            return Array(self.listeners.values)
        }
        for listener in listeners { listener() }
    }

    func isSatisfied(in context: RunContext) -> Bool {
        lock.withLock { isOpen }
    }

    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription {
        let key = UUID()
        lock.withLock { listeners[key] = onChange }
        return RunSubscription { [self] in lock.withLock { listeners[key] = nil } }
    }
}
