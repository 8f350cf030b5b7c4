import Glibc

/// What threads that hold a `Lock` wait for. It is always used with the same lock.
// SAFETY: the condition lives at one address from init to deinit and is touched only by pthread
// calls, which are safe from any thread.
package struct LockCondition: ~Copyable, @unchecked Sendable {
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init() {
        condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Releases `lock`, which the caller holds, sleeps until it is woken, and holds the lock again. A
    /// thread can wake without a reason, so what is waited for is checked again by the caller.
    ///
    /// - Parameter deadline: nil: it sleeps for any time.
    /// - Returns: Whether it was woken before the deadline.
    @discardableResult
    package borrowing func wait(
        _ lock: borrowing Lock, until deadline: MonotonicInstant? = nil
    ) -> Bool {
        guard let deadline else { return pthread_cond_wait(condition, lock.mutex) == 0 }
        var time = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000),
            tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        return pthread_cond_timedwait(condition, lock.mutex, &time) == 0
    }

    /// Wakes one thread that waits.
    package borrowing func signal() { pthread_cond_signal(condition) }

    /// Wakes each thread that waits.
    package borrowing func broadcast() { pthread_cond_broadcast(condition) }
}
