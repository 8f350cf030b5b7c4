package import FreshetBase

/// One operation: its state, its run, and those who are interested in either. Any thread. What it asks,
/// and what its value means to others, a subclass knows.
///
/// ```swift
/// let rates = OperationStore<Rates>("rates", options: .init(staleAfter: .seconds(60))) { run in
///     try await fetchRates()
/// }
/// let subscription = rates.subscribe()          // the first subscriber runs it
/// let observation = rates.observe { event in … }
/// let value = try await rates.run()             // joins the run that is under way
/// ```
///
/// ## Who guards what
/// All rules stand in `OperationMachine`, a value without effects. It and all else that changes is
/// guarded by `lock`. A step under the lock leaves its actions in `effects`; whoever finds nobody at
/// it carries them out, in their order and without the lock, and those that come meanwhile, too. So
/// observers are told of all in the order in which it happened, by one thread at a time, and may
/// call any method from where they are told.
// SAFETY: all mutable state is read and written under `lock`.
open class OperationStore<Value: Sendable>: @unchecked Sendable {
    public typealias Work = @Sendable (OperationRun<Value>) async throws -> Value

    /// Waiters of one run.
    public static var mostWaiting: Int { 10_000 }

    private struct Effect {
        let action: OperationMachine.Action
        /// Of a step that has brought one.
        var value: Value?
        /// Of a step that has begun a run.
        var work: Work?
    }

    public let id: String
    public let kind: OperationKind
    package let clock: any OperationClock
    private let wall: @Sendable () -> Int64
    private let random: @Sendable () -> Double
    private let executor: (any TaskExecutor)?
    private let keepsValue: Bool
    private let count: @Sendable (Value) -> Int?

    /// A subclass guards what it adds by the same one.
    package let lock = Lock()
    /// What every read of a remote's entity asks, kept beside the machine so that it takes no lock.
    private let summary = StateSummary()
    private let work: Work?
    private var options: OperationOptions
    private var machine: OperationMachine
    private var held: Value?
    private var waiters: [UInt64: @Sendable (Result<Value, any Error>) -> Void] = [:]
    /// Observers that were not told the state yet that they begin with.
    private var newcomers: [UInt64: @Sendable (OperationEvent) -> Void] = [:]
    private var observers: [UInt64: @Sendable (OperationEvent) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var effects: [Effect] = []
    private var isDraining = false
    private var isStopped = false
    private var task: (run: UInt64, task: Task<Void, Never>)?
    private var linger: ScheduledAction?
    private var deadline: (run: UInt64, alarm: ScheduledAction)?

    /// - Parameters:
    ///   - keepsValue: The last value is held for `value`; else only those who wait get it.
    ///   - executor: What runs the work; nil: the common pool.
    ///   - wall: The time of day in milliseconds since 1970.
    ///   - random: Numbers from 0 to below 1, for the jitter of pauses.
    ///   - count: Rows of a value, where it has rows.
    ///   - work: Brings a value; nil: `perform` does.
    public init(
        _ id: String, kind: OperationKind = .query, options: OperationOptions = .init(),
        clock: any OperationClock = SystemOperationClock(), keepsValue: Bool = true,
        executor: (any TaskExecutor)? = nil,
        wall: (@Sendable () -> Int64)? = nil,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        count: @escaping @Sendable (Value) -> Int? = { _ in nil },
        work: Work?
    ) {
        self.id = id
        self.kind = kind
        self.options = options
        self.clock = clock
        self.wall = wall ?? { WallTime.now.milliseconds }
        self.random = random
        self.executor = executor
        self.keepsValue = keepsValue
        self.count = count
        self.work = work
        machine = OperationMachine(
            .init(linger: options.linger, deadline: options.deadline))
    }

    // MARK: What a subclass says

    /// Brings a value. It is cancelled when nobody is interested any more.
    open func perform(_ run: OperationRun<Value>) async throws -> Value {
        guard let work else { throw OperationError.cancelled }
        return try await work(run)
    }

    /// Told of every step in which something has changed that others may decide by, before the
    /// observers are.
    open func publish(_ state: OperationState, _ phase: OperationPhase?) {}

    // MARK: What it is

    public var state: OperationState { lock.withLock { machine.state } }

    /// The last value, where values are held.
    public var value: Value? { lock.withLock { held } }

    /// Whether a first subscriber would have it run, by its own options.
    public var isStale: Bool {
        let now = clock.now
        return lock.withLock { Self.isStale(machine.state, options, now) }
    }

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

    private static func isStale(
        _ state: OperationState, _ options: OperationOptions, _ now: Duration
    ) -> Bool {
        guard !state.isInvalidated, let updated = state.valueUpdated,
            let staleAfter = options.staleAfter
        else { return true }
        return now - updated > staleAfter
    }

    /// Runs by `options` from now on; the run under way keeps its deadline.
    public func replace(_ options: OperationOptions) {
        lock.withLock {
            self.options = options
            machine.bounds = .init(linger: options.linger, deadline: options.deadline)
        }
    }

    // MARK: Runs

    /// Runs the operation, or joins the run under way.
    ///
    /// A caller that is cancelled is interested no more.
    ///
    /// - Throws: What the work throws; `OperationError`; `CancellationError`.
    public func run(_ origin: RunOrigin = .manual) async throws -> Value {
        let result = Promise<Result<Value, any Error>>()
        let leave = enter(origin) { result.fulfil($0) }
        return try await result.value(orLeaving: .failure(CancellationError())) { leave() }.get()
    }

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
                origin, for: party, restarting: restarting, at: moment, &actions) == .started
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
            _ = machine.start(.manual, for: .service, at: moment, &actions)
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
            _ = machine.start(origin, for: .waiter(number), at: moment, &actions)
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

