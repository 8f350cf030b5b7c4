import FreshetQuery

/// Why a row is not shown any more.
package enum RemovalReason: UInt8, Sendable {
    case deleted
    /// It has left the filter.
    case unmatched
    /// Others have pushed it out of the window.
    case displaced
    /// It has left what the caller may read.
    case forbidden

    /// As `remove` of a delta spells it.
    package var name: StaticString {
        switch self {
        case .deleted: "deleted"
        case .unmatched: "unmatched"
        case .displaced: "displaced"
        case .forbidden: "forbidden"
        }
    }
}

/// What has happened to a window since a floor: as much as the net change from any later version
/// needs beside the stamps on the rows. Bounded; where it overflows the floor rises.
struct VersionTrail: Sendable {
    /// A row that was shown and changed or left.
    struct Departure: Sendable {
        let seq: UInt64
        /// Since when it had been shown without a break.
        let enteredAt: UInt64
        let id: EntityID
        /// nil where it has stayed, which is noted for its old value alone.
        var reason: RemovalReason?
        /// What was shown before, where somebody asks for old values.
        let old: Document?
    }

    /// Entries of either kind. Past some hundred changes a snapshot is rarely larger than a delta.
    static let capacity = 512

    /// Spans between evaluations that are kept; behind older ones the floor is.
    private static let gapCapacity = 16

    /// The seqs of the commits by which what is shown has changed, ascending.
    private(set) var versions: [UInt64] = []
    /// In order of seq.
    private(set) var departures: [Departure] = []
    /// The earliest seq from which a net change is known.
    private(set) var floor: UInt64
    /// Since when old values are noted; nil while nobody asks for them.
    private(set) var oldValuesSince: UInt64?
    /// Spans whose inner states were skipped by an evaluation; both ends are known.
    private var gaps: [Range<UInt64>] = []

    init(floor: UInt64) {
        self.floor = floor
    }

    /// The newest version, the floor where there is none.
    var newest: UInt64 { versions.last ?? floor }

    /// Begins to note old values.
    mutating func noteOldValues(from seq: UInt64) {
        if oldValuesSince == nil { oldValuesSince = seq }
    }

    /// Notes that what is shown has changed with commit `seq`.
    mutating func add(version seq: UInt64) {
        if versions.last == seq { return }
        precondition(seq >= newest, "a window's versions follow each other")
        versions.append(seq)
        if versions.count > Self.capacity { forget(through: versions[Self.capacity / 2]) }
    }

    /// Notes that the states between two seqs were not followed.
    mutating func add(gap: Range<UInt64>) {
        guard gap.count > 1 else { return }
        gaps.append(gap)
        guard gaps.count > Self.gapCapacity else { return }
        let oldest = gaps[0]
        if newest >= oldest.upperBound {
            forget(through: oldest.upperBound)
        } else {
            // Whoever holds the newest version holds what is shown: the floor stays below it.
            gaps[0..<2] = [oldest.lowerBound..<gaps[1].upperBound]
        }
    }

    mutating func add(_ departure: Departure) {
        precondition(
            departures.last.map { $0.seq <= departure.seq } ?? true,
            "rows leave a window in the order of commits")
        precondition(departure.enteredAt <= departure.seq, "a row leaves behind its coming")
        departures.append(departure)
        if departures.count > Self.capacity {
            forget(through: departures[Self.capacity / 2].seq)
        }
    }

    /// Notes that a row which others of the same commit have pushed out does not match any more.
    mutating func amend(_ id: EntityID, at seq: UInt64, reason: RemovalReason) {
        for index in departures.indices.reversed() {
            guard departures[index].seq == seq else { return }
            if departures[index].id == id, departures[index].reason == .displaced {
                departures[index].reason = reason
                return
            }
        }
    }

    /// Whether the net change from `seq` on is known.
    func covers(_ seq: UInt64) -> Bool {
        seq >= floor && !gaps.contains { $0.lowerBound < seq && seq < $0.upperBound }
    }

    /// Whether the net change is known from `seq` and from each seq behind it.
    func coversAll(from seq: UInt64) -> Bool {
        seq >= floor && !gaps.contains { seq < $0.upperBound }
    }

    /// How many commits have changed what is shown since `seq`.
    func commits(since seq: UInt64) -> Int { versions.count - firstVersion(after: seq) }

    /// The departures behind `seq`, oldest first.
    func departures(since seq: UInt64) -> ArraySlice<Departure> {
        departures[Self.firstIndex(departures.count) { departures[$0].seq > seq }...]
    }

    /// Puts what happened before the floor in front, so that the floor sinks to `seq`.
    mutating func extend(to seq: UInt64, versions older: [UInt64], departures gone: [Departure]) {
        precondition(seq < floor, "the past is before the floor")
        precondition(older.last ?? seq <= floor, "the past ends where the trail begins")
        assert(zip(older, older.dropFirst()).allSatisfy { $0 < $1 }, "versions ascend")
        assert(
            zip(gone, gone.dropFirst()).allSatisfy { $0.seq <= $1.seq },
            "departures are in the order of commits")
        versions.insert(contentsOf: older, at: 0)
        departures.insert(contentsOf: gone, at: 0)
        floor = seq
    }

    private mutating func forget(through seq: UInt64) {
        versions.removeFirst(firstVersion(after: seq))
        departures.removeFirst(Self.firstIndex(departures.count) { departures[$0].seq > seq })
        gaps.removeAll { $0.upperBound <= seq }
        floor = max(floor, seq)
    }

    private func firstVersion(after seq: UInt64) -> Int {
        Self.firstIndex(versions.count) { versions[$0] > seq }
    }

    /// The first index for which `isBehind` holds, `count` where there is none.
    private static func firstIndex(_ count: Int, _ isBehind: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
