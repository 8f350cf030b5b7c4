/// Why something could not be had of an upstream.
package enum UpstreamError: Error, Sendable, Equatable {
    /// Why there was no conversation.
    package enum Reach: String, Sendable {
        case dns, refused, reset, tls
        /// The request was sent, and no answer came: whether it was carried out is not known.
        case lost
        case other
    }

    /// Why a credential does not serve; the codes of problems.
    package enum AuthCode: String, Sendable {
        case refresh = "auth-refresh"
        case loop = "auth-loop"
        case critical = "auth-critical"
    }

    /// No answer: no name, no connection, or one that broke before the answer was whole; `detail` is
    /// what the client library says of it.
    case unreachable(Reach, detail: Excerpt)
    /// No whole answer in time, the wait for a place included.
    case timeout
    /// A body over the cap; nothing of it is kept.
    case tooLarge(limit: Int)
    /// An answer that is no success: its status, its `Retry-After`, and the beginning of its text.
    case status(Int, retryAfter: Duration?, excerpt: Excerpt)
    /// A success whose content is not what the configuration says: the endpoint's name, where in
    /// the content, and what was expected.
    case shape(endpoint: String, pointer: String, detail: Excerpt)
    /// - `origin`: the failure was found by this request and not by an earlier one.
    case auth(code: AuthCode, origin: Bool, detail: String)
    /// So many requests wait for a place already; nothing was sent.
    case saturated(limit: Int)
    /// The mapping has no such call, or the call lacks a value that its path needs, or the value
    /// cannot stand in a path; nothing was sent. `name` is the parameter, nil for the call itself.
    case unaddressable(endpoint: String, name: String?, detail: String)
    /// The caller has stopped waiting for the request.
    case cancelled
}

extension UpstreamError {
    /// Whether another try may end otherwise (operations.md section 2).
    package var isRetryable: Bool {
        switch self {
        case .unreachable(let reach, _): reach != .tls && reach != .lost
        case .timeout: true
        case .status(let status, _, _): Self.isRetryable(status: status)
        case .tooLarge, .shape, .auth, .saturated, .unaddressable, .cancelled: false
        }
    }

    /// Whether what was asked for may have been done all the same.
    package var leavesUnsure: Bool {
        switch self {
        case .unreachable(let reach, _): reach == .lost || reach == .reset
        case .timeout: true
        // 503: it does nothing now.
        case .status(let status, _, _): (500...599).contains(status) && status != 503
        case .tooLarge, .shape, .auth, .saturated, .unaddressable, .cancelled: false
        }
    }

    static func isRetryable(status: Int) -> Bool {
        status == 408 || status == 425 || status == 429 || (500...599).contains(status)
    }

    /// How long the upstream asked to be left alone.
    package var retryAfter: Duration? {
        if case .status(_, let retryAfter, _) = self { retryAfter } else { nil }
    }
}

/// The errors on which a read may be answered with local data instead.
package struct FallbackErrors: Sendable, Equatable {
    package var unreachable: Bool
    package var timeout: Bool
    package var statuses: Set<Int>

    /// What the contract names: unreachable, time-out, 429, 502, 503, 504.
    package static let standard = FallbackErrors(
        unreachable: true, timeout: true, statuses: [429, 502, 503, 504])

    package init(unreachable: Bool, timeout: Bool, statuses: Set<Int>) {
        self.unreachable = unreachable
        self.timeout = timeout
        self.statuses = statuses
    }

    /// A full queue of our own counts as a 503 of the upstream.
    package func contains(_ error: UpstreamError) -> Bool {
        switch error {
        case .unreachable: unreachable
        case .timeout: timeout
        case .status(let status, _, _): statuses.contains(status)
        case .saturated: statuses.contains(503)
        case .tooLarge, .shape, .auth, .unaddressable, .cancelled: false
        }
    }
}
