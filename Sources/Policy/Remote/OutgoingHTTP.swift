import FreshetHTTPClient
import FreshetRefresh

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
        case .headTooLarge(let limit), .bodyTooLarge(let limit): self = .tooLarge(limit: limit)
        case .cancelled: self = .cancelled
        }
    }
}
