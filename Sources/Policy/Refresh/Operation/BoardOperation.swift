package import FreshetBase

/// One operation: its state, its run, and those who are interested in either. Any thread. What it asks,
/// and what its value means to others, a subclass knows.
///
/// The *board* says when it may run, when it is stale, and starts it by itself. Each step reaches the
/// board in one commit, in the order of the steps; what the board wants comes back as an order. One that
/// the board does not know, since nobody watches it, has the default specifications.
///
/// ## Who guards what
/// All rules stand in `OperationMachine`, a value without effects. It and all else that changes is
/// guarded by `lock`. A step under the lock leaves its actions in `effects`; whoever finds nobody at
/// it carries them out, in their order and without the lock, and those that come meanwhile, too. So
/// observers are told of all in the order in which it happened, by one thread at a time, and may
/// call any method from where they are told.
// SAFETY: all mutable state is read and written under `lock`.
open class BoardOperation<Value: Sendable>: TriggeredOperation, @unchecked Sendable {
    public typealias Work = @Sendable (OperationRun<Value>) async throws -> Value

    /// Waiters of one run.
    public static var mostWaiting: Int { 10_000 }

    private struct Effect {
        let action: OperationMachine.Action
        /// The value of a step that has brought one.
        var value: Value?
        /// The work of a step that has begun a run.
        var work: Work?
    }

    public let id: String
    public let kind: OperationKind
    /// Something brings its value when it runs; else its value comes from controllers alone.
    package let isRunnable: Bool
    /// The name of the upstream, for problems; empty where there is none.
    package let upstreamName: String
    let board: OperationBoard
    package let clock: any OperationClock
    private let executor: (any TaskExecutor)?
    let count: @Sendable (Value) -> Int?

    /// A subclass guards what it adds by the same one.
    package let lock = Lock()
    /// What every read of a remote's entity asks, kept beside the machine so that it takes no lock.
    private let summary = StateSummary()
    private var machine: OperationMachine
    private var currentRules: RunRules
    private var waiters: [UInt64: @Sendable (Result<Value, any Error>) -> Void] = [:]
    /// Observers that were not told the state yet that they begin with.
    var newcomers: [UInt64: @Sendable (OperationEvent) -> Void] = [:]
    var observers: [UInt64: @Sendable (OperationEvent) -> Void] = [:]
    /// The number of the last waiter, observer or caller that waits for admission.
    var lastNumber: UInt64 = 0
    private var effects = ActionQueue<Effect>()
    private var isStopped = false
    private var task: (run: UInt64, task: Task<Void, Never>)?
    private var linger: ScheduledAction?
    private var deadline: (run: UInt64, alarm: ScheduledAction)?
    /// When it was last asked for; see `lastUsed`.
    private let lastUse = Counter()
    /// How many `attach` there were beyond those of `detach`.
    var attachments = 0
    /// Another may have its id at the board by now.
    var isRetired = false
    /// Who has the board know it or not: one at a time.
    let boardTurn = Lock()
    /// The board knows it. Under `boardTurn`.
    var isOnBoard = false
    private var shownLevels: OperationLevels?
    /// Callers that wait to be admitted.
    var admissions: [UInt64: @Sendable (OperationError?) -> Void] = [:]
    private var elsewhere = 0

    /// - Parameters:
    ///   - executor: What runs the work; nil: the common pool.
    ///   - count: Rows of a value, where it has rows.
    package init(
        _ id: String, kind: OperationKind, isRunnable: Bool = true, upstreamName: String,
        _ settings: OperationSettings, _ board: OperationBoard,
        executor: (any TaskExecutor)? = nil, count: @escaping @Sendable (Value) -> Int?
    ) {
        self.id = id
        self.kind = kind
        self.isRunnable = isRunnable
        self.upstreamName = upstreamName
        self.board = board
        clock = board.clock
        self.executor = executor
        self.count = count
        currentRules = RunRules(settings)
        machine = OperationMachine(.init(settings))
        touch()
    }

    // MARK: What a subclass says

