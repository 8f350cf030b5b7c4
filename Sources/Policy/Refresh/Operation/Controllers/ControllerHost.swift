import FreshetBase

// One controller and its operation, with a wall between them.
//
//     idle ── drive ──▶ starting ── returns ──▶ running ── halts ──▶ halted
//                          │  │                    │
//                          │  └─ throws ─▶ pausing ◀── floods
//                          └─ does not return ─▶ hung (until it does)
//
// A controller is foreign code: it may throw, never return, yield without end, and yield after its
// end. So it is called on a queue of its own, and what it yields goes into an inbox. Each start is a
// session with a number; controls of another session than the present one have no effect.
//
// The inbox is bounded by number and bytes. A whole value takes the place of all that waits, so that a
// controller of whole values never fills it. Changes cannot be left out: when they do not fit, the
// controller is ended and started anew after a pause, and begins with what it knows then. All that
// waits is stored as one, with a pause between the beginnings of two storings, so that a controller
// costs at most a hundred commits a second.
//
// Nothing is called under the lock: a step under it leaves actions, which are carried out afterwards
// in their order by one thread at a time.

/// Runs one controller of one operation and contains it. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
public final class ControllerHost: @unchecked Sendable {
    private enum Action {
        case start(session: UInt64)
        case cancel(RunSubscription)
        case store([ControlledValue], [Completion])
        case stored(count: Int?, isWhole: Bool)
        case error(any Error, fails: Bool)
        case following(Bool)
        case rerun
        case reset
        case complete(Completion, ControllerError?)
        /// What is shown of the controller is otherwise.
        case shown
    }

    typealias Completion = @Sendable (ControllerError?) -> Void

    public let operation: String
    private let controller: any OperationController
    private weak let target: (any ControlledOperation)?
    private let clock: any OperationClock
    private let bounds: ControllerBounds
    private let log: (@Sendable (ControllerError) -> Void)?

    private let lock = Lock()
    private var known: ControllerReport
    private var isDriven = false
    private var hasEnded = false
    /// A call of `control(with:)` has not returned.
    private var isCalling = false
    private var session: UInt64 = 0
    private var subscription: RunSubscription?
    private var isFollowing = false
    private var alarm: ScheduledAction?
    private var pause: Duration

    private var waiting: [ControlledValue] = []
    private var completions: [Completion] = []
    private var waitingBytes = 0
    /// The newest error that was yielded before what waits, and the newest one behind it.
    private var earlierError: (error: any Error, fails: Bool)?
    private var waitingError: (error: any Error, fails: Bool)?
    /// The newest error that the operation was told of; nil since a value has come.
    private var failure: (any Error)?
    private var isStoring = false
    private var storesAgainAt = Duration.zero
    private var storeAlarm: ScheduledAction?
    private var rerunsAgainAt = Duration.zero
    private var rerunAlarm: ScheduledAction?

    private var actions = ActionQueue<Action>()
    /// That it is shown otherwise waits to be told.
    private var isShownDue = false

    /// - Parameters:
    ///   - kind: What the controller is, for the operation's document.
    ///   - log: Told of faults of the controller.
    public init(
        _ controller: any OperationController, kind: String, of target: any ControlledOperation,
        clock: any OperationClock = SystemOperationClock(),
        bounds: ControllerBounds = ControllerBounds(),
        log: (@Sendable (ControllerError) -> Void)? = nil
    ) {
        operation = target.id
        self.controller = controller
        self.target = target
        self.clock = clock
        self.bounds = bounds
        self.log = log
        known = ControllerReport(kind: kind)
        pause = bounds.pause
    }

    deinit {
        alarm?.cancel()
        storeAlarm?.cancel()
        rerunAlarm?.cancel()
        subscription?.cancel()
    }

    public var report: ControllerReport { lock.withLock { known } }

    /// The last error that the controller has yielded; nil since a value has come.
    public var lastError: (any Error)? { lock.withLock { failure } }

