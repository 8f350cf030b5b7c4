import FreshetBase
package import FreshetEngine
package import FreshetQuery

/// All subscribers of one canonical query: it is matched, kept and encoded once for all of them.
///
/// It takes one of three forms:
/// - **followed**: a window that is kept current change by change;
/// - **refilled**: a window that is filled by a search when a change concerns it, and compared;
/// - **whole**: an answer of another shape (groups, aggregates), which is evaluated when a change
///   concerns it and sent as a whole.
// SAFETY: `lock` guards what changes; `changes`, `isOverrun`, `place`, `visit` and `access` belong to
// the router's queue alone.
package final class LiveGroup: @unchecked Sendable {
    enum Form: Sendable { case followed, refilled, whole }

    /// Rows before a window, and in it, up to which it is followed: beyond, keeping them costs more
    /// than looking.
    private static let mostFollowedRows = 20_000

    /// All but the filter, for most groups.
    let template: LiveTemplate
    let matcher: RowMatcher
    /// The group is out of the set, and is not put into the index any more. Under the set's lock.
    var hasEnded = false
    /// What its filter fixes; nil before the set has counted it. Under the set's lock.
    var kind: LiveKind?
    /// It counts among those that are asked about every change. Written before it is in the set.
    package internal(set) var isAskedAlways = false
    /// Where the group stands in the index. Router's queue only.
    var place: CandidateIndex.Place?
    /// How changes find it, as `hello` tells it.
    package let indexClass: IndexClass
    /// The filter's canonical text, empty where the template has the filter.
    let filterText: [UInt8]

    /// The changes of the batch at work that concern the group. Router's queue only.
    var changes: [WindowChange] = []
    /// The batch at work has more changes than are followed, or one that cannot be judged. Router's queue
    /// only.
    var isOverrun = false
    /// The last change that was led to the group, by the index's count. Router's queue only.
    var visit: UInt64 = 0
    /// How changes are led to the group; given up once it is in the index. Router's queue only.
    var access: AccessPlan?

    private let lock = LiveGroupLock.next()
    private var state = State()

    /// What changes, guarded by the lock. In an order in which small variables fill the room behind
    /// optional numbers: there may be a hundred thousand of these.
    struct State {
        /// Each knows its place here.
        var members = LiveMembers()
        /// Since when nobody is in it, in nanoseconds of the monotonic clock.
        var emptySince: UInt64?
        /// It must be evaluated: changes have come that were not followed.
        var isStale = false
        /// It was handed out for that. Where it is searched beside the router, changes are held meanwhile.
        var isBeingEvaluated = false
        /// Its last search took so long that the next one is not made on the router's queue.
        var isSlow = false
        /// Somebody looked while it was stale, and must be told even if the answer turns out to be the
        /// one that was told of before.
        var isAwaited = false
        /// How many of the members are parts of cuts.
        var partCount: Int32 = 0
        /// The state below is exact at this seq; nil before the first evaluation.
        var exactSeq: UInt64?
        /// It waits in the set's list of groups to evaluate.
        var isListed = false
        var wantsOldValues = false
        /// Encoded bytes were asked for since the group was last looked after.
        var isUsed = false
        /// It is in the set's list of groups to look after.
        var isTended = false
        /// The last seq at which the window was known to be exact before it became stale.
        var knownThrough: UInt64 = 0
        /// Of the query that fills the group, without the window for its first rows: see `Window`.
        /// nil where it is made again when it is needed.
        var plan: SearchPlan?
        /// What the router tells before the first answer.
        @Rare var held: HeldChanges? = nil
        @Rare var failure: EngineError? = nil
        var window: Window?
        @Rare private var knownWhole: Whole? = nil
        /// What is included beside the rows of the window; nil for a query without an include.
        @Rare var included: IncludedRows? = nil
        /// What the included entities of the last answer depend on.
        @Rare var watch: LiveWatch? = nil
        /// Encoded for those who take the same step; dropped when it was not used for a while.
        var frames: [Frame] = []
        var snapshot: LiveResult?

        var whole: Whole {
            get { knownWhole ?? Whole() }
            set { knownWhole = newValue }
        }
    }

    /// The answer of a group of the whole form.
    struct Whole {
        var version: UInt64 = 0
        var digest: UInt64 = 0
        /// nil where it was dropped; whoever comes then has it evaluated again.
        var result: LiveResult?
        var isWanted = true
    }

    struct Frame {
        let orLater: Bool
        let withOld: Bool
        let from: UInt64
        let to: UInt64
        /// nil where a snapshot is smaller.
        let delta: LiveDelta?
    }

    /// - Parameters:
    ///   - query: The request's own, or without its filter.
    ///   - template: That of an earlier group with the same key of a template, if there is one.
    /// - Throws: What the query's plan throws.
    init(
        _ request: LiveRequest, key: LiveKey, _ query: Query, like template: LiveTemplate? = nil,
        snapshotBytes: Int = .max, room: WindowRoom = WindowRoom()
    ) throws(EngineError) {
        let access = AccessPlan(request.query.filter, ids: request.query.ids)
        self.access = access
        indexClass = access.indexClass
        let plan = try SearchPlan(Self.fillQuery(request.query), isStanding: true)
        matcher = plan.matcher
        filterText = key.filter
        if let template {
            self.template = template
        } else {
            self.template = try LiveTemplate(
                of: request, query: query, plan: plan, key: key.template,
                snapshotBytes: snapshotBytes, room: room)
        }
        state.plan = plan
    }

    deinit { _ = template.room.resize(from: state.window?.rows.count ?? 0, to: 0) }

    /// The query that fills a group, which takes the form of `query`.
    private static func fillQuery(_ query: Query) -> Query {
        let form = form(of: query)
        return form == .whole ? query : Window.fillQuery(query, follows: form == .followed)
    }

    package var type: TypeName { template.query.type }
    /// The query; its filter may be missing, which costs to make.
    package var queryBesideFilter: Query { template.query }
    /// - Complexity: That of parsing the filter.
    package var query: Query { template.query(of: filterText) }
    package var include: (any LiveInclude)? { template.include }
    /// Members of the rows whose changes alone make no news.
    package var silent: [[UInt8]] { template.content.silent }
    var form: Form { template.form }
    var content: ShownContent { template.content }
    /// Types whose changes may concern the group.
    package var types: Set<TypeName> { (include?.types ?? []).union([type]) }
    var key: LiveKey { LiveKey(template: template.key, filter: filterText) }

    /// What finds the group's rows.
    ///
    /// - Complexity: Where the filter is kept as text, that of parsing it, but for the first time.
    package var plan: SearchPlan {
        if let plan = withState({ $0.plan }) { return plan }
        return SearchPlan(
            Self.fillQuery(query), matcher: matcher, sequence: template.sequence)
    }

    /// How a query is kept; one member of `Query` more may need another line here.
    static func form(of query: Query) -> Form {
        if query.sendsSnapshotsOnly { return .whole }
        // Which entity is the first of its value cannot be told from those that changed, and what
        // is included is looked up for rows of one seq.
        if query.distinct != nil || query.include != nil { return .refilled }
        guard let limit = query.limit else { return .followed }
        return query.offset + limit <= mostFollowedRows ? .followed : .refilled
    }

    func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }

    // MARK: Members

    package var memberCount: Int { withState { $0.members.count } }

    /// - Returns: Whether the group must be evaluated before the member finds anything.
    func add(_ membership: LiveMembership) -> Bool {
        withState { state in
            membership.place = Int32(state.members.count)
            state.members.append(membership)
            if membership.subscriber.isPartOfCut { state.partCount += 1 }
            state.emptySince = nil
            // Another try for whoever comes after an evaluation that failed.
            state.failure = nil
            if form == .whole, state.whole.result == nil { state.whole.isWanted = true }
            if membership.wantsOldValues, !state.wantsOldValues {
                state.wantsOldValues = true
                if let exact = state.exactSeq { state.window?.trail.noteOldValues(from: exact) }
            }
            return state.needsEvaluation(form)
        }
    }

    /// - Returns: Whether it was the last one.
    func remove(_ membership: LiveMembership) -> Bool {
        withState { state in
            guard membership.place >= 0 else { return false }
            let place = Int(membership.place)
            membership.place = -1
            if membership.subscriber.isPartOfCut { state.partCount -= 1 }
            // The last one takes the place.
            precondition(
                state.members[place] === membership, "a member stands at its place")
            let last = state.members.removeLast()
            if last !== membership {
                state.members[place] = last
                last.place = Int32(place)
            }
            guard state.members.isEmpty else { return false }
            state.isTended = true
            state.emptySince = MonotonicInstant.now.nanoseconds
            return true
        }
    }

    /// Whether a member is a part of a cut.
    package var isPartOfCut: Bool { withState { $0.partCount > 0 } }

    /// Those members that are parts of cuts.
    func partsOfCuts() -> [any LiveSubscriber] {
        withState { state in
            guard state.partCount > 0 else { return [] }
            return state.members.lazy.map(\.subscriber).filter(\.isPartOfCut)
        }
    }

    /// Finds some of those who have yet to take the newest state: the members from the end on,
    /// some at a time, so that nobody waits long for the lock and who is told is still near in memory.
    ///
    /// Whoever leaves meanwhile gives its place to the last one, which was asked before; whoever
    /// comes looks by itself.
    ///
    /// - Parameter place: Members before it are asked; it moves on.
    /// - Returns: Whether there are more.
    func lateSubscribers(
        before place: inout Int, into subscribers: inout [any LiveSubscriber]
    ) -> Bool {
        withState { state in
            let version = state.version
            let end = min(place, state.members.count)
            place = max(0, end - 64)
            for index in stride(from: end - 1, through: place, by: -1) {
                let membership = state.members[index]
                if case .at(version) = membership.position, state.failure == nil,
                    !membership.awaitsEvaluation
                {
                    continue
                }
                membership.awaitsEvaluation = false
                subscribers.append(membership.subscriber)
            }
            return place > 0
        }
    }

    /// About what it keeps, in bytes: its filter, which takes some eight times what it is compiled to, and
    /// its rows.
    var weight: Int {
        let rows = withState { $0.window?.rows.count ?? 0 }
        return 2_000 + 8 * matcher.compiledSize + matcher.expressionSize + 64 * rows
    }

    /// Lets go of encoded bytes that were not asked for since the last call.
    ///
    /// - Returns: Since when it is empty.
    func tend() -> UInt64? {
        withState { state in
            let wasUsed = state.isUsed
            state.isUsed = false
            if !wasUsed {
                state.frames = []
                state.snapshot = nil
                if form == .whole, state.allHoldNewest { state.whole.result = nil }
            }
            state.isTended = wasUsed || state.members.isEmpty
            return state.emptySince
        }
    }

    /// Whether it must be looked after again.
    var isTended: Bool { withState { $0.isTended } }

    /// Has a group that was handed out for evaluation go without it where nobody is in it any more.
    ///
    /// - Returns: Whether it does; whoever comes next has it handed out again.
    package func giveUpIfLeft() -> Bool {
        withState { state in
            guard state.members.isEmpty else { return false }
            state.isBeingEvaluated = false
            state.held = nil
            return true
        }
    }

    // MARK: The router

    /// What the included entities of the last answer depend on.
    var watch: LiveWatch? { withState { $0.watch } }

    /// Takes the gathered changes of a batch in.
    ///
    /// - Parameter through: The seq of the batch's last commit.
    /// - Returns: Whether somebody may want to look, and whether the group must be evaluated.
    func applyChanges(through seq: UInt64) -> (isNews: Bool, isStale: Bool) {
        let batch = changes
        changes.removeAll(keepingCapacity: batch.count <= 16)
        return withState { state in
            if state.isBeingEvaluated {
                state.held?.hold(batch, through: seq)
                return (false, false)
            }
            guard let exact = state.exactSeq else { return (false, true) }
            guard let next = batch.first(where: { $0.seq > exact }) else {
                return (false, state.needsEvaluation(form))
            }
            guard form == .followed, !state.isStale, var window = state.window else {
                state.markStale(knownThrough: max(exact, next.seq - 1))
                return (false, true)
            }
            // Taken out, so that the rows are changed in place.
            state.window = nil
            let (before, rows) = (window.trail.newest, window.rows.count)
            let known = window.follow(batch.lazy.filter { $0.seq > exact })
            let isNews = window.trail.newest != before
            if content.showsSilent { state.dropEncoded() } else if isNews { state.snapshot = nil }
            guard state.keep(window, before: rows, in: template.room) else { return (true, false) }
            state.exactSeq = seq
            if let known { state.markStale(knownThrough: known) }
            return (isNews, known != nil)
        }
    }

    /// Takes note that changes of a batch concern the group, which are too many to be followed.
    ///
    /// - Parameters:
    ///   - seq: That of the batch's last commit.
    ///   - published: Changes through it were followed.
    /// - Returns: Whether the group must be evaluated.
    func passOver(through seq: UInt64, after published: UInt64) -> Bool {
        isOverrun = false
        return withState { state in
            if state.isBeingEvaluated {
                state.held?.lose(through: seq)
                return false
            }
            guard let exact = state.exactSeq else { return true }
            guard exact < seq else { return state.needsEvaluation(form) }
            state.markStale(knownThrough: max(exact, published))
            return true
        }
    }

    /// Makes the group look again, since changes behind `seq` were not followed.
    func invalidate(after seq: UInt64) {
        withState { state in
            if state.isBeingEvaluated { state.held?.lose(through: .max) }
            state.markStale(knownThrough: max(state.exactSeq ?? 0, seq))
        }
    }

    /// Hands the group out for evaluation, to one caller until it installs the outcome.
    func takeIfStale() -> Bool {
        withState { state in
            state.isListed = false
            // Whoever comes into an empty one has it evaluated.
            guard state.needsEvaluation(form), !state.isBeingEvaluated, state.failure == nil,
                !state.members.isEmpty
            else { return false }
            state.isBeingEvaluated = true
            state.held = HeldChanges()
            return true
        }
    }

    /// Takes back that it was handed out.
    ///
    /// - Returns: As `enlist`.
    func putBack() -> Bool {
        withState { state in
            state.isBeingEvaluated = false
            state.held = nil
        }
        return enlist()
    }

    var needsEvaluation: Bool {
        withState { $0.failure == nil && $0.needsEvaluation(form) }
    }

    package var wasEvaluated: Bool { withState { $0.exactSeq != nil } }

    /// How long a search may take on the router's queue, where all other groups wait for it.
    private static let quickSearch = Duration.milliseconds(20)

    /// Takes note of how long its last search took.
    package func remember(search time: Duration) {
        withState { $0.isSlow = time > Self.quickSearch }
    }

    /// Whether it is searched beside the router. A part of a cut is not: between two searches beside it
    /// whoever writes all the time would keep it from being exact at the seq of any cut.
    var isSearchedBeside: Bool { withState { $0.isSlow && $0.partCount == 0 } }

    /// - Returns: Whether it was not in the list of those to evaluate, where it belongs now.
    func enlist() -> Bool {
        withState { state in
            guard !state.isListed else { return false }
            state.isListed = true
            return true
        }
    }

    /// Takes the answer to the group's plan in; that of the whole form goes the other way.
    ///
    /// - Parameters:
    ///   - found: Read from a view that was taken after the group was handed out.
    ///   - included: What its include finds for these rows in views of the same seq.
    ///   - document: Looks an entity of the query's type up in that view.
    /// - Returns: Whether somebody may want to look.
    package func install(
        _ found: SearchResult, including included: LiveIncluded? = nil, at seq: UInt64,
        document: (EntityID) -> Document?
    ) -> Bool {
        if form == .whole {
            let limit = template.snapshotBytes
            guard content.fits(found.documents, in: limit) else {
                return install(.snapshotTooLarge(limit: limit))
            }
            return install(
                LiveResult(
                    found, at: seq, showing: content, including: included,
                    as: template.includedContent))
        }
        // Made outside the lock; only this caller sets the first one.
        let first =
            withState { $0.window == nil }
            ? Window(template, found: found, at: seq) : nil
        let rows = first == nil ? nil : included.map { IncludedRows($0, template.includedContent) }
        // Here it holds up nobody; who takes it is on an event loop.
        let encoded = first.flatMap { isLong($0) ? snapshot(of: $0, rows, at: seq) : nil }
        return withState { state in
            state.isBeingEvaluated = false
            state.isStale = false
            state.exactSeq = seq
            // A window that is followed is rarely filled again.
            if form == .followed, !filterText.isEmpty { state.plan = nil }
            state.watch = included?.watch
            if var first {
                if state.wantsOldValues { first.trail.noteOldValues(from: seq) }
                guard state.keep(first, before: 0, in: template.room) else { return true }
                state.included = rows
                state.snapshot = encoded
                state.takeHeldChanges(at: seq, form, template.room)
                return true
            }
            guard var window = state.window else { return false }
            state.window = nil
            let rowsBefore = window.rows.count
            if template.showsSilent { state.dropEncoded() } else { state.snapshot = nil }
            window.fill(found, at: seq, knownThrough: min(state.knownThrough, seq)) { gone in
                guard let present = document(gone.id) else { return .deleted }
                return matcher.matches(present) == true ? .displaced : reason(of: present)
            }
            if let included, state.included?.take(included, at: seq) == true {
                window.trail.add(version: seq)
            }
            if state.keep(window, before: rowsBefore, in: template.room) {
                state.takeHeldChanges(at: seq, form, template.room)
            }
            return true
        }
    }

    /// What `window` shows, encoded; nil where that is larger than a snapshot may be.
    func snapshot(
        of window: borrowing Window, _ included: IncludedRows?, at seq: UInt64
    ) -> LiveResult? {
        let documents = window.shown.map(\.document)
        guard content.fits(documents, in: template.snapshotBytes) else { return nil }
        return LiveResult(
            documents, total: window.total, digest: window.digest ^ (included?.digest ?? 0),
            at: seq, projection: content.projection, withMeta: content.withMeta,
            including: included?.current)
    }

    /// Whether it takes long to encode what `window` shows.
    private func isLong(_ window: borrowing Window) -> Bool {
        window.shown.reduce(0) { $0 + $1.document.json.count } > Self.quickBytes
    }

    /// Bytes of rows that are encoded in a millisecond or two.
    private static let quickBytes = 256 << 10

    /// Checks that an answer and what it includes are no larger than a snapshot may be.
    package func checkSize(
        _ found: SearchResult, _ included: LiveIncluded
    ) throws(EngineError) {
        let limit = template.snapshotBytes
        guard content.fits(found.documents, in: limit - included.bytes) else {
            throw .snapshotTooLarge(limit: limit)
        }
    }

    /// Keeps `bytes` no more, which their one reader is too slow for.
    package func letGo(of bytes: LiveResult.Encoded) {
        withState { state in
            guard state.members.count <= 1 else { return }
            if state.snapshot?.encoded === bytes { state.snapshot = nil }
            if form == .whole, state.whole.result?.encoded === bytes, state.allHoldNewest {
                state.whole.result = nil
            }
        }
    }

    /// Whether the group keeps `bytes` for whoever comes next.
    package func keeps(_ bytes: LiveResult.Encoded) -> Bool {
        withState { $0.whole.result?.encoded === bytes || $0.snapshot?.encoded === bytes }
    }

    /// Takes an answer of the whole form in.
    package func install(_ result: LiveResult) -> Bool {
        withState { state in
            state.isBeingEvaluated = false
            state.isStale = false
            let isFirst = state.exactSeq == nil
            let isNews = isFirst || result.digest != state.whole.digest
            if isNews { state.whole.version = result.seq }
            let wasWanted = state.whole.isWanted || state.isAwaited
            state.isAwaited = false
            state.exactSeq = result.seq
            state.whole.digest = result.digest
            state.watch = result.watch
            state.whole.isWanted = false
            state.whole.result = result
            state.takeHeldChanges(at: result.seq, form, template.room)
            return isNews || wasWanted
        }
    }

    /// Notes that the query cannot be evaluated.
    package func install(_ failure: EngineError) -> Bool {
        withState { state in
            state.isBeingEvaluated = false
            state.failure = failure
            return true
        }
    }
}

