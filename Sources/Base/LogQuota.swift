/// Lets some lines a second through, so that an overloaded server does not drown in its own log. Any
/// thread; of lines that come at once a few more may pass.
package final class LogQuota: Sendable {
    private let most: Int
    private let second = Counter()
    private let lines = Counter()

    /// - Parameter most: Lines within a second.
    package init(_ most: Int = 10) { self.most = most }

    /// - Parameter now: Nanoseconds of any clock that only goes on.
    package func admits(at now: UInt64 = MonotonicInstant.now.nanoseconds) -> Bool {
        let now = Int(now / 1_000_000_000)
        if second.value != now {
            second.set(now)
            lines.set(0)
        }
        lines.add()
        return lines.value <= most
    }
}
