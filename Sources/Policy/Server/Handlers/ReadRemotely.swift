import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetStore

// Reads of types that have a remote: where the core says that an answer is to be fetched first, the
// request is detached and comes back when the fetch has ended; all else is answered at once, in the
// way of types without one.

/// A search, or a get by its query, as far as its answer needs the request: for now and for later.
struct ReadRequest: Sendable {
    /// What the request asked for.
    var shown: Query
    /// The query is for one entity by its path.
    let isGet: Bool
    /// HEAD tells the number of all matches.
    var countsAll = false
    let target: [UInt8]?
    let identity: UInt64
    let conditions: ReadConditions
    let caller: RemoteCaller

    init(
        _ shown: Query, isGet: Bool = false, _ request: borrowing Request, _ reply: Reply
    ) {
        self.shown = shown
        self.isGet = isGet
        // One entity by itself has no next page that would be asked for so.
        let isPage = !isGet || shown.include != nil
        target = isPage && request.body.isEmpty ? [UInt8](request.query) : nil
        identity = request.query.fnv(continuing: request.body.fnv())
        conditions = ReadConditions(request)
        caller = RemoteCaller(
            requestID: reply.requestID.text,
            traceparent: request.header(.traceparent).map { String(decoding: $0, as: UTF8.self) })
    }

    /// What is run to answer `read`.
    func query(of read: LocalRead) -> Query {
        var query = read.query
        query.count = query.count || countsAll
        // Where the remote orders, a mark would name a place in another order.
        query.looksAhead = !isGet && !read.hasOwnOrder
        return query
    }
}

extension FreshetService {
    /// Answers from here or from the remote, as the query's context says.
    func read(
        _ request: ReadRequest, _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        if core.deliberates(request.shown) {
            let exchange = response.detach()
            let hasPlace = core.workers.perform {
                do throws(CoreError) {
                    let way = try self.core.way(
                        of: request.shown, isGet: request.isGet, for: reply.rights, request.caller)
                    self.proceed(way, request, reply, exchange)
                } catch {
                    let problem = Problem(error)
                    exchange.answer(self, reply) { self.fail(problem, reply, &$0) }
                }
            }
            if !hasPlace {
                let problem = Problem(CoreError.overloaded)
                exchange.answer(self, reply) { self.fail(problem, reply, &$0) }
            }
            return
        }
        let way: ReadWay
        do {
            way = try core.way(
                of: request.shown, isGet: request.isGet, for: reply.rights, request.caller)
        } catch {
            throw Problem(error)
        }
        guard case .local(let local) = way, request.shown.include == nil else {
            let exchange = response.detach()
            return proceed(way, request, reply, exchange)
        }
        if request.isGet {
            return try write(local, request, reply, &response)
        }
        let search: PreparedSearch
        do { search = try core.prepare(request.query(of: local), on: local.table) } catch {
            throw Problem(error)
        }
        guard core.runsInline(search) else {
            return run(search, local, request, reply, response.detach())
        }
        let found: SearchResult
        do { found = try core.run(search) } catch { throw Problem(error) }
        write(found, of: local, search, search.cursor, request, reply, &response)
    }

    // MARK: Detached

    private func proceed(
        _ way: ReadWay, _ request: ReadRequest, _ reply: Reply, _ exchange: Exchange
    ) {
        switch way {
        case .local(let local): answer(local, request, reply, exchange)
        case .remote(let remote):
            let place = core.begin(remote, for: request.caller) { end in
                switch end {
                case .rows(let local): self.answer(local, request, reply, exchange)
                case .absent(let origin): self.answerAbsent(request.shown, origin, reply, exchange)
                case .failed(let failure):
                    let problem = Problem(failure)
                    exchange.answer(self, reply) { self.fail(problem, reply, &$0) }
                }
            }
            exchange.onCancel { place.leave() }
        }
    }