extension LiveGroup.State {
    func needsEvaluation(_ form: LiveGroup.Form) -> Bool {
        exactSeq == nil || isStale || form == .whole && whole.isWanted
    }

    /// Follows what came while the answer, of `seq`, was searched.
    mutating func takeHeldChanges(
        at seq: UInt64, _ form: LiveGroup.Form, _ room: WindowRoom
    ) {
        let held = held
        self.held = nil
        guard let held, held.through > seq else { return }
        guard let changes = held.changes(after: seq) else {
            return markStale(knownThrough: seq)
        }
        guard let next = changes.first else { return }
        guard form == .followed, var window else {
            return markStale(knownThrough: next.seq - 1)
        }
        self.window = nil
        dropEncoded()
        let rows = window.rows.count
        let known = window.follow(changes)
        guard keep(window, before: rows, in: room) else { return }
        exactSeq = held.through
        if let known { markStale(knownThrough: known) }
    }

    /// Puts `changed` in its place. Where there is no room for its rows the group keeps none any more: who
    /// is in it is told so, and who comes next has it evaluated again.
    ///
    /// - Parameter rows: That are counted for it.
    /// - Returns: Whether there is room.
    mutating func keep(_ changed: Window, before rows: Int, in room: WindowRoom) -> Bool {
        if room.resize(from: rows, to: changed.rows.count) {
            window = changed
            return true
        }
        _ = room.resize(from: rows, to: 0)
        dropEncoded()
        (window, included, watch, exactSeq) = (nil, nil, nil, nil)
        isStale = false
        failure = .tooManyWindowRows(limit: room.most)
        return false
    }

    /// Whether every member has taken the newest state.
    var allHoldNewest: Bool {
        let version = version
        return members.allSatisfy {
            if case .at(version) = $0.position { true } else { false }
        }
    }

    /// Lets go of what was encoded of rows that are others now.
    mutating func dropEncoded() {
        snapshot = nil
        frames = []
    }

    mutating func markStale(knownThrough seq: UInt64) {
        guard !isStale else { return }
        isStale = true
        knownThrough = seq
    }
}
