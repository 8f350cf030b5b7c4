// Foundation's URLSession as it is on Linux, and what is done about it:
//
//   - There is no `bytes(for:)`, so a delegate takes the body as it arrives. There is no back
//     pressure either: what a server sends is taken in, however slow the consumer. The delegate
//     does nothing but append, and past the cap it cancels the task and lets go of the body.
//   - The resource time-out is ignored and the request's one is only about silence, so each
//     exchange has a deadline of our own on the injected clock.
//   - At most six connections a host are opened unless raised; the session's number is that of the
//     upstream's `maxConcurrent`, and who does not fit waits with us (`UpstreamPlaces`), not there.
//   - A redirect is never left to the session, which would send our header fields along to wherever
//     it leads. The head of the 3xx comes here, and is followed by a new exchange where it stays on the
//     origin of the base, three times at most, for GET and HEAD alone. A redirect elsewhere stays
//     the answer.
//   - A 401 that asks for a password would wait for one: it is answered as it is.
//   - Cookies, caches and stored credentials are off.
//   - A body that ends before its announced length is an error of the session; one that goes on
//     behind it is cut by libcurl at that length.
//   - `URLSession` would open `file:` as well: the scheme is checked when the base is made.
//
// An exchange ends once: by its last byte, an error, the cap, the deadline or the caller's leaving,
// whichever is first. Everything later finds it ended and is dropped.

import Foundation
import FoundationNetworking
import FreshetBase
package import FreshetOperations

/// The transport over Foundation's URLSession, for one base address.
package final class URLSessionTransport: UpstreamTransport {
    private let session: UpstreamSession<AnswerExchange>
    private let clock: any OperationClock

    package var base: UpstreamBase { session.base }

    /// - Parameter maxConcurrent: Connections at most.
    package init(
        base: UpstreamBase, maxConcurrent: Int = 8,
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.clock = clock
        session = UpstreamSession(
            base: base, connections: max(1, maxConcurrent), label: "freshet.upstream")
    }

    package func send(
        _ request: UpstreamRequest
    ) async throws(UpstreamError) -> UpstreamResponse {
        let deadline = clock.now + request.timeout
        var path = base.path + request.path
        var redirects = 0
        while true {
            let response = try await exchange(request, path, deadline)
            guard request.method == "GET" || request.method == "HEAD",
                redirects < UpstreamSession<AnswerExchange>.maximumRedirects,
                let target = session.redirect(
                    from: path, status: response.status, location: response.header("Location"))
            else { return response }
            redirects += 1
            path = target
        }
    }

    private func exchange(
        _ request: UpstreamRequest, _ path: String, _ deadline: Duration
    ) async throws(UpstreamError) -> UpstreamResponse {
        if Task.isCancelled { throw .cancelled }
        guard clock.now < deadline else { throw .timeout }
        // Ours comes first; the session's is for a task that is lost inside it.
        let silence = Double(request.timeout.components.seconds) + 60
        let task = try session.task(for: request, at: path, silence: silence)
        let exchange = AnswerExchange(task, maxBody: request.maxBody)
        _ = session.exchanges.add(exchange, for: task)
        let alarm = clock.schedule(at: deadline) { exchange.end(.failure(.timeout)) }
        defer {
            alarm.cancel()
            session.exchanges.remove(task.taskIdentifier)
        }
        return try await withTaskCancellationHandler {
            await exchange.answer()
        } onCancel: {
            exchange.end(.failure(.cancelled))
        }.get()
    }
}

/// One request on its way.
// SAFETY: all mutable state is read and written under `lock`; a task may be resumed and cancelled
// from any thread.
private final class AnswerExchange: SessionExchange, @unchecked Sendable {
    typealias Answer = Result<UpstreamResponse, UpstreamError>

    private let lock = Lock()
    private let task: URLSessionDataTask
    private let maxBody: Int
    private var head: HTTPURLResponse?
    private var body: [UInt8] = []
    private let promise = Promise<Answer>()

    init(_ task: URLSessionDataTask, maxBody: Int) {
        self.task = task
        self.maxBody = maxBody
    }

    /// Starts the exchange and waits for its end; called once.
    func answer() async -> Answer {
        if !promise.isFulfilled { task.resume() }
        return await promise.value()
    }

    /// Ends the exchange with `answer`, unless it has ended; a task that goes on is cancelled.
    ///
    /// - Returns: Whether it has not ended before.
    @discardableResult
    func end(_ answer: Answer, cancelling: Bool = true) -> Bool {
        guard promise.fulfil(answer) else { return false }
        lock.withLock { body = [] }
        if cancelling { task.cancel() }
        return true
    }

    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else {
            end(.failure(.unreachable(.other, detail: "the answer is no HTTP")))
            return false
        }
        lock.withLock { head = response }
        // An announced length may be that of coded content: only what arrives is counted.
        return !promise.isFulfilled
    }

    func receive(_ data: Data) {
        let isTooLarge = lock.withLock {
            guard !promise.isFulfilled else { return false }
            guard data.count <= maxBody - body.count else { return true }
            body.append(contentsOf: data)
            return false
        }
        if isTooLarge { end(.failure(.tooLarge(limit: maxBody))) }
    }

    func redirect(_ response: HTTPURLResponse) -> Bool {
        end(.success(Self.response(of: response, body: [])), cancelling: false)
    }

    func complete(_ error: (any Error)?) {
        if let error {
            end(.failure(UpstreamError(error)), cancelling: false)
            return
        }
        let (head, body) = lock.withLock { (self.head, self.body) }
        // The session keeps quiet about the head of a redirect that leads nowhere.
        guard let head = head ?? task.response as? HTTPURLResponse else {
            let detail = "the connection ended without an answer"
            end(.failure(.unreachable(.other, detail: detail)), cancelling: false)
            return
        }
        end(.success(Self.response(of: head, body: body)), cancelling: false)
    }

    private static func response(of head: HTTPURLResponse, body: [UInt8]) -> UpstreamResponse {
        UpstreamResponse(status: head.statusCode, headers: head.fields, body: body)
    }
}

extension UpstreamError {
    /// What Foundation's error means. Its text is libcurl's own and names no secret.
    init(_ error: any Error) {
        let error = error as NSError
        let text = error.localizedDescription
        // OpenSSL's complaints come as broken connections.
        if ["SSL", "TLS", "certificate"].contains(where: text.contains) {
            self = .unreachable(.tls, detail: text)
            return
        }
        guard error.domain == NSURLErrorDomain else {
            self = .unreachable(.other, detail: text)
            return
        }
        switch URLError.Code(rawValue: error.code) {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timeout
        case .cannotFindHost, .dnsLookupFailed: self = .unreachable(.dns, detail: text)
        case .cannotConnectToHost: self = .unreachable(.refused, detail: text)
        case .networkConnectionLost, .badServerResponse, .unknown:
            self = .unreachable(.reset, detail: text)
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired:
            self = .unreachable(.tls, detail: text)
        default: self = .unreachable(.other, detail: text)
        }
    }
}
