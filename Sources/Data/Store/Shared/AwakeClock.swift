import FreshetBase
import Glibc

/// The clocks of the machine, of which that for waits goes on while the machine sleeps: a leader that
/// wakes must know how long it was away.
final class AwakeClock: StoreClock {
    init() {}

    var instant: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return MonotonicInstant(
            nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    var wallTime: WallTime { .now }
}
