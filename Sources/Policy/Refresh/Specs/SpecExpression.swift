import FreshetBase

/// A run specification as a tree: built-in conditions, specifications of the embedding program, and
/// what and, or and not make of them.
///
/// It is a value; a board compiles it (`OperationBoard.attach`, `observe`) and evaluates it anew only
/// where one of its leaves has turned.
public indirect enum SpecExpression: Hashable, Sendable {
    case constant(Bool)
    /// True where it is empty.
    case all([SpecExpression])
    /// False where it is empty.
    case any([SpecExpression])
    case not(SpecExpression)
    /// What the configuration or `SpecificationRegistry` has under the name; false where neither has
    /// it.
    case named(String)
    case atom(SpecAtom)

    /// Nodes of one expression, named ones in place. `&&`, `||` and `!` are a node each, and a chain
    /// of `&&` or of `||` is one.
    ///
    /// What is larger is refused: by the configuration, by `EntityServer` and its `drive`. A board that
    /// is given one has a fault in its evaluation.
    public static let mostNodes = 256
    /// Levels of one expression, named ones in place. A chain of `&&` or of `||` is one level.
    public static let mostLevels = 16
}

/// Whose subscribers, value or runs are meant.
public enum OperationReference: Hashable, Sendable {
    /// The operation that the specification belongs to.
    case this
    case other(String)
}

/// A built-in condition.
public enum SpecAtom: Hashable, Sendable {
    public enum Switch: Hashable, Sendable {
        case service
        case operation(OperationReference)
    }

    case connected(String, atLeast: LinkLevel)
    case healthy(String)
    /// A credential that is ready and valid for longer than that.
    case token(String, validFor: Duration)
    case active(Switch)
    case subscribers(SpecTest, of: OperationReference)
    /// In nanoseconds; a value that is not there is older than anything.
    case age(SpecTest, of: OperationReference)
    case value(isPresent: Bool, of: OperationReference)
    case failures(SpecTest, of: OperationReference)
    case status(Set<OperationStatus>, of: OperationReference)
    case condition(String)
    case window(CalendarWindow)
    case between(CalendarSpan)
    /// True for that long from each instant on.
    case cron(CronSchedule, lasting: Duration)
    case pressure(atLeast: PressureLevel)
    case custom(CustomSpecification)

    /// The operation that it looks at; nil for none.
    var operation: OperationReference? {
        switch self {
        case .active(.operation(let reference)), .subscribers(_, let reference),
            .age(_, let reference), .value(_, let reference), .failures(_, let reference),
            .status(_, let reference):
            reference
        default: nil
        }
    }

    /// Whether each operation has a leaf of its own for it.
    var isOwned: Bool {
        if case .custom = self { return true }
        return operation != nil
    }

    /// The atom about the operation itself.
    var ofThis: SpecAtom {
        switch self {
        case .active(.operation): .active(.operation(.this))
        case .subscribers(let test, _): .subscribers(test, of: .this)
        case .age(let test, _): .age(test, of: .this)
        case .value(let isPresent, _): .value(isPresent: isPresent, of: .this)
        case .failures(let test, _): .failures(test, of: .this)
        case .status(let statuses, _): .status(statuses, of: .this)
        default: self
        }
    }
}

// MARK: Building in Swift

// Members of the protocol, so that they can be written behind an operator: `!.condition("maintenance")`.
extension RunSpecification where Self == SpecExpression {
    public static var always: SpecExpression { .constant(true) }
    public static var never: SpecExpression { .constant(false) }

    public static func connected(
        _ upstream: String, atLeast level: LinkLevel = .connected
    ) -> SpecExpression { .atom(.connected(upstream, atLeast: level)) }

    public static func healthy(_ upstream: String) -> SpecExpression { .atom(.healthy(upstream)) }

    public static func token(_ upstream: String, validFor: Duration = .zero) -> SpecExpression {
        .atom(.token(upstream, validFor: validFor))
    }

    public static var serviceIsActive: SpecExpression { .atom(.active(.service)) }
    public static var operationIsActive: SpecExpression { .atom(.active(.operation(.this))) }

    /// What the configuration or the registry calls so.
    public static func spec(_ name: String) -> SpecExpression { .named(name) }

    public static func subscribers(
        atLeast count: Int, of operation: OperationReference = .this
    ) -> SpecExpression {
        .atom(.subscribers(SpecTest(.greaterOrEqual, Int64(count)), of: operation))
    }

    public static func age(
        over age: Duration, of operation: OperationReference = .this
    ) -> SpecExpression { .atom(.age(SpecTest(.greater, age.nanoseconds), of: operation)) }

    public static func hasValue(_ operation: OperationReference = .this) -> SpecExpression {
        .atom(.value(isPresent: true, of: operation))
    }

    public static func failures(
        atLeast count: Int, of operation: OperationReference = .this
    ) -> SpecExpression {
        .atom(.failures(SpecTest(.greaterOrEqual, Int64(count)), of: operation))
    }

    public static func status(
        _ statuses: Set<OperationStatus>, of operation: OperationReference = .this
    ) -> SpecExpression { .atom(.status(statuses, of: operation)) }

    public static func condition(_ name: String) -> SpecExpression { .atom(.condition(name)) }

    public static func pressure(atLeast level: PressureLevel) -> SpecExpression {
        .atom(.pressure(atLeast: level))
    }
}

// MARK: Outside of a slot

extension SpecExpression: RunSpecification {
    /// With a board, as it stands there; without one, as at boot.
    public func isSatisfied(in context: RunContext) -> Bool {
        if let board = context.board {
            return board.evaluate(self, in: context).isSatisfied
        }
        switch self {
        case .constant(let value): return value
        case .all(let parts): return parts.allSatisfy { $0.isSatisfied(in: context) }
        case .any(let parts): return parts.contains { $0.isSatisfied(in: context) }
        case .not(let part): return !part.isSatisfied(in: context)
        case .named: return false
        case .atom(.custom(let custom)): return custom.specification.isSatisfied(in: context)
        case .atom(let atom):
            return atom.reading(
                atom.valueAtBoot, now: context.clock.now.nanoseconds,
                wall: context.clock.wallNow.nanoseconds
            ).value
        }
    }

    public func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription {
        if let board = context.board {
            return board.observe(self, operation: context.operation) { _ in onChange() }
        }
        return RunSubscription(
            customSpecifications.map { $0.specification.subscribe(in: context, onChange: onChange) }
        )
    }

    /// The specifications of the embedding program that stand in it; not those of named ones.
    var customSpecifications: [CustomSpecification] {
        switch self {
        case .constant, .named: []
        case .all(let parts), .any(let parts): parts.flatMap(\.customSpecifications)
        case .not(let part): part.customSpecifications
        case .atom(.custom(let custom)): [custom]
        case .atom: []
        }
    }
}
