import FreshetBase
import FreshetEngine
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetStore

/// Searches live groups beside the router, so that a long search delays no other group: all for their
/// first answers, later those whose last search took long.
///
/// A few lanes work, a slice of rows at a time. Whoever comes has a slice soon, and small ones end with
/// it. The others take turns, of which lanes serve as many as those who come; so many at a time that
/// their views keep a bounded part of the memory: the rest wait, and begin anew. Each group is searched
/// once, however many subscribers have come for it. Its view is taken when its search begins; the time
/// that it may take is its own, whoever has a turn beside it.
// SAFETY: `lock` guards the lists, the number of those with a place and the idle lanes; a search is touched
// by one lane at a time; `callRouter` and `makeRows` are set before the first search.
final class BackgroundEvaluations: @unchecked Sendable {
    /// Rows of one slice: about 5 ms.
    private static let sliceRows = 10_000

    /// Searches that go on by turns.
    private static let mostPlaces = 16

    /// One group's search on its way.
    private final class Search {
        let group: LiveGroup
        let timeout: Duration
        let isFirst: Bool
        let completion: Completion
        var views: StoreViews?
        var task: SearchTask?
        /// What it has taken of the lanes that it was on.
        var spent = Duration.zero
        var hasPlace = false

        init(_ group: LiveGroup, within timeout: Duration, _ completion: @escaping Completion) {
            self.group = group
            self.timeout = timeout
            self.completion = completion
            isFirst = !group.wasEvaluated
        }
    }

    /// Told how much of the lanes a search has taken.
    typealias Completion = @Sendable (_ spent: Duration) -> Void

    /// Searches in the order of their coming.
    private struct Line {
        /// nil where it was taken.
        private var searches: [Search?] = []
        private var next = 0

        var isEmpty: Bool { next == searches.count }

        mutating func append(_ search: Search) { searches.append(search) }

        mutating func removeFirst() -> Search? {
            guard !isEmpty else { return nil }
            // Whoever has ended keeps no view alive here.
            let search = searches[next].take()
            next += 1
            if isEmpty {
                searches = []
                next = 0
            } else if next > 1_024, next > searches.count / 2 {
                searches.removeFirst(next)
                next = 0
            }
            return search
        }
    }

    private let set: LiveSet
    /// Called where groups need the router again.
    var callRouter: @Sendable () -> Void = {}
    /// Has the rows of a type made that are there only while somebody watches them.
    var makeRows: @Sendable (TypeName) -> Void = { _ in }
    private let lanes = PolicyWorkers(.search, count: max(2, PolicyWorkers.cores))
    private let lock = Lock()
    /// Searches that have come.
    private var fresh = Line()
    /// Searches that have a place, and that are not on a lane.
    private var begun = Line()
    /// Searches that wait for a place.
    private var parked = Line()
    /// Searches that have one.
    private var places = 0
    /// The last turn was that of one that had come.
    private var wasFresh = false
    private var idleLanes: [Int]
    private let evaluated = Counter()

    init(_ set: LiveSet) {
        self.set = set
        idleLanes = Array(0..<lanes.count)
    }

    /// First evaluations that have ended since the start.
    var count: Int { evaluated.value }

    /// Has `groups`, which were handed out by the set, searched and installed.
    ///
    /// - Parameter completion: Called once for each of them, on any thread, when it is.
    func begin(
        _ groups: [LiveGroup], in store: any EntityStore, timeout: Duration,
        completion: @escaping Completion = { _ in }
    ) {
        let called = lock.withLock { () -> [Int] in
            for group in groups { fresh.append(Search(group, within: timeout, completion)) }
            let called = Array(idleLanes.suffix(groups.count))
            idleLanes.removeLast(called.count)
            return called
        }
        for lane in called {
            lanes.perform(on: lane) { self.work(lane, store) }
        }
    }

    private func work(_ lane: Int, _ store: any EntityStore) {
        while let search = dequeue(lane) {
            if let mustCall = step(search, store) {
                if search.hasPlace { lock.withLock { places -= 1 } }
                if mustCall { callRouter() }
                search.completion(search.spent)
            } else {
                goOn(search)
            }
        }
    }

    /// Lets a search wait for its next turn.
    private func goOn(_ search: Search) {
        let isParked = lock.withLock {
            if !search.hasPlace, places < Self.mostPlaces {
                search.hasPlace = true
                places += 1
            }
            if search.hasPlace { begun.append(search) }
            return !search.hasPlace
        }
        guard isParked else { return }
        // Nobody else has it now.
        search.task = nil
        search.views = nil
        lock.withLock { parked.append(search) }
    }

    /// Whose turn it is; nil ends the lane's work.
    private func dequeue(_ lane: Int) -> Search? {
        lock.withLock {
            wasFresh.toggle()
            if wasFresh, let search = fresh.removeFirst() { return search }
            if places < Self.mostPlaces, let search = parked.removeFirst() {
                search.hasPlace = true
                places += 1
                return search
            }
            if let search = begun.removeFirst() ?? fresh.removeFirst() { return search }
            idleLanes.append(lane)
            return nil
        }
    }

    /// - Returns: Whether the router must be called, nil where the search goes on.
    private func step(_ search: Search, _ store: any EntityStore) -> Bool? {
        let group = search.group
        if group.giveUpIfLeft() { return false }
        if search.task == nil { makeRows(group.type) }
        // The router tells the group of what may change while it is searched.
        let views = search.views ?? store.views(of: group.types)
        let view = views[group.type] ?? .empty
        let began = MonotonicInstant.now
        let deadline = Deadline(after: search.timeout - search.spent, from: began)
        let task = search.task ?? SearchTask(group.plan, on: view)
        task.deadline = deadline
        search.views = views
        search.task = task
        let outcome: Result<SearchResult, EngineError>
        do throws(EngineError) {
            guard try task.run(rows: Self.sliceRows) == .done else {
                search.spent += MonotonicInstant.now - began
                return nil
            }
            outcome = .success(task.result)
        } catch {
            outcome = .failure(error)
        }
        search.spent += MonotonicInstant.now - began
        group.remember(search: search.spent)
        // Before anybody sees what has been found.
        if search.isFirst { evaluated.add() }
        return set.installInBackground(group) {
            $0.install(outcome, in: views, view, deadline: deadline)
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
