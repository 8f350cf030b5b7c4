import FreshetBase
package import FreshetEngine
package import FreshetQuery

// The live set: which standing queries a change concerns, and what each of them shows.
//
// A *group* is one canonical query; all subscribers of equal queries share it, so it is evaluated
// and encoded once. The life of a group:
//
//     join ──▶ stale ──takeStale──▶ (evaluated outside, on a table view) ──publish──▶ exact
//                ▲                                                                      │
//                └──────────────── route: a change with seq > exactSeq matches ─────────┘
//
// Why nothing is lost between a snapshot and the changes after it: a group is registered *before*
// its view is taken, and changes are routed after they are visible in tables. So a commit that the
// view lacks is routed to a registered group, with a seq above the view's; and one that the view
// has bears a seq at or below it and is not counted twice.
//
// There is no queue per subscriber. A group has a `version` (the seq at which what it shows last
// changed) and each membership the version that it has taken; a slow subscriber simply takes the
// newest result when it can. A result is kept only while some membership has yet to take it.
//
// What is left to the later stages has its place here: an index in front of the loop in `route`,
// and deltas between versions beside `LiveResult`.

/// Told that `take` may have something new. Called on the router's thread; must not block.
package protocol LiveSubscriber: AnyObject, Sendable {
    func liveResultChanged()
}

/// One commit's change of one entity, as the live set sees it.
package struct LiveChange: Sendable {
    package let seq: UInt64
    package let type: TypeName
    package let old: Document?
    package let new: Document?

    package init(seq: UInt64, type: TypeName, old: Document?, new: Document?) {
        self.seq = seq
        self.type = type
        self.old = old
        self.new = new
    }
}

/// All subscribers of one canonical query.
// SAFETY: its variables are read and written under the lock of the owning LiveSet only.
package final class LiveGroup: @unchecked Sendable {
    package let query: Query
    package let plan: SearchPlan
    package let projection: Projection
    package let include: (any LiveInclude)?
    /// Types whose changes may concern the group.
    fileprivate let types: Set<TypeName>
    fileprivate let key: [UInt8]

    fileprivate var members: [ObjectIdentifier: LiveMembership] = [:]
    /// Highest seq of a change that may have altered the result.
    fileprivate var relevantSeq: UInt64 = 0
    /// The result is exact at this seq; nil before the first evaluation.
    fileprivate var exactSeq: UInt64?
    fileprivate var digest: UInt64 = 0
    fileprivate var version: UInt64 = 0
    /// Kept while a membership has yet to take it.
    fileprivate var result: LiveResult?
    /// How many memberships have taken `version`.
    fileprivate var takers = 0
    fileprivate var failure: EngineError?
    fileprivate var isBeingEvaluated = false
    fileprivate var isWanted = true
    /// What the last result's included entities depend on; nil before it.
    fileprivate var watch: LiveWatch?

    fileprivate init(
        _ query: Query, _ plan: SearchPlan, _ include: (any LiveInclude)?, key: [UInt8]
    ) {
        self.include = include
        types = (include?.types ?? []).union([query.type])
        self.query = query
        self.plan = plan
        self.key = key
        projection = Projection(query)
    }

    fileprivate var isStale: Bool {
        guard let exactSeq else { return true }
        return isWanted || relevantSeq > exactSeq
    }
}

/// One subscriber's place in a group: the one number that is kept for it.
// SAFETY: its variable is read and written under the lock of the owning LiveSet only.
package final class LiveMembership: @unchecked Sendable {
    package let group: LiveGroup
    fileprivate let subscriber: any LiveSubscriber
    fileprivate var takenVersion: UInt64?

    fileprivate init(_ group: LiveGroup, _ subscriber: any LiveSubscriber) {
        self.group = group
        self.subscriber = subscriber
    }
}

/// What a subscriber finds when it looks.
package enum LiveNews: Sendable {
    /// A result that it has not taken yet, newer than all before.
    case result(LiveResult)
    /// It holds the newest result, which is exact through this seq.
    case current(through: UInt64)
    /// A change is known whose effect is not evaluated yet.
    case pending
    /// The query cannot be evaluated any more.
    case failed(EngineError)
}

