import FreshetBase
package import FreshetRefresh
package import FreshetQuery

// An operation over a remote, or over what controllers alone bring.
//
// It has its state, its run and its waiters from `OperationStore`. The *board* says when it may run, when
// it is stale, and starts it by itself; `Operations` finds it for whoever reads. Each step reaches the
// board in one commit, in the order of the steps; what the board wants comes back as an order.

/// What keeps operations and does what they are there for.
protocol OperationKeeper: AnyObject, Sendable {
    /// The switch of the service.
    var isServiceActive: Bool { get }
    /// Does what a run is to do that nobody's request has begun.
    func run(
        _ operation: RemoteOperation, _ run: OperationRun<FetchOutcome>
    ) async throws -> FetchOutcome
    /// A run has ended.
    func noteEnd(of operation: RemoteOperation)
    /// Forgets what is known of an operation.
    func forget(_ operation: RemoteOperation)
}

/// One operation: what it asks, and how it stands. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
package final class RemoteOperation: OperationStore<FetchOutcome>, @unchecked Sendable {
    /// Named by the configuration; else it is there since somebody has read so.
    package let isConfigured: Bool
    /// What its values are entities of.
    package let type: TypeName
    /// What is asked; nil for a mutation.
    package let query: Query?
    /// The query is for one entity by its path.
    let isGet: Bool
    /// There is a remote to ask; else its value comes from controllers alone, and nothing runs.
    package let isRunnable: Bool
    /// The name of the upstream, for problems; empty where there is none.
    package let upstreamName: String
    /// What a mutation does; nil for all else.
    package let mutation: OperationDefinition.Write?
    /// The name of what is asked: equal for equal questions.
    let key: FlightName

    private let board: OperationBoard
    weak let keeper: (any OperationKeeper)?
    private var currentRules: RunRules
    /// When it was last asked for; see `lastUsed`.
    private let lastUse = Counter()
    private let dropped = Counter()
    private var attachments = 0
    private var refreshes = false
    /// Refreshes that have begun within a second.
    private var starts = (second: Int64(-1), count: 0)
    private var heldPages: OperationPages
    private var admissions: [UInt64: @Sendable (Bool) -> Void] = [:]
    private var lastAdmission: UInt64 = 0
    private var shownLevels: OperationLevels?
    private var writes: [@Sendable () -> Void] = []
    private var isWriting = false

    init(
        _ id: String, kind: OperationKind, isConfigured: Bool, type: TypeName, query: Query?,
        isGet: Bool = false, isRunnable: Bool = true, write: OperationDefinition.Write? = nil,
        upstreamName: String, key: FlightName, _ settings: OperationSettings,
        _ board: OperationBoard, keeper: any OperationKeeper
    ) {
        self.isConfigured = isConfigured
        self.type = type
        self.query = query
        self.isGet = isGet
        self.isRunnable = isRunnable
        self.upstreamName = upstreamName
        mutation = write
        self.key = key
        self.board = board
        self.keeper = keeper
        currentRules = RunRules(settings)
        heldPages = OperationPages(size: query?.limit ?? 100, start: query?.offset ?? 0)
        super.init(
            id, kind: kind, options: OperationOptions(settings), clock: board.clock,
            keepsValue: false, executor: PolicyWorkers.fetches, count: { $0.count },
            work: nil)
        touch()
    }

    var rules: RunRules {
        get { lock.withLock { currentRules } }
        set { lock.withLock { currentRules = newValue } }
    }

    /// The pages of its value.
    var pages: OperationPages {
        get { lock.withLock { heldPages } }
        set { lock.withLock { heldPages = newValue } }
    }

    /// Text that says what it asks.
    package var question: String { key.description }

    /// Whether it is there for the same answer.
    func asks(_ other: Query) -> Bool {
        query?.type == other.type && query?.canonicalKey == other.canonicalKey
    }

    func touch(at now: MonotonicInstant = .now) { lastUse.set(Int(now.nanoseconds)) }

    /// Elements of the answer that its value is from which are no entities.
    package var leftOut: Int {
        get { dropped.value }
        set { dropped.set(newValue) }
    }

    /// Nanoseconds of the process's clock.
    var lastUsed: Int { lastUse.value }

    /// Neither runs nor is watched, nor known to the board.
    var isUnused: Bool { isIdle && !isAttached }

    /// There are live queries of it, or streams of its state.
    var isWatched: Bool { isAttached || isObserved }

    // MARK: The board

    /// Settings that nothing happens by.
    private static let quiet: OperationSettings = {
        var settings = OperationSettings()
        settings.automatic = .never
        return settings
    }()

    /// The board knows it for as long as there are more of these than of `detach`. Things are taken
    /// as they stand: nothing runs because of it.
    ///
    /// - Parameter settings: nil: the default ones.
    func attach(_ settings: OperationSettings? = nil) {
        let isFirst = lock.withLock {
            attachments += 1
            return attachments == 1
        }
        guard isFirst else { return }
        let state = state
        if state.hasValue || state.isLoading || state.subscribers > 0 || !state.isActive {
            board.attach(id, Self.quiet, delegate: nil)
            var changes = changes(of: state)
            if let run = state.run { changes.append(.run(id, .began(run.origin))) }
            board.commit(changes)
        }
        board.attach(
            id, settings ?? OperationSettings(upstream: upstreamName), delegate: self)
        noteLevels()
        // What has changed meanwhile.
        republish()
    }

    func detach() {
        let isLast = lock.withLock {
            attachments -= 1
            return attachments == 0
        }
        if isLast { board.detach(id) }
    }

    /// A live query of its query begins.
    ///
    /// - Parameter isServed: What is here serves it, as far as its own context goes.
    /// - Returns: What ends it.
    func subscribe(isServed: Bool) -> @Sendable () -> Void {
        touch()
        let levels = levels
        // Where the board knows the operation, it sees the first subscriber, and decides.
        let runs = isRunnable && !isAttached && !isServed && levels.gate && levels.stale
        let subscription = subscribe(runs: runs)
        attach()
        return { [self] in
            subscription.cancel()
            detach()
        }
    }

    var isAttached: Bool { lock.withLock { attachments > 0 } }

    private func changes(of state: OperationState) -> [BoardChange] {
        [
            .status(id, state.status), .failures(id, state.failures),
            .value(id, updatedAt: state.valueUpdated), .invalidated(id, state.isInvalidated),
            .operationActive(id, state.isActive), .subscribers(id, state.subscribers),
        ]
    }

    package override func perform(_ run: OperationRun<FetchOutcome>) async throws -> FetchOutcome {
        guard let keeper else { throw FetchFailure.stopping }
        return try await keeper.run(self, run)
    }

    /// Tells the board of a step. In the order of the steps.
    package override func publish(_ state: OperationState, _ phase: OperationPhase?) {
        if phase == .ended { keeper?.noteEnd(of: self) }
        guard isAttached else { return }
        var changes = changes(of: state)
        switch phase {
        case .began(let origin): changes.append(.run(id, .began(origin)))
        case .ended:
            changes.append(.run(id, state.lastRun.map { .endedAt($0.endedAt) } ?? .ended))
        case nil: break
        }
        if phase == .ended, kind == .mutation, state.lastRun?.outcome == .success {
            changes.append(.event(.mutation(id)))
        }
        board.commit(changes)
        // What is told next shows these.
        noteLevels()
    }

    private func noteLevels() {
        let levels = levels
        lock.withLock { shownLevels = levels }
    }

    /// How its specifications stand now. One that the board does not know has the default ones.
    package var levels: OperationLevels {
        if isAttached, let levels = board.levels(of: id) { return levels }
        let isOn = isActive && keeper?.isServiceActive ?? true
        return OperationLevels(
            gate: isOn && kind != .mutation, stale: true, when: false, admit: true)
    }

    /// Whether an age, a window or something else was declared that makes its value stale, or
    /// somebody has declared it out of date.
    var declaresStaleness: Bool {
        isInvalidated || lock.withLock { currentRules.declaresStaleness }
    }

    /// Whether what is stored of it is judged by `levels.stale`. One of the configuration always is:
    /// without rules it is stale, unless a controller follows. What somebody has just asked for has no
    /// rules, and what is stored of it serves at any age.
    var isJudged: Bool { isConfigured || declaresStaleness }

    /// The name of what keeps it from running; nil: nothing does.
    ///
    /// - Parameter byItself: Whether the gate of automatic runs counts, too.
    package func closedGate(byItself: Bool) -> String? {
        if isAttached { return board.closedGate(of: id, byItself: byItself) }
        return byItself && !levels.gate ? "automatic" : nil
    }

    package var counters: EdgeCounters {
        isAttached ? board.counters(of: id) ?? EdgeCounters() : EdgeCounters()
    }

    /// How each of its specifications comes about; nil where it has the default ones.
    package var report: OperationSlotReport? { isAttached ? board.report(of: id) : nil }

    // MARK: Controllers

    /// Whether automatic running is on, so that a controller may ask for a run.
    package var takesReruns: Bool {
        guard isRunnable else { return false }
        let levels = levels
        return levels.gate && levels.admit
    }

    /// A controller's value is in the store.
    ///
    /// - Parameters:
    ///   - count: Its rows, where it has rows.
    ///   - isWhole: It is more than changes of the value before.
    ///   - generation: The operation's when the controller began; what comes after a reset is ignored.
    package func noteValue(count: Int?, isWhole: Bool = true, generation: UInt64? = nil) {
        var outcome = FetchOutcome(at: .now)
        outcome.rows = count
        outcome.hasRows = count != nil
        leftOut = 0
        yield(outcome, generation: generation, isWhole: isWhole)
    }

    /// A controller has met an error; the value stays.
    ///
    /// - Parameter fails: The operation fails, too; else the error is noted alone.
    package func note(error: any Error, fails: Bool, generation: UInt64? = nil) {
        yield(error: error, generation: generation, keepsStatus: !fails)
    }

    /// Runs it for a controller.
    ///
    /// - Returns: False while automatic running is off.
    package func rerun() -> Bool {
        guard takesReruns else { return false }
        start(.controller)
        return true
    }

    /// Forgets value, error and counts.
    package override func reset() {
        lock.withLock { heldPages.reset() }
        leftOut = 0
        super.reset()
    }

    // MARK: Refreshes

    /// Refreshes that may begin within a second.
    private static let mostStarts = 5

    /// Whether a refresh may begin, as often as some have begun within this second.
    func mayStart(at now: MonotonicInstant) -> Bool {
        lock.withLock { startCount(at: now) < Self.mostStarts }
    }

    /// Notes that a refresh begins.
    ///
    /// - Returns: False where it may not.
    func noteStart(at now: MonotonicInstant) -> Bool {
        lock.withLock {
            let count = startCount(at: now)
            guard count < Self.mostStarts else { return false }
            starts = (now.second, count + 1)
            return true
        }
    }

    /// Under the lock: the refreshes that have begun within this second.
    private func startCount(at now: MonotonicInstant) -> Int {
        starts.second == now.second ? starts.count : 0
    }

    /// Takes a place among the refreshes until the run ends.
    func beginRefresh() { lock.withLock { refreshes = true } }

    /// - Returns: Whether it had one.
    func endRefresh() -> Bool {
        lock.withLock {
            defer { refreshes = false }
            return refreshes
        }
    }

    // MARK: Writes

    /// Writes of one mutation that wait for those before them.
    static let mostWrites = 100

    /// Calls `start` once the writes before it have ended.
    ///
    /// - Returns: False where as many wait as may.
    func enqueue(_ start: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isFirst) = lock.withLock { () -> (Bool, Bool) in
            guard isWriting else {
                isWriting = true
                return (true, true)
            }
            guard writes.count < Self.mostWrites else { return (false, false) }
            writes.append(start)
            return (true, false)
        }
        if isFirst { start() }
        return isTaken
    }

    /// A write has ended.
    func dequeue() {
        let next = lock.withLock { () -> (@Sendable () -> Void)? in
            guard !writes.isEmpty else {
                isWriting = false
                return nil
            }
            return writes.removeFirst()
        }
        next?()
    }

    // MARK: Admission

    /// Calls `proceed` with nil as soon as the operation may run, with the name of its closed gate
    /// where it may not and nobody is to wait, or has waited for as long as may be. Not at all once
    /// `waiter` has left.
    func admit<Answer>(
        _ waiter: Waiter<Answer>, _ proceed: @escaping @Sendable (_ gate: String?) -> Void
    ) {
        let admit = rules.admit
        guard isAttached, admit.when != .always, !levels.admit else { return proceed(nil) }
        let settle: @Sendable (Bool) -> Void = { [self] isAdmitted in
            proceed(isAdmitted ? nil : closedGate(byItself: false) ?? "admit")
        }
        guard admit.otherwise == .wait else { return settle(false) }
        let number = lock.withLock { () -> UInt64? in
            guard admissions.count < Self.mostAdmissions else { return nil }
            lastAdmission += 1
            admissions[lastAdmission] = settle
            return lastAdmission
        }
        guard let number else { return settle(false) }
        let alarm = clock.schedule(at: clock.now + admit.maxWait) { [weak self] in
            self?.takeAdmission(number)?(false)
        }
        waiter.atEnd { [weak self] in
            alarm.cancel()
            _ = self?.takeAdmission(number)
        }
        // It may have opened before there was anybody to be told.
        if levels.admit { takeAdmission(number)?(true) }
    }

    /// Those who wait for one operation to be admitted; more are refused at once.
    private static let mostAdmissions = 1_000

    private func takeAdmission(_ number: UInt64) -> (@Sendable (Bool) -> Void)? {
        lock.withLock { admissions.removeValue(forKey: number) }
    }
}

