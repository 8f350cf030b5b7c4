import FreshetEngine
import FreshetQuery

extension Window {
    /// Takes the answer of a new search in, in place of following the changes up to it.
    ///
    /// - Parameters:
    ///   - found: The fill query's answer at `seq`.
    ///   - knownThrough: The seq at which the window was exact before.
    ///   - reason: Why a row that is not shown any more is not.
    mutating func fill(
        _ found: SearchResult, at seq: UInt64, knownThrough: UInt64,
        reason: (Document) -> RemovalReason
    ) {
        newest = seq
        if seq > knownThrough { trail.add(gap: knownThrough..<seq) }
        // What was noted behind it is of states that were not known to the end.
        if trail.newest > knownThrough { trail.add(version: seq) }
        let known = Array(shown)
        var places: [RowKey: Int] = [:]
        for (place, row) in known.enumerated() { places[RowKey(document: row.document)] = place }
        rows = found.documents.map { Row(document: $0) }
        isComplete = rows.count < capacity
        if found.total != total {
            total = found.total
            totalAt = seq
            trail.add(version: seq)
        }
        rowDigest = 0
        var last = -1
        var isReordered = false
        for index in shownRange {
            let document = rows[index].document
            rowDigest &+= content.digest(of: document)
            if let place = places.removeValue(forKey: RowKey(document: document)) {
                keep(known[place], at: index, seq)
                if place < last { isReordered = true }
                last = place
            } else {
                rows[index].enteredAt = seq
                rows[index].placedAt = seq
                rows[index].bodyAt = seq
                trail.add(version: seq)
            }
        }
        if isReordered { noteMoves(from: known, seq) }
        for place in places.values.sorted() {
            let row = known[place]
            noteOld(row, at: seq, reason: reason(row.document))
            trail.add(version: seq)
        }
        precondition(rows.count <= capacity, "a search keeps to its limit")
        assert(isConsistent, "a window that was filled is what its rows are")
    }

    /// Carries on with a row that was shown before and is shown now.
    private mutating func keep(_ known: Row, at index: Int, _ seq: UInt64) {
        let document = rows[index].document
        rows[index].enteredAt = known.enteredAt
        rows[index].placedAt = known.placedAt
        rows[index].bodyAt = known.bodyAt
        guard content.differs(known.document, document) else { return }
        rows[index].bodyAt = seq
        noteOld(known, at: seq, reason: nil)
        trail.add(version: seq)
    }

    /// Notes which of the rows that have stayed stand elsewhere now: those whose keys have changed.
    /// Rows whose keys are the same have kept their order among each other.
    private mutating func noteMoves(from known: [Row], _ seq: UInt64) {
        var before: [RowKey: Row] = [:]
        for row in known { before[RowKey(document: row.document)] = row }
        for index in shownRange {
            let document = rows[index].document
            guard let row = before[RowKey(document: document)], row.document !== document,
                precedes(row.document, document) || precedes(document, row.document)
            else { continue }
            let isNoted = rows[index].bodyAt == seq
            rows[index].placedAt = seq
            if content.showsSilent { rows[index].bodyAt = seq }
            if !isNoted { noteOld(row, at: seq, reason: nil) }
            trail.add(version: seq)
        }
    }

    /// Changes of the past that are undone and made again at most. A trail notes no more of them than
    /// `VersionTrail.capacity`; others concern rows behind the window.
    private static let mostReplayed = 4 * VersionTrail.capacity

    /// Sinks the trail's floor to `seq` by changes of the past, so that a client of then gets a
    /// delta though nobody has followed the window for it.
    ///
    /// Where the whole answer is shown, now and at all times between, what left and what came follows
    /// from the changes alone. Else the changes are undone and made again, as far as the rows behind
    /// the window reach.
    ///
    /// - Parameters:
    ///   - changes: All that concern the query with seqs above `seq`, newest first.
    ///   - exact: The seq through which they go.
    mutating func extend(to seq: UInt64, by changes: [WindowChange], through exact: UInt64) {
        // What has come since is not among them.
        guard follows, seq < trail.floor, newest <= exact else { return }
        let canReplay = changes.count <= Self.mostReplayed
        // That a silent key has changed is no news: only where the row stood among the others then
        // tells whether it has moved.
        let mustReplay = !content.silent.isEmpty && !content.digestTellsOrder && canReplay
        if changes.isEmpty || isWhole(before: changes) && !mustReplay {
            extendWhole(to: seq, by: changes)
        } else if canReplay {
            replay(changes, from: seq)
        }
    }

