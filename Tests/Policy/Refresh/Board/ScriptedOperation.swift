import FreshetBase
import FreshetRefresh

/// An operation on a board whose runs a test begins and ends, with all calls noted.
// SAFETY: all mutable state is read and written under `lock`.
final class ScriptedOperation: TriggeredOperation, @unchecked Sendable {
    enum Call: Equatable {
        case start(RunOrigin)
        case restart(RunOrigin)
        case cancel
        case evict
    }

    let id: String
    let board: OperationBoard
    private let lock = Lock()
    private var made: [Call] = []
    private var shown: [OperationLevels] = []
    private var ends = false

    init(_ id: String, on board: OperationBoard, _ settings: OperationSettings) {
        self.id = id
        self.board = board
        board.attach(id, settings, delegate: self)
    }

    /// The calls since the last question.
    func calls() -> [Call] {
        lock.withLock {
            defer { made = [] }
            return made
        }
    }

    var levels: [OperationLevels] { lock.withLock { shown } }

    /// Whether runs end as soon as they have begun, with a value.
    func endAtOnce(_ ends: Bool = true) {
        lock.withLock { self.ends = ends }
    }

    func finish() {
        board.commit(
            .run(id, .ended), .value(id, updatedAt: board.clock.now), .status(id, .success))
    }

    private func note(_ call: Call) -> Bool {
        lock.withLock {
            made.append(call)
            return ends
        }
    }

    func trigger(_ origin: RunOrigin, restarting: Bool) {
        let ends = note(restarting ? .restart(origin) : .start(origin))
        board.commit(.run(id, .began(origin)), .status(id, .loading))
        if ends { finish() }
    }

    func cancelTriggered() {
        _ = note(.cancel)
        board.commit(.run(id, .ended), .status(id, .idle))
    }

    func levelsChanged(_ levels: OperationLevels) { lock.withLock { shown.append(levels) } }
    func evict() { _ = note(.evict) }
}

/// A board with a clock that is moved by hand, whose calls are made before `commit` returns.
struct BoardBench {
    let clock = ManualOperationClock(now: .seconds(1_000), wall: .seconds(1_700_000_000))
    let board: OperationBoard

    init(_ conditions: [String] = ["a", "b", "c"], specs: [String: SpecExpression] = [:]) {
        board = OperationBoard(clock: clock, effects: .inline)
        board.declare(conditions: conditions.map { ConditionDeclaration($0) }, specs: specs)
    }

    func set(_ name: String, _ value: Bool) {
        board.commit(.condition(name, value))
    }

    func evaluate(_ expression: SpecExpression, operation: String? = nil) -> Bool {
        board.evaluate(expression, operation: operation).isSatisfied
    }
}

/// Lines that calls leave behind.
// SAFETY: the one variable is read and written under `lock`.
final class Notes: @unchecked Sendable {
    private let lock = Lock()
    private var lines: [String] = []

    func add(_ line: String) { lock.withLock { lines.append(line) } }

    /// The lines since the last question.
    func take() -> [String] {
        lock.withLock {
            defer { lines = [] }
            return lines
        }
    }
}
