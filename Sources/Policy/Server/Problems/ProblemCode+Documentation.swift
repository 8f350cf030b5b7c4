extension ProblemCode {
    /// Where the documentation speaks of what the code is about: a page, maybe a heading of it.
    var documentation: StaticString {
        switch self {
        case .badFilter: "/docs/filter#when-it-is-wrong"
        case .queryTooComplex: "/docs/filter#grammar"
        case .badParameter: "/docs/parameters"
        case .badRequest, .notFound, .methodNotAllowed, .notAcceptable, .uriTooLong,
            .headersTooLarge, .requestTimeout, .versionNotSupported, .notImplemented:
            "/docs/http"
        case .badJSON, .idMismatch, .unsupportedMediaType:
            "/docs/writing#what-a-document-may-be"
        case .preconditionFailed, .exists: "/docs/writing#do-not-overwrite-others"
        case .idempotencyInProgress, .idempotencyMismatch: "/docs/writing#repeat-safely"
        case .unknownType, .invalidEntity: "/docs/types"
        case .invalidSpec: "/docs/conditions#what-a-specification-can-say"
        case .invalidCheck: "/docs/access#who-may-do-what"
        case .payloadTooLarge, .tooManyEntities: "/docs/limits"
        case .queryTimeout: "/docs/types#indexes"
        case .unauthenticated, .forbidden, .rateLimited: "/docs/access#the-rules"
        case .originNotAllowed, .hostNotAllowed: "/docs/access#browsers-and-names"
        case .tooManyQueries, .tooManyLiveQueries, .tooManyResidualQueries, .snapshotTooLarge,
            .tooManySessions:
            "/docs/live#limits"
        case .storageFull: "/docs/durability#how-files-grow-and-shrink"
        case .storageFailed, .readOnly: "/docs/backup#when-the-disk-has-failed"
        case .upstreamUnreachable, .upstreamTimeout, .upstreamStatus, .upstreamShape,
            .upstreamTooLarge:
            "/docs/remotes"
        case .authRefresh, .authLoop, .authCritical: "/docs/credentials#oauth-2"
        case .gated, .notRunnable: "/docs/operations#when-it-runs"
        case .controllerFailed: "/docs/operations"
        case .replicaBehind, .otherEpoch: "/docs/durability#reading-what-was-written"
        case .notLeader, .logAway, .logFull, .noLeader, .leaderUnreachable, .noSuccessor,
            .clusterSecret:
            "/docs/cluster"
        case .overloaded, .shuttingDown, .recovering, .internal:
            "/docs/symptoms"
        }
    }
}
