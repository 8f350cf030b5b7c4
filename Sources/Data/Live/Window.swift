import FreshetEngine
import FreshetQuery

// The versioned window of one live query.
//
// `rows` are the first rows of the query's whole answer, from the very first one on: those before
// the window (its offset), those that it shows, and some behind it (the slack), so that a row that
// leaves has its successor at hand. They are followed change by change from old and new images,
// with no look at the table. Where the slack runs short the window is filled again by a search.
//
//     rows     [ offset | shown ……………… | slack ]   then rows that are not kept, unless isComplete
//                       S                E
//
// One change takes a row out at `i` and puts one in at `j` (one of them may be missing: an insert,
// a removal, or a row among those not kept). All that it alters in what is shown is the row itself
// and the two rows that cross S and E; so the cost is that of two binary searches and two moves of
// memory. Rows that stay shown keep their order among each other, which is why a client that takes
// rows out and puts the placed ones in at their final indexes has them all in order.
//
// Versions. Each shown row knows since when it is shown (`enteredAt`), when it was last put at its
// place (`placedAt`) and when its content last changed (`bodyAt`); the trail knows which rows have
// left. So the net change from any seq above the trail's floor can be read off, and no queue is
// kept for anybody. Stamps of rows that are not shown mean nothing.

/// One change as it concerns one query.
struct WindowChange: Sendable {
    let seq: UInt64
    let old: Document?
    let new: Document?
    /// Whether the old image matches.
    let wasIn: Bool
    /// Whether the new image matches.
    let isIn: Bool
    /// Why the row has left where it has.
    let reason: RemovalReason
}

/// The first rows of a query's answer, kept current; see the top of this file.
struct Window: Sendable {
    struct Row: Sendable {
        var document: Document
        var enteredAt: UInt64 = 0
        var placedAt: UInt64 = 0
        var bodyAt: UInt64 = 0
    }

    let template: LiveTemplate

    var rows: [Row] = []
    /// Whether there are no matching rows behind `rows`.
    var isComplete = false
    /// All matching rows, where the query counts.
    var total: Int?
    var totalAt: UInt64 = 0
    /// The sum over the shown rows.
    var rowDigest: UInt64 = 0
    var trail: VersionTrail
    /// The newest commit that `rows` have taken in.
    var newest: UInt64

    /// Rows behind the window that are kept for a query.
    static func slack(_ limit: Int) -> Int { min(max(limit, 8), 256) }

    /// The query whose answer fills the window of `query`: from the first row on with slack where
    /// changes are followed, else just what is shown.
    static func fillQuery(_ query: Query, follows: Bool) -> Query {
        var fill = query
        fill.fields = nil
        guard follows else { return fill }
        fill.offset = 0
        if let limit = query.limit { fill.limit = query.offset + limit + slack(limit) }
        return fill
    }

    /// Fills a window for the first time.
    ///
    /// - Parameter found: The answer to the fill query at `seq`.
    init(_ template: LiveTemplate, found: SearchResult, at seq: UInt64) {
        self.template = template
        trail = VersionTrail(floor: seq)
        newest = seq
        precondition(found.documents.count <= template.capacity, "a search keeps to its limit")
        rows = found.documents.map { Row(document: $0) }
        isComplete = rows.count < template.capacity
        total = found.total
        for row in shown { rowDigest &+= content.digest(of: row.document) }
    }

    var content: ShownContent { template.content }
    /// Whether changes are followed; else it is filled anew for each.
    var follows: Bool { template.follows }
    private var first: Int { template.first }
    var end: Int { template.end }
    var capacity: Int { template.capacity }

    func precedes(_ left: Document, _ right: Document) -> Bool {
        template.sequence.precedes(left, right)
    }

    // MARK: What is shown

    var shownRange: Range<Int> {
        let start = min(first, rows.count)
        return start..<max(start, min(end, rows.count))
    }

    /// The rows of the answer, in order.
    var shown: ArraySlice<Row> { rows[shownRange] }

    /// Whether rows are missing that may exist: the window must be filled again.
    var isShort: Bool { !isComplete && rows.count < end && first < end }

    /// Whether the whole answer is shown.
    var showsAll: Bool { follows && first == 0 && isComplete && rows.count <= end }

