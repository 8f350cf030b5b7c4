import FreshetBase
import FreshetHTTPClient
import Glibc

/// An answer that a thread waits for, whole or piece by piece.
// SAFETY: all mutable state is read and written between locking and unlocking `mutex`, which is made
// in init and destroyed in deinit, as `arrived` is.
final class AwaitedAnswer: HTTPReceiver, @unchecked Sendable {
    /// What has come when the wait is over.
    struct Arrival {
        let status: Int
        let bytes: [UInt8]
        let end: End?
    }

    enum End {
        case whole
        case failed(HTTPFault)
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let isStream: Bool
    private var bytes: [UInt8] = []
    private var end: End?
    private var isInterrupted = false
    private var isPaused = false
    private var status = 0

    /// A stream's bytes that wait to be taken; beyond them it is paused.
    private static let most = 8 << 20

    /// - Parameter isStream: Its pieces are waited for; else its end.
    init(isStream: Bool) {
        self.isStream = isStream
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(arrived, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(arrived)
        pthread_mutex_destroy(mutex)
        arrived.deallocate()
        mutex.deallocate()
    }

    private func withLock<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    // MARK: On the client's thread

    func head(_ head: HTTPHead) { withLock { status = head.status } }

    func body(_ piece: UnsafeRawBufferPointer) -> Bool {
        withLock {
            bytes += piece
            if isStream { pthread_cond_signal(arrived) }
            isPaused = isStream && bytes.count >= Self.most
            return !isPaused
        }
    }

    func finish(_ fault: HTTPFault?) {
        withLock {
            end = fault.map { .failed($0) } ?? .whole
            pthread_cond_signal(arrived)
        }
    }

    // MARK: On any thread

    /// Ends the wait, and each later one.
    func interrupt() {
        withLock {
            isInterrupted = true
            pthread_cond_signal(arrived)
        }
    }

    // MARK: On the waiting thread

    /// Waits for the end, or for a piece of a stream.
    ///
    /// - Returns: What has come; nil where nothing has until `deadline`, or the wait was interrupted.
    func wait(until deadline: MonotonicInstant, of transfer: HTTPTransfer?) -> Arrival? {
        var end = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000),
            tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        let (arrival, resumes) = withLock { () -> (Arrival?, Bool) in
            while self.end == nil, !isInterrupted, !isStream || bytes.isEmpty {
                guard pthread_cond_timedwait(arrived, mutex, &end) == 0 else { break }
            }
            guard !isInterrupted, self.end != nil || isStream && !bytes.isEmpty else {
                return (nil, false)
            }
            defer {
                bytes = []
                isPaused = false
            }
            return (Arrival(status: status, bytes: bytes, end: self.end), isPaused)
        }
        if resumes { transfer?.resume() }
        return arrival
    }
}
