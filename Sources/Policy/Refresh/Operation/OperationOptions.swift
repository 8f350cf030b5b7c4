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

extension OperationRetry {
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
