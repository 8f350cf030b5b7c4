import FreshetBase
import Glibc

/// One transaction on its way.
struct Submission: Sendable {
    let transaction: Transaction
    let size: Int
    let completion: @Sendable (WriteOutcome) -> Void
}

/// The bounded queue before the writer thread: pushing never waits, the writer takes all at once.
///
/// A pthread mutex with a condition, because the writer sleeps here; `Lock` has none.
final class CommitQueue: Sendable {
    enum Refusal {
        case overloaded
        case closed
    }

    enum Delivery {
        /// In the array that was given.
        case batch
        case control(@Sendable () -> Void)
        case timeout
        case closed
    }

    private struct State {
        var waiting: [Submission] = []
        var bytes = 0
        var controls: [@Sendable () -> Void] = []
        var isClosed = false
        var writerSleeps = false
        /// Since when the writer has been busy with what it took last.
        var busySince: MonotonicInstant?
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let overloadAfter: Duration
    private let clock: any StoreClock
    // SAFETY: made in init, destroyed in deinit, touched by pthread calls alone.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(
        capacity: 1)
    // SAFETY: as `mutex`.
    nonisolated(unsafe) private let wakeup = UnsafeMutablePointer<pthread_cond_t>.allocate(
        capacity: 1)
    // SAFETY: read and written between locking and unlocking `mutex` alone.
    nonisolated(unsafe) private var state = State()

    init(
        countLimit: Int, byteLimit: Int, overloadAfter: Duration, clock: any StoreClock
    ) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
        self.overloadAfter = overloadAfter
        self.clock = clock
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(wakeup, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(wakeup)
        pthread_mutex_destroy(mutex)
        wakeup.deallocate()
        mutex.deallocate()
    }

    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Transactions that wait.
    var count: Int { withState { $0.waiting.count } }

    /// Adds a transaction, or says why not.
    func push(_ submission: Submission) -> Refusal? {
        let now = clock.instant
        return withState { state in
            if state.isClosed { return .closed }
            let isFull =
                state.waiting.count >= countLimit
                || (state.bytes + submission.size > byteLimit && !state.waiting.isEmpty)
            if isFull { return .overloaded }
            if let since = state.busySince, now - since > overloadAfter { return .overloaded }
            state.waiting.append(submission)
            state.bytes += submission.size
            wake(&state)
            return nil
        }
    }

    /// Has the writer run `control` before what is queued. - Returns: false where it is closed.
    func push(control: @escaping @Sendable () -> Void) -> Bool {
        withState { state in
            if state.isClosed { return false }
            state.controls.append(control)
            wake(&state)
            return true
        }
    }

    /// Takes nothing more; what is queued is still delivered.
    func close() {
        withState { state in
            state.isClosed = true
            wake(&state)
        }
    }

    private func wake(_ state: inout State) {
        if state.writerSleeps {
            state.writerSleeps = false
            pthread_cond_signal(wakeup)
        }
    }

    /// Gives the writer all that is queued; waits for something at most `limit`, nil for ever.
    ///
    /// - Parameter batch: Empty; swapped with the queue's array, so that neither loses its room.
    func take(into batch: inout [Submission], waitingAtMost limit: Duration?) -> Delivery {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        state.busySince = nil
        var end = timespec()
        if let limit {
            let deadline = MonotonicInstant.now + limit
            end.tv_sec = Int(deadline.nanoseconds / 1_000_000_000)
            end.tv_nsec = Int(deadline.nanoseconds % 1_000_000_000)
        }
        while true {
            if !state.controls.isEmpty { return .control(state.controls.removeFirst()) }
            if !state.waiting.isEmpty {
                swap(&batch, &state.waiting)
                state.bytes = 0
                state.busySince = clock.instant
                return .batch
            }
            if state.isClosed { return .closed }
            if limit == .zero { return .timeout }
            state.writerSleeps = true
            let code =
                limit == nil
                ? pthread_cond_wait(wakeup, mutex) : pthread_cond_timedwait(wakeup, mutex, &end)
            state.writerSleeps = false
            if code == ETIMEDOUT && state.waiting.isEmpty && state.controls.isEmpty
                && !state.isClosed
            {
                return .timeout
            }
        }
    }
}
