import Dispatch
import FreshetBase
import FreshetEngine
package import FreshetLive
package import FreshetQuery
import FreshetStore

/// Drives the live set: takes commits from the store, has them routed off the writer's path, runs
/// the searches that groups need.
///
/// One serial queue does all of it but the first evaluation of each group, and the later ones of groups
/// that take long (BackgroundEvaluations). Commits that arrive while it works are routed together on its
/// next turn, so a burst costs one step a group, not one a commit.
// SAFETY: `lock` guards what arrives; `router`, `isResting`, `evaluatesAgainAt`, `mostEvaluated`, `cutTime`,
// `partsLeft`, `isEvaluatingSlow` and `bytesTaken` belong to the queue; `queryTimeout` is set before the
// first turn.
package final class LiveQueries: CommitObserver, @unchecked Sendable {
    /// Changes kept for routing; past it every group is evaluated anew instead.
    private static let pendingCapacity = 100_000
    /// Bytes of the rows that they keep, likewise.
    private static let pendingBytes = 64 << 20
    /// A subscriber that comes during a rest waits for it.
    private static let longestRest = Duration.milliseconds(250)
    /// About how long groups are evaluated before anybody is told of what was committed meanwhile.
    private static let longestEvaluation = Duration.milliseconds(50)
    /// Likewise for the parts of cuts, which one view makes exact at one seq: what is left over after it
    /// is evaluated on a later view, and a `sync` waits until all are.
    private let longestCut: Duration
    /// What that grows to where changes make parts stale as fast as others are evaluated.
    private static let longestCutOfAll = Duration.seconds(4)

    package let set = LiveSet()
    private let queue = DispatchQueue(label: "freshet.live")
    private let background: BackgroundEvaluations
    private var quota = LiveQuota()
    private var router: LiveRouter
    private var isResting = false
    private var evaluatesAgainAt = MonotonicInstant(nanoseconds: 0)
    /// Groups that are evaluated in a turn, by what those of the last one took.
    private var mostEvaluated = 64
    /// About how long parts of cuts are evaluated in the next turn, and how many were left over in the last.
    private var cutTime: Duration
    private var partsLeft = 0
    /// One of the groups that take long is evaluated, or was, and the rest behind it goes on.
    private var isEvaluatingSlow = false
    /// Bytes of the rows that the router has taken and not routed.
    private var bytesTaken = 0

    private let lock = Lock()
    private var pending: [Change] = []
    /// Bytes of the rows in `pending`.
    private var bytesPending = 0
    private var hasOverflowed = false
    private var newestSeq: UInt64 = 0
    /// A turn is under way or due; cleared at the end of a turn that leaves nothing to do, so that
    /// there is never a second one beside it.
    private var isScheduled = false
    /// A subscription waits for the next turn.
    private var hasJoined = false
    /// The router goes on once it is told of the commits through this seq.
    private var awaited: UInt64?
    private var isTending = false
    private var store: (any EntityStore)?
    private var queryTimeout: Duration = .seconds(5)
    /// Types of which the store holds nothing of before this start, and the seq of that.
    private var forgotten: (types: Set<TypeName>, through: UInt64) = ([], 0)
    /// The store tells the changes of before this start.
    private var hasRecovered = false
    private var listeners: [(number: Int, tell: @Sendable ([Change]) -> Void)] = []
    private var lastListener = 0

    /// Makes the observer; a store that has a log tells its last changes, and `attach` follows
    /// before anything is written or watched.
    ///
    /// - Parameters:
    ///   - history: What is kept of past changes for clients that come back.
    ///   - longestCut: About how long parts of cuts are evaluated at a time, one of them at least.
    package init(
        history: ChangeHistory.Limits = ChangeHistory.Limits(), longestCut: Duration = .seconds(1)
    ) {
        self.longestCut = longestCut
        cutTime = longestCut
        router = LiveRouter(set)
        background = BackgroundEvaluations(set)
        set.history.begin(after: 0, history)
        background.callRouter = { [weak self] in self?.call() }
    }

    func attach(to store: any EntityStore, _ limits: CoreLimits) {
        set.bounds = LiveSet.Bounds(
            residualGroups: limits.residualGroups, snapshotBytes: limits.snapshotBytes)
        lock.withLock {
            quota.limit = limits.liveGroups
            quota.residualLimit = (limits.residualGroups + 1) / 2
            self.store = store
            self.queryTimeout = limits.queryTimeout
            newestSeq = max(newestSeq, store.seq)
        }
        if !lock.withLock({ hasRecovered }) { set.history.begin(after: store.seq) }
        set.noteRouted(through: store.seq)
    }

    /// Searches for the first answers of groups that have ended since the start.
    package var firstEvaluations: Int { background.count }

    /// Lets the store go; nothing is evaluated afterwards.
    package func detach() {
        lock.withLock { store = nil }
    }

    /// Has `listener` told of the changes of every commit from now on, in order, on the thread that
    /// commits; it must not block.
    ///
    /// - Returns: What ends that.
    @discardableResult
    package func listen(
        _ listener: @escaping @Sendable ([Change]) -> Void
    ) -> @Sendable () -> Void {
        let number = lock.withLock {
            lastListener += 1
            listeners.append((lastListener, listener))
            return lastListener
        }
        return { [weak self] in
            guard let self else { return }
            lock.withLock { listeners.removeAll { $0.number == number } }
        }
    }

    /// Has `fill` see to it that the rows of a type are in the store, before the first answer of each
    /// query of it is searched there; on the thread that searches. Set before anything is watched.
    package func fill(by fill: @escaping @Sendable (TypeName) -> Void) {
        background.makeRows = fill
    }

    package func recovers(after seq: UInt64) {
        lock.withLock { hasRecovered = true }
        set.history.begin(after: seq)
    }

    package func recovered(_ changes: [Change]) {
        set.history.record(changes)
    }

    package func forgot(_ types: Set<TypeName>, through seq: UInt64) {
        lock.withLock { forgotten = (types, seq) }
    }

    package func committed(_ changes: [Change]) {
        guard let last = changes.last else { return }
        set.history.record(changes)
        // A group that comes now takes a view that has these changes.
        let concerned = set.concerning(changes)
        if !concerned.isEmpty { set.note(visible: concerned) }
        // The image of before is kept by this alone.
        let bytes = concerned.reduce(0) { $0 + (($1.old ?? $1.new)?.json.count ?? 0) }
        let (mustSchedule, isRouted, listeners) = lock.withLock {
            newestSeq = max(newestSeq, last.seq)
            if pending.count + concerned.count > Self.pendingCapacity
                || bytesPending + bytes > Self.pendingBytes
            {
                pending.removeAll()
                bytesPending = 0
                hasOverflowed = true
            } else {
                pending.append(contentsOf: concerned)
                bytesPending += bytes
            }
            let isDue = !concerned.isEmpty || awaited.map { newestSeq >= $0 } ?? false
            guard !isScheduled else { return (false, false, self.listeners) }
            isScheduled = isDue
            return (isDue, !isDue && awaited == nil, self.listeners)
        }
        // What an evaluation asks beside the store follows the commits as well.
        for listener in listeners { listener.tell(changes) }
        if mustSchedule { queue.async { self.turn() } }
        // With nothing on its way, all commits up to here are routed.
        if isRouted { set.noteRouted(through: last.seq) }
    }

    /// Starts watching what `request` names; the subscriber looks at once, and again whenever it is
    /// told. Its first news has all that was committed before this call; a cursor of the future, and
    /// one of before the start of what is in memory, is judged here.
    ///
    /// - Throws: What the query's plan throws; a bound of live queries that is passed.
    package func join(
        _ request: LiveRequest, _ subscriber: any LiveSubscriber
    ) throws(CoreError) -> LiveMembership {
        var request = request
        let forgotten = lock.withLock { self.forgotten }
        request.notBefore = lock.withLock { store }?.seq ?? 0
        switch request.resume {
        case .cursor(let seq, _), .cut(let seq, _):
            if seq > request.notBefore {
                request.resume = .future
            } else if seq <= forgotten.through, !request.types.isDisjoint(with: forgotten.types) {
                request.resume = .otherEpoch
            } else if case .cut(_, let told?) = request.resume, told > request.notBefore {
                // What came would go again by a commit that has yet to come here, and nobody name it.
                request.resume = .shown(digest: nil, else: .retention)
            }
        case .nothing, .otherEpoch, .future, .shown: break
        }
        // What is refused has made no group.
        if lock.withLock({ quota.isFull(for: request) }) {
            let standing = set.standing(of: request)
            try lock.withLock { () throws(CoreError) in
                try quota.check(
                    standing.group, isAskedAlways: standing.index == .residual, for: request)
            }
        }
        let membership: LiveMembership
        let needsEvaluation: Bool
        do {
            (membership, needsEvaluation) = try set.join(request, subscriber)
        } catch {
            throw .engine(error)
        }
        do throws(CoreError) {
            try lock.withLock { () throws(CoreError) in
                try quota.enter(membership.group, for: request)
            }
        } catch {
            leaveSet(membership)
            throw error
        }
        if needsEvaluation { call() }
        return membership
    }

    /// Ends a membership.
    package func leave(_ membership: LiveMembership) {
        lock.withLock { quota.leave(membership.group, membership.owner) }
        leaveSet(membership)
    }

    private func leaveSet(_ membership: LiveMembership) {
        set.leave(membership)
        tendLater()
    }

    /// Has a turn made soon.
    private func call() {
        let mustSchedule = lock.withLock {
            hasJoined = true
            defer { isScheduled = true }
            return !isScheduled
        }
        if mustSchedule { queue.async { self.turn() } }
    }

    /// On the queue: one turn of the router, and the decision about the next.
    private func turn() {
        let (changes, bytes, overflowed, newest, store) = lock.withLock {
            defer {
                pending = []
                bytesPending = 0
                hasOverflowed = false
                hasJoined = false
                awaited = nil
            }
            return (pending, bytesPending, hasOverflowed, newestSeq, self.store)
        }
        guard let store else { return }
        bytesTaken = router.hasRoutedAll ? bytes : bytesTaken + bytes
        if overflowed || bytesTaken > 2 * Self.pendingBytes {
            router.skip(through: newest)
            cutTime = longestCut
        } else {
            router.take(changes, newest: newest)
        }
        let progress = router.turn(
            evaluatesAll: MonotonicInstant.now >= evaluatesAgainAt, mostEvaluated: mostEvaluated,
            begin: { [background, queryTimeout] groups in
                background.begin(groups, in: store, timeout: queryTimeout)
            },
            evaluate: { evaluate($0, store) })
        evaluateSlow(in: store)
        let (goesOn, routed) = lock.withLock {
            if case .awaits(let seq) = progress { awaited = seq }
            isScheduled =
                progress == .more || !pending.isEmpty || hasOverflowed || hasJoined
                || awaited.map { newestSeq >= $0 } ?? false
            // Commits that came during the turn and concern nobody are routed with it.
            return (isScheduled, isScheduled || progress != .idle ? nil : newestSeq)
        }
        if let routed { set.noteRouted(through: routed) }
        if goesOn { queue.async { self.turn() } }
        switch progress {
        case .awaits: break
        case .idle, .more: if set.hasStale { rest() }
        }
        tendLater()
    }

    /// Has the next of the groups that take long evaluated, beside the queue, one at a time: together they
    /// take no more than half of one core, as the others do, up to the longest rest.
    private func evaluateSlow(in store: any EntityStore) {
        guard !isEvaluatingSlow, let group = set.takeSlow() else { return }
        isEvaluatingSlow = true
        background.begin([group], in: store, timeout: queryTimeout) { [weak self] spent in
            guard let self else { return }
            let rest = min(spent, Self.longestRest)
            queue.asyncAfter(deadline: .now() + .microseconds(Int(rest / .microseconds(1)))) {
                self.isEvaluatingSlow = false
                guard let store = self.lock.withLock({ self.store }) else { return }
                self.evaluateSlow(in: store)
            }
        }
    }

    /// Comes back to the evaluations that were put off.
    private func rest() {
        guard !isResting else { return }
        isResting = true
        let now = MonotonicInstant.now
        let rest = evaluatesAgainAt > now ? evaluatesAgainAt - now : .zero
        queue.asyncAfter(deadline: .now() + .microseconds(Int(rest / .microseconds(1)) + 1)) {
            self.isResting = false
            self.call()
        }
    }

    /// Looks after the groups once a second while there are any.
    private func tendLater() {
        let isFirst = lock.withLock {
            guard !isTending, store != nil, !set.isEmpty else { return false }
            isTending = true
            return true
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + .seconds(1)) {
            self.lock.withLock { self.isTending = false }
            self.set.tend(.now)
            self.tendLater()
        }
    }

    // MARK: Evaluation, on the queue

    /// Evaluates `groups` on views of one seq.
    private func evaluate(_ groups: [LiveGroup], _ store: any EntityStore) -> UInt64 {
        let started = MonotonicInstant.now
        let views = store.views(of: groups.reduce(into: []) { $0.formUnion($1.types) })
        var late: [LiveGroup] = []
        // Groups that are no parts come first: they must not wait for cuts.
        var (singles, parts): ([LiveGroup], [LiveGroup]) = ([], [])
        for group in groups {
            if group.isPartOfCut { parts.append(group) } else { singles.append(group) }
        }
        let forSingles = evaluate(
            singles, on: views, within: Self.longestEvaluation, late: &late)
        if !singles.isEmpty {
            let each = max(forSingles / (singles.count - late.count), .microseconds(1))
            mostEvaluated = max(1, Int(Self.longestEvaluation / each))
        }
        let lateSingles = late.count
        let forParts = evaluate(parts, on: views, within: cutTime, late: &late)
        judge(lateParts: late.count - lateSingles, after: forParts)
        set.putBack(late)
        // Evaluation gets half of one core: what took long is followed by as long a rest.
        let ended = MonotonicInstant.now
        let spent = ended - started
        if spent > .milliseconds(5) { evaluatesAgainAt = ended + min(spent, Self.longestRest) }
        return views.cursor.seq
    }

    /// Evaluates `groups` one after the other, the first at least.
    ///
    /// - Parameter late: Those are added for which there was no time.
    /// - Returns: What it took.
    private func evaluate(
        _ groups: [LiveGroup], on views: StoreViews, within time: Duration,
        late: inout [LiveGroup]
    ) -> Duration {
        let started = MonotonicInstant.now
        var spent = Duration.zero
        for (index, group) in groups.enumerated() {
            // Changes that nobody takes meanwhile have a bound.
            guard spent <= time, spent <= longestCut || !isPendingMuch else {
                late += groups[index...]
                break
            }
            set.install(group) { evaluate($0, views) }
            spent = MonotonicInstant.now - started
        }
        return spent
    }

    /// Whether half of what may wait for routing does.
    private var isPendingMuch: Bool {
        lock.withLock {
            hasOverflowed || 2 * pending.count > Self.pendingCapacity
                || 2 * bytesPending > Self.pendingBytes
        }
    }

    /// Gives parts of cuts more time, where those that were evaluated become stale before the others are:
    /// else who writes all the time would keep a `sync` from coming. Where that does not suffice, either,
    /// they have no more than the others can bear.
    private func judge(lateParts: Int, after spent: Duration) {
        if lateParts == 0 {
            if spent <= longestCut { cutTime = longestCut }
        } else if partsLeft > 0, lateParts >= partsLeft {
            cutTime =
                cutTime < Self.longestCutOfAll
                ? min(cutTime * 2, Self.longestCutOfAll) : longestCut
        }
        partsLeft = lateParts
    }

    private func evaluate(_ group: LiveGroup, _ views: StoreViews) -> Bool {
        let deadline = Deadline(after: queryTimeout)
        let view = views[group.type] ?? .empty
        let outcome: Result<SearchResult, EngineError>
        let began = MonotonicInstant.now
        do throws(EngineError) {
            outcome = .success(try group.plan.run(on: view, deadline: deadline))
        } catch {
            outcome = .failure(error)
        }
        group.remember(search: MonotonicInstant.now - began)
        return group.install(outcome, in: views, view, deadline: deadline)
    }
}
