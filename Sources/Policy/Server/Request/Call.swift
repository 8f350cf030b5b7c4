import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON

/// One request on its way to its handler: lent for the duration of a call, as the request is.
struct Call: ~Copyable {
    let request: Request
    /// What its loop has parsed of it, and has at hand.
    let context: LoopContext
    /// What its answer carries; a closure that answers later takes it along.
    var reply: Reply

    /// Refuses parameters, and a caller who takes no JSON.
    borrowing func checkPlainJSON() throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
    }

    /// Whether `live=1` or the media that is accepted asks for events.
    borrowing func wantsEvents() throws(Problem) -> Bool {
        switch try context.onlyParameters("live")["live"] {
        case nil: request.acceptedMedia.prefersEventStream
        case "1": true
        default: throw .badParameter("live", "'live' is 1 here, or snapshot or delta for rows")
        }
    }

    /// Whether the answer is to be an event stream, of whatever kind.
    borrowing func asksStream() -> Bool {
        request.method == .get
            && (request.acceptedMedia.prefersEventStream || context.parameterNames.contains("live"))
    }

    /// Whether what has events of its own (`live=1`, or `Accept` alone) is asked as rows.
    borrowing func asksRows() -> Bool { context.hasParametersOfRows }
}

extension JSONValue {
    /// Reads the body of a request.
    init(
        body: UnsafeRawBufferPointer, depthLimit: Int = JSONScanner.frameDepth
    ) throws(Problem) {
        do { self = try .parse(body, depthLimit: depthLimit) } catch { throw Problem(error) }
    }
}
