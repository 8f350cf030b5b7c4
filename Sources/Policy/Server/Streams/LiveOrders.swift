import FreshetBase
import FreshetLive
import Synchronization

/// What others want of a stream of several queries, kept until its loop comes to it.
final class LiveOrders: Sendable {
    /// A change of the set of queries.
    struct Change: Sendable {
        /// Queries that end, by alias; those in whose place others come among them.
        var removed: Set<String>
        /// None of an alias that is in the set otherwise.
        var added: [(alias: String, request: LiveRequest)]
        /// The generation of the set behind the change.
        var generation: LiveCursor.Generation

        /// One change in the place of two that follow each other: what came and goes was never there, so
        /// that however many there are they are no larger than two sets.
        fileprivate mutating func follow(with next: Change) {
            let gone = next.removed.union(next.added.map(\.alias))
            let never = Set(added.map(\.alias)).intersection(gone)
            added.removeAll { never.contains($0.alias) }
            removed.formUnion(next.removed.subtracting(never))
            added += next.added
            generation = next.generation
        }
    }

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var waiting: Change?
    // SAFETY: as `waiting`.
    nonisolated(unsafe) private var end: String?
    private let isWaiting = Atomic<Bool>(false)

    /// Changes are carried out in the order in which they came.
    func change(_ change: Change) {
        lock.withLock {
            if waiting == nil { waiting = change } else { waiting?.follow(with: change) }
        }
        isWaiting.store(true, ordering: .releasing)
    }

    /// The stream says `bye` with this reason; the first one holds.
    func end(_ reason: String) {
        lock.withLock { end = end ?? reason }
        isWaiting.store(true, ordering: .releasing)
    }

    /// What is to be done; one atomic look where there is nothing.
    func drain() -> (change: Change?, end: String?) {
        guard isWaiting.exchange(false, ordering: .acquiring) else { return (nil, nil) }
        return lock.withLock {
            defer { waiting = nil }
            return (waiting, end)
        }
    }
}
