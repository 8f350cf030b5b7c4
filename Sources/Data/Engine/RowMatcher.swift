import FreshetBase
package import FreshetQuery

/// Which documents are among the rows of a query when its window is left aside: all that a standing
/// query asks of a change. Kept without the plan that it comes from, it is two words.
package struct RowMatcher: Sendable {
    /// nil where the filter is true of everything.
    let evaluator: FilterEvaluator?
    /// The query's `ids`, nil without.
    let ranks: AskedRanks?
    /// The filter is false of everything.
    let isEmpty: Bool

    /// Bytes that the filter is compiled to, regular expressions apart.
    package var compiledSize: Int { evaluator?.compiledSize ?? 0 }

    /// Bytes that its expressions are compiled to.
    package var expressionSize: Int { evaluator?.expressionSize ?? 0 }

    /// Bytes of a filter that are not counted: there may be many short ones.
    private static let uncountedSize = 4 << 10

    /// Bytes of both, as bounds on many filters count them.
    package var countedSize: Int { max(0, compiledSize + expressionSize - Self.uncountedSize) }

    /// Whether `document` is among the rows.
    ///
    /// - Parameter patience: See `FilterEvaluator.matches`.
    /// - Returns: nil where that took more than the patience.
    package func matches(
        _ document: Document, patience: Int = FilterEvaluator.patience
    ) -> Bool? {
        var patience = patience
        return matches(document, patience: &patience)
    }

    private func matches(_ document: Document, patience: inout Int) -> Bool? {
        if isEmpty { return false }
        if let ranks = ranks?.value, ranks.place(of: document.idBytes) == .max { return false }
        guard let evaluator else { return true }
        return evaluator.matches(document, patience: &patience)
    }

    /// `matches` of two images of one entity, false where there is none.
    ///
    /// - Parameter patience: What it took is taken off; it may end below zero.
    /// - Returns: nil where that took more.
    package func matches(
        old: Document?, new: Document?, patience: inout Int
    ) -> (old: Bool, new: Bool)? {
        if let old, let new, ranks == nil, let evaluator {
            if isEmpty { return (false, false) }
            guard let found = evaluator.matches(old, new, patience: &patience) else { return nil }
            return (found.first, found.second)
        }
        var found = (old: false, new: false)
        if let old {
            guard let isIn = matches(old, patience: &patience) else { return nil }
            found.old = isIn
        }
        if let new {
            guard let isIn = matches(new, patience: &patience) else { return nil }
            found.new = isIn
        }
        return found
    }
}

/// How the rows of a query follow each other. The order is total: of two different ids one precedes
/// the other.
package struct RowSequence: Sendable {
    let order: RowOrder
    /// The query's `ids`, nil without.
    let ranks: AskedRanks?

    /// Whether `left` comes before `right` in the query's answer.
    package func precedes(_ left: Document, _ right: Document) -> Bool {
        if let ranks = ranks?.value {
            return ranks.place(of: left.idBytes) < ranks.place(of: right.idBytes)
        }
        return order.compare(left, right) < 0
    }
}

/// The places of the ids of `ids=`: sorted when they are first asked for, which live queries do and
/// a search does not.
// SAFETY: its variable is read and written under its lock only.
final class AskedRanks: @unchecked Sendable {
    private let ids: [EntityID]
    private let lock = Lock()
    private var sorted: RowOrder.Ranks?

    init(_ ids: [EntityID]) {
        self.ids = ids
    }

    var value: RowOrder.Ranks {
        lock.withLock {
            if let sorted { return sorted }
            let ranks = RowOrder.Ranks(ids)
            sorted = ranks
            return ranks
        }
    }
}