    private func answer(
        _ local: LocalRead, _ request: ReadRequest, _ reply: Reply, _ exchange: Exchange
    ) {
        if let include = request.shown.include {
            return answer(local, include, request, reply, exchange)
        }
        if request.isGet {
            return exchange.answer(self, reply) { response in
                do throws(Problem) {
                    try self.write(local, request, reply, &response)
                } catch {
                    self.fail(error, reply, &response)
                }
            }
        }
        do throws(CoreError) {
            run(
                try core.prepare(request.query(of: local), on: local.table), local, request,
                reply, exchange)
        } catch {
            let problem = Problem(error)
            exchange.answer(self, reply) { self.fail(problem, reply, &$0) }
        }
    }

    private func run(
        _ search: PreparedSearch, _ local: LocalRead, _ request: ReadRequest, _ reply: Reply,
        _ exchange: Exchange
    ) {
        core.run(search, isCancelled: { exchange.isCancelled }) { result in
            exchange.answer(self, reply) { response in
                switch result {
                case .success(let found):
                    self.write(found, of: local, search, search.cursor, request, reply, &response)
                case .failure(let error): self.fail(Problem(error), reply, &response)
                }
            }
        }
    }

    private func answer(
        _ local: LocalRead, _ include: Include, _ request: ReadRequest, _ reply: Reply,
        _ exchange: Exchange
    ) {
        core.run(
            request.query(of: local), on: local, including: include,
            for: reply.rights,
            request.shown.read?.source == .local ? nil : request.caller,
            leaves: { exchange.onCancel($0) }, isCancelled: { exchange.isCancelled }
        ) { result in
            exchange.answer(self, reply) { response in
                switch result {
                case .success(let answer):
                    self.write(
                        answer.found, of: local, nil, answer.cursor, request, reply, &response,
                        with: answer.included)
                case .failure(let error): self.fail(Problem(error), reply, &response)
                }
            }
        }
    }

    private func answerAbsent(
        _ query: Query, _ origin: AnswerOrigin, _ reply: Reply, _ exchange: Exchange
    ) {
        exchange.answer(self, reply) { self.failAbsent(query, origin, reply, &$0) }
    }

    /// 404, and who says so.
    private func failAbsent(
        _ query: Query, _ origin: AnswerOrigin, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.fail(.absentEntity(of: query), &response) { origin.writeHeaders(&$0) }
    }

    // MARK: Answers

    /// - Parameter search: What has found it, where an empty answer may be odd.
    private func write(
        _ found: SearchResult, of local: LocalRead, _ search: PreparedSearch?, _ cursor: Cursor,
        _ request: ReadRequest, _ reply: Reply, _ response: inout ResponseWriter,
        with included: IncludedEntities? = nil
    ) {
        let isEmpty =
            found.documents.isEmpty && found.groups == nil
            && (found.aggregates == nil || (found.total ?? 0) == 0 && local.isEmpty(in: core))
        if local.mustFind, isEmpty, let failure = local.origin.failure {
            return fail(Problem(failure), reply, &response)
        }
        if request.isGet, found.documents.isEmpty {
            return failAbsent(request.shown, local.origin, reply, &response)
        }
        var page = SearchPage(
            query: request.shown, target: request.target, identity: request.identity,
            cursor: cursor, idsAreIntegers: core.idsAreIntegers(request.shown.type),
            conditions: request.conditions)
        page.origin = local.origin
        page.hint = search.flatMap { core.hint(about: $0, found, for: reply.rights) }
        if request.shown.meta {
            let core = core
            page.facts = { core.facts(of: $0, request.shown.type, shownAt: local.origin) }
        }
        page.included = included
        page.write(found, reply, &response)
    }

    /// One entity without an include.
    private func write(
        _ local: LocalRead, _ request: ReadRequest, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        let query = request.shown
        guard let id = query.ids?.first else { throw .absentEntity(of: query) }
        let document: Document?
        if local.document != nil || local.table != nil {
            document = (local.document ?? local.table?.document(id)).flatMap {
                reply.rights?.mayRead($0, of: query.type) ?? true ? $0 : nil
            }
        } else {
            do throws(CoreError) {
                document = try id.bytes.withBytes { (id) throws(CoreError) in
                    try core.entity(query.type, idBytes: id, for: reply.rights)
                }
            } catch {
                throw Problem(error)
            }
        }
        let isShown =
            try document.map { (document) throws(Problem) in try fits(document, query) } ?? false
        guard let document, isShown else {
            if local.mustFind, let failure = local.origin.failure { throw Problem(failure) }
            return failAbsent(query, local.origin, reply, &response)
        }
        try write(document, query, local.origin, request.conditions, reply, &response)
    }

