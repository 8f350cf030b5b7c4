/// When a failed try is repeated (operations.md section 2). Pure: time and chance come in.
package struct RetryPolicy: Sendable, Equatable {
    /// Repeats beyond the first try.
    package var limit: Int
    /// The pause before the first repeat; it doubles with each further one.
    package var base: Duration
    /// The longest pause of its own. An upstream that asks to be left alone for longer than that and
    /// than `longestAsked` is not asked again.
    package var longest: Duration
    /// Whether a pause is any span from half of what it would be to the whole.
    package var hasJitter: Bool

    /// What whoever waits for an answer can wait for at an upstream's request.
    static let longestAsked = Duration.seconds(30)

    package static let none = RetryPolicy(limit: 0)
    /// For reads.
    package static let standard = RetryPolicy(limit: 2)

    package init(
        limit: Int, base: Duration = .seconds(1), longest: Duration = .seconds(30),
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
    package func pause(after error: UpstreamError, repeats: Int, random: Double) -> Duration? {
        guard repeats < limit, error.isRetryable else { return nil }
        var pause = base
        // 2^30 seconds are beyond every bound that the configuration takes.
        for _ in 0..<min(repeats, 30) where pause < longest { pause *= 2 }
        pause = min(pause, longest)
        if hasJitter { pause = pause * (0.5 + min(max(random, 0), 1) / 2) }
        guard let asked = error.retryAfter else { return pause }
        return asked > max(longest, Self.longestAsked) ? nil : max(asked, pause)
    }
}
