import FreshetRefresh

/// When a stream that has ended is connected again. Pure: time and chance come in.
///
/// The pause is the server's own `retry`, where it has sent one, else the policy's; it doubles with
/// each connection in a row that brought no event, and is spread over its upper half, so that
/// clients that lost a server together do not come back together.
struct ReconnectRule {
    private let policy: RetryPolicy
    private let endsOnRefusal: Bool
    /// What the server has asked for (`retry:`).
    var hint: Duration?
    /// Connections in a row that have brought nothing.
    private(set) var failures = 0
    private var hasEvents = false

    /// A hint below this would be no pause at all.
    private static let shortest = Duration.milliseconds(100)

    /// A pause that an upstream asks for, within what there may be: none at all would be a storm.
    static func bounded(_ wanted: Duration) -> Duration {
        min(max(wanted, shortest), RetryAfter.longest)
    }

    init(_ policy: RetryPolicy, endsOnRefusal: Bool = true) {
        self.policy = policy
        self.endsOnRefusal = endsOnRefusal
    }

    /// A connection is about to be made.
    mutating func begin() {
        hasEvents = false
    }

    /// The connection has brought an event.
    mutating func arrived() {
        hasEvents = true
    }

    /// Records that the connection brought nothing usable.
    mutating func wasOfNoUse() {
        hasEvents = false
    }

    /// How long to wait before the next connection.
    ///
    /// - Parameters:
    ///   - error: How this one has ended; nil for an orderly end.
    ///   - random: A number from 0 to below 1.
    /// - Returns: nil where no further one is made.
    mutating func pause(after error: UpstreamError?, random: Double) -> Duration? {
        if let error, endsOnRefusal, Self.isRefusal(error) { return nil }
        if hasEvents { failures = 0 }
        var policy = policy
        policy.base = max(hint ?? policy.base, Self.shortest)
        guard let pause = policy.pause(repeats: failures, random: random) else { return nil }
        if !hasEvents { failures += 1 }
        return max(pause, error?.retryAfter ?? .zero)
    }

    /// Whether the same request is answered the same way until somebody has repaired something. A
    /// credential that does not serve is none of these: it fails without a request.
    static func isRefusal(_ error: UpstreamError) -> Bool {
        switch error {
        case .status(let status, _, _): !UpstreamError.isRetryable(status: status)
        case .shape, .unaddressable: true
        case .unreachable, .timeout, .tooLarge, .auth, .saturated, .cancelled: false
        }
    }
}
