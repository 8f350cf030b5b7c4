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
    ) async throws(Problem) -> Row? {
        let query = try query(type, id, parameters)
        let answer = try await read(query, isGet: true)
        switch answer.content {
        case .absent: return nil
        case .entity(let document): return rows([document], of: query, answer.origin).first
        case .page(let found, _): return rows(found.documents, of: query, answer.origin).first
        }
    }

    /// A page of entities, groups or figures.
    package func search(
        _ type: String, _ parameters: [(String, String)]
    ) async throws(Problem) -> Answer {
        let query = try query(type, nil, parameters)
        let answer = try await read(query, isGet: false)
        guard case .page(let found, let included) = answer.content else { return Answer() }
        return self.answer(found, included, query, answer.origin ?? AnswerOrigin())
    }

    // MARK: The question

    func query(
        _ type: String, _ id: String?, _ parameters: [(String, String)]
    ) throws(Problem) -> Query {
        let name = try self.type(type)
        var parser: QueryParser
        do { parser = try core.reader.queryParser(name, for: nil) } catch { throw Problem(error) }
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

    // MARK: The answer

    private func read(_ query: Query, isGet: Bool) async throws(Problem) -> ReadAnswer {
        guard let answer = try await answer(query, isGet: isGet) else { throw .cancelled }
        return answer
    }

    /// nil where the task that asks is cancelled.
    private func answer(_ query: Query, isGet: Bool) async throws(Problem) -> ReadAnswer? {
        let question = ReadQuestion(query, isGet: isGet, for: nil, RemoteCaller())
        do throws(ReadFailure) {
            switch try core.reader.read(question) {
            case .now(let answer): return answer
            case .later(let later):
                let result = await Awaited<Result<ReadAnswer, ReadFailure>>().value { awaited in
                    later.begin(awaited) { awaited.finish($0) }
                }
                guard let result else { return nil }
                return try result.get()
            }
        } catch {
            throw Problem(error)
        }
    }

    private func answer(
        _ found: SearchResult, _ included: IncludedEntities?, _ query: Query,
        _ origin: AnswerOrigin
    ) -> Answer {
        var answer = Answer()
        answer.origin = origin
        answer.total = found.total
        answer.hasMore = found.hasMore
        answer.rows = rows(found.documents, of: query, origin)
        answer.included = (included?.rows ?? []).map {
            row($0.type, $0.document, .all, query.meta, nil)
        }
        var body = ByteBuffer(capacity: 1024)
        var rows = SearchRows(found, query) { [core] in
            core.reader.facts(of: $0, query.type, shownAt: origin)
        }
        _ = rows.append(upTo: .max, to: &body)
        body.append("}")
        answer.json = Array(body.bytes)
        return answer
    }

    private func rows(
        _ documents: [Document], of query: Query, _ origin: AnswerOrigin?
    ) -> [Row] {
        let projection = Projection(query)
        return documents.map { document in
            let facts =
                query.meta
                ? core.reader.facts(of: document, query.type, shownAt: origin ?? AnswerOrigin())
                : nil
            return row(query.type, document, projection, query.meta, facts)
        }
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
    /// The caller has stopped waiting for the answer.
    static var cancelled: Problem {
        Problem(.shuttingDown, "the task that asked was cancelled")
    }
}
