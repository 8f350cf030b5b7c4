// The catalogue: one entry for each code, in the order of the contract's table of errors.

extension ProblemCode {
    var entry: ProblemEntry {
        switch self {
        case .badRequest, .badJSON, .badParameter, .badFilter, .queryTooComplex, .idMismatch,
            .notFound, .unknownType, .methodNotAllowed, .unsupportedMediaType, .notAcceptable:
            questionEntry
        case .payloadTooLarge, .uriTooLong, .headersTooLarge, .requestTimeout,
            .preconditionFailed, .exists, .invalidEntity, .invalidSpec, .invalidCheck,
            .idempotencyInProgress, .idempotencyMismatch, .notRunnable, .queryTimeout,
            .notImplemented, .versionNotSupported:
            limitEntry
        case .unauthenticated, .forbidden, .rateLimited, .originNotAllowed, .hostNotAllowed,
            .clusterSecret, .tooManyQueries, .tooManyLiveQueries, .tooManyResidualQueries,
            .snapshotTooLarge,
            .tooManySessions:
            accessEntry
        case .storageFull, .storageFailed, .readOnly, .tooManyEntities, .notLeader, .logAway,
            .logFull, .replicaBehind, .otherEpoch, .noLeader, .leaderUnreachable, .noSuccessor,
            .overloaded,
            .shuttingDown, .recovering, .internal:
            serverEntry
        case .upstreamUnreachable, .upstreamTimeout, .upstreamStatus, .upstreamShape,
            .upstreamTooLarge, .authRefresh, .authLoop, .authCritical, .gated, .controllerFailed:
            remoteEntry
        }
    }

    /// What cannot be understood, or is not there.
    private var questionEntry: ProblemEntry {
        switch self {
        case .badJSON:
            ProblemEntry(
                400, "The body is not valid JSON.",
                hint: "Correct the JSON at the byte offset that the error names.",
                """
                The body breaks a rule of RFC 8259, or one that this service adds: no member name \
                twice in one object, no lone surrogate in a string, at most 64 levels of nesting.

                The error's offset counts bytes of the body from 0 and names the first byte that \
                does not fit. Every program that reads JSON strictly will refuse the same body.
                """)
        case .badParameter:
            ProblemEntry(
                400, "A query parameter is not understood.",
                hint: "Correct or leave out the parameter that the error names.",
                """
                A parameter of the URL is unknown on this route, stands there twice, or has a \
                value that it cannot have. The error names the parameter.

                Unknown parameters are refused and not ignored, so that a misspelt filter never \
                answers with everything. In a filter write and in place of &&, or encode it as \
                %26%26: a bare & begins the next parameter.
                """)
        case .badFilter:
            ProblemEntry(
                400, "The filter expression has a syntax error.",
                hint: "Correct the filter at the offset that the error names.",
                """
                The filter could not be read. The error's offset counts UTF-8 bytes of the \
                decoded filter text from 0, and its detail says what was expected there; in a \
                filter that is JSON a pointer says where.

                Examples: done==false and priority>2, status in ("open","new"), \
                startsWith(title,"lib"), not exists(owner). Text stands in quotes; names with \
                unusual characters stand in backquotes.
                """)
        case .queryTooComplex:
            ProblemEntry(
                400, "The query is larger than this service evaluates.",
                hint:
                    "Make the filter smaller: 64 levels, 1,000 nodes, 10,000 list values, 16 KiB.",
                """
                A filter may be 64 levels deep, have 1,000 nodes (tests, and, or, not), lists of \
                10,000 values and 16 KiB of text. An include that leads to too many relationships \
                or levels is answered so as well, with 422. The bounds keep one request from \
                holding up all others.

                A long list of alternatives for one property is cheaper as one list: \
                status in ("a","b","c"). Many ids are best asked for with the parameter ids.
                """)
        case .idMismatch:
            ProblemEntry(
                422, "The id in the body differs from the id in the path.",
                hint: "Leave the id out of the body, or make both the same.",
                """
                An entity is stored under the id of the path. A body may repeat it, and then both \
                must be the same identifier; 7 and "7" are.
                """)
        case .notFound:
            ProblemEntry(
                404, "There is nothing at this address.",
                hint: "Look at GET /v1 for the types and the links to everything else.",
                """
                No entity has this id in this type, or no resource has this path.

                GET /v1 lists the types and links to everything that the service offers. In a \
                path an id is percent-encoded; a slash inside an id is %2F.
                """)
        case .unknownType:
            ProblemEntry(
                404, "The type is not declared.",
                hint: "Use a declared type, or declare this one in the configuration.",
                """
                The configuration allows declared types only ("strict": true) and this one is not \
                among them. GET /v1/_types lists those that are.
                """)
        case .methodNotAllowed:
            ProblemEntry(
                405, "The resource does not know this method.",
                hint: "Use one of the methods that the header Allow lists.",
                """
                The path is right and the method is not. The answer's header Allow lists the \
                methods that the resource understands.
                """)
        case .unsupportedMediaType:
            ProblemEntry(
                415, "The body's media type is not understood.",
                hint: "Send JSON with Content-Type: application/json; with curl use --json.",
                """
                Bodies are JSON: application/json, application/merge-patch+json for PATCH, \
                application/x-ndjson where many entities are sent. Compressed bodies are not \
                accepted.

                curl -d sends a form body without being asked to. Use curl --json, or add \
                -H 'Content-Type: application/json'.
                """)
        case .notAcceptable:
            ProblemEntry(
                406, "No form of the answer suits the header Accept.",
                hint: "Leave Accept out, or name a form that the detail says the answer has.",
                """
                The resource has no representation that the request's Accept header allows. Data \
                is served as application/json, searches and entities as text/event-stream, too.
                """)
        default:
            ProblemEntry(
                400, "The request is malformed.",
                hint: "Correct what the detail names, and send the request again.",
                """
                The request breaks a rule of HTTP/1.1 (RFC 9112) or of this API. Where the end of \
                the request can no longer be told for certain, the connection is closed after the \
                answer.
                """)
        }
    }

