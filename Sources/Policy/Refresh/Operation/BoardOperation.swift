package import FreshetBase

/// An operation that a board has run: it is what the board knows of it, and does what the board asks.
///
/// The *board* says when it may run, when it is stale, and starts it by itself. Each step reaches the
/// board in one commit, in the order of the steps; what the board wants comes back as an order. One that
/// the board does not know, since nobody watches it, has the default specifications.
// SAFETY: all mutable state is read and written under `lock`.
open class BoardOperation<Value: Sendable>: OperationStore<Value>, TriggeredOperation,
    @unchecked Sendable
{
    /// Something brings its value when it runs; else its value comes from controllers alone.
    package let isRunnable: Bool
    /// The name of the upstream, for problems; empty where there is none.
    package let upstreamName: String
    private let board: OperationBoard
    private var currentRules: RunRules
    /// When it was last asked for; see `lastUsed`.
    private let lastUse = Counter()
    private var attachments = 0
    private var shownLevels: OperationLevels?
    private var admissions: [UInt64: @Sendable (Bool) -> Void] = [:]
    private var lastAdmission: UInt64 = 0
    private var elsewhere = 0

    /// - Parameters:
    ///   - executor: What runs the work; nil: the common pool.
    ///   - count: Rows of a value, where it has rows.
    package init(
        _ id: String, kind: OperationKind, isRunnable: Bool = true, upstreamName: String,
        _ settings: OperationSettings, _ board: OperationBoard,
        executor: (any TaskExecutor)? = nil, count: @escaping @Sendable (Value) -> Int?
    ) {
        self.isRunnable = isRunnable
        self.upstreamName = upstreamName
        self.board = board
        currentRules = RunRules(settings)
        super.init(
            id, kind: kind, options: OperationOptions(settings), clock: board.clock,
            keepsValue: false, executor: executor, count: count, work: nil)
        touch()
    }

    // MARK: What a subclass says

    /// A run has ended; the board is told next.
    open func runEnded() {}

    open func evict() {}

    // MARK: Rules

    private var rules: RunRules { lock.withLock { currentRules } }

    /// How requests are tried again; nil: as the upstream says.
    package var retry: OperationRetry? { rules.retry }

    /// An age, a window or something else makes its value stale.
    package var hasStalenessRules: Bool { rules.declaresStaleness }

    /// Takes changed settings over.
    package func replace(_ settings: OperationSettings) {
        lock.withLock { currentRules = RunRules(settings) }
        replace(OperationOptions(settings))
        board.attach(id, settings, delegate: self)
    }

    package func touch(at now: MonotonicInstant = .now) { lastUse.set(Int(now.nanoseconds)) }

    /// Nanoseconds of the process's clock.
    package var lastUsed: Int { lastUse.value }

    /// Neither runs nor is watched, nor known to the board.
    package var isUnused: Bool { isIdle && !isAttached }

    /// There are live queries of it, or streams of its state.
    package var isWatched: Bool { isAttached || isObserved }

    // MARK: The board

    /// The board knows it for as long as there are more of these than of `detach`. Things are taken
    /// as they stand: nothing runs because of it.
    ///
    /// - Parameter settings: nil: the default ones.
    package func attach(_ settings: OperationSettings? = nil) {
        let isFirst = lock.withLock {
            attachments += 1
            return attachments == 1
        }
        guard isFirst else { return }
        let state = state
        if state.hasValue || state.isLoading || state.subscribers > 0 || !state.isActive {
            board.attach(id, .quiet, delegate: nil)
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

    package func detach() {
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
    package func subscribe(isServed: Bool) -> @Sendable () -> Void {
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

    /// Has the board see the subscribers as those of a value that is new to it.
    package func renewSubscribers() {
        let count = state.subscribers + subscribersElsewhere
        guard count > 0, isAttached else { return }
        board.commit(.subscribers(id, 0), .subscribers(id, count))
    }

    /// Subscribers that other servers have, which count as its own.
    package var subscribersElsewhere: Int {
        get { lock.withLock { elsewhere } }
        set {
            let isNews = lock.withLock {
                defer { elsewhere = newValue }
                return elsewhere != newValue
            }
            if isNews { republish() }
        }
    }

    private var isAttached: Bool { lock.withLock { attachments > 0 } }

    private func changes(of state: OperationState) -> [BoardChange] {
        [
            .status(id, state.status), .failures(id, state.failures),
            .value(id, updatedAt: state.valueUpdated), .invalidated(id, state.isInvalidated),
            .operationActive(id, state.isActive),
            .subscribers(id, state.subscribers + subscribersElsewhere),
        ]
    }

    /// Tells the board of a step. In the order of the steps.
    open override func publish(_ state: OperationState, _ phase: OperationPhase?) {
        if phase == .ended { runEnded() }
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
        let isOn = isActive && board.opensGates
        return OperationLevels(
            gate: isOn && kind != .mutation, stale: true, when: false, admit: true)
    }

    /// Whether an age, a window or something else was declared that makes its value stale, or
    /// somebody has declared it out of date.
    package var declaresStaleness: Bool {
        isInvalidated || hasStalenessRules
    }

    /// The name of what keeps it from running; nil: nothing does.
    ///
    /// - Parameter byItself: Whether the gate of automatic runs counts, too.
    package func closedGate(byItself: Bool) -> String? {
        if isAttached { return board.closedGate(of: id, byItself: byItself) }
        return byItself && !levels.gate ? "automatic" : nil
    }

    package var counters: EdgeCounters { board.counters(of: id) ?? EdgeCounters() }

    /// How each of its specifications comes about; nil where it has the default ones.
    package var report: OperationSlotReport? { board.report(of: id) }

    // MARK: Admission

    /// Calls `proceed` with nil as soon as the operation may run, with the name of its closed gate
    /// where it may not and nobody is to wait, or has waited for as long as may be. Not at all once
    /// `waiter` has left.
    package func admit<Answer>(
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

    /// Waits for a run, which begins or is joined as soon as the operation may run.
    ///
    /// - Parameter answer: What `waiter` gets for the end; a closed gate is `OperationError.gated`.
    package func enter<Answer>(
        for waiter: Waiter<Answer>, work: Work? = nil,
        _ answer: @escaping @Sendable (Result<Value, any Error>) -> Answer
    ) {
        admit(waiter) { [self] gate in
            if let gate { return waiter.finish(answer(.failure(OperationError.gated(gate)))) }
            waiter.atEnd(enter(.manual, work: work) { waiter.finish(answer($0)) })
        }
    }

    /// Those who wait for one operation to be admitted; more are refused at once.
    private static var mostAdmissions: Int { 1_000 }

    private func takeAdmission(_ number: UInt64) -> (@Sendable (Bool) -> Void)? {
        lock.withLock { admissions.removeValue(forKey: number) }
    }

    // MARK: What the board asks

    public func trigger(_ origin: RunOrigin, restarting: Bool) {
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

    public func levelsChanged(_ levels: OperationLevels) {
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
}

/// What runs are bound by beside the board: of a configured operation's settings the rest is there.
private struct RunRules: Sendable {
    let declaresStaleness: Bool
    let admit: AdmitSettings
    let retry: OperationRetry?

    init(_ settings: OperationSettings) {
        declaresStaleness = settings.stale != nil
        admit = settings.admit
        retry = settings.retry
    }
}

extension OperationLevels {
    /// Whether somebody who is shown both sees a difference.
    fileprivate func isShown(otherThan other: OperationLevels) -> Bool {
        gate != other.gate || stale != other.stale || admit != other.admit
    }
}

extension OperationOptions {
    init(_ settings: OperationSettings) {
        // The upstream tries again, and the board decides about subscribers.
        self.init(linger: settings.linger, deadline: settings.deadline)
    }
}

extension OperationSettings {
    /// By which nothing happens.
    fileprivate static let quiet: OperationSettings = {
        var settings = OperationSettings()
        settings.automatic = .never
        return settings
    }()
}
