package import Glibc

/// The one lock of the project: short critical sections, nothing called back under it.
///
/// A pthread mutex of the adaptive kind: it spins a little before it sleeps, which suits sections
/// of well under a microsecond, and the thread sanitizer understands it (it reports
/// `Synchronization.Mutex` falsely). Not recursive: in a debug build a thread that asks for a lock which
/// it holds ends the process, where it would wait for ever.
// SAFETY: the mutex lives at one address from init to deinit and is touched only by pthread
// calls, which are safe from any thread.
package struct Lock: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        #if DEBUG
            pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        #else
            pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        #endif
        let status = pthread_mutex_init(mutex, &attributes)
        precondition(status == 0, "a mutex could not be made: \(status)")
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while no other thread runs a body of this lock.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let status = pthread_mutex_lock(mutex)
        assert(status == 0, "a thread asks for a lock that it holds")
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
