import FreshetRefresh
package import FreshetJSON

/// An upstream's stream of events, and what they mean.
package struct ReducedStream: Sendable {
    /// What a fault does to the operation.
    package enum FaultPolicy: String, Sendable, CaseIterable {
        /// Its error is set, its status stays.
        case keep
        /// Both are set.
        case fail
        case ignore
    }

    /// What happens to a condition when an event's outcome is stored.
    package struct Effect: Sendable, Equatable {
        package var condition: String
        package var value: Bool

        package init(condition: String, value: Bool) {
            self.condition = condition
            self.value = value
        }
    }

    package var upstream: String
    /// Path and query.
    package var path: String
    package var rules: [StreamRule] = []
    package var resumes = true
    /// What the value is before the first event; nil: whatever is there.
    package var initial: JSONValue?
    package var onFault = FaultPolicy.keep
    package var reconnect = RetryPolicy(limit: .max)
    package var effects: [Effect] = []

    package init(upstream: String, path: String) {
        self.upstream = upstream
        self.path = path
    }
}
