/// How an operation stands.
public enum OperationStatus: String, Sendable, CaseIterable {
    /// The operation has not run since it was declared or reset.
    case idle
    /// A run is under way.
    case loading
    /// The last run that was not cancelled has brought a value.
    case success
    /// The last run that was not cancelled has failed; a value of before is still there.
    case failure
}

/// What has started a run.
public enum RunOrigin: String, Sendable, CaseIterable {
    /// Somebody who asked for it: a read, or an operator.
    case manual
    /// The first subscriber.
    case subscribe
    /// A rising edge of `refetch.when`.
    case when
    case every
    case cron
    /// An event of `refetch.on`.
    case event
    case controller
    case mutation
}

/// How a run ended.
public enum RunOutcome: String, Sendable, CaseIterable {
    case success
    case failure
    /// Nobody was interested any more, or somebody who may has ended it. It is no failure.
    case cancelled
    /// Another run has taken its place, and those who waited for it.
    case superseded
}

/// What an operation is for.
public enum OperationKind: String, Sendable, CaseIterable {
    case query
    /// A query whose answer is held as pages that are fetched one by one.
    case pages
    /// A change of something at a remote. It runs when it is told to, and its runs follow each
    /// other.
    case mutation
}

/// An error that has what only those are given who wait for it.
package protocol PassingError: Error {
    /// The error as an operation keeps it and tells others of it.
    var lasting: any Error { get }
}

/// Why an operation has no result for whoever waits for one.
public enum OperationError: Error, Sendable, Equatable {
    /// The run was cancelled: by an operator, by a reset, or since nobody was interested.
    case cancelled
    /// The run did not end within the operation's deadline, its retries included.
    case deadlineExceeded
    /// The gate does not let it run; its name.
    case gated(String)
    /// So many runs wait already.
    case tooManyWaiting(limit: Int)
    /// Nothing is begun any more.
    case stopped
}