    /// Writes one entity as the answer to a get.
    func write(
        _ document: Document, _ query: Query, _ origin: AnswerOrigin,
        _ conditions: ReadConditions,
        _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        let isKnown = try conditions.areMet(byRevision: document.revision)
        reply.begin(isKnown ? 304 : 200, &response)
        // What is not stored has no revision.
        if document.revision > 0 { response.etag(revision: document.revision) }
        origin.writeHeaders(&response)
        response.header("Vary", "Accept")
        if isKnown { return response.end() }
        response.header("Content-Type", "application/json")
        response.beginBody()
        ItemEncoder.append(
            document, Projection(query), withMeta: query.meta,
            query.meta ? core.facts(of: document, query.type, shownAt: origin) : nil,
            to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
        response.endBody()
    }
}

extension LocalRead {
    /// Whether there is no row at all that figures could be made of.
    fileprivate func isEmpty(in core: CoreManager) -> Bool {
        (table ?? core.store.view(query.type)).map { $0.count == 0 } ?? true
    }
}

extension AnswerOrigin {
    /// Writes `Freshet-Source`, `Freshet-Refresh`, `Age` and, where it applies, the code of the
    /// problem for which the answer is not the remote's.
    func writeHeaders(_ response: inout ResponseWriter) {
        response.header("Freshet-Source", text: source.rawValue)
        response.header("Freshet-Refresh", text: refresh.rawValue)
        if let fetchedAt {
            let age = (WallTime.now.milliseconds - fetchedAt.milliseconds) / 1000
            response.header("Age", decimal: max(Int(age), 0))
        }
        if let degraded {
            response.header("Freshet-Degraded", text: degraded.code.rawValue)
        }
    }
}

extension Problem {
    /// Elements of a remote's answer that are no entities.
    init(leftOut: Int) {
        self.init(
            .upstreamShape,
            (leftOut == 1 ? "1 element" : "\(leftOut) elements")
                + " of the remote's answer cannot be taken as entities and "
                + (leftOut == 1 ? "is" : "are") + " left out",
            hint: "see the server's log for the reason: an element needs an id, and keeps to the "
                + "limits of an entity and to the rules of its type",
            members: [.number("leftOut", leftOut)])
    }
}

extension AnswerOrigin {
    /// The problem for which the answer is not what the remote has, or not all of it.
    var degraded: Problem? {
        if let failure { return Problem(failure) }
        return leftOut > 0 ? Problem(leftOut: leftOut) : nil
    }

    /// Appends `"source"` and, for data that is not the remote's though it should be, `"degraded"`
    /// with the problem.
    func append(to body: inout ByteBuffer) {
        body.append(",\"source\":\"")
        body.append(text: source.rawValue)
        body.append("\"")
        guard let degraded else { return }
        body.member("degraded")
        degraded.encodeAsMember(into: &body)
    }

    /// Of what `append` writes, for the entity tag; 0 for plain local data.
    var digest: UInt64 {
        var digest: UInt64
        switch source {
        case .local: digest = 0
        case .remote: digest = 0x9E37_79B9_7F4A_7C15
        case .fallback: digest = 0xC2B2_AE3D_27D4_EB4F
        }
        if let degraded {
            let told = Array("\(degraded.code.rawValue) \(leftOut)".utf8)
            digest = told.withUnsafeBytes { $0.fnv(continuing: digest) }
        }
        return digest
    }
}

extension Problem {
    /// The one entity that `query` asks for is not there.
    static func absentEntity(of query: Query) -> Problem {
        guard let id = query.ids?.first else {
            return Problem(.notFound, "there is no such entity of type '\(query.type.text)'")
        }
        return absentEntity(query.type, id)
    }
}
