import FreshetQuery

// Which way to the rows.
//
// Every way gives all rows of the answer, so a wrong choice is slow and nothing worse. What a way
// costs is told by counts that are exact (a range of an index is counted in O(log n)), and by one
// guess: how far a search goes that may stop when its window is full. It is made from the counts of
// the other conditions, as if they had nothing to do with each other, and taken twice over. Where
// it is wrong by much (all games are at the far end of the order), the search starts again on the
// way whose cost is certain: see `SearchChoice.Fallback`.
//
// Costs are in rows of a scan. A row that comes from an index counts as two, for it lies anywhere
// in memory, where a scan mostly reads on.

/// Weighs the ways to the rows of one search of one view.
struct PlanChooser {
    /// A way with its price.
    private struct Way {
        let choice: SearchChoice
        /// What it is expected to cost.
        let cost: Double
        /// What it costs if it does not stop early.
        let certainCost: Double

        var option: SearchChoice.Option {
            SearchChoice.Option(
                name: choice.source.name, kind: choice.kind, rows: choice.maximumRows, cost: cost)
        }
    }

    private enum Price {
        static let indexRow = 2.0
        static let heapRow = 0.2
        /// An entry that is noted down, and one that is looked up among those.
        static let noted = 0.15
        static let lookedUp = 0.08
        /// What is left of the rows by a condition that no index knows.
        static let unknownShare = 0.25
        static let doubt = 2.0
    }

    /// Elements of one `hasAll`, and parts of one disjunction, that are weighed at most.
    private static let maximumLookups = 16
    /// A choice whose cost is below this needs no second one.
    private static let leastPatience = 2_000

    private let plan: SearchPlan
    private let view: TableView
    private let ground: ChoiceGround
    /// Rows of the answer that are wanted, those of its offset included.
    private let window: Int
    private var wantsAll: Bool
    private var total: Int?
    private var counted: IndexRanges?
    /// Ranges of indexes and of elements, the fewest entries first.
    private var candidates: [IndexRanges] = []
    /// How many rows match, as a guess.
    private var matches = 0.0
    private var ways: [Way] = []
    /// Whether all ways are weighed, even where one is as good as can be.
    private var weighsAll = false

    /// The best way for `plan` in `view`.
    ///
    /// - Complexity: O(indexes × ranges × log entries), about 5 µs for one index and one value.
    static func choose(_ plan: SearchPlan, in view: TableView) -> SearchChoice {
        guard case .scan = plan.source, !view.indexes.isEmpty else {
            return withoutIndexes(plan, view)
        }
        if plan.ground.bounds.isNever {
            return SearchChoice(source: .none, isOrdered: true, total: 0, maximumRows: 0)
        }
        var chooser = PlanChooser(plan, view)
        return chooser.choose()
    }

    /// All ways that are weighed, for tests: each must give the same answer.
    static func everyChoice(_ plan: SearchPlan, in view: TableView) -> [SearchChoice] {
        var chooser = PlanChooser(plan, view)
        let best = choose(plan, in: view)
        guard case .scan = plan.source, !view.indexes.isEmpty, !chooser.bounds.isNever else {
            return [best]
        }
        chooser.weighsAll = true
        _ = chooser.choose()
        return [best] + chooser.ways.map(\.choice)
    }

    // MARK: Without indexes

    private static func withoutIndexes(_ plan: SearchPlan, _ view: TableView) -> SearchChoice {
        switch plan.source {
        case .none:
            return SearchChoice(source: .none, isOrdered: true, total: 0, maximumRows: 0)
        case .asked(let ids):
            return SearchChoice(source: plan.source, isOrdered: true, maximumRows: ids.count)
        case .named(let ids):
            return SearchChoice(
                source: plan.source, isOrdered: plan.order.isNatural, maximumRows: ids.count)
        case .scan, .indexes:
            return scan(plan, view, total: plan.evaluator == nil ? view.count : nil)
        }
    }

