import FreshetBase
import FreshetRefresh

/// The cap on an upstream's concurrent requests: so many places, and a bounded queue before them,
/// first come, first served.
///
/// Whoever is cancelled or waits past its deadline leaves the queue at once; a place that is handed
/// over to somebody who has just left goes on to the next.
// SAFETY: all mutable state is read and written under `lock`; nothing is called back under it.
final class UpstreamPlaces: @unchecked Sendable {
    private typealias Waiter = Promise<Result<Void, UpstreamError>>

    private let lock = Lock()
    private let limit: Int
    private let queueLimit: Int
    private let clock: any OperationClock
    private var taken = 0
    private var queue: [Waiter] = []
    /// Entries of the queue before it are gone; it is cut now and then.
    private var front = 0

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
        guard let waiter = try enter() else { return }
        let alarm = clock.schedule(at: deadline) { [weak self] in
            if waiter.fulfil(.failure(.timeout)) { self?.remove(waiter) }
        }
        defer { alarm.cancel() }
        try await waiter.value(orLeaving: .failure(.cancelled)) { remove(waiter) }.get()
    }

    /// - Returns: nil where a place was free.
    private func enter() throws(UpstreamError) -> Waiter? {
        try lock.withLock { () throws(UpstreamError) in
            if taken < limit {
                taken += 1
                return nil
            }
            guard queue.count - front < queueLimit else { throw .saturated(limit: queueLimit) }
            let waiter = Waiter()
            queue.append(waiter)
            return waiter
        }
    }

    /// Frees a place, or hands it to the first of the queue that has not left.
    func giveBack() {
        while let next = next() {
            if next.fulfil(.success(())) { return }
        }
    }

    /// The first of the queue; nil where there is none, and the place is free.
    private func next() -> Waiter? {
        lock.withLock {
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
    }

    private func remove(_ waiter: Waiter) {
        lock.withLock {
            // Else it was just handed a place, which goes on to the next.
            guard let index = queue[front...].firstIndex(where: { $0 === waiter }) else { return }
            queue.remove(at: index)
        }
    }
}
