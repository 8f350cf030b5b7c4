package import FreshetBase

/// Where the store takes its time from; tests give it theirs.
package protocol StoreClock: AnyObject, Sendable {
    /// For waits and ages.
    var instant: MonotonicInstant { get }
    /// For the `time` of a commit; may jump.
    var wallTime: WallTime { get }
}

/// The clocks of the machine.
package final class SystemClock: StoreClock {
    package init() {}

    package var instant: MonotonicInstant { .now }
    package var wallTime: WallTime { .now }
}
