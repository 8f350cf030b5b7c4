import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetNet
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

/// What answers, behind the way to it: knows every handler, which know the service.
protocol EndpointHandlers: Sendable {
    func handle(
        _ endpoint: Endpoint, of service: FreshetService, _ call: borrowing Call,
        _ response: inout ResponseWriter
    ) throws(Problem)

    /// What takes the body of an import as it comes.
    func importReceiver(
        of service: FreshetService, _ request: borrowing Request, _ context: LoopContext,
        _ reply: Reply
    ) throws(Problem) -> any BodyReceiver
}

/// Answers requests: the one object that sees HTTP and entities at once.
///
/// A request takes this way: guard (host, origin) → route table, which says what the caller must be
/// allowed (AccessControl) → media type and parameters → handler (one file each under Handlers) → core. A handler reads as: parse, ask, answer; it throws
/// a `Problem` where it cannot. Handlers run on event loops and never block: what may take long is
/// detached and comes back through an `Exchange`.
final class FreshetService: Responder, Sendable {
    let core: CoreManager
    private let handlers: any EndpointHandlers
    let log: Log
    let limits: Limits
    let health = Health()
    let metrics: ServiceMetrics
    let access: AccessControl
    let credentials: CredentialTable
    let upstreams: RemoteCatalog
    let controllers: ControllerSet
    let sessions: LiveSessions
    let system: SystemTypes
    let backups = BackupRecord()
    let bodies: PinnedBodies
    let configuration: ConfigurationRecord
    /// The other servers over the same log; nil for one that stands alone.
    let cluster: Cluster?
    /// Begins to start a server in place of this one that joins anew; nil where the process is another
    /// program's.
    let joinsAnew: (@Sendable (JoiningAnew.Order) -> Void)?
    let storeOrders = StoreOrders()
    private let failureLog = LogQuota()
    private let refusalLog = LogQuota()
    private let slowLog = LogQuota()
    private let currentGuard: Shared<RequestGuard>
    /// What specifications of requests may mention: the names of the configuration that holds.
    let specNames = Shared((names: SpecNames(), specs: NamedSpecs()))
    private let guardGeneration = Counter()
    /// 1 where the guard names origins; read for each request.
    private let originsNamed = Counter()
    private let contexts: [LoopContext]

    init(
        core: CoreManager, controllers: ControllerSet, _ handlers: any EndpointHandlers,
        requestGuard: RequestGuard, access: AccessControl, credentials: CredentialTable,
        upstreams: RemoteCatalog, sessions: LiveSessions, system: SystemTypes,
        _ configuration: ConfigurationRecord, cluster: Cluster?,
        joinsAnew: (@Sendable (JoiningAnew.Order) -> Void)?, http: ServerMetrics, log: Log
    ) {
        self.core = core
        bodies = PinnedBodies { core.store.view($0)?.turnover }
        self.cluster = cluster
        self.joinsAnew = joinsAnew
        self.handlers = handlers
        currentGuard = Shared(requestGuard)
        originsNamed.set(requestGuard.namesOrigins ? 1 : 0)
        self.access = access
        self.credentials = credentials
        self.upstreams = upstreams
        self.controllers = controllers
        self.sessions = sessions
        self.system = system
        self.configuration = configuration
        limits = configuration.start.limits
        metrics = ServiceMetrics(http)
        self.log = log
        contexts = (0..<configuration.loops).map { _ in LoopContext() }
    }

    private var requestGuard: RequestGuard { currentGuard.value }

    /// Judges requests by `changed` from now on.
    func replace(_ changed: RequestGuard) {
        currentGuard.set(changed)
        originsNamed.set(changed.namesOrigins ? 1 : 0)
        guardGeneration.add()
    }

    // MARK: Responder

    func bodyPlan(for request: borrowing Request) -> BodyPlan {
        guard request.method != .options else { return .respondNow(nil) }
        let context = contexts[request.loopIndex]
        var kind = TrafficClass.page
        let admission: Admission
        do throws(Problem) {
            admission = try admit(request, context, &kind)
        } catch {
            return .respondNow(Judgement(Refusal(error, kind)))
        }
        let judgement = Judgement(admission)
        guard admission.endpoint == .importEntities, cluster?.leads ?? true else {
            if admission.endpoint == .importEntities,
                let problem = cluster?.importProblem(request, limits)
            {
                return .respondNow(Judgement(Refusal(problem, kind)))
            }
            return .collect(maximumBytes: admission.endpoint.mostBytes(limits), judgement)
        }
        var reply = reply(to: request, context)
        reply.caller = admission.caller
        reply.isServer = admission.isServer
        reply.judged = .byNow(core.store)
        do throws(Problem) {
            try context.parse(query: request.query)
            return .stream(try handlers.importReceiver(of: self, request, context, reply))
        } catch {
            // The handler meets the same problem and answers with it.
            return .respondNow(judgement)
        }
    }