/// What runs are bound by beside the board: of a configured operation's settings the rest is there.
struct RunRules: Sendable {
    /// An age, a window or something else makes its value stale.
    let declaresStaleness: Bool
    let admit: AdmitSettings
    /// How requests are tried again; nil: as the upstream says.
    let retry: OperationRetry?

    init(_ settings: OperationSettings) {
        declaresStaleness = settings.stale != nil
        admit = settings.admit
        retry = settings.retry
    }
}

extension RemoteOperation: TriggeredOperation {
    package func trigger(_ origin: RunOrigin, restarting: Bool) {
        // It may run, and not at all: the edge is spent.
        guard isRunnable, levels.admit else {
            board.commit(.run(id, .ended))
            announce()
            return
        }
        touch()
        // What is joined ends with that run.
        start(origin, restarting: restarting)
    }

    package func levelsChanged(_ levels: OperationLevels) {
        if levels.admit {
            let waiting = lock.withLock {
                defer { admissions = [:] }
                return admissions.sorted { $0.key < $1.key }
            }
            for (_, proceed) in waiting { proceed(true) }
        }
        let isNews = lock.withLock {
            defer { shownLevels = levels }
            return shownLevels.map { $0.isShown(otherThan: levels) } ?? true
        }
        if isNews { announce() }
    }

    package func evict() {
        if isIdle { keeper?.forget(self) }
    }
}

extension OperationLevels {
    /// Whether somebody who is shown both sees a difference.
    fileprivate func isShown(otherThan other: OperationLevels) -> Bool {
        gate != other.gate || stale != other.stale || admit != other.admit
    }
}

extension MonotonicInstant {
    /// Whole seconds of the process's clock.
    fileprivate var second: Int64 { Int64(nanoseconds / 1_000_000_000) }
}
