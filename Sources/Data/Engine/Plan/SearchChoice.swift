import FreshetQuery

/// A way through indexes to every row that a query may match.
struct IndexPath: Sendable {
    /// When rows that are still to come cannot change the answer any more.
    enum Stop: Sendable {
        /// At the end.
        case never
        /// When the window is full: rows come in the order of the answer.
        case window
        /// Of each part, when a full heap refuses a row: each part is in the order of the answer.
        case part
        /// Of each part, when a row is behind all of a full heap by these keys: each part is
        /// ordered by them, if by no more of the answer's order.
        case keys([OrderKey])
    }

    /// The ranges, for what it is called.
    let ranges: [IndexRanges]
    var parts: [IndexPart]
    /// Rows that the filter names, which come first.
    var ids: [EntityID] = []
    var stop: Stop
    /// Only rows that are in these ranges, too.
    var among: IndexRanges?
    /// Whether a row may come more than once.
    var repeats: Bool

    /// Entries.
    var count: Int { parts.reduce(ids.count) { $0 + $1.count } }

    /// What `explain` calls it: the indexes, joined by what is done with their rows.
    var name: String {
        if let among { return "\(ranges[0].definition) & \(among.definition)" }
        var names: [String] = ids.isEmpty ? [] : ["id"]
        for range in ranges where !names.contains(range.definition.description) {
            names.append(range.definition.description)
        }
        return names.joined(separator: " | ")
    }

    var kind: String {
        if among != nil { return "intersection" }
        if ranges.count + (ids.isEmpty ? 0 : 1) > 1 { return "union" }
        return ranges.first?.isElements ?? false ? "elements" : "index"
    }
}

/// How one view answers a plan: by which of its indexes, or by none.
///
/// Made of a plan and a view, for that view alone: ranks mean nothing in another.
package struct SearchChoice: Sendable {
    /// A way that was weighed.
    struct Option: Sendable {
        let name: String
        let kind: String
        /// The most rows that it looks at.
        let rows: Int
        /// What it was thought to cost, in rows of a scan.
        let cost: Double
    }

    /// What stands in for this choice where it takes much longer than it was thought to.
    final class Fallback: Sendable {
        /// Rows after which the other way is taken.
        let patience: Int
        let choice: SearchChoice

        init(_ choice: SearchChoice, after patience: Int) {
            self.choice = choice
            self.patience = patience
        }
    }

    var source: RowSource
    /// Whether rows come in the order of the answer; else a heap orders them.
    var isOrdered: Bool
    /// Whether all rows of the source match, so that the filter need not be asked.
    var isImplied = false
    /// Whether the rows before the query's mark are left out already.
    var startsBehindMark = false
    /// Rows of the query's offset that are left out already.
    var skipped = 0
    /// The number of matches, where it is asked for and known without looking at them.
    var total: Int?
    /// The ranges whose entries `total` is the number of; nil where it is the view's.
    var counted: IndexRanges?
    /// The most rows that are looked at.
    var maximumRows: Int
    var options: [Option] = []
    var fallback: Fallback?

    /// What `explain` calls the way to the rows, and `SearchResult.plan`.
    var name: String {
        if case .none = source, let counted { return counted.definition.description }
        return source.name
    }

    /// `none`, `ids` (asked for), `id` (named by the filter), `scan`, `index`, `elements` (of arrays),
    /// `union`, `intersection`, `count`.
    var kind: String {
        switch source {
        case .none: counted == nil ? "none" : "count"
        case .asked: "ids"
        case .named: "id"
        case .scan: "scan"
        case .indexes(let path): path.kind
        }
    }
}
