import Glibc

/// A point on the monotonic clock, which never jumps; for deadlines and measured spans.
package struct MonotonicInstant: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary point that is fixed while the machine runs.
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// Reads the clock; about 20 ns.
    package static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (instant: MonotonicInstant, span: Duration) -> MonotonicInstant {
        let sum = Int64(clamping: instant.nanoseconds).addingSaturated(span.nanoseconds)
        return MonotonicInstant(nanoseconds: UInt64(max(0, sum)))
    }

    package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> Duration {
        .nanoseconds(Int64(later.nanoseconds) - Int64(earlier.nanoseconds))
    }
}

/// A point on the wall clock: milliseconds since 1970-01-01T00:00:00Z, less than 73 million years from it,
/// so that any two have a difference.
package struct WallTime: Comparable, Hashable, Sendable {
    package let milliseconds: Int64

    private static let farthest: Int64 = 1 << 61

    /// - Parameter milliseconds: What is farther away is taken for the farthest there is.
    package init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, -Self.farthest), Self.farthest)
    }

    package static var now: WallTime { read(CLOCK_REALTIME) }

    /// The time of the kernel's last tick, at most 10 ms ago: a fifth of the cost of `now`.
    package static var ofLastTick: WallTime { read(CLOCK_REALTIME_COARSE) }

    private static func read(_ clock: clockid_t) -> WallTime {
        var time = timespec()
        clock_gettime(clock, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant that is the milliseconds of `span` behind `instant`.
    package static func + (instant: WallTime, span: Duration) -> WallTime {
        let sum = instant.milliseconds.addingSaturated(Int64(span.wholeMilliseconds))
        return WallTime(milliseconds: sum)
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-21T03:10:00.000Z`.
    package var rfc3339: String {
        var seconds = time_t(milliseconds.floorQuotient(1000))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return "\((parts.tm_year + 1900).padded(to: 4))-\((parts.tm_mon + 1).padded(to: 2))"
            + "-\(parts.tm_mday.padded(to: 2))T\(parts.tm_hour.padded(to: 2))"
            + ":\(parts.tm_min.padded(to: 2)):\(parts.tm_sec.padded(to: 2))"
            + ".\((milliseconds - Int64(seconds) * 1000).padded(to: 3))Z"
    }
}

extension Int64 {
    fileprivate func floorQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