    /// Whether all of the answer is shown, now and before each of `changes`.
    private func isWhole(before changes: [WindowChange]) -> Bool {
        guard showsAll else { return false }
        var count = rows.count
        for change in changes {
            count += (change.wasIn ? 1 : 0) - (change.isIn ? 1 : 0)
            guard count <= end else { return false }
        }
        return true
    }

    /// Undoes `changes`, newest first, and makes them again, so that the trail has them.
    private mutating func replay(_ changes: [WindowChange], from seq: UInt64) {
        var past = self
        past.unstamp(from: seq)
        for change in changes {
            past.apply(
                WindowChange(
                    seq: seq, old: change.new, new: change.old, wasIn: change.isIn,
                    isIn: change.wasIn, reason: .unmatched))
            guard !past.isShort else { return }
        }
        past.unstamp(from: seq)
        guard past.follow(changes.reversed()) == nil else { return }
        let isSame = past.shown.elementsEqual(shown) { $0.document === $1.document }
        assert(isSame && past.total == total, "what is made again is what was undone")
        guard isSame else { return }
        trail = past.trail
        totalAt = past.totalAt
        for index in shownRange { rows[index] = past.rows[index] }
    }

    /// Forgets when what is shown came about, as if it had all been there at `seq`.
    private mutating func unstamp(from seq: UInt64) {
        let notesOldValues = trail.oldValuesSince != nil
        trail = VersionTrail(floor: seq)
        if notesOldValues { trail.noteOldValues(from: seq) }
        totalAt = 0
        for index in rows.indices { rows[index] = Row(document: rows[index].document) }
    }

    private mutating func extendWhole(to seq: UInt64, by changes: [WindowChange]) {
        let floor = trail.floor
        var versions: [UInt64] = []
        var gone: [VersionTrail.Departure] = []
        var places: [RowKey: Int] = [:]
        for index in rows.indices { places[RowKey(document: rows[index].document)] = index }
        for change in changes {
            guard change.seq <= floor else { continue }
            if let old = change.old, let new = change.new, change.wasIn, change.isIn {
                let isMoved = precedes(old, new) || precedes(new, old)
                let isChanged = content.differs(old, new)
                guard isMoved || isChanged else { continue }
                if let index = places[RowKey(document: new)] {
                    if isMoved { raise(&rows[index].placedAt, to: change.seq) }
                    if isChanged || content.showsSilent {
                        raise(&rows[index].bodyAt, to: change.seq)
                    }
                }
            } else if let new = change.new, change.isIn {
                if let index = places[RowKey(document: new)] {
                    raise(&rows[index].enteredAt, to: change.seq)
                    raise(&rows[index].placedAt, to: change.seq)
                    raise(&rows[index].bodyAt, to: change.seq)
                }
            } else if let old = change.old {
                // When it had come is not looked for; a removal of what one does not hold is none.
                gone.append(
                    VersionTrail.Departure(
                        seq: change.seq, enteredAt: 0, id: old.id, reason: change.reason,
                        old: nil))
            }
            if versions.last != change.seq { versions.append(change.seq) }
            if total != nil, change.wasIn != change.isIn { raise(&totalAt, to: change.seq) }
        }
        trail.extend(to: seq, versions: versions.reversed(), departures: gone.reversed())
    }

    private func raise(_ stamp: inout UInt64, to seq: UInt64) {
        if stamp < seq { stamp = seq }
    }
}

/// A row known by its id, whatever its content.
struct RowKey: Hashable {
    let document: Document

    static func == (left: RowKey, right: RowKey) -> Bool {
        left.document.idBytes.elementsEqual(right.document.idBytes)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bytes: document.idBytes)
    }
}
