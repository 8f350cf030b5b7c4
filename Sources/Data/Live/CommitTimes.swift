import FreshetBase
package import FreshetQuery
import Synchronization

/// When the latest commits became visible, for the lag of live queries. One writer, any reader; a
/// reader that meets a slot being written takes it for unknown.
final class CommitTimes: Sendable {
    private static let capacity = 4_096
    // SAFETY: set once and freed by deinit; the slots are atomic.
    nonisolated(unsafe) private let seqs: UnsafeMutablePointer<Atomic<UInt64>>
    // SAFETY: as `seqs`.
    nonisolated(unsafe) private let instants: UnsafeMutablePointer<Atomic<UInt64>>

    init() {
        seqs = .allocate(capacity: Self.capacity)
        instants = .allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity {
            (seqs + index).initialize(to: Atomic(0))
            (instants + index).initialize(to: Atomic(0))
        }
    }

    deinit {
        seqs.deinitialize(count: Self.capacity)
        seqs.deallocate()
        instants.deinitialize(count: Self.capacity)
        instants.deallocate()
    }

    func note(_ seq: UInt64, at now: MonotonicInstant) {
        let slot = Int(seq % UInt64(Self.capacity))
        seqs[slot].store(0, ordering: .releasing)
        instants[slot].store(now.nanoseconds, ordering: .releasing)
        seqs[slot].store(seq, ordering: .releasing)
    }

    /// nil for a commit that is too old, or concerned no query.
    func instant(of seq: UInt64) -> MonotonicInstant? {
        let slot = Int(seq % UInt64(Self.capacity))
        guard seqs[slot].load(ordering: .acquiring) == seq else { return nil }
        let instant = instants[slot].load(ordering: .acquiring)
        guard seqs[slot].load(ordering: .acquiring) == seq else { return nil }
        return MonotonicInstant(nanoseconds: instant)
    }
}

extension LiveSet {
    /// Commits that some query watches are visible from now on. From the thread that tells of
    /// commits.
    package func note(visible changes: [Change]) {
        let now = MonotonicInstant.now
        for change in changes { times.note(change.seq, at: now) }
    }

    /// A delta that goes up to `seq` was written for a client.
    package func recordLag(through seq: UInt64) {
        if let instant = times.instant(of: seq) { lags.record(since: instant, until: .now) }
    }
}
