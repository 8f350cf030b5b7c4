import FreshetBase

/// What a leaf says, and how long it says so if nothing but time changes.
struct AtomReading: Equatable {
    var value: Bool
    /// No later than the first instant at which it may turn by itself, in nanoseconds of the clock
    /// that `isWall` tells; `Int64.max` for never.
    var due: Int64 = .max
    var isWall = false
}

extension SpecAtom {
    /// Stands for a token or a value that is not there.
    static let absent = Int64.min

    /// What the leaf reads where nobody has said anything yet.
    var valueAtBoot: Int64 {
        switch self {
        case .connected: LinkLevel.connected.rawValue
        case .active: 1
        case .age, .value, .token: Self.absent
        case .status: OperationStatus.idle.number
        case .pressure: PressureLevel.normal.rawValue
        case .healthy, .subscribers, .failures, .condition, .window, .between, .cron, .custom: 0
        }
    }

    /// Judges `input`, the number that the board keeps for it.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds of the board's clock.
    ///   - wall: Nanoseconds since 1970.
    func reading(_ input: Int64, now: Int64, wall: Int64) -> AtomReading {
        switch self {
        case .connected(_, let level): return AtomReading(value: input >= level.rawValue)
        case .healthy, .active, .condition, .custom: return AtomReading(value: input != 0)
        case .subscribers(let test, _), .failures(let test, _):
            return AtomReading(value: test.holds(input))
        case .value(let isPresent, _):
            return AtomReading(value: (input != Self.absent) == isPresent)
        case .status(let statuses, _):
            return AtomReading(value: statuses.contains { $0.number == input })
        case .pressure(let level): return AtomReading(value: input >= level.rawValue)
        case .token(_, let span):
            guard input != Self.absent else { return AtomReading(value: false) }
            guard input != .max else { return AtomReading(value: true) }
            let end = input.subtractingSaturated(span.nanoseconds)
            return AtomReading(value: end > now, due: end > now ? end : .max)
        case .age(let test, _):
            guard input != Self.absent else { return AtomReading(value: test.holds(.max)) }
            let age = max(0, now.subtractingSaturated(input))
            let turn = test.turn(above: age)
            return AtomReading(
                value: test.holds(age), due: turn == .max ? .max : input.addingSaturated(turn))
        case .window(let window):
            let (value, turn) = window.reading(at: wall.floorDivided(by: 1_000_000_000))
            return AtomReading(value: value, due: Self.due(turn.map { .seconds($0) }), isWall: true)
        case .between(let span):
            let (value, turn) = span.reading(at: wall.floorDivided(by: 1_000_000))
            return AtomReading(
                value: value, due: Self.due(turn.map { .milliseconds($0) }), isWall: true)
        case .cron(let schedule, let span):
            let (value, due) = schedule.reading(at: wall, lasting: span.nanoseconds)
            return AtomReading(value: value, due: due, isWall: true)
        }
    }

    /// What the leaf looks at, as people read it.
    ///
    /// - Parameters:
    ///   - input: As of `reading`.
    ///   - value: What it says.
    func current(_ input: Int64, now: Int64, _ value: Bool) -> SpecEvaluation.Leaf.Current {
        switch self {
        case .connected: .word(LinkLevel(rawValue: input)?.name ?? "")
        case .status: .word(OperationStatus.allCases.first { $0.number == input }?.rawValue ?? "")
        case .pressure: .word(PressureLevel(rawValue: input)?.name ?? "")
        case .value: .word(input == Self.absent ? "absent" : "present")
        case .subscribers, .failures: .number(input)
        case .age:
            .span(
                input == Self.absent ? nil : .nanoseconds(max(0, now.subtractingSaturated(input))))
        case .token:
            .span(
                input == Self.absent || input == .max
                    ? nil : .nanoseconds(max(0, input.subtractingSaturated(now))))
        case .healthy, .active, .condition, .window, .between, .cron, .custom: .flag(value)
        }
    }

    /// A time since 1970 as the board keeps it; nil: never.
    private static func due(_ time: Duration?) -> Int64 { time?.nanoseconds ?? .max }
}
