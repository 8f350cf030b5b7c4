import FreshetBase
import FreshetEngine
import FreshetQuery

/// The entities of one type while a log is replayed: the last write of each id wins at once, so
/// that memory holds one image of each; sorted into a table at the end.
private struct ReplayTable: ~Copyable {
    let name: TypeName
    let nameBytes: [UInt8]
    /// Images in order of first appearance; removed ones leave a gap.
    private var documents: [Document?] = []
    /// Upper half: 32 bits of the id's hash; lower half: index into `documents` plus 1; 0 is free.
    private var places: [UInt64] = [UInt64](repeating: 0, count: 1_024)

    init(name: TypeName) {
        self.name = name
        nameBytes = name.withBytes { Array($0) }
    }

    /// - Returns: What it replaces.
    mutating func set(_ document: Document) -> Document? {
        let id = document.idBytes
        let hash = UInt64(truncatingIfNeeded: SeededHash.process.hash(id)) >> 32
        let place = find(id, hash)
        if places[place] != 0 {
            let index = Int(places[place] & 0xFFFF_FFFF) - 1
            let old = documents[index]
            documents[index] = document
            return old
        }
        documents.append(document)
        places[place] = hash << 32 | UInt64(documents.count)
        if documents.count * 2 > places.count { grow() }
        return nil
    }

    /// - Returns: What was there.
    mutating func remove(_ id: UnsafeRawBufferPointer) -> Document? {
        let hash = UInt64(truncatingIfNeeded: SeededHash.process.hash(id)) >> 32
        let entry = places[find(id, hash)]
        if entry == 0 { return nil }
        // The place stays taken by the gap: a probe that looks for an id behind it goes on, and
        // the same id, if it comes back, takes a new place.
        let index = Int(entry & 0xFFFF_FFFF) - 1
        let old = documents[index]
        documents[index] = nil
        return old
    }

    private func find(_ id: UnsafeRawBufferPointer, _ hash: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(hash) & mask
        while true {
            let entry = places[place]
            if entry == 0 { return place }
            if entry >> 32 == hash, let document = documents[Int(entry & 0xFFFF_FFFF) - 1],
                document.idBytes.count == id.count, document.idBytes.elementsEqual(id)
            {
                return place
            }
            place = (place + 1) & mask
        }
    }

    /// Doubles the places and closes the gaps.
    private mutating func grow() {
        if documents.contains(where: { $0 == nil }) {
            documents = documents.filter { $0 != nil }
        }
        var count = places.count
        while documents.count * 4 > count { count *= 2 }
        places = [UInt64](repeating: 0, count: count)
        let mask = count - 1
        for (index, document) in documents.enumerated() {
            guard let document else { continue }
            let hash = UInt64(truncatingIfNeeded: SeededHash.process.hash(document.idBytes)) >> 32
            var place = Int(hash) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = hash << 32 | UInt64(index + 1)
        }
    }

    consuming func table() -> Table {
        places = []
        return Table(loading: documents.compactMap { $0 })
    }
}

/// Rebuilds the tables from a log, or from a snapshot and the log behind it.
///
/// Of a log alone the last write of each id is found first, and the tables are built at the end.
/// Behind a snapshot there are tables already, which each entry changes.
final class LogReplay: LogVisitor {
    private let memoryTypes: Set<TypeName>
    private let report: (RecoveryProgress) -> Void
    private var tables: [ReplayTableBox] = []
    private var slots: [TypeName: Int] = [:]
    private var lastSlot = 0
    private var builder = DocumentBuilder()
    /// Hears of the changes, so that clients of before the start can be told what they lack.
    private let observer: (any CommitObserver)?
    private var untold: [Change] = []
    private(set) var commits = 0
    private(set) var entries = 0
    /// The latest wall time of a commit, ms.
    private(set) var lastTime: Int64 = 0
    /// Of the snapshot and the commits that were taken.
    private(set) var lastSeq: UInt64 = 0
    /// Commits behind it are read and not taken.
    private let limit: RestorePoint
    /// There was one.
    private(set) var isCut = false
    /// Of the snapshot.
    private(set) var position: ClusterPosition?

    /// One type's table behind a reference, because a table that is not copied cannot be in an
    /// array.
    private final class ReplayTableBox {
        var table: ReplayTable
        /// That of the snapshot, as far as the log has been read; then `table` stays empty.
        var base: Table?

        init(_ table: consuming ReplayTable, base: Table? = nil) {
            self.table = table
            self.base = base
        }

        /// - Returns: What it replaces.
        func set(_ document: Document) -> Document? {
            base == nil ? table.set(document) : base?.insert(document)
        }

        /// - Returns: What was there.
        func remove(_ id: UnsafeRawBufferPointer) -> Document? {
            base == nil ? table.remove(id) : base?.remove(id)
        }

