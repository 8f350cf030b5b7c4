import FreshetBase
import FreshetRefresh

/// Says in the log when the way to an upstream is lost, and when it is there again: of one that comes
/// and goes all the time, some times a second.
// SAFETY: a link tells its news one at a time, each behind the one before.
final class LinkLog: @unchecked Sendable {
    private let upstream: String
    private let log: Log
    private let clock: any OperationClock
    /// The log says that the way is lost, and since when.
    private var lost: Duration?
    /// Losses that are told.
    private let quota = LogQuota(5)

    init(_ upstream: String, to log: Log, clock: any OperationClock) {
        self.upstream = upstream
        self.log = log
        self.clock = clock
    }

    /// The way is `link` from now on.
    ///
    /// - Parameter failure: What was met last.
    func linkChanged(to link: LinkLevel, after failure: UpstreamError?) {
        let now = clock.now
        guard link == .disconnected else {
            guard let lost else { return }
            self.lost = nil
            return log.info(
                "an upstream answers again",
                [
                    "upstream": .string(upstream),
                    "seconds": .integer(Int((now - lost) / .seconds(1))),
                ])
        }
        guard quota.admits(at: UInt64(now.nanoseconds)) else { return }
        lost = now
        log.warning(
            "an upstream gives no answer",
            ["upstream": .string(upstream), "reason": .string(failure?.reason ?? "unknown")])
    }
}

extension UpstreamError {
    /// Why there was no answer, in a few words.
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reach, let detail):
            detail.text.isEmpty ? reach.rawValue : "\(reach.rawValue): \(detail.text)"
        case .timeout: "timeout"
        default: "\(self)"
        }
    }
}
