import FreshetBase
import FreshetEngine
import FreshetQuery

/// Makes the commits of a frame visible that another server has planned. Used by the holder of the
/// commit right.
struct FrameApplier: ~Copyable {
    private var builder = DocumentBuilder()

    /// Applies `payload`, whose checksum is right, commit by commit.
    ///
    /// - Returns: What is wrong with it, nil where all of it was applied. The commits before the fault
    ///   are applied.
    mutating func apply(
        _ payload: UnsafeRawBufferPointer, of frame: SharedFrame, to planner: BatchPlanner
    ) -> String? {
        var decoder = CommitDecoder(payload)
        var told: [Change] = []
        defer { planner.tell(told) }
        for index in 0..<UInt64(frame.commits) {
            guard let commit = decoder.commit(), commit.seq == frame.firstSeq + index else {
                return "a commit cannot be read"
            }
            var changes: [Change] = []
            var places: [Int] = []
            for _ in 0..<commit.entryCount {
                guard let entry = decoder.entry(),
                    let (slot, change) = change(entry, commit.seq, planner.tables)
                else { return "an entity of seq \(commit.seq) cannot be read" }
                changes.append(change)
                places.append(slot)
            }
            planner.apply(changes, places, seq: commit.seq, time: commit.time)
            told += changes
        }
        return decoder.isAtEnd ? nil : "a frame holds more than its commits"
    }

    private mutating func change(
        _ entry: LoggedEntry, _ seq: UInt64, _ tables: EntityTables
    ) -> (slot: Int, Change)? {
        guard let type = TypeName(stored: entry.type) else { return nil }
        let slot = tables.slot(of: type)
        let old = tables.current(slot, entry.id)
        switch entry.kind {
        case .remove:
            return (slot, Change(seq: seq, type: type, old: old, new: nil))
        case .set, .setFetched:
            guard
                let document = try? builder.build(
                    stored: entry.entity, revision: seq, checksum: entry.checksum)
            else { return nil }
            if entry.kind == .setFetched { document.markFetched() }
            return (slot, Change(seq: seq, type: type, old: old, new: document))
        }
    }
}