    /// What a cursor carries of the rows, their order and the total.
    var digest: UInt64 {
        let digest = rowDigest &+ template.orderDigest
        guard let total else { return digest }
        // An odd multiplier (2^64 divided by the golden ratio) spreads the total over all bits.
        return digest ^ (UInt64(total) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    }

    // MARK: Following changes

    /// The index before which no row stands that comes after `document` or is it.
    private func lowerBound(_ document: Document) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if precedes(rows[middle].document, document) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func index(of document: Document) -> Int? {
        let index = lowerBound(document)
        guard index < rows.count, Self.sameID(rows[index].document, document) else { return nil }
        return index
    }

    private static func sameID(_ left: Document, _ right: Document) -> Bool {
        left.idBytes.elementsEqual(right.idBytes)
    }

    /// Takes one change in; what it alters in what is shown makes a version.
    ///
    /// - Complexity: O(log rows) comparisons and one move of the rows between two places.
    mutating func apply(_ change: WindowChange) {
        newest = change.seq
        countTotal(change)
        var taken: Row?
        var from = Int.max
        if change.wasIn, let old = change.old, let index = index(of: old) {
            from = index
            taken = rows.remove(at: index)
        }
        var to = Int.max
        if change.isIn, let new = change.new {
            let index = lowerBound(new)
            // Rows that are not kept stand behind the last one; so does one that takes its place.
            let isLast = from == rows.count && change.old.map { !precedes($0, new) } == true
            if index < rows.count || isComplete || isLast {
                to = index
                var row = taken ?? Row(document: new)
                row.document = new
                rows.insert(row, at: index)
            }
        }
        if first < end { noteShift(change, taken: taken, from: from, to: to) }
        if rows.count > capacity {
            rows.removeLast()
            isComplete = false
        }
        precondition(rows.count <= capacity, "one change adds one row at most")
        assert(to >= rows.count || isOrdered(around: to), "a row stands between its neighbours")
    }

    /// Whether the row at `index` stands behind the one before it, and before the one behind it.
    private func isOrdered(around index: Int) -> Bool {
        (index == 0 || precedes(rows[index - 1].document, rows[index].document))
            && (index + 1 == rows.count
                || precedes(rows[index].document, rows[index + 1].document))
    }

    /// Whether what is kept of the rows is what they are. For tests and debug builds: O(rows).
    var isConsistent: Bool {
        let digest = shown.reduce(0 as UInt64) { $0 &+ content.digest(of: $1.document) }
        return digest == rowDigest && shown.count <= end - first
            && rows.indices.allSatisfy { !follows || isOrdered(around: $0) }
            && shown.allSatisfy { $0.enteredAt <= $0.placedAt && $0.enteredAt <= $0.bodyAt }
    }

    private mutating func countTotal(_ change: WindowChange) {
        guard let total, change.wasIn != change.isIn else { return }
        self.total = total + (change.isIn ? 1 : -1)
        totalAt = change.seq
        trail.add(version: change.seq)
    }

    /// Notes what a row's way from `from` to `to` means for what is shown; `Int.max` is outside of
    /// the rows kept.
    private mutating func noteShift(
        _ change: WindowChange, taken: Row?, from: Int, to: Int
    ) {
        let seq = change.seq
        let shown = first..<end
        if let taken, shown.contains(from) {
            if let new = change.new, shown.contains(to) {
                stay(new, taken: taken, from: from, to: to, at: seq)
            } else {
                depart(taken, at: seq, change.isIn ? .displaced : change.reason)
            }
        } else if shown.contains(to) {
            enter(to, at: seq)
        } else if change.wasIn, !change.isIn, let old = change.old {
            trail.amend(old.id, at: seq, reason: change.reason)
        }
        noteCrossing(from, to, at: seq)
    }

    private mutating func stay(
        _ new: Document, taken: Row, from: Int, to: Int, at seq: UInt64
    ) {
        rowDigest &-= content.digest(of: taken.document)
        rowDigest &+= content.digest(of: new)
        let isMoved = from != to
        let isChanged = content.differs(taken.document, new)
        guard isMoved || isChanged else { return }
        if isMoved { rows[to].placedAt = seq }
        if isChanged || content.showsSilent { rows[to].bodyAt = seq }
        noteOld(taken, at: seq, reason: nil)
        trail.add(version: seq)
    }

    /// The rows that are pushed over the window's ends.
    private mutating func noteCrossing(_ from: Int, _ to: Int, at seq: UInt64) {
        if from < to {
            // Those between have moved one to the front.
            if from < first, first <= to, first <= rows.count {
                depart(rows[first - 1], at: seq, .displaced)
            }
            if from < end, end <= to, end <= rows.count { enter(end - 1, at: seq) }
        } else if to < from {
            if to < first, first <= from, first < rows.count { enter(first, at: seq) }
            if to < end, end <= from, end < rows.count {
                depart(rows[end], at: seq, .displaced)
            }
        }
    }

    private mutating func enter(_ index: Int, at seq: UInt64) {
        rows[index].enteredAt = seq
        rows[index].placedAt = seq
        rows[index].bodyAt = seq
        rowDigest &+= content.digest(of: rows[index].document)
        trail.add(version: seq)
    }

    private mutating func depart(_ row: Row, at seq: UInt64, _ reason: RemovalReason) {
        rowDigest &-= content.digest(of: row.document)
        noteOld(row, at: seq, reason: reason)
        trail.add(version: seq)
    }

    /// Notes that `row` was shown and has left, or has changed where old values are asked for.
    mutating func noteOld(_ row: Row, at seq: UInt64, reason: RemovalReason?) {
        let keepsOld = trail.oldValuesSince != nil
        guard reason != nil || keepsOld else { return }
        trail.add(
            VersionTrail.Departure(
                seq: seq, enteredAt: row.enteredAt, id: row.document.id, reason: reason,
                old: keepsOld ? row.document : nil))
    }
}
