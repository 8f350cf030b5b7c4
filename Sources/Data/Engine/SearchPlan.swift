import FreshetBase
package import FreshetQuery

/// A query made ready: its filter compiled, its order settled, its rows' source as far as no view is
/// needed to tell. Made once, run any number of times on any views, from any thread; `choose` finds
/// the way through the indexes of one view.
package final class SearchPlan: Sendable {
    /// The query as it was asked.
    package let query: Query
    let evaluator: FilterEvaluator?
    let source: RowSource
    let order: RowOrder
    /// The row rule by itself, where ids are asked for: what it hides is missing.
    private let rule: FilterEvaluator?
    /// The query's `ids` for `matches` and `precedes`, nil without.
    private let ranks: AskedRanks?

    /// Plans `query`.
    ///
    /// - Parameter isStanding: Whether the plan is kept, as one of many.
    /// - Throws: `.notImplemented` for what the engine does not offer.
    package init(
        _ asked: consuming Query, isStanding: Bool = false
    ) throws(EngineError) {
        query = asked
        if let filter = query.filter, filter != .constant(true) {
            evaluator = try FilterEvaluator(filter, isStanding: isStanding)
        } else {
            evaluator = nil
        }
        if query.ids != nil, let hiding = query.rule {
            rule = try FilterEvaluator(hiding, isStanding: isStanding)
        } else {
            rule = nil
        }
        source = Planner.source(for: query)
        order = query.ids == nil ? RowOrder(query.order) : .natural
        ranks = query.ids.map { AskedRanks($0) }
    }

    /// Chooses how `view` answers: by which of its indexes, or by a scan. For that view alone.
    ///
    /// - Complexity: O(indexes × ranges × log entries), some microseconds but for long lists.
    package func choose(in view: TableView) -> SearchChoice {
        PlanChooser.choose(self, in: view)
    }

    /// Whether `choose` is a matter of microseconds: no long list and no long disjunction.
    package var choosesQuickly: Bool { query.filter?.isLong != true }

    /// Whether an expression of the filter gave up on a text, so that `matches` says nothing.
    package var isExhausted: Bool { evaluator?.isExhausted ?? false }

    /// The most rows that a search of `view` examines.
    package func estimatedRows(in view: TableView) -> Int {
        choose(in: view).maximumRows
    }

    /// Rows times tests: what a search costs at most that was chosen so, in units of about 20 ns; by
    /// it a server decides whether to answer at once or on a worker. What a regular expression
    /// costs depends on the text, so it counts as more than any limit.
    package func cost(of choice: SearchChoice) -> Int {
        let rows = choice.maximumRows
        if evaluator?.hasExpressions ?? false, rows > 0 { return .max }
        let nodes = (evaluator?.nodeCount ?? 0) + 2 * (query.aggregates?.count ?? 0)
        let (cost, overflow) = rows.multipliedReportingOverflow(by: 1 + nodes)
        return overflow ? .max : cost
    }

    /// `cost` of what `choose` chooses.
    package func estimatedCost(in view: TableView) -> Int {
        cost(of: choose(in: view))
    }

    /// Rows that are taken behind the offset.
    var takes: Int {
        if query.aggregates != nil { return 0 }
        return max(0, query.limit ?? .max) + (looksAhead ? 1 : 0)
    }

    /// Whether one row more than the window is looked for.
    var looksAhead: Bool {
        guard let limit = query.limit else { return false }
        return query.looksAhead && query.ids == nil && limit > 0 && limit < .max
            && query.aggregates == nil && query.distinct == nil
    }

    /// Whether each match must be read, whatever the window is: for figures other than the number
    /// of all, and for `distinct`, where a window of 100 may be 100 of a million rows.
    var needsEveryMatch: Bool {
        if query.distinct != nil { return true }
        guard let aggregates = query.aggregates else { return false }
        return query.group != nil || aggregates != [.count]
    }

    /// Where a scan begins: at the cursor of the query if rows come in its order, and none before
    /// it needs to be counted.
    func start(in view: TableView) -> TableCursor {
        guard let mark = query.after, case .natural = order, evaluator == nil || !query.count
        else { return view.makeCursor() }
        return view.makeCursor(from: mark.id)
    }

    /// Whether `document` is among the rows of the query when its window is left aside.
    package func matches(_ document: Document) -> Bool {
        if case .none = source { return false }
        if let ranks = ranks?.value, ranks.place(of: document.idBytes) == .max { return false }
        return evaluator?.matches(document) ?? true
    }

    /// `matches` of two images of one entity, false where there is none.
    package func matches(old: Document?, new: Document?) -> (old: Bool, new: Bool) {
        if let old, let new, ranks == nil, let evaluator {
            if case .none = source { return (false, false) }
            let found = evaluator.matches(old, new)
            return (found.first, found.second)
        }
        return (old.map { matches($0) } ?? false, new.map { matches($0) } ?? false)
    }

    /// Whether `left` comes before `right` in the query's answer. The order is total: of two
    /// different ids one precedes the other.
    package func precedes(_ left: Document, _ right: Document) -> Bool {
        if let ranks = ranks?.value {
            return ranks.place(of: left.idBytes) < ranks.place(of: right.idBytes)
        }
        return order.compare(left, right) < 0
    }

    /// Whether the row rule keeps `document`, which was asked for by its id, from whoever asks: then
    /// it is missing as if it did not exist.
    func hides(_ document: Document) -> Bool {
        guard let rule else { return false }
        return !rule.matches(document) || rule.isExhausted
    }

    /// Searches `view` from start to end on the calling thread.
    ///
    /// - Throws: `.timeout` past the deadline.
    package func run(
        on view: TableView, by choice: SearchChoice? = nil, deadline: Deadline = .never
    ) throws(EngineError) -> SearchResult {
        let task = SearchTask(self, on: view, by: choice, deadline: deadline)
        while try task.run(rows: .max) == .more {}
        return task.result
    }
}

/// The places of the ids of `ids=`: sorted when they are first asked for, which live queries do and
/// a search does not.
// SAFETY: its variable is read and written under its lock only.
private final class AskedRanks: @unchecked Sendable {
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

/// What a search found.
package struct SearchResult: Sendable {
    /// The rows of the window, in order.
    package internal(set) var documents: [Document] = []
    /// Rows without the window, where the query counts.
    package internal(set) var total: Int?
    /// Whether there are rows behind the window, where the query looks ahead.
    package internal(set) var hasMore = false
    /// The figures, where the query asks for them: there are no rows then.
    package internal(set) var aggregates: AggregateRows?
    /// The rows of the window by group, where the query groups them.
    package internal(set) var groups: GroupedItems?
    /// Of the query's `ids` those that do not exist, in the order asked for, each once.
    package internal(set) var missing: [EntityID] = []
    /// Rows and ids that were looked at.
    package internal(set) var rowsExamined = 0
    /// How rows were found: `SearchChoice.kind`.
    package internal(set) var plan = ""
    /// What `meta.plan` shows, JSON, where the query asks for it.
    package internal(set) var explanation: [UInt8]?

    /// The digest of the rows of the window.
    package var digest: UInt64 { ResultDigest(documents).value }
}