    func respond(to request: consuming Request, response: inout ResponseWriter) {
        let context = contexts[request.loopIndex]
        let reply = reply(to: request, context)
        var call = Call(request: request, context: context, reply: consume reply)
        do {
            if call.request.method == .options { return try answerOptions(call, &response) }
            let admission = try admission(of: call.request, context, &response.kind)
            call.reply.caller = admission.caller
            call.reply.isServer = admission.isServer
            call.reply.isOfRights = admission.endpoint.shown != nil
            try context.parse(query: call.request.query)
            if admission.endpoint.isOfSession, let cluster,
                cluster.relay(
                    call.request, ofSession: String(decoding: context.path[2], as: UTF8.self),
                    beside: sessions, call.reply, &response)
            {
                return
            }
            if admission.endpoint.isLeaders, let cluster {
                if call.asksStream() { try cluster.refuseStream() }
                call.reply.isUnsure = cluster.isUnsure(call.request)
                let isSentOn = try cluster.forward(
                    call.request, to: admission.endpoint, call.reply, &response)
                if isSentOn { return }
            }
            if let shown = admission.endpoint.shown {
                if shown == .entities {
                    if admission.endpoint.trafficClass == .live || call.asksStream() {
                        try core.store.replica?.checkFollows()
                    }
                    call.reply.judged = .by(core.store.cursor)
                }
                guard
                    try core.store.isFresh(
                        for: call.request, to: admission.endpoint, showing: shown, context,
                        &response)
                else { return }
            } else if admission.endpoint.trafficClass == .write
                || admission.endpoint.isStoredOrder
            {
                call.reply.judged = .byNow(core.store)
                if core.writer.answers.isUnknown(call, admission.endpoint) {
                    call.reply.isUnsure = true
                }
            }
            try handlers.handle(admission.endpoint, of: self, call, &response)
        } catch {
            fail(error, call, &response)
        }
    }

    var summarizesAll: Bool { log.level == .debug }

    /// One line for each answer at debug, and at info for one that was long in coming. A long poll
    /// takes as long as it was asked to.
    func answered(_ summary: AnswerSummary) {
        let isSlow = summary.kind != .live && summary.duration > .seconds(1)
        guard isSlow ? log.level <= .info : summarizesAll else { return }
        if isSlow, !summarizesAll, !slowLog.admits() { return }
        let fields: Log.Fields = [
            "method": .string(summary.method.name),
            "path": .string(RedactedTarget.text(summary.target)),
            "status": .integer(summary.status),
            "milliseconds": .integer(summary.duration.wholeMilliseconds),
            "bytes": .integer(summary.bytes), "class": .string(summary.kind.name),
            "id": .string(String(decoding: summary.requestID, as: UTF8.self)),
            "trace": summary.trace.isEmpty
                ? .absent : .string(String(decoding: summary.trace, as: UTF8.self)),
        ]
        if isSlow { log.info("slow request", fields) } else { log.debug("request", fields) }
    }

    func fault(_ fault: ConnectionFault, response: inout ResponseWriter) {
        let context = contexts[response.loop.index]
        let reply = Reply(
            requestID: context.makeRequestID(), allowedOrigin: nil,
            variesByOrigin: originsNamed.value == 1)
        refuse(fault, with: reply, &response)
    }

    func fault(
        _ fault: ConnectionFault, of request: borrowing Request, response: inout ResponseWriter
    ) {
        refuse(fault, with: reply(to: request, contexts[request.loopIndex]), &response)
    }

    private func refuse(
        _ fault: ConnectionFault, with reply: Reply, _ response: inout ResponseWriter
    ) {
        if case .secureHello = fault, refusalLog.admits() {
            log.info(
                "a client speaks TLS to this port, which speaks http",
                [
                    "hint": .string(
                        "write http:// in its address, or let a proxy with TLS stand before it")
                ])
        }
        log.debug("refused", ["reason": .string(fault.detail.description)])
        reply.fail(Problem(fault, beyond: configuration.start.limits), &response)
    }

    // MARK: The way to a handler

    /// What answers `request`, and for whom: as it was judged at its head, or judged now.
    private func admission(
        of request: borrowing Request, _ context: LoopContext, _ kind: inout TrafficClass
    ) throws(Problem) -> Admission {
        guard let judgement = request.judgement else { return try admit(request, context, &kind) }
        // The loop may have answered others since.
        try context.parse(path: request.path)
        if let refusal = judgement.refusal {
            kind = refusal.kind
            throw refusal.problem
        }
        guard let admission = Admission(judgement), isStanding(admission.caller) else {
            return try admit(request, context, &kind)
        }
        kind = admission.endpoint.trafficClass
        return admission
    }

