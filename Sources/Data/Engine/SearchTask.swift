import FreshetBase
import FreshetQuery

/// One search of one view, run in slices, so that a long one can share its thread.
///
/// Where rows come from is the choice's business (`SearchChoice`). Three ways with them:
/// - a **stream**, where rows come in the order of the answer (by id, `ids=`, `order=ids:`, an index
///   that fits): the window is filled as they come, and the search stops when it is full and
///   nothing is left to count;
/// - a **heap**, where they do not: the first offset + limit rows are kept, at the end the window is
///   taken off its far side, so nothing outside it is sorted. Where rows come in parts that are in
///   order, a part ends with the first row that the heap has no place for;
/// - **counting**, behind a full window.
///
/// In front of the window stands `distinct`, which lets one row of each value through; in its place
/// stand figures (`aggregate`), which take every row. What `distinct` keeps back and the rows of
/// figures come at the end, in slices as well.
///
/// Time is asked for by work, not by rows, since a row may be a megabyte or a filter have a
/// thousand tests: about every 0.1 ms.
// SAFETY: has no lock; its owner runs one slice at a time, from whichever thread, and hands it over
// with a happens-before (a queue). Everything in it is immutable or its own.
package final class SearchTask: @unchecked Sendable {
    /// Whether there is more to do.
    package enum Progress: Sendable {
        case more, done
    }

    /// Rows still to come.
    private enum Rows {
        /// Ids to look up, and whether an absent one is reported.
        case ids([EntityID], next: Int, reports: Bool)
        case cursor(TableCursor)
        /// Entries whose documents are noted in `among`.
        case noted(IndexWalk)
        case walk(IndexWalk)
        case end
    }

    private let plan: SearchPlan
    private var choice: SearchChoice
    private let view: TableView
    /// Its owner may put it off between two slices.
    package var deadline: Deadline
    private var rows: Rows
    /// Of `order=ids:`: ids in id order that the scan leaves out, for it has shown them before.
    private var shown: [EntityID] = []
    private var shownIndex = 0
    /// The walk that comes when the ids that the filter names are done.
    private var walkBehind: IndexWalk?
    /// Of an intersection, the rows of its other side.
    private var among: AddressSet?
    /// Rows so far, where one may come more than once.
    private var seen: AddressSet?
    /// The filter; nil where all rows of the source match.
    private var evaluator: FilterEvaluator?
    private var stop = IndexPath.Stop.never
    /// Whether `choice` stands in for one that took too long.
    private var hasGivenUp = false
    /// Whether no further row of this part can change the answer.
    private var isPartDone = false
    private var top: TopRows?
    /// Rows that were taken off the heap, the last one first.
    private var window: [Document] = []
    /// Work of the order that the slice has not been charged for.
    private var unpaid = 0
    /// The query's `after`, and the order in which it is a place: read at each row, so that the plan's
    /// query is not copied for it.
    private let mark: PageMark?
    private let markOrder: RowOrder
    /// What a look at its values may take beside short ones.
    private let markWork: Int
    /// The rest of the window: rows to skip, then rows to take.
    private var skips: Int
    private var takes: Int
    private let distinct: DistinctRows?
    /// How many of the rows that `distinct` kept back have gone on.
    private var released = 0
    private let aggregator: Aggregator?
    private var matched = 0
    private var found = SearchResult()
    /// Work since the clock was last read.
    private var work = 0
    private static let workPerClock = 4096
    /// Rows whose price a part of the figures has that are sorted and written at the end.
    private static let rowsOfFigures = 10_000
    /// Ids that are looked up together.
    private static let idsAtOnce = 32
    /// Bytes of JSON of a part whose rows go one by one.
    private static let longPart = 1 << 20
    /// What a part of several rows may take the filter, in its steps: 50 ms. Beyond, they are asked about
    /// one by one, each with a patience of its own and a look at the clock behind it.
    private static let partPatience = 10_000_000
    /// The last part took the filter long.
    private var isSlow = false
    /// What the last test by the filter took.
    private var effort = 0

    /// Prepares to run `plan` on `view`.
    ///
    /// - Parameter choice: What the plan chose in this very view; nil: it chooses now.
    package init(
        _ plan: SearchPlan, on view: TableView, by choice: SearchChoice? = nil,
        deadline: Deadline = .never
    ) {
        self.plan = plan
        self.view = view
        self.deadline = deadline
        let choice = choice ?? plan.choose(in: view)
        self.choice = choice
        // Where either stands every match is read, and no choice is given up.
        let order = choice.isOrdered ? nil : plan.order
        distinct = plan.query.distinct.map { DistinctRows($0, order: order) }
        aggregator = plan.query.aggregates.map {
            Aggregator($0, by: plan.query.group, order: order)
        }
        skips = 0
        takes = 0
        rows = .end
        mark = plan.query.after
        markWork = (plan.query.after?.bytes ?? 0) >> 6
        markOrder = mark == nil ? .natural : RowOrder(plan.query.order.canonical())
        start()
    }

    /// Begins at the front of what `choice` leads to.
    private func start() {
        found = SearchResult()
        found.plan = choice.kind
        evaluator = choice.isImplied ? nil : plan.evaluator
        effort = 0
        (among, seen, walkBehind, stop, isPartDone) = (nil, nil, nil, .never, false)
        (shown, shownIndex) = ([], 0)
        matched = 0
        skips = max(0, plan.query.offset) - choice.skipped
        takes = plan.takes
        top = nil
        // Where all rows are skipped none is kept.
        if !choice.isOrdered, takes > 0, skips < view.count {
            let (capacity, overflow) = skips.addingReportingOverflow(takes)
            top = TopRows(plan.order, capacity: overflow ? .max : capacity)
        }
        switch choice.source {
        case .none:
            rows = .end
        case .asked(let ids):
            rows = .ids(ids, next: 0, reports: true)
        case .named(let ids):
            rows = .ids(ids, next: 0, reports: false)
        case .scan:
            startScan()
        case .indexes(let path):
            start(path)
        }
        // Where the number of matches is known rows need not be walked for it.
        if let total = choice.total, distinct == nil {
            if plan.query.count { found.total = total }
            if let aggregator, aggregator.onlyCounts {
                aggregator.add(rows: total)
                rows = .end
            } else if takes == 0, aggregator == nil {
                rows = .end
            }
        } else if takes == 0, aggregator == nil, !plan.query.count, plan.query.ids == nil {
            rows = .end
        }
    }

    /// A scan with `order=ids:` is a search by these ids, then the scan without them.
    private func startScan() {
        guard case .ids(let ranks) = plan.order else {
            rows = .cursor(plan.start(in: view))
            return
        }
        rows = .ids(ranks.asked, next: 0, reports: false)
        shown = ranks.sorted
        shownIndex = 0
    }

    private func start(_ path: IndexPath) {
        stop = path.stop
        seen = path.repeats ? AddressSet() : nil
        let walk = IndexWalk(path.parts)
        if let other = path.among {
            among = AddressSet(capacity: other.count)
            walkBehind = walk
            let part = IndexPart(
                view: other.view, ranks: other.groups.flatMap(\.ranks), isBackward: false)
            rows = .noted(IndexWalk([part]))
        } else if path.ids.isEmpty {
            rows = .walk(walk)
        } else {
            walkBehind = walk
            rows = .ids(path.ids, next: 0, reports: false)
        }
    }

    /// What was found; complete once `run` returned `.done`.
    package var result: SearchResult { found }

    /// Examines up to `budget` rows.
    ///
    /// - Throws: `.timeout` past the deadline; the task is of no use afterwards.
    package func run(rows budget: Int) throws(EngineError) -> Progress {
        var left = max(1, budget)
        while left > 0 {
            defer { payOrder(&left) }
            switch rows {
            case .end:
                if try conclude(&left) { return .done }
            case .ids(let ids, let next, let reports):
                try examine(ids, from: next, reports: reports, &left)
            case .cursor:
                try examineRun(&left)
            case .noted:
                try noteRun(&left)
            case .walk:
                try examineWalk(&left)
            }
        }
        if case .end = rows, aggregator == nil, top == nil, !(distinct?.holdsBack ?? false) {
            try finish()
            return .done
        }
        return .more
    }

    /// Goes on when there are no more rows.
    ///
    /// - Returns: Whether all is done.
    private func conclude(_ left: inout Int) throws(EngineError) -> Bool {
        if let distinct, distinct.holdsBack {
            while released < distinct.held.count {
                guard left > 0 else { return false }
                left -= 1
                let document = distinct.held[released]
                released += 1
                try spend(on: document)
                try accept(document)
            }
        }
        if let aggregator {
            // The clock is asked behind each part, whatever the slice may take.
            let part = min(left, Self.rowsOfFigures)
            var rest = part
            let encoded = try aggregator.encode(&rest)
            left -= part - rest
            work += 2 * (part - rest)
            try checkClock()
            guard let rows = encoded else { return false }
            found.aggregates = rows
        }
        guard try takeHeap(&left) else { return false }
        try finish()
        return true
    }

    private func examine(
        _ ids: [EntityID], from start: Int, reports: Bool, _ left: inout Int
    ) throws(EngineError) {
        var next = start
        while next < ids.count, left > 0 {
            let part = ids[next..<min(ids.count, next + min(left, Self.idsAtOnce))]
            for (id, document) in zip(part, view.documents(part)) {
                next += 1
                left -= 1
                found.rowsExamined += 1
                if let document, try !isHidden(document, &left) {
                    try test(document, &left)
                } else if reports {
                    found.missing.append(id)
                }
                if isSatisfied, !reports {
                    rows = .end
                    return
                }
            }
        }
        if next < ids.count {
            rows = .ids(ids, next: next, reports: reports)
        } else if let walk = walkBehind.take() {
            rows = .walk(walk)
        } else if shown.isEmpty {
            rows = .end
        } else {
            rows = .cursor(view.makeCursor())
        }
    }

    /// Whether the row rule keeps a row, which was asked for by its id, from whoever asks: then it is
    /// missing as if it did not exist.
    private func isHidden(_ document: Document, _ left: inout Int) throws(EngineError) -> Bool {
        guard let rule = plan.rule else { return false }
        var patience = FilterEvaluator.patience
        let isShown = rule.matches(document, patience: &patience)
        account(FilterEvaluator.patience - patience, &left)
        try spend(on: document)
        guard let isShown else { throw .timeout }
        return !isShown
    }

    /// Examines the rest of a leaf.
    private func examineRun(_ left: inout Int) throws(EngineError) {
        guard case .cursor(var cursor) = rows else { return }
        rows = .end
        let run = cursor.nextRun(limit: left)
        guard !run.isEmpty else { return }
        left -= run.count
        try examine(run, &left)
        guard !isSatisfied else { return }
        rows = .cursor(cursor)
        try giveUpIfSlow()
    }

    /// Examines the next rows of a walk through indexes.
    private func examineWalk(_ left: inout Int) throws(EngineError) {
        guard case .walk(var walk) = rows else { return }
        rows = .end
        let isMore = try walk.nextRun(limit: left) { run throws(EngineError) in
            if canTestTogether {
                left -= run.count
                return try examine(run, &left)
            }
            for document in run {
                left -= 1
                if let among, !among.contains(document) { continue }
                found.rowsExamined += 1
                try test(document, &left)
                if isSatisfied || isPartDone { return }
            }
        }
        guard isMore, !isSatisfied else { return }
        if isPartDone {
            isPartDone = false
            walk.skipPart()
        }
        rows = .walk(walk)
        try giveUpIfSlow()
    }

    /// Notes the next rows of one side of an intersection.
    private func noteRun(_ left: inout Int) throws(EngineError) {
        guard case .noted(var walk) = rows else { return }
        rows = .end
        let isMore = walk.nextRun(limit: left) { run in
            for document in run { _ = among?.insert(document) }
            left -= 1 + run.count >> 3
            work += run.count
        }
        try checkClock()
        if isMore {
            rows = .noted(walk)
        } else if let walk = walkBehind.take() {
            rows = .walk(walk)
        }
    }

    /// Starts again on the way of certain cost, where this one has taken too long.
    private func giveUpIfSlow() throws(EngineError) {
        guard let fallback = choice.fallback, found.rowsExamined > fallback.patience else { return }
        let examined = found.rowsExamined
        choice = fallback.choice
        hasGivenUp = true
        start()
        found.rowsExamined = examined
    }

    /// Asks the filter about a row, and takes it where it matches.
    @inline(__always)
    private func test(_ document: Document, _ left: inout Int) throws(EngineError) {
        try spend(on: document)
        let isMatch = judge(within: FilterEvaluator.patience, else: true) {
            $0.matches(document, patience: &$1)
        }
        guard let isMatch else { throw .timeout }
        if isMatch, seen == nil || seen?.insert(document) == true { try take(document) }
        account(&left)
    }

    /// Whether rows of a walk need no attention one by one.
    private var canTestTogether: Bool {
        guard among == nil, seen == nil else { return false }
        switch stop {
        case .never: return true
        // No more are looked at than the window has.
        case .window: return evaluator == nil
        case .part, .keys: return false
        }
    }

    /// Examines documents that stand one after the other, in parts that are tested as one.
    private func examine(
        _ run: UnsafeBufferPointer<Document>, _ left: inout Int
    ) throws(EngineError) {
        var start = 0
        while start < run.count {
            var length = min(run.count - start, partLength)
            var part = UnsafeBufferPointer(rebasing: run[start..<start + length])
            var bytes = Document.jsonBytes(of: part)
            // Long rows go alone, so that the clock is asked in between.
            if bytes > Self.longPart, length > 1 {
                length = 1
                part = UnsafeBufferPointer(rebasing: run[start..<start + 1])
                bytes = Document.jsonBytes(of: part)
            }
            start += length
            try spend(rows: length, bytes: bytes)
            let all = UInt64.max >> UInt64(FilterEvaluator.runLength - length)
            let patience = length > 1 ? Self.partPatience : FilterEvaluator.patience
            let mask = judge(within: patience, else: all) {
                $0.matches(run: part, patience: &$1)
            }
            account(&left)
            guard let mask else {
                guard length > 1 else { throw .timeout }
                // Each by itself, since it is slow now.
                start -= length
                continue
            }
            try take(part, mask)
            if isSatisfied { return }
        }
    }

    /// Rows of a part: no more than an answer without a filter takes, and few where regular
    /// expressions have turned out to be slow, since they give an account after a part.
    private var partLength: Int {
        if evaluator == nil, top == nil, distinct == nil, takes > 0 {
            let (window, overflow) = skips.addingReportingOverflow(takes)
            return overflow ? FilterEvaluator.runLength : min(FilterEvaluator.runLength, window)
        }
        return isSlow ? 1 : FilterEvaluator.runLength
    }

    /// Takes the rows of `part` whose bits are set.
    private func take(
        _ part: UnsafeBufferPointer<Document>, _ mask: UInt64
    ) throws(EngineError) {
        if let aggregator, distinct == nil, shown.isEmpty {
            found.rowsExamined += part.count
            matched += mask.nonzeroBitCount
            return try aggregator.add(part, mask)
        }
        if isPlainWindow, mask.nonzeroBitCount == part.count, part.count <= takes {
            found.rowsExamined += part.count
            matched += part.count
            takes -= part.count
            found.documents.append(contentsOf: part)
            return
        }
        var left = mask
        if canSkip {
            // What is counted, but cannot be among the first rows, is not looked at again.
            let promising = top?.promising(part, mask) ?? 0
            matched += (mask & ~promising).nonzeroBitCount
            left = promising
        }
        while left != 0 {
            let row = left.trailingZeroBitCount
            left &= left - 1
            if shown.isEmpty || !wasShown(part[row]) { try take(part[row]) }
            if isSatisfied {
                found.rowsExamined += row + 1
                return
            }
        }
        found.rowsExamined += part.count
    }

    /// Whether the next rows that match are the next of the window.
    private var isPlainWindow: Bool {
        shown.isEmpty && distinct == nil && aggregator == nil && top == nil && skips == 0
            && (mark == nil || choice.startsBehindMark)
    }

    /// Whether rows that the heap would refuse need only be counted.
    private var canSkip: Bool {
        shown.isEmpty && distinct == nil && aggregator == nil
            && (mark == nil || choice.startsBehindMark) && (top != nil || takes == 0)
    }

    /// Whether the scan, which goes in id order, is at an id that came first.
    private func wasShown(_ document: Document) -> Bool {
        while shownIndex < shown.count {
            let order = shown[shownIndex].withBytes { EntityID.compare($0, document.idBytes) }
            if order > 0 { return false }
            shownIndex += 1
            if order == 0 { return true }
        }
        return false
    }

    /// Takes a matching row, unless another one of its value stands for it.
    private func take(_ document: Document) throws(EngineError) {
        if let distinct {
            guard try distinct.take(document) else { return }
        }
        try accept(document)
    }

    /// Counts a row, and puts it in the figures, or in the window if it is there.
    private func accept(_ document: Document) throws(EngineError) {
        matched += 1
        if aggregator != nil {
            try aggregator?.add(document)
            return
        }
        if !choice.startsBehindMark, let mark {
            work += markWork
            unpaid += markWork
            try checkClock()
            guard markOrder.isBehind(mark, document) else { return }
        }
        if let top {
            offer(document)
            if top.effort >= Self.mostUncharged { try chargeOrder() }
        } else if skips > 0 {
            skips -= 1
        } else if takes > 0 {
            takes -= 1
            found.documents.append(document)
        }
    }

    /// Puts a row in the heap, and sees whether those behind it can be there.
    private func offer(_ document: Document) {
        guard case .keys(let keys) = stop else {
            let isTaken = top?.offer(document) ?? false
            if case .part = stop { isPartDone = !isTaken }
            return
        }
        if let last = top?.last, top?.isFull ?? false,
            RowOrder.keys(keys).compareKeys(document, last) > 0
        {
            isPartDone = true
        } else {
            _ = top?.offer(document)
        }
    }

    /// Whether no further row can change the answer.
    private var isSatisfied: Bool {
        top == nil && takes == 0 && aggregator == nil
            && (!plan.query.count || found.total != nil)
    }

    private func finish() throws(EngineError) {
        if plan.query.count, found.total == nil { found.total = matched }
        dropLookAhead()
        if plan.query.explain {
            found.explanation =
                PlanExplanation(plan, choice, found, isReplanned: hasGivenUp).json
        }
        guard let path = plan.query.group, aggregator == nil else { return }
        found.groups = try GroupedItems(found.documents, by: path)
    }

    /// Takes rows of the window off the heap, its last one first.
    ///
    /// - Returns: Whether it has all of them.
    private func takeHeap(_ left: inout Int) throws(EngineError) -> Bool {
        guard let heap = top else { return true }
        while heap.count > skips {
            guard left > 0 else { return false }
            if let document = heap.removeLast() { window.append(document) }
            left -= 1
            try chargeOrder()
            payOrder(&left)
        }
        top = nil
        window.reverse()
        found.documents = window
        window = []
        return true
    }

    /// Work of the order that is not worth a look at the clock.
    private static let mostUncharged = 256

    /// Accounts for what the heap's comparisons took.
    private func chargeOrder() throws(EngineError) {
        let effort = top?.takeEffort() ?? 0
        work += effort
        unpaid += effort
        try checkClock()
    }

    /// Charges the slice for it, in rows.
    private func payOrder(_ left: inout Int) {
        left -= unpaid >> 6
        unpaid &= 63
    }

    /// Takes the row behind the window off, which said that there is more.
    private func dropLookAhead() {
        guard plan.looksAhead, let limit = plan.query.limit, found.documents.count > limit else {
            return
        }
        found.documents.removeLast()
        found.hasMore = true
    }

    /// Asks the filter, and notes what that took.
    ///
    /// - Parameter whole: The answer where there is none.
    /// - Returns: nil where it took more than `patience`.
    @inline(__always)
    private func judge<Answer>(
        within patience: Int, else whole: Answer, _ ask: (FilterEvaluator, inout Int) -> Answer?
    ) -> Answer? {
        guard let evaluator else { return whole }
        var left = patience
        defer { effort = patience - left }
        return ask(evaluator, &left)
    }

    /// Accounts for what the filter took beyond the reading of short values: the clock is asked the sooner and the
    /// slice has fewer rows.
    private func account(_ left: inout Int) {
        isSlow = effort > Self.workPerClock
        account(effort, &left)
    }

    private func account(_ effort: Int, _ left: inout Int) {
        work += effort >> 2
        left -= effort >> 5
    }

    /// Accounts for a row.
    private func spend(on document: Document) throws(EngineError) {
        try spend(rows: 1, bytes: document.json.count)
    }

    /// Accounts for rows, and now and then asks whether time is up.
    @inline(__always)
    private func spend(rows: Int, bytes: Int) throws(EngineError) {
        work += rows * (2 + (evaluator?.testWork ?? 0)) + bytes >> 8
        try checkClock()
    }

    @inline(__always)
    private func checkClock() throws(EngineError) {
        if work >= Self.workPerClock {
            work = 0
            if deadline.hasPassed { throw .timeout }
        }
    }
}
