import FreshetBase

/// Something that uses depend on, that can be refused, and that can be renewed: an access token, a
/// session, a leased address. Try, refresh, retry.
///
/// ```swift
/// let token = Dependency<Token>()
/// let page = try await token.run { token in
///     let answer = try await fetch("/page", token)
///     return answer.status == 401 ? .dependencyRequiresRefresh : .success(answer)
/// } refresh: { _ in
///     .success(RenewedValue(try await fetchToken(), lifetime: .seconds(3600)))
/// }
/// ```
///
/// ## The cycle
/// `run` takes a snapshot (value, version) and hands the value to the task. Where there is none, or
/// it was refused, or it expires within `policy.skew`, a refresh comes first. A task that reports
/// `dependencyRequiresRefresh` refuses that version: where it is still the newest, it is used no
/// more, and the task is run again with the next one; where a newer one is there already, the task
/// is run again at once. So a hundred tasks that learn of the same refusal, however late, cost one
/// refresh. Versions only grow, whatever happens.
///
/// ## The refresh
/// At most one runs. It belongs to the dependency: it runs in a task of its own, and a caller that is
/// cancelled leaves alone. The others wait, at most `policy.maxWaiting`, and are resumed with the
/// outcome itself, not to look again. It ends with a value, as failed, or as critical, after
/// `policy.refreshTimeout` at the latest.
///
/// *Failed*: callers fail at once until `policy.retryFailedAfter` has passed; then exactly one refresh
/// is tried, and decides. *Critical*: callers fail at once until an operator stores a value or empties
/// the dependency. One caller is told as the finder of each fault; it is the one to report it.
///
/// *Loops*: a caller waits for at most `policy.maxRefreshes` renewals; what brings the first value is
/// none. Where as many renewed values in a row are refused without one having been accepted, the
/// dependency has failed like a refresh that fails: callers fail at once, and after
/// `policy.retryFailedAfter` one more renewal decides.
///
/// ## Who guards what
/// All rules stand in `DependencyMachine`, a value without effects. It, the waiting callers and the
/// running task are guarded by `lock`; nothing is called or resumed under it, and a value that is
/// replaced is destroyed behind it, since it is the program's.
// SAFETY: all mutable state is read and written under `lock`.
public final class Dependency<Value: Sendable>: @unchecked Sendable {
    private typealias Machine = DependencyMachine<Value>
    private typealias Waiter = Promise<Resumption>

    /// Where a value came from that a caller is resumed with.
    private enum Origin {
        /// It was there, or an operator has stored it.
        case store
        case acquisition
        case renewal
    }

    /// How a caller that waited goes on.
    private enum Resumption {
        case proceed(Value, version: UInt64, from: Origin)
        /// The refresh was given up; ask again.
        case again
        case fail(DependencyError)
        /// The caller was cancelled.
        case left
    }

    /// What becomes of a caller that the rules do not let pass at once.
    private enum Entrance {
        case wait(Waiter, place: UInt64)
        case launch(UInt64, Value?, Waiter, place: UInt64)
        case go(Resumption)
    }

    public let policy: DependencyPolicy
    private let clock: any OperationClock
    private let executor: (any TaskExecutor)?

    private let lock = Lock()
    private var machine: Machine
    /// By place in the queue, which only grows.
    private var waiters: [UInt64: Waiter] = [:]
    private var lastPlace: UInt64 = 0
    private var running: Task<Void, Never>?
    private var observers: [@Sendable () -> Void] = []

    /// Makes an empty dependency.
    ///
    /// - Parameters:
    ///   - version: The first value gets the next number; for one whose versions have to go on growing
    ///     over a restart.
    ///   - executor: What refreshes run on; nil: the common pool of tasks.
    public init(
        policy: DependencyPolicy = DependencyPolicy(),
        clock: any OperationClock = SystemOperationClock(), version: UInt64 = 0,
        executor: (any TaskExecutor)? = nil
    ) {
        self.policy = policy
        self.clock = clock
        self.executor = executor
        machine = Machine(policy: policy, version: version)
    }

    // MARK: Uses

