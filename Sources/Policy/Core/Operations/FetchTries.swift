import FreshetRefresh
import FreshetRemote

/// How the run of an operation has its requests tried again.
struct FetchTries: Sendable {
    /// nil: as the upstream says.
    let retry: RetryPolicy?
    /// Told how many tries were made.
    let attempted: @Sendable (Int) -> Void

    init(_ rules: RunRules, _ run: OperationRun<FetchOutcome>) {
        retry = rules.retry
        attempted = { run.note(attempts: $0) }
    }
}
