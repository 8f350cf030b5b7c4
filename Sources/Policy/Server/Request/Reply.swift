import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetStore

extension ReplicaStore.Lag {
    /// What `Freshet-Lag` says: milliseconds, or `unknown`.
    var text: String {
        switch self {
        case .known(let silence): "\(silence.wholeMilliseconds)"
        case .unknown: "unknown"
        }
    }
}

/// What every answer to one request carries, kept apart from the request, which is gone by the time
/// that a detached answer is written.
struct Reply: Sendable {
    let requestID: RequestID
    /// The request's origin, where the configuration allows it to read answers.
    let allowedOrigin: String?
    /// Whether another origin might get another answer, as soon as the configuration names any: a
    /// cache must not hand this one on.
    let variesByOrigin: Bool
    /// The state that the answer was judged by, which `Freshet-Cursor` names.
    enum Judged {
        /// It says nothing of entities.
        case byNone
        /// At least this one: nothing that was judged by an earlier one is shown.
        case by(Cursor)
        /// The one at the time of the answer: a refused write was judged by it or an earlier one.
        case byNow(any EntityStore)
    }

    var judged = Judged.byNone
    /// Whose answer it is, of several servers over one log.
    var replica: ReplicaStore?
    /// Another server of the cluster was sent the request and may have done it.
    var isUnsure = false
    /// Whether it shows what the caller's rights let through, and nothing that was done.
    var isOfRights = false
    /// Who asked; nil where everybody may do everything, and for another server.
    var caller: Caller?
    /// Another server of the cluster asks, and has proved it.
    var isServer = false

    /// What the core may show and take; nil: everything.
    var rights: AccessRights? { caller?.rights }

    private static func write(_ cursor: Cursor, _ response: inout ResponseWriter) {
        cursor.withText { response.header("Freshet-Cursor", trusted: $0) }
    }

    /// A reply of the same kind that was judged by `cursor`.
    func at(_ cursor: Cursor) -> Reply {
        var reply = self
        reply.judged = .by(cursor)
        return reply
    }

    /// Begins the answer with the headers that are on all of them.
    func begin(_ status: Int, _ response: inout ResponseWriter) {
        response.begin(status)
        requestID.append(to: &response)
        switch judged {
        case .byNone: break
        case .by(let cursor): Self.write(cursor, &response)
        case .byNow(let store): Self.write(store.cursor, &response)
        }
        if let lag = replica?.lag { response.header("Freshet-Lag", text: lag.text) }
        if caller != nil { response.header("Vary", "Authorization") }
        if variesByOrigin { response.header("Vary", "Origin") }
        guard let allowedOrigin else { return }
        response.header("Access-Control-Allow-Origin", text: allowedOrigin)
        response.header(
            "Access-Control-Expose-Headers",
            text:
                "ETag, Location, Link, Freshet-Changed, Freshet-Cursor, Freshet-Durability, "
                + "Freshet-Total, Freshet-Source, Freshet-Refresh, Freshet-Degraded, "
                + "Freshet-Lag, Age, X-Request-Id, Retry-After, Server-Timing")
    }

    /// Begins an answer of JSON.
    ///
    /// - Parameters:
    ///   - isKept: A cache may keep it.
    ///   - varies: The same address gives events to who asks for them.
    func beginJSON(
        _ response: inout ResponseWriter, status: Int = 200, isKept: Bool = true,
        varies: Bool = false
    ) {
        begin(status, &response)
        response.header("Content-Type", "application/json")
        if !isKept { response.header("Cache-Control", "no-store") }
        if varies { response.header("Vary", "Accept") }
    }

    /// Answers with 204.
    func empty(_ response: inout ResponseWriter) {
        begin(204, &response)
        response.end()
    }

    /// Answers with the JSON that `encode` writes, and a newline.
    func json(
        _ response: inout ResponseWriter, status: Int = 200, isKept: Bool = true,
        varies: Bool = false, _ encode: (inout ByteBuffer) -> Void
    ) {
        beginJSON(&response, status: status, isKept: isKept, varies: varies)
        response.beginBody()
        encode(&response.body)
        response.body.append("\n")
        response.endBody()
    }

    /// Answers with `problem`, in place of whatever was begun.
    ///
    /// - Parameters:
    ///   - allowed: What the path allows, for 405.
    ///   - headers: Writes header fields of the answer's own.
    func fail(
        _ problem: Problem, allowing allowed: MethodSet? = nil, _ response: inout ResponseWriter,
        headers: (inout ResponseWriter) -> Void = { _ in }
    ) {
        let problem = isUnsure ? problem.asUnsure : problem
        response.restart()
        begin(problem.status, &response)
        response.header("Content-Type", Problem.mediaType)
        if let allowed { response.header("Allow", text: allowed.text) }
        if let seconds = problem.retryAfter {
            response.header("Retry-After", decimal: seconds)
        } else if problem.endsSoon {
            response.header("Retry-After", "1")
        }
        if problem.code == .notLeader, let leader = problem.text(named: "leader") {
            response.header("Location", text: leader)
        }
        if problem.status == 401 {
            response.header(
                "WWW-Authenticate",
                problem.hasToken ? "Bearer error=\"invalid_token\"" : "Bearer")
        }
        headers(&response)
        response.beginBody()
        problem.encode(requestId: requestID.text, into: &response.body)
        response.endBody()
    }
}
