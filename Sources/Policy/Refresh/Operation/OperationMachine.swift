import FreshetBase

// The rules of one operation, without effects: time and chance come in, actions go out.
//
//              start, subscribe                 finish success
//     idle ──────────────────────▶ loading ───────────────────▶ success
//      ▲                            │   │      finish failure
//      │ reset                      │   └─────────────────────▶ failure
//      └── from anywhere            └─ cancel: back to what it was before
//
// * At most one run is under way. It has *parties*: those who are interested in it. Waiters come and
//   go with their connections; the service itself, a trigger, the subscribers as a whole are one
//   party each. The run that has none left is aborted.
// * A value and an error survive a run; a success takes the error away.
// * A cancelled run leaves no trace but `lastRun`.
// * A run is known by its number. What comes late, after a cancel, a reset or a successor, has the
//   number of a run that is no more there and is ignored. Controllers have no run; they carry the
//   generation, which a reset raises.
// * The order of what observers see is made here and nowhere else.

/// One operation's rules. The owner carries the actions out in their order.
struct OperationMachine: Sendable {
    /// The time of a step.
    struct Moment: Sendable {
        /// The instant of the operation's clock.
        let now: Duration
        /// Milliseconds since 1970.
        let wall: Int64
    }

    /// Who is interested in a run.
    enum Party: Hashable, Sendable {
        /// The service itself, for whoever does not stay.
        case service
        /// What starts runs by itself.
        case trigger
        /// The live queries; only in a run that the first of them has started.
        case subscribers
        case waiter(UInt64)
    }

    /// How a run ends for its waiters.
    enum End: Sendable {
        case success
        case failure(any Error)
    }

    enum Action: Sendable {
        case begin(OperationState.Run)
        case abort(run: UInt64)
        case tell(OperationEvent)
        /// Tell one observer the state that it begins with.
        case greet(UInt64, OperationState)
        /// What others decide by has changed; with it a run has begun or ended.
        case publish(OperationState, OperationPhase?)
        /// Tell the board that none is under way.
        case noteNoRun
        case end([UInt64], End)
        /// Call `lingered` at that instant; it replaces an earlier one, nil takes it back.
        case linger(until: Duration?)
        /// Call `passDeadline` of that run at that instant.
        case deadline(run: UInt64, at: Duration)
    }

    /// How the last party of subscribers leaves, and how long a run may take.
    struct Bounds: Sendable, Equatable {
        var linger: Duration = .zero
        var deadline: Duration?
    }

    var bounds: Bounds
    private(set) var state = OperationState()
    private(set) var parties: Set<Party> = []
    /// The runs that have ended, the newest last; a reset keeps them.
    private var pastRuns: [RunReport] = []
    /// How many past runs are kept.
    var keptRuns = 20
    /// What the run under way has brought.
    private var results = 0
    private var resultCount: Int?
    private var startedAt: Duration = .zero
    private var lastNumber: UInt64 = 0
    /// What a cancelled run goes back to.
    private var settled = OperationStatus.idle
    /// Counts invalidations, so that a run that began before one does not take it back.
    private var invalidations: UInt64 = 0
    private var invalidationsAtStart: UInt64 = 0