    /// Says whether the operation is to be driven now. Ended and begun anew, a halted controller runs
    /// again.
    public func drive(_ isWanted: Bool) {
        step {
            guard isWanted != isDriven, !hasEnded else { return }
            isDriven = isWanted
            if isWanted { startSession() } else { endSession(as: .idle) }
        }
    }

    /// Drives the operation no more.
    public func end() {
        step {
            hasEnded = true
            guard isDriven else { return }
            isDriven = false
            endSession(as: .idle)
        }
    }

    // MARK: Sessions, under the lock

    private func startSession() {
        // Behind a call that hangs no other is made: one thread at most is lost to a controller.
        guard !isCalling else { return known.state = .hung }
        isCalling = true
        session += 1
        known.state = .starting
        known.counts.starts += 1
        actions.append(.start(session: session))
        let session = session
        setAlarm(after: bounds.start) { host in
            guard host.session == session, host.known.state == .starting else { return }
            host.known.counts.hangs += 1
            host.fault(.hung)
            host.endSession(as: .hung)
        }
    }

    /// Ends the session: nothing of it is taken any more, and what waits of it is dropped.
    private func endSession(as state: ControllerReport.State) {
        session += 1
        known.state = state
        known.activity = nil
        known.nextTry = nil
        follow(false)
        alarm?.cancel()
        alarm = nil
        rerunAlarm?.cancel()
        rerunAlarm = nil
        if let subscription { actions.append(.cancel(subscription)) }
        subscription = nil
        clear(.ended)
    }

    private func follow(_ isFollowing: Bool) {
        guard isFollowing != self.isFollowing else { return }
        self.isFollowing = isFollowing
        actions.append(.following(isFollowing))
    }

    /// Has the controller called again after a pause.
    private func endForNow() {
        endSession(as: .pausing)
        known.nextTry = clock.wallNow.addingSaturated(pause)
        setAlarm(after: pause) { host in
            guard host.known.state == .pausing else { return }
            host.startSession()
        }
        pause = min(pause.addingSaturated(pause), bounds.longestPause)
    }

    private func setAlarm(
        after span: Duration, _ body: @escaping @Sendable (ControllerHost) -> Void
    ) {
        alarm?.cancel()
        alarm = clock.schedule(at: clock.now.addingSaturated(span)) { [weak self] in
            self?.step { self.map(body) }
        }
    }

    private func fault(_ error: ControllerError) {
        known.lastError = error.sentence
        actions.append(.error(error, fails: false))
    }

    private func clear(_ error: ControllerError) {
        for completion in completions { actions.append(.complete(completion, error)) }
        completions = []
        waiting = []
        waitingBytes = 0
        earlierError = nil
        waitingError = nil
    }

    // MARK: The call

    private func call(_ session: UInt64) {
        PolicyWorkers.performAlone { [self] in
            let controls = OperationControls(operation, clock: clock, host: self, session: session)
            let result = Result { try controller.control(with: controls) }
            returned(result, session)
        }
    }

    private func returned(_ result: Result<RunSubscription, any Error>, _ session: UInt64) {
        step {
            precondition(isCalling, "a call returns once")
            isCalling = false
            guard self.session == session, known.state == .starting else {
                if case .success(let late) = result { actions.append(.cancel(late)) }
                // It hung, or its operation was left and is driven again by now.
                if isDriven, known.state == .hung { endForNow() }
                return
            }
            switch result {
            case .success(let subscription):
                alarm?.cancel()
                alarm = nil
                self.subscription = subscription
                known.state = .running
            case .failure(let error):
                known.counts.thrown += 1
                fault(.threw(String(String(describing: error).prefix(200))))
                endForNow()
            }
        }
    }

    // MARK: What a controller does

    /// Whether anything of `session` is still heard.
    private func isHeard(_ session: UInt64) -> Bool {
        if self.session == session, known.state == .starting || known.state == .running {
            return true
        }
        known.counts.late += 1
        return false
    }

