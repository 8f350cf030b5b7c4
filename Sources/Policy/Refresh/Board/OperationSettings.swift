import FreshetBase

/// When an operation runs by itself, when its value is stale, who may run it, and how a run is
/// bounded.
public struct OperationSettings: Hashable, Sendable {
    public var kind = OperationKind.query
    /// Where its values come from; the default of `refetch.when` asks for the link to it.
    public var upstream: String?
    /// The gate. nil: the switches of the service and of the operation are on; never for a mutation.
    public var automatic: SpecExpression?
    /// Stale where one of them holds; nil: always. Without a value it is stale whatever they say.
    public var stale: [SpecExpression]?
    public var refetch = RefetchSettings()
    public var admit = AdmitSettings()
    /// nil: as the upstream says.
    public var retry: OperationRetry?
    /// The time of a whole run, all tries and pauses.
    public var deadline: Duration?
    /// How long a run goes on that a subscription started and the last subscriber has left.
    public var linger = Duration.zero
    /// How long the state is kept that nobody subscribes to or runs; nil: for ever.
    public var evictAfter: Duration?

    public init(upstream: String? = nil) {
        self.upstream = upstream
    }

    /// The gate, the default in place.
    public var gate: SpecExpression {
        automatic ?? (kind == .mutation ? .never : .all([.serviceIsActive, .operationIsActive]))
    }

    /// The edge, the default in place: the gate and the link to the upstream.
    public var edge: SpecExpression {
        if let when = refetch.when { return when }
        guard let upstream else { return gate }
        return .all([gate, .connected(upstream)])
    }

    public var staleness: SpecExpression {
        stale.map { .any($0) } ?? .always
    }
}

/// What runs an operation again by itself.
public struct RefetchSettings: Hashable, Sendable {
    /// What becomes of a run that the edge started when the condition no longer holds.
    public enum OnFall: String, Sendable, CaseIterable {
        case cancel, keep
    }

    /// What becomes of an automatic start while a run is going on.
    public enum During: String, Sendable, CaseIterable {
        /// That run is enough.
        case join
        /// It is given up for a new one.
        case restart
        /// One more follows it, however many starts there were.
        case queue
    }

    /// nil: the gate and the link.
    public var when: SpecExpression?
    /// From the end of the last run on.
    public var every: Duration?
    public var cron: CronSchedule?
    public var on: Set<BoardEvent> = []
    /// How long the condition must have held.
    public var settle = Duration.zero
    /// From one automatic start to the next.
    public var minInterval = Duration.zero
    public var onFall = OnFall.cancel
    public var during = During.join
    /// Whether nothing runs by itself without a subscriber.
    public var requiresSubscribers = true
    /// Whether an edge runs nothing while the value is fresh.
    public var requiresStale = true

    public init() {}
}

/// Who may run an operation at all.
public struct AdmitSettings: Hashable, Sendable {
    public enum Otherwise: String, Sendable, CaseIterable {
        case reject, wait
    }

    /// Holds for all runs, manual ones too.
    public var when = SpecExpression.always
    public var otherwise = Otherwise.reject
    public var maxWait = Duration.seconds(10)

    public init() {}
}

/// How often a failed try is repeated, and after which pauses. Pure: time and chance come in.
public struct OperationRetry: Hashable, Sendable {
    /// Repeats beyond the first try.
    public var limit: Int
    /// The pause before the first repeat; it doubles with each further one.
    public var base: Duration
    public var longest: Duration
    /// Whether a pause is any span from half of what it would be to the whole.
    public var hasJitter: Bool

    public init(
        limit: Int, base: Duration = .seconds(1), longest: Duration = .seconds(30),
        hasJitter: Bool = true
    ) {
        self.limit = limit
        self.base = base
        self.longest = longest
        self.hasJitter = hasJitter
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
        var pause = base.saturated
        let longest = longest.saturated
        // 2^30 seconds are beyond every bound that the configuration takes.
        for _ in 0..<min(repeats, 30) where pause < longest {
            pause = pause.addingSaturated(pause)
        }
        pause = min(pause, longest)
        return hasJitter ? pause * (0.5 + min(max(random, 0), 1) / 2) : pause
    }
}
