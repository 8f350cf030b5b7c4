import FreshetBase
import FreshetOperations

/// The cap on an upstream's concurrent requests: so many places, and a bounded queue before them,
/// first come, first served.
///
/// Whoever is cancelled or waits past its deadline leaves the queue at once; a place that is handed
/// over to somebody who has just left goes on to the next.
// SAFETY: all mutable state is read and written under `lock`; nothing is called back under it.
final class UpstreamPlaces: @unchecked Sendable {
    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Result<Void, UpstreamError>, Never>
    }

    private let lock = Lock()
    private let limit: Int
    private let queueLimit: Int
    private let clock: any OperationClock
    private var taken = 0
    private var queue: [Waiter] = []
    /// Those of the queue before it are gone; it is cut now and then.
    private var front = 0
    private var lastNumber: UInt64 = 0
    /// Those that have a number and do not stand in the queue yet, with why they shall not.
    private var coming: [UInt64: UpstreamError?] = [:]

    init(limit: Int, queueLimit: Int, clock: any OperationClock) {
        self.limit = max(1, limit)
        self.queueLimit = max(0, queueLimit)
        self.clock = clock
    }

    /// Places that are taken, and requests that wait for one.
    var load: (taken: Int, waiting: Int) { lock.withLock { (taken, queue.count - front) } }

    /// Takes a place, which `giveBack()` frees.
    ///
    /// - Throws: `.saturated` at once where the queue is full, `.timeout` at `deadline`, `.cancelled`.
    func take(until deadline: Duration) async throws(UpstreamError) {
        if Task.isCancelled { throw .cancelled }
        let (isFree, number) = lock.withLock { () -> (Bool, UInt64) in
            if taken < limit {
                taken += 1
                return (true, 0)
            }
            lastNumber += 1
            coming[lastNumber] = .some(nil)
            return (false, lastNumber)
        }
        if isFree { return }
        let alarm = clock.schedule(at: deadline) { [weak self] in
            self?.remove(number, .timeout)
        }
        defer { alarm.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { enqueue(Waiter(number: number, continuation: $0)) }
        } onCancel: {
            remove(number, .cancelled)
        }
        try outcome.get()
    }

    /// Frees a place, or hands it to the first of the queue.
    func giveBack() {
        let next = lock.withLock { () -> Waiter? in
            guard front < queue.count else {
                taken -= 1
                return nil
            }
            let waiter = queue[front]
            front += 1
            if front > 64, front * 2 > queue.count {
                queue.removeFirst(front)
                front = 0
            }
            return waiter
        }
        next?.continuation.resume(returning: .success(()))
    }

    private func enqueue(_ waiter: Waiter) {
        let outcome = lock.withLock { () -> Result<Void, UpstreamError>? in
            if let error = coming.removeValue(forKey: waiter.number) ?? nil {
                return .failure(error)
            }
            // A place may have become free since it was asked for.
            if taken < limit {
                taken += 1
                return .success(())
            }
            guard queue.count - front < queueLimit else {
                return .failure(.saturated(limit: queueLimit))
            }
            queue.append(waiter)
            return nil
        }
        if let outcome { waiter.continuation.resume(returning: outcome) }
    }

    private func remove(_ number: UInt64, _ error: UpstreamError) {
        let waiter = lock.withLock { () -> Waiter? in
            guard let index = queue[front...].firstIndex(where: { $0.number == number }) else {
                // It has a place already, or finds out when it comes.
                if coming[number] != nil { coming[number] = .some(error) }
                return nil
            }
            return queue.remove(at: index)
        }
        waiter?.continuation.resume(returning: .failure(error))
    }
}
