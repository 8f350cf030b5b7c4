/// Every problem that the service answers with: the stable word of `code` in problem+json.
///
/// The one place that knows statuses and public wording. A code is never renamed; its texts may
/// improve. `/problems/{code}` serves `explanation` to people.
package enum ProblemCode: String, CaseIterable, Sendable {
    // What is wrong with a request.
    case badRequest = "bad-request"
    case badJSON = "bad-json"
    case badParameter = "bad-parameter"
    case badFilter = "bad-filter"
    case queryTooComplex = "query-too-complex"
    case idMismatch = "id-mismatch"
    case notFound = "not-found"
    case unknownType = "unknown-type"
    case methodNotAllowed = "method-not-allowed"
    case unsupportedMediaType = "unsupported-media-type"
    case notAcceptable = "not-acceptable"
    case payloadTooLarge = "payload-too-large"
    case uriTooLong = "uri-too-long"
    case headersTooLarge = "headers-too-large"
    case requestTimeout = "request-timeout"
    case preconditionFailed = "precondition-failed"
    case exists
    case invalidEntity = "invalid-entity"
    case invalidSpec = "invalid-spec"
    case invalidCheck = "invalid-check"
    case idempotencyInProgress = "idempotency-in-progress"
    case idempotencyMismatch = "idempotency-mismatch"
    case notRunnable = "not-runnable"
    case queryTimeout = "query-timeout"
    case notImplemented = "not-implemented"
    case versionNotSupported = "version-not-supported"

    // Who may do it, and from where.
    case unauthenticated
    case forbidden
    case rateLimited = "rate-limited"
    case originNotAllowed = "origin-not-allowed"
    case hostNotAllowed = "host-not-allowed"
    case clusterSecret = "cluster-secret"

    // Live queries.
    case tooManyQueries = "too-many-queries"
    case tooManyLiveQueries = "too-many-live-queries"
    case tooManyResidualQueries = "too-many-residual-queries"
    case snapshotTooLarge = "snapshot-too-large"
    case tooManySessions = "too-many-sessions"

    // What stops the store.
    case storageFull = "storage-full"
    case storageFailed = "storage-failed"
    case readOnly = "read-only"
    case tooManyEntities = "too-many-entities"
    case notLeader = "not-leader"
    case logAway = "log-away"
    case logFull = "log-full"
    case replicaBehind = "replica-behind"
    case otherEpoch = "other-epoch"
    case noLeader = "no-leader"
    case leaderUnreachable = "leader-unreachable"
    case noSuccessor = "no-successor"

    // What a remote did.
    case upstreamUnreachable = "upstream-unreachable"
    case upstreamTimeout = "upstream-timeout"
    case upstreamStatus = "upstream-status"
    case upstreamShape = "upstream-shape"
    case upstreamTooLarge = "upstream-too-large"
    case authRefresh = "auth-refresh"
    case authLoop = "auth-loop"
    case authCritical = "auth-critical"
    case gated

    // What a controller of an operation says.
    case controllerFailed = "controller-failed"

    // The server itself.
    case overloaded
    case shuttingDown = "shutting-down"
    case recovering
    case `internal`

    /// The HTTP status, where the handler names no other.
    package var status: Int { entry.status }

    /// A short sentence that is the same for every occurrence (RFC 9457, section 3.1.3).
    package var title: StaticString { entry.title }

    /// What to do about it, in one sentence, where the handler knows nothing better.
    package var hint: StaticString { entry.hint }

    /// What it means and what to do, for people: plain text, paragraphs divided by empty lines.
    package var explanation: StaticString { entry.explanation }

    /// The relative reference that `type` and links use.
    package var path: String { "/problems/\(rawValue)" }
}

/// The texts of one code.
struct ProblemEntry {
    let status: Int
    let title: StaticString
    let hint: StaticString
    let explanation: StaticString

    init(
        _ status: Int, _ title: StaticString, hint: StaticString, _ explanation: StaticString
    ) {
        self.status = status
        self.title = title
        self.hint = hint
        self.explanation = explanation
    }
}
