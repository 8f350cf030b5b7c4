/// A condition on the state of the world that decides when an operation may run, is stale, or runs
/// again.
///
/// ```swift
/// struct BusinessHours: RunSpecification {
///     func isSatisfied(in context: RunContext) -> Bool { context[OfficeKey.self].isOpen }
///     func subscribe(
///         in context: RunContext, onChange: @escaping @Sendable () -> Void
///     ) -> RunSubscription {
///         let number = context[OfficeKey.self].watch(onChange)
///         return RunSubscription { context[OfficeKey.self].unwatch(number) }
///     }
/// }
/// let spec = BusinessHours() && !.condition("maintenance")
/// ```
///
/// Built-in conditions are `SpecExpression`s, and so is what `!`, `&&` and `||` make. A board
/// (`OperationBoard`) calls both methods, and what ends a subscription, outside its lock and never two
/// of one specification at once; it remembers what `isSatisfied` said and asks again only after
/// `onChange`. One that has not answered within a second stands for false until it does, and holds up
/// nothing but itself.
public protocol RunSpecification: Sendable {
    /// Whether the condition holds now. Any thread; should not block.
    func isSatisfied(in context: RunContext) -> Bool

    /// Has `onChange` called, on any thread, whenever `isSatisfied` may answer otherwise than before,
    /// until the subscription is cancelled or released. Calls that change nothing are harmless.
    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription
}

extension RunSpecification {
    /// This specification as a part of an expression.
    public var expression: SpecExpression {
        if let expression = self as? SpecExpression { return expression }
        return .atom(.custom(CustomSpecification(self)))
    }
}

/// Satisfied where `specification` is not.
public prefix func ! (specification: some RunSpecification) -> SpecExpression {
    .not(specification.expression)
}

/// Satisfied where both are. A chain of them is one level of an expression.
public func && (left: some RunSpecification, right: some RunSpecification) -> SpecExpression {
    .all(left.expression.conjuncts + right.expression.conjuncts)
}

/// Satisfied where one of the two is, or both are. A chain of them is one level of an expression.
public func || (left: some RunSpecification, right: some RunSpecification) -> SpecExpression {
    .any(left.expression.disjuncts + right.expression.disjuncts)
}

extension SpecExpression {
    /// Parts that all hold where this holds.
    fileprivate var conjuncts: [SpecExpression] {
        if case .all(let parts) = self { parts } else { [self] }
    }

    /// Parts of which one holds where this holds.
    fileprivate var disjuncts: [SpecExpression] {
        if case .any(let parts) = self { parts } else { [self] }
    }
}

/// A specification of an embedding program as a leaf of an expression. Equal only to itself.
public final class CustomSpecification: Hashable, Sendable {
    public let specification: any RunSpecification
    let questions = CustomQuestions()

    public init(_ specification: any RunSpecification) {
        self.specification = specification
    }

    public static func == (left: CustomSpecification, right: CustomSpecification) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
