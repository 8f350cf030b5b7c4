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
        var told: [Change] = []
        var changes: [Change] = []
        var places: [Int] = []
        let finding = CommitDecoder.read(payload, from: frame.firstSeq, count: frame.commits) {
            commit, entry in
            guard let (slot, change) = change(entry, commit.seq, planner.tables) else {
                return false
            }
            changes.append(change)
            places.append(slot)
            return true
        } end: { commit in
            planner.apply(changes, places, seq: commit.seq, time: commit.time)
            told += changes
            changes.removeAll()
            places.removeAll()
        }
        planner.tell(told)
        return finding
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
            guard let document = try? entry.document(revision: seq, using: &builder) else {
                return nil
            }
            return (slot, Change(seq: seq, type: type, old: old, new: document))
        }
    }
}
