import FreshetBase
package import FreshetQuery
import Synchronization

// Which of two wins, what a fetch has found or what was written here meanwhile.
//
// A fetch takes time, and what it answers is as old as its beginning. So it carries the seq at which
// its request started, and entity by entity whatever has changed here since wins. For an entity that
// is there its revision tells. For one that is not, it must be known whether it was removed since:
// as long as any fetch is open, removals are remembered with their seq. The writer asks, in commit
// order, so that no write between two looks can be overwritten.

/// What else decides about fetched entities, asked by the writer: short, and never calls the store.
package protocol FetchPolicy: AnyObject, Sendable {
    /// Whether a change of the entity made here has yet to reach the remote.
    func holds(_ type: TypeName, _ id: UnsafeRawBufferPointer) -> Bool
    /// Whether a change made here has reached the remote after commit `seq`, so that what was asked
    /// before may not know of it.
    func wasDelivered(_ type: TypeName, _ id: UnsafeRawBufferPointer, after seq: UInt64) -> Bool
    /// Whether the remote is known to have this entity, though it was written here.
    func isConfirmed(_ type: TypeName, _ document: Document) -> Bool
}

extension FetchPolicy {
    package func wasDelivered(
        _ type: TypeName, _ id: UnsafeRawBufferPointer, after seq: UInt64
    ) -> Bool { false }
}

/// One fetch on its way. Ends when it is let go of.
package final class FetchTicket: Sendable {
    /// What is newer than this wins over what the fetch brings.
    package let startSeq: UInt64
    private let ledger: FetchLedger
    private let policy: (any FetchPolicy)?

    fileprivate init(_ startSeq: UInt64, _ ledger: FetchLedger, _ policy: (any FetchPolicy)?) {
        self.startSeq = startSeq
        self.ledger = ledger
        self.policy = policy
    }

    deinit { ledger.end() }

    /// A ticket for the same fetch, whose request began before this one did: it was on its way for
    /// somebody else, whose ticket was open then.
    package func begun(at seq: UInt64) -> FetchTicket {
        ledger.begin(policy) { min(seq, startSeq) }
    }

    /// Whether an entity that is not there must stay away.
    func wasRemoved(_ type: TypeName, _ id: UnsafeRawBufferPointer) -> Bool {
        ledger.wasRemoved(type, id, after: startSeq)
    }

    func holds(_ type: TypeName, _ id: UnsafeRawBufferPointer) -> Bool {
        guard let policy else { return false }
        return policy.holds(type, id) || policy.wasDelivered(type, id, after: startSeq)
    }

    /// Whether the remote had `document` when it was written or found.
    func isSynced(_ type: TypeName, _ document: Document) -> Bool {
        document.isFetched || policy?.isConfirmed(type, document) ?? false
    }
}

/// The removals that fetches on their way must not undo.
package final class FetchLedger: Sendable {
    /// Removals remembered at most; past it everything that is not there counts as removed.
    static let capacity = 100_000

    private let lock = Lock()
    private let open = Atomic<Int>(0)
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var removed: [EntityKey: UInt64] = [:]
    nonisolated(unsafe) private var forgottenThrough: UInt64 = 0

    init() {}

    /// Begins a fetch.
    ///
    /// - Parameter seq: The newest visible commit; read once removals are remembered.
    func begin(_ policy: (any FetchPolicy)?, seq: () -> UInt64) -> FetchTicket {
        open.add(1, ordering: .sequentiallyConsistent)
        return FetchTicket(seq(), self, policy)
    }

    fileprivate func end() {
        lock.withLock {
            let left = open.subtract(1, ordering: .sequentiallyConsistent).newValue
            precondition(left >= 0, "a fetch ends once")
            if left == 0 { removed = [:] }
        }
    }

    /// Whether removals are to be noted. One atomic load.
    var isOpen: Bool { open.load(ordering: .sequentiallyConsistent) > 0 }

    /// Notes what a commit has removed, once it is visible. The commit right's holder only.
    func note(_ type: TypeName, _ old: Document, at seq: UInt64) {
        lock.withLock {
            if removed.count >= Self.capacity {
                forgottenThrough = seq
                removed = [:]
            }
            removed[EntityKey(type, old.id)] = seq
        }
    }

    fileprivate func wasRemoved(
        _ type: TypeName, _ id: UnsafeRawBufferPointer, after seq: UInt64
    ) -> Bool {
        guard let id = try? EntityID(String(decoding: id, as: UTF8.self)) else { return false }
        return lock.withLock {
            seq < forgottenThrough || removed[EntityKey(type, id)].map { $0 > seq } ?? false
        }
    }
}