    func accept(
        _ values: [ControlledValue], _ session: UInt64, then completion: Completion?
    ) -> Bool {
        step {
            guard isHeard(session) else { return false }
            for value in values where !append(value) {
                known.counts.floods += 1
                known.counts.refused += 1
                endForNow()
                fault(.flooded)
                return false
            }
            // The value ends an error of before, which is told all the same.
            earlierError = waitingError ?? earlierError
            waitingError = nil
            if let completion { completions.append(completion) }
            storeLater()
            return true
        }
    }

    /// - Returns: Whether there is room.
    private func append(_ value: ControlledValue) -> Bool {
        if value.isWhole {
            known.counts.replaced += waiting.count
            for completion in completions { actions.append(.complete(completion, nil)) }
            completions = []
            waiting = []
            waitingBytes = 0
        }
        let size = value.size
        guard waiting.count < bounds.values,
            waitingBytes + size <= bounds.bytes || waiting.isEmpty
        else { return false }
        waiting.append(value)
        waitingBytes += size
        return true
    }

    func accept(_ error: any Error, fails: Bool, _ session: UInt64) -> Bool {
        // The operation's own error tells of it, once a storing at most.
        step(tells: false) {
            guard isHeard(session) else { return false }
            known.counts.errors += 1
            known.lastError =
                (error as? ControllerError)?.sentence
                ?? String(String(describing: error).prefix(200))
            waitingError = (error, fails)
            storeLater()
            return true
        }
    }

    func canYieldRerun(_ session: UInt64) -> Bool {
        guard lock.withLock({ isHeard(session) }) else { return false }
        return target?.takesReruns ?? false
    }

    func invalidate(_ session: UInt64) {
        let isPresent = lock.withLock {
            self.session == session && (known.state == .starting || known.state == .running)
        }
        if isPresent { target?.invalidate() }
    }

    func rerun(_ session: UInt64) -> Bool {
        let isOn = target?.takesReruns ?? false
        return step {
            guard isHeard(session) else { return false }
            guard isOn else {
                known.counts.refusedReruns += 1
                return false
            }
            let now = clock.now
            if rerunAlarm != nil { return true }
            if now >= rerunsAgainAt {
                rerunNow(at: now)
            } else {
                rerunAlarm = clock.schedule(at: rerunsAgainAt) { [weak self] in
                    self?.step {
                        guard let self, self.rerunAlarm != nil else { return }
                        self.rerunAlarm = nil
                        self.rerunNow(at: self.clock.now)
                    }
                }
            }
            return true
        }
    }

    private func rerunNow(at now: Duration) {
        known.counts.reruns += 1
        rerunsAgainAt = now.addingSaturated(bounds.rerunPace)
        actions.append(.rerun)
    }

    func reset(_ session: UInt64) {
        step {
            guard isHeard(session) else { return }
            clear(.ended)
            actions.append(.reset)
        }
    }

    func halt(_ session: UInt64) {
        step {
            guard isHeard(session) else { return }
            // Values that the controller has yielded before are still stored.
            let (values, done, errors) = (waiting, completions, (earlierError, waitingError))
            let (bytes, activity) = (waitingBytes, known.activity)
            completions = []
            waiting = []
            endSession(as: .halted)
            (waiting, completions, waitingBytes) = (values, done, bytes)
            (earlierError, waitingError) = errors
            // Why it has ended itself.
            known.activity = activity
            storeLater()
        }
    }

    func describe(_ activity: String, retryIn pause: Duration?, _ session: UInt64) {
        let wall = clock.wallNow
        step {
            guard self.session == session else { return }
            known.activity = String(activity.prefix(200))
            known.nextTry = pause.map { wall.addingSaturated($0) }
        }
    }

    func setFollowing(_ isFollowing: Bool, _ session: UInt64) {
        step {
            guard self.session == session else { return }
            follow(isFollowing)
        }
    }

    // MARK: Storing, under the lock

