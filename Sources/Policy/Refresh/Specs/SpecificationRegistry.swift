import FreshetBase

/// Run specifications of the embedding program by name, for `{"spec": "name"}` in a configuration
/// and `SpecExpression.named`.
public final class SpecificationRegistry: Sendable {
    private let expressions = Shared<[String: SpecExpression]>([:])

    public init() {}

    /// Names `specification`, in place of one that had the name. A board takes it over when it is
    /// made or declared anew; a specification of the configuration with that name goes before.
    public func register(_ name: String, _ specification: some RunSpecification) {
        let expression = specification.expression
        // Behind the lock: it may hold a call of this registry that is made as it goes.
        let before = expressions.update { $0.updateValue(expression, forKey: name) }
        withExtendedLifetime(before) {}
    }

    public var registered: [String: SpecExpression] {
        expressions.value
    }
}