    /// Looks at all rows, or the first ones of `order=ids:` and then all others.
    private static func scan(
        _ plan: SearchPlan, _ view: TableView, total: Int?
    ) -> SearchChoice {
        var choice = SearchChoice(
            source: .scan, isOrdered: !plan.order.hasKeys, total: total, maximumRows: view.count)
        guard plan.evaluator == nil, !plan.needsEveryMatch else { return choice }
        if plan.takes == 0 { choice.maximumRows = 0 }
        let (window, overflow) = plan.query.offset.addingReportingOverflow(plan.takes)
        guard choice.isOrdered, !overflow, plan.takes > 0 else { return choice }
        switch plan.order {
        case .ids(let ranks) where plan.query.after == nil:
            choice.maximumRows = min(view.count, min(view.count, window) + ranks.asked.count)
        case .natural: choice.maximumRows = min(view.count, window)
        default: break
        }
        return choice
    }

    // MARK: With indexes

    private init(_ plan: SearchPlan, _ view: TableView) {
        self.plan = plan
        self.view = view
        ground = plan.ground
        let (window, overflow) = plan.query.offset.addingReportingOverflow(plan.takes)
        self.window = overflow ? .max : window
        wantsAll = plan.needsEveryMatch || window == .max
        weighsAll = plan.query.explain
    }

    private var bounds: FilterBounds { ground.bounds }

    private var order: [OrderKey]? { ground.order }

    private mutating func choose() -> SearchChoice {
        let known = ground.spans(of: view)
        for (index, spans) in zip(view.indexes, known) where !spans.list.isEmpty {
            candidates.append(IndexRanges(index.view, spans))
        }
        for lookup in bounds.lookups.prefix(Self.maximumLookups) {
            guard let index = index(on: lookup.path) else { continue }
            guard let elements = index.elementView else {
                return SearchChoice(source: .none, isOrdered: true, total: 0, maximumRows: 0)
            }
            candidates.append(IndexRanges(elements, having: lookup.elements, at: lookup.path))
        }
        candidates.sort { $0.count < $1.count }
        findTotal()
        if let choice = withoutRows() { return choice }
        guessMatches()
        for ranges in candidates {
            addWalk(ranges)
            if let choice = unbeaten() { return choice }
        }
        if !wantsAll {
            // Ranges of an index have its order, and fewer rows.
            for (index, spans) in zip(view.indexes, known) where spans.list.isEmpty {
                addWholeWalk(index.view, spans)
                if let choice = unbeaten() { return choice }
            }
        }
        addScan()
        addUnions()
        addIntersection()
        return best()
    }

    private func index(on path: PropertyPath) -> OrderedIndex? {
        view.indexes.first {
            $0.definition.keys.count == 1 && $0.definition.keys[0].path == path
        }
    }

    /// Whether rows of `ranges` match, all of them.
    private func isImplied(by ranges: IndexRanges) -> Bool {
        guard bounds.isExact, ranges.isExact else { return false }
        if ranges.isElements { return bounds.sets.isEmpty && bounds.lookups.count == 1 }
        return bounds.lookups.isEmpty && bounds.sets.allSatisfy { ranges.paths.contains($0.path) }
    }

    private mutating func findTotal() {
        let isWanted = plan.query.count || plan.query.aggregates == [.count]
        guard isWanted else { return }
        if plan.evaluator == nil {
            total = view.count
        } else if let ranges = candidates.first(where: { isImplied(by: $0) && !$0.repeats }) {
            total = ranges.count
            counted = ranges
        }
        if total == nil { wantsAll = true }
    }

    /// The choice where no row is wanted.
    private func withoutRows() -> SearchChoice? {
        guard plan.takes == 0, !wantsAll, plan.query.distinct == nil else { return nil }
        if plan.query.aggregates != nil, total == nil { return nil }
        return SearchChoice(
            source: .none, isOrdered: true, total: total, counted: counted, maximumRows: 0,
            options: plan.query.explain ? candidates.map { option($0, cost: 0) } : [])
    }

    private func option(_ ranges: IndexRanges, cost: Double) -> SearchChoice.Option {
        SearchChoice.Option(
            name: "\(ranges.definition)", kind: ranges.isElements ? "elements" : "index",
            rows: ranges.count, cost: cost)
    }

