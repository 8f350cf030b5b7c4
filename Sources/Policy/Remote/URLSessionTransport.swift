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

import Dispatch
import Foundation
import FoundationNetworking
import FreshetBase
package import FreshetOperations

/// The transport over Foundation's URLSession, for one base address.
package final class URLSessionTransport: UpstreamTransport {
    package let base: UpstreamBase
    private let session: URLSession
    /// Of the session's delegate; its own, so that nothing else can keep it from running.
    private let queue = DispatchQueue(label: "freshet.upstream")
    private let exchanges: SessionExchanges
    private let clock: any OperationClock

    /// The most redirects of one request.
    static let maximumRedirects = 3

    /// - Parameter maxConcurrent: Connections at most.
    package init(
        base: UpstreamBase, maxConcurrent: Int = 8,
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.base = base
        self.clock = clock
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = max(1, maxConcurrent)
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        exchanges = SessionExchanges()
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = queue
        session = URLSession(
            configuration: configuration, delegate: exchanges, delegateQueue: operations)
    }

    deinit {
        // The session keeps its delegate until then. Whatever still runs has been cancelled, or must
        // not be.
        session.finishTasksAndInvalidate()
    }

    package func send(
        _ request: UpstreamRequest
    ) async throws(UpstreamError) -> UpstreamResponse {
        let deadline = clock.now + request.timeout
        var request = request
        // From the origin on, so that a redirect may leave the base's path.
        request.path = base.path + request.path
        var redirects = 0
        while true {
            let response = try await exchange(request, deadline: deadline)
            guard [301, 302, 303, 307, 308].contains(response.status),
                request.method == "GET" || request.method == "HEAD",
                redirects < Self.maximumRedirects,
                let location = response.header("Location"),
                let path = base.redirect(from: request.path, to: location)
            else { return response }
            redirects += 1
            request.path = path
        }
    }

    private func exchange(
        _ request: UpstreamRequest, deadline: Duration
    ) async throws(UpstreamError) -> UpstreamResponse {
        if Task.isCancelled { throw .cancelled }
        guard clock.now < deadline else { throw .timeout }
        let task = session.dataTask(with: try sessionRequest(for: request))
        let exchange = SessionExchange(task, maxBody: request.maxBody)
        exchanges.add(exchange, for: task)
        let alarm = clock.schedule(at: deadline) { exchange.end(.failure(.timeout)) }
        defer {
            alarm.cancel()
            exchanges.remove(task)
        }
        return try await withTaskCancellationHandler {
            await exchange.answer()
        } onCancel: {
            exchange.end(.failure(.cancelled))
        }.get()
    }

    private func sessionRequest(
        for request: UpstreamRequest
    ) throws(UpstreamError) -> URLRequest {
        guard request.path.isEmpty || request.path.hasPrefix("/"),
            let url = URL(string: base.origin + request.path)
        else {
            throw .unreachable(.other, detail: "the path behind the base is no path")
        }
        var result = URLRequest(url: url)
        result.httpMethod = request.method
        result.httpBody = request.body.map { Data($0) }
        // Ours comes first; this one is for a task that is lost inside the session.
        let (seconds, _) = request.timeout.components
        result.timeoutInterval = Double(seconds) + 60
        for (name, value) in request.headers { result.setValue(value, forHTTPHeaderField: name) }
        return result
    }
}

/// The exchanges of one session by the number of their task.
// SAFETY: `running` is read and written under `lock` only.
private final class SessionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = Lock()
    private var running: [Int: SessionExchange] = [:]

    func add(_ exchange: SessionExchange, for task: URLSessionTask) {
        lock.withLock { running[task.taskIdentifier] = exchange }
    }

    /// Whatever the session still says of `task` is dropped from now on.
    func remove(_ task: URLSessionTask) {
        _ = lock.withLock { running.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        lock.withLock { running[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = exchange(of: dataTask)?.receive(response) ?? false
        completionHandler(goesOn ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        // The session traps where a task is cancelled between its question and our answer: whoever
        // was cancelled is not answered, and whoever is answered is not cancelled.
        let answer = SessionExchange.Answer.success(
            SessionExchange.response(of: response, body: []))
        if exchange(of: task)?.end(answer, cancelling: false) == true { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // A 401 that is whole. The session would look for a user and a password; the header fields
        // of our requests are all that there is, so the 401 is the answer.
        exchange(of: task)?.complete(nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        exchange(of: task)?.complete(error)
    }
}

/// One request on its way.
// SAFETY: all mutable state is read and written under `lock`; a task may be resumed and cancelled
// from any thread.
private final class SessionExchange: @unchecked Sendable {
    typealias Answer = Result<UpstreamResponse, UpstreamError>

    private let lock = Lock()
    private let task: URLSessionDataTask
    private let maxBody: Int
    private var head: HTTPURLResponse?
    private var body: [UInt8] = []
    private var waiting: CheckedContinuation<Answer, Never>?
    private var ended: Answer?

    init(_ task: URLSessionDataTask, maxBody: Int) {
        self.task = task
        self.maxBody = maxBody
    }

    /// Starts the exchange and waits for its end; called once.
    func answer() async -> Answer {
        await withCheckedContinuation { continuation in
            let ended: Answer? = lock.withLock {
                if self.ended == nil { waiting = continuation }
                return self.ended
            }
            if let ended {
                continuation.resume(returning: ended)
            } else {
                task.resume()
            }
        }
    }

    /// Ends the exchange with `answer`, unless it has ended; a task that goes on is cancelled.
    ///
    /// - Returns: Whether it has not ended before.
    @discardableResult
    func end(_ answer: Answer, cancelling: Bool = true) -> Bool {
        let (isFirst, continuation) = lock.withLock {
            guard ended == nil else {
                return (false, nil as CheckedContinuation<Answer, Never>?)
            }
            ended = answer
            body = []
            defer { waiting = nil }
            return (true, waiting)
        }
        guard isFirst else { return false }
        if cancelling { task.cancel() }
        continuation?.resume(returning: answer)
        return true
    }

    /// - Returns: Whether the body is wanted.
    func receive(_ response: URLResponse) -> Bool {
        guard let response = response as? HTTPURLResponse else {
            end(.failure(.unreachable(.other, detail: "the answer is no HTTP")))
            return false
        }
        lock.withLock { head = response }
        // An announced length may be that of coded content: only what arrives is counted.
        return lock.withLock { ended == nil }
    }

    func receive(_ data: Data) {
        let isTooLarge = lock.withLock {
            guard ended == nil else { return false }
            guard data.count <= maxBody - body.count else { return true }
            body.append(contentsOf: data)
            return false
        }
        if isTooLarge { end(.failure(.tooLarge(limit: maxBody))) }
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

    static func response(of head: HTTPURLResponse, body: [UInt8]) -> UpstreamResponse {
        var headers: [(String, String)] = []
        for (name, value) in head.allHeaderFields {
            if let name = name as? String, let value = value as? String {
                headers.append((name, value))
            }
        }
        return UpstreamResponse(status: head.statusCode, headers: headers, body: body)
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