        func finished() -> Table {
            if let base { return base }
            var whole = ReplayTable(name: table.name)
            swap(&whole, &table)
            return whole.table()
        }
    }

    init(
        memoryTypes: Set<TypeName>, observer: (any CommitObserver)? = nil,
        limit: RestorePoint = .newest, report: @escaping (RecoveryProgress) -> Void
    ) {
        self.memoryTypes = memoryTypes
        self.observer = observer
        self.limit = limit
        self.report = report
    }

    /// Begins with the tables of a snapshot, or with nothing.
    func begin(with snapshot: LoadedSnapshot?) {
        observer?.recovers(after: snapshot?.header.seq ?? 0)
        guard let snapshot else { return }
        lastTime = snapshot.header.lastTime
        lastSeq = snapshot.header.seq
        position = snapshot.header.position
        for (name, table) in snapshot.tables {
            slots[name] = tables.count
            tables.append(ReplayTableBox(ReplayTable(name: name), base: table))
        }
    }

    /// The observer keeps the latest; that it hears of all costs about 100 ns each.
    private func tell(_ seq: UInt64, _ slot: Int, old: Document?, new: Document?) {
        guard observer != nil, old != nil || new != nil,
            memoryTypes.isEmpty || !memoryTypes.contains(tables[slot].table.name)
        else { return }
        untold.append(Change(seq: seq, type: tables[slot].table.name, old: old, new: new))
        if untold.count >= 1_024 { tell() }
    }

    private func tell() {
        guard !untold.isEmpty else { return }
        observer?.recovered(untold)
        untold.removeAll(keepingCapacity: true)
    }

    func progress(bytesRead: Int, bytesTotal: Int) {
        report(
            RecoveryProgress(
                phase: .log, bytesRead: bytesRead, bytesTotal: bytesTotal, commits: commits))
    }

    func visit(_ frame: Frame) -> String? {
        frame.read { commit in
            guard commit.seq <= limit.seq, commit.time <= limit.milliseconds, !isCut else {
                isCut = true
                return
            }
            lastTime = max(lastTime, commit.time)
            lastSeq = commit.seq
            commits += 1
        } entry: { commit, entry in
            isCut || apply(entry, commit.seq)
        }
    }

    private func apply(_ entry: LoggedEntry, _ seq: UInt64) -> Bool {
        guard let slot = slot(of: entry.type) else { return false }
        entries += 1
        let box = tables[slot]
        switch entry.kind {
        case .remove:
            tell(seq, slot, old: box.remove(entry.id), new: nil)
        case .set, .setFetched:
            do throws(DocumentFault) {
                let document = try entry.document(revision: seq, using: &builder)
                tell(seq, slot, old: box.set(document), new: document)
            } catch {
                return false
            }
        }
        return true
    }

    private func slot(of name: UnsafeRawBufferPointer) -> Int? {
        if lastSlot < tables.count, tables[lastSlot].table.nameBytes.elementsEqual(name) {
            return lastSlot
        }
        guard let type = TypeName(stored: name) else { return nil }
        if let slot = slots[type] {
            lastSlot = slot
            return slot
        }
        lastSlot = tables.count
        slots[type] = lastSlot
        tables.append(ReplayTableBox(ReplayTable(name: type)))
        return lastSlot
    }

    /// The tables at the end of the log.
    consuming func finish() -> RecoveredTables {
        tell()
        let boxes = tables
        tables = []
        var result = RecoveredTables()
        for box in boxes {
            let name = box.table.name
            let table = box.finished()
            if !memoryTypes.contains(name) {
                result.tables.append((name, table))
            } else if table.count > 0 {
                result.leftInLog.append((name, table))
            }
        }
        result.leftInLog.sort { $0.name < $1.name }
        return result
    }
}

/// What a start has read.
struct RecoveredTables {
    var tables: [(name: TypeName, table: Table)] = []
    /// Of types that are kept in memory now and have entities of when they were not: nobody sees
    /// them, and every snapshot has them, so that they come back when the type is in files again.
    var leftInLog: [(name: TypeName, table: Table)] = []

    /// Entities as users count them: what the service keeps for itself is none.
    var entityCount: Int {
        tables.reduce(0) { $0 + ($1.name.isInternal ? 0 : $1.table.count) }
    }
}

/// How far a start has come.
package struct RecoveryProgress: Sendable, Equatable {
    package enum Phase: String, Sendable {
        case snapshot, log, indexes
        /// A backup that is checked before anything in it is read.
        case backup
        /// A salvage.
        case segments
    }

    package let phase: Phase
    /// Of the files of this phase; of indexes and segments, how many are done and how many there
    /// are.
    package let bytesRead: Int
    package let bytesTotal: Int
    package let commits: Int
}
