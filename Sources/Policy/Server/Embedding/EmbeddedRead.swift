import FreshetBase
package import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetLive
import FreshetQuery
import FreshetStore

/// The server's entities for the program that it runs in: what the REST interface does, without
/// HTTP and without rights of a caller. Parameters have the names and the texts of a URL.
package struct EmbeddedEntities: Sendable {
    let service: FreshetService
    var core: CoreManager { service.core }

    /// One entity of an answer.
    package struct Row: Sendable {
        package let type: String
        package let id: String
        /// 0 where it is not stored.
        package let revision: UInt64
        /// As it was asked for: with the members of `fields`, with `_meta` where wanted.
        package let json: [UInt8]
    }

    /// What a read was answered with.
    package struct Answer: Sendable {
        package var rows: [Row] = []
        package var included: [Row] = []
        /// All matches, where they were counted.
        package var total: Int?
        package var hasMore = false
        package var origin = AnswerOrigin()
        /// `{"items":[…]}`, `{"groups":[…]}` or `{"aggregates":…}`.
        package var json: [UInt8] = []

        /// The problem for which this is not the remote's whole answer.
        package var degraded: Problem? { origin.degraded }
    }

    /// One entity; nil where there is none.
    package func get(
        _ type: String, _ id: String, _ parameters: [(String, String)]
    ) async throws(Problem) -> Answer? {
        let query = try query(type, id, parameters)
        guard let local = try await local(query, isGet: true) else { return nil }
        let answer = try await run(query, local, isGet: true)
        return answer.rows.isEmpty ? nil : answer
    }

    /// A page of entities, groups or figures.
    package func search(
        _ type: String, _ parameters: [(String, String)]
    ) async throws(Problem) -> Answer {
        let query = try query(type, nil, parameters)
        guard let local = try await local(query, isGet: false) else { return Answer() }
        return try await run(query, local, isGet: false)
    }

    // MARK: The question

    func query(
        _ type: String, _ id: String?, _ parameters: [(String, String)]
    ) throws(Problem) -> Query {
        let name = try self.type(type)
        var parser: QueryParser
        do { parser = try core.queryParser(name, for: nil) } catch { throw Problem(error) }
        var query: Query
        do throws(QueryFault) {
            for (name, value) in parameters {
                if name == "ids" {
                    try parser.take(ids: PercentEncoding.list(value))
                } else {
                    try parser.take(name: name, value: value)
                }
            }
            query = try parser.finish()
        } catch {
            throw Problem(error)
        }
        guard let id else { return query }
        query.ids = [core.outbox.current(name, try self.id(id))]
        query.limit = nil
        return query
    }

    func type(_ text: String) throws(Problem) -> TypeName {
        guard let name = TypeName(text) else {
            throw Problem(
                .badParameter, "'\(text)' is no type name",
                hint: "a type name is a letter and up to 63 letters, digits, '_' or '-'")
        }
        return name
    }

    func id(_ text: String) throws(Problem) -> EntityID {
        do { return try EntityID(text) } catch {
            throw Problem(.badRequest, "the id '\(text)' is not valid: \(error.sentence)")
        }
    }

    // MARK: Where the answer comes from

    /// nil: the remote says that there is no such entity.
    private func local(_ query: Query, isGet: Bool) async throws(Problem) -> LocalRead? {
        let way = try await way(query, isGet: isGet)
        guard case .remote(let remote) = way else {
            if case .local(let local) = way { return local }
            return nil
        }
        let end = await Awaited<RemoteRead.End>().value { awaited in
            let place = core.begin(remote, for: RemoteCaller()) { awaited.finish($0) }
            awaited.onCancel { place.leave() }
        }
        switch end {
        case .rows(let local): return local
        case .absent: return nil
        case .failed(let failure): throw Problem(failure)
        case nil: throw .cancelled
        }
    }

    private func way(_ query: Query, isGet: Bool) async throws(Problem) -> ReadWay {
        let result: Result<ReadWay, CoreError>
        if core.deliberates(query) {
            // It may search before it answers.
            result =
                await Awaited<Result<ReadWay, CoreError>>().value { awaited in
                    let hasPlace = core.workers.perform { [core] in
                        awaited.finish(Self.way(core, query, isGet))
                    }
                    if !hasPlace { awaited.finish(.failure(.overloaded)) }
                } ?? .failure(.overloaded)
        } else {
            result = Self.way(core, query, isGet)
        }
        do { return try result.get() } catch { throw Problem(error) }
    }

    private static func way(
        _ core: CoreManager, _ query: Query, _ isGet: Bool
    ) -> Result<ReadWay, CoreError> {
        do throws(CoreError) {
            return .success(try core.way(of: query, isGet: isGet, for: nil, RemoteCaller()))
        } catch {
            return .failure(error)
        }
    }

    // MARK: The answer

    private func run(
        _ asked: Query, _ local: LocalRead, isGet: Bool
    ) async throws(Problem) -> Answer {
        var query = local.query
        query.looksAhead = !isGet && !local.hasOwnOrder
        let found: SearchResult
        var included: IncludedEntities?
        if let include = asked.include {
            let isLocal = asked.read?.source == .local
            let answer = await Awaited<Result<IncludeAnswer, CoreError>>().value { awaited in
                core.run(
                    query, on: local, including: include, for: nil,
                    isLocal ? nil : RemoteCaller(), leaves: { awaited.onCancel($0) },
                    isCancelled: { awaited.isOver }, completion: { awaited.finish($0) })
            }
            let result = try Self.value(of: answer)
            found = result.found
            included = result.included
        } else {
            found = try await search(query, on: local.table)
        }
        let isEmpty = found.documents.isEmpty && found.groups == nil && found.aggregates == nil
        if local.mustFind, isEmpty, let failure = local.origin.failure { throw Problem(failure) }
        return answer(found, included, asked, local.origin)
    }

    private func search(
        _ query: Query, on table: TableView?
    ) async throws(Problem) -> SearchResult {
        let search: PreparedSearch
        do throws(CoreError) {
            search = try core.prepare(query, on: table)
            if core.runsInline(search) { return try core.run(search) }
        } catch {
            throw Problem(error)
        }
        let result = await Awaited<Result<SearchResult, CoreError>>().value { awaited in
            core.run(
                search, isCancelled: { awaited.isOver }, completion: { awaited.finish($0) })
        }
        return try Self.value(of: result)
    }

    private static func value<Value>(
        of result: Result<Value, CoreError>?
    ) throws(Problem) -> Value {
        guard let result else { throw .cancelled }
        do { return try result.get() } catch { throw Problem(error) }
    }

    private func answer(
        _ found: SearchResult, _ included: IncludedEntities?, _ query: Query,
        _ origin: AnswerOrigin
    ) -> Answer {
        var answer = Answer()
        answer.origin = origin
        answer.total = found.total
        answer.hasMore = found.hasMore
        let projection = Projection(query)
        let facts = { [core] (document: Document) in
            core.facts(of: document, query.type, shownAt: origin)
        }
        answer.rows = found.documents.map { document in
            row(query.type, document, projection, query.meta, query.meta ? facts(document) : nil)
        }
        answer.included = (included?.rows ?? []).map {
            row($0.type, $0.document, .all, query.meta, nil)
        }
        var body = ByteBuffer(capacity: 1024)
        var rows = SearchRows(found, query, facts)
        _ = rows.append(upTo: .max, to: &body)
        body.append("}")
        answer.json = Array(body.bytes)
        return answer
    }

    private func row(
        _ type: TypeName, _ document: Document, _ projection: Projection, _ withMeta: Bool,
        _ facts: ItemFacts?
    ) -> Row {
        var json = ByteBuffer(capacity: document.json.count + 64)
        ItemEncoder.append(document, projection, withMeta: withMeta, facts, to: &json)
        return Row(
            type: type.text, id: document.id.text, revision: document.revision,
            json: Array(json.bytes))
    }
}

extension Problem {
    /// Whoever asked has left.
    static var cancelled: Problem {
        Problem(.shuttingDown, "the task that asked was cancelled")
    }
}