    /// What is too large, too late, or in conflict.
    private var limitEntry: ProblemEntry {
        switch self {
        case .payloadTooLarge:
            ProblemEntry(
                413, "The body or an entity in it is too large.",
                hint: "Send less in one request, or raise the limit in the configuration.",
                """
                A body may have 16 MiB and an entity 1 MiB unless the configuration says otherwise \
                (limits.body and limits.document). Send many entities in several requests; \
                freshet import does that by itself.
                """)
        case .uriTooLong:
            ProblemEntry(
                414, "The request line is too long.",
                hint: "Send the query as a JSON body: POST /v1/{type}/_search.",
                """
                The first line of a request may have 8 KiB. A long query goes into the body of \
                POST /v1/{type}/_search, which means the same.
                """)
        case .headersTooLarge:
            ProblemEntry(
                431, "The header section is too large.",
                hint: "Send fewer or shorter headers: at most 100 and 32 KiB.",
                """
                All headers of a request together may have 32 KiB and there may be 100 of them. \
                Large cookies of other services on the same host name are a frequent reason.
                """)
        case .requestTimeout:
            ProblemEntry(
                408, "The request did not arrive in time.",
                hint: "Send the request again, without long pauses.",
                """
                The head of a request must arrive within 10 seconds and its body at a rate of at \
                least 1 KB a second after a grace of 10 seconds. The connection was closed.
                """)
        case .preconditionFailed:
            ProblemEntry(
                412, "The entity is not in the state that the request requires.",
                hint: "Read the entity again, apply the change to it, and send its new ETag.",
                """
                If-Match named another revision than the current one, or If-None-Match: * met an \
                entity that exists. Nothing was written. The member current of the problem has \
                the entity as it is now.
                """)
        case .exists:
            ProblemEntry(
                409, "An entity with this id exists already.",
                hint: "Use PUT to replace it, or leave the id out to have one made.",
                """
                POST creates and never replaces. PUT /v1/{type}/{id} replaces; POST without an id \
                lets the service make a new one.
                """)
        case .invalidEntity:
            ProblemEntry(
                422, "The entity does not fit the schema of its type.",
                hint: "Correct the members that the errors name.",
                """
                Each error has a JSON pointer (RFC 6901) into the entity, a short code and a \
                sentence. All faults are told at once, up to 100. Nothing was written. GET \
                /v1/_types/{type} shows the schema.
                """)
        case .invalidSpec:
            ProblemEntry(
                422, "The run specification cannot be used.",
                hint: "Correct what the errors name.",
                """
                A run specification is true, false, or an object with exactly one member, such as \
                {"condition": "maintenance"} or {"and": [...]}. It nests at most 16 levels deep and \
                has at most 256 nodes, and every name in it is declared in the configuration. Each \
                error has a JSON pointer (RFC 6901) into the body. All faults are told at once, up \
                to 100.
                """)
        case .invalidCheck:
            ProblemEntry(
                422, "The question of who may do what cannot be answered.",
                hint: "Correct what the errors name.",
                """
                POST /v1/_access/check takes {"token": "ci", "do": "read", "type": "task"}, with \
                "id" or "entity" where it is about one entity. token is the name of a token, or \
                null for a caller without one; do is read, write or remove. Each error has a JSON \
                pointer (RFC 6901) into the body.
                """)
        case .idempotencyInProgress:
            ProblemEntry(
                409, "A request with the same Idempotency-Key is still running.",
                hint: "Wait for its answer, or repeat the request a little later.",
                """
                A repeat of a finished request gets the first answer again. This one has not \
                finished yet, so there is no answer to repeat.
                """)
        case .idempotencyMismatch:
            ProblemEntry(
                422, "The Idempotency-Key was used with another body.",
                hint: "Use a new key for each new request.",
                """
                A key names one request for 24 hours. The same key with another body would make it \
                unclear which of the two was meant, so the second is refused.
                """)
        case .notRunnable:
            ProblemEntry(
                409, "The operation has nothing to run.",
                hint: "Declare what it asks, a remote or pages, or ask another operation.",
                """
                A run asks the remote of the operation's type. This operation has none that it \
                could ask, or has no pages to fetch; its value may come from its controllers.
                """)
        case .queryTimeout:
            ProblemEntry(
                503, "The query took too long.",
                hint: "Narrow the filter, or declare an index on what it compares.",
                """
                A query may take 5 seconds unless the configuration says otherwise \
                (limits.queryTimeout). An index on the properties that the filter compares makes \
                it fast; explain=true shows which index a query uses.
                """)
        case .versionNotSupported:
            ProblemEntry(
                505, "The HTTP version is not supported.",
                hint: "Use HTTP/1.1.",
                """
                The service speaks HTTP/1.1 and HTTP/1.0. A proxy in front of it can offer others.
                """)
        default:
            ProblemEntry(
                501, "This version does not do that yet.",
                hint: "Leave it out; the detail names what is missing.",
                """
                The request is right by the contract, but this version of the service lacks the \
                part that would answer it. It says so rather than answer something wrong.
                """)
        }
    }