    /// Runs `task` with a valid value, renewing and trying again as the policy allows.
    ///
    /// - Parameter task: Runs in the caller's task, once or a few times. What it throws says nothing
    ///   about the dependency and is thrown on.
    /// - Parameter refresh: Run where this caller is the one to find a refresh due.
    /// - Throws: `DependencyError`; `CancellationError` where the caller is cancelled while it waits;
    ///   what `task` throws.
    nonisolated(nonsending) public func run<Success: Sendable>(
        task: (Value) async throws -> DependencyResult<Success>,
        refresh: DependencyRefresh<Value>
    ) async throws -> Success {
        var request = Machine.Request()
        while true {
            let (value, version) = try await admission(of: &request, refresh)
            let verdict: Machine.Verdict
            switch try await task(value) {
            case .success(let success):
                _ = judge(.accepted, of: version)
                return success
            case .dependencyRequiresRefresh:
                verdict = judge(.refused, of: version)
            case .criticalError(let reason):
                verdict = judge(.critical(reason: reason), of: version)
            }
            if case .fail(let error) = verdict { throw error }
        }
    }

    /// Runs `task` with a refresh that depends on nothing else.
    nonisolated(nonsending) public func run<Success: Sendable>(
        task: (Value) async throws -> DependencyResult<Success>,
        refresh:
            @escaping @Sendable (Value?) async throws -> DependencyResult<RenewedValue<Value>>
    ) async throws -> Success {
        try await run(task: task, refresh: DependencyRefresh(refresh))
    }

    /// A valid value, renewed where that is due, without a judgement of it.
    nonisolated(nonsending) public func value(
        refresh: DependencyRefresh<Value>
    ) async throws -> Value {
        var request = Machine.Request()
        return try await admission(of: &request, refresh).value
    }

    // MARK: Operators

    /// Puts a value in place, as the next version, and ends every fault. A refresh that runs is given
    /// up, and those who wait for it get this value.
    public func store(_ value: Value, lifetime: Duration? = nil) {
        let now = clock.now
        let (before, version, task, waiting) = lock.withLock {
            let before = machine.value
            machine.store(value, lifetime: lifetime, now: now)
            return (before, machine.version, takeRunning(), takeWaiters())
        }
        withExtendedLifetime(before) {}
        task?.cancel()
        for waiter in waiting {
            waiter.fulfil(.proceed(value, version: version, from: .store))
        }
        tellObservers()
    }

    /// Takes the value away and ends every fault. A refresh that runs is given up, and those who wait
    /// for it ask for another.
    public func empty() {
        let (before, task, waiting) = lock.withLock {
            let before = machine.value
            machine.empty()
            return (before, takeRunning(), takeWaiters())
        }
        withExtendedLifetime(before) {}
        task?.cancel()
        for waiter in waiting { waiter.fulfil(.again) }
        tellObservers()
    }

    /// Has `observer` called after each change of the value or of its validity, on any thread. It must
    /// not block, and finds what holds by now in `status`. That time passes is no change.
    public func observe(_ observer: @escaping @Sendable () -> Void) {
        lock.withLock { observers.append(observer) }
    }

    private func tellObservers() {
        for observer in lock.withLock({ observers }) { observer() }
    }

    public var status: DependencyStatus {
        let now = clock.now
        return lock.withLock { machine.status(now: now, waiting: waiters.count) }
    }

    // MARK: Admission

    nonisolated(nonsending) private func admission(
        of request: inout Machine.Request, _ refresh: DependencyRefresh<Value>
    ) async throws -> (value: Value, version: UInt64) {
        while true {
            let now = clock.now
            if let (value, version) = lock.withLock({ machine.proceed(&request, now: now) }) {
                return (value, version)
            }
            switch await wait(with: &request, refresh) {
            case .proceed(let value, let version, let origin):
                if origin == .renewal { request.refreshes += 1 }
                if origin != .store { request.attempts += 1 }
                return (value, version)
            case .again: try Task.checkCancellation()
            case .fail(let error): throw error
            case .left: throw CancellationError()
            }
        }
    }

