/// What a controller holds of its operation. Any thread, at any time: behind the end nothing has an
/// effect any more.
public struct OperationControls: Sendable {
    /// The operation's name.
    public let operation: String
    /// What it schedules must not block: the clock of a server calls on the thread on which all
    /// operations decide. Hand work that waits on to a task or a queue.
    public let clock: any OperationClock
    private let host: ControllerHost
    private let session: UInt64

    init(_ operation: String, clock: any OperationClock, host: ControllerHost, session: UInt64) {
        self.operation = operation
        self.clock = clock
        self.host = host
        self.session = session
    }

    /// Whether `rerun()` would be heard: the operation runs automatically now.
    public var canYieldRerun: Bool { host.canYieldRerun(session) }

    /// Hands over a value. Values are stored in order; the ones that wait behind a whole value are
    /// left out, since it replaces them.
    ///
    /// - Returns: false where it is not taken: the controller has been ended, or more waits than may.
    @discardableResult
    public func yield(_ value: ControlledValue) -> Bool { host.accept([value], session, then: nil) }

    /// Reports an error. The value of before stays, and so does the status.
    ///
    /// - Returns: false where the controller has been ended.
    @discardableResult
    public func yield(error: any Error) -> Bool { host.accept(error, fails: false, session) }

    /// Asks for a run of the operation.
    ///
    /// - Returns: false where it is refused: automatic running is off, or the controller has been
    ///   ended.
    @discardableResult
    public func rerun() -> Bool { host.rerun(session) }

    /// Declares the value out of date, and asks for a run. Where that is refused, joins a run under way
    /// which may have its answer already, or fails, the value stays out of date: whatever runs stale
    /// operations makes up for it.
    public func resync() {
        host.invalidate(session)
        rerun()
    }

    /// Says whether the controller hears of all changes from now on, so that the value is not stale,
    /// however old. It is taken back by the controller's end.
    public func note(isFollowing: Bool) { host.setFollowing(isFollowing, session) }

    // MARK: Built-in controllers

    /// Hands over values, in order, and waits until they are stored, as one commit.
    ///
    /// - Returns: Why they are not.
    package func deliver(_ values: [ControlledValue]) async -> ControllerError? {
        await Promise.value { fulfil in
            if !host.accept(values, session, then: fulfil) { fulfil(.ended) }
        }
    }

    /// - Parameter fails: The operation has failed; else only its error is set.
    package func report(_ error: any Error, fails: Bool) {
        _ = host.accept(error, fails: fails, session)
    }

    /// Has the operation forget its value, error and counts.
    package func reset() { host.reset(session) }

    /// Ends the controller until the operation is driven anew.
    package func halt() { host.halt(session) }

    /// Says what it is about, for the operation's document.
    ///
    /// - Parameter pause: When it tries again what has failed.
    package func describe(_ activity: String, retryIn pause: Duration? = nil) {
        host.describe(activity, retryIn: pause, session)
    }
}
