package import FreshetBase

/// When to give up.
package struct Deadline: Sendable {
    /// The budget of a search where the configuration names none.
    package static let defaultBudget = Duration.seconds(5)

    /// Never.
    package static let never = Deadline(instant: MonotonicInstant(nanoseconds: .max))

    private let instant: MonotonicInstant

    private init(instant: MonotonicInstant) {
        self.instant = instant
    }

    /// Ends `budget` after `start`.
    package init(
        after budget: Duration = Deadline.defaultBudget, from start: MonotonicInstant = .now
    ) {
        instant = start + budget
    }

    /// Whether the time is up. Reads the clock, about 20 ns, unless the deadline is `never`.
    package var hasPassed: Bool {
        instant.nanoseconds != .max && MonotonicInstant.now >= instant
    }
}
