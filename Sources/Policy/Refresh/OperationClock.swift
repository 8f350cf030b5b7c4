/// The time that operations and dependencies live by: a clock to read and a way to be called later.
///
/// It is an argument everywhere, so that a test moves time by hand (`ManualOperationClock`).
public protocol OperationClock: Sendable {
    /// The time since a point that stays fixed as long as the clock exists. It never goes back, and
    /// it goes on while the machine sleeps: the expiry of a token does, too.
    var now: Duration { get }

    /// Calls `action` once, on any thread, when `now` has reached `instant`. It must not block: other
    /// calls may wait for its return.
    ///
    /// - Returns: What takes the call back. Dropping it does not.
    func schedule(
        at instant: Duration, _ action: @escaping @Sendable () -> Void
    ) -> ScheduledAction

    /// The time since 1970-01-01T00:00:00Z, which calendars follow; people may set it.
    var wallNow: Duration { get }
}