    /// Brings a value. It is cancelled when nobody is interested any more.
    open func perform(_ run: OperationRun<Value>) async throws -> Value {
        throw OperationError.cancelled
    }

    /// A run has ended; the board is told next.
    open func runEnded() {}

    open func evict() {}

    // MARK: What it is

    public var state: OperationState { lock.withLock { machine.state } }

    /// The last runs, the newest first; the run under way is the first.
    package var runs: [RunReport] { lock.withLock { machine.runs } }

    /// Keeps as many runs that have ended.
    package func keepRuns(_ count: Int) { lock.withLock { machine.keptRuns = count } }

    /// Whether a run is under way. Takes no lock.
    public var isRunning: Bool { summary.isRunning }

    /// Whether the value was declared out of date. Takes no lock.
    public var isInvalidated: Bool { summary.isInvalidated }

    /// Neither runs nor has anybody who watches it.
    public var isIdle: Bool {
        lock.withLock {
            machine.state.run == nil && machine.state.subscribers == 0 && observers.isEmpty
                && newcomers.isEmpty
        }
    }

    /// Whether anybody is told of what happens to it.
    public var isObserved: Bool { lock.withLock { !observers.isEmpty || !newcomers.isEmpty } }

    /// Waiters of the run under way.
    public var waiting: Int { lock.withLock { waiters.count } }

    // MARK: Rules

    var rules: RunRules { lock.withLock { currentRules } }

    /// How requests are tried again; nil: as the upstream says.
    package var retry: OperationRetry? { rules.retry }

    /// An age, a window or something else makes its value stale.
    package var hasStalenessRules: Bool { rules.declaresStaleness }

    /// Takes changed settings over; the run under way keeps its deadline.
    package func replace(_ settings: OperationSettings) {
        lock.withLock {
            currentRules = RunRules(settings)
            machine.bounds = .init(settings)
        }
        board.attach(id, settings, delegate: self)
    }

    package func touch(at now: MonotonicInstant = .now) { lastUse.set(Int(now.nanoseconds)) }

    /// Nanoseconds of the process's clock.
    package var lastUsed: Int { lastUse.value }

    /// Neither runs nor is watched, nor known to the board.
    package var isUnused: Bool { isIdle && !isAttached }

    /// There are live queries of it, or streams of its state.
    package var isWatched: Bool { isAttached || isObserved }

    // MARK: Runs

    /// Has the service itself interested in a run: it goes on whoever leaves.
    ///
    /// - Returns: Whether it is a new one.
    @discardableResult
    public func start(
        _ origin: RunOrigin = .manual, restarting: Bool = false, work: Work? = nil
    ) -> Bool {
        let party: OperationMachine.Party =
            switch origin {
            case .manual, .mutation, .controller: .service
            case .subscribe: .subscribers
            case .when, .every, .cron, .event: .trigger
            }
        return step(work: work) { machine, moment, actions in
            machine.start(
                origin, for: party, restarting: restarting, at: moment, &actions)
        } ?? false
    }

    /// Has the service itself interested in the run under way.
    ///
    /// - Returns: Whether there is one.
    @discardableResult
    public func join() -> Bool {
        guard isRunning else { return false }
        return step { machine, moment, actions in
            guard machine.state.run != nil else { return false }
            machine.start(.manual, for: .service, at: moment, &actions)
            return true
        } ?? false
    }

