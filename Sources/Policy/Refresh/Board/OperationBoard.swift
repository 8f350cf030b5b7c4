import FreshetBase

/// What a board calls about an operation: without any lock, one after the other, in the order of the
/// commits.
public protocol TriggeredOperation: AnyObject, Sendable {
    /// Begin a run. It has to lead to a commit of `.run(id, .began(…))`, or of `.run(id, .ended)` where
    /// it is refused.
    ///
    /// - Parameter restarting: In place of the run that goes on; only the new run's end is committed.
    func trigger(_ origin: RunOrigin, restarting: Bool)

    /// Abort the run that goes on, where its origin is `when`.
    func cancelTriggered()

    /// Its gate, staleness or admission is another.
    func levelsChanged(_ levels: OperationLevels)

    /// Nobody has subscribed to it or run it for `evictAfter`.
    func evict()
}

/// What there is to know about one operation's specifications.
public struct OperationSlotReport: Hashable, Sendable {
    /// Pointers are into the operation's configuration: `/automatic`, `/stale/0`, `/refetch/when`,
    /// `/admit/when`.
    public var automatic: SpecEvaluation
    public var stale: SpecEvaluation
    public var when: SpecEvaluation
    public var admit: SpecEvaluation
    public var levels: OperationLevels
    public var counters: EdgeCounters
    /// When `every` and `cron` are due next, since 1970; nil where it may not run by itself.
    public var nextRun: Duration?
}

/// The one serial board on which all inputs of run specifications stand, and from which operations are
/// run.
///
/// ## A commit
/// `commit` takes one or several changes as one: all specifications that depend on them are evaluated
/// once, against one snapshot and one reading of the clock, and each operation concerned decides once
/// what to do (`TriggerMachine`). A change that changes nothing is none. What time brings (an age, a
/// window, the end of a condition) is a commit of its own, before the one that finds it due.
///
/// ## Threads
/// Any thread may commit. `lock` guards the state (`BoardState`), and no foreign code runs under it:
/// what is to be called is queued in order, and one thread at a time calls it once the lock is free,
/// the committing one (`Effects.inline`) or the policy executor's. So a callee may commit, and its commit follows.
/// Specifications of the embedding program are asked, watched and left on a thread each
/// (`CustomQuestions`); the board remembers their answer as an input like any other, and waits for one for
/// a second at most. What the lock gives up of the program's is destroyed once it is free.
///
/// What observers are called with must not block: on a board with queued effects (`Effects.queued`), as a
/// server's is, they are called where all operations decide.
///
/// ## Time
/// One timer serves everything that is due, and there is none where nothing is. With calendars in use it
/// looks at the wall clock once a minute at least, which people may set.
///
/// - Complexity: A commit is O(changes + leaves of the changed facts + expressions that contain a leaf
///   that turned); nothing else is touched, however many operations there are.
// SAFETY: all mutable state is read and written under `lock`.
public final class OperationBoard: @unchecked Sendable {
    /// Who makes the calls.
    public enum Effects: Sendable {
        /// The policy executor.
        case queued
        /// The thread that commits, before `commit` returns: for tests and simulations.
        case inline
    }

    /// How long the wall clock is not looked at while calendars are in use.
    private static let wallGrain: Int64 = 60_000_000_000

    public let clock: any OperationClock
    public let registry: SpecificationRegistry
    private let effects: Effects
    private let patience: Duration
    private let lock = Lock()
    private var state = BoardState()
    private var base: RunContext
    private var timer: ScheduledAction?
    private var armedFor: Int64?
    /// Counts timers, so that one that could not be taken back is known.
    private var timerNumber: UInt64 = 0
    private let conditionObservers = Registry<@Sendable ([ConditionState]) -> Void>()
    private let readerObservers = Registry<@Sendable () -> Void>()
    private let faultObservers = Registry<@Sendable (String?, String) -> Void>()

