/// What an operation has to show for itself (operations.md section 2).
///
/// Instants are those of the operation's clock; times are milliseconds since 1970.
public struct OperationState: Sendable {
    /// A run under way.
    public struct Run: Sendable, Equatable {
        /// Grows for ever; 1 is the first of its operation.
        public let number: UInt64
        public let origin: RunOrigin
        /// Milliseconds since 1970.
        public let startedAt: Int64
        /// Tries so far, the first included.
        public internal(set) var attempts: Int
    }

    /// A run that has ended.
    public struct Ended: Sendable, Equatable {
        public let number: UInt64
        public let origin: RunOrigin
        public let outcome: RunOutcome
        public let attempts: Int
        /// Milliseconds since 1970.
        public let startedAt: Int64
        /// On the operation's clock.
        public let endedAt: Duration
        public let duration: Duration
    }

    public internal(set) var status = OperationStatus.idle
    /// Counts the values since the operation is there or was reset. 0: there is none.
    public internal(set) var valueVersion: UInt64 = 0
    /// When the value came: milliseconds since 1970.
    public internal(set) var valueUpdatedAt: Int64?
    /// When it came, on the operation's clock.
    public internal(set) var valueUpdated: Duration?
    /// Rows of the value, where it has rows.
    public internal(set) var count: Int?
    /// The last failure; a success takes it away, a run under way does not.
    public internal(set) var error: (any Error)?
    /// Milliseconds since 1970.
    public internal(set) var errorUpdatedAt: Int64?
    /// Failed runs since the last success.
    public internal(set) var failures = 0
    /// Somebody has said that the value is out of date.
    public internal(set) var isInvalidated = false
    /// The operation's own switch.
    public internal(set) var isActive = true
    public internal(set) var subscribers = 0
    public internal(set) var run: Run?
    public internal(set) var lastRun: Ended?
    /// Counts resets.
    public internal(set) var generation: UInt64 = 0

    public init() {}

    public var isLoading: Bool { run != nil }
    public var hasValue: Bool { valueVersion > 0 }
}

/// A run, with what it has brought.
package struct RunReport: Sendable {
    package let run: OperationState.Run
    /// nil while it is under way.
    package let ended: OperationState.Ended?
    /// Values that it has brought.
    package let results: Int
    /// Rows of the last of them, where it has rows.
    package let count: Int?
    /// Why it has failed.
    package let error: (any Error)?
}

/// What whoever observes an operation is told, in the order in which it happens: of a run `state`,
/// `runStarted`, `result` once or more, `runEnded`, `state`.
public enum OperationEvent: Sendable {
    /// What there is to see has changed.
    case state(OperationState)
    case runStarted(OperationState.Run)
    /// A value has come.
    ///
    /// - Parameter run: That has brought it; nil for a controller.
    case result(run: UInt64?, version: UInt64, count: Int?, isFinal: Bool)
    case runEnded(OperationState.Ended, error: (any Error)?)
}

/// What has become of a run in one step of its operation.
public enum OperationPhase: Sendable, Equatable {
    case began(RunOrigin)
    case ended
    /// None is: the operation is as new.
    case renewed
}