/// The standing queries of one server. Any thread; short sections under one lock.
// SAFETY: its variables are read and written under `lock` only.
package final class LiveSet: @unchecked Sendable {
    private let lock = Lock()
    private let groupCount = Counter()
    private var groups: [[UInt8]: LiveGroup] = [:]
    private var groupsByType: [TypeName: [LiveGroup]] = [:]
    private var routedSeq: UInt64 = 0

    package init() {}

    /// Adds `subscriber` to the group of `query`, which is made if it is the first. The subscriber
    /// looks (`take`) at once: where a result is at hand nobody will tell it.
    ///
    /// - Returns: The membership, and whether an evaluation must be scheduled for it.
    package func join(
        _ query: Query, _ plan: SearchPlan, _ subscriber: any LiveSubscriber,
        include: (any LiveInclude)? = nil
    ) -> (membership: LiveMembership, needsEvaluation: Bool) {
        let key = query.canonicalKey + (include?.key ?? [])
        return lock.withLock {
            let group: LiveGroup
            if let known = groups[key] {
                group = known
            } else {
                group = LiveGroup(query, plan, include, key: key)
                groups[key] = group
                groupCount.add()
                for type in group.types { groupsByType[type, default: []].append(group) }
            }
            let membership = LiveMembership(group, subscriber)
            group.members[ObjectIdentifier(membership)] = membership
            if group.result == nil { group.isWanted = true }
            // Another try for whoever comes after an evaluation that failed.
            group.failure = nil
            return (membership, group.isStale && !group.isBeingEvaluated)
        }
    }

    /// Ends a membership; the last one's end ends the group.
    package func leave(_ membership: LiveMembership) {
        lock.withLock {
            let group = membership.group
            guard group.members.removeValue(forKey: ObjectIdentifier(membership)) != nil else {
                return
            }
            if membership.takenVersion == group.version { group.takers -= 1 }
            guard group.members.isEmpty else {
                dropTakenResult(of: group)
                return
            }
            groups[group.key] = nil
            groupCount.add(-1)
            for type in group.types {
                groupsByType[type]?.removeAll { $0 === group }
                if groupsByType[type]?.isEmpty == true { groupsByType[type] = nil }
            }
        }
    }

    /// Whether any query stands at all. No lock: what writers ask first.
    package var isEmpty: Bool { groupCount.value == 0 }

    /// Whether any query stands on `type`.
    package func watches(_ type: TypeName) -> Bool {
        lock.withLock { groupsByType[type] != nil }
    }

    package var counts: (groups: Int, subscriptions: Int) {
        lock.withLock { (groups.count, groups.values.reduce(0) { $0 + $1.members.count }) }
    }

    /// Marks the groups that `change` concerns: those that its old or its new image matches, and
    /// those whose included entities it touches. Not beside an evaluation: what a group includes
    /// must be that of its last result.
    ///
    /// - Complexity: O(groups of the type).
    package func route(_ change: LiveChange) {
        // Filters run outside the lock, which writers and subscribers want, too. A group that joins
        // meanwhile is evaluated on a view that has this change.
        let candidates = lock.withLock {
            (groupsByType[change.type] ?? []).map { (group: $0, watch: $0.watch) }
        }
        let concerned = candidates.filter { group, watch in
            if group.query.type == change.type {
                if change.old.map({ group.plan.matches($0) }) ?? false { return true }
                if change.new.map({ group.plan.matches($0) }) ?? false { return true }
                // An expression that has given up: the next evaluation tells the subscribers.
                if group.plan.isExhausted { return true }
            }
            // Before its first result a group may include anything of its types.
            return group.include != nil && watch?.concerns(change) ?? true
        }.map(\.group)
        lock.withLock {
            for group in concerned { group.relevantSeq = max(group.relevantSeq, change.seq) }
            routedSeq = max(routedSeq, change.seq)
        }
    }

    /// Takes every group of `type` (of all types, if nil) as concerned by the commits through `seq`.
    package func invalidate(_ type: TypeName?, through seq: UInt64) {
        lock.withLock {
            for group in groups.values where type.map({ group.types.contains($0) }) ?? true {
                group.relevantSeq = max(group.relevantSeq, seq)
            }
            routedSeq = max(routedSeq, seq)
        }
    }

    /// Says that all commits through `seq` were routed, or concern no group.
    package func noteRouted(through seq: UInt64) {
        lock.withLock { routedSeq = max(routedSeq, seq) }
    }

    /// The groups to evaluate now, each handed out to one caller until it publishes.
    package func takeStale() -> [LiveGroup] {
        lock.withLock {
            groups.values.filter { group in
                guard group.isStale, !group.isBeingEvaluated, group.failure == nil else {
                    return false
                }
                group.isBeingEvaluated = true
                return true
            }
        }
    }

    /// Stores what `group` shows and tells the subscribers that have yet to take it.
    ///
    /// - Parameter result: Read from a view that was taken after `takeStale` returned the group.
    package func publish(_ result: Result<LiveResult, EngineError>, of group: LiveGroup) {
        let concerned: [any LiveSubscriber] = lock.withLock {
            group.isBeingEvaluated = false
            switch result {
            case .failure(let error):
                group.failure = error
            case .success(let result):
                let isFirst = group.exactSeq == nil
                if isFirst || result.digest != group.digest {
                    group.version = result.seq
                    group.takers = 0
                }
                group.exactSeq = result.seq
                group.digest = result.digest
                group.watch = result.watch
                group.isWanted = false
                group.result = result
                dropTakenResult(of: group)
            }
            return group.members.values.filter { $0.takenVersion != group.version }
                .map(\.subscriber)
        }
        for subscriber in concerned { subscriber.liveResultChanged() }
    }

    /// What there is for one subscriber. A result is handed out once.
    package func take(_ membership: LiveMembership) -> LiveNews {
        lock.withLock {
            let group = membership.group
            if let failure = group.failure { return .failed(failure) }
            guard let exactSeq = group.exactSeq else { return .pending }
            if membership.takenVersion != group.version {
                guard let result = group.result else { return .pending }
                membership.takenVersion = group.version
                group.takers += 1
                dropTakenResult(of: group)
                return .result(result)
            }
            guard group.relevantSeq <= exactSeq else { return .pending }
            return .current(through: max(exactSeq, routedSeq))
        }
    }

    /// Under the lock: frees the encoded result once every membership has taken it.
    private func dropTakenResult(of group: LiveGroup) {
        if !group.isWanted, group.takers == group.members.count { group.result = nil }
    }
}
