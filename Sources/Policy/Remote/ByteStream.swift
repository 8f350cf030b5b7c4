import FreshetBase
import FreshetRefresh

/// An answer whose body is taken as it arrives: its head, and a pipe between the transport and one
/// consumer.
///
/// What has arrived and was not taken is kept. Past `limit` bytes the transport is told to wait, and
/// told to go on once the consumer has taken what there is. So a consumer that is slow makes the other
/// side slow, and loses nothing.
// SAFETY: all mutable state is read and written under `lock`.
package final class ByteStream: @unchecked Sendable {
    private typealias Piece = Result<[UInt8]?, UpstreamError>
    private typealias Waiter = Promise<Piece>

    package let status: Int
    package let headers: [(String, String)]
    private let limit: Int
    private let onDrain: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void

    private let lock = Lock()
    /// What has arrived and was not taken: one array, since a stream may come byte by byte.
    private var held: [UInt8] = []
    private var total = 0
    private var waiter: Waiter?
    /// Whether the transport was told to wait.
    private var isFull = false
    /// How the stream ends behind what is held; nil as long as it goes on.
    private var end: Piece?

    /// - Parameters:
    ///   - limit: Bytes from which on the transport is to wait.
    ///   - onDrain: Has the transport go on; called after a `push` that has answered false.
    ///   - onCancel: Ends the connection; called once where the consumer's side ends the stream.
    package init(
        status: Int, headers: [(String, String)] = [], limit: Int = 1 << 20,
        onDrain: @escaping @Sendable () -> Void = {},
        onCancel: @escaping @Sendable () -> Void = {}
    ) {
        self.status = status
        self.headers = headers
        self.limit = limit
        self.onDrain = onDrain
        self.onCancel = onCancel
    }

    deinit {
        if end == nil { onCancel() }
    }

    /// The first field of that name, whatever its case.
    package func header(_ name: String) -> String? {
        headers.first { HeaderName.areSame($0.0, name) }?.1
    }

    /// Bytes that have arrived so far, and whether nothing more can come since the consumer has yet
    /// to take what is here; what watches for silence compares two looks.
    package var received: (count: Int, isFull: Bool) { lock.withLock { (total, isFull) } }

    // MARK: The transport's side

    /// Takes what has arrived.
    ///
    /// - Returns: Whether more is wanted now; after false there is an `onDrain`, or the end.
    @discardableResult
    package func push(_ bytes: [UInt8]) -> Bool {
        let (waiter, goesOn) = lock.withLock { () -> (Waiter?, Bool) in
            guard end == nil else { return (nil, false) }
            guard !bytes.isEmpty else { return (nil, true) }
            total += bytes.count
            if let waiter = self.waiter {
                self.waiter = nil
                return (waiter, true)
            }
            held += bytes
            isFull = held.count >= limit
            return (nil, !isFull)
        }
        waiter?.fulfil(.success(bytes))
        return goesOn
    }

    /// Ends the stream behind what has arrived: nil for an orderly end.
    package func finish(_ error: UpstreamError? = nil) {
        let end = error.map { Piece.failure($0) } ?? .success(nil)
        let waiter = lock.withLock { () -> Waiter? in
            guard self.end == nil else { return nil }
            self.end = end
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.fulfil(end)
    }

    // MARK: The consumer's side

    /// The next bytes, or nil at the orderly end. One caller at a time.
    ///
    /// - Throws: How the stream has ended; `.cancelled` where the task is.
    @inline(never)
    package func next() async throws(UpstreamError) -> [UInt8]? {
        if Task.isCancelled { abandon(.cancelled) }
        return try await withTaskCancellationHandler {
            let (next, wasFull) = lock.withLock { () -> (Waiter, Bool) in
                if !held.isEmpty {
                    defer {
                        held = []
                        isFull = false
                    }
                    return (Waiter(.success(held)), isFull)
                }
                if let end { return (Waiter(end), false) }
                precondition(self.waiter == nil, "a byte stream has one consumer")
                let waiter = Waiter()
                self.waiter = waiter
                return (waiter, false)
            }
            if wasFull { onDrain() }
            return await next.value()
        } onCancel: {
            abandon(.cancelled)
        }.get()
    }

    /// Ends the stream and the connection at once; what was not taken is dropped.
    package func cancel() {
        abandon(.cancelled)
    }

    /// Ends it for another reason: `next` throws `error` from now on.
    @inline(never)
    package func abandon(_ error: UpstreamError) {
        let (isFirst, waiter) = lock.withLock { () -> (Bool, Waiter?) in
            let isFirst = end == nil
            end = .failure(error)
            held = []
            defer { self.waiter = nil }
            return (isFirst, self.waiter)
        }
        waiter?.fulfil(.failure(error))
        if isFirst { onCancel() }
    }
}

/// A transport for answers without an end.
package protocol StreamTransport: Sendable {
    /// Sends `request` and returns when the head of the answer is there, whatever its status.
    ///
    /// The request's time-out bounds the wait for the head; its cap of the body is of no account.
    /// Cancelling the task before that aborts the exchange; later the stream is to be cancelled,
    /// which letting go of it does, too.
    ///
    /// - Throws: `.unreachable`, `.timeout`, `.cancelled`.
    func open(_ request: UpstreamRequest) async throws(UpstreamError) -> ByteStream
}
