import FreshetBase
import FreshetLive
import Synchronization

/// What others want of a stream of several queries, kept until its loop comes to it.
final class LiveOrders: Sendable {
    /// A change of the set of queries; they are carried out in the order in which they came.
    struct Change: Sendable {
        /// Queries that end, by alias.
        let removed: [String]
        let added: [(alias: String, request: LiveRequest)]
        /// The generation of the set behind the change.
        let generation: LiveCursor.Generation
    }

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var changes: [Change] = []
    // SAFETY: as `changes`.
    nonisolated(unsafe) private var end: String?
    private let isWaiting = Atomic<Bool>(false)

    func change(_ change: Change) {
        lock.withLock { changes.append(change) }
        isWaiting.store(true, ordering: .releasing)
    }

    /// The stream says `bye` with this reason; the first one holds.
    func end(_ reason: String) {
        lock.withLock { end = end ?? reason }
        isWaiting.store(true, ordering: .releasing)
    }

    /// What is to be done; one atomic look where there is nothing.
    func drain() -> (changes: [Change], end: String?) {
        guard isWaiting.exchange(false, ordering: .acquiring) else { return ([], nil) }
        return lock.withLock {
            defer { changes = [] }
            return (changes, end)
        }
    }
}
