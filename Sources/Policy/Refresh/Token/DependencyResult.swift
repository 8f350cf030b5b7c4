/// What a use of a dependency came to, and equally what a refresh of it came to.
///
/// Anything else (no connection, a time-out, an answer that makes no sense) is thrown: it says
/// nothing about the dependency.
public enum DependencyResult<Success: Sendable>: Sendable {
    /// The dependency was accepted.
    case success(Success)
    /// The dependency was refused: it is used no more, and the use is tried again with the next
    /// version. From a refresh: what the refresh itself depends on was refused.
    case dependencyRequiresRefresh
    /// Trying again is of no use until an operator has acted. The reason is shown to operators and
    /// clients; it must hold no secret.
    case criticalError(reason: String)
}

/// A value that a refresh has brought.
public struct RenewedValue<Value: Sendable>: Sendable {
    public let value: Value
    /// How long the value is good for, counted from the start of the refresh; nil for ever.
    public let lifetime: Duration?

    public init(_ value: Value, lifetime: Duration? = nil) {
        self.value = value
        self.lifetime = lifetime
    }
}

/// What a refresh throws to say in words why it failed. Of any other error only the type is shown,
/// since an error's text may hold what it was about.
public struct RefreshFailure: Error, Equatable, Sendable {
    /// Shown to operators and clients; it must hold no secret.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}