    /// Whether a caller who was let in may do now what it could then.
    private func isStanding(_ caller: Caller?) -> Bool {
        guard let caller else { return !access.isOn }
        if case .same = access.standing(of: caller) { return true }
        return false
    }

    /// Judges the head of a request: its path, its origin, its caller, its kind of body.
    ///
    /// - Parameter kind: Gets the class of the endpoint, once there is one.
    private func admit(
        _ request: borrowing Request, _ context: LoopContext, _ kind: inout TrafficClass
    ) throws(Problem) -> Admission {
        try context.parse(path: request.path)
        let match = RouteTable.standard.match(request.method, context.path)
        var isServer = false
        if case .found(let endpoint, _) = match, endpoint.isProbe {
        } else {
            isServer = try checkOrigin(of: request, context)
        }
        switch match {
        case .found(let endpoint, let need):
            let isServer = isServer && need == .server
            var caller: Caller?
            if access.isOn, !isServer {
                caller = try self.caller(of: request, context, for: need)
            }
            kind = endpoint.trafficClass
            try checkHead(of: request, for: endpoint)
            return Admission(endpoint: endpoint, caller: caller, isServer: isServer)
        case .methodNotAllowed(let allowed):
            throw .method(
                String(decoding: request.methodText, as: UTF8.self), isNotAllowedAt: request.path,
                allowed: allowed)
        case .notFound:
            guard request.method == .get || request.method == .head,
                RouteTable.standard.page(before: request.path) != nil
            else { throw .noRoute(request.path) }
            kind = .page
            return Admission(endpoint: .movedPage, caller: nil)
        }
    }

    /// - Returns: Whether another server of the cluster asks, and has proved it.
    @discardableResult
    private func checkOrigin(
        of request: borrowing Request, _ context: LoopContext
    ) throws(Problem) -> Bool {
        if let cluster, try cluster.isFromOther(request) { return true }
        let authority = request.authority
        let origin = request.header(.origin)
        let fetchSite = request.header(.secFetchSite)
        let generation = guardGeneration.value
        // Only a page's request to change something is judged by more than the host; to take a remote's
        // rows in place of what is here removes some.
        let isSafe =
            request.method.isSafe
            && (origin == nil && fetchSite == nil || !Self.namesPersist(in: request.query))
        if isSafe || origin == nil && fetchSite == nil,
            context.isKnown(authority: authority, generation)
        {
            return false
        }
        let refusal = requestGuard.refusal(
            authority: authority, origin: origin, fetchSite: fetchSite, isSafe: isSafe)
        if let refusal {
            record(refusal, of: request)
            throw refusal
        }
        context.remember(authority: authority, generation)
        return false
    }

    /// One line for a request of a page, or under a name, that is none of ours.
    private func record(_ refusal: Problem, of request: borrowing Request) {
        guard refusalLog.admits() else { return }
        let origin = request.header(.origin).map { String(decoding: $0.prefix(256), as: UTF8.self) }
        let fetchSite = request.header(.secFetchSite).map {
            String(decoding: $0.prefix(64), as: UTF8.self)
        }
        log.info(
            "request refused",
            [
                "code": .string(refusal.code.rawValue),
                "origin": .string(origin ?? fetchSite ?? ""),
                "host": .string(String(decoding: request.authority.prefix(256), as: UTF8.self)),
                "method": .string(request.method.name),
                "path": .string(
                    RedactedTarget.text(UnsafeRawBufferPointer(rebasing: request.path.prefix(256)))),
            ])
    }

