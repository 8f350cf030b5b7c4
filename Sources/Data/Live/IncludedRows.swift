import FreshetQuery

// What a group includes, versioned like its window: each entity knows since when it is included and
// when its content last changed, and a list knows which have gone. So what a client must get that
// holds any version above the floor is read off, by the rule that holds for the window.
//
// The set is not followed change by change: a change that the group's watch knows has the include
// resolved again on a view, and the outcome is compared with the one before. Both are sorted, so
// that is one pass over them.

/// The included entities of one live query, with their versions; see the top of this file.
struct IncludedRows: Sendable {
    /// An entity that was included and is not any more.
    private struct Drop: Sendable {
        let seq: UInt64
        /// Since when it had been included.
        let enteredAt: UInt64
        let row: LiveIncluded.Row
    }

    private struct Stamp: Sendable {
        var enteredAt: UInt64 = 0
        var bodyAt: UInt64 = 0
    }

    /// Drops that are kept; past it the floor rises.
    static let capacity = 512

    private(set) var current: LiveIncluded
    private(set) var digest: UInt64
    private let content: IncludedContent
    /// Of the rows of `current`, place by place.
    private var stamps: [Stamp]
    /// In order of seq.
    private var drops: [Drop] = []
    /// From this seq on the net change is known, apart from what the window says of its gaps.
    private var floor: UInt64 = 0

    /// What the first evaluation has found.
    init(_ first: LiveIncluded, _ content: IncludedContent) {
        current = first
        self.content = content
        digest = content.digest(of: first)
        stamps = [Stamp](repeating: Stamp(), count: first.rows.count)
    }

    /// Takes what was found at `seq` in.
    ///
    /// - Returns: Whether it differs from what was there.
    /// - Complexity: O(entities).
    mutating func take(_ next: LiveIncluded, at seq: UInt64) -> Bool {
        var isChanged = false
        var stamped: [Stamp] = []
        stamped.reserveCapacity(next.rows.count)
        let before = current.rows
        var index = 0
        for row in next.rows {
            while index < before.count, before[index].precedes(row) {
                drop(index, at: seq)
                isChanged = true
                index += 1
            }
            guard index < before.count, !row.precedes(before[index]) else {
                stamped.append(Stamp(enteredAt: seq, bodyAt: seq))
                isChanged = true
                continue
            }
            var stamp = stamps[index]
            if content.differs(before[index], row) {
                stamp.bodyAt = seq
                isChanged = true
            }
            stamped.append(stamp)
            index += 1
        }
        while index < before.count {
            drop(index, at: seq)
            isChanged = true
            index += 1
        }
        precondition(stamped.count == next.rows.count, "each included entity has its stamps")
        assert(
            zip(next.rows, next.rows.dropFirst()).allSatisfy { $0.precedes($1) },
            "included entities are in their order, each once")
        current = next
        stamps = stamped
        if isChanged { digest = content.digest(of: next) }
        return isChanged
    }

    private mutating func drop(_ index: Int, at seq: UInt64) {
        drops.append(
            Drop(seq: seq, enteredAt: stamps[index].enteredAt, row: current.rows[index]))
        guard drops.count > Self.capacity else { return }
        floor = drops[Self.capacity / 2].seq
        let floor = floor
        drops.removeAll { $0.seq <= floor }
    }

    /// Adds what has changed since `seq` to a delta of the window.
    ///
    /// - Parameter orLater: See `Window.changes`.
    /// - Returns: Whether that is known.
    /// - Complexity: O(entities + drops).
    func add(to delta: inout NetDelta, since seq: UInt64, orLater: Bool) -> Bool {
        guard seq >= floor else { return false }
        var included: [LiveIncluded.Row] = []
        for (row, stamp) in zip(current.rows, stamps) where stamp.bodyAt > seq {
            included.append(row)
        }
        // Held at `seq` and gone since. Where it has come back it is among the included.
        var dropped: [LiveIncluded.Row] = []
        for drop in drops where drop.seq > seq && (orLater || drop.enteredAt <= seq) {
            dropped.append(drop.row)
        }
        dropped.removeAll { isIncluded($0) }
        dropped.sort { $0.precedes($1) }
        // What has gone more than once is named once.
        delta.dropped = []
        for row in dropped where delta.dropped.last.map({ $0.precedes(row) }) ?? true {
            delta.dropped.append(row)
        }
        delta.included = included
        return true
    }

    private func isIncluded(_ row: LiveIncluded.Row) -> Bool {
        var low = 0
        var high = current.rows.count
        while low < high {
            let middle = (low + high) / 2
            if current.rows[middle].precedes(row) { low = middle + 1 } else { high = middle }
        }
        return low < current.rows.count && !row.precedes(current.rows[low])
    }
}