    init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
    }

    /// What holds between two steps: there is a run exactly while it loads and somebody is interested
    /// in it.
    var isConsistent: Bool {
        (state.run != nil) == (state.status == .loading) && (state.run != nil) != parties.isEmpty
            && state.subscribers >= 0
    }

    /// The last runs, the newest first; the run under way is the first.
    var runs: [RunReport] {
        let current = state.run.map {
            RunReport(run: $0, ended: nil, results: results, count: resultCount, error: nil)
        }
        return (current.map { [$0] } ?? []) + pastRuns.reversed()
    }

    // MARK: Starts

    /// Has `party` served by a run: by the one under way, or by a new one.
    ///
    /// - Parameter restarting: A run under way is superseded; those who wait for it wait for the
    ///   new one.
    /// - Returns: Whether it is a new one.
    @discardableResult
    mutating func start(
        _ origin: RunOrigin, for party: Party, restarting: Bool = false, at moment: Moment,
        _ actions: inout [Action]
    ) -> Bool {
        guard state.run != nil else {
            beginRun(origin, [party], at: moment, &actions)
            return true
        }
        guard restarting else {
            parties.insert(party)
            return false
        }
        var parties = parties
        parties.remove(.trigger)
        parties.insert(party)
        endRun(.superseded, nil, at: moment, &actions)
        beginRun(origin, parties, at: moment, &actions)
        return true
    }

    private mutating func beginRun(
        _ origin: RunOrigin, _ parties: Set<Party>, at moment: Moment, _ actions: inout [Action]
    ) {
        precondition(state.run == nil, "an operation has at most one run")
        precondition(!parties.isEmpty, "a run is for somebody")
        lastNumber += 1
        let run = OperationState.Run(
            number: lastNumber, origin: origin, startedAt: moment.wall, attempts: 1)
        self.parties = parties
        startedAt = moment.now
        (results, resultCount) = (0, nil)
        invalidationsAtStart = invalidations
        settled = state.status
        state.run = run
        state.status = .loading
        actions.append(.publish(state, .began(origin)))
        actions.append(.tell(.state(state)))
        actions.append(.tell(.runStarted(run)))
        actions.append(.begin(run))
        if let deadline = bounds.deadline {
            actions.append(.deadline(run: run.number, at: moment.now.addingSaturated(deadline)))
        }
    }

    // MARK: Subscribers

    /// A live query of the operation's query begins.
    ///
    /// - Parameter runs: The operation is stale and its gate is open.
    mutating func subscribe(runs: Bool, at moment: Moment, _ actions: inout [Action]) {
        state.subscribers += 1
        let isFirst = state.subscribers == 1
        if isFirst { actions.append(.linger(until: nil)) }
        if isFirst, runs, state.run == nil {
            beginRun(.subscribe, [.subscribers], at: moment, &actions)
        } else {
            publishState(&actions)
        }
    }

    mutating func unsubscribe(at moment: Moment, _ actions: inout [Action]) {
        guard state.subscribers > 0 else { return }
        state.subscribers -= 1
        publishState(&actions)
        guard state.subscribers == 0, parties.contains(.subscribers) else { return }
        if bounds.linger > .zero {
            actions.append(.linger(until: moment.now.addingSaturated(bounds.linger)))
        } else {
            leave(.subscribers, at: moment, &actions)
        }
    }

    /// The time after the last subscriber is over.
    mutating func lingered(at moment: Moment, _ actions: inout [Action]) {
        guard state.subscribers == 0 else { return }
        leave(.subscribers, at: moment, &actions)
    }

    // MARK: Parties

    /// `party` is not interested any more; the run that has no party left is aborted.
    mutating func leave(_ party: Party, at moment: Moment, _ actions: inout [Action]) {
        guard parties.remove(party) != nil, parties.isEmpty else { return }
        endRun(.cancelled, nil, at: moment, &actions)
    }

    /// Ends the run that an edge of `refetch.when` has started.
    mutating func cancelTriggered(at moment: Moment, _ actions: inout [Action]) {
        guard state.run?.origin == .when else { return }
        endRun(.cancelled, nil, at: moment, &actions)
    }

    /// Ends the run, whoever waits for it.
    mutating func cancel(at moment: Moment, _ actions: inout [Action]) {
        guard state.run != nil else { return }
        endRun(.cancelled, nil, at: moment, &actions)
    }

    // MARK: What a run brings

    /// The run tries again.
    mutating func record(attempts: Int, of run: UInt64) {
        guard let known = state.run, known.number == run else { return }
        state.run?.attempts = max(known.attempts, attempts)
    }

    /// A result of a run that goes on.
    ///
    /// - Returns: Whether it counts.
    mutating func yield(
        run: UInt64, count: Int?, at moment: Moment, _ actions: inout [Action]
    ) -> Bool {
        guard state.run?.number == run else { return false }
        recordValue(of: count, at: moment)
        (results, resultCount) = (results + 1, count)
        actions.append(.publish(state, nil))
        actions.append(
            .tell(.result(run: run, version: state.valueVersion, count: count, isFinal: false)))
        return true
    }

    /// The run has ended by itself.
    ///
    /// - Returns: Whether it counts.
    mutating func finish(
        run: UInt64, _ result: Result<Int?, any Error>, at moment: Moment,
        _ actions: inout [Action]
    ) -> Bool {
        guard state.run?.number == run else { return false }
        switch result {
        case .success(let count):
            recordValue(of: count, at: moment)
            (results, resultCount) = (results + 1, count)
            if invalidations == invalidationsAtStart { state.isInvalidated = false }
            actions.append(
                .tell(.result(run: run, version: state.valueVersion, count: count, isFinal: true)))
            endRun(.success, nil, at: moment, &actions)
        case .failure(OperationError.cancelled):
            endRun(.cancelled, nil, at: moment, &actions)
        case .failure(let error):
            endRun(.failure, error, at: moment, &actions)
        }
        return true
    }

    /// The run has taken as long as it may.
    mutating func passDeadline(of run: UInt64, at moment: Moment, _ actions: inout [Action]) {
        guard state.run?.number == run else { return }
        actions.append(.abort(run: run))
        endRun(.failure, OperationError.deadlineExceeded, at: moment, &actions)
    }

    private mutating func recordValue(of count: Int?, at moment: Moment) {
        state.valueVersion += 1
        state.valueUpdated = moment.now
        state.valueUpdatedAt = moment.wall
        state.count = count
        settled = .success
        state.error = nil
        state.errorUpdatedAt = nil
        state.failures = 0
    }

    private mutating func recordFailure(_ error: any Error, at moment: Moment) {
        state.error = error
        state.errorUpdatedAt = moment.wall
        state.failures += 1
    }

    private mutating func endRun(
        _ outcome: RunOutcome, _ error: (any Error)?, at moment: Moment,
        _ actions: inout [Action]
    ) {
        guard let run = state.run else { return }
        let given = error
        let error = (error as? any PassingError)?.lasting ?? error
        let ended = OperationState.Ended(
            number: run.number, origin: run.origin, outcome: outcome, attempts: run.attempts,
            startedAt: run.startedAt, endedAt: moment.now, duration: moment.now - startedAt)
        pastRuns.append(
            RunReport(run: run, ended: ended, results: results, count: resultCount, error: error))
        pastRuns.removeFirst(max(0, pastRuns.count - keptRuns))
        state.run = nil
        state.lastRun = ended
        var waiters: [UInt64] = []
        switch outcome {
        case .success: settled = .success
        case .failure:
            if let error { recordFailure(error, at: moment) }
            settled = .failure
        case .cancelled, .superseded: actions.append(.abort(run: run.number))
        }
        state.status = settled
        // Waiters of a run that has a successor wait for the successor.
        if outcome != .superseded {
            for case .waiter(let number) in parties { waiters.append(number) }
            waiters.sort()
        }
        parties = []
        // The successor's end is this run's, too, for whoever starts runs; and what begins it is the next
        // that the board is to see: between them the operation is not idle.
        if outcome != .superseded { actions.append(.publish(state, .ended)) }
        actions.append(.tell(.runEnded(ended, error: error)))
        actions.append(.tell(.state(state)))
        guard !waiters.isEmpty else { return }
        switch outcome {
        case .success: actions.append(.end(waiters, .success))
        case .failure: actions.append(.end(waiters, .failure(given ?? OperationError.cancelled)))
        case .cancelled, .superseded:
            actions.append(.end(waiters, .failure(OperationError.cancelled)))
        }
    }

    // MARK: Controllers

    /// A value from outside a run; one of an earlier generation is ignored.
    ///
    /// - Parameter isWhole: It is more than changes of the value before, whose gaps it does not have.
    /// - Returns: Whether it counts.
    mutating func yield(
        generation: UInt64, count: Int?, isWhole: Bool = true, at moment: Moment,
        _ actions: inout [Action]
    ) -> Bool {
        guard generation == state.generation else { return false }
        let before = (state: state, settled: settled)
        recordValue(of: count, at: moment)
        if !isWhole, case .missed? = before.state.error as? ControllerError {
            state.error = before.state.error
            state.errorUpdatedAt = before.state.errorUpdatedAt
            state.failures = before.state.failures
            if before.settled == .failure { settled = .failure }
        }
        state.isInvalidated = false
        if state.run == nil { state.status = settled }
        actions.append(.publish(state, nil))
        actions.append(
            .tell(.result(run: nil, version: state.valueVersion, count: count, isFinal: true)))
        actions.append(.tell(.state(state)))
        return true
    }

    /// An error from outside a run.
    ///
    /// - Parameter keepsStatus: The error is noted and the status stays.
    mutating func yield(
        _ error: any Error, generation: UInt64, keepsStatus: Bool, at moment: Moment,
        _ actions: inout [Action]
    ) -> Bool {
        guard generation == state.generation else { return false }
        // What the value lacks it lacks behind the next connection, too.
        if case .connection? = error as? ControllerError,
            case .missed? = state.error as? ControllerError
        {
            return true
        }
        recordFailure(error, at: moment)
        if !keepsStatus {
            settled = .failure
            if state.run == nil { state.status = .failure }
        }
        publishState(&actions)
        return true
    }

    /// Takes an error of a controller's connection away, which stands again. The value is what it was.
    mutating func endConnectionError(_ actions: inout [Action]) {
        guard case .connection? = state.error as? ControllerError else { return }
        state.error = nil
        state.errorUpdatedAt = nil
        state.failures = 0
        if settled == .failure { settled = state.hasValue ? .success : .idle }
        if state.run == nil { state.status = settled }
        publishState(&actions)
    }

    // MARK: Orders

    /// The value is out of date, whatever the rules of staleness say.
    mutating func invalidate(_ actions: inout [Action]) {
        invalidations += 1
        guard !state.isInvalidated else { return }
        state.isInvalidated = true
        publishState(&actions)
    }

    /// Forgets everything but switch and subscribers. What comes of a run or a controller of before
    /// is ignored.
    mutating func reset(at moment: Moment, _ actions: inout [Action]) {
        let hadRun = state.run != nil
        settled = .idle
        state.generation += 1
        let kept = state
        state = OperationState()
        state.generation = kept.generation
        state.isActive = kept.isActive
        state.subscribers = kept.subscribers
        if hadRun {
            state.run = kept.run
            endRun(.cancelled, nil, at: moment, &actions)
        } else {
            publishState(&actions)
        }
    }

    /// Turns the operation's own switch.
    mutating func setActive(_ isActive: Bool, _ actions: inout [Action]) {
        guard isActive != state.isActive else { return }
        state.isActive = isActive
        publishState(&actions)
    }

    /// Switches it on as what is new.
    mutating func renew(_ actions: inout [Action]) {
        state.isActive = true
        publishState(&actions, .renewed)
    }

    /// Takes over what was known before the operation was there: the newest of it, in whichever order.
    mutating func restore(updated: Duration, at wall: Int64, count: Int?) {
        guard state.valueVersion <= 1, state.valueUpdatedAt ?? .min <= wall else { return }
        state.valueVersion = 1
        state.valueUpdated = updated
        state.valueUpdatedAt = wall
        state.count = count
        guard settled == .idle else { return }
        settled = .success
        if state.run == nil { state.status = .success }
    }

    private func publishState(_ actions: inout [Action], _ phase: OperationPhase? = nil) {
        actions.append(.publish(state, phase))
        actions.append(.tell(.state(state)))
    }
}
