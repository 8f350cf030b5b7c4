import FreshetBase
import FreshetEngine
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetStore

/// Searches the first answers of live groups, beside the router, so that a long one delays nobody
/// who has an answer already.
///
/// A few lanes work off one list, a slice of rows at a time: a group that takes long goes to the
/// end of it after each slice, so that small ones pass by. Each group is searched once, however
/// many subscribers have come for it. Its view is taken when its search begins.
// SAFETY: `lock` guards the list and the idle lanes; a search is touched by one lane at a time;
// `callRouter` and `makeRows` are set before the first search.
final class FirstEvaluations: @unchecked Sendable {
    /// Rows of one slice: about 5 ms.
    private static let sliceRows = 10_000

    /// One group's search on its way.
    private final class Search {
        let group: LiveGroup
        var views: StoreViews?
        var task: SearchTask?
        var deadline = Deadline.never

        init(_ group: LiveGroup) { self.group = group }
    }

    private let set: LiveSet
    /// Called where groups need the router again.
    var callRouter: @Sendable () -> Void = {}
    /// Has the rows of a type made that are there only while somebody watches them.
    var makeRows: @Sendable (TypeName) -> Void = { _ in }
    private let lanes = PolicyWorkers(.search, count: max(2, PolicyWorkers.cores))
    private let lock = Lock()
    /// nil where it was taken.
    private var waiting: [Search?] = []
    private var next = 0
    private var idleLanes: [Int]
    private let evaluated = Counter()

    init(_ set: LiveSet) {
        self.set = set
        idleLanes = Array(0..<lanes.count)
    }

    /// First evaluations that have ended since the start.
    var count: Int { evaluated.value }

    /// Has `groups`, which were handed out by the set, searched and installed.
    func begin(
        _ groups: [LiveGroup], in store: any EntityStore, timeout: Duration
    ) {
        let called = lock.withLock { () -> [Int] in
            waiting += groups.map(Search.init)
            let called = Array(idleLanes.suffix(groups.count))
            idleLanes.removeLast(called.count)
            return called
        }
        for lane in called {
            lanes.perform(on: lane) { self.work(lane, store, timeout) }
        }
    }

    private func work(_ lane: Int, _ store: any EntityStore, _ timeout: Duration) {
        while let search = dequeue(lane) {
            if let mustCall = step(search, store, timeout) {
                if mustCall { callRouter() }
            } else {
                lock.withLock { waiting.append(search) }
            }
        }
    }

    /// The first of the list; nil ends the lane's work.
    private func dequeue(_ lane: Int) -> Search? {
        lock.withLock {
            guard next < waiting.count else {
                waiting = []
                next = 0
                idleLanes.append(lane)
                return nil
            }
            // Whoever has ended keeps no view alive here.
            let search = waiting[next].take()
            next += 1
            if next > 1_024, next > waiting.count / 2 {
                waiting.removeFirst(next)
                next = 0
            }
            return search
        }
    }

    /// - Returns: Whether the router must be called, nil where the search goes on.
    private func step(
        _ search: Search, _ store: any EntityStore, _ timeout: Duration
    ) -> Bool? {
        let group = search.group
        if group.giveUpIfLeft() { return false }
        if search.task == nil { makeRows(group.type) }
        // The router tells the group of what may change while it is searched.
        let views = search.views ?? store.views(of: group.types)
        let view = views[group.type] ?? .empty
        if search.task == nil {
            search.views = views
            search.deadline = Deadline(after: timeout)
            search.task = SearchTask(group.plan, on: view, deadline: search.deadline)
        }
        guard let task = search.task else { return nil }
        let outcome: Result<SearchResult, EngineError>
        do throws(EngineError) {
            guard try task.run(rows: Self.sliceRows) == .done else { return nil }
            outcome = .success(task.result)
        } catch {
            outcome = .failure(error)
        }
        // Before anybody sees what has been found.
        evaluated.add()
        return set.installFirst(group) {
            $0.install(outcome, in: views, view, deadline: search.deadline)
        }
    }
}

extension LiveGroup {
    /// Takes what a search has found on `view`, one of `views`, in; the entities that it includes
    /// are looked up here.
    ///
    /// - Returns: Whether somebody may want to look.
    func install(
        _ outcome: Result<SearchResult, EngineError>, in views: StoreViews, _ view: TableView,
        deadline: Deadline
    ) -> Bool {
        let seq = views.cursor.seq
        do throws(EngineError) {
            let found = try outcome.get()
            let included = try (include as? IncludePlan)?.resolve(
                found.documents, in: views, deadline: deadline)
            if let included { try checkSize(found, included) }
            return install(found, including: included, at: seq) { view.document($0) }
        } catch {
            return install(error)
        }
    }
}
