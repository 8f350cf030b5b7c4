import FreshetBase
import FreshetHTTP
import FreshetHTTPServer

// Problems told as events: a browser's EventSource comes back after an answer that ended, and gives up
// for ever on any status but 200. So what will pass is told on a stream that ends at once; what will
// not keeps its status.

extension ProblemCode {
    /// Whether the same request may be answered in a while.
    var isTransient: Bool {
        switch self {
        case .overloaded, .recovering, .shuttingDown, .notLeader, .logAway, .noLeader,
            .leaderUnreachable, .replicaBehind:
            true
        default: false
        }
    }
}

extension Reply {
    /// Whether `problem` is to be told as events.
    func tellsAsEvents(
        _ problem: Problem, to request: borrowing Request, _ response: borrowing ResponseWriter
    ) -> Bool {
        problem.code.isTransient && !response.isHead && request.acceptedMedia.prefersEventStream
    }

    /// Answers 200 with `retry`, the problem as `fault`, and `bye`.
    func answer(asEvents problem: Problem, _ response: inout ResponseWriter) {
        beginEvents(&response)
        response.beginBody()
        LiveEventEncoder.retry(into: &response.body)
        LiveEventEncoder.fault(problem, query: nil, isFinal: false, into: &response.body)
        let reason =
            switch problem.code {
            case .shuttingDown: "shutdown"
            case .replicaBehind: "moved"
            default: "overloaded"
            }
        LiveEventEncoder.interruption(reason, into: &response.body)
        response.endBody()
    }
}
