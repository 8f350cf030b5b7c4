import FreshetBase

// Who is interested in an operation: live queries, observers, callers that wait until it may
// run, and controllers that bring its value.

extension BoardOperation {
    // MARK: Subscribers

    /// The board knows it for as long as there are more of these than of `detach`. Things are taken
    /// as they stand: nothing runs because of it.
    ///
    /// - Parameter settings: nil: the default ones.
    package func attach(_ settings: OperationSettings? = nil) {
        lock.withLock { attachments += 1 }
        meetBoard(settings)
    }

    package func detach() {
        lock.withLock { attachments -= 1 }
        meetBoard()
    }

    /// The board forgets it for good, whoever is still there: another may get its id.
    package func retire() {
        lock.withLock { isRetired = true }
        meetBoard()
    }

    /// Has the board know it or not, as it is to be by now: one after the other, in whichever order
    /// they come and go.
    private func meetBoard(_ settings: OperationSettings? = nil) {
        boardTurn.withLock {
            let isWanted = isAttached
            guard isWanted != isOnBoard else { return }
            isOnBoard = isWanted
            guard isWanted else { return board.detach(id) }
            enterBoard(settings)
        }
    }

    private func enterBoard(_ settings: OperationSettings?) {
        let state = state
        if state.hasValue || state.isLoading || state.subscribers > 0 || !state.isActive {
            board.attach(id, .quiet, delegate: nil)
            var changes = changes(of: state)
            if let run = state.run { changes.append(.run(id, .began(run.origin))) }
            board.commit(changes)
        }
        board.attach(
            id, settings ?? OperationSettings(upstream: upstreamName), delegate: self)
        rememberLevels()
        // What has changed meanwhile. Of a run that ended before the board knew the operation it has not
        // heard.
        let hadRun = state.run != nil
        step { machine, _, actions in
            actions.append(.publish(machine.state, nil))
            if hadRun, machine.state.run == nil { actions.append(.noteNoRun) }
        }
    }

    /// A live query of its query begins. It keeps the run alive that the first of them has started.
    ///
    /// - Parameter isServed: What is here serves it, as far as its own context goes.
    /// - Returns: What ends it.
    package func subscribe(isServed: Bool) -> @Sendable () -> Void {
        touch()
        let levels = levels
        // Where the board knows the operation, it sees the first subscriber, and decides. It goes on knowing it
        // from here, whoever leaves meanwhile.
        let wasAttached = lock.withLock {
            defer { attachments += 1 }
            return attachments > 0 && !isRetired
        }
        let runs = isRunnable && !wasAttached && !isServed && levels.gate && levels.stale
        step { $0.subscribe(runs: runs, at: $1, &$2) }
        let subscription = RunSubscription { [self] in
            step { $0.unsubscribe(at: $1, &$2) }
        }
        meetBoard()
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

    // MARK: Observers

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

    // MARK: Admission

    /// Calls `proceed` once as soon as the operation may run; with the error that says why where it
    /// may not and nobody is to wait, or has waited for as long as may be (`gated`), and where the
    /// operation was cancelled or reset meanwhile (`cancelled`). Not at all once `waiter` has left.
    package func admit<Answer>(
        _ waiter: Waiter<Answer>, _ proceed: @escaping @Sendable (OperationError?) -> Void
    ) {
        let admit = rules.admit
        guard isAttached, admit.when != .always, !levels.admit else { return proceed(nil) }
        guard admit.otherwise == .wait else { return proceed(refusal) }
        let number = lock.withLock { () -> UInt64? in
            guard admissions.count < Self.mostAdmissions else { return nil }
            lastNumber += 1
            admissions[lastNumber] = proceed
            return lastNumber
        }
        guard let number else { return proceed(refusal) }
        let alarm = clock.schedule(at: clock.now.addingSaturated(admit.maxWait)) { [weak self] in
            guard let self else { return }
            takeAdmission(number)?(refusal)
        }
        waiter.atEnd { [weak self] in
            alarm.cancel()
            _ = self?.takeAdmission(number)
        }
        // It may have opened before there was anybody to be told.
        if levels.admit { takeAdmission(number)?(nil) }
    }

    /// How many callers wait to be admitted.
    package var waitsToBeAdmitted: Int { lock.withLock { admissions.count } }

    private var refusal: OperationError { .gated(closedGate(byItself: false) ?? "admit") }

    /// Waits for a run, which begins or is joined as soon as the operation may run.
    ///
    /// - Parameter answer: What `waiter` gets for the end; that of a run which was not admitted is the
    ///   error of `admit`.
    package func enter<Answer>(
        for waiter: Waiter<Answer>, work: Work? = nil,
        _ answer: @escaping @Sendable (Result<Value, any Error>) -> Answer
    ) {
        admit(waiter) { [self] error in
            if let error { return waiter.finish(answer(.failure(error))) }
            waiter.atEnd(enter(.manual, work: work) { waiter.finish(answer($0)) })
        }
    }

    /// Callers that wait for one operation to be admitted; more are refused at once.
    private static var mostAdmissions: Int { 1_000 }

    private func takeAdmission(_ number: UInt64) -> (@Sendable (OperationError?) -> Void)? {
        lock.withLock { admissions.removeValue(forKey: number) }
    }

    /// Lets all that wait for admission proceed, in the order in which they came.
    ///
    /// - Returns: Whether anybody did.
    @discardableResult
    func endAdmissions(_ error: OperationError?) -> Bool {
        let waiting = lock.withLock {
            defer { admissions = [:] }
            return admissions.sorted { $0.key < $1.key }
        }
        for (_, proceed) in waiting { proceed(error) }
        return !waiting.isEmpty
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
            machine.yield(
                generation: generation ?? machine.state.generation, count: rows,
                isWhole: isWhole, at: moment, &actions)
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

    /// A controller's connection stands: an error of that it was refused is over.
    package func noteConnected() {
        step { machine, _, actions in machine.endConnectionError(&actions) }
    }
}