    /// Shares multiply, of conditions that have no property in common.
    private mutating func guessMatches() {
        let all = Double(max(1, view.count))
        matches = all
        var known: [PropertyPath] = []
        for ranges in candidates where !ranges.paths.contains(where: known.contains) {
            matches *= Double(ranges.count) / all
            known += ranges.paths
        }
        var unknown = bounds.sets.filter { !known.contains($0.path) }.count
        if !bounds.isExact, unknown == 0 { unknown = 1 }
        for _ in 0..<min(unknown, 8) { matches *= Price.unknownShare }
        matches = max(matches, 1)
    }

    /// How many of `count` rows, in which all matches are, a search looks at that stops with its
    /// window, or `parts` searches each of which does.
    private func rowsUntilFull(of count: Int, parts: Int = 1, isImplied: Bool) -> Int {
        guard !wantsAll else { return count }
        let wanted = Double(window) * Double(parts)
        let share = min(1, matches / Double(max(1, count)))
        let rows = isImplied ? wanted : wanted / share * Price.doubt
        return rows < Double(count) ? Int(rows) : count
    }

    // MARK: Ways

    private mutating func addScan() {
        var choice = Self.scan(plan, view, total: total)
        let count = view.count
        var rows = count
        if choice.isOrdered {
            rows = rowsUntilFull(of: count, isImplied: plan.evaluator == nil)
        }
        choice.counted = counted
        let price = choice.isOrdered ? 1.0 : 1.0 + Price.heapRow
        ways.append(
            Way(
                choice: choice, cost: Double(rows) * price, certainCost: Double(count) * price))
    }

    private mutating func addWalk(_ ranges: IndexRanges) {
        let all = IndexPart(
            view: ranges.view, ranks: ranges.groups.flatMap(\.ranks), isBackward: false)
        var path = IndexPath(
            ranges: [ranges], parts: [all], stop: .never, repeats: ranges.repeats)
        let isOneGroup = ranges.groups.count <= 1
        if let fit = isOneGroup ? ranges.spans.groupFit : ranges.spans.fit {
            path.parts = [
                IndexPart(view: ranges.view, ranks: all.ranks, isBackward: fit.isBackward)
            ]
            path.stop = fit.isWhole ? .window : .keys(fit.keys)
        } else if let fit = ranges.spans.groupFit {
            path.parts = ranges.groups.map {
                IndexPart(view: ranges.view, ranks: $0.ranks, isBackward: fit.isBackward)
            }
            path.stop = fit.isWhole ? .part : .keys(fit.keys)
        }
        add(path, isImplied: isImplied(by: ranges))
    }

    /// All rows in the order of an index.
    private mutating func addWholeWalk(_ index: IndexView, _ spans: IndexSpans) {
        guard order?.isEmpty == false, let fit = spans.fit else { return }
        let ranges = IndexRanges(index, spans)
        let part = IndexPart(
            view: index, ranks: ranges.groups.flatMap(\.ranks), isBackward: fit.isBackward)
        add(
            IndexPath(
                ranges: [ranges], parts: [part], stop: fit.isWhole ? .window : .keys(fit.keys),
                repeats: false),
            isImplied: plan.evaluator == nil)
    }

    private mutating func add(_ path: IndexPath, isImplied: Bool) {
        var path = path
        let count = path.count
        var rows = count
        var isOrdered = false
        var most = count
        switch path.stop {
        case .never: break
        case .window:
            isOrdered = true
            rows = rowsUntilFull(of: count, isImplied: isImplied)
            if isImplied, !wantsAll {
                // The offset is left out by its rank.
                rows = min(count, plan.takes)
                most = rows
            }
        case .part:
            rows = rowsUntilFull(of: count, parts: path.parts.count, isImplied: isImplied)
        case .keys:
            rows = rowsUntilFull(of: count, isImplied: false)
        }
        if wantsAll, !isOrdered { path.stop = .never }
        let price = Price.indexRow + (isOrdered ? 0 : Price.heapRow)
        var choice = SearchChoice(
            source: .indexes(path), isOrdered: isOrdered, isImplied: isImplied, total: total,
            counted: counted, maximumRows: most)
        leaveOut(&choice)
        ways.append(
            Way(
                choice: choice, cost: Double(rows) * price, certainCost: Double(most) * price))
    }

