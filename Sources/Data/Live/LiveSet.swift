package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import Synchronization

// The live set: which standing queries a change concerns, and what each of them shows.
//
// A *group* is one canonical query; all subscribers of equal queries share it, so it is matched,
// kept and encoded once. One driver (the *router*) calls everything under "The router", from one
// serial queue; subscribers come, look and leave on any thread.
//
//     join ──▶ arrived ──admit──▶ in the index ──takeStale──▶ (searched on a view) ──install──▶ exact
//                                      ▲                                                         │
//                                      └──── a change that was not followed, a window run short ─┘
//
// Why nothing is lost between a snapshot and the changes after it: a group is in the index *before*
// its view is taken, and changes are routed after they are visible in tables. So a commit that the
// view lacks is routed to the group, with a seq above the view's; and one that the view has bears
// a seq at or below it and is left out.
//
// Time. Commits are routed in order, in batches; all changes of a batch that concern a group are
// taken in together, under its lock. Then `published` moves on to the batch's last commit. So at
// any time each group is exact at the higher of `published` and its own seq. A group that was
// evaluated on a view ahead of `published` stays ahead until the router, which routes exactly
// through the seq of that view next, has caught up: that makes a cut at which all groups are exact.
//
// There is no queue per subscriber. A membership is one version number; whoever could not be
// written to for a while takes the net change since then, or the whole answer.

