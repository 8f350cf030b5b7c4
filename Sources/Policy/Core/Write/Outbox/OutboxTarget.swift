import FreshetRefresh
package import FreshetRemote

/// Where the changes of a type's entities go.
package struct OutboxTarget: Sendable {
    package var source: any RemoteSource
    /// What the remote has a request for.
    package var operations: Set<OutboxEntry.Operation>
    /// Named endpoints that a write may go to in place of these.
    package var endpoints: [String: RemoteMapping.Call]
    /// Whether a change that the remote refuses is taken back here.
    package var revertsRejected: Bool
    /// How often, and after which pauses, a failed try is repeated.
    package var retry: RetryPolicy

    /// As the contract says where an upstream has no policy of its own.
    package static let standardRetry = RetryPolicy(limit: 8)

    package init(
        _ source: any RemoteSource,
        operations: Set<OutboxEntry.Operation> = Set(OutboxEntry.Operation.allCases),
        endpoints: [String: RemoteMapping.Call] = [:], revertsRejected: Bool = false,
        retry: RetryPolicy = standardRetry
    ) {
        self.source = source
        self.operations = operations
        self.endpoints = endpoints
        self.revertsRejected = revertsRejected
        self.retry = retry
    }

    /// An entity that is new is put where there is no request for creating.
    package func sent(_ operation: OutboxEntry.Operation) -> OutboxEntry.Operation {
        operation == .create && !operations.contains(.create) ? .update : operation
    }

    /// What becomes of an entry after a failed try.
    enum Verdict: Equatable {
        /// The write is done; what came with the answer cannot be read.
        case done
        case rejected
        case again(after: Duration)
        case dead
    }

    /// - Parameters:
    ///   - attempts: Tries so far, this one included.
    ///   - random: From 0 to below 1.
    func verdict(on error: UpstreamError, attempts: Int, random: Double) -> Verdict {
        switch error {
        case .shape, .tooLarge: return .done
        case .unaddressable: return .rejected
        case .status where !error.isRetryable: return .rejected
        case .unreachable, .timeout, .status, .auth, .saturated, .cancelled: break
        }
        // The pause of a time-out is that of all; what the upstream asks for is looked at here.
        guard
            let pause = retry.pause(after: .timeout, repeats: attempts - 1, random: random)
        else { return .dead }
        return .again(after: max(pause, error.retryAfter ?? .zero))
    }
}

extension OutboxEntry.Fault {
    init(_ error: UpstreamError) {
        switch error {
        case .unreachable(let reach, let detail):
            self.init(
                code: "upstream-unreachable", detail: "\(reach.rawValue): \(detail)")
        case .timeout:
            self.init(code: "upstream-timeout", detail: "no answer in time")
        case .tooLarge(let limit):
            self.init(
                code: "upstream-too-large", detail: "the answer has more than \(limit) bytes")
        case .status(let status, _, let excerpt):
            self.init(code: "upstream-status", detail: excerpt.text, status: status)
        case .shape(let endpoint, let pointer, let detail):
            self.init(code: "upstream-shape", detail: "\(endpoint) at '\(pointer)': \(detail)")
        case .auth(let code, _, let detail):
            self.init(code: code.rawValue, detail: detail)
        case .saturated(let limit):
            self.init(code: "overloaded", detail: "\(limit) requests wait for the upstream")
        case .unaddressable(let endpoint, _, let detail):
            self.init(code: "bad-request", detail: "\(endpoint): \(detail)")
        case .cancelled:
            self.init(code: "shutting-down", detail: "the request was given up")
        }
    }
}
