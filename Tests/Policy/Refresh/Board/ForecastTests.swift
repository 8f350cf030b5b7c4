import Testing

@testable import FreshetRefresh

/// What a forecast says is what then happens.
@Suite struct ForecastTests {
    private static let names = ["a", "b", "c", "d"]

    private static func spec(_ levels: Int, using random: inout SplitMix) -> SpecExpression {
        switch Int.random(in: 0..<(levels > 0 ? 6 : 3), using: &random) {
        case 0, 1: return .condition(names.randomElement(using: &random) ?? "a")
        case 2: return .named(Bool.random(using: &random) ? "s" : "t")
        case 3: return .not(spec(levels - 1, using: &random))
        case let kind:
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                spec(levels - 1, using: &random)
            }
            return kind == 4 ? .all(parts) : .any(parts)
        }
    }

    private static func settings(using random: inout SplitMix) -> OperationSettings {
        var settings = OperationSettings()
        if Bool.random(using: &random) { settings.automatic = spec(2, using: &random) }
        if Bool.random(using: &random) {
            settings.stale = [.age(over: .seconds(20)), spec(1, using: &random)]
        }
        settings.refetch.when = spec(3, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 { settings.refetch.every = .seconds(30) }
        if Int.random(in: 0..<4, using: &random) == 0 { settings.refetch.settle = .seconds(2) }
        if Int.random(in: 0..<4, using: &random) == 0 { settings.refetch.minInterval = .seconds(5) }
        settings.refetch.onFall = Bool.random(using: &random) ? .cancel : .keep
        settings.refetch.during = Bool.random(using: &random) ? .join : .restart
        settings.refetch.requiresSubscribers = Bool.random(using: &random)
        settings.refetch.requiresStale = Bool.random(using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
            settings.admit.when = spec(1, using: &random)
        }
        return settings
    }

    @Test func overRandomConfigurations() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("forecast: seed \(seed)")
        var random = SplitMix(seed: seed)
        var (turns, runs, cancels, reasons) = (0, 0, 0, Set<BoardForecast.Reason>())
        for _ in 0..<60 {
            let bench = BoardBench(
                Self.names,
                specs: ["s": .all([.condition("a"), .condition("b")]), "t": !.condition("c")])
            let operations = (0..<8).map { index in
                ScriptedOperation(
                    "o\(index)", on: bench.board, Self.settings(using: &random))
            }
            for _ in 0..<40 {
                let one = try #require(operations.randomElement(using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bench.clock.advance(by: .seconds(Int.random(in: 1...12, using: &random)))
                case 1:
                    let count = Int.random(in: 0...2, using: &random)
                    bench.board.commit(.subscribers(one.id, count))
                case 2: one.finish()
                default: break
                }
                let writes = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    ConditionWrite(
                        Self.names.randomElement(using: &random) ?? "a",
                        Bool.random(using: &random))
                }
                let forecast = try bench.board.forecast(writes)
                let before = Snapshot(bench, operations)
                for operation in operations { _ = operation.calls() }
                try bench.board.setConditions(writes)
                let after = Snapshot(bench, operations)
                #expect(forecast.conditions == before.conditions.turns(to: after.conditions))
                #expect(forecast.specs == before.specs.turns(to: after.specs))
                for operation in operations {
                    let told = forecast.operations.first { $0.id == operation.id }
                    let calls = operation.calls()
                    let starts = calls.contains { $0 == .start(.when) || $0 == .restart(.when) }
                    let polls = calls.contains { $0 == .start(.every) || $0 == .restart(.every) }
                    #expect(told?.runs ?? false == (starts || polls))
                    #expect(told?.cancels ?? false == calls.contains(.cancel))
                    // A run that begins or ends changes no slot here.
                    let slots = (before.levels[operation.id] ?? []).turns(
                        to: after.levels[operation.id] ?? [])
                    #expect(told?.slots ?? [] == slots)
                    let rose = slots.contains { $0.name == "when" && $0.value }
                    if rose, !starts, !polls { #expect(told?.reason != nil) }
                    if let reason = told?.reason { reasons.insert(reason) }
                    turns += slots.count
                    runs += starts || polls ? 1 : 0
                    cancels += calls.contains(.cancel) ? 1 : 0
                }
            }
            for operation in operations { bench.board.detach(operation.id) }
        }
        #expect(turns > 100 && runs > 100 && cancels > 20)
        #expect(reasons == Set(BoardForecast.Reason.allCases))
    }

    @Test func anUnknownConditionIsNamed() {
        let bench = BoardBench(["a"])
        #expect(throws: UnknownCondition(name: "x")) {
            try bench.board.forecast([.init("a", true), .init("x", true)])
        }
        #expect(bench.board.condition("a")?.value == false)
    }
}

/// Named values, in order.
private typealias Values = [(name: String, value: Bool)]

extension Values {
    fileprivate func turns(to later: Values) -> [BoardForecast.Turn] {
        zip(self, later).compactMap { before, after in
            before.value == after.value
                ? nil : BoardForecast.Turn(name: after.name, value: after.value)
        }
    }
}

private struct Snapshot {
    let conditions: Values
    let specs: Values
    let levels: [String: Values]

    init(_ bench: BoardBench, _ operations: [ScriptedOperation]) {
        conditions = bench.board.conditions().map { ($0.name, $0.value) }
        specs = ["s", "t"].map { ($0, bench.evaluate(.named($0))) }
        var found: [String: Values] = [:]
        for operation in operations {
            guard let levels = bench.board.levels(of: operation.id) else { continue }
            found[operation.id] = [
                ("automatic", levels.gate), ("stale", levels.stale), ("when", levels.when),
                ("admit", levels.admit),
            ]
        }
        levels = found
    }
}