    /// Refuses conditions that the endpoint does not ask, and bodies of a kind that it does not read,
    /// before they are received.
    private func checkHead(
        of request: borrowing Request, for endpoint: Endpoint
    ) throws(Problem) {
        if request.header(.ifMatch) != nil || request.header(.ifNoneMatch) != nil {
            if endpoint.changesMany {
                throw Problem(
                    .badRequest, "a condition is about one entity, and this request names none",
                    hint: "send PUT, PATCH or DELETE to the address of the entity, or POST to "
                        + "/v1/_batch, whose operations take ifMatch and ifNoneMatch each")
            }
            if endpoint.isOrder {
                throw Problem(
                    .badRequest, "this request takes no condition",
                    hint: "leave If-Match and If-None-Match out: entities have them alone")
            }
        }
        if endpoint == .importEntities, request.header(.idempotencyKey) != nil {
            throw Problem(
                .badRequest, "an import takes no Idempotency-Key: it is stored in parts",
                hint: "leave it out; an import of entities with ids can be sent again")
        }
        guard let accepted = endpoint.acceptedBody else { return }
        if request.method == .put, request.header(.contentRange) != nil {
            throw Problem(
                .badRequest, "a PUT with Content-Range would replace the whole by a part of it",
                hint: "send the whole, or PATCH what changes")
        }
        if let encoding = request.header(.contentEncoding),
            !HeaderText.equalsIgnoringCase(encoding, "identity")
        {
            throw Problem(
                .unsupportedMediaType, "encoded request bodies are not taken",
                hint: "send the body as it is, without Content-Encoding")
        }
        let type = request.header(.contentType).map { MediaType($0) }
        let isAccepted =
            switch type {
            case .json: true
            // The patch document of another kind means something else.
            case .jsonSuffix: accepted != .mergePatch
            case .mergePatch: accepted == .mergePatch
            case .ndjson: accepted == .lines
            default: false
            }
        guard !isAccepted else { return }
        if let named = request.header(.contentType), MediaType.isJSONOfAnotherCharset(named) {
            throw Problem(
                .unsupportedMediaType,
                "JSON is UTF-8 (RFC 8259), and the Content-Type names another charset",
                hint: "send UTF-8, and leave charset out or make it charset=utf-8")
        }
        let wanted =
            switch accepted {
            case .lines: "application/json or application/x-ndjson"
            case .mergePatch: "application/merge-patch+json or application/json"
            case .json: "JSON"
            }
        let hint =
            switch (type, endpoint) {
            case (.otherPatch, .patchEntity):
                "send the members that change, as application/merge-patch+json (RFC 7396); "
                    + "null removes one"
            case (.mergePatch, .setEntity), (.otherPatch, .setEntity):
                "PATCH changes a part, by application/merge-patch+json; PUT takes the whole "
                    + "entity, as application/json"
            default: "use curl --json DATA, or -H 'Content-Type: application/json'"
            }
        throw Problem(
            .unsupportedMediaType,
            type == nil ? "the body has no Content-Type" : "the body must be \(wanted)", hint: hint)
    }

    private func reply(to request: borrowing Request, _ context: LoopContext) -> Reply {
        var requestID = context.makeRequestID()
        if let sent = request.header(.requestID), Correlation.isSaneRequestID(sent) {
            requestID = .sent([UInt8](sent))
        }
        let origin = request.header(.origin)
        return Reply(
            requestID: requestID,
            allowedOrigin: origin.flatMap { requestGuard.allowedOrigin($0) },
            variesByOrigin: originsNamed.value == 1, replica: cluster?.replica)
    }

    private func fail(
        _ problem: Problem, _ call: borrowing Call, _ response: inout ResponseWriter
    ) {
        let allowed =
            problem.code == .methodNotAllowed
            ? RouteTable.standard.methods(at: call.context.path) : nil
        if call.reply.tellsAsEvents(problem, to: call.request, response) {
            return call.reply.answer(asEvents: problem, &response)
        }
        let isPatch = call.request.method == .patch && problem.code == .unsupportedMediaType
        fail(problem, call.reply, &response, allowing: allowed) { response in
            if isPatch { response.header("Accept-Patch", Self.acceptedPatches) }
        }
    }

    /// What a PATCH may be: a merge patch (RFC 7396), by its own name or as JSON.
    private static let acceptedPatches: StaticString =
        "application/merge-patch+json, application/json"

    /// Answers with `problem`, and logs it where it is the server's.
    func fail(
        _ problem: Problem, _ reply: Reply, _ response: inout ResponseWriter,
        allowing allowed: MethodSet? = nil,
        headers: (inout ResponseWriter) -> Void = { _ in }
    ) {
        if problem.status >= 500, problem.code != .notImplemented, failureLog.admits() {
            log.warning(
                "request failed",
                [
                    "id": .string(reply.requestID.text), "code": .string(problem.code.rawValue),
                ])
        }
        reply.fail(problem, allowing: allowed, &response, headers: headers)
    }

    /// OPTIONS on any path, and the preflight of CORS.
    private func answerOptions(
        _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        try checkOrigin(of: call.request, call.context)
        var allowed = MethodSet.all
        if !call.request.isAsteriskForm {
            try call.context.parse(path: call.request.path)
            guard let methods = RouteTable.standard.methods(at: call.context.path) else {
                throw .noRoute(call.request.path)
            }
            allowed = methods
        }
        call.reply.begin(204, &response)
        response.header("Allow", text: allowed.text)
        if allowed.contains(.patch) { response.header("Accept-Patch", Self.acceptedPatches) }
        if call.reply.allowedOrigin != nil, call.request.header(.accessControlRequestMethod) != nil
        {
            response.header("Access-Control-Allow-Methods", text: allowed.text)
            response.header(
                "Access-Control-Allow-Headers",
                text:
                    "Content-Type, Accept, Authorization, If-Match, If-None-Match, Last-Event-ID, "
                    + "Prefer, Idempotency-Key, Freshet-Min-Seq, Freshet-Read, X-Request-Id, "
                    + "traceparent")
            response.header("Access-Control-Max-Age", "600")
        }
        response.end()
    }
}
