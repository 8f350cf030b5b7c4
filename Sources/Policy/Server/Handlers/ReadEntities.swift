import FreshetBase
package import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetRemote

// The answer to a get or a search, wherever it comes from: the core is asked, and either answers at once
// or is waited for while the request is detached.

/// What the answer to a read needs of its request, now or later.
struct ReadRequest: Sendable {
    /// The URL's query as it was typed, nil where the question is the body.
    let target: [UInt8]?
    /// A hash of the request's query as it was typed.
    let identity: UInt64
    let conditions: ReadConditions

    init(_ request: borrowing Request) {
        target = request.body.isEmpty ? [UInt8](request.query) : nil
        identity = request.query.fnv(continuing: request.body.fnv())
        conditions = ReadConditions(request)
    }
}

extension Exchange: ReadWaiter {}

extension FreshetService {
    /// Answers `asked` from here or from a remote, as its context says.
    ///
    /// - Parameter isGet: It is for one entity by its path.
    func read(
        _ asked: AskedQuery, isGet: Bool, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let reply = call.reply
        // HEAD tells the number of all matches; the window is as for GET.
        let question = ReadQuestion(
            asked, isGet: isGet, countsAll: response.isHead && !isGet, for: reply.rights,
            core.reader.hasRemotes ? RemoteCaller(call) : RemoteCaller())
        if let cluster, !cluster.leads, core.reader.mayFetch(question),
            try cluster.forward(
                call.request, to: isGet ? .getEntity : .searchEntities, reply, &response)
        {
            return
        }
        let read: ReadReply
        do { read = try core.reader.read(question) } catch { throw Problem(error) }
        let kept = ReadRequest(call.request)
        switch read {
        case .now(let answer): try write(answer, to: asked, kept, reply, &response)
        case .later: give(read, to: asked, kept, reply, response.detach())
        }
    }

    /// Gives the answer to a detached request, now or later.
    ///
    /// - Parameter isTruncated: Rows of a system type were left out, which has too many.
    func give(
        _ read: ReadReply, to asked: AskedQuery, isTruncated: Bool = false,
        _ request: ReadRequest, _ reply: Reply, _ exchange: Exchange
    ) {
        let finish: @Sendable (Result<ReadAnswer, ReadFailure>) -> Void = { result in
            exchange.answer(self, reply) { response in
                do throws(Problem) {
                    let answer: ReadAnswer
                    do throws(ReadFailure) { answer = try result.get() } catch {
                        throw Problem(error)
                    }
                    try self.write(
                        answer, to: asked, isTruncated: isTruncated, request, reply, &response)
                } catch {
                    self.fail(error, reply, &response)
                }
            }
        }
        switch read {
        case .now(let answer): finish(.success(answer))
        case .later(let later): later.begin(exchange, completion: finish)
        }
    }

    private func write(
        _ answer: ReadAnswer, to asked: AskedQuery, isTruncated: Bool = false,
        _ request: ReadRequest, _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        let query = asked.query
        // Where rows of system types stand is no position among the commits of entities.
        let reply = query.type.isOfSystemStore ? reply : reply.at(answer.cursor)
        switch answer.content {
        case .absent:
            // The head says which source does not have the entity.
            reply.fail(.absentEntity(of: query), &response) { answer.origin?.writeHeaders(&$0) }
        case .entity(let document):
            try write(document, query, answer.origin, request.conditions, reply, &response)
        case .page(let found, let included):
            SearchPage(
                asked: asked, request: request, cursor: answer.cursor, hasMore: answer.hasMore,
                idsAreIntegers: core.types.catalog.idsAreIntegers(query.type), included: included,
                hint: answer.hint, origin: answer.origin, isTruncated: isTruncated,
                metadata: metadata(of: query, answer.origin),
                live: query.explain ? try standing(of: query, reply) : []
            ).write(found, self, reply, &response)
        }
    }

    /// `{"index","watchers"}` of the query as a live one, the watchers for administrators; null for a
    /// page that cannot be watched.
    private func standing(of query: Query, _ reply: Reply) throws(Problem) -> [UInt8] {
        guard query.after == nil else { return JSONValue.null.bytes }
        let standing: LiveStanding
        do {
            standing = try core.watcher(of: query.type).standing(of: query, for: reply.rights)
        } catch {
            throw Problem(error)
        }
        var body = ByteBuffer(capacity: 64)
        body.append("{")
        body.member("index", standing.index.rawValue)
        if reply.rights?.isAdmin ?? true { body.member("watchers", standing.watchers) }
        body.append("}")
        return Array(body.bytes)
    }