    /// Ends the run under way, whoever waits for it.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func cancel() -> Bool {
        step { machine, moment, actions in
            let isRunning = machine.state.run != nil
            machine.cancel(at: moment, &actions)
            return isRunning
        } ?? false
    }

    /// Ends the run under way where an edge of `refetch.when` has started it.
    public func cancelTriggered() {
        step { $0.cancelTriggered(at: $1, &$2) }
    }

    /// Declares the value out of date.
    public func invalidate() {
        step { machine, _, actions in machine.invalidate(&actions) }
    }

    /// Forgets value, error and counts. What comes late of before is ignored.
    open func reset() {
        step { machine, moment, actions in
            held = nil
            machine.reset(at: moment, &actions)
        }
    }

    /// The operation's own switch.
    public var isActive: Bool {
        get { summary.isActive }
        set { step { machine, _, actions in machine.setActive(newValue, &actions) } }
    }

    /// Takes over what was known before the operation was there: when the value came.
    public func restore(updatedAt milliseconds: Int64, count: Int?) {
        let age = Duration.milliseconds(max(wall() - milliseconds, 0))
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
    }

    // MARK: Subscribers and observers

    /// A subscriber: it keeps the run alive that the first of them has started. Letting go of what
    /// is returned ends it.
    ///
    /// - Parameter runs: The first one starts a run; nil: where the options say so and the value is
    ///   stale.
    public func subscribe(runs: Bool? = nil) -> RunSubscription {
        let options = lock.withLock { self.options }
        step { machine, moment, actions in
            let isDue =
                runs
                ?? (options.runsOnSubscribe && Self.isStale(machine.state, options, moment.now))
            machine.subscribe(runs: isDue, at: moment, &actions)
        }
        return RunSubscription { [self] in
            step { $0.unsubscribe(at: $1, &$2) }
        }
    }

    /// Has `observer` told of everything from now on, the present state first. Letting go of what is
    /// returned ends it.
    public func observe(
        _ observer: @escaping @Sendable (OperationEvent) -> Void
    ) -> RunSubscription {
        var number: UInt64 = 0
        step { machine, _, actions in
            lastNumber += 1
            number = lastNumber
            let state = machine.state
            newcomers[number] = observer
            actions.append(.greet(number, state))
        }
        let place = number
        return RunSubscription { [weak self] in
            guard let self else { return }
            lock.withLock {
                newcomers[place] = nil
                observers[place] = nil
            }
        }
    }

    /// Has the publisher told of the present state.
    public func republish() {
        step { machine, _, actions in actions.append(.publish(machine.state, nil)) }
    }

    /// Tells observers the state anew, since something has changed that it is shown with.
    public func announce() {
        step { machine, _, actions in actions.append(.tell(.state(machine.state))) }
    }

    // MARK: Controllers

    /// Takes a value from outside a run.
    ///
    /// - Parameters:
    ///   - generation: The operation's when whoever yields began; nil: the present one.
    ///   - isWhole: It is more than changes of the value before. Changes leave an error that says what
    ///     the value lacks (`ControllerError.missed`).
    /// - Returns: Whether it counts: a reset since then makes it too late.
    @discardableResult
    public func yield(
        _ value: Value, generation: UInt64? = nil, isWhole: Bool = true
    ) -> Bool {
        let rows = count(value)
        return step(value: value) { machine, moment, actions in
            let counts = machine.yield(
                generation: generation ?? machine.state.generation, count: rows,
                isWhole: isWhole, at: moment, &actions)
            if counts, keepsValue { held = value }
            return counts
        } ?? false
    }

    /// Takes an error from outside a run; the value stays.
    ///
    /// - Parameter keepsStatus: The error is noted, and the status stays.
    @discardableResult
    public func yield(
        error: any Error, generation: UInt64? = nil, keepsStatus: Bool = false
    ) -> Bool {
        step { machine, moment, actions in
            machine.yield(
                error, generation: generation ?? machine.state.generation,
                keepsStatus: keepsStatus, at: moment, &actions)
        } ?? false
    }

    // MARK: Steps

    /// - Parameter body: Runs under the lock; not at all once the store has stopped.
    @discardableResult
    private func step<Outcome>(
        value: Value? = nil, work: Work? = nil,
        _ body: (
            inout OperationMachine, OperationMachine.Moment, inout [OperationMachine.Action]
        ) -> Outcome
    ) -> Outcome? {
        let moment = OperationMachine.Moment(now: clock.now, wall: wall())
        let (outcome, drains) = lock.withLock { () -> (Outcome?, Bool) in
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
            summary.note(machine.state)
            let drains = !isDraining && !effects.isEmpty
            if drains { isDraining = true }
            return (outcome, drains)
        }
        if drains { drain() }
        return outcome
    }

    private func drain() {
        while true {
            let batch = lock.withLock { () -> [Effect] in
                defer { effects = [] }
                if effects.isEmpty { isDraining = false }
                return effects
            }
            if batch.isEmpty { return }
            for effect in batch { perform(effect) }
        }
    }

    private func perform(_ effect: Effect) {
        switch effect.action {
        case .begin(let run): begin(run, effect.work)
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

    private func begin(_ run: OperationState.Run, _ work: Work?) {
        let body: @Sendable () async -> Void = { [self] in
            let handle = OperationRun(
                number: run.number, origin: run.origin,
                yield: { [weak self] in self?.yield($0, of: run.number) ?? false },
                attempted: { [weak self] in self?.note(attempts: $0, of: run.number) })
            finish(run.number, await attempt(handle, work))
        }
        let task = Task(executorPreference: executor) { await body() }
        lock.withLock {
            precondition(
                self.task.map { $0.run < run.number } ?? true, "runs begin in their order")
            self.task = (run.number, task)
        }
    }

    private func attempt(
        _ run: OperationRun<Value>, _ work: Work?
    ) async -> Result<Value, any Error> {
        let retry = lock.withLock { options.retry }
        var repeats = 0
        while true {
            do {
                guard let work else { return .success(try await perform(run)) }
                return .success(try await work(run))
            } catch is CancellationError {
                return .failure(OperationError.cancelled)
            } catch {
                guard !Task.isCancelled, !(error is OperationError),
                    let pause = retry?.pause(repeats: repeats, random: random())
                else { return .failure(error) }
                guard await clock.rest(until: clock.now + pause) else {
                    return .failure(OperationError.cancelled)
                }
                repeats += 1
                run.note(attempts: repeats + 1)
            }
        }
    }

    private func yield(_ value: Value, of run: UInt64) -> Bool {
        let rows = count(value)
        return step { machine, moment, actions in
            let counts = machine.yield(run: run, count: rows, at: moment, &actions)
            if counts, keepsValue { held = value }
            return counts
        } ?? false
    }

    private func note(attempts: Int, of run: UInt64) {
        lock.withLock { machine.note(attempts: attempts, of: run) }
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
        step(value: value) { machine, moment, actions in
            let counts = machine.finish(run: run, outcome, at: moment, &actions)
            if counts, keepsValue, let value { held = value }
        }
    }
}

/// Parts of a state that are read without its lock, each for itself.
private struct StateSummary: Sendable {
    private static let isRunning = 1
    private static let isInvalidated = 2
    private static let isInactive = 4

    private let bits = Counter()

    /// Called under the lock of what the state is part of.
    func note(_ state: OperationState) {
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
    public func note(attempts: Int) { attempted(attempts) }
}
