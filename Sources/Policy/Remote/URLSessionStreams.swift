// The streaming sibling of `URLSessionTransport`, on a session of its own: a stream holds its
// connection for hours, and must not take one from requests.
//
// What is said there of URLSession on Linux holds here as well. In particular there is no back
// pressure: the delegate hands on whatever comes, `ByteStream` bounds it. The request's own time-out
// is about silence and is set out of reach, since who reads the stream knows what silence means.
//
// An exchange is in one of three states: opening, open (the head was handed out), ended. A task that
// has asked about a redirect must be answered or cancelled, never both; so both happen in the step
// that ends the exchange, and only there.

import Foundation
import FoundationNetworking
import FreshetBase
package import FreshetOperations

/// Streams over Foundation's URLSession, for one base address.
package final class URLSessionStreams: StreamTransport {
    private let session: UpstreamSession<StreamExchange>
    private let clock: any OperationClock
    private let bufferLimit: Int

    package var base: UpstreamBase { session.base }

    /// Streams of one upstream at a time; further ones are turned away.
    static let maximumStreams = 256
    /// The session's own time-out, out of reach.
    private static let silence: Double = 7 * 86_400

    /// - Parameter bufferLimit: Bytes of a stream that may wait for its consumer.
    package init(
        base: UpstreamBase, bufferLimit: Int = 1 << 20,
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.bufferLimit = bufferLimit
        self.clock = clock
        session = UpstreamSession(
            base: base, connections: Self.maximumStreams, label: "freshet.streams")
    }

    package func open(_ request: UpstreamRequest) async throws(UpstreamError) -> ByteStream {
        let deadline = clock.now + request.timeout
        var path = base.path + request.path
        var redirects = 0
        while true {
            let stream = try await exchange(request, path, deadline)
            guard request.method == "GET",
                redirects < UpstreamSession<StreamExchange>.maximumRedirects,
                let target = session.redirect(
                    from: path, status: stream.status, location: stream.header("Location"))
            else { return stream }
            stream.cancel()
            redirects += 1
            path = target
        }
    }

    private func exchange(
        _ request: UpstreamRequest, _ path: String, _ deadline: Duration
    ) async throws(UpstreamError) -> ByteStream {
        if Task.isCancelled { throw .cancelled }
        guard clock.now < deadline else { throw .timeout }
        let task = try session.task(for: request, at: path, silence: Self.silence)
        let exchange = StreamExchange(task, bufferLimit: bufferLimit)
        guard session.exchanges.add(exchange, for: task, limit: Self.maximumStreams) else {
            task.cancel()
            throw .saturated(limit: Self.maximumStreams)
        }
        exchange.onEnd = { [exchanges = session.exchanges, number = task.taskIdentifier] in
            exchanges.remove(number)
        }
        let alarm = clock.schedule(at: deadline) { exchange.fail(.timeout) }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            await exchange.head()
        } onCancel: {
            exchange.fail(.cancelled)
        }.get()
    }
}

/// One stream on its way.
// SAFETY: all mutable state is read and written under `lock`, but for `onEnd`, which is set before
// the task is resumed and never again.
private final class StreamExchange: SessionExchange, @unchecked Sendable {
    typealias Head = Result<ByteStream, UpstreamError>

    private enum State {
        case opening
        /// Its consumer owns the stream: a stream that nobody holds ends its exchange.
        case open(WeakStream)
        case ended
    }

    private struct WeakStream {
        weak var stream: ByteStream?
    }

    private let lock = Lock()
    private let task: URLSessionDataTask
    private let bufferLimit: Int
    var onEnd: @Sendable () -> Void = {}
    private var state = State.opening
    private let promise = Promise<Head>()

    init(_ task: URLSessionDataTask, bufferLimit: Int) {
        self.task = task
        self.bufferLimit = bufferLimit
    }

    /// Starts the exchange and waits for its head; called once.
    func head() async -> Head {
        if !promise.isFulfilled { task.resume() }
        return await promise.value()
    }

    /// Gives the exchange up before its head has come.
    func fail(_ error: UpstreamError) {
        guard leave(.ended, answering: .failure(error)) else { return }
        task.cancel()
        onEnd()
    }

    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else {
            fail(.unreachable(.other, detail: "the answer is no HTTP"))
            return false
        }
        let stream = makeStream(response) { [weak self] in self?.cancel() }
        return leave(.open(WeakStream(stream: stream)), answering: .success(stream))
    }

    func redirect(_ response: HTTPURLResponse) -> Bool {
        let stream = makeStream(response) {}
        stream.finish()
        guard leave(.ended, answering: .success(stream)) else { return false }
        onEnd()
        return true
    }

    func receive(_ data: Data) {
        stream?.push(Array(data))
    }

    func complete(_ error: (any Error)?) {
        if let stream {
            lock.withLock { state = .ended }
            stream.finish(error.map { UpstreamError($0) })
        } else if let error {
            _ = leave(.ended, answering: .failure(UpstreamError(error)))
        } else if let head = task.response as? HTTPURLResponse {
            let stream = makeStream(head) {}
            stream.finish()
            _ = leave(.ended, answering: .success(stream))
        } else {
            let detail = "the connection ended without an answer"
            _ = leave(.ended, answering: .failure(.unreachable(.reset, detail: detail)))
        }
        onEnd()
    }

    private var stream: ByteStream? {
        lock.withLock { if case .open(let place) = state { place.stream } else { nil } }
    }

    /// The consumer has left.
    private func cancel() {
        let isOpen = lock.withLock {
            guard case .open = state else { return false }
            state = .ended
            return true
        }
        guard isOpen else { return }
        task.cancel()
        onEnd()
    }

    /// Leaves the state `opening`, once.
    private func leave(_ next: State, answering head: Head) -> Bool {
        let isFirst = lock.withLock {
            guard case .opening = state else { return false }
            state = next
            return true
        }
        if isFirst { promise.fulfil(head) }
        return isFirst
    }

    private func makeStream(
        _ head: HTTPURLResponse, onCancel: @escaping @Sendable () -> Void
    ) -> ByteStream {
        ByteStream(
            status: head.statusCode, headers: head.fields, limit: bufferLimit, onCancel: onCancel)
    }
}