    /// - Parameters:
    ///   - context: Whose typed values specifications of the embedding program see.
    ///   - patience: How long one of these is waited for that has not been asked yet.
    public init(
        clock: any OperationClock = SystemOperationClock(), effects: Effects = .queued,
        registry: SpecificationRegistry = SpecificationRegistry(), context: RunContext? = nil,
        patience: Duration = .seconds(1)
    ) {
        self.clock = clock
        self.patience = patience
        self.registry = registry
        base = context ?? RunContext(clock: clock)
        base.clock = clock
        self.effects = effects
        state.specs = registry.registered
    }

    // MARK: Inputs

    /// Makes all changes at once.
    public func commit(_ changes: [BoardChange]) {
        update { state in
            state.beginCommit()
            for change in changes { state.apply(change) }
            state.endCommit()
        }
    }

    public func commit(_ changes: BoardChange...) {
        commit(changes)
    }

    /// Says that a controller keeps the operation's value up to date, so that it is not stale, until
    /// what is returned is ended.
    public func follow(_ operation: String) -> RunSubscription {
        changeFollowers(of: operation, by: 1)
        return RunSubscription { [weak self] in self?.changeFollowers(of: operation, by: -1) }
    }

    private func changeFollowers(of operation: String, by change: Int) {
        update { state in
            state.beginCommit()
            state.changeFollowers(of: operation, by: change)
            state.endCommit()
        }
    }

    // MARK: Declarations

    /// Takes over conditions and named specifications in place of those there were, for a boot or a
    /// changed configuration. Every operation begins anew with things as they stand.
    ///
    /// - Warning: For boards that the program has made. A server's board is declared by its
    ///   configuration; another declaration drops its conditions and specifications until a reload.
    /// - Parameter stored: Conditions as they were kept; expired ones are as declared.
    public func declare(
        conditions: [ConditionDeclaration], specs: [String: SpecExpression],
        stored: [ConditionState] = []
    ) {
        let named = registry.registered.merging(specs) { $1 }
        let before = update { state in
            defer { state.specs = named }
            return state.specs
        }
        restate { $0.declare(conditions, stored: stored) }
        withExtendedLifetime(before) {}
    }

    /// Has operations run by themselves from now on, or no more: of several servers that have the same
    /// data one does. Either way things are as after a restart.
    ///
    /// - Parameter stored: Conditions as they were kept.
    package func lead(_ leads: Bool, stored: [ConditionState]) {
        restate { $0.lead(leads, stored: stored) }
    }

    /// Puts conditions as another server has kept them, where nothing runs by itself.
    package func follow(_ stored: [ConditionState]) {
        restate { state in
            if !state.leads { state.lead(false, stored: stored) }
        }
    }

    /// Whether operations run by themselves.
    package var leads: Bool { lock.withLock { state.leads } }

    /// Makes a change by which every operation begins anew with things as they stand.
    private func restate(_ change: (inout BoardState) -> Void) {
        let answers = ask(
            lock.withLock { state.attached }.map {
                (operation: Optional($0.id), expressions: Self.expressions($0.1))
            })
        let attached = update { state in
            state.beginCommit()
            change(&state)
            state.endCommit(isBaseline: true)
            // Operations that there are now: while specifications were asked some may have come or gone.
            let attached = state.attached
            for (id, settings, delegate) in attached {
                state.attach(
                    id, settings: settings, delegate: delegate, answers: answers[id] ?? [:])
            }
            return attached
        }
        withExtendedLifetime(attached) {}
    }

    /// Adds an operation, or changes its settings: in both cases things are taken as they stand, and
    /// nothing runs because of it.
    ///
    /// - Warning: On a server's board only with ids that no operation of the server has: an attachment
    ///   under such an id takes its place, so that the operation does not run by itself any more.
    /// - Parameter delegate: Held weakly.
    public func attach(
        _ id: String, _ settings: OperationSettings, delegate: (any TriggeredOperation)?
    ) {
        let answers = ask([(operation: id, expressions: Self.expressions(settings))])
        update { state in
            state.attach(id, settings: settings, delegate: delegate, answers: answers[id] ?? [:])
        }
    }

    /// Forgets an operation. Specifications of others that look at it find it as new.
    ///
    /// - Warning: On a server's board only what the program has attached itself: an operation of the
    ///   server that is detached does not run by itself any more.
    public func detach(_ id: String) {
        update { state in
            state.beginCommit()
            state.detach(id)
            state.endCommit()
        }
    }

