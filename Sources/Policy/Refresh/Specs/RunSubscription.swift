import FreshetBase

/// Something that goes on until it is cancelled: a subscription to changes, a controller at work.
/// Releasing it cancels it.
// SAFETY: the one mutable variable is read and written under `lock`.
public final class RunSubscription: @unchecked Sendable {
    private let lock = Lock()
    private var end: (@Sendable () -> Void)?

    /// - Parameter cancel: Called once at most, on any thread.
    public init(_ cancel: @escaping @Sendable () -> Void) {
        end = cancel
    }

    /// One that has nothing to end.
    public static var none: RunSubscription { RunSubscription {} }

    /// Several as one.
    public convenience init(_ subscriptions: [RunSubscription]) {
        self.init { for subscription in subscriptions { subscription.cancel() } }
    }

    /// Ends it, where it has not ended yet.
    public func cancel() {
        let end = lock.withLock {
            defer { self.end = nil }
            return self.end
        }
        end?()
    }

    deinit {
        end?()
    }
}
