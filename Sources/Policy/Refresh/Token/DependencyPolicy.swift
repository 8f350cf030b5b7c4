/// The limits of a dependency.
public struct DependencyPolicy: Equatable, Sendable {
    /// A value that expires within this span is renewed before it is used.
    public var skew: Duration
    /// Renewals that one caller waits for, and renewed values in a row that may be refused without
    /// ever having been accepted; at least 1. What brings the first value is none.
    public var maxRefreshes: Int {
        didSet { maxRefreshes = max(1, maxRefreshes) }
    }
    /// How long a refresh may take; a nested one, for each of its attempts.
    public var refreshTimeout: Duration
    /// How long a failed dependency, a loop included, stays failed before one more refresh is tried.
    public var retryFailedAfter: Duration
    /// The least time between the end of a refresh and the start of the next. Meanwhile a value that
    /// is about to expire is used as it is, and one that was refused fails fast.
    public var cooldown: Duration
    /// Callers that may wait for one refresh; at least 1. Further ones are turned away at once.
    public var maxWaiting: Int {
        didSet { maxWaiting = max(1, maxWaiting) }
    }

    public init(
        skew: Duration = .seconds(30), maxRefreshes: Int = 1,
        refreshTimeout: Duration = .seconds(10), retryFailedAfter: Duration = .seconds(30),
        cooldown: Duration = .zero, maxWaiting: Int = 10_000
    ) {
        self.skew = skew
        self.maxRefreshes = max(1, maxRefreshes)
        self.refreshTimeout = refreshTimeout
        self.retryFailedAfter = retryFailedAfter
        self.cooldown = cooldown
        self.maxWaiting = max(1, maxWaiting)
    }
}