    private static func expressions(_ settings: OperationSettings) -> [SpecExpression] {
        [settings.gate, settings.staleness, settings.edge, settings.admit.when]
    }

    // MARK: Questions

    /// One snapshot; nil for an operation that is not attached.
    public func levels(of id: String) -> OperationLevels? {
        update { state in state.operationPlaces[id].flatMap { state.levels(of: Int($0)) } }
    }

    /// The name of what keeps the operation from running: of the named specification that does not
    /// hold, or holds where it must not, else of the slot, `automatic` or `admit`.
    ///
    /// - Parameter byItself: Whether the gate counts, too.
    /// - Returns: nil where nothing does.
    public func closedGate(of id: String, byItself: Bool) -> String? {
        update { state in
            guard let place = state.operationPlaces[id].map(Int.init),
                let settings = state.operations[place].attachment?.settings,
                let levels = state.levels(of: place), !levels.admit || byItself && !levels.gate
            else { return nil }
            let (slot, expression) =
                levels.admit ? ("automatic", settings.gate) : ("admit", settings.admit.when)
            return state.nameOfCause(in: expression, operation: place) ?? slot
        }
    }

    public func counters(of id: String) -> EdgeCounters? {
        lock.withLock {
            state.operationPlaces[id].flatMap {
                let record = state.operations[Int($0)]
                return record.attachment == nil ? nil : record.machine.counters
            }
        }
    }

    /// What `expression` comes to, with all its parts: found on a copy of the board's state, since
    /// hundreds of calendars far ahead take their time.
    ///
    /// - Parameters:
    ///   - instant: Since 1970: what it would be at that time if nothing changed until then; nil: now.
    ///   - wantsValues: Whether the trace tells what its leaves look at.
    public func evaluate(
        _ expression: SpecExpression, operation: String? = nil, at instant: Duration? = nil,
        wantsValues: Bool = false
    ) -> SpecEvaluation {
        let answers = ask([(operation: operation, expressions: [expression])])
        return evaluate(
            expression, operation: operation, at: instant, wantsValues: wantsValues,
            answers: answers[operation ?? ""] ?? [:])
    }

    private func evaluate(
        _ expression: SpecExpression, operation: String?, at instant: Duration? = nil,
        wantsValues: Bool = false, answers: [CustomSpecification: Bool]
    ) -> SpecEvaluation {
        let copy = update { $0 }
        let evaluation = copy.evaluate(
            expression, operation: operation, at: instant?.nanoseconds, wantsValues: wantsValues,
            answers)
        if let fault = evaluation.fault { report(fault, of: operation) }
        return evaluation
    }

    private func report(_ fault: String, of operation: String?) {
        for observer in faultObservers.items { observer(operation, fault) }
    }

    /// Has `onFault` called with each specification that is too large to be evaluated and stands for
    /// false, as it is attached, observed or evaluated: its operation, if any, and a sentence. It must
    /// not block, as what `observe` calls.
    public func observeFaults(
        _ onFault: @escaping @Sendable (_ operation: String?, _ fault: String) -> Void
    ) -> RunSubscription {
        faultObservers.add(onFault)
    }

    /// What expressions can name.
    package var namedSpecifications: [String: SpecExpression] { lock.withLock { state.specs } }

    func evaluate(_ expression: SpecExpression, in context: RunContext) -> SpecEvaluation {
        let customs = lock.withLock { Array(Set(state.customSpecifications(in: expression))) }
        var answers: [CustomSpecification: Bool] = [:]
        for (custom, answer) in zip(customs, put(customs.map { (custom: $0, context: context) })) {
            answers[custom] = answer
        }
        return evaluate(expression, operation: context.operation, answers: answers)
    }

