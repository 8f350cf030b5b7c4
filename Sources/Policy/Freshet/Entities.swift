import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetLive
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetStore

/// The entities of a server, for the program that it runs in: what the REST interface does, without
/// HTTP, and with every right. Any thread, any task.
///
/// A call that is answered from memory does not suspend. A long loop of such calls keeps its thread
/// of the cooperative pool: `await Task.yield()` in it now and then, or run it on a thread of its own.
///
/// A read, and a write that waits for a remote, are given up where their task is cancelled and throw
/// `cancelled` (`EntityProblem.isCancellation`). Once the server has been stopped, all throw
/// `shutting-down`.
public struct Entities: Sendable {
    let core: CoreManager
    let life: ServerLife

    // MARK: Reads

    /// One entity; nil where there is none.
    public func get(
        _ type: String, _ id: String, context: ReadContext = .standard
    ) async throws(EntityProblem) -> Entity? {
        let query = try query(type, id, context.parameters)
        let answer = try await read(query, isGet: true)
        let documents: [Document]
        switch answer.content {
        case .absent: return nil
        case .entity(let document): documents = [document]
        case .page(let found, _): documents = found.documents
        }
        return entities(documents, of: query, answer.origin ?? AnswerOrigin()).first
    }

    /// A page of entities, groups or figures.
    public func search(_ query: EntityQuery) async throws(EntityProblem) -> EntityPage {
        let asked = try self.query(query.type, nil, query.parameters)
        let answer = try await read(asked, isGet: false)
        let origin = answer.origin ?? AnswerOrigin()
        guard case .page(let found, let included) = answer.content else {
            preconditionFailure("a search is answered with a page")
        }
        var json = ByteBuffer(capacity: 1024)
        var rows = SearchRows(found, of: asked) { metadata(of: $0, asked, origin) }
        _ = rows.append(upTo: .max, to: &json)
        json.append("}")
        return EntityPage(
            entities: entities(found.documents, of: asked, origin),
            included: (included?.rows ?? []).map {
                Entity($0.document, of: $0.type, .all, withMeta: asked.meta, nil)
            },
            total: found.total, hasMore: answer.hasMore, source: AnswerSource(origin),
            json: Array(json.bytes))
    }

    private func read(_ query: Query, isGet: Bool) async throws(EntityProblem) -> ReadAnswer {
        try life.check()
        let question = ReadQuestion(
            AskedQuery(query), isGet: isGet, for: nil, RemoteCaller())
        let result: Result<ReadAnswer, ReadFailure>?
        do throws(ReadFailure) {
            switch try core.reader.read(question) {
            case .now(let answer): return answer
            case .later(let later):
                result = await Awaited<Result<ReadAnswer, ReadFailure>>().value { awaited in
                    later.begin(awaited) { awaited.finish($0) }
                }
            }
            if let result { return try result.get() }
        } catch {
            throw EntityProblem(Problem(error))
        }
        throw .cancelled
    }

    private func entities(
        _ documents: [Document], of query: Query, _ origin: AnswerOrigin
    ) -> [Entity] {
        let projection = Projection(query)
        return documents.map { document in
            Entity(
                document, of: query.type, projection, withMeta: query.meta,
                query.meta ? metadata(of: document, query, origin) : nil)
        }
    }

    private func metadata(
        of document: Document, _ query: Query, _ origin: AnswerOrigin
    ) -> ItemMetadata {
        core.reader.metadata(of: document, query.type, shownAt: origin)
    }

    // MARK: Live queries

    /// Watches a search: first the answer as it is, then the whole answer anew after changes. A slow
    /// reader is told once of all that has happened meanwhile; there is no queue.
    ///
    /// ```swift
    /// for try await snapshot in server.entities.watch(EntityQuery("task")) {
    ///     print(snapshot.entities.count)
    /// }
    /// ```
    public func watch(_ query: EntityQuery) -> EntityWatch {
        EntityWatch(self, query)
    }

    /// Live queries of this server for a `SnapshotAgent`.
    public var snapshots: EmbeddedSnapshots { EmbeddedSnapshots(self) }

    /// The events of live queries of this server for a `StreamAgent`; see `EntityRows`. Items have
    /// `_meta` whether the query wants it or not, since their revisions stand in it.
    public var events: EmbeddedEvents { EmbeddedEvents(self) }

    // MARK: What is asked

    /// - Parameter parameters: With the names and the texts of a URL.
    func query(
        _ type: String, _ id: String?, _ parameters: [(String, String)]
    ) throws(EntityProblem) -> Query {
        let name = try self.type(type)
        var parser: QueryParser
        do { parser = try core.reader.queryParser(name, for: nil) } catch {
            throw EntityProblem(Problem(error))
        }
        var query: Query
        do throws(QueryFault) {
            for (name, value) in parameters {
                if name == "ids" {
                    try parser.take(ids: PercentDecoding.list(value))
                } else {
                    try parser.take(name: name, value: value)
                }
            }
            query = try parser.finish()
        } catch {
            throw EntityProblem(Problem(error))
        }
        guard let id else { return query }
        query.ids = [try current(id, of: name)]
        query.limit = nil
        return query
    }

    func type(_ text: String) throws(EntityProblem) -> TypeName {
        guard let name = TypeName(text) else {
            throw EntityProblem(
                Problem(
                    .badParameter, "'\(text)' is no type name",
                    hint: TypeName.rule))
        }
        return name
    }

    func id(_ text: String) throws(EntityProblem) -> EntityID {
        do { return try EntityID(text) } catch {
            throw EntityProblem(
                Problem(.badRequest, "the id '\(text)' is not valid: \(error.sentence)"))
        }
    }

    /// The id that the entity is known by now.
    func current(_ id: String, of type: TypeName) throws(EntityProblem) -> EntityID {
        core.outbox.current(type, try self.id(id))
    }
}
