package import FreshetBase

/// One key of `order=`.
package struct OrderKey: Hashable, Sendable {
    package var path: PropertyPath
    package var descending: Bool
    /// Strings compare by simple case folding.
    package var caseInsensitive: Bool

    package init(path: PropertyPath, descending: Bool = false, caseInsensitive: Bool = false) {
        self.path = path
        self.descending = descending
        self.caseInsensitive = caseInsensitive
    }
}

/// How results are ordered; ties are always by id, ascending.
package enum Order: Hashable, Sendable {
    /// What the remote served; without one, by id.
    case natural
    /// One key or more.
    case keys([OrderKey])
    /// These first and in this order, the rest behind them by id.
    case ids([EntityID])
}

/// What can be asked of one type of entities.
package struct Query: Sendable {
    /// How many entities come where no limit is given.
    package static let defaultLimit = 100

    package var type: TypeName
    /// What holds of every row of the answer; the row rule is part of it.
    package var filter: Filter?
    /// The row rule of whoever asks, nil where it may read every row; see `restrict(to:)`.
    package private(set) var rule: Filter?
    /// `filter` without the row rule, where there is one.
    private var unruledFilter: Filter?
    /// The ids asked for, each once, in the order of the answer; nil: not asked by id.
    package var ids: [EntityID]?
    package var order = Order.natural
    /// Entities left out at the front, after ordering.
    package var offset = 0
    /// The most entities; nil: as many as `ids` names.
    package var limit: Int? = Query.defaultLimit
    /// The row behind which the answer begins, in place of an offset; nil: at the front.
    @Rare package var after: PageMark? = nil
    /// Whether the answer says if there is more behind its window, which costs the search of one
    /// more row. No part of the question.
    package var looksAhead = false
    /// Whether the answer says how it was found. No part of the question.
    package var explain = false
    /// What is shown beside `id`; nil: everything.
    package var fields: [PropertyPath]?
    /// Whether the number of matches without the window is wanted.
    package var count = false
    /// Whether each item has a `_meta`.
    package var meta = false
    /// The related entities that come along; nil: none.
    @Rare package var include: Include? = nil
    /// The property by whose values the window's entities are grouped; with `aggregates` all
    /// matches are, and each group is one row of figures.
    package var group: PropertyPath?
    /// The figures over all matches that are shown in place of entities.
    package var aggregates: [Aggregate]?
    /// The property of whose values the first entity each is shown, in the order of the answer.
    package var distinct: PropertyPath?
    /// Where the answer may come from; nil where the request says nothing of it. No part of the
    /// question.
    @Rare package var read: ReadParameters? = nil
    /// The contract that is part of `filter`; nil without one.
    @Rare package var contract: QueryContract? = nil

    /// All entities of `type`, the first 100.
    package init(type: TypeName) {
        self.type = type
    }
}

extension Query {
    /// Whether the answer is no list of entities: a live query sends it as a whole each time.
    package var sendsSnapshotsOnly: Bool { group != nil || aggregates != nil }

    /// Leaves only rows of which `rule` is true, in place of the rule before: from here on the rule
    /// is part of `filter`, so that nothing behind has to know of it.
    package mutating func restrict(to rule: Filter?) {
        if self.rule != nil { filter = unruledFilter }
        self.rule = rule
        unruledFilter = rule == nil ? nil : filter
        guard let rule else { return }
        filter = filter.map { .and([$0, rule]) } ?? rule
    }

    /// What was asked, without the row rule.
    package var ownFilter: Filter? { rule == nil ? filter : unruledFilter }

    /// Bytes that are equal for queries with the same answer by construction: one live group.
    ///
    /// - Complexity: That of `Filter.canonical()`.
    package var canonicalKey: [UInt8] {
        var key = ByteBuffer(capacity: 256)
        appendRows(to: &key)
        // Figures are of all matches, and show no items.
        if aggregates == nil { appendWindow(to: &key) }
        if count { key.append("\ncount") }
        if let group {
            key.append("\ngroup ")
            key.append(text: group.description)
        }
        appendFigures(to: &key)
        return Array(key.bytes)
    }

    /// Appends bytes that are equal for queries whose pages go on behind each other's: those of
    /// `canonicalKey`, had nothing been asked of the window and of what is shown.
    func appendPagesKey(to key: inout ByteBuffer) {
        appendRows(to: &key)
        if aggregates == nil { key.append("\nwindow 0 -1") }
        appendFigures(to: &key)
    }

    /// What decides which rows there are, and how they stand.
    private func appendRows(to key: inout ByteBuffer) {
        key.append(text: type.text)
        if let filter = filter?.canonical(), filter != .constant(true) {
            key.append("\nfilter ")
            key.append(text: filter.description)
        }
        if let ids { Self.append(ids, labelled: "\nids ", to: &key) }
        switch order.canonical() {
        case .natural: break
        case .keys(let keys):
            key.append("\norder ")
            for (index, each) in keys.enumerated() {
                if index > 0 { key.append(",") }
                key.append(text: each.description)
            }
        case .ids(let ids): Self.append(ids, labelled: "\nfirst ", to: &key)
        }
    }

    /// What decides which items are shown, and how.
    private func appendWindow(to key: inout ByteBuffer) {
        key.append("\nwindow ")
        key.append(decimal: offset)
        key.append(" ")
        key.append(decimal: limit ?? -1)
        if let after {
            key.append("\nafter ")
            key.append(text: after.text)
        }
        if let fields {
            key.append("\nfields ")
            var seen: Set<PropertyPath> = [.id]
            for path in fields where seen.insert(path).inserted {
                key.append(text: path.description)
                key.append(",")
            }
        }
        if meta { key.append("\nmeta") }
        if let include {
            key.append("\ninclude ")
            key.append(text: include.description)
        }
    }

    private func appendFigures(to key: inout ByteBuffer) {
        if let distinct {
            key.append("\ndistinct ")
            key.append(text: distinct.description)
        }
        if let aggregates {
            key.append("\naggregate ")
            key.append(text: aggregates.map(\.description).joined(separator: ","))
        }
    }

    private static func append(
        _ ids: [EntityID], labelled label: StaticString, to key: inout ByteBuffer
    ) {
        key.append(label)
        for id in ids {
            id.appendJSON(asInteger: false, to: &key)
            key.append(",")
        }
    }
}

extension Order {
    /// Without keys that decide nothing: repeated ones, those behind `id`, and a last `id`.
    package func canonical() -> Order {
        switch self {
        case .natural: return .natural
        case .ids(let ids): return ids.isEmpty ? .natural : self
        case .keys(let keys):
            var kept: [OrderKey] = []
            for key in keys {
                if key.path.isID, !key.caseInsensitive {
                    if key.descending { kept.append(key) }
                    break
                }
                if !kept.contains(where: key.comparesLike) { kept.append(key) }
            }
            return kept.isEmpty ? .natural : .keys(kept)
        }
    }
}

extension OrderKey {
    /// Whether rows that are equal by `other` are equal by this one.
    fileprivate func comparesLike(_ other: OrderKey) -> Bool {
        path == other.path && caseInsensitive == other.caseInsensitive
    }
}

extension OrderKey: CustomStringConvertible {
    /// The key as `order=` writes it.
    package var description: String {
        "\(descending ? "-" : "")\(path)\(caseInsensitive ? ":ci" : "")"
    }
}