    /// Everything about one operation; nil for one that is not attached.
    ///
    /// - Parameter wantsValues: Whether the traces tell what their leaves look at.
    public func report(of id: String, wantsValues: Bool = false) -> OperationSlotReport? {
        let settings = lock.withLock {
            state.operationPlaces[id].flatMap { state.operations[Int($0)].attachment?.settings }
        }
        guard let settings else { return nil }
        let answers = ask([(operation: id, expressions: Self.expressions(settings))])[id] ?? [:]
        return update { state in
            guard let place = state.operationPlaces[id], let levels = state.levels(of: Int(place))
            else { return nil }
            func evaluation(_ expression: SpecExpression, _ pointer: String) -> SpecEvaluation {
                state.evaluate(
                    expression, operation: id, at: nil, pointer: pointer, wantsValues: wantsValues,
                    answers)
            }
            var stale = evaluation(settings.staleness, "/stale")
            if settings.stale != nil {
                stale.trace = stale.trace.map {
                    var node = $0
                    if node.pointer.hasPrefix("/stale/or/") {
                        node.pointer = "/stale/" + node.pointer.dropFirst("/stale/or/".count)
                    }
                    return node
                }
            }
            let machine = state.operations[Int(place)].machine
            return OperationSlotReport(
                automatic: evaluation(settings.gate, "/automatic"), stale: stale,
                when: evaluation(settings.edge, "/refetch/when"),
                admit: evaluation(settings.admit.when, "/admit/when"), levels: levels,
                counters: machine.counters,
                nextRun: machine.nextRun(
                    levels, wallAhead: state.wall.subtractingSaturated(state.now)
                ).map { .nanoseconds($0) })
        }
    }

    /// Has `onChange` called, after the commit, whenever `expression` turns.
    ///
    /// - Parameters:
    ///   - tellsFirst: It is called with what holds now before that.
    ///   - onChange: Must not block: it is called on the thread on which all operations decide, and what
    ///     takes its time there holds up all of them. Hand work that waits on to a task or a queue.
    public func observe(
        _ expression: SpecExpression, operation: String? = nil, tellsFirst: Bool = false,
        onChange: @escaping @Sendable (Bool) -> Void
    ) -> RunSubscription {
        let answers = ask([(operation: operation, expressions: [expression])])
        let (place, stamp) = update { state in
            let known = answers[operation ?? ""] ?? [:]
            let made = state.observe(expression, operation: operation, known, onChange)
            if tellsFirst { state.notify(observer: made.place) }
            return made
        }
        return RunSubscription { [weak self] in
            self?.update { state in state.endObserving(place, stamp: stamp) }
        }
    }

    /// Whether some specification looks at the link to the upstream, so that it is worth being looked
    /// after while it is down.
    public func isRead(link upstream: String) -> Bool {
        lock.withLock { state.facts[.link(upstream)]?.leaves.isEmpty == false }
    }

    /// Whether some specification looks at the memory, so that it is worth being measured.
    public var isPressureRead: Bool {
        lock.withLock { state.facts[.pressure]?.leaves.isEmpty == false }
    }

    /// Has `onChange` called whenever `isRead(link:)` of some upstream or `isPressureRead` may be
    /// another. It must not block, as what `observe` calls.
    public func observeReaders(_ onChange: @escaping @Sendable () -> Void) -> RunSubscription {
        readerObservers.add(onChange)
    }

    // MARK: Conditions

    /// All conditions by name.
    public func conditions() -> [ConditionState] {
        update { state in state.conditions.map(\.state).sorted { $0.name < $1.name } }
    }

    public func condition(_ name: String) -> ConditionState? {
        update { state in state.condition(named: name)?.state }
    }

    /// Sets conditions, all in one commit.
    ///
    /// - Returns: How they stand, in the order of `writes`, and whether their values are others.
    /// - Throws: `UnknownCondition`; then none is set.
    @discardableResult
    public func setConditions(
        _ writes: [ConditionWrite]
    ) throws(UnknownCondition) -> [(state: ConditionState, changed: Bool)] {
        let result: Result<[(state: ConditionState, changed: Bool)], UnknownCondition> = update {
            state in
            if let unknown = writes.first(where: { state.condition(named: $0.name) == nil }) {
                return .failure(UnknownCondition(name: unknown.name))
            }
            state.beginCommit()
            let changes = writes.map { state.write($0) }
            state.endCommit()
            return .success(
                zip(writes, changes).compactMap { write, changed in
                    state.condition(named: write.name).map { ($0.state, changed) }
                })
        }
        return try result.get()
    }

