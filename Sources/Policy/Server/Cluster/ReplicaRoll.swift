import FreshetBase
import FreshetConfig
import FreshetJSON
import FreshetStore

/// What the leader has heard of the other servers of its cluster. Times are arguments.
struct ReplicaRoll: Sendable {
    struct Entry: Equatable, Sendable {
        var report: ReplicaReport
        /// When it was heard of last, by the operations' clock and by the wall's.
        var heard: Duration
        var seenAt: WallTime
        /// The process that had the name before.
        fileprivate var former: UInt64?
        /// Two processes have the name, for all that is known until then.
        fileprivate var takenUntil = Duration.zero
    }

    /// Servers that are kept.
    static let most = 64
    /// Who was not heard of for longer is forgotten.
    static let memory = Duration.seconds(600)
    /// Who was heard of within this is there.
    static let presence = Duration.seconds(10)

    /// Who was not heard of for longer has no subscribers.
    static let watching = Duration.seconds(15)

    private(set) var entries: [String: Entry] = [:]

    /// Keeps what the server `name` says of itself.
    ///
    /// - Returns: false where there are too many others.
    mutating func record(
        _ report: ReplicaReport, of name: String, at now: Duration, _ wall: WallTime
    ) -> Bool {
        forget(at: now)
        guard var entry = entries[name] else {
            guard entries.count < Self.most else { return false }
            entries[name] = Entry(report: report, heard: now, seenAt: wall)
            return true
        }
        if entry.report.instance != report.instance {
            // A new process never speaks for the one before; both speak where there are two.
            if entry.former == report.instance { entry.takenUntil = now + Self.presence }
            entry.former = entry.report.instance
        }
        entry.report = report
        entry.heard = now
        entry.seenAt = wall
        entries[name] = entry
        return true
    }

    /// Whether two processes have been heard of by this name.
    func isTaken(_ name: String, at now: Duration) -> Bool {
        (entries[name]?.takenUntil ?? .zero) > now
    }

    /// Forgets who was not heard of for long.
    mutating func forget(at now: Duration) {
        entries = entries.filter { now - $0.value.heard < Self.memory }
    }

    /// Takes over what the leader before has told of others, so that one which is away just now counts
    /// as long as it would have there. None of them is there before it says so itself.
    ///
    /// - Parameter told: As `Entry.encode` writes them.
    mutating func seed(_ told: [JSONValue], at now: Duration, _ wall: WallTime) {
        func number(_ value: JSONValue, _ name: String) -> UInt64? {
            value[name]?.int64Value.flatMap { UInt64(exactly: $0) }
        }
        for value in told {
            guard let name = value["id"]?.stringValue, entries[name] == nil,
                entries.count < Self.most, let url = value["url"]?.stringValue,
                let seq = number(value, "seq"), let snapshot = number(value, "snapshotSeq"),
                let format = number(value, "format"),
                let seenAt = value["seenAt"]?.stringValue.flatMap({ WallTime(rfc3339: $0) })
            else { continue }
            // Walls that differ keep it for too long or not long enough; then it joins anew.
            let age = max(0, wall.milliseconds - seenAt.milliseconds)
            let heard = now - .milliseconds(age)
            guard now - heard < Self.memory else { continue }
            let report = ReplicaReport(
                instance: 0, url: url, role: value["role"]?.stringValue ?? "", isReady: false,
                seq: seq, lag: nil, snapshotSeq: snapshot, format: Int(clamping: format),
                digest: value["digest"]?.stringValue ?? "")
            entries[name] = Entry(report: report, heard: heard, seenAt: seenAt)
        }
    }

    /// Who can lead, the first of them first: it is there and ready; of those first one with the same configuration, last one
    /// with a configuration that was left behind, which would be rolled back; of equal ones the one that
    /// has applied most.
    ///
    /// - Parameters:
    ///   - digest: That of the configuration of the server that leads.
    ///   - older: Those of configurations that were left behind.
    func successors(
        at now: Duration, digest: String = "", older: [String] = []
    ) -> [String] {
        func rank(_ entry: Entry) -> Int {
            if entry.report.digest == digest { return 2 }
            return older.contains(entry.report.digest) ? 0 : 1
        }
        return entries.filter { canLead($0.value, at: now) }
            .sorted {
                (rank($0.value), $0.value.report.seq, $1.key)
                    > (rank($1.value), $1.value.report.seq, $0.key)
            }.map(\.key)
    }

    func canLead(_ name: String, at now: Duration) -> Bool {
        entries[name].map { canLead($0, at: now) } ?? false
    }

    private func canLead(_ entry: Entry, at now: Duration) -> Bool {
        now - entry.heard <= Self.presence && entry.report.isReady
            && entry.report.role == ReplicaRole.follower.name
    }

    /// The subscribers of operations that all of them have together.
    func subscribers(at now: Duration) -> [String: Int] {
        var counts: [String: Int] = [:]
        for entry in entries.values where now - entry.heard <= Self.watching {
            counts.merge(entry.report.subscribers) { $0 + $1 }
        }
        return counts
    }

    /// What truncation is judged by.
    func posts(at now: Duration) -> [ReplicaPost] {
        entries.map {
            ReplicaPost(
                replica: $0.key, applied: $0.value.report.seq,
                snapshot: $0.value.report.snapshotSeq,
                format: UInt16(clamping: $0.value.report.format), age: now - $0.value.heard)
        }
    }
}
