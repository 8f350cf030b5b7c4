import Testing

@testable import FreshetRefresh

/// What random writes lead to, found by evaluating everything anew after each commit.
private struct NaiveBoard {
    var conditions: [String: Bool]
    var links: [String: LinkLevel]

    func value(_ spec: SpecExpression) -> Bool {
        switch spec {
        case .constant(let value): value
        case .all(let parts): parts.allSatisfy { value($0) }
        case .any(let parts): parts.contains { value($0) }
        case .not(let part): !value(part)
        case .atom(.condition(let name)): conditions[name] ?? false
        case .atom(.connected(let name, let level)): (links[name] ?? .connected) >= level
        default: false
        }
    }
}

@Suite("The board")
struct BoardModelTests {
    private static let names = ["a", "b", "c", "d", "e"]

    private static func spec(
        _ levels: Int, using random: inout SplitMix
    ) -> SpecExpression {
        switch Int.random(in: 0..<(levels > 0 ? 7 : 3), using: &random) {
        case 0, 1: return .condition(names.randomElement(using: &random) ?? "a")
        case 2:
            return .connected(
                ["x", "y"].randomElement(using: &random) ?? "x",
                atLeast: [.limited, .connected].randomElement(using: &random) ?? .limited)
        case 3: return .not(spec(levels - 1, using: &random))
        case 4: return .constant(Bool.random(using: &random))
        case let kind:
            let parts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                spec(levels - 1, using: &random)
            }
            return kind == 5 ? .all(parts) : .any(parts)
        }
    }

    @Test("Random writes give the values and edges of a naive board")
    func model() {
        let seed = UInt64.random(in: .min ... .max)
        print("board: seed \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<60 {
            let bench = BoardBench(Self.names)
            var naive = NaiveBoard(
                conditions: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, false) }),
                links: [:])
            let specs = (0..<12).map { _ in Self.spec(5, using: &random) }
            var operations: [ScriptedOperation] = []
            for (index, spec) in specs.enumerated() {
                var settings = OperationSettings()
                settings.refetch.when = spec
                settings.refetch.requiresSubscribers = false
                let operation = ScriptedOperation("o\(index)", on: bench.board, settings)
                operation.endAtOnce()
                operations.append(operation)
            }
            var values = specs.map { naive.value($0) }
            var rises = [Int](repeating: 0, count: specs.count)
            var falls = rises
            for _ in 0..<60 {
                var changes: [BoardChange] = []
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        let name = ["x", "y"].randomElement(using: &random) ?? "x"
                        let level = LinkLevel.allCases.randomElement(using: &random) ?? .limited
                        naive.links[name] = level
                        changes.append(.link(name, level))
                    } else {
                        let name = Self.names.randomElement(using: &random) ?? "a"
                        let value = Bool.random(using: &random)
                        naive.conditions[name] = value
                        changes.append(.condition(name, value))
                    }
                }
                bench.board.commit(changes)
                for (index, spec) in specs.enumerated() {
                    let value = naive.value(spec)
                    if value != values[index] {
                        if value { rises[index] += 1 } else { falls[index] += 1 }
                    }
                    values[index] = value
                    #expect(bench.board.levels(of: "o\(index)")?.when == value)
                }
                if Int.random(in: 0..<8, using: &random) == 0 {
                    // A new beginning counts nothing.
                    let index = Int.random(in: 0..<specs.count, using: &random)
                    var settings = OperationSettings()
                    settings.refetch.when = specs[index]
                    settings.refetch.requiresSubscribers = false
                    bench.board.attach("o\(index)", settings, delegate: operations[index])
                }
            }
            for (index, spec) in specs.enumerated() {
                let counters = bench.board.counters(of: "o\(index)")
                #expect(counters?.rises == rises[index])
                #expect(counters?.falls == falls[index])
                #expect(counters?.runs == rises[index])
                #expect(operations[index].calls().count == rises[index])
                #expect(bench.evaluate(spec) == values[index])
            }
            for operation in operations { bench.board.detach(operation.id) }
        }
    }

    @Test("Each commit evaluates each dependent specification once, and no other")
    func once() {
        let bench = BoardBench(["a", "b", "c"])
        var settings = OperationSettings()
        settings.refetch.when = (.condition("a") || .condition("b")) && !.condition("a")
        let operation = ScriptedOperation("op", on: bench.board, settings)
        var other = OperationSettings()
        other.refetch.when = .condition("c")
        let bystander = ScriptedOperation("other", on: bench.board, other)
        let before = bench.board.evaluations
        bench.board.commit(.condition("a", true), .condition("b", true))
        #expect(bench.board.evaluations == before + 1)
        withExtendedLifetime((operation, bystander)) {}
    }

    @Test("A condition with an end is again what it was declared as, as a commit of its own")
    func expiry() throws {
        let bench = BoardBench(["a"])
        var settings = OperationSettings()
        settings.refetch.when = !.condition("a")
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: bench.board, settings)
        let seen = Notes()
        let watch = bench.board.observeConditions { states in
            for state in states { seen.add("\(state.name) \(state.value) \(state.revision)") }
        }
        let first = try bench.board.setConditions([.init("a", true, ttl: .seconds(60))])
        #expect(first.first?.state.expiresAt == bench.clock.wallNow + .seconds(60))
        bench.clock.advance(by: .seconds(30))
        // A longer time in place of the first.
        try bench.board.setConditions([.init("a", true, ttl: .seconds(60))])
        bench.clock.advance(by: .seconds(59))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.start(.when)])
        #expect(bench.board.condition("a")?.revision == 2)
        #expect(bench.board.condition("a")?.expiresAt == nil)
        #expect(seen.take() == ["a true 1", "a true 1", "a false 2"])
        #expect(bench.clock.scheduled == 0)
        watch.cancel()
        bench.set("a", true)
        #expect(seen.take() == [])
        #expect(throws: UnknownCondition(name: "x")) {
            try bench.board.setConditions([.init("a", false), .init("x", true)])
        }
        #expect(bench.board.condition("a")?.value == true)
    }

    @Test("Ages, credentials and windows turn by themselves, at their time")
    func time() throws {
        let bench = BoardBench()
        let board = bench.board
        let berlin = try #require(ZoneClock.named("Europe/Berlin"))
        let window = CalendarWindow(from: 8 * 3_600, to: 9 * 3_600, zone: berlin)
        let turns = Notes()
        func watch(_ name: String, _ spec: SpecExpression) -> RunSubscription {
            board.observe(spec, operation: "op") { value in
                turns.add("\(name) \(value)")
            }
        }
        let watches = [
            watch("age", .age(over: .seconds(60))),
            watch("token", .token("api", validFor: .seconds(30))),
            watch("window", .atom(.window(window))),
        ]
        func news() -> [String] { turns.take() }
        board.attach("op", OperationSettings(), delegate: nil)
        board.commit(.value("op", updatedAt: bench.clock.now))
        #expect(news() == ["age false"])
        board.commit(.token("api", .until(bench.clock.now + .seconds(120))))
        #expect(news() == ["token true"])
        #expect(bench.clock.scheduled == 1)
        bench.clock.advance(by: .seconds(60))
        #expect(news() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(news() == ["age true"])
        bench.clock.advance(by: .seconds(29))
        #expect(news() == ["token false"])
        // It is 22:14:50 UTC; eight o'clock in Berlin is seven.
        bench.clock.advance(by: .seconds(8 * 3_600))
        #expect(news() == [])
        bench.clock.advance(by: .seconds(2_710))
        #expect(news() == ["window true"])
        bench.clock.advance(by: .seconds(3_600))
        #expect(news() == ["window false"])
        // People set the wall clock; it is seen within a minute.
        bench.clock.setWall(bench.clock.wallNow - .seconds(1_800))
        bench.clock.advance(by: .seconds(60))
        #expect(news() == ["window true"])
        for watch in watches { watch.cancel() }
        #expect(bench.clock.scheduled <= 1)
        bench.clock.advance(by: .seconds(86_400))
        #expect(bench.clock.scheduled == 0)
        #expect(news() == [])
    }

    @Test("An evaluation finds the next change, at any time, and of the whole only")
    func nextChange() throws {
        let bench = BoardBench(["a"])
        let second: Int64 = 1_000_000_000
        let wall = bench.clock.wallNow
        try bench.board.setConditions([.init("a", true, ttl: .seconds(100))])
        bench.board.attach("op", OperationSettings(), delegate: nil)
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        func next(_ spec: SpecExpression, at: Duration? = nil) -> Duration? {
            bench.board.evaluate(spec, operation: "op", at: at).nextChange.map { $0 - wall }
        }
        #expect(next(.condition("a")) == .seconds(100))
        #expect(next(.age(over: .seconds(60))) == .seconds(60) + .nanoseconds(1))
        #expect(next(.condition("a") || .age(over: .seconds(60))) == nil)
        #expect(
            next(.condition("a") && !.age(over: .seconds(60))) == .seconds(60) + .nanoseconds(1))
        #expect(next(.always) == nil)
        let later = bench.board.evaluate(
            .condition("a"), operation: "op", at: wall + .seconds(100))
        #expect(!later.isSatisfied && later.nextChange == nil)
        let age = SpecExpression.atom(
            .age(
                SpecTest([.init(.greaterOrEqual, 10 * second), .init(.less, 20 * second)]),
                of: .this))
        #expect(next(age) == .seconds(10))
        #expect(next(age, at: wall + .seconds(10)) == .seconds(20))
        #expect(next(age, at: wall + .seconds(20)) == nil)
        let equal = SpecExpression.atom(.age(SpecTest(.equal, 5 * second), of: .this))
        #expect(next(equal) == .seconds(5))
        #expect(next(equal, at: wall + .seconds(5)) == .seconds(5) + .nanoseconds(1))
        // Of another operation, and of one that is not there: older than anything.
        #expect(bench.evaluate(.age(over: .seconds(1), of: .other("nobody"))))
        #expect(!bench.evaluate(.hasValue(.other("nobody"))))
    }

    @Test("What is looked at of another operation follows it, over its end too")
    func others() {
        let bench = BoardBench()
        bench.board.attach("main", OperationSettings(), delegate: nil)
        var settings = OperationSettings()
        settings.refetch.when = .status([.failure], of: .other("main"))
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: bench.board, settings)
        operation.endAtOnce()
        bench.board.commit(.status("main", .failure), .failures("main", 1))
        #expect(operation.calls() == [.start(.when)])
        bench.board.detach("main")
        #expect(bench.board.levels(of: "op")?.when == false)
        bench.board.attach("main", OperationSettings(), delegate: nil)
        bench.board.commit(.status("main", .failure))
        #expect(operation.calls() == [.start(.when)])
        bench.board.detach("op")
        bench.board.detach("main")
        #expect(bench.board.attachedOperations == [])
    }

    @Test("A link is known to be read, as long as a specification looks at it")
    func readLink() {
        let bench = BoardBench()
        #expect(!bench.board.isRead(link: "api"))
        bench.board.attach("op", OperationSettings(upstream: "api"), delegate: nil)
        #expect(bench.board.isRead(link: "api"))
        bench.board.detach("op")
        #expect(!bench.board.isRead(link: "api"))
    }

    @Test("What keeps an operation from running has a name")
    func closedGate() {
        let bench = BoardBench(["a"], specs: ["ok": !.condition("a")])
        var settings = OperationSettings()
        settings.automatic = .all([.serviceIsActive, .named("ok")])
        bench.board.attach("op", settings, delegate: nil)
        #expect(bench.board.closedGate(of: "op", byItself: true) == nil)
        bench.set("a", true)
        #expect(bench.board.closedGate(of: "op", byItself: true) == "ok")
        #expect(bench.board.closedGate(of: "op", byItself: false) == nil)
        bench.set("a", false)
        bench.board.commit(.serviceActive(false))
        #expect(bench.board.closedGate(of: "op", byItself: true) == "automatic")
        settings.admit.when = .condition("a")
        bench.board.attach("op", settings, delegate: nil)
        #expect(bench.board.closedGate(of: "op", byItself: false) == "admit")
    }

    @Test("The gate is named after what closes it, not after what has no share in it")
    func causes() {
        let bench = BoardBench(
            ["a", "b"], specs: ["night": .condition("a"), "ready": .condition("b")])
        func gate(_ expression: SpecExpression) -> String? {
            var settings = OperationSettings()
            settings.automatic = expression
            bench.board.attach("op", settings, delegate: nil)
            defer { bench.board.detach("op") }
            return bench.board.closedGate(of: "op", byItself: true)
        }
        #expect(gate(!.spec("night") && .condition("b")) == "automatic")
        #expect(gate(!.spec("night") && .spec("ready")) == "ready")
        #expect(gate(!(.spec("night") || .spec("ready"))) == nil)
        bench.set("a", true)
        #expect(gate(!.spec("night") && .condition("b")) == "night")
        #expect(gate(!(.spec("ready") || .spec("night"))) == "night")
        #expect(gate(.condition("b") || .spec("ready")) == "ready")
    }

    @Test("What a changed configuration takes away or brings runs and aborts nothing")
    func redeclared() {
        let bench = BoardBench(["a", "b"])
        var settings = OperationSettings()
        settings.refetch.when = !.condition("a")
        settings.refetch.requiresSubscribers = false
        let operation = ScriptedOperation("op", on: bench.board, settings)
        bench.set("a", true)
        bench.board.declare(conditions: [.init("b")], specs: [:])
        #expect(operation.calls() == [])
        #expect(bench.board.levels(of: "op")?.when == true)
        #expect(bench.board.counters(of: "op")?.rises == 0)
        settings.refetch.when = .condition("a")
        bench.board.declare(conditions: [.init("a", initial: true)], specs: [:])
        bench.board.attach("op", settings, delegate: operation)
        bench.board.commit(.run("op", .began(.when)))
        bench.board.declare(conditions: [], specs: [:])
        #expect(operation.calls() == [])
    }

    @Test("The board tells when somebody begins or ceases to read a link or the pressure")
    func readers() {
        let bench = BoardBench()
        let told = Notes()
        let watch = bench.board.observeReaders { told.add("readers") }
        bench.board.attach("a", OperationSettings(upstream: "api"), delegate: nil)
        #expect(bench.board.isRead(link: "api") && told.take() == ["readers"])
        bench.board.attach("b", OperationSettings(upstream: "api"), delegate: nil)
        bench.board.detach("a")
        #expect(bench.board.isRead(link: "api") && told.take() == [])
        bench.board.detach("b")
        #expect(!bench.board.isRead(link: "api") && told.take() == ["readers"])
        let pressure = bench.board.observe(.pressure(atLeast: .critical)) { _ in }
        #expect(bench.board.isPressureRead && told.take() == ["readers"])
        pressure.cancel()
        #expect(!bench.board.isPressureRead && told.take() == ["readers"])
        watch.cancel()
        bench.board.attach("a", OperationSettings(upstream: "api"), delegate: nil)
        #expect(told.take() == [])
    }
}
