package import FreshetHTTPClient
package import FreshetRefresh

/// Requests to one base address, by the process's outgoing client.
package struct HTTPTransport: UpstreamTransport {
    let base: UpstreamBase
    private let route: HTTPRoute
    private let clock: any OperationClock

    package init(
        base: UpstreamBase, route: HTTPRoute = HTTPRoute(),
        clock: any OperationClock = SystemOperationClock()
    ) {
        self.base = base
        self.route = route
        self.clock = clock
    }

    package func send(
        _ request: UpstreamRequest
    ) async throws(UpstreamError) -> UpstreamResponse {
        let client = try OutgoingHTTP.get().requests
        return try await OutgoingHTTP.follow(request, from: base, clock) {
            ($0.status, $0.header("Location"))
        } exchange: { (path, deadline) async throws(UpstreamError) -> UpstreamResponse in
            try await exchange(request, path, client, until: deadline)
        }
    }

    private func exchange(
        _ request: UpstreamRequest, _ path: String, _ client: HTTPClient, until deadline: Duration
    ) async throws(UpstreamError) -> UpstreamResponse {
        let receiver = AnswerReceiver(request)
        let transfer = submit(request, path: path, client: client, receiver: receiver)
        // A caller that gives up is answered at once; the transfer ends later.
        let alarm = clock.schedule(at: deadline) {
            receiver.answer.fulfil(.failure(.timeout))
            transfer.cancel(.timeout)
        }
        defer { alarm.cancel() }
        return try await withTaskCancellationHandler {
            await receiver.answer.value()
        } onCancel: {
            receiver.answer.fulfil(.failure(.cancelled))
            transfer.cancel()
        }.get()
    }

    private func submit(
        _ request: UpstreamRequest, path: String, client: HTTPClient,
        receiver: AnswerReceiver
    ) -> HTTPTransfer {
        var call = HTTPCall(request, to: path, of: base, by: route)
        call.bodyLimit = request.maxBody
        return client.submit(call, receiver)
    }
}

/// Takes one whole answer.
// SAFETY: `response` belongs to the client's thread; the promise hands a copy over.
private final class AnswerReceiver: HTTPReceiver, @unchecked Sendable {
    let answer = Promise<Result<UpstreamResponse, UpstreamError>>()
    private let request: UpstreamRequest
    private var response = UpstreamResponse(status: 0)

    init(_ request: UpstreamRequest) {
        self.request = request
    }

    func head(_ head: HTTPHead) {
        response.status = head.status
        response.headers = head.fields.map { ($0.name, $0.value) }
    }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        response.body.append(contentsOf: bytes)
        return true
    }

    func finish(_ fault: HTTPFault?) {
        switch fault {
        // What says no has said it with its head, however much more it says.
        case .bodyTooLarge where response.status >= 300, nil: answer.fulfil(.success(response))
        case let fault?: answer.fulfil(.failure(UpstreamError(fault, of: request)))
        }
        response.body = []
    }
}

/// The process's outgoing HTTP: one client for requests and one for streams, so that bodies which
/// arrive without an end do not make answers wait.
///
/// Made when it is first needed; its two threads live as long as the process, which ends without
/// taking leave of libcurl: a name look-up that hangs would be waited for.
package struct OutgoingHTTP: Sendable {
    let requests: HTTPClient
    let streams: HTTPClient

    /// The process's, or the sentence that says what is missing.
    private static let shared: Result<OutgoingHTTP, CurlMissing> = Result {
        () throws(CurlMissing) -> OutgoingHTTP in
        OutgoingHTTP(
            requests: try HTTPClient(label: "freshet.requests"),
            streams: try HTTPClient(label: "freshet.streams"))
    }

    /// What this machine lacks for it, in a sentence.
    package static var lack: String? {
        switch shared {
        case .success: nil
        case .failure(let missing): missing.description
        }
    }

    /// What this machine's libcurl does worse than others, in a sentence.
    package static var weakness: String? {
        switch shared {
        case .success(let outgoing): outgoing.requests.weakness
        case .failure: nil
        }
    }

    /// - Throws: `.unreachable`, whose detail says what is missing.
    static func get() throws(UpstreamError) -> OutgoingHTTP {
        do throws(CurlMissing) {
            return try shared.get()
        } catch {
            throw .unreachable(.other, detail: Excerpt(own: error.description))
        }
    }

    /// The most redirects of one request.
    private static let maximumRedirects = 3

    /// Makes exchanges until one is no redirect within the origin of `base`, or the request's time is
    /// up.
    ///
    /// A redirect elsewhere stays the answer: our header fields are for the origin alone. Only what
    /// asks and changes nothing is led on.
    ///
    /// - Parameter exchange: Sends the request to a path from the origin on, until the instant at
    ///   which it is given up.
    static func follow<Answer>(
        _ request: UpstreamRequest, from base: UpstreamBase, _ clock: any OperationClock,
        head: (Answer) -> (status: Int, location: String?),
        exchange: (_ path: String, _ deadline: Duration) async throws(UpstreamError) -> Answer
    ) async throws(UpstreamError) -> Answer {
        let deadline = clock.now + request.timeout
        var path = base.path + request.path
        var redirects = 0
        while true {
            if Task.isCancelled { throw .cancelled }
            guard clock.now < deadline else { throw .timeout }
            let answer = try await exchange(path, deadline)
            let (status, location) = head(answer)
            guard request.method == "GET" || request.method == "HEAD",
                redirects < maximumRedirects, [301, 302, 303, 307, 308].contains(status),
                let location, let target = base.redirect(from: path, to: location)
            else { return answer }
            redirects += 1
            path = target
        }
    }
}

extension HTTPCall {
    /// - Parameter path: From the origin on.
    init(_ request: UpstreamRequest, to path: String, of base: UpstreamBase, by route: HTTPRoute) {
        var fields: [(name: String, value: String)] = []
        fields.reserveCapacity(request.headers.count)
        for (name, value) in request.headers {
            fields.removeAll { HeaderName.areSame($0.name, name) }
            fields.append((name, value))
        }
        self.init(
            method: request.method, url: base.origin + (path.isEmpty ? "/" : path),
            fields: fields, body: request.body)
        if request.isRepeatable { isRepeatable = true }
        self.route = route
    }
}

extension UpstreamError {
    /// - Parameter request: The one that failed so.
    init(_ fault: HTTPFault, of request: UpstreamRequest) {
        switch fault {
        case .unreachable(let reason, let detail):
            let reach: Reach =
                switch reason {
                case .dns: .dns
                case .refused: .refused
                case .tls: .tls
                case .reset: .reset
                case .lost: .lost
                case .other: .other
                }
            self = .unreachable(
                reach, detail: Excerpt(of: Array(detail.utf8), masking: request.mask()))
        case .timeout: self = .timeout
        // What came before the answer's own head says nothing of a change that was asked for.
        case .headTooLarge(let limit, let status) where status < 200 && !request.isQuestion:
            self = .unreachable(
                .lost, detail: Excerpt(own: "more than \(limit) bytes came before an answer"))
        // What is known of a head without an end is its first line.
        case .headTooLarge(let limit, let status) where status >= 300:
            self = .status(
                status, retryAfter: nil,
                excerpt: Excerpt(own: "the head of the answer has more than \(limit) bytes"))
        case .headTooLarge(let limit, _), .bodyTooLarge(let limit): self = .tooLarge(limit: limit)
        case .cancelled: self = .cancelled
        }
    }
}
