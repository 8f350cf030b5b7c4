import FreshetBase

/// Run specifications of the embedding program by name, for `{"spec": "name"}` in a configuration
/// and `SpecExpression.named`.
// SAFETY: all mutable state is read and written under `lock`.
public final class SpecificationRegistry: @unchecked Sendable {
    private let lock = Lock()
    private var expressions: [String: SpecExpression] = [:]

    public init() {}

    /// Names `specification`, in place of one that had the name. A board takes it over when it is
    /// made or declared anew; a specification of the configuration with that name goes before.
    public func register(_ name: String, _ specification: some RunSpecification) {
        let expression = specification.expression
        lock.withLock { expressions[name] = expression }
    }

    public var registered: [String: SpecExpression] {
        lock.withLock { expressions }
    }
}