    /// What would turn, run and end if the conditions were set now; nothing changes.
    ///
    /// - Throws: `UnknownCondition`.
    /// - Complexity: O(operations + named specifications), on a copy of the board's state.
    public func forecast(_ writes: [ConditionWrite]) throws(UnknownCondition) -> BoardForecast {
        let named = lock.withLock { Array(state.specs.values) }
        let answers = ask([(operation: nil, expressions: named)])[""] ?? [:]
        let copy = update { $0 }
        return try copy.forecast(writes, answers)
    }

    /// Has `onChange` called after each commit that changes conditions, with those. It must not block, as
    /// what `observe` calls.
    public func observeConditions(
        _ onChange: @escaping @Sendable ([ConditionState]) -> Void
    ) -> RunSubscription {
        conditionObservers.add(onChange)
    }

    /// The switch of the service.
    package var isServiceActive: Bool {
        get { lock.withLock { state.facts[.service]?.input != 0 } }
        set { commit(.serviceActive(newValue)) }
    }

    /// Whether an operation may run by itself that has no gate of its own and is switched on.
    var opensGates: Bool {
        lock.withLock { state.leads && state.facts[.service]?.input != 0 }
    }

    /// The ids of all attached operations.
    package var attachedOperations: [String] {
        lock.withLock { state.operations.compactMap { $0.attachment == nil ? nil : $0.id } }
    }

    // MARK: For measurements

    /// Expressions evaluated since the beginning.
    package var evaluations: Int { lock.withLock { state.evaluations } }
    /// Timers set since the beginning.
    package var timerCount: Int { lock.withLock { Int(timerNumber) } }

    // MARK: The lock, the timer, the calls

    /// Brings the board up to now, changes it, sets the timer, and has the calls made.
    @discardableResult
    private func update<Result>(_ body: (inout BoardState) -> Result) -> Result {
        let (result, removed) = lock.withLock {
            state.advance(now: clock.now.nanoseconds, wall: clock.wallNow.nanoseconds)
            let result = body(&state)
            arm()
            return (result, state.dequeueRemoved())
        }
        callOut()
        withExtendedLifetime(removed) {}
        return result
    }

    /// Under the lock: sets the timer, unless one is set that comes early enough.
    private func arm() {
        guard let due = state.nextDue(wallGrain: Self.wallGrain) else {
            timer?.cancel()
            timer = nil
            armedFor = nil
            return
        }
        if let armedFor, armedFor <= due { return }
        timer?.cancel()
        timerNumber += 1
        armedFor = due
        timer = clock.schedule(at: .nanoseconds(due)) { [weak self, timerNumber] in
            self?.timerFired(timerNumber)
        }
    }

    private func timerFired(_ number: UInt64) {
        lock.withLock {
            guard number == timerNumber else { return }
            timer = nil
            armedFor = nil
        }
        update { _ in }
    }

    /// Makes the calls that are due, unless another thread is at it, which then makes these, too.
    private func callOut() {
        guard lock.withLock({ state.effects.claim() }) else { return }
        switch effects {
        case .queued: PolicyExecutor.shared.perform { self.makeCalls() }
        case .inline: makeCalls()
        }
    }

    private func makeCalls() {
        while let effect = lock.withLock({ state.effects.next() }) { carryOut(effect) }
    }

    private func carryOut(_ effect: BoardEffect) {
        switch effect {
        case .start(let operation, let origin, let restarting):
            operation.trigger(origin, restarting: restarting)
        case .cancelTriggered(let operation): operation.cancelTriggered()
        case .levels(let operation, let levels): operation.levelsChanged(levels)
        case .evict(let operation): operation.evict()
        case .observed(let onChange, let value): onChange(value)
        case .conditions(let states):
            for observer in conditionObservers.items { observer(states) }
        case .end(let subscription, let custom):
            // Where it holds up nobody but its own specification.
            guard effects == .queued else { return subscription.cancel() }
            custom.questions.call { subscription.cancel() }
        case .readers:
            for observer in readerObservers.items { observer() }
        case .fault(let operation, let fault): report(fault, of: operation)
        case .subscribe(let leaf, let stamp, let custom, let operation):
            aside(custom) { $0.subscribe(leaf, stamp: stamp, custom: custom, operation: operation) }
        case .ask(let leaf, let stamp, let custom, let operation):
            aside(custom) { $0.ask(leaf, stamp: stamp, custom: custom, operation: operation) }
        }
    }

