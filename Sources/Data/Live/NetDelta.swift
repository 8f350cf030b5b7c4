import FreshetQuery

/// What turns the state that a client holds into the present one; see live.md section 4.
struct NetDelta: Sendable {
    struct Place: Sendable {
        let document: Document
        /// Of the window, after everything.
        let index: Int
    }

    /// Rows that are not shown any more, each once.
    var removed: [(id: EntityID, reason: RemovalReason)] = []
    /// By ascending index.
    var placed: [Place] = []
    /// Entities that the client lacks or holds in an older state.
    var put: [Document] = []
    /// The entities as the client holds them, where old values are asked for and still known.
    var old: [(id: EntityID, document: Document)]?
    /// Included entities that the client lacks or holds in an older state; nil where the query
    /// includes none.
    var included: [LiveIncluded.Row]?
    /// Entities that are not included any more.
    var dropped: [LiveIncluded.Row] = []
    /// All matches, where the query counts.
    var total: Int?
    var isTotalChanged = false
    /// Commits that have changed what is shown.
    var commits = 0

    var isEmpty: Bool {
        removed.isEmpty && placed.isEmpty && put.isEmpty && !isTotalChanged
            && included?.isEmpty ?? true && dropped.isEmpty
    }
}

extension Window {
    /// What has changed since `seq`, nil where that is not known any more.
    ///
    /// - Parameter orLater: The client holds the state of `seq` or one behind it: each row that has
    ///   left since is named, for it may have come since.
    /// - Complexity: O(rows shown + departures since).
    func changes(since seq: UInt64, orLater: Bool, withOld: Bool) -> NetDelta? {
        guard trail.covers(seq) else { return nil }
        var delta = NetDelta()
        delta.total = total
        delta.isTotalChanged = total != nil && totalAt > seq
        delta.commits = trail.commits(since: seq)
        let departures = trail.departures(since: seq)
        var isShown: Set<EntityID> = []
        let isAnyGone = departures.contains { $0.reason != nil }
        for (index, row) in shown.enumerated() {
            if row.placedAt > seq {
                delta.placed.append(NetDelta.Place(document: row.document, index: index))
            }
            if row.bodyAt > seq { delta.put.append(row.document) }
            // Only what has come since can have gone before.
            if isAnyGone, row.enteredAt > seq { isShown.insert(row.document.id) }
        }
        var reasons: [EntityID: RemovalReason] = [:]
        for departure in departures {
            guard let reason = departure.reason, !isShown.contains(departure.id) else { continue }
            if orLater || departure.enteredAt <= seq || reasons[departure.id] != nil {
                reasons[departure.id] = reason
            }
        }
        delta.removed = reasons.map { ($0.key, $0.value) }.sorted { $0.id < $1.id }
        if withOld, let noted = trail.oldValuesSince, noted <= seq {
            var seen: Set<EntityID> = []
            delta.old = departures.compactMap { departure in
                guard departure.enteredAt <= seq, let old = departure.old,
                    seen.insert(departure.id).inserted
                else { return nil }
                return (departure.id, old)
            }
        }
        return delta
    }

    /// What turns what another query showed into what this window shows.
    ///
    /// - Parameter reason: Why a row that was held is not shown.
    func changes(
        since holding: LiveHolding, withOld: Bool = false, reason: (Document) -> RemovalReason
    ) -> NetDelta {
        var delta = NetDelta()
        delta.total = total
        delta.isTotalChanged = total != holding.total
        delta.commits = 1
        var held: [EntityID: Int] = [:]
        for (index, document) in holding.rows.enumerated() { held[document.id] = index }
        // Rows that keep their order stay where they are.
        var last = -1
        for (index, row) in shown.enumerated() {
            let before = held.removeValue(forKey: row.document.id)
            let isPlaced = before.map { $0 <= last } ?? true
            if let before, !isPlaced { last = before }
            if isPlaced {
                delta.placed.append(NetDelta.Place(document: row.document, index: index))
            }
            if let before, holding.rows[before].revision == row.document.revision { continue }
            let isHeld = before.map { !content.differs(holding.rows[$0], row.document) } ?? false
            if !isHeld || isPlaced && content.showsSilent { delta.put.append(row.document) }
        }
        let gone = held.values.sorted().map { holding.rows[$0] }
        delta.removed = gone.map { ($0.id, reason($0)) }
        if withOld {
            let put = Set(delta.put.map(\.id))
            delta.old = (gone + holding.rows.filter { put.contains($0.id) }).map { ($0.id, $0) }
        }
        return delta
    }
}