    private func metadata(
        of query: Query, _ origin: AnswerOrigin?
    ) -> (@Sendable (Document) -> ItemMetadata)? {
        guard query.meta, let origin else { return nil }
        return { [core] in core.reader.metadata(of: $0, query.type, shownAt: origin) }
    }

    /// Writes one entity as the answer to a get.
    func write(
        _ document: Document, _ query: Query, _ origin: AnswerOrigin?,
        _ conditions: ReadConditions, _ reply: Reply, _ response: inout ResponseWriter
    ) throws(Problem) {
        let isSystem = query.type.isInternal
        let metadata = metadata(of: query, origin)
        // What the metadata tells moves without a revision, so that nobody is known to have it.
        let isMet = isSystem ? false : try conditions.areMet(byRevision: document.revision)
        let isKnown = isMet && metadata == nil
        reply.begin(isKnown ? 304 : 200, &response)
        if isSystem { response.header("Cache-Control", "no-store") }
        // What is not stored has no revision.
        if document.revision > 0, !isSystem { response.etag(revision: document.revision) }
        origin?.writeHeaders(&response)
        response.header("Vary", "Accept")
        if isKnown { return response.end() }
        response.header("Content-Type", "application/json")
        response.beginBody()
        ItemEncoder.append(
            document, Projection(query), withMeta: query.meta, metadata?(document),
            to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
        response.endBody()
    }
}

extension RemoteCaller {
    init(_ call: borrowing Call) {
        self.init(
            requestID: call.reply.requestID.text,
            traceparent: call.request.header(.traceparent).flatMap {
                Correlation.isTraceparent($0) ? String(decoding: $0, as: UTF8.self) : nil
            })
    }
}

extension Problem {
    package init(_ failure: ReadFailure) {
        switch failure {
        case .refused(let error): self.init(error)
        case .notFetched(let failure): self.init(failure)
        }
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
    /// What a remote's answer lacks.
    init(_ gaps: AnswerGaps) {
        var parts: [String] = []
        var hints: [String] = []
        if gaps.leftOut > 0 {
            parts.append(
                (gaps.leftOut == 1 ? "1 element" : "\(gaps.leftOut) elements")
                    + " of the remote's answer cannot be taken as entities and "
                    + (gaps.leftOut == 1 ? "is" : "are") + " left out")
            hints.append(
                "see the server's log for the reason: an element needs an id, and keeps to the "
                    + "limits of an entity and to the rules of its type")
        }
        if gaps.isCut {
            parts.append(
                "the remote has, or may have, more than it has served or than one search asks for")
            hints.append(
                "ask for less; of the remote's search raise maxPages, declare the pageSize that it "
                    + "serves, and {offset} or {page}")
        }
        var members: [Member] = []
        if gaps.leftOut > 0 { members.append(.number("leftOut", gaps.leftOut)) }
        if gaps.isCut { members.append(.json("cut", Array("true".utf8))) }
        self.init(
            .upstreamShape, parts.joined(separator: "; "), hint: hints.joined(separator: "; "),
            members: members)
    }
}

extension AnswerOrigin {
    /// The problem for which the answer is not what the remote has, or not all of it.
    package var degraded: Problem? {
        if let failure { return Problem(failure) }
        return gaps.isAny ? Problem(gaps) : nil
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

    /// A digest of what `append` writes, for the entity tag; 0 for plain local data.
    var digest: UInt64 {
        var digest: UInt64
        switch source {
        case .local: digest = 0
        case .remote: digest = 0x9E37_79B9_7F4A_7C15
        case .fallback: digest = 0xC2B2_AE3D_27D4_EB4F
        }
        if let degraded {
            let told = Array("\(degraded.code.rawValue) \(gaps.leftOut) \(gaps.isCut)".utf8)
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
        if let contract = query.contract {
            return Problem(
                .notFound,
                "there is no entity '\(id.text)' of type '\(query.type.text)' that keeps the contract"
                    + " '\(contract.name)'",
                hint: "ask without contract whether it is there at all")
        }
        return absentEntity(query.type, id)
    }
}