    /// Takes what comes before the query's mark, or its offset, out of a way that is in order.
    private func leaveOut(_ choice: inout SearchChoice) {
        guard choice.isOrdered, !wantsAll, case .indexes(var path) = choice.source,
            path.parts.count == 1
        else { return }
        if let mark = plan.query.after {
            guard let values = values(of: mark, in: path.ranges[0]) else {
                choice.maximumRows = path.count
                return
            }
            path.parts = path.parts[0].behind(values, mark.id)
            choice.startsBehindMark = true
        } else if choice.isImplied, plan.query.offset > 0 {
            path.parts = path.parts[0].dropFirst(plan.query.offset)
            choice.skipped = plan.query.offset
        }
        choice.source = .indexes(path)
    }

    /// The mark's value of each key of an index whose order is that of the answer; nil where the
    /// mark has another value of a key that is the same in all rows of the ranges, so that they
    /// are all before it or all behind.
    private func values(of mark: PageMark, in ranges: IndexRanges) -> [[UInt8]]? {
        let null = Array("null".utf8)
        let keys = ranges.definition.keys
        func constant(_ path: PropertyPath) -> [UInt8]? {
            if let pinned = bounds.values(at: path)?.point { return pinned }
            guard ranges.groups.count == 1, let place = keys.firstIndex(where: { $0.path == path })
            else { return nil }
            let equal = ranges.groups[0].equal
            return place < equal.count ? equal[place] : nil
        }
        for (key, value) in zip(order ?? [], mark.values) {
            guard let constant = constant(key.path) else { continue }
            guard ValueSet.compare(constant, value ?? null) == 0 else { return nil }
        }
        return keys.map { key in
            if let constant = constant(key.path) { return constant }
            let place = order?.firstIndex { $0.path == key.path }
            return place.flatMap { mark.values[$0] } ?? null
        }
    }

    private mutating func addUnions() {
        for parts in bounds.alternatives {
            var path = IndexPath(ranges: [], parts: [], stop: .never, repeats: true)
            guard union(of: parts, into: &path) else { continue }
            add(path, isImplied: false)
        }
    }

    /// Adds for each of `parts` its best ranges.
    ///
    /// - Returns: false where there is a part for which there are none.
    private func union(of parts: [FilterBounds], into path: inout IndexPath) -> Bool {
        for part in parts {
            guard let best = fewest(of: part) else { return false }
            path.ids += best.ids
            for ranges in best.ranges {
                path.parts.append(
                    IndexPart(
                        view: ranges.view, ranks: ranges.groups.flatMap(\.ranks),
                        isBackward: false))
            }
            let all = path.ranges + best.ranges
            path = IndexPath(
                ranges: all, parts: path.parts, ids: path.ids, stop: .never, repeats: true)
        }
        path.ids = Planner.sortedDistinct(path.ids)
        return true
    }

    /// Ranges and ids that hold every row of `bounds`, as few as can be told; nil where no index
    /// helps. Recursion is as deep as the filter.
    private func fewest(of bounds: FilterBounds) -> (ranges: [IndexRanges], ids: [EntityID])? {
        var best: (ranges: [IndexRanges], ids: [EntityID])?
        var least = Int.max
        func take(_ ranges: [IndexRanges], _ ids: [EntityID]) {
            let count = ranges.reduce(ids.count) { $0 + $1.count }
            guard count < least else { return }
            least = count
            best = (ranges, ids)
        }
        if let ids = bounds.ids { take([], ids) }
        for index in view.indexes {
            let spans = IndexSpans(index.definition, bounds)
            if !spans.list.isEmpty { take([IndexRanges(index.view, spans)], []) }
        }
        for lookup in bounds.lookups.prefix(Self.maximumLookups) {
            guard let index = index(on: lookup.path) else { continue }
            guard let elements = index.elementView else { return ([], []) }
            take([IndexRanges(elements, having: lookup.elements, at: lookup.path)], [])
        }
        for parts in bounds.alternatives {
            var path = IndexPath(ranges: [], parts: [], stop: .never, repeats: true)
            if union(of: parts, into: &path) { take(path.ranges, path.ids) }
        }
        return best
    }

