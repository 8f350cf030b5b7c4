import Dispatch
import FreshetBase
import FreshetRefresh
import Testing

/// A flag of the embedding program.
// SAFETY: all mutable state is read and written under `lock`.
private final class Switch: @unchecked Sendable {
    private let lock = Lock()
    private var isOn = false
    private var watchers: [Int: @Sendable () -> Void] = [:]
    private var last = 0

    var value: Bool { lock.withLock { isOn } }
    var watcherCount: Int { lock.withLock { watchers.count } }

    func set(_ value: Bool) {
        let told = lock.withLock {
            isOn = value
            return Array(watchers.values)
        }
        for watcher in told { watcher() }
    }

    func watch(_ action: @escaping @Sendable () -> Void) -> RunSubscription {
        let number = lock.withLock {
            last += 1
            watchers[last] = action
            return last
        }
        return RunSubscription { [weak self] in
            guard let self else { return }
            lock.withLock { _ = watchers.removeValue(forKey: number) }
        }
    }
}

private struct SwitchKey: RunContextKey {
    static let defaultValue = Switch()
}

/// Reads the switch of its context.
private struct SwitchIsOn: RunSpecification {
    func isSatisfied(in context: RunContext) -> Bool { context[SwitchKey.self].value }

    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription {
        context[SwitchKey.self].watch(onChange)
    }
}

/// Answers once it is let go.
private struct Hanging: RunSpecification {
    let gate = DispatchSemaphore(value: 0)

    func isSatisfied(in context: RunContext) -> Bool {
        gate.wait()
        gate.signal()
        return true
    }

    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription { .none }
}

/// Holds for one operation.
private struct IsOperation: RunSpecification {
    let name: String

    func isSatisfied(in context: RunContext) -> Bool { context.operation == name }

    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription { .none }
}

@Suite("Run specifications of an embedding program")
struct CustomSpecificationTests {
    private func bench() -> (ManualOperationClock, OperationBoard, Switch) {
        let clock = ManualOperationClock()
        let flag = Switch()
        var context = RunContext(clock: clock)
        context[SwitchKey.self] = flag
        let registry = SpecificationRegistry()
        registry.register("switch", SwitchIsOn())
        let board = OperationBoard(
            clock: clock, effects: .inline, registry: registry, context: context)
        board.declare(conditions: [.init("a")], specs: [:])
        return (clock, board, flag)
    }

