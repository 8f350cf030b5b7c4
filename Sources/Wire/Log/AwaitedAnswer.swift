import FreshetBase
import FreshetHTTPClient

/// An answer that a thread waits for, whole or piece by piece.
// SAFETY: all mutable state is read and written under `lock` alone.
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

    private let lock = Lock()
    private let arrived = LockCondition()
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
    }

    // MARK: On the client's thread

    func head(_ head: HTTPHead) { lock.withLock { status = head.status } }

    func body(_ piece: UnsafeRawBufferPointer) -> Bool {
        lock.withLock {
            bytes += piece
            if isStream { arrived.signal() }
            isPaused = isStream && bytes.count >= Self.most
            return !isPaused
        }
    }

    func finish(_ fault: HTTPFault?) {
        lock.withLock {
            end = fault.map { .failed($0) } ?? .whole
            arrived.signal()
        }
    }

    // MARK: On any thread

    /// Ends the wait, and each later one.
    func interrupt() {
        lock.withLock {
            isInterrupted = true
            arrived.signal()
        }
    }

    // MARK: On the waiting thread

    /// Waits for the end, or for a piece of a stream.
    ///
    /// - Returns: What has come; nil where nothing has until `deadline`, or the wait was interrupted.
    func wait(until deadline: MonotonicInstant, of transfer: HTTPTransfer?) -> Arrival? {
        let (arrival, resumes) = lock.withLock { () -> (Arrival?, Bool) in
            while end == nil, !isInterrupted, !isStream || bytes.isEmpty {
                guard arrived.wait(lock, until: deadline) else { break }
            }
            guard !isInterrupted, end != nil || isStream && !bytes.isEmpty else {
                return (nil, false)
            }
            defer {
                bytes = []
                isPaused = false
            }
            return (Arrival(status: status, bytes: bytes, end: end), isPaused)
        }
        if resumes { transfer?.resume() }
        return arrival
    }
}
