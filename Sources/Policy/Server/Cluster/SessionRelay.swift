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
    /// - Parameter sessions: Keep the stream, so that this server's end reaches its client.
    /// - Returns: false where it is this one's, or nobody's that is known.
    func relay(
        _ request: borrowing Request, ofSession id: String, beside sessions: LiveSessions,
        _ reply: Reply, _ response: inout ResponseWriter
    ) -> Bool {
        guard let name = LiveSession.keeper(of: id), name != self.name,
            request.header(.freshetForwarded) == nil
        else { return false }
        guard let url = posts.url(of: name) else {
            // It may have joined since the leader told of the others.
            guard !(request.resumptionBeforeWait is KeeperLookup) else { return false }
            let wait = response.postpone()
            posts.learn { wait.respondAgain(KeeperLookup()) }
            return true
        }
        // An event stream has no end.
        let call = call(for: request, to: url, reply, bodyLimit: .max)
        let exchange = response.detach()
        let relay = SessionRelay(exchange, reply, beside: sessions)
        let transfer = client.transfer(call, relay)
        relay.transfer.set(transfer)
        exchange.onCancel { transfer.cancel() }
        relay.limit()
        transfer.submit()
        return true
    }
}

/// Marks a request whose session's keeper was asked for once.
private final class KeeperLookup: Sendable {}

/// Takes the answer of the server that keeps a session.
// SAFETY: `answer`, `stream` and `alarm` belong to the client's thread once the transfer is submitted.
private final class SessionRelay: HTTPReceiver, @unchecked Sendable {
    private let exchange: Exchange
    private let reply: Reply
    private let sessions: LiveSessions
    private var answer = RelayedAnswer()
    private var stream: RelayedStream?
    let transfer = Shared<HTTPTransfer?>(nil)
    /// Ends the wait for the keeper's word; nil once it has come, or nobody waits.
    private var alarm: ScheduledAction?

    /// How long that is waited for: a server that is stopped takes connections, too.
    private static let longestWait = Duration.seconds(10)

    /// Bytes of an answer that is no stream.
    private static let mostBytes = 1 << 20

    init(_ exchange: Exchange, _ reply: Reply, beside sessions: LiveSessions) {
        self.exchange = exchange
        self.reply = reply
        self.sessions = sessions
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
        let stream = RelayedStream(transfer, beside: sessions)
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
///
/// The client is sent whole events, and pieces of one only where that is larger than what is sent at
/// once: so this server can tell it almost at any time that it ends.
private final class RelayedStream: StreamSource, MovableStream, Sendable {
    private struct State {
        var handle: StreamHandle?
        var relayed = RelayedText()
        var isPaused = false
        /// The keeper has ended it.
        var hasEnded = false
        /// Why this server ends it, as `bye` says.
        var reason: String?
        /// The client is gone, or has all.
        var isOver = false
    }

    private let transfer: HTTPTransfer
    private let sessions: LiveSessions
    private let state = Shared(State())

    /// Events that wait for the client; the keeper waits beyond.
    private static let most = 256 << 10

    init(_ transfer: HTTPTransfer, beside sessions: LiveSessions) {
        self.transfer = transfer
        self.sessions = sessions
    }

    func attach(_ handle: StreamHandle) {
        let isOver = state.update { state in
            state.handle = state.isOver ? nil : handle
            return state.isOver
        }
        guard !isOver else { return }
        sessions.began(relayed: self)
        handle.wake()
    }

    /// - Returns: false where it is enough for now.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let (handle, takesMore) = state.update { state in
            state.relayed.add(bytes)
            state.isPaused = state.relayed.count >= Self.most
            return (state.handle, !state.isPaused)
        }
        handle?.wake()
        return takesMore
    }

    /// No more comes.
    func close() { change { $0.hasEnded = true } }

    /// Has its client go on at another server.
    func leave() { change { $0.reason = $0.reason ?? "moved" } }

    private func change(_ body: (inout State) -> Void) {
        let handle = state.update { state in
            body(&state)
            return state.handle
        }
        handle?.wake()
    }

    // MARK: The client's side

    var isEventStream: Bool { true }
    var isWithinEvent: Bool { state.update { $0.relayed.isWithinEvent } }
    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        let (piece, goesOn, reason, isWhole, step) = state.update { state in
            // The keeper has told the client itself why it ends.
            let reason = state.hasEnded ? nil : state.reason
            let piece = reason == nil ? state.relayed.next() : state.relayed.last()
            let goesOn = state.isPaused && state.relayed.count < Self.most / 2
            if goesOn { state.isPaused = false }
            let step: StreamStep
            if let reason {
                // A client drops an event without an end; there is time for that end before a drain's.
                step = state.relayed.isWithinEvent && reason == "moved" ? .idle : .finish
            } else if piece.isEmpty {
                step = state.hasEnded ? .finish : .idle
            } else {
                step = state.hasEnded || state.relayed.count > 0 ? .more : .idle
            }
            return (piece, goesOn, reason, !state.relayed.isWithinEvent, step)
        }
        piece.withUnsafeBytes { body.append($0) }
        if let reason, isWhole { LiveEventEncoder.interruption(reason, into: &body) }
        if goesOn { transfer.resume() }
        return step
    }

    func shutdown() { state.update { $0.reason = "shutdown" } }

    func ended(_ reason: StreamEnd) {
        state.update { state in
            state.handle = nil
            state.isOver = true
        }
        sessions.ended(relayed: self)
        transfer.cancel()
    }
}
