/// The changes that concern a group while it is searched beside the router.
///
/// The search looks at a view of one seq, off the router's queue; meanwhile the router goes on, and
/// what it would have the group follow is held here. The answer and the changes above its seq make
/// the state at which the group is exact: nothing is lost or taken twice between the two.
struct HeldChanges: Sendable {
    /// Past it changes are let go of, and the group looks once more: a bulk import.
    private static let capacity = 10_000

    private(set) var changes: [WindowChange] = []
    /// The last commit of the newest batch.
    private(set) var through: UInt64 = 0
    /// Changes through this seq are missing here.
    private(set) var lostThrough: UInt64 = 0

    /// - Parameter seq: The last commit of the batch.
    mutating func hold(_ batch: [WindowChange], through seq: UInt64) {
        assert(
            lostThrough >= seq || batch.allSatisfy { $0.seq > through && $0.seq <= seq },
            "batches follow each other")
        through = max(through, seq)
        guard changes.count + batch.count <= Self.capacity else { return lose(through: seq) }
        changes += batch
    }

    /// Notes that changes through `seq` were not told.
    mutating func lose(through seq: UInt64) {
        changes = []
        through = max(through, seq)
        lostThrough = max(lostThrough, seq)
    }

    /// The changes above the seq of the view that was searched; nil where some of them are missing.
    func changes(after seq: UInt64) -> ArraySlice<WindowChange>? {
        guard lostThrough <= seq else { return nil }
        return changes[(changes.firstIndex { $0.seq > seq } ?? changes.endIndex)...]
    }
}