    private func storeLater() {
        guard !isStoring, storeAlarm == nil, !waiting.isEmpty || waitingError != nil else { return }
        let now = clock.now
        if now >= storesAgainAt { return storeNow(at: now) }
        storeAlarm = clock.schedule(at: storesAgainAt) { [weak self] in
            self?.step {
                guard let self else { return }
                self.storeAlarm = nil
                if !self.isStoring { self.storeNow(at: self.clock.now) }
            }
        }
    }

    private func storeNow(at now: Duration) {
        storesAgainAt = now.addingSaturated(bounds.pace)
        if !waiting.isEmpty {
            isStoring = true
            if let earlierError {
                actions.append(.error(earlierError.error, fails: earlierError.fails))
            }
            earlierError = nil
            actions.append(.store(waiting, completions))
            waiting = []
            completions = []
            waitingBytes = 0
        } else if let waitingError {
            self.waitingError = nil
            actions.append(.error(waitingError.error, fails: waitingError.fails))
        }
    }

    /// - Parameters:
    ///   - values: What was handed over.
    ///   - rows: How many rows the value has.
    private func stored(
        _ values: [ControlledValue], _ completions: [Completion], rows: Int?,
        _ error: ControllerError?
    ) {
        step {
            isStoring = false
            failure = error
            if let error {
                known.counts.refused += values.count
                known.lastError = error.sentence
            } else {
                known.counts.values += values.count
                pause = bounds.pause
            }
            if error?.isPartial ?? true {
                actions.append(.stored(count: rows, isWhole: values.contains { $0.isWhole }))
            }
            if let error, completions.isEmpty { fault(error) }
            for completion in completions {
                actions.append(.complete(completion, error))
            }
            storeLater()
        }
    }

    // MARK: Effects

    /// Makes one step, then carries out what it and others have left to do.
    ///
    /// - Parameter tells: Whether what it shows otherwise is told; not where something tells of it that
    ///   has a pace of its own.
    @discardableResult
    private func step<Answer>(tells: Bool = true, _ body: () -> Answer) -> Answer {
        let (answer, isMine, errors) = lock.withLock {
            let errors = (failure, earlierError, waitingError)
            let before = known
            let answer = body()
            if tells, !isShownDue, !known.isShown(as: before) {
                isShownDue = true
                actions.append(.shown)
            }
            return (answer, actions.claim(), errors)
        }
        // What the controller has yielded is destroyed behind the lock.
        withExtendedLifetime(errors) {}
        guard isMine else { return answer }
        while let action = lock.withLock({ actions.next() }) { act(action) }
        return answer
    }

    private func replaceFailure(by error: (any Error)?) {
        let before = lock.withLock {
            defer { failure = error }
            return failure
        }
        withExtendedLifetime(before) {}
    }

    private func act(_ action: Action) {
        switch action {
        case .start(let session): call(session)
        case .cancel(let subscription):
            // A cancellation may hang as well as anything else of a controller.
            PolicyWorkers.performAlone { subscription.cancel() }
        case .store(let values, let completions):
            guard let target else {
                return stored(values, completions, rows: nil, .ended)
            }
            target.take(values) { [self] rows, error in
                stored(values, completions, rows: rows, error)
            }
        case .stored(let count, let isWhole): target?.noteStored(count: count, isWhole: isWhole)
        case .error(let error, let fails):
            if let error = error as? ControllerError { log?(error) }
            replaceFailure(by: error)
            target?.take(error: error, fails: fails)
        case .following(let isFollowing):
            lock.withLock {
                if isFollowing, case .connection? = failure as? ControllerError { failure = nil }
            }
            target?.noteFollowing(isFollowing)
        case .rerun: _ = target?.rerun()
        case .reset:
            replaceFailure(by: nil)
            target?.reset()
        case .complete(let completion, let error): completion(error)
        case .shown:
            lock.withLock { isShownDue = false }
            target?.noteShown()
        }
    }
}