    /// Waits for a run: for the one under way, or for a new one.
    ///
    /// - Parameters:
    ///   - work: In place of the operation's own, where this begins a run.
    ///   - onEnd: Called once, on any thread; also where the caller has left.
    /// - Returns: What leaves; harmless after the end.
    @discardableResult
    public func enter(
        _ origin: RunOrigin = .manual, work: Work? = nil,
        onEnd: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable () -> Void {
        var number: UInt64 = 0
        var refusal: OperationError?
        let hasStepped: Void? = step(work: work) { machine, moment, actions in
            guard waiters.count < Self.mostWaiting else {
                refusal = .tooManyWaiting(limit: Self.mostWaiting)
                return
            }
            lastNumber += 1
            number = lastNumber
            waiters[number] = onEnd
            machine.start(origin, for: .waiter(number), at: moment, &actions)
        }
        guard hasStepped != nil, refusal == nil else {
            onEnd(.failure(refusal ?? .stopped))
            return {}
        }
        return { [weak self, number] in self?.leave(number) }
    }

    private func leave(_ number: UInt64) {
        var left: (@Sendable (Result<Value, any Error>) -> Void)?
        step { machine, moment, actions in
            left = waiters.removeValue(forKey: number)
            machine.leave(.waiter(number), at: moment, &actions)
        }
        left?(.failure(OperationError.cancelled))
    }

    /// Ends the run under way, whoever waits for it, and those that wait to be admitted.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func cancel() -> Bool {
        let hadWaiting = endAdmissions(.cancelled)
        let wasRunning = step { machine, moment, actions in
            let isRunning = machine.state.run != nil
            machine.cancel(at: moment, &actions)
            return isRunning
        }
        return hadWaiting || wasRunning == true
    }

    /// Ends the run under way where an edge of `refetch.when` has started it.
    public func cancelTriggered() {
        step { $0.cancelTriggered(at: $1, &$2) }
    }

    /// Declares the value out of date.
    public func invalidate() {
        step { machine, _, actions in machine.invalidate(&actions) }
    }

    /// Forgets value, error and counts. What comes late of before is ignored, what waits to be
    /// admitted is cancelled.
    open func reset() {
        endAdmissions(.cancelled)
        step { $0.reset(at: $1, &$2) }
    }

    /// The operation's own switch.
    public var isActive: Bool {
        get { summary.isActive }
        set { step { machine, _, actions in machine.setActive(newValue, &actions) } }
    }

    /// Switches it on, as what is new is: that it stood otherwise is no edge.
    package func renew() {
        step { machine, _, actions in machine.renew(&actions) }
    }

    /// Takes over what was known before the operation was there: when the value came.
    public func restore(updatedAt milliseconds: Int64, count: Int?) {
        let age = Duration.milliseconds(
            max(WallTime.now.milliseconds.subtractingSaturated(milliseconds), 0))
        lock.withLock {
            machine.restore(updated: clock.now - age, at: milliseconds, count: count)
        }
    }

    /// Ends the run under way and begins none any more.
    public func stop() {
        step { machine, moment, actions in
            isStopped = true
            machine.cancel(at: moment, &actions)
        }
        endAdmissions(.cancelled)
    }

    // MARK: The board

    var isAttached: Bool { lock.withLock { attachments > 0 && !isRetired } }

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

    func changes(of state: OperationState) -> [BoardChange] {
        [
            .status(id, state.status), .failures(id, state.failures),
            .value(id, updatedAt: state.valueUpdated), .invalidated(id, state.isInvalidated),
            .operationActive(id, state.isActive),
            .subscribers(id, state.subscribers + subscribersElsewhere),
        ]
    }

    /// Told of every step in which something has changed that others may decide by, in the order of
    /// the steps and before the observers are: tells the board.
    open func publish(_ state: OperationState, _ phase: OperationPhase?) {
        if phase == .ended { runEnded() }
        guard isAttached else { return }
        var changes = changes(of: state)
        switch phase {
        case .began(let origin): changes.append(.run(id, .began(origin)))
        case .ended:
            changes.append(.run(id, state.lastRun.map { .endedAt($0.endedAt) } ?? .ended))
        case .renewed: changes.append(.renewed(id))
        case nil: break
        }
        if phase == .ended, kind == .mutation, state.lastRun?.outcome == .success {
            changes.append(.event(.mutation(id)))
        }
        board.commit(changes)
        // What is told next shows these.
        rememberLevels()
    }

