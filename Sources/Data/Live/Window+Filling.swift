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
        if seq > knownThrough { trail.add(gap: knownThrough..<seq) }
        // What was noted behind it is of states that were not known to the end.
        if trail.newest > knownThrough { trail.add(version: seq) }
        var before: [RowKey: Row] = [:]
        for row in shown { before[RowKey(document: row.document)] = row }
        rows = found.documents.map { Row(document: $0) }
        isComplete = rows.count < capacity
        if found.total != total {
            total = found.total
            totalAt = seq
            trail.add(version: seq)
        }
        rowDigest = 0
        for index in shownRange {
            let document = rows[index].document
            rowDigest &+= content.digest(of: document)
            if let known = before.removeValue(forKey: RowKey(document: document)) {
                keep(known, at: index, seq)
            } else {
                rows[index].enteredAt = seq
                rows[index].placedAt = seq
                rows[index].bodyAt = seq
                trail.add(version: seq)
            }
        }
        for row in before.values {
            noteOld(row, at: seq, reason: reason(row.document))
            trail.add(version: seq)
        }
        precondition(rows.count <= capacity, "a search keeps to its limit")
        assert(isConsistent, "a window that was filled is what its rows are")
    }

    /// Carries on with a row that was shown before and is shown now. Rows whose keys are the same
    /// have kept their order among each other.
    private mutating func keep(_ known: Row, at index: Int, _ seq: UInt64) {
        let document = rows[index].document
        rows[index].enteredAt = known.enteredAt
        rows[index].placedAt = known.placedAt
        rows[index].bodyAt = known.bodyAt
        guard known.document !== document else { return }
        let isMoved =
            plan.precedes(known.document, document) || plan.precedes(document, known.document)
        let isChanged = content.differs(known.document, document)
        guard isMoved || isChanged else { return }
        if isMoved { rows[index].placedAt = seq }
        if isChanged { rows[index].bodyAt = seq }
        noteOld(known, at: seq, reason: nil)
        trail.add(version: seq)
    }

    /// Sinks the trail's floor to `seq` by changes of the past, so that a client of then gets a
    /// delta though nobody has followed the window for it.
    ///
    /// That is possible where the whole answer is shown, now and at all times between: then what
    /// left and what came follows from the changes alone; and where there is no change.
    ///
    /// - Parameter changes: All that concern the query with seqs above `seq`, newest first.
    mutating func extend(to seq: UInt64, by changes: [WindowChange]) {
        guard showsAll || changes.isEmpty, seq < trail.floor else { return }
        var count = rows.count
        for change in changes {
            count += (change.wasIn ? 1 : 0) - (change.isIn ? 1 : 0)
            guard count <= end else { return }
        }
        let floor = trail.floor
        var versions: [UInt64] = []
        var gone: [VersionTrail.Departure] = []
        var places: [RowKey: Int] = [:]
        for index in rows.indices { places[RowKey(document: rows[index].document)] = index }
        for change in changes {
            guard change.seq <= floor else { continue }
            if let old = change.old, let new = change.new, change.wasIn, change.isIn {
                let isMoved = plan.precedes(old, new) || plan.precedes(new, old)
                let isChanged = content.differs(old, new)
                guard isMoved || isChanged else { continue }
                if let index = places[RowKey(document: new)] {
                    if isMoved { raise(&rows[index].placedAt, to: change.seq) }
                    if isChanged { raise(&rows[index].bodyAt, to: change.seq) }
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