    /// Where one that takes its time keeps nobody else waiting.
    private func aside(
        _ custom: CustomSpecification, _ body: @escaping @Sendable (OperationBoard) -> Void
    ) {
        guard effects == .queued else { return body(self) }
        custom.questions.call { body(self) }
    }

    private func subscribe(
        _ leaf: Int32, stamp: UInt32, custom: CustomSpecification, operation: String?
    ) {
        let subscription = custom.specification.subscribe(in: context(of: operation)) {
            [weak self] in
            self?.askAgain(leaf, stamp: stamp, custom: custom, operation: operation)
        }
        let isKept = lock.withLock { state.keep(subscription, leaf: leaf, stamp: stamp) }
        guard isKept else { return subscription.cancel() }
        // It may have turned before there was anybody to be told.
        askAgain(leaf, stamp: stamp, custom: custom, operation: operation)
    }

    private func ask(
        _ leaf: Int32, stamp: UInt32, custom: CustomSpecification, operation: String?
    ) {
        lock.withLock { state.isBeingAsked(leaf, stamp: stamp) }
        let answer = custom.specification.isSatisfied(in: context(of: operation))
        update { state in
            state.beginCommit()
            state.answer(leaf, stamp: stamp, answer)
            state.endCommit()
        }
    }

    /// Queues the question once, however often it is asked for.
    private func askAgain(
        _ leaf: Int32, stamp: UInt32, custom: CustomSpecification, operation: String?
    ) {
        lock.withLock {
            guard state.beginAsking(leaf, stamp: stamp) else { return }
            state.effects.append(
                .ask(leaf: leaf, stamp: stamp, custom, operation: operation))
        }
        callOut()
    }

    private func context(of operation: String?) -> RunContext {
        var context = lock.withLock { base }
        context.operation = operation
        context.board = self
        return context
    }

    /// What the specifications of the embedding program say that the expressions contain, by operation
    /// ("" for none), before the board is locked: what they said last where the board asks them for
    /// that operation anyway, else they are asked, all at once. One that does not answer in time is
    /// left out, and stands for false.
    private func ask(
        _ questions: [(operation: String?, expressions: [SpecExpression])]
    ) -> [String: [CustomSpecification: Bool]] {
        var answers: [String: [CustomSpecification: Bool]] = [:]
        var open: [(operation: String?, custom: CustomSpecification)] = []
        lock.withLock {
            for question in questions {
                let customs = question.expressions.flatMap {
                    state.customSpecifications(in: $0)
                }
                guard !customs.isEmpty else { continue }
                let place = question.operation.map { state.operationPlaces[$0] ?? -2 } ?? -1
                let known = state.remembered(customs, operation: place)
                answers[question.operation ?? ""] = known
                for custom in Set(customs) where known[custom] == nil {
                    open.append((question.operation, custom))
                }
            }
        }
        let given = put(
            open.map { (custom: $0.custom, context: context(of: $0.operation)) })
        for (asked, answer) in zip(open, given) {
            answers[asked.operation ?? "", default: [:]][asked.custom] = answer
        }
        return answers
    }

    /// Asks specifications of the embedding program, all at once, each on its own thread.
    ///
    /// - Returns: An answer to each question, in their order; nil where there is none in time.
    private func put(
        _ questions: [(custom: CustomSpecification, context: RunContext)]
    ) -> [Bool?] {
        guard effects == .queued else {
            return questions.map { $0.custom.specification.isSatisfied(in: $0.context) }
        }
        let open = questions.map { custom, context in
            custom.questions.put { custom.specification.isSatisfied(in: context) }
        }
        let deadline = MonotonicInstant.now + patience
        var answers: [Bool?] = []
        for (asked, question) in zip(questions, open) {
            answers.append(
                question.flatMap { asked.custom.questions.wait(for: $0, until: deadline) })
        }
        return answers
    }
}
