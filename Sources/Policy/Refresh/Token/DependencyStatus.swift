/// What can be told of a dependency without showing its value.
public struct DependencyStatus: Equatable, Sendable {
    public enum State: String, Equatable, Sendable, CaseIterable {
        /// There is no value; the first use brings one.
        case empty
        /// There is a value. It may have been refused or have expired since: see `isValid`.
        case ready
        /// A refresh runs.
        case refreshing
        /// The last refresh failed, or renewed values were refused again and again.
        case failed
        /// Nothing is tried until an operator acts.
        case critical
    }

    /// Numbers since the dependency was made.
    public struct Counts: Equatable, Sendable {
        /// Refreshes begun; at any time at most one of them has not ended.
        public internal(set) var refreshes = 0
        /// Refreshes that ended without a value. One that an operator's value overtook is none.
        public internal(set) var failures = 0
        /// Refreshes that ended because their time was up, a part of `failures`.
        public internal(set) var timeouts = 0
        /// Uses that accepted their value.
        public internal(set) var accepted = 0
        /// Uses that refused their value.
        public internal(set) var refused = 0
        /// Uses that refused a value which was known to be refused or replaced, a part of `refused`;
        /// they cost no refresh.
        public internal(set) var late = 0
        /// Callers that were told of a loop.
        public internal(set) var loops = 0
    }

    public let state: State
    /// The number of the newest value; 0 before the first one. It never goes back.
    public let version: UInt64
    /// Whether the newest value can be used: not refused, not expired, and nothing is critical or
    /// failed.
    public let isValid: Bool
    /// How long until the value expires, below zero once it has; nil where there is none, or it never
    /// does.
    public let expiresIn: Duration?
    /// How long until a failed dependency is tried again; zero from then on, nil where it has not
    /// failed.
    public let retryIn: Duration?
    /// Why it failed or is critical.
    public let reason: String?
    /// Callers that wait for the refresh now.
    public let waiting: Int
    public let counts: Counts
}
