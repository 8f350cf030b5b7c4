import FreshetBase

/// What a replica has said of itself last.
package struct ReplicaPost: Equatable, Sendable {
    package let replica: String
    /// The last seq that it has applied, and that of its newest verified snapshot, 0 for none.
    package let applied: UInt64
    package let snapshot: UInt64
    /// The highest format of frames that it reads.
    package let format: UInt16
    /// How long ago that was.
    package let age: Duration

    package init(
        replica: String, applied: UInt64, snapshot: UInt64, format: UInt16 = ReplicaStore.format,
        age: Duration
    ) {
        self.replica = replica
        self.applied = applied
        self.snapshot = snapshot
        self.format = format
        self.age = age
    }
}

/// In which format a leader writes frames: one that every replica reads that may read them.
enum FormatRule {
    /// - Parameters:
    ///   - used: That of the frames up to now.
    ///   - own: The highest that the leader writes.
    ///   - posts: Of the other replicas, in the leader's own term.
    ///   - isAlone: No other replica was ever heard of.
    ///   - led: For how long it leads: before `TruncationRule.patience` is over, one that it has
    ///     not heard of may come back.
    /// - Returns: `used` or a higher one.
    static func format(
        used: UInt16, own: UInt16, posts: [ReplicaPost], isAlone: Bool, led: Duration
    ) -> UInt16 {
        guard isAlone || led >= TruncationRule.patience else { return used }
        let others = posts.lazy.filter { $0.age <= TruncationRule.patience }.map(\.format).min()
        return max(used, min(own, others ?? own))
    }
}

/// Which frames of the shared log can be given up: those that two replicas have in verified
/// snapshots, that all have applied which were heard of lately, and that are old enough.
enum TruncationRule {
    /// Who was not heard of for longer may have to join anew.
    static let patience = Duration.seconds(600)

    /// - Parameters:
    ///   - posts: Of all replicas, the leader too.
    ///   - isAlone: No other replica was ever heard of: what is in its own snapshots is enough.
    ///   - kept: What is behind this seq is kept in any case.
    ///   - isTight: The log has too much: replicas that lag are left behind. Two disks have what is
    ///     given up all the same.
    /// - Returns: The first seq that is kept.
    static func floor(
        _ posts: [ReplicaPost], isAlone: Bool, kept: UInt64, isTight: Bool
    ) -> UInt64 {
        // The others are away for long: what is given up now, one disk alone would have.
        guard posts.count > 1 || isAlone else { return 1 }
        let snapshots = posts.map(\.snapshot).sorted(by: >)
        // Of two replicas or one all have it; of more, two.
        let inSnapshots = snapshots.prefix(2).last ?? 0
        let applied = posts.lazy.filter { !isTight && $0.age <= patience }.map(\.applied).min()
        return min(inSnapshots, applied ?? .max, kept) + 1
    }
}

/// How much of the log was put when, so that the newest part of it is kept.
struct LogWindow {
    private struct Mark {
        /// The last seq, and the bytes up to it, by `end`.
        var seq: UInt64
        var bytes: Int
        let start: MonotonicInstant
        var end: MonotonicInstant
    }

    /// A mark stands for so much at most.
    private static let span = Duration.seconds(1)
    private static let room = 1 << 20

    private var marks: [Mark]
    /// Of what is behind the log's beginning, as far as it was seen.
    var bytes: Int { (marks.last?.bytes ?? 0) - (marks.first?.bytes ?? 0) }

    /// What came before counts as put now.
    init(seq: UInt64, at now: MonotonicInstant) {
        marks = [Mark(seq: seq, bytes: 0, start: now, end: now)]
    }

    mutating func add(_ seq: UInt64, bytes count: Int, at now: MonotonicInstant) {
        let before = marks.count > 1 ? marks[marks.count - 2].bytes : 0
        let last = marks.count - 1
        let total = marks[last].bytes + count
        if last > 0, now - marks[last].start < Self.span, total - before < Self.room {
            marks[last].seq = seq
            marks[last].bytes = total
            marks[last].end = now
        } else {
            marks.append(Mark(seq: seq, bytes: total, start: now, end: now))
        }
    }

    /// The last seq that is older than `span`, or has more than `most` bytes behind it.
    func last(olderThan span: Duration, orBefore most: Int, at now: MonotonicInstant) -> UInt64 {
        let total = marks.last?.bytes ?? 0
        return marks.last { now - $0.end >= span || total - $0.bytes >= most }?.seq ?? 0
    }

    /// What is before `floor` is gone.
    mutating func forget(before floor: UInt64) {
        let gone = marks.prefix { $0.seq + 1 < floor }.count
        marks.removeFirst(min(gone, marks.count - 1))
    }
}
