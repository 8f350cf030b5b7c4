package import FreshetQuery

/// A query made ready: its filter compiled, its rows' source and order chosen. Made once, run any
/// number of times on any views, from any thread.
package struct SearchPlan: Sendable {
    /// The query as it was asked.
    package let query: Query
    let evaluator: FilterEvaluator?
    let source: RowSource
    let order: RowOrder
    /// The row rule by itself, where ids are asked for: what it hides is missing.
    private let rule: FilterEvaluator?
    /// The query's `ids` for `matches`, nil without.
    private let ranks: RowOrder.Ranks?

    /// Plans `query`.
    ///
    /// - Throws: `.notImplemented` for what the engine does not offer.
    package init(_ query: Query) throws(EngineError) {
        self.query = query
        if let filter = query.filter, filter != .constant(true) {
            evaluator = try FilterEvaluator(filter)
        } else {
            evaluator = nil
        }
        if query.ids != nil, let hiding = query.rule {
            rule = try FilterEvaluator(hiding)
        } else {
            rule = nil
        }
        source = Planner.source(for: query)
        order = query.ids == nil ? RowOrder(query.order) : .natural
        ranks = query.ids.map { RowOrder.Ranks($0) }
    }

    /// How rows are found, for `explain`: `none`, `ids` (asked for), `id` (named by the filter),
    /// `scan`.
    package var name: String { source.name }

    /// The most rows that a search of `view` examines; by it a server decides whether to answer at
    /// once or on a worker.
    package func estimatedRows(in view: TableView) -> Int {
        switch source {
        case .none: return 0
        case .asked(let ids), .named(let ids): return ids.count
        case .scan:
            guard evaluator == nil, let limit = query.limit else { return view.count }
            if limit == 0 { return 0 }
            let (window, overflow) = query.offset.addingReportingOverflow(limit)
            switch order {
            case .natural: return overflow ? view.count : min(view.count, window)
            case .ids(let ranks):
                if query.after != nil { return view.count }
                return min(view.count, overflow ? view.count : window + ranks.asked.count)
            case .keys: return view.count
            }
        }
    }

    /// Whether an expression of the filter gave up on a text, so that `matches` says nothing.
    package var isExhausted: Bool { evaluator?.isExhausted ?? false }

    /// Rows times tests: what a search of `view` costs at most, in units of about 20 ns. What a
    /// regular expression costs depends on the text, so it counts as more than any limit.
    package func estimatedCost(in view: TableView) -> Int {
        if evaluator?.hasExpressions ?? false, estimatedRows(in: view) > 0 { return .max }
        let nodes = evaluator?.nodeCount ?? 0
        let (cost, overflow) = estimatedRows(in: view).multipliedReportingOverflow(by: 1 + nodes)
        return overflow ? .max : cost
    }

    /// Whether one row more than the window is looked for.
    var looksAhead: Bool {
        guard let limit = query.limit else { return false }
        return query.looksAhead && query.ids == nil && limit > 0 && limit < .max
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
        if let ranks, ranks.place(of: document.idBytes) == .max { return false }
        return evaluator?.matches(document) ?? true
    }

    /// Whether `left` comes before `right` in the query's answer. The order is total: of two
    /// different ids one precedes the other.
    package func precedes(_ left: Document, _ right: Document) -> Bool {
        if let ranks {
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
        on view: TableView, deadline: Deadline = .never
    ) throws(EngineError) -> SearchResult {
        let task = SearchTask(self, on: view, deadline: deadline)
        while try task.run(rows: .max) == .more {}
        return task.result
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
    /// Of the query's `ids` those that do not exist, in the order asked for, each once.
    package internal(set) var missing: [EntityID] = []
    /// Rows and ids that were looked at.
    package internal(set) var rowsExamined = 0
    /// How rows were found, as `SearchPlan.name`.
    package internal(set) var plan = ""

    /// The digest of the rows of the window.
    package var digest: UInt64 { ResultDigest(documents).value }
}
