/// How an operation runs.
public struct OperationOptions: Sendable, Equatable {
    /// How long a run that a subscription has started goes on behind the last subscriber.
    public var linger: Duration
    /// Bounds a run with its retries; nil: nothing does.
    public var deadline: Duration?
    /// How a failed try is repeated; nil: it is not, or what the work calls sees to it.
    public var retry: OperationRetry?
    /// The first subscriber starts a run where the value is stale.
    public var runsOnSubscribe: Bool
    /// The age from which a value is stale; nil: it always is.
    public var staleAfter: Duration?

    public init(
        linger: Duration = .zero, deadline: Duration? = nil, retry: OperationRetry? = nil,
        runsOnSubscribe: Bool = true, staleAfter: Duration? = nil
    ) {
        self.linger = linger
        self.deadline = deadline
        self.retry = retry
        self.runsOnSubscribe = runsOnSubscribe
        self.staleAfter = staleAfter
    }
}

/// When a failed try is repeated. Pure: chance comes in.
public struct OperationRetry: Sendable, Equatable {
    /// Repeats beyond the first try.
    public var limit: Int
    /// The pause before the first repeat; it doubles with each further one.
    public var base: Duration
    public var longest: Duration
    /// Whether a pause is any span from half of what it would be to the whole.
    public var hasJitter: Bool

    public init(
        limit: Int = 2, base: Duration = .seconds(1), longest: Duration = .seconds(30),
        hasJitter: Bool = true
    ) {
        self.limit = limit
        self.base = base
        self.longest = longest
        self.hasJitter = hasJitter
    }

    /// The pause before the next try, or nil where there is none.
    ///
    /// - Parameters:
    ///   - repeats: Repeats that were made already.
    ///   - random: A number from 0 to below 1.
    public func pause(repeats: Int, random: Double) -> Duration? {
        guard repeats < limit else { return nil }
        var pause = base
        // 2^30 seconds are beyond every bound that the configuration takes.
        for _ in 0..<min(repeats, 30) where pause < longest { pause *= 2 }
        pause = min(pause, longest)
        return hasJitter ? pause * (0.5 + min(max(random, 0), 1) / 2) : pause
    }
}