    func rememberLevels() {
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
    ///
    /// - Parameter wantsValues: Whether the traces tell what their leaves look at.
    package func report(wantsValues: Bool = false) -> OperationSlotReport? {
        board.report(of: id, wantsValues: wantsValues)
    }

    public func trigger(_ origin: RunOrigin, restarting: Bool) {
        guard !lock.withLock({ isRetired }) else { return }
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
        if levels.admit { endAdmissions(nil) }
        let isNews = lock.withLock {
            defer { shownLevels = levels }
            return shownLevels.map { $0.isShown(otherThan: levels) } ?? true
        }
        if isNews { announce() }
    }

    // MARK: Steps

    /// Has the publisher told of the present state.
    public func republish() {
        step { machine, _, actions in actions.append(.publish(machine.state, nil)) }
    }

    /// Tells observers the state anew, since something has changed that it is shown with.
    public func announce() {
        step { machine, _, actions in actions.append(.tell(.state(machine.state))) }
    }

    /// - Parameter body: Runs under the lock; not at all once the store has stopped.
    @discardableResult
    func step<Outcome>(
        value: Value? = nil, work: Work? = nil,
        _ body: (
            inout OperationMachine, OperationMachine.Moment, inout [OperationMachine.Action]
        ) -> Outcome
    ) -> Outcome? {
        let moment = OperationMachine.Moment(
            now: clock.now, wall: WallTime.now.milliseconds)
        let (outcome, isMine) = lock.withLock { () -> (Outcome?, Bool) in
            guard !isStopped else { return (nil, false) }
            var actions: [OperationMachine.Action] = []
            let outcome = body(&machine, moment, &actions)
            precondition(machine.isConsistent, "an operation loads while it has a run")
            for action in actions {
                var effect = Effect(action: action)
                switch action {
                case .begin: effect.work = work
                case .end: effect.value = value
                default: break
                }
                effects.append(effect)
            }
            summary.update(from: machine.state)
            return (outcome, effects.claim())
        }
        guard isMine else { return outcome }
        while let effect = lock.withLock({ effects.next() }) { perform(effect) }
        return outcome
    }

    private func perform(_ effect: Effect) {
        switch effect.action {
        case .begin(let run): startTask(of: run, effect.work)
        case .abort(let run):
            let task = lock.withLock { self.task?.run == run ? self.task?.task : nil }
            task?.cancel()
        case .tell(let event):
            for observer in lock.withLock({ Array(observers.values) }) { observer(event) }
        case .greet(let number, let state):
            lock.withLock { () -> (@Sendable (OperationEvent) -> Void)? in
                guard let observer = newcomers.removeValue(forKey: number) else { return nil }
                observers[number] = observer
                return observer
            }?(.state(state))
        case .publish(let state, let phase): publish(state, phase)
        case .noteNoRun: if isAttached { board.commit(.run(id, .ended)) }
        case .end(let numbers, let end): settle(numbers, end, effect.value)
        case .linger(let instant):
            let alarm = instant.map { instant in
                clock.schedule(at: instant) { [weak self] in
                    self?.step { $0.lingered(at: $1, &$2) }
                }
            }
            let earlier = lock.withLock {
                defer { linger = alarm }
                return linger
            }
            earlier?.cancel()
        case .deadline(let run, let instant):
            let alarm = clock.schedule(at: instant) { [weak self] in
                self?.step { $0.passDeadline(of: run, at: $1, &$2) }
            }
            lock.withLock { deadline = (run, alarm) }
        }
    }

    private func settle(_ numbers: [UInt64], _ end: OperationMachine.End, _ value: Value?) {
        let result: Result<Value, any Error>
        switch end {
        case .success:
            guard let value else { preconditionFailure("a run that succeeds has a value") }
            result = .success(value)
        case .failure(OperationError.cancelled) where lock.withLock({ isStopped }):
            result = .failure(OperationError.stopped)
        case .failure(let error): result = .failure(error)
        }
        for number in numbers {
            lock.withLock { waiters.removeValue(forKey: number) }?(result)
        }
    }

    // MARK: Work

    private func startTask(of run: OperationState.Run, _ work: Work?) {
        let body: @Sendable () async -> Void = { [self] in
            let handle = OperationRun(
                number: run.number, origin: run.origin,
                yield: { [weak self] in self?.yield($0, of: run.number) ?? false },
                attempted: { [weak self] in self?.record(attempts: $0, of: run.number) })
            finish(run.number, await result(of: handle, work))
        }
        let task = Task(executorPreference: executor) { await body() }
        lock.withLock {
            precondition(
                self.task.map { $0.run < run.number } ?? true, "runs begin in their order")
            self.task = (run.number, task)
        }
    }

    private func result(
        of run: OperationRun<Value>, _ work: Work?
    ) async -> Result<Value, any Error> {
        do {
            guard let work else { return .success(try await perform(run)) }
            return .success(try await work(run))
        } catch is CancellationError {
            return .failure(OperationError.cancelled)
        } catch {
            return .failure(error)
        }
    }

    private func yield(_ value: Value, of run: UInt64) -> Bool {
        let rows = count(value)
        return step { $0.yield(run: run, count: rows, at: $1, &$2) } ?? false
    }

    private func record(attempts: Int, of run: UInt64) {
        lock.withLock { machine.record(attempts: attempts, of: run) }
    }

    private func finish(_ run: UInt64, _ result: Result<Value, any Error>) {
        var value: Value?
        if case .success(let brought) = result { value = brought }
        let outcome = result.map { count($0) }
        let alarm = lock.withLock { () -> ScheduledAction? in
            if task?.run == run { task = nil }
            guard deadline?.run == run else { return nil }
            defer { deadline = nil }
            return deadline?.alarm
        }
        alarm?.cancel()
        step(value: value) { $0.finish(run: run, outcome, at: $1, &$2) }
    }
}

/// Parts of a state that are read without its lock, each for itself.
private struct StateSummary: Sendable {
    private static let isRunning = 1
    private static let isInvalidated = 2
    private static let isInactive = 4