    /// Who may do it, and from where.
    private var accessEntry: ProblemEntry {
        switch self {
        case .unauthenticated:
            ProblemEntry(
                401, "The request needs a valid token.",
                hint: "Send Authorization: Bearer with a token that is valid.",
                """
                The request has no token, or one that is unknown, expired or revoked. The answer \
                does not tell these cases apart on purpose.
                """)
        case .rateLimited:
            ProblemEntry(
                429, "Too many requests.",
                hint: "Wait for the seconds that Retry-After names.",
                """
                This caller or address has made too many requests of this kind in a short time. \
                The header Retry-After says when the next one will be served.
                """)
        case .originNotAllowed:
            ProblemEntry(
                403, "Pages of this origin may not change data here.",
                hint: "Allow the origin with --allow-origin or allowOrigins in the configuration.",
                """
                A browser sent this request for a page of another origin. Unless the configuration \
                names that origin, such requests are refused, so that no web page can write to a \
                service on your machine without your knowledge. A read with `persist` counts among \
                them: it may have stored rows replaced.
                """)
        case .clusterSecret:
            ProblemEntry(
                403, "The request says that it comes from the cluster, and cannot prove it.",
                hint: "Give all servers of a cluster the same cluster.secret.",
                """
                Servers of one cluster send requests on to the one that leads, with \
                Freshet-Forwarded and a secret of their configuration. This one bears another \
                secret, or none.
                """)
        case .hostNotAllowed:
            ProblemEntry(
                421, "The service does not answer under this host name.",
                hint: "Use localhost or an address, or allow the name with --allow-host.",
                """
                The header Host names a host that this service does not go by: localhost, literal \
                IP addresses, and the names of --allow-host, FRESHET_ALLOW_HOST or hosts in the \
                configuration. The check protects services from web pages that point a name of \
                their own at them (DNS rebinding), whatever the service is bound to.

                Where every right needs a token and no hosts are named, any name will do. /livez \
                and /readyz answer under any name.
                """)
        case .tooManyQueries:
            ProblemEntry(
                422, "Too many live queries on one connection.",
                hint: "Watch at most 100 queries on one connection.",
                """
                One connection carries at most 100 live queries, and fewer where their filters are \
                long: all of them together are compiled to 8 MiB at most, 4 KiB of each left aside. \
                Open a second one for more, or watch a wider query and filter in the client.
                """)
        case .tooManyLiveQueries:
            ProblemEntry(
                422, "This caller watches too many queries.",
                hint: "End streams that are not needed, or raise limits.liveGroups.",
                """
                One caller may watch a bounded number of different queries at a time; equal ones \
                count once. A wider query, filtered in the client, takes the place of many narrow \
                ones.
                """)
        case .tooManyResidualQueries:
            ProblemEntry(
                422, "Too many live queries cannot be indexed.",
                hint: "Add an equality or a range to the filter, or raise limits.residualGroups.",
                """
                Live queries are found by an equality, a range or a prefix in their filter. One \
                that has none, or includes other entities, is asked about every change of its \
                types, so that only a bounded number of them can stand.
                """)
        case .snapshotTooLarge:
            ProblemEntry(
                422, "The answer of the live query is too large.",
                hint:
                    "Ask for fewer items with limit or for fewer properties with fields, or raise limits.snapshot.",
                """
                The whole answer of a live query is kept in memory while it is sent. This one has \
                more bytes than limits.snapshot allows.
                """)
        case .tooManySessions:
            ProblemEntry(
                429, "Too many sessions of live queries.",
                hint: "End sessions that are not watched, or wait until they expire.",
                """
                The server keeps a bounded number of sessions, in all and per caller, and of bytes \
                of their queries. A session ends with DELETE; one that nobody watches expires: a \
                minute after it was made, five minutes after its last connection.
                """)
        default:
            ProblemEntry(
                403, "This caller may not do that.",
                hint: "Use a token with the right that the detail names.",
                """
                The token is valid and its rights do not cover this request. Rights are given per \
                type in the configuration.
                """)
        }
    }

