package import FreshetRefresh

/// When a failed request is repeated: as a failed try of an operation's run is, unless the upstream
/// asks for a longer pause.
package typealias RetryPolicy = OperationRetry

extension OperationRetry {
    /// An upstream's pause that is kept to, however short its own are; most upstreams tell seconds.
    private static let mostAsked = Duration.seconds(30)

    package static let none = RetryPolicy(limit: 0)
    /// For reads.
    package static let standard = RetryPolicy(limit: 2)

    /// The pause before the next try, or nil where there is none: an upstream that asks to be left
    /// alone for longer than `longest` and than `mostAsked` is not asked again.
    ///
    /// - Parameters:
    ///   - repeats: Repeats that were made already.
    ///   - random: A number from 0 to below 1.
    package func pause(after error: UpstreamError, repeats: Int, random: Double) -> Duration? {
        guard error.isRetryable, let pause = pause(repeats: repeats, random: random) else {
            return nil
        }
        guard let asked = error.retryAfter else { return pause }
        return asked > max(longest, Self.mostAsked) ? nil : max(asked, pause)
    }
}
