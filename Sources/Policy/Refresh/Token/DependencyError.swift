/// Why a dependency could not be had. `Dependency.run` throws nothing else of its own but
/// `CancellationError`, to a caller that was cancelled while it waited.
public enum DependencyError: Error, Equatable, Sendable {
    /// The refresh that this caller waited for failed (`isFinder` for exactly one of those who
    /// waited), or an earlier one did and none is tried before `retryIn` has passed.
    case refreshFailed(reason: String, retryIn: Duration, isFinder: Bool)
    /// As many renewals as the policy allows brought only values that were refused: to this caller,
    /// or in a row to all; then exactly one caller is told as the finder.
    case refreshLoop(refreshes: Int, isFinder: Bool)
    /// An operator must act. Exactly one caller is told as the finder.
    case critical(reason: String, isFinder: Bool)
    /// As many callers as the policy allows are waiting for the refresh already.
    case tooManyWaiting(limit: Int)
}