    /// What stops the store or the server.
    private var serverEntry: ProblemEntry {
        switch self {
        case .storageFull:
            ProblemEntry(
                507, "The disk is full.",
                hint: "Free space on the disk; writes go on by themselves within seconds.",
                """
                The write found no space on the disk and was not applied (outcome). Reads and live \
                queries go on. When there is space again, so do writes, without a restart.
                """)
        case .storageFailed:
            ProblemEntry(
                503, "The disk failed; writes have stopped.",
                hint: "Check the disk, then POST /v1/_store/reopen, or restart; reads go on.",
                """
                A write or a sync of the log failed. What the disk holds can no longer be known \
                for certain, so the service takes no more writes until POST /v1/_store/reopen has \
                read what is there, or it is started anew; reads go on. The member outcome says whether this write is unknown or not applied.
                """)
        case .readOnly:
            ProblemEntry(
                503, "The service takes no writes.",
                hint: "Send the write when the service is writable; readyz tells the reason.",
                """
                The service runs read-only at present. Reads and live queries go on. GET /readyz \
                tells the reason.
                """)
        case .tooManyEntities:
            ProblemEntry(
                507, "The limit of entities is reached.",
                hint: "Remove entities, or raise limits.entities in the configuration.",
                """
                The configuration bounds the number of entities, and this write would go past it. \
                Nothing was written. Of types that the configuration does not name there may be \
                20,000, those included that have lost their entities since the start.
                """)
        case .notLeader:
            ProblemEntry(
                503, "Another server of the cluster takes writes.",
                hint: "Repeat the request in a second.",
                """
                Of several servers over one log one takes writes, and this one does not at \
                present. Nothing was done.
                """)
        case .logAway:
            ProblemEntry(
                503, "The shared log gives no answer.",
                hint: "Repeat the request when /readyz answers 200; reads go on.",
                """
                The servers of a cluster keep their writes in a shared log, whose engine cannot \
                be reached or has lost its quorum. Reads and live queries go on. The member \
                outcome says whether this write is unknown or not applied.
                """)
        case .logFull:
            ProblemEntry(
                507, "The space of the shared log's engine is used up.",
                hint: "Give the engine more space; writes go on by themselves once there is room.",
                """
                The servers of a cluster keep their writes in a shared log, and the space of its \
                engine is used up, or nearly: the leader refuses writes before the engine refuses \
                everything. It shortens the log as far as snapshots allow, and has the engine give \
                space back. Reads and live queries go on; nothing was written.
                """)
        case .replicaBehind:
            ProblemEntry(
                503, "This server has not got so far yet.",
                hint: "Repeat the request in a second, or read without the cursor.",
                """
                The read names a cursor, by Freshet-Min-Seq or min, whose commit this server has \
                not applied within the time that a read may wait. The member seq says how far it \
                has got. One that stays behind shows its lag in /readyz.
                """)
        case .noLeader:
            ProblemEntry(
                503, "No server of the cluster takes writes at present.",
                hint: "Repeat the request in a second.",
                """
                The server that led is gone, and no other has taken over within the time that a \
                request waits. Another does a few seconds after the last sign of life. Nothing \
                was done.
                """)
        case .leaderUnreachable:
            ProblemEntry(
                503, "The server that takes writes cannot be reached from this one.",
                hint: "Repeat the request; with an Idempotency-Key whatever outcome says.",
                """
                The request was to be answered by the server that leads. The member outcome says \
                what has become of it: not-applied, or unknown where it was sent and no answer \
                came. A request with an Idempotency-Key is asked again by itself and answered as \
                the first time.
                """)
        case .noSuccessor:
            ProblemEntry(
                409, "There is nobody to hand the lead over to.",
                hint: "Look at GET /v1/_cluster, and start another server.",
                """
                A hand-over needs a server that takes over: one that is ready and of which the \
                leader has heard within 10 s. There is none, or the one that to= names is not one \
                of them.
                """)
        case .otherEpoch:
            ProblemEntry(
                409, "The cursor is of another log.",
                hint: "Read without the cursor, and go on with the one of that answer.",
                """
                A cursor names an epoch and a seq. The epoch changes where a log is begun anew: a \
                server in memory that starts again, a restored backup. What the cursor named may \
                not be there any more, so no seq of this log is as recent as it.
                """)
        case .overloaded:
            ProblemEntry(
                503, "The service is busy.",
                hint: "Repeat the request after the seconds that Retry-After names.",
                """
                A queue is full, and waiting in it would take too long. Nothing was done. The \
                header Retry-After says when to try again.
                """)
        case .shuttingDown:
            ProblemEntry(
                503, "The service is stopping.",
                hint: "Repeat the request in a few seconds.",
                """
                The service was told to stop and finishes what it has begun. Repeat the request \
                when it, or its successor, is back.
                """)
        case .recovering:
            ProblemEntry(
                503, "The service is starting.",
                hint: "Wait until GET /readyz answers 200.",
                """
                The service is reading its data. GET /readyz answers 200 when it serves requests.
                """)
        default:
            ProblemEntry(
                500, "The service made an error.",
                hint: "Report it with the requestId; the log has the details under it.",
                """
                Something happened that the service did not foresee. The answer has no details on \
                purpose; the log has them under the requestId.
                """)
        }
    }