/// The standing queries of one server.
// SAFETY: `lock` guards groups, watched types and lists; the index and `touched` belong to the
// router's queue; what subscribers do is guarded by the locks of the groups.
package final class LiveSet: @unchecked Sendable {
    /// How long a group is followed after its last subscriber, for who comes back.
    static let lingerNanoseconds: UInt64 = 60_000_000_000
    /// About what groups that linger may keep together, as `LiveGroup.weight` counts.
    static let lingeringBytes = 64 << 20
    /// What the compiled filters of all groups may take, beside short ones.
    private static let filterBytes = 256 << 20

    /// What keeps queries from taking all of the memory, or all of the time of a write.
    package struct Bounds: Sendable {
        /// Groups that are asked about every change of their types.
        package var residualGroups: Int
        /// Of one snapshot.
        package var snapshotBytes: Int

        package init(residualGroups: Int = .max, snapshotBytes: Int = .max) {
            self.residualGroups = residualGroups
            self.snapshotBytes = snapshotBytes
        }
    }

    package let history = ChangeHistory()
    /// Set before anybody joins.
    package var bounds = Bounds()
    private var residualCount = 0
    /// Counted bytes of the groups' filters.
    private var filterBytesTaken = 0
    private var kinds: [LiveKind.Key: LiveKind] = [:]
    private var kindCounts: [TypeName: Int] = [:]
    let lock = Lock()
    let times = CommitTimes()
    let room: WindowRoom
    /// From a commit to each delta that tells it, of the newest commit in the delta.
    package let lags = Histogram()
    private let groupCount = Counter()
    private let publishedSeq = Atomic<UInt64>(0)
    private let announcedSeq = Atomic<UInt64>(0)
    private let configuredSeq = Atomic<UInt64>(0)

    var groups: [LiveKey: LiveGroup] = [:]
    /// The templates of the groups, and how many each has.
    var templates: [[UInt8]: (template: LiveTemplate, groups: Int)] = [:]
    var watchedTypes: [TypeName: Int] = [:]
    var arrived: [LiveGroup] = []
    /// Groups with an include that were evaluated beside the router.
    var rewatched: [LiveGroup] = []
    /// Groups that may have to be evaluated.
    var stale: [LiveGroup] = []
    /// Those of them that are searched beside the router, in the order in which they have become stale.
    var slow: [LiveGroup] = []
    /// Those who hold, or have asked for, what is not announced yet.
    var waiting: [(seq: UInt64, subscriber: any LiveSubscriber)] = []
    /// Groups that keep encoded bytes or that nobody is in.
    var tended: [ObjectIdentifier: LiveGroup] = [:]

    // Router's queue only.
    var index = CandidateIndex()
    var touched: [LiveGroup] = []
    /// Groups whose subscribers are to be told at the next publication.
    var renewed: [LiveGroup] = []

    /// - Parameter mostRows: That the windows keep, beside short ones.
    package init(mostRows: Int = WindowRoom.mostRows) {
        room = WindowRoom(most: mostRows)
    }

    // MARK: Subscribers

    /// Adds `subscriber` to the group of the request's query, which is made if it is the first. The
    /// subscriber looks (`take`) at once: where an answer is at hand nobody will tell it.
    ///
    /// - Returns: The membership, and whether the router must be called for it.
    /// - Throws: What the query's plan throws; `.tooManyResidualQueries`, `.tooManyFilterBytes`.
    package func join(
        _ request: LiveRequest, _ subscriber: any LiveSubscriber
    ) throws(EngineError) -> (membership: LiveMembership, needsEvaluation: Bool) {
        let (key, query) = Self.key(of: request)
        if let joined = lock.withLock({ groups[key].map { enter($0, request, subscriber) } }) {
            return joined
        }
        // Compiled outside the lock; of two who do so at the same time one has done it in vain.
        let template = lock.withLock { templates[key.template]?.template }
        let made = try LiveGroup(
            request, key: key, query, like: template, snapshotBytes: bounds.snapshotBytes,
            room: room)
        return try lock.withLock { () throws(EngineError) in
            let group = groups[key] ?? made
            if group === made {
                try count(group, for: request)
                groups[group.key] = group
                let template = group.template
                templates[template.key, default: (template, 0)].groups += 1
                groupCount.add()
                for type in group.types { watchedTypes[type, default: 0] += 1 }
                arrived.append(group)
            }
            return enter(group, request, subscriber)
        }
    }

    /// Counts a group that has come; where there is no room for it nothing is counted. Under the lock.
    private func count(
        _ group: LiveGroup, for request: LiveRequest
    ) throws(EngineError) {
        let bytes = group.matcher.countedSize
        guard
            bytes == 0
                || request.hasRoom(for: bytes, beside: filterBytesTaken, of: Self.filterBytes)
        else {
            throw .tooManyFilterBytes(limit: Self.filterBytes)
        }
        let kind = kind(of: group)
        group.isAskedAlways = group.indexClass == .residual || kind.isBeyond
        if group.isAskedAlways {
            guard request.hasRoom(beside: residualCount, of: bounds.residualGroups) else {
                throw .tooManyResidualQueries(limit: bounds.residualGroups)
            }
            residualCount += 1
        }
        filterBytesTaken += bytes
        if kind.groups == 0 {
            kinds[kind.key] = kind
            kindCounts[group.type, default: 0] += 1
        }
        kind.groups += 1
        group.kind = kind
    }

    /// That of the groups which are there, or a new one. Under the lock.
    private func kind(of group: LiveGroup) -> LiveKind {
        let key = LiveKind.Key(group.type, group.access ?? AccessPlan(nil, ids: nil))
        return kinds[key]
            ?? LiveKind(key, isBeyond: kindCounts[group.type] ?? 0 >= LiveKind.most)
    }

    /// Takes the count of a group that goes back. Under the lock.
    func uncount(_ group: LiveGroup) {
        if group.isAskedAlways { residualCount -= 1 }
        filterBytesTaken -= group.matcher.countedSize
        if let kind = group.kind.take() {
            kind.groups -= 1
            if kind.groups == 0 {
                kinds[kind.key] = nil
                kindCounts[group.type, default: 1] -= 1
                if kindCounts[group.type] == 0 { kindCounts[group.type] = nil }
            }
        }
        precondition(residualCount >= 0 && filterBytesTaken >= 0, "each group was counted")
    }

    /// Adds a member to one of the groups. Under the lock.
    private func enter(
        _ group: LiveGroup, _ request: LiveRequest, _ subscriber: any LiveSubscriber
    ) -> (membership: LiveMembership, needsEvaluation: Bool) {
        let membership = LiveMembership(group, request, subscriber)
        let isStale = group.add(membership)
        if isStale, group.enlist() { stale.append(group) }
        return (membership, isStale)
    }

    /// How changes are led to the query of `request`, or would be, and how many watch it now.
    package func standing(of request: LiveRequest) -> LiveStanding {
        guard let group = lock.withLock({ groups[Self.key(of: request).key] }) else {
            let access = AccessPlan(request.query.filter, ids: request.query.ids)
            return LiveStanding(group: nil, index: access.indexClass, watchers: 0)
        }
        return LiveStanding(
            group: group, index: group.indexClass, watchers: group.memberCount)
    }

    /// What the group of a request is known by, and the query of its template.
    private static func key(of request: LiveRequest) -> (key: LiveKey, query: Query) {
        let parts = LiveTemplate.separate(request.query)
        let query = parts?.query ?? request.query
        var key = query.canonicalKey + (request.include?.key ?? [])
        // The same rows under another rule leave for other reasons.
        if let rule = query.rule {
            key += Array("\nrule \(rule.canonical().description)".utf8)
        }
        for name in request.silent { key += Array("\nsilent ".utf8) + name }
        return (LiveKey(template: key, filter: parts?.text ?? []), query)
    }

    /// Ends a membership. The group lingers.
    package func leave(_ membership: LiveMembership) {
        let group = membership.group
        if group.remove(membership) { lookAfter(group) }
    }

    /// Has a group tended, unless it has ended meanwhile.
    private func lookAfter(_ group: LiveGroup) {
        lock.withLock { if !group.hasEnded { tended[ObjectIdentifier(group)] = group } }
    }

    /// What there is for one subscriber. Each news is handed out once.
    package func take(_ membership: LiveMembership) -> LiveNews {
        let group = membership.group
        var errand = LiveGroup.Errand()
        let news = group.news(
            for: membership, published: published,
            configured: configuredSeq.load(ordering: .acquiring), history, &errand)
        if errand.mustTend { lookAfter(group) }
        if let awaited = errand.awaited { tell(membership.subscriber, at: awaited) }
        return news
    }

    /// What a request in the place of `membership` begins with, where it is not known what rows are
    /// held.
    ///
    /// - Parameter why: What a snapshot says then.
    package func resume(of membership: LiveMembership, else why: LiveWhy) -> LiveResume {
        membership.group.resume(of: membership, else: why)
    }

    /// What `membership` holds, for a request of the same client in its place; nil where that cannot
    /// be told, and the client takes a snapshot.
    package func holding(of membership: LiveMembership) -> LiveHolding? {
        membership.group.holding(of: membership, published: published)
    }

    /// For `noteConfigured`: a change of what queries mean is about to get its place among the commits.
    package static let onItsWay = UInt64.max
    /// For `noteConfigured`: what queries mean here has no place among the commits, since another server's
    /// configuration has it. None may come, so that nobody waits for it.
    package static let nowhere = UInt64.max - 1

    /// From now on cursors before `seq`, and no others, are answered with a snapshot: what their
    /// queries meant, by schemas, contracts and row rules, is not what they mean now.
    ///
    /// - Parameter seq: Or `onItsWay`, `nowhere`: no cursor is taken.
    package func noteConfigured(at seq: UInt64) {
        configuredSeq.store(seq, ordering: .releasing)
    }

    /// The seq through which all commits are routed and shown.
    package var published: UInt64 { publishedSeq.load(ordering: .acquiring) }

    func setPublished(_ seq: UInt64) {
        publishedSeq.max(seq, ordering: .acquiringAndReleasing)
    }

    /// A seq that `published` has reached, and of which all parts of cuts have been noted: see
    /// LiveSet+Telling.
    package var announced: UInt64 { announcedSeq.load(ordering: .acquiring) }

    func setAnnounced(_ seq: UInt64) {
        announcedSeq.max(seq, ordering: .acquiringAndReleasing)
    }

    func countGroups(_ change: Int) { groupCount.add(change) }

    /// Whether any query stands at all. No lock: what writers ask first.
    package var isEmpty: Bool { groupCount.value == 0 }

    /// Whether any query stands on `type`.
    package func watches(_ type: TypeName) -> Bool {
        lock.withLock { watchedTypes[type] != nil }
    }

    /// Those of `changes` whose types any query stands on: a look-up for each run of a type.
    package func concerning(_ changes: [Change]) -> [Change] {
        guard !isEmpty else { return [] }
        var runs: [Range<Int>] = []
        lock.withLock {
            changes.forEachRun { type, run in
                if watchedTypes[type] != nil { runs.append(run) }
            }
        }
        if runs.first?.count == changes.count { return changes }
        return runs.flatMap { changes[$0] }
    }

    /// How many queries stand on each type, those that include its entities among them.
    package var queriesByType: [TypeName: Int] { lock.withLock { watchedTypes } }

    package var counts: (groups: Int, subscriptions: Int) {
        lock.withLock {
            (groups.count, groups.values.reduce(0) { $0 + $1.memberCount })
        }
    }
}
