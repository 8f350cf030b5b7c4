import FreshetBase

/// One transaction on its way: an object, so that the queue, the planner and the answer share it in
/// place of four copies of what it holds.
final class Submission: Sendable {
    let transaction: Transaction
    let size: Int
    let completion: @Sendable (WriteOutcome) -> Void
    /// When it was queued.
    // SAFETY: set by the queue, between locking and unlocking, before anybody takes it out.
    nonisolated(unsafe) fileprivate(set) var since = MonotonicInstant(nanoseconds: 0)

    init(
        transaction: Transaction, size: Int,
        completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        self.transaction = transaction
        self.size = size
        self.completion = completion
    }
}

/// The bounded queue before the writer thread: pushing never waits, the writer takes a batch at
/// once. What has waited for `overloadAfter` is taken out by `takeLate`, so that it is refused in
/// time whatever the writer is doing.
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
        /// Nothing waits that could become late.
        var watchSleeps = false
        /// The writer was given a control last: transactions that wait come before the next one.
        var gaveControl = false
        /// Since when the writer has been busy with what it took last, a control included.
        var busySince: MonotonicInstant?

        var isConsistent: Bool { bytes == waiting.reduce(0) { $0 + $1.size } }
    }

    private let countLimit: Int
    private let byteLimit: Int
    let overloadAfter: Duration
    /// Bytes that the writer takes at most, beside one transaction that is larger.
    private let batchBytes: Int
    private let clock: any StoreClock
    private let lock = Lock()
    private let wakeup = LockCondition()
    private let watch = LockCondition()
    // SAFETY: read and written under `lock` alone.
    nonisolated(unsafe) private var state = State()

    init(
        countLimit: Int, byteLimit: Int, overloadAfter: Duration, batchBytes: Int = .max,
        clock: any StoreClock
    ) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
        self.overloadAfter = overloadAfter
        self.batchBytes = batchBytes
        self.clock = clock
    }

    private func withState<Value>(_ body: (inout State) -> Value) -> Value {
        lock.withLock { body(&state) }
    }

    /// Transactions that wait.
    var count: Int { withState { $0.waiting.count } }

    /// Adds a transaction, or says why not.
    func push(_ submission: Submission) -> Refusal? {
        let now = clock.instant
        return withState { state in
            submission.since = now
            if state.isClosed { return .closed }
            let isFull =
                state.waiting.count >= countLimit
                || (state.bytes + submission.size > byteLimit && !state.waiting.isEmpty)
            if isFull { return .overloaded }
            if let since = state.busySince, now - since > overloadAfter { return .overloaded }
            state.waiting.append(submission)
            state.bytes += submission.size
            wake(&state)
            if state.watchSleeps && state.busySince != nil { wakeWatch(&state) }
            return nil
        }
    }

    /// Has the writer run `control` before what is queued, or behind the next batch where it has just
    /// run another: controls that follow each other keep no transaction waiting. - Returns: false where it is closed.
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
            wakeWatch(&state)
        }
    }

    /// Waits until transactions have waited for too long, and takes them out of the queue: they are
    /// the caller's to answer. For the one thread that watches.
    ///
    /// - Parameter late: Empty.
    /// - Returns: false once the queue is closed and empty.
    func takeLate(into late: inout [Submission]) -> Bool {
        lock.withLock {
            while true {
                if removeLate(of: &state, into: &late) { return true }
                if state.isClosed && state.waiting.isEmpty { return false }
                guard let oldest = state.waiting.first?.since else {
                    state.watchSleeps = true
                    watch.wait(lock)
                    continue
                }
                let rest = oldest + overloadAfter - clock.instant
                watch.wait(lock, until: .now + max(.milliseconds(1), rest))
            }
        }
    }

    private func removeLate(of state: inout State, into late: inout [Submission]) -> Bool {
        let now = clock.instant
        let count =
            state.waiting.firstIndex { now - $0.since < overloadAfter } ?? state.waiting.count
        guard count > 0 else { return false }
        precondition(late.isEmpty, "those of before were answered")
        late.append(contentsOf: state.waiting[..<count])
        state.waiting.removeFirst(count)
        state.bytes -= late.reduce(0) { $0 + $1.size }
        assert(state.isConsistent, "the bytes are those of what waits")
        return true
    }

    private func wakeWatch(_ state: inout State) {
        state.watchSleeps = false
        watch.signal()
    }

    private func wake(_ state: inout State) {
        if state.writerSleeps {
            state.writerSleeps = false
            wakeup.signal()
        }
    }

    /// Gives the writer what is queued, up to `batchBytes`; waits for something at most `limit`, nil
    /// for ever.
    ///
    /// - Parameter batch: Empty; swapped with the queue's array, so that neither loses its room.
    func take(into batch: inout [Submission], waitingAtMost limit: Duration?) -> Delivery {
        lock.withLock {
            precondition(batch.isEmpty, "the batch before is done")
            state.busySince = nil
            let end = limit.map { MonotonicInstant.now + $0 }
            while true {
                if !state.controls.isEmpty, !state.gaveControl || state.waiting.isEmpty {
                    state.gaveControl = true
                    state.busySince = clock.instant
                    if state.watchSleeps && !state.waiting.isEmpty { wakeWatch(&state) }
                    return .control(state.controls.removeFirst())
                }
                if !state.waiting.isEmpty {
                    state.gaveControl = false
                    if state.bytes <= batchBytes {
                        swap(&batch, &state.waiting)
                        state.bytes = 0
                    } else {
                        takePart(into: &batch)
                    }
                    state.busySince = clock.instant
                    if state.isClosed && state.waiting.isEmpty { wakeWatch(&state) }
                    return .batch
                }
                if state.isClosed { return .closed }
                if limit == .zero { return .timeout }
                state.writerSleeps = true
                let isWoken = wakeup.wait(lock, until: end)
                state.writerSleeps = false
                if !isWoken && state.waiting.isEmpty && state.controls.isEmpty && !state.isClosed {
                    return .timeout
                }
            }
        }
    }

    /// The oldest transactions, as many as make a batch. What is left can still become late.
    private func takePart(into batch: inout [Submission]) {
        var bytes = 0
        var count = 0
        while count < state.waiting.count && (count == 0 || bytes < batchBytes) {
            bytes += state.waiting[count].size
            count += 1
        }
        batch.append(contentsOf: state.waiting[..<count])
        state.waiting.removeFirst(count)
        state.bytes -= bytes
        precondition(state.bytes >= 0, "what is taken out has waited")
        assert(state.isConsistent, "the bytes are those of what waits")
        if state.watchSleeps && !state.waiting.isEmpty { wakeWatch(&state) }
    }
}
