import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1/{type}?…`: search once, or as a stream where the request asks for one.
    func searchEntities(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let (asked, live) = try call.context.search(
            call.request.query, of: core.reader, try call.context.type(), for: call.reply.rights)
        try answer(asked, live, isGet: false, call, &response)
    }

    /// `POST /v1/{type}/_search` and `QUERY /v1/{type}`: the same with the query as a JSON body. The
    /// parameters of live queries stand in the body or in the URL.
    func searchByBody(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        var live = LiveParameters()
        try call.context.forEachParameter { name, value throws(Problem) in
            guard try live.take(name, value) else {
                throw .badParameter(name, "parameters of the query stand in the body here")
            }
        }
        let query: Query
        do {
            var parser = try core.reader.queryParser(type, for: call.reply.rights)
            do {
                for (name, value) in try parser.take(
                    body: call.request.body, besides: LiveParameters.names)
                {
                    _ = try live.take(name, value)
                }
                query = try parser.finish()
            } catch let fault as QueryFault {
                throw Problem(fault)
            }
        } catch let error as CoreError {
            throw Problem(error)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.internal, "the query could not be read")
        }
        try answer(AskedQuery(query), live, isGet: false, call, &response)
    }

    /// Answers a query of entities or of a system type: by a stream, where one is asked for.
    func answer(
        _ asked: AskedQuery, _ live: LiveParameters, isGet: Bool, _ call: borrowing Call,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        let media = call.request.acceptedMedia
        let way = try live.asked(media)
        if way != .once {
            try asked.query.checkLive()
            return try watch(asked.query, live, way, call, &response)
        }
        try media.checkJSON()
        let type = asked.query.type
        guard type.isInternal, let rows = system[type] else {
            return try read(asked, isGet: isGet, call, &response)
        }
        read(asked, isGet: isGet, of: rows, call, &response)
    }
}

extension LoopContext {
    /// The search of `text`, the query of the request as it was typed, and the parameters of live queries
    /// in it. A search that was asked before is at hand.
    func search(
        _ text: UnsafeRawBufferPointer, of reader: EntityReader, _ type: TypeName,
        for rights: AccessRights?
    ) throws(Problem) -> (AskedQuery, LiveParameters) {
        let isEverybodys = rights?.of(type).read.filter == nil
        if isEverybodys, let known = searches.find(type, text) {
            do { try reader.check(type) } catch { throw Problem(error) }
            return (known, LiveParameters())
        }
        let (query, live) = try query(of: reader, type, for: rights)
        let asked = AskedQuery(query)
        if isEverybodys, live.isEmpty { searches.remember(type, text, asked) }
        return (asked, live)
    }
}

/// The answer to one search.
struct SearchPage: Sendable {
    /// Bodies above this are streamed, so that a page of large entities does not stand in memory.
    private static let streamedBytes = 512 * 1024

    let asked: AskedQuery
    let request: ReadRequest
    let cursor: Cursor
    /// Rows come behind those of the page, or may.
    let hasMore: Bool
    let idsAreIntegers: Bool
    let included: IncludedEntities?
    /// What is odd about an empty answer.
    let hint: String?
    /// nil where there is nothing to say: the type has no remote, and nobody asked.
    let origin: AnswerOrigin?
    /// Rows of a system type were left out, which has too many.
    let isTruncated: Bool
    /// What `_meta` tells of an entity beside what it knows itself.
    let metadata: (@Sendable (Document) -> ItemMetadata)?
    /// What `explain` shows of the query as a live one, JSON; empty where that was not asked.
    let live: [UInt8]

    var query: Query { asked.query }

    func write(
        _ found: SearchResult, _ service: FreshetService, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        // Rows of a system type are as they are for the moment; what is not stored has no revision, by which
        // a tag tells rows apart.
        let tag = query.type.isInternal || !isStored(found) ? nil : entityTag(of: found)
        let isKnown: Bool
        do {
            if let tag { isKnown = try request.conditions.areMet(by: tag) } else { isKnown = false }
        } catch {
            return reply.fail(error, &response)
        }
        reply.begin(isKnown ? 304 : 200, &response)
        if let tag {
            tag.withUnsafeBytes { response.header("ETag", bytes: $0) }
        } else {
            response.header("Cache-Control", "no-store")
        }
        let next = nextMark(of: found)
        if let next { PageLink.write(next, of: request.target, &response) }
        origin?.writeHeaders(&response)
        response.header("Vary", "Accept")
        if isKnown { return response.end() }
        response.header("Content-Type", "application/json")
        if response.isHead, let total = found.total {
            response.header("Freshet-Total", decimal: total)
        }
        let size =
            found.documents.withUnsafeBufferPointer(Document.jsonBytes)
            + (included?.rows.reduce(0) { $0 + $1.document.json.count } ?? 0)
            + (found.aggregates?.bytes.count ?? 0)
        if size > Self.streamedBytes {
            return BodyStream.start(
                PageRows(self, found: found, next: next),
                keeping: pins(of: found, among: service.bodies), among: service.bodies, &response)
        }
        response.beginBody()
        var rows = SearchRows(found, of: query, metadata: metadata)
        _ = rows.append(upTo: .max, to: &response.body)
        if let included {
            response.body.append(",\"included\":")
            included.append(0..<included.rows.count, withMeta: query.meta, to: &response.body)
        }
        appendEnd(found, next, to: &response.body)
        response.endBody()
    }

    /// Writes `meta` behind the items and what they include.
    func appendEnd(_ found: SearchResult, _ next: String?, to body: inout ByteBuffer) {
        body.append(",\"meta\":{\"revision\":")
        body.append(decimal: cursor.seq)
        body.append(",\"cursor\":\"")
        body.append(text: cursor.description)
        body.append("\",\"count\":")
        body.append(decimal: found.aggregates?.count ?? found.documents.count)
        if query.count, let total = found.total {
            body.append(",\"total\":")
            body.append(decimal: total)
        }
        if let next {
            body.append(",\"next\":\"")
            body.append(text: next)
            body.append("\"")
        }
        if let included {
            body.append(",")
            included.appendMeta(missingRoots: found.missing, of: query.type, to: &body)
        } else if query.ids != nil {
            body.append(",\"missing\":[")
            for (index, id) in found.missing.enumerated() {
                if index > 0 { body.append(",") }
                id.appendJSON(asInteger: idsAreIntegers && id.integer != nil, to: &body)
            }
            body.append("]")
        }
        if let hint {
            body.append(",\"hint\":")
            body.append(jsonString: hint)
        }
        if let plan = found.explanation {
            body.append(",\"plan\":")
            body.append(plan)
        }
        if !live.isEmpty {
            body.append(",\"live\":")
            body.append(live)
        }
        if isTruncated { body.append(",\"truncated\":true") }
        if let origin {
            origin.append(to: &body)
            body.append("}}\n")
        } else {
            body.append(
                query.type.isInternal ? ",\"source\":\"system\"}}\n" : ",\"source\":\"local\"}}\n")
        }
    }

    /// What the answer keeps while it is sent.
    private func pins(
        of found: SearchResult, among bodies: PinnedBodies
    ) -> [PinnedBodies.Pin] {
        var rows = [query.type: (count: 0, bytes: 0)]
        func add(_ document: Document, of type: TypeName) {
            rows[type, default: (0, 0)].count += 1
            rows[type, default: (0, 0)].bytes += document.json.count
        }
        for document in found.documents { add(document, of: query.type) }
        for row in included?.rows ?? [] { add(row.document, of: row.type) }
        return bodies.pins(rows)
            + [.own(bytes: found.aggregates?.bytes.count ?? 0)]
    }

    /// The cursor behind the last row, where there is or may be more.
    private func nextMark(of found: SearchResult) -> String? {
        guard hasMore, let last = found.documents.last else { return nil }
        return asked.mark(behind: last)?.text
    }

    private func isStored(_ found: SearchResult) -> Bool {
        found.documents.allSatisfy { $0.revision > 0 }
            && (included?.rows.allSatisfy { $0.document.revision > 0 } ?? true)
    }

    /// What `_meta` tells beside the revision, and moves without it.
    private func metadataDigest(of found: SearchResult) -> UInt64 {
        guard let metadata else { return 0 }
        var told = ByteBuffer(capacity: 16 * found.documents.count)
        for document in found.documents {
            let row = metadata(document)
            told.append(decimal: UInt64(bitPattern: row.fetchedAt?.milliseconds ?? 0))
            told.append(row.isPending ? "p" : "n")
        }
        return told.bytes.fnv()
    }

    /// What is not there may come without a change of the rows.
    private func missingDigest(of found: SearchResult) -> UInt64 {
        guard !found.missing.isEmpty else { return 0 }
        var digest = ResultDigest()
        for id in found.missing { id.withBytes { digest.add(id: $0, revision: 0) } }
        return digest.value
    }

    /// Weak, since `meta.revision` moves with every commit while the items stay: a digest of the
    /// query and the rows; and of the epoch, since another one gives revisions anew.
    private func entityTag(of found: SearchResult) -> [UInt8] {
        // What `explain` shows may differ while the rows stay.
        let explained = found.explanation.map { ($0 + live).withUnsafeBytes { $0.fnv() } } ?? 0
        let digest =
            LiveResult.digest(of: found, showsTotal: query.count) ^ request.identity
            ^ cursor.epoch.value ^ (included?.digest ?? 0)
            ^ (hasMore ? 1 : 0) ^ (origin?.digest ?? 0)
            ^ (hint.map { Array($0.utf8).withUnsafeBytes { $0.fnv() } } ?? 0)
            ^ explained ^ metadataDigest(of: found) ^ missingDigest(of: found)
        var tag = ByteBuffer(capacity: 24)
        tag.append("W/\"")
        tag.append(text: String(digest, radix: 16))
        tag.append("\"")
        return Array(tag.bytes)
    }
}

/// A large page, in pieces.
private struct PageRows: BodySource {
    private let page: SearchPage
    private let found: SearchResult
    private let next: String?
    private var rows: SearchRows
    private var hasRows = true
    /// Rows of `included` that are written.
    private var includedPosition = 0

    init(_ page: SearchPage, found: SearchResult, next: String?) {
        self.page = page
        self.found = found
        self.next = next
        rows = SearchRows(found, of: page.query, metadata: page.metadata)
    }

    mutating func write(into body: inout ByteBuffer) -> StreamStep {
        let start = body.count
        if hasRows { hasRows = rows.append(upTo: BodyStream.pieceBytes, to: &body) }
        guard !hasRows else { return .more }
        if let included = page.included {
            if includedPosition == 0 { body.append(",\"included\":") }
            // One row at a time, so that a piece ends behind the row that fills it.
            repeat {
                let end = min(includedPosition + 1, included.rows.count)
                included.append(includedPosition..<end, withMeta: page.query.meta, to: &body)
                includedPosition = end
            } while includedPosition < included.rows.count
                && body.count - start < BodyStream.pieceBytes
            guard includedPosition == included.rows.count else { return .more }
        }
        page.appendEnd(found, next, to: &body)
        return .finish
    }
}
