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
        case .overloaded, .recovering, .shuttingDown: true
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
        begin(200, &response)
        response.header("Content-Type", "text/event-stream")
        response.header("Cache-Control", "no-store")
        response.header("X-Accel-Buffering", "no")
        response.header("Vary", "Accept")
        response.beginBody()
        EventStreamEncoder.retry(
            milliseconds: Int.random(in: 1000...3000), into: &response.body)
        LiveEvents.fault(problem, query: nil, isFinal: false, into: &response.body)
        LiveEvents.bye(
            problem.code == .shuttingDown ? "shutdown" : "overloaded", reconnects: true,
            after: Int.random(in: 500...5500), into: &response.body)
        response.endBody()
    }
}