    private let bits = Counter()

    /// Called under the lock of what the state is part of.
    func update(from state: OperationState) {
        bits.set(
            (state.run != nil ? Self.isRunning : 0)
                | (state.isInvalidated ? Self.isInvalidated : 0)
                | (state.isActive ? 0 : Self.isInactive))
    }

    var isRunning: Bool { bits.value & Self.isRunning != 0 }
    var isInvalidated: Bool { bits.value & Self.isInvalidated != 0 }
    var isActive: Bool { bits.value & Self.isInactive == 0 }
}

/// A run, for the work that it is.
public struct OperationRun<Value: Sendable>: Sendable {
    public let number: UInt64
    public let origin: RunOrigin
    private let yieldValue: @Sendable (Value) -> Bool
    private let attempted: @Sendable (Int) -> Void

    init(
        number: UInt64, origin: RunOrigin, yield: @escaping @Sendable (Value) -> Bool,
        attempted: @escaping @Sendable (Int) -> Void
    ) {
        self.number = number
        self.origin = origin
        yieldValue = yield
        self.attempted = attempted
    }

    /// Gives a value before the final one.
    ///
    /// - Returns: Whether it counts: the run is still the operation's.
    @discardableResult
    public func yield(_ value: Value) -> Bool { yieldValue(value) }

    /// Says how many tries were made, where the work itself tries again.
    public func record(attempts: Int) { attempted(attempts) }
}

/// What runs are bound by beside the board: of a configured operation's settings the rest is there.
struct RunRules: Sendable {
    let declaresStaleness: Bool
    let admit: AdmitSettings
    let retry: OperationRetry?

    init(_ settings: OperationSettings) {
        declaresStaleness = settings.stale != nil
        admit = settings.admit
        retry = settings.retry
    }
}

extension OperationMachine.Bounds {
    fileprivate init(_ settings: OperationSettings) {
        self.init(linger: settings.linger, deadline: settings.deadline)
    }
}

extension OperationSettings {
    /// By which nothing happens.
    static let quiet: OperationSettings = {
        var settings = OperationSettings()
        settings.automatic = .never
        return settings
    }()
}
