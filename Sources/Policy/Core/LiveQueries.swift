import Dispatch
import FreshetBase
import FreshetEngine
package import FreshetLive
package import FreshetQuery
package import FreshetStore

/// Drives the live set: takes commits from the store, routes them off the writer's path, evaluates
/// the groups that they concern, tells the subscribers.
///
/// One serial queue does all routing and evaluation. Commits that arrive while it works are routed
/// together on its next turn, so a burst costs one evaluation a group, not one a commit.
// SAFETY: its variables are read and written under `lock` only.
package final class LiveQueries: CommitObserver, @unchecked Sendable {
    /// Changes kept for routing; past it every group is taken as concerned instead.
    private static let pendingCapacity = 100_000
    /// A subscriber that comes during a rest waits for it.
    private static let longestRest = Duration.milliseconds(250)

    package let set = LiveSet()
    private let queue = DispatchQueue(label: "freshet.live")
    private let lock = Lock()
    private var pending: [Change] = []
    private var hasOverflowed = false
    private var newestSeq: UInt64 = 0
    /// A turn is under way or due; cleared at the end of a turn that leaves nothing to do, so that
    /// there is never a second one beside it.
    private var isScheduled = false
    /// A subscription waits for the next turn.
    private var hasJoined = false
    private var store: (any EntityStore)?
    private var queryTimeout: Duration = .seconds(5)

    /// Makes the observer; `attach` follows before anything is written or watched.
    package init() {}

    func attach(to store: any EntityStore, queryTimeout: Duration) {
        lock.withLock {
            self.store = store
            self.queryTimeout = queryTimeout
        }
    }

    /// Lets the store go; nothing is evaluated afterwards.
    package func detach() {
        lock.withLock { store = nil }
    }

    package func committed(_ changes: [Change]) {
        guard let last = changes.last else { return }
        // A group that comes now takes a view that has these changes.
        if set.isEmpty {
            lock.withLock { newestSeq = max(newestSeq, last.seq) }
            return
        }
        let concerned = changes.filter { set.watches($0.type) }
        let mustSchedule = lock.withLock {
            newestSeq = max(newestSeq, last.seq)
            if concerned.isEmpty {
                // With nothing on its way, all commits up to here are routed.
                if !isScheduled { set.noteRouted(through: newestSeq) }
                return false
            }
            if pending.count + concerned.count > Self.pendingCapacity {
                pending.removeAll()
                hasOverflowed = true
            } else {
                pending.append(contentsOf: concerned)
            }
            defer { isScheduled = true }
            return !isScheduled
        }
        if mustSchedule { schedule(after: .zero) }
    }

    /// Starts watching `query`; the subscriber looks at once, and again whenever it is told.
    ///
    /// - Throws: `.engine(.notImplemented)` where the query needs what this version lacks.
    package func join(
        _ query: Query, _ subscriber: any LiveSubscriber, include: IncludePlan? = nil
    ) throws(CoreError) -> LiveMembership {
        precondition((query.include == nil) == (include == nil), "an include comes with its plan")
        let plan: SearchPlan
        do { plan = try SearchPlan(query) } catch { throw .engine(error) }
        let (membership, needsEvaluation) = set.join(
            query, plan, subscriber, include: include)
        if needsEvaluation {
            let mustSchedule = lock.withLock {
                hasJoined = true
                defer { isScheduled = true }
                return !isScheduled
            }
            if mustSchedule { schedule(after: .zero) }
        }
        return membership
    }

    private func schedule(after delay: Duration) {
        if delay > .zero {
            let microseconds = Int(delay / .microseconds(1))
            queue.asyncAfter(deadline: .now() + .microseconds(microseconds)) { self.turn() }
        } else {
            queue.async { self.turn() }
        }
    }

    /// On the queue: routes what is pending, evaluates what is stale, decides about the next turn.
    private func turn() {
        let started = MonotonicInstant.now
        let (changes, overflowed, newest, store) = lock.withLock {
            defer {
                pending = []
                hasOverflowed = false
                hasJoined = false
            }
            return (pending, hasOverflowed, newestSeq, self.store)
        }
        guard let store else { return }
        if overflowed {
            set.invalidate(nil, through: newest)
        } else {
            for change in changes {
                set.route(
                    LiveChange(
                        seq: change.seq, type: change.type, old: change.old, new: change.new))
            }
            set.noteRouted(through: newest)
        }
        for group in set.takeStale() { evaluate(group, store) }
        // Evaluation gets half of one core: a turn that took long is followed by as long a rest.
        let spent = MonotonicInstant.now - started
        let rest = spent > .milliseconds(5) ? min(spent, Self.longestRest) : .zero
        let goesOn = lock.withLock {
            isScheduled = !pending.isEmpty || hasOverflowed || hasJoined
            return isScheduled
        }
        if goesOn { schedule(after: rest) }
    }

    private func evaluate(_ group: LiveGroup, _ store: any EntityStore) {
        let result: Result<LiveResult, EngineError>
        let deadline = Deadline(after: queryTimeout)
        do throws(EngineError) {
            let cursor = store.cursor
            // An include needs all types at one seq.
            let views = group.include == nil ? nil : store.views()
            let view = views.map { $0[group.query.type] } ?? store.view(group.query.type)
            let found = try group.plan.run(on: view ?? .empty, deadline: deadline)
            var included: LiveResult.Included?
            if let views, let plan = group.include as? IncludePlan {
                included = try plan.resolve(
                    found.documents, in: views, deadline: deadline, withMeta: group.query.meta)
            }
            result = .success(
                LiveResult(
                    found, at: views?.cursor.seq ?? view?.seq ?? cursor.seq,
                    projection: group.projection, withMeta: group.query.meta,
                    including: included))
        } catch {
            result = .failure(error)
        }
        set.publish(result, of: group)
    }
}
