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

    /// Whether an expression of the filter gave up on a text, so that `matches` says nothing.
    package var isExhausted: Bool { evaluator?.isExhausted ?? false }

    /// Questions so far that took too long to be answered, so that false says nothing.
    package var voidRuns: Int { evaluator?.voidRuns ?? 0 }

    /// Bytes that the filter is compiled to.
    package var compiledSize: Int { evaluator?.compiledSize ?? 0 }

    package func matches(_ document: Document) -> Bool {
        if isEmpty { return false }
        if let ranks = ranks?.value, ranks.place(of: document.idBytes) == .max { return false }
        return evaluator?.matches(document) ?? true
    }

    /// `matches` of two images of one entity, false where there is none.
    package func matches(old: Document?, new: Document?) -> (old: Bool, new: Bool) {
        if let old, let new, ranks == nil, let evaluator {
            if isEmpty { return (false, false) }
            let found = evaluator.matches(old, new)
            return (found.first, found.second)
        }
        return (old.map { matches($0) } ?? false, new.map { matches($0) } ?? false)
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
