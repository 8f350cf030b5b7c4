import FreshetBase
import FreshetQuery

/// One search of one view, run in slices, so that a long one can share its thread.
///
/// Three ways through the rows:
/// - a **stream**, where rows come in the order of the answer (by id, `ids=`, `order=ids:`): the
///   window is filled as they come, and the search stops when it is full and nothing is counted;
/// - a **heap**, where keys order them: the first offset + limit rows are kept, at the end the
///   window is taken off its far side, so nothing outside it is sorted;
/// - **counting**, behind a full window.
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
        case end
    }

    private let plan: SearchPlan
    private let view: TableView
    private let deadline: Deadline
    private var rows: Rows
    /// Of `order=ids:`: ids in id order that the scan leaves out, for it has shown them before.
    private var shown: [EntityID] = []
    private var shownIndex = 0
    private var top: TopRows?
    /// The order in which `query.after` is a place.
    private let markOrder: RowOrder
    /// The rest of the window: rows to skip, then rows to take.
    private var skips: Int
    private var takes: Int
    private var matched = 0
    private var found = SearchResult()
    /// Work since the clock was last read.
    private var work = 0
    private static let workPerClock = 4096
    private let hasExpressions: Bool
    /// The effort of the filter's expressions when last looked at.
    private var lastEffort: Int
    /// Takes what `touch` reads, so that it is read.
    private var touched: UInt8 = 0

    /// Prepares to run `plan` on `view`.
    package init(_ plan: SearchPlan, on view: TableView, deadline: Deadline = .never) {
        self.plan = plan
        self.view = view
        self.deadline = deadline
        hasExpressions = plan.evaluator?.hasExpressions ?? false
        lastEffort = plan.evaluator?.effort ?? 0
        skips = max(0, plan.query.offset)
        takes = max(0, plan.query.limit ?? .max)
        if plan.looksAhead { takes += 1 }
        markOrder = plan.query.after == nil ? .natural : RowOrder(plan.query.order.canonical())
        found.plan = plan.name
        switch plan.source {
        case .none:
            rows = .end
        case .asked(let ids):
            rows = .ids(ids, next: 0, reports: true)
        case .named(let ids):
            rows = .ids(ids, next: 0, reports: false)
        case .scan:
            rows = .cursor(plan.start(in: view))
        }
        switch plan.order {
        case .natural:
            break
        case .keys:
            let (capacity, overflow) = skips.addingReportingOverflow(takes)
            if takes > 0 { top = TopRows(plan.order, capacity: overflow ? .max : capacity) }
        case .ids(let ranks):
            startWithRanked(ranks)
        }
        // Without a filter the count is known, and rows need not be walked for it.
        if plan.evaluator == nil, case .scan = plan.source {
            if plan.query.count { found.total = view.count }
            if takes == 0 { rows = .end }
        } else if takes == 0, !plan.query.count, plan.query.ids == nil {
            rows = .end
        }
    }

    /// `order=ids:` is a search by these ids, then the scan without them. Where the filter names
    /// ids, those are few and a heap orders them.
    private func startWithRanked(_ ranks: RowOrder.Ranks) {
        guard case .scan = plan.source else {
            let (capacity, overflow) = skips.addingReportingOverflow(takes)
            if takes > 0 { top = TopRows(plan.order, capacity: overflow ? .max : capacity) }
            return
        }
        rows = .ids(ranks.asked, next: 0, reports: false)
        shown = ranks.sorted
    }

    /// What was found; complete once `run` returned `.done`.
    package var result: SearchResult { found }

    /// Examines up to `budget` rows.
    ///
    /// - Throws: `.timeout` past the deadline; the task is of no use afterwards.
    package func run(rows budget: Int) throws(EngineError) -> Progress {
        var left = max(1, budget)
        while left > 0 {
            switch rows {
            case .end:
                finish()
                return .done
            case .ids(let ids, let next, let reports):
                try examine(ids, from: next, reports: reports, &left)
            case .cursor:
                try examineRun(&left)
            }
        }
        if case .end = rows {
            finish()
            return .done
        }
        return .more
    }

    private func examine(
        _ ids: [EntityID], from start: Int, reports: Bool, _ left: inout Int
    ) throws(EngineError) {
        var next = start
        while next < ids.count, left > 0 {
            let id = ids[next]
            next += 1
            left -= 1
            found.rowsExamined += 1
            if let document = view.document(id), !plan.hides(document) {
                try spend(on: document)
                if plan.evaluator?.matches(document) ?? true { take(document) }
                if hasExpressions { try account(&left) }
            } else if reports {
                found.missing.append(id)
            }
            if isSatisfied, !reports {
                rows = .end
                return
            }
        }
        if next < ids.count {
            rows = .ids(ids, next: next, reports: reports)
        } else if shown.isEmpty {
            rows = .end
        } else {
            rows = .cursor(view.makeCursor())
        }
    }

    /// Examines the rest of a leaf.
    private func examineRun(_ left: inout Int) throws(EngineError) {
        guard case .cursor(var cursor) = rows else { return }
        rows = .end
        let run = cursor.nextRun(limit: left)
        guard !run.isEmpty else { return }
        left -= run.count
        if plan.evaluator != nil || top != nil { touch(run) }
        for document in run {
            found.rowsExamined += 1
            try spend(on: document)
            if !shown.isEmpty, wasShown(document) { continue }
            if plan.evaluator?.matches(document) ?? true { take(document) }
            if hasExpressions { try account(&left) }
            if isSatisfied { return }
        }
        rows = .cursor(cursor)
    }

    /// Reads the first and the last line of each document of a leaf, before any is tested: loads
    /// that do not wait for each other, where a test would wait for each in turn.
    private func touch(_ run: UnsafeBufferPointer<Document>) {
        for document in run {
            let json = document.json
            touched ^= json[json.count - 1]
        }
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

    /// Counts a matching row, and puts it in the window if it is there.
    private func take(_ document: Document) {
        matched += 1
        if let mark = plan.query.after, !markOrder.isBehind(mark, document) { return }
        if top != nil {
            top?.offer(document)
        } else if skips > 0 {
            skips -= 1
        } else if takes > 0 {
            takes -= 1
            found.documents.append(document)
        }
    }

    /// Whether no further row can change the answer.
    private var isSatisfied: Bool {
        top == nil && takes == 0 && (!plan.query.count || found.total != nil)
    }

    private func finish() {
        if plan.query.count, found.total == nil { found.total = matched }
        defer { dropLookAhead() }
        guard var heap = top else { return }
        top = nil
        var window: [Document] = []
        while heap.count > skips, let document = heap.removeLast() { window.append(document) }
        window.reverse()
        found.documents = window
    }

    /// Takes the row behind the window off, which said that there is more.
    private func dropLookAhead() {
        guard plan.looksAhead, let limit = plan.query.limit, found.documents.count > limit else {
            return
        }
        found.documents.removeLast()
        found.hasMore = true
    }

    /// Accounts for what regular expressions took for a row: the clock is asked the sooner and the
    /// slice has fewer rows.
    private func account(_ left: inout Int) throws(EngineError) {
        guard let evaluator = plan.evaluator else { return }
        let effort = evaluator.effort
        guard effort != lastEffort else { return }
        if evaluator.isExhausted { throw .timeout }
        // Other threads may run the plan, too; then this is too much, which does no harm.
        let steps = effort - lastEffort
        lastEffort = effort
        work += steps >> 2
        left -= steps >> 5
    }

    /// Accounts for a row, and now and then asks whether time is up.
    @inline(__always)
    private func spend(on document: Document) throws(EngineError) {
        work += 2 + (plan.evaluator?.nodeCount ?? 0) + document.json.count >> 8
        if work >= Self.workPerClock {
            work = 0
            if deadline.hasPassed { throw .timeout }
        }
    }
}
