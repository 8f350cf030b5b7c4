import FreshetBase
package import FreshetQuery

/// A query made ready: its filter compiled, its order settled, its rows' source as far as no view is
/// needed to tell. Made once, run any number of times on any views, from any thread; `choose` finds
/// the way through the indexes of one view.
package final class SearchPlan: Sendable {
    /// The query as it was asked.
    package let query: Query
    /// Which documents are among the rows, and how these follow each other.
    package let matcher: RowMatcher
    package let sequence: RowSequence
    let source: RowSource
    /// The row rule by itself, where ids are asked for: what it hides is missing.
    let rule: FilterEvaluator?
    private let knownGround = LazyReference<ChoiceGround>()

    var evaluator: FilterEvaluator? { matcher.evaluator }
    var order: RowOrder { sequence.order }

    /// Plans `query`.
    ///
    /// - Parameter isStanding: Whether the plan is kept, as one of many.
    /// - Throws: `.notImplemented` for what the engine does not offer.
    package init(
        _ asked: consuming Query, isStanding: Bool = false
    ) throws(EngineError) {
        query = asked
        var evaluator: FilterEvaluator?
        if let filter = query.filter, filter != .constant(true) {
            evaluator = try FilterEvaluator(filter, isStanding: isStanding)
        }
        if query.ids != nil, let hiding = query.rule {
            rule = try FilterEvaluator(hiding, isStanding: isStanding)
        } else {
            rule = nil
        }
        source = Planner.source(for: query)
        let ranks = query.ids.map { AskedRanks($0) }
        var isEmpty = false
        if case .none = source { isEmpty = true }
        matcher = RowMatcher(evaluator: evaluator, ranks: ranks, isEmpty: isEmpty)
        sequence = RowSequence(
            order: query.ids == nil ? RowOrder(query.order) : .natural, ranks: ranks)
    }

    /// Plans a query again of which these were kept; not one that asks for ids.
    package init(
        _ asked: consuming Query, matcher: RowMatcher, sequence: RowSequence
    ) {
        precondition(asked.ids == nil, "what a rule hides of ids is not kept")
        query = asked
        self.matcher = matcher
        self.sequence = sequence
        source = Planner.source(for: query)
        rule = nil
    }

    /// Chooses how `view` answers: by which of its indexes, or by a scan. For that view alone.
    ///
    /// - Complexity: O(indexes × ranges × log entries), some microseconds but for long lists.
    package func choose(in view: TableView) -> SearchChoice {
        PlanChooser.choose(self, in: view)
    }

    /// What the choice stands on in every view; made for the first that has indexes.
    var ground: ChoiceGround {
        knownGround.load() ?? knownGround.storeIfNil(ChoiceGround(query))
    }

    /// Whether `choose` is a matter of microseconds: no long list and no long disjunction.
    package var choosesQuickly: Bool { query.filter?.isLong != true }

    /// Rows times tests: what a search costs at most that was chosen so, in units of about 20 ns; by
    /// it a server decides whether to answer at once or on a worker. What a regular expression
    /// costs depends on the text, and what many a test costs on how large the value is: they count as
    /// more than any limit. So does a page mark that is long.
    package func cost(of choice: SearchChoice) -> Int {
        let rows = choice.maximumRows
        if let evaluator, rows > 0,
            evaluator.hasExpressions || evaluator.variableTests > Self.mostVariableTests
        {
            return .max
        }
        if let mark = query.after, mark.bytes > Self.mostMarkBytes { return .max }
        let nodes = (evaluator?.testWork ?? 0) + 2 * (query.aggregates?.count ?? 0)
        let (cost, overflow) = rows.multipliedReportingOverflow(by: 1 + nodes)
        return overflow ? .max : cost
    }

    /// Of a page mark beside whose values those of a row are read at once.
    private static let mostMarkBytes = 4_096

    /// Tests on values of any size that are made at once: one takes some milliseconds of a megabyte.
    private static let mostVariableTests = 16

    /// Whether it may be kept beside many others: its filter has few tests, short literals and no
    /// expressions, whose automatons would hold room that all share.
    package var isSmall: Bool {
        guard let evaluator else { return true }
        return evaluator.nodeCount <= Self.fewTests && !evaluator.hasExpressions
            && matcher.countedSize == 0
    }

    /// Each has up to 0.7 KB that finds its property.
    private static let fewTests = 16

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

    /// Whether `document` is among the rows of the query when its window is left aside; nil where that
    /// took more than the patience.
    package func matches(
        _ document: Document, patience: Int = FilterEvaluator.patience
    ) -> Bool? {
        matcher.matches(document, patience: patience)
    }

    /// Whether `left` comes before `right` in the query's answer; see `RowSequence`.
    package func precedes(_ left: Document, _ right: Document) -> Bool {
        sequence.precedes(left, right)
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
