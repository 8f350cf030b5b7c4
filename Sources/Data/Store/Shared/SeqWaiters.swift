import FreshetBase

/// What came of waiting for a seq.
package enum SeqWait: Equatable, Sendable {
    /// It is applied.
    case reached
    /// It is not, at the deadline.
    case late
    /// The engine could not say what its head is, or has not by the deadline.
    case away(String)
    case closed
}

/// Those who wait until a seq is applied: any number of them, and one thread for their deadlines.
final class SeqWaiters: Sendable {
    private struct Waiter {
        /// nil: that of the engine's head, which is not read yet.
        var seq: UInt64?
        /// Counts those who asked for the head.
        let number: UInt64
        /// Waits for the start to have applied the head that it found.
        let needsJoin: Bool
        let since: MonotonicInstant
        let deadline: MonotonicInstant
        let completion: @Sendable (SeqWait) -> Void
    }

    private struct State {
        var waiters: [Waiter] = []
        var applied: UInt64 = 0
        var hasJoined = false
        var isClosed = false
        /// How many have asked for the engine's head.
        var asked: UInt64 = 0
        /// Whether one is on its way that will be read for them all.
        var isHeadDue = false
    }

    let durations = Histogram()
    private let clock: any StoreClock
    private let lock = Lock()
    private let changed = LockCondition()
    // SAFETY: read and written under `lock` alone.
    nonisolated(unsafe) private var state = State()

    init(clock: any StoreClock) {
        self.clock = clock
    }

    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        lock.withLock { body(&state) }
    }

    /// Calls `completion` once: at once where there is nothing to wait for, otherwise on the thread
    /// that applies or on that of deadlines, which have other things to do.
    ///
    /// - Parameters:
    ///   - seq: nil: that of the engine's head, which `resolve` brings.
    ///   - needsJoin: Not before the start has applied the head that it found.
    /// - Returns: Whether the head is to be read, since nobody has been told so.
    @discardableResult
    func add(
        _ seq: UInt64?, needsJoin: Bool = false, until deadline: MonotonicInstant,
        _ completion: @escaping @Sendable (SeqWait) -> Void
    ) -> Bool {
        let now = clock.instant
        var isToBeRead = false
        let answer = withState { state -> SeqWait? in
            if seq == nil { state.asked += 1 }
            let waiter = Waiter(
                seq: seq, number: state.asked, needsJoin: needsJoin, since: now,
                deadline: deadline, completion: completion)
            if Self.isDone(waiter, state) { return .reached }
            if state.isClosed { return .closed }
            if deadline <= now { return .late }
            state.waiters.append(waiter)
            if seq == nil, !state.isHeadDue {
                state.isHeadDue = true
                isToBeRead = true
            }
            changed.signal()
            return nil
        }
        if let answer { completion(answer) }
        return isToBeRead
    }

    private static func isDone(_ waiter: Waiter, _ state: State) -> Bool {
        guard let seq = waiter.seq else { return false }
        return seq <= state.applied && (state.hasJoined || !waiter.needsJoin)
    }

    /// All up to `seq` is applied.
    func advance(to seq: UInt64) {
        answer(.reached) { state in
            state.applied = seq
            return { [state] in Self.isDone($0, state) }
        }
    }

    /// The head that was found at the start is applied.
    func join() {
        answer(.reached) { state in
            state.hasJoined = true
            return { [state] in Self.isDone($0, state) }
        }
    }

    /// Before the engine's head is read: how many have asked for it so far, nil where none of them waits
    /// for it. What is read from now on is late enough for all of these.
    func beginReadingHead() -> UInt64? {
        withState { state in
            state.isHeadDue = false
            return state.waiters.contains { $0.seq == nil } ? state.asked : nil
        }
    }

    /// The head was read after `number` had asked: they wait for its seq.
    func resolve(_ number: UInt64, to head: UInt64) {
        answer(.reached) { state in
            for index in state.waiters.indices
            where state.waiters[index].seq == nil && state.waiters[index].number <= number {
                state.waiters[index].seq = head
            }
            return { [state] in Self.isDone($0, state) }
        }
    }

    /// The head could not be read.
    func fail(_ number: UInt64, _ error: String) {
        answer(.away(error)) { _ in { $0.seq == nil && $0.number <= number } }
    }

    func close() {
        answer(.closed) { state in
            state.isClosed = true
            changed.signal()
            return { _ in true }
        }
    }

    /// Answers those whose deadline has come.
    func expire() {
        let now = clock.instant
        answer(.away("its head was not read in time")) { _ in
            { $0.seq == nil && $0.deadline <= now }
        }
        answer(.late) { _ in { $0.deadline <= now } }
    }

    /// Answers deadlines until it is closed. For one thread.
    func run() {
        while true {
            let isOpen = lock.withLock { () -> Bool in
                if state.isClosed { return false }
                let next = state.waiters.lazy.map(\.deadline).min()
                let rest = next.map { $0 - clock.instant }
                if let rest, rest <= .zero { return true }
                changed.wait(lock, until: rest.map { .now + $0 })
                return true
            }
            guard isOpen else { return }
            expire()
        }
    }

    /// Takes out those that `change` picks, in their order, and answers them off the lock.
    private func answer(
        _ outcome: SeqWait, _ change: (inout State) -> (Waiter) -> Bool
    ) {
        let done = withState { state -> [Waiter] in
            let isPicked = change(&state)
            guard state.waiters.contains(where: isPicked) else { return [] }
            var done: [Waiter] = []
            var kept: [Waiter] = []
            for waiter in state.waiters {
                if isPicked(waiter) { done.append(waiter) } else { kept.append(waiter) }
            }
            state.waiters = kept
            return done
        }
        guard !done.isEmpty else { return }
        let now = clock.instant
        for waiter in done {
            durations.record(since: waiter.since, until: now)
            waiter.completion(outcome)
        }
    }
}
