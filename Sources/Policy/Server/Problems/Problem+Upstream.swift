import FreshetBase
import FreshetCore
import FreshetRemote
import FreshetStore

// What a remote's failure is called. Of the remote's own words, and of what libcurl says of the way to
// it, only an `Excerpt` is shown.

extension Problem {
    init(_ failure: FetchFailure) {
        switch failure {
        case .upstream(let error, let name): self.init(error, of: name)
        case .store(let outcome, _):
            self =
                Problem(outcome, in: .whole)
                ?? Problem(.internal, "what the remote answered could not be stored")
        case .unkept(let outcome, let name): self.init(unkept: outcome, by: name)
        case .gated(_, _, nil): self = .behindOutbox
        case .gated(let gate, _, let operation?): self = .gated(gate, of: operation)
        case .stopping: self = .stopping
        }
    }

    /// Why the answer of the upstream `name`, which has done what it was asked for, is not kept here.
    init(unkept outcome: WriteOutcome, by name: String) {
        self =
            Problem(outcome, in: .whole)?.asUnsure
            ?? Problem(.internal, "the write has no outcome")
        detail = "the upstream '\(name)' has done it, and its answer is not kept here: \(detail)"
        hint = "get the entity with source=remote; the same write asks the upstream again"
    }

    /// - Parameter name: The upstream's, as the configuration calls it.
    init(_ error: UpstreamError, of name: String) {
        let upstream = Member.text("upstream", name)
        switch error {
        case .unreachable(let reach, let detail):
            let words = detail.isEmpty ? "" : " (\(detail))"
            self.init(
                .upstreamUnreachable,
                "the upstream '\(name)' cannot be reached: \(reach.sentence)\(words)",
                members: [upstream, .text("reason", reach.rawValue)])
        case .timeout:
            self.init(
                .upstreamTimeout, "the upstream '\(name)' did not answer in time",
                members: [upstream])
        case .tooLarge(let limit):
            self.init(
                .upstreamTooLarge, "the upstream '\(name)' sent more than \(limit) bytes",
                members: [upstream, .number("limit", limit)])
        case .status(let status, let retryAfter, let excerpt):
            var members = [upstream, Member.number("upstreamStatus", status)]
            if !excerpt.isEmpty { members.append(.text("excerpt", excerpt.text)) }
            self.init(
                .upstreamStatus, "the upstream '\(name)' answered with status \(status)",
                members: members)
            if let retryAfter { self.retryAfter = max(1, Int(retryAfter / .seconds(1))) }
        case .shape(let endpoint, let pointer, let detail):
            self.init(
                .upstreamShape,
                "the upstream '\(name)' did not answer '\(endpoint)' as declared: expected \(detail)"
                    + (pointer.isEmpty ? "" : " at \(pointer)"),
                errors: [Fault(pointer: pointer, code: "shape", detail: detail.text)],
                members: [upstream, .text("endpoint", endpoint)])
        case .auth(let code, let origin, let detail):
            self.init(
                ProblemCode(code), detail,
                members: [upstream, .json("origin", Array((origin ? "true" : "false").utf8))])
        case .saturated:
            self.init(
                .overloaded, "too many requests wait for the upstream '\(name)'",
                members: [upstream])
        case .unaddressable(let endpoint, let parameter, let detail):
            let place = parameter.map { "endpoint.\($0)" } ?? "endpoint"
            self.init(
                .badParameter, detail,
                errors: [Fault(parameter: place, code: "bad-parameter", detail: detail)],
                members: [upstream, .text("endpoint", endpoint)])
        case .cancelled:
            self.init(
                .overloaded, "the request to the upstream '\(name)' was given up",
                members: [upstream])
        }
    }
}

extension UpstreamError.Reach {
    fileprivate var sentence: String {
        switch self {
        case .dns: "its name is not known"
        case .refused: "it refuses connections"
        case .reset: "the connection broke"
        case .tls: "no secure connection could be made"
        case .lost: "it took the request and did not answer; whether it was done is not known"
        case .other: "no connection or answer of it was in order"
        }
    }
}