    @Test("They compose with built-in ones, and their changes are edges")
    func edges() {
        let (_, board, flag) = bench()
        var settings = OperationSettings()
        settings.refetch.when = SwitchIsOn() && !SpecExpression.condition("a")
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: board, settings)
        operation.endAtOnce()
        flag.set(true)
        #expect(operation.calls() == [.start(.when)])
        flag.set(true)
        board.commit(.condition("a", true))
        board.commit(.condition("a", false))
        #expect(operation.calls() == [.start(.when)])
        #expect(flag.watcherCount == 1)
        board.detach("op")
        #expect(flag.watcherCount == 0)
    }

    @Test("One is asked for each operation by itself, also where nobody has attached them")
    func operations() {
        let (_, board, _) = bench()
        let (first, second) = (Switch(), Switch())
        let spec = IsOperation(name: "second").expression
        let one = board.observe(spec, operation: "first", tellsFirst: true) { first.set($0) }
        let other = board.observe(spec, operation: "second", tellsFirst: true) { second.set($0) }
        #expect(!first.value && second.value)
        one.cancel()
        other.cancel()
    }

    @Test("What has gone while specifications were asked is not attached again")
    func detachedMeanwhile() {
        let (_, board, _) = bench()
        struct Detaching: RunSpecification {
            let board: OperationBoard
            let isArmed: Switch
            func isSatisfied(in context: RunContext) -> Bool {
                if isArmed.value { board.detach("gone") }
                return false
            }
            func subscribe(
                in context: RunContext, onChange: @escaping @Sendable () -> Void
            ) -> RunSubscription { .none }
        }
        let isArmed = Switch()
        var settings = OperationSettings()
        settings.refetch.when = .named("asked")
        board.attach("stays", settings, delegate: nil)
        board.attach("gone", OperationSettings(), delegate: nil)
        isArmed.set(true)
        board.declare(
            conditions: [],
            specs: ["asked": Detaching(board: board, isArmed: isArmed).expression])
        #expect(board.attachedOperations == ["stays"])
    }

    @Test("What holds at the beginning is a baseline")
    func baseline() {
        let (_, board, flag) = bench()
        flag.set(true)
        var settings = OperationSettings()
        settings.refetch.when = .named("switch")
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: board, settings)
        #expect(board.levels(of: "op")?.when == true)
        #expect(operation.calls() == [])
        #expect(
            board.evaluate(.named("switch"), operation: "op").trace.map(\.pointer) == [
                "", "/specs/switch",
            ])
    }

    @Test("Without a board, and with one, they and what is made of them can be asked and watched")
    func standalone() {
        let flag = Switch()
        var context = RunContext()
        context[SwitchKey.self] = flag
        let spec = SwitchIsOn() || SpecExpression.condition("a")
        #expect(!context.satisfies(spec))
        flag.set(true)
        #expect(context.satisfies(spec))
        #expect(!(!spec).isSatisfied(in: context))
        let count = Switch()
        let subscription = spec.subscribe(in: context) { count.set(!count.value) }
        flag.set(false)
        #expect(count.value)
        subscription.cancel()
        flag.set(true)
        #expect(count.value)

        let (clock, board, ofBoard) = bench()
        var other = RunContext(operation: "op", board: board, clock: clock)
        other[SwitchKey.self] = ofBoard
        let heard = Switch()
        let watch = spec.subscribe(in: other) { heard.set(true) }
        board.commit(.condition("a", true))
        #expect(heard.value)
        #expect(spec.isSatisfied(in: other))
        watch.cancel()
        #expect(ofBoard.watcherCount == 0)
    }

    @Test("One that commits while it is asked holds nothing up")
    func reentrant() {
        struct Busy: RunSpecification {
            let board: OperationBoard
            func isSatisfied(in context: RunContext) -> Bool {
                board.commit(.condition("a", true))
                return context.board?.condition("a")?.value ?? false
            }
            func subscribe(
                in context: RunContext, onChange: @escaping @Sendable () -> Void
            ) -> RunSubscription {
                onChange()
                return .none
            }
        }
        let (_, board, _) = bench()
        var settings = OperationSettings()
        settings.refetch.when = Busy(board: board).expression
        board.attach("op", settings, delegate: nil)
        #expect(board.levels(of: "op")?.when == true)
    }

    @Test("One that does not answer stands for false until it does, and keeps nobody waiting")
    func hanging() async {
        let spec = Hanging()
        let registry = SpecificationRegistry()
        registry.register("hanging", spec)
        registry.register("switch", SwitchIsOn())
        let flag = Switch()
        var context = RunContext()
        context[SwitchKey.self] = flag
        let board = OperationBoard(registry: registry, context: context, patience: .zero)
        var settings = OperationSettings()
        settings.automatic = .named("hanging")
        settings.refetch.when = .named("switch")
        for index in 0..<100 { board.attach("op\(index)", settings, delegate: nil) }
        #expect(board.levels(of: "op0")?.gate == false)
        #expect(board.closedGate(of: "op0", byItself: true) == "hanging")
        #expect(board.report(of: "op0")?.automatic.isSatisfied == false)
        #expect(!board.evaluate(.named("hanging")).isSatisfied)
        // Others go on meanwhile.
        await turn(.named("switch"), of: board) { flag.set(true) }
        await turn(.named("hanging"), of: board) { spec.gate.signal() }
        #expect(board.levels(of: "op99")?.gate == true)
    }

    /// Something of the program that calls back as it goes.
    private final class Leaving: Sendable {
        private let leave: @Sendable () -> Void

        init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

        deinit { leave() }
    }

    /// A specification that has something of the program in it.
    private struct Holding: RunSpecification {
        let held: Leaving

        func isSatisfied(in context: RunContext) -> Bool { true }

        func subscribe(
            in context: RunContext, onChange: @escaping @Sendable () -> Void
        ) -> RunSubscription { .none }
    }

    @Test("What the board lets go of may ask the board while it goes")
    func released() {
        let (_, board, _) = bench()
        let gone = Counter()
        func leaving() -> Leaving {
            Leaving { [weak board] in
                if board?.condition("a") != nil { gone.add() }
            }
        }
        func watch() -> RunSubscription {
            let held = leaving()
            return board.observe(.condition("a")) { _ in withExtendedLifetime(held) {} }
        }
        watch().cancel()
        #expect(gone.value == 1)

        func attach() {
            var settings = OperationSettings()
            settings.refetch.when = Holding(held: leaving()).expression
            board.attach("op", settings, delegate: nil)
        }
        attach()
        attach()
        #expect(gone.value == 2)
        board.detach("op")
        #expect(gone.value == 3)
        func declare() {
            board.declare(
                conditions: [.init("a")],
                specs: ["held": Holding(held: leaving()).expression])
        }
        declare()
        board.declare(conditions: [.init("a")], specs: [:])
        #expect(gone.value == 4)
    }

    @Test("An observer may hold the subscription of another, which goes with it")
    func nested() {
        let (_, board, _) = bench()
        let turns = Counter()
        func observe() -> RunSubscription {
            let inner = board.observe(.condition("a")) { _ in turns.add() }
            return board.observe(.condition("a")) { _ in withExtendedLifetime(inner) {} }
        }
        let outer = observe()
        board.commit(.condition("a", true))
        #expect(turns.value == 1)
        outer.cancel()
        board.commit(.condition("a", false))
        #expect(turns.value == 1)
    }

    @Test("A subscription whose end does not come back holds up nobody")
    func hangingEnd() async {
        /// Its subscriptions end once it is let go.
        struct Clinging: RunSpecification {
            let gate = DispatchSemaphore(value: 0)
            let asked: AsyncStream<Void>.Continuation
            func isSatisfied(in context: RunContext) -> Bool {
                asked.yield()
                return true
            }
            func subscribe(
                in context: RunContext, onChange: @escaping @Sendable () -> Void
            ) -> RunSubscription {
                RunSubscription { [gate] in gate.wait() }
            }
        }
        let (asks, asked) = AsyncStream.makeStream(of: Void.self)
        let spec = Clinging(asked: asked)
        let board = OperationBoard()
        board.declare(conditions: [.init("a")], specs: [:])
        let (turns, continuation) = AsyncStream.makeStream(of: Bool.self)
        let watch = board.observe(.condition("a")) { continuation.yield($0) }
        let place = board.observe(spec.expression) { _ in }
        // It is asked once more when its subscription is kept.
        var count = 0
        for await _ in asks {
            count += 1
            if count == 2 { break }
        }
        place.cancel()
        board.commit(.condition("a", true))
        for await value in turns where value { break }
        watch.cancel()
        spec.gate.signal()
    }

    @Test("A specification that asks for itself is answered by itself")
    func own() async {
        struct Own: RunSpecification {
            let told: AsyncStream<Bool>.Continuation
            func isSatisfied(in context: RunContext) -> Bool { true }
            func subscribe(
                in context: RunContext, onChange: @escaping @Sendable () -> Void
            ) -> RunSubscription {
                told.yield(context.satisfies(.spec("own")))
                return .none
            }
        }
        let (answers, told) = AsyncStream.makeStream(of: Bool.self)
        let board = OperationBoard()
        board.declare(conditions: [], specs: ["own": Own(told: told).expression])
        let place = board.observe(.spec("own")) { _ in }
        for await answer in answers {
            #expect(answer)
            break
        }
        place.cancel()
    }

    @Test("A question in a context of one's own waits no longer than any other")
    func impatient() {
        let spec = Hanging()
        let board = OperationBoard(patience: .zero)
        let context = RunContext(board: board)
        #expect(!spec.expression.isSatisfied(in: context))
        spec.gate.signal()
    }

    /// Waits until `expression` turns to true for the last of the operations.
    private func turn(
        _ expression: SpecExpression, of board: OperationBoard, after action: () -> Void
    ) async {
        let (turns, continuation) = AsyncStream.makeStream(of: Bool.self)
        let watch = board.observe(expression, operation: "op99") { continuation.yield($0) }
        action()
        for await value in turns where value { break }
        watch.cancel()
    }
}