    /// What a remote or a controller did, or was kept from doing.
    private var remoteEntry: ProblemEntry {
        switch self {
        case .upstreamUnreachable:
            ProblemEntry(
                502, "The remote service cannot be reached.",
                hint: "Try again later, or read with source=local.",
                """
                The name of the remote was not found, or it refused or broke the connection. With \
                source=local or source=remoteOrLocal the service answers from what it holds.
                """)
        case .upstreamTimeout:
            ProblemEntry(
                504, "The remote service did not answer in time.",
                hint: "Try again later, or read with source=local.",
                """
                The remote accepted the request and did not answer it in the time that the \
                configuration gives it.
                """)
        case .upstreamStatus:
            ProblemEntry(
                502, "The remote service answered with an error.",
                hint: "Look at the upstream's status in the problem.",
                """
                The remote answered with a status that is no success. The problem has that status.
                """)
        case .upstreamShape:
            ProblemEntry(
                502, "The remote service answered in an unexpected form.",
                hint: "Check the remote's answer against the configuration of the type.",
                """
                The remote's answer is no JSON, or lacks what the configuration says is in it.
                """)
        case .upstreamTooLarge:
            ProblemEntry(
                502, "The remote service's answer is too large.",
                hint: "Ask for less, or raise maxBody; a limit of 65536 is that of its head.",
                """
                The remote's answer is larger than the configuration allows (maxBody of the \
                upstream, 16 MiB unless it says otherwise), or its head is larger than the 64 KiB \
                that every head may have; `limit` says which.
                """)
        case .authRefresh:
            ProblemEntry(
                502, "The credential for the remote could not be renewed.",
                hint: "Check the credential of the upstream.",
                """
                The remote asked for a new credential, and its token service did not give one. The \
                service tries again by itself after a while.
                """)
        case .authLoop:
            ProblemEntry(
                502, "The remote refuses every new credential.",
                hint: "Check what rights the upstream's credential has.",
                """
                The credential was renewed and the remote refused the new one as well. The service \
                stops there and does not go round in a circle: requests fail at once, and after the \
                credential's `retryFailedAfter` one more renewal is tried.
                """)
        case .authCritical:
            ProblemEntry(
                503, "The credential for the remote is locked.",
                hint: "An operator must store a new credential for the upstream.",
                """
                The remote declared the credential unusable. Requests fail at once until an \
                operator stores a new one.
                """)
        case .controllerFailed:
            ProblemEntry(
                500, "A controller of the operation has failed.",
                hint: "Look at the operation's controllers, and at the program that has made them.",
                """
                What drives the operation from outside of it has reported an error of its own, \
                threw, did not begin in time, or yielded what is no value or too much. The \
                operation's document has this problem as its error and its last words in \
                controllers; the value of before stays. No remote was asked for it.
                """)
        default:
            ProblemEntry(
                503, "A gate does not admit this now.",
                hint: "Try again when the gate that the problem names is open.",
                """
                The configuration admits this remote request only under conditions that do not \
                hold at present: the problem names the operation and its gate. The gate 'outbox' \
                holds a write with target=remote back while an earlier change of the entity is on \
                its way or waits.
                """)
        }
    }
}
