import FreshetRefresh
import Synchronization

/// Whether a server is at work, for what the program has of it. Any thread.
final class ServerLife: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let watchers = Registry<@Sendable () -> Void>()

    /// Whether the server has been stopped, or begins to be.
    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Throws `shutting-down` once the server has been stopped.
    func check() throws(EntityProblem) {
        if hasEnded { throw .stopped }
    }

    /// Has `action` called at the end; at once where that is past. It may be called twice.
    ///
    /// - Returns: Takes it back when it is cancelled or released.
    func atEnd(_ action: @escaping @Sendable () -> Void) -> RunSubscription {
        let place = watchers.add(action)
        if hasEnded { action() }
        return place
    }

    /// The end. Harmless a second time.
    func stop() {
        isOver.store(true, ordering: .releasing)
        for action in watchers.removeAll() { action() }
    }
}