    /// Waits for the refresh, which it begins where none runs; does not wait where there is no need.
    nonisolated(nonsending) private func wait(
        with request: inout Machine.Request, _ refresh: DependencyRefresh<Value>
    ) async -> Resumption {
        if Task.isCancelled { return .left }
        switch enter(with: &request) {
        case .go(let resumption): return resumption
        case .wait(let waiter, let place): return await end(of: waiter, at: place)
        case .launch(let number, let previous, let waiter, let place):
            launch(number, previous, refresh)
            return await end(of: waiter, at: place)
        }
    }

    nonisolated(nonsending) private func end(
        of waiter: Waiter, at place: UInt64
    ) async -> Resumption {
        await waiter.value(orLeaving: .left) {
            lock.withLock { _ = waiters.removeValue(forKey: place) }
        }
    }

    /// Admission and place in the queue are one step, so that no end of a refresh is missed.
    private func enter(with request: inout Machine.Request) -> Entrance {
        let now = clock.now
        return lock.withLock {
            if machine.refresh != nil, !machine.isCritical, waiters.count >= policy.maxWaiting {
                return .go(.fail(.tooManyWaiting(limit: policy.maxWaiting)))
            }
            switch machine.admit(&request, now: now) {
            case .proceed(let value, let version):
                return .go(.proceed(value, version: version, from: .store))
            case .fail(let error): return .go(.fail(error))
            case .join:
                let (waiter, place) = takePlace()
                return .wait(waiter, place: place)
            case .start(let number, let previous):
                let (waiter, place) = takePlace()
                return .launch(number, previous, waiter, place: place)
            }
        }
    }

    /// Under the lock: the last place of the queue.
    private func takePlace() -> (Waiter, UInt64) {
        let waiter = Waiter()
        lastPlace += 1
        waiters[lastPlace] = waiter
        return (waiter, lastPlace)
    }

    private func judge(_ report: Machine.Report, of version: UInt64) -> Machine.Verdict {
        let now = clock.now
        let (verdict, waiting) = lock.withLock {
            let verdict = machine.judge(report, of: version, now: now)
            return (verdict, machine.isCritical ? takeWaiters() : [])
        }
        if case .fail(.critical(let reason, _)) = verdict {
            for waiter in waiting {
                waiter.fulfil(.fail(.critical(reason: reason, isFinder: false)))
            }
        }
        if case .accepted = report {} else { tellObservers() }
        return verdict
    }

    // MARK: The refresh

    private func launch(
        _ number: UInt64, _ previous: Value?, _ refresh: DependencyRefresh<Value>
    ) {
        let began = clock.now
        let time = TimeLimit(limit: policy.refreshTimeout, clock: clock, executor: executor)
        let task = Task.detached(executorPreference: executor) { [self] in
            let end = await refresh(previous, within: time)
            finish(number, with: end, began: began)
        }
        let isGivenUp = lock.withLock {
            guard machine.refresh == number else { return true }
            precondition(running == nil, "one refresh at most runs")
            running = task
            return false
        }
        // Given up before it could be noted down, or at its end already: then this does nothing.
        if isGivenUp { task.cancel() }
    }

    private func finish(_ number: UInt64, with end: Machine.RefreshEnd, began: Duration) {
        let now = clock.now
        let (before, settled) = lock.withLock {
            () -> (Value?, (first: Machine.Settlement, waiting: [Waiter])?) in
            let before = machine.value
            if machine.refresh == number { running = nil }
            guard let settlement = machine.finish(number, with: end, began: began, now: now)
            else { return (before, nil) }
            return (before, (settlement, takeWaiters()))
        }
        withExtendedLifetime(before) {}
        guard let settled else { return }
        for (index, waiter) in settled.waiting.enumerated() {
            switch index == 0 ? settled.first : settled.first.ofOthers {
            case .proceed(let value, let version, let isRenewal):
                waiter.fulfil(
                    .proceed(
                        value, version: version, from: isRenewal ? .renewal : .acquisition))
            case .fail(let error): waiter.fulfil(.fail(error))
            }
        }
        tellObservers()
    }

    /// Under the lock: everybody who waits, in order.
    private func takeWaiters() -> [Waiter] {
        let taken = waiters.sorted { $0.key < $1.key }.map(\.value)
        waiters.removeAll()
        return taken
    }

    private func takeRunning() -> Task<Void, Never>? {
        defer { running = nil }
        return running
    }
}