    /// Notes the rows of the smallest ranges down and walks through the next that are about
    /// something else.
    private mutating func addIntersection() {
        guard let first = candidates.first else { return }
        let other = candidates.dropFirst().first { ranges in
            !ranges.repeats && !ranges.paths.contains(where: first.paths.contains)
        }
        guard let other, first.count > 0 else { return }
        let (few, many) = (Double(first.count), Double(other.count))
        let both = few * many / Double(max(1, view.count))
        let cost =
            few * Price.noted + many * Price.lookedUp
            + both * (Price.indexRow + Price.heapRow)
        let path = IndexPath(
            ranges: [other],
            parts: [
                IndexPart(
                    view: other.view, ranks: other.groups.flatMap(\.ranks), isBackward: false)
            ], stop: .never, among: first, repeats: false)
        let choice = SearchChoice(
            source: .indexes(path), isOrdered: false, total: total, counted: counted,
            maximumRows: first.count + other.count / 8)
        ways.append(Way(choice: choice, cost: cost, certainCost: cost))
    }

    // MARK: The choice

    /// The last way, if it looks at no row but those of the answer, so that nothing else needs to be
    /// weighed; `explain` shows what else there is.
    private func unbeaten() -> SearchChoice? {
        guard !weighsAll, let way = ways.last, way.choice.isOrdered, way.choice.isImplied,
            !wantsAll, way.choice.maximumRows <= plan.takes
        else { return nil }
        return way.choice
    }

    private func best() -> SearchChoice {
        var cheapest = ways[0]
        var surest = ways[0]
        for way in ways.dropFirst() {
            if way.cost < cheapest.cost { cheapest = way }
            if way.certainCost < surest.certainCost { surest = way }
        }
        let options = plan.query.explain ? ways.map(\.option) : []
        var choice = cheapest.choice
        choice.options = options
        if cheapest.certainCost > surest.certainCost * 4 {
            var other = surest.choice
            other.options = options
            choice.fallback = SearchChoice.Fallback(
                other, after: max(Self.leastPatience, Int(surest.certainCost)))
        }
        return choice
    }
}

/// How the order of an index, or of a part in which some properties have one value, fits that of
/// an answer.
struct OrderFit {
    /// The answer's first keys, by which the part is ordered.
    let keys: [OrderKey]
    /// Whether the part is ordered as the answer is, ties by id included.
    let isWhole: Bool
    let isBackward: Bool

    /// - Parameter constant: Properties that have one value in the part.
    /// - Returns: nil where not even one key fits.
    init?(_ definition: IndexDefinition, _ order: [OrderKey], constant: [PropertyPath]) {
        let own = definition.keys.filter { !constant.contains($0.path) }
        let wanted = order.filter { !constant.contains($0.path) }
        isBackward = (own.first?.descending ?? false) != (wanted.first?.descending ?? false)
        var fitting = 0
        for (key, other) in zip(own, wanted) {
            guard key.path == other.path, !other.caseInsensitive,
                (key.descending != other.descending) == isBackward
            else { break }
            fitting += 1
        }
        isWhole = fitting == wanted.count && fitting == own.count
        guard fitting > 0 || isWhole else { return nil }
        var left = fitting
        keys = Array(
            order.prefix { key in
                if constant.contains(key.path) { return true }
                left -= 1
                return left >= 0
            })
    }
}

extension RowOrder {
    var isNatural: Bool {
        if case .natural = self { return true }
        return false
    }

    var hasKeys: Bool {
        if case .keys = self { return true }
        return false
    }
}
