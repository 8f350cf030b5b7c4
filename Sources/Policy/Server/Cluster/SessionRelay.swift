import FreshetBase
import FreshetHTTP
import FreshetHTTPClient
import FreshetHTTPServer
import FreshetRefresh

// A session of live queries is kept by the server that made it, whose name its id bears. Any other server
// passes what it is asked for it on, and the events back as they come. The server that keeps it judges who
// may have it; where that one is gone the session is, too.

extension Cluster {
    /// Has the server that keeps the session of `path` answer `request`.
    ///
    /// - Returns: false where it is this one's, or nobody's that is known.
    func relay(
        _ request: borrowing Request, ofSession id: String, _ reply: Reply,
        _ response: inout ResponseWriter
    ) -> Bool {
        guard let name = LiveSession.keeper(of: id), name != self.name,
            request.header(.freshetForwarded) == nil, let url = posts.url(of: name)
        else { return false }
        // An event stream has no end.
        let call = call(for: request, to: url, reply, bodyLimit: .max)
        let exchange = response.detach()
        let relay = SessionRelay(exchange, reply)
        let transfer = client.transfer(call, relay)
        relay.transfer.set(transfer)
        exchange.onCancel { transfer.cancel() }
        relay.limit()
        transfer.submit()
        return true
    }
}

/// Takes the answer of the server that keeps a session.
// SAFETY: `answer`, `stream` and `alarm` belong to the client's thread once the transfer is submitted.
private final class SessionRelay: HTTPReceiver, @unchecked Sendable {
    private let exchange: Exchange
    private let reply: Reply
    private var answer = RelayedAnswer()
    private var stream: RelayedStream?
    let transfer = Shared<HTTPTransfer?>(nil)
    /// Ends the wait for the keeper's word; nil once it has come, or nobody waits.
    private var alarm: ScheduledAction?

    /// How long that is waited for: a server that is stopped takes connections, too.
    private static let longestWait = Duration.seconds(10)

    /// Bytes of an answer that is no stream.
    private static let mostBytes = 1 << 20

    init(_ exchange: Exchange, _ reply: Reply) {
        self.exchange = exchange
        self.reply = reply
    }

    /// Before the transfer is submitted.
    func limit() {
        let clock = SystemOperationClock()
        alarm = clock.schedule(at: clock.now + Self.longestWait) { [weak self] in
            self?.transfer.value?.cancel()
        }
    }

    private func stopWaiting() {
        alarm?.cancel()
        alarm = nil
    }

    func head(_ head: HTTPHead) {
        stopWaiting()
        answer.status = head.status
        answer.fields = head.fields
        let media = head.fields.first { $0.name.lowercased() == "content-type" }?.value
        guard head.status == 200, media?.hasPrefix("text/event-stream") == true,
            let transfer = transfer.value
        else { return }
        let stream = RelayedStream(transfer)
        self.stream = stream
        exchange.complete { [answer] response in
            answer.writeHead(to: &response)
            stream.attach(response.startStream(stream))
        }
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let stream { return stream.add(bytes) }
        guard answer.body.count + bytes.count <= Self.mostBytes else {
            transfer.value?.cancel()
            return true
        }
        answer.body.append(contentsOf: bytes)
        return true
    }

    func finish(_ fault: HTTPFault?) {
        stopWaiting()
        transfer.set(nil)
        if let stream { return stream.close() }
        exchange.complete { [self, answer] response in
            if fault == nil {
                answer.write(to: &response)
            } else {
                reply.fail(.noSuchSession, &response)
            }
        }
    }
}

/// Events of a session that another server keeps. Any thread.
private final class RelayedStream: StreamSource, Sendable {
    private struct State {
        var handle: StreamHandle?
        var waiting: [UInt8] = []
        var isPaused = false
        var hasEnded = false
    }

    private let transfer: HTTPTransfer
    private let state = Shared(State())

    /// Events that wait for the client; the keeper waits beyond.
    private static let most = 256 << 10
    private static let piece = 64 << 10

    init(_ transfer: HTTPTransfer) { self.transfer = transfer }

    func attach(_ handle: StreamHandle) {
        state.update { $0.handle = handle }
        handle.wake()
    }

    /// - Returns: false where it is enough for now.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (handle, takesMore) = state.update { state in
            state.waiting.append(contentsOf: bytes)
            state.isPaused = state.waiting.count >= Self.most
            return (state.handle, !state.isPaused)
        }
        handle?.wake()
        return takesMore
    }

    /// No more comes.
    func close() {
        let handle = state.update { state in
            state.hasEnded = true
            return state.handle
        }
        handle?.wake()
    }

    // MARK: The client's side

    var isEventStream: Bool { true }
    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        let (piece, goesOn, step) = state.update { state in
            let piece = state.waiting.prefix(Self.piece)
            state.waiting.removeFirst(piece.count)
            let goesOn = state.isPaused && state.waiting.count < Self.most / 2
            if goesOn { state.isPaused = false }
            let step: StreamStep =
                !state.waiting.isEmpty ? .more : state.hasEnded ? .finish : .idle
            return (piece, goesOn, step)
        }
        piece.withUnsafeBytes { body.append($0) }
        if goesOn { transfer.resume() }
        return step
    }

    /// The client comes again, to a server that goes on.
    func shutdown() { close() }

    func ended(_ reason: StreamEnd) {
        state.update { $0.handle = nil }
        transfer.cancel()
    }
}
