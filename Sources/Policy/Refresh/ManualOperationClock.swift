import FreshetBase

/// A clock that stands still until it is moved: for tests and simulations.
// SAFETY: all mutable state is read and written under `lock`.
public final class ManualOperationClock: OperationClock, @unchecked Sendable {
    private struct Entry {
        let number: UInt64
        let instant: Duration
        let action: @Sendable () -> Void
    }

    private struct Waiter {
        let count: Int
        let isReached = Promise<Void>()
    }

    private let lock = Lock()
    private var time: Duration
    /// What the wall clock is ahead.
    private var wallOffset: Duration
    private var entries: [Entry] = []
    private var waiters: [Waiter] = []
    /// The number of the last entry.
    private var lastNumber: UInt64 = 0

    /// - Parameter wall: The time since 1970 at the beginning.
    public init(now: Duration = .zero, wall: Duration = .zero) {
        time = now
        wallOffset = wall.subtractingSaturated(now)
    }

    public var now: Duration { lock.withLock { time } }

    public var wallNow: Duration { lock.withLock { time.addingSaturated(wallOffset) } }

    /// Sets the wall clock, which goes on with the other from there.
    public func setWall(_ wall: Duration) {
        lock.withLock { wallOffset = wall.subtractingSaturated(time) }
    }

    /// How many calls are due later.
    public var scheduled: Int { lock.withLock { entries.count } }

    public func schedule(
        at instant: Duration, _ action: @escaping @Sendable () -> Void
    ) -> ScheduledAction {
        let (number, told) = lock.withLock {
            lastNumber += 1
            entries.append(Entry(number: lastNumber, instant: instant, action: action))
            let told = waiters.filter { $0.count <= entries.count }
            waiters.removeAll { $0.count <= entries.count }
            return (lastNumber, told)
        }
        for waiter in told { waiter.isReached.fulfil(()) }
        return ScheduledAction { [weak self] in
            guard let self else { return }
            let removed = lock.withLock { () -> Entry? in
                guard let index = entries.firstIndex(where: { $0.number == number }) else {
                    return nil
                }
                return entries.remove(at: index)
            }
            withExtendedLifetime(removed) {}
        }
    }

    /// Waits until `count` calls are due later, or the task is cancelled.
    public func scheduled(atLeast count: Int) async {
        let waiter = lock.withLock { () -> Waiter? in
            guard entries.count < count else { return nil }
            let waiter = Waiter(count: count)
            waiters.append(waiter)
            return waiter
        }
        await waiter?.isReached.value(orLeaving: ()) {
            lock.withLock { waiters.removeAll { $0.isReached === waiter?.isReached } }
        }
    }

    /// Moves the clock to the earliest call and makes that call on this thread, and no other: not
    /// even one that somebody else schedules meanwhile because of it, as `advance` would.
    ///
    /// - Returns: false where nothing is due later.
    @discardableResult
    public func advanceToNext() -> Bool {
        guard let action = next(until: nil) else { return false }
        action()
        return true
    }

    /// Moves the clock and makes the calls that have become due on this thread, the earliest first;
    /// the clock shows the instant of each call while it is made. A call that is scheduled meanwhile,
    /// by any thread, for an instant up to the last one is made, too.
    public func advance(by span: Duration) {
        let target = lock.withLock { time.addingSaturated(span) }
        while let action = next(until: target) { action() }
        lock.withLock { time = max(time, target) }
    }

    /// - Parameter target: nil: however late it is due.
    private func next(until target: Duration?) -> (@Sendable () -> Void)? {
        lock.withLock {
            guard
                let first = entries.indices.min(by: {
                    (entries[$0].instant, entries[$0].number)
                        < (entries[$1].instant, entries[$1].number)
                }), target.map({ entries[first].instant <= $0 }) ?? true
            else { return nil }
            time = max(time, entries[first].instant)
            return entries.remove(at: first).action
        }
    }
}
