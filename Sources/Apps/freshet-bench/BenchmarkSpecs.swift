import FreshetBase
import FreshetRefresh

/// 10,000 operations on one board: what a condition costs that all of them read, one evaluation, an
/// idle board's timer, and the memory of an operation that rests.
func benchmarkSpecs(_ samples: Samples) {
    let clock = ManualOperationClock(now: .seconds(1_000), wall: .seconds(1_700_000_000))
    let board = OperationBoard(clock: clock, effects: .inline)
    board.declare(
        conditions: [.init("all"), .init("none"), .init("own")],
        specs: ["ok": .connected("api") && !.condition("none")])
    let bystander = Bystander()
    // One before the count begins, so that what all share is there.
    board.attach("first", settings, delegate: bystander)
    let before = residentBytes
    for number in 0..<operations {
        board.attach("operation-\(number)", settings, delegate: bystander)
        board.commit(.value("operation-\(number)", updatedAt: clock.now))
    }
    let each = Double(residentBytes - before) / Double(operations)
    report("specs: memory of an idle operation", each, "bytes")

    var value = false
    measure("specs: flip of a condition, of an operation", operations: operations, byCPU: true) {
        value.toggle()
        board.commit(.condition("all", value))
    }
    let evaluations = board.evaluations
    value.toggle()
    let start = MonotonicInstant.now
    board.commit(.condition("all", value))
    let took = (MonotonicInstant.now - start) / .milliseconds(1)
    report("specs: one flip, 10,000 operations", took, "ms")
    report(
        "specs: evaluations of that flip, of an operation",
        Double(board.evaluations - evaluations) / Double(operations + 1), "each")

    clock.advance(by: .seconds(120))
    let timers = board.timerCount
    for number in 0..<1_000 { board.commit(.condition("own", number % 2 == 0)) }
    clock.advance(by: .seconds(86_400))
    report("specs: timers of an idle board, in a day", Double(board.timerCount - timers), "timers")
    report("specs: timers that wait", Double(clock.scheduled), "timers")
    measureProgram()
    withExtendedLifetime(bystander) {}
}

private let operations = 10_000

private var settings: OperationSettings {
    var settings = OperationSettings(upstream: "api")
    settings.automatic = .all([.serviceIsActive, .operationIsActive, .named("ok")])
    settings.stale = [.age(over: .seconds(60)), .condition("all")]
    settings.refetch.when = .spec("ok") && .condition("all")
    settings.refetch.every = nil
    return settings
}

/// Evaluations of a specification of sixteen leaves, each by a commit that turns one of them.
private func measureProgram() {
    let board = OperationBoard(clock: ManualOperationClock(), effects: .inline)
    let names = (0..<16).map { "c\($0)" }
    board.declare(conditions: names.map { .init($0) }, specs: [:])
    var parts: [SpecExpression] = []
    for index in stride(from: 0, to: 16, by: 2) {
        parts.append(.condition(names[index]) || !.condition(names[index + 1]))
    }
    let watched = 1_000
    let watches = (0..<watched).map { _ in board.observe(.all(parts)) { _ in } }
    var value = false
    let rounds = 20
    measure(
        "specs: evaluation of 16 leaves with its commit", operations: rounds * watched, byCPU: true
    ) {
        for _ in 0..<rounds {
            value.toggle()
            board.commit(.condition("c1", value))
        }
    }
    for watch in watches { watch.cancel() }
}

/// An operation that does nothing.
private final class Bystander: TriggeredOperation {
    func trigger(_ origin: RunOrigin, restarting: Bool) {}
    func cancelTriggered() {}
    func levelsChanged(_ levels: OperationLevels) { keep(levels) }
    func evict() {}
}
