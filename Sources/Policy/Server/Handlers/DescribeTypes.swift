import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore

extension FreshetService {
    /// `GET /v1/_types`: every type that is declared or has entities, as far as the caller sees.
    func describeTypes(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
        try withTypes(reply, &response) { [self] _, types, reply, response in
            withUnfit(of: types.map(\.name), reply, &response) { [self] reports, response in
                reply.begin(200, &response)
                response.header("Content-Type", "application/json")
                response.beginBody()
                response.body.append(items: zip(types, reports)) { item, body in
                    let (type, report) = item
                    append(type.name, count: type.count, report, reply, &body)
                    body.append("}")
                }
                response.body.append("\n")
                response.endBody()
            }
        }
    }

    /// `GET /v1/_types/{type}`.
    func describeType(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
        let name = TypeName(bytes: context.path[2])
        try withTypes(reply, &response) { [self] _, types, reply, response in
            guard let type = types.first(where: { $0.name == name }) else {
                let problem = Problem(
                    .unknownType, "this type is neither declared nor written",
                    hint: "GET /v1/_types lists all types")
                return fail(problem, reply, &response)
            }
            withUnfit(of: [type.name], reply, &response) { [self] reports, response in
                reply.begin(200, &response)
                response.header("Content-Type", "application/json")
                response.beginBody()
                append(type.name, count: type.count, reports[0], reply, &response.body)
                if seesAll(type.name, reply) {
                    response.body.append(",\"unfitEntities\":[")
                    for (index, entity) in reports[0].examples.enumerated() {
                        if index > 0 { response.body.append(",") }
                        entity.append(to: &response.body)
                    }
                    response.body.append("]")
                }
                response.body.append("}\n")
                response.endBody()
            }
        }
    }

    /// Whether no row of `type` is hidden from the caller: figures over all rows would tell of them.
    private func seesAll(_ type: TypeName, _ reply: Reply) -> Bool {
        reply.rights.map { $0.of(type).read == .all } ?? true
    }

    /// Answers at once where the counts are known, else when they have been made elsewhere.
    private func withUnfit(
        of types: [TypeName], _ reply: Reply, _ response: inout ResponseWriter,
        _ answer: @escaping @Sendable ([UnfitCensus.Report], inout ResponseWriter) -> Void
    ) {
        let known = types.compactMap { core.unfit.known($0) }
        if known.count == types.count { return answer(known, &response) }
        let exchange = response.detach()
        core.unfit.reports(on: types) { [self] reports in
            exchange.answer(self, reply) { response in
                guard let reports else {
                    let problem = Problem(
                        .overloaded, "too much work waits already to look at every entity")
                    return self.fail(problem, reply, &response)
                }
                answer(reports, &response)
            }
        }
    }

    /// Appends the description of one type, but for its closing brace.
    private func append(
        _ type: TypeName, count: Int, _ unfit: UnfitCensus.Report, _ reply: Reply,
        _ body: inout ByteBuffer
    ) {
        let seesAll = seesAll(type, reply)
        body.append("{\"name\":\"")
        type.withBytes { body.append($0) }
        body.append("\",\"count\":")
        body.append(decimal: count)
        if seesAll {
            body.append(",\"unfit\":")
            body.append(decimal: unfit.count)
        }
        body.append(",\"sources\":[")
        if let source = core.remotes.source(of: type) {
            body.append(jsonString: source.upstreamName)
        }
        body.append("]")
        if let schema = core.catalog.schema(of: type) {
            body.append(",\"declared\":true,\"schema\":")
            schema.encode(into: &body)
            if seesAll { appendIndexes(of: type, to: &body) }
        } else {
            body.append(",\"declared\":false")
        }
    }

    /// What the indexes are doing: their keys, `building` or `ready`, entries and bytes.
    private func appendIndexes(of type: TypeName, to body: inout ByteBuffer) {
        body.append(",\"indexes\":[")
        for (position, index) in core.store.indexStatus(type).enumerated() {
            if position > 0 { body.append(",") }
            body.append("{\"keys\":")
            body.append(jsonString: index.definition.description)
            body.append(index.isReady ? ",\"state\":\"ready\"" : ",\"state\":\"building\"")
            body.append(",\"entries\":")
            body.append(decimal: index.entries)
            body.append(",\"bytes\":")
            body.append(decimal: index.bytes)
            body.append("}")
        }
        body.append("]")
    }
}

extension UnfitEntity {
    /// `{"id","revision","errors":[{"pointer","code","detail"}]}`.
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        if let id = document.member(named: "id") {
            body.append("\"id\":")
            body.append(id.bytes)
            body.append(",")
        }
        body.append("\"revision\":")
        body.append(decimal: document.revision)
        body.append(",\"errors\":[")
        for (index, fault) in faults.enumerated() {
            if index > 0 { body.append(",") }
            body.append("{\"pointer\":")
            body.append(jsonString: fault.pointer)
            body.append(",\"code\":")
            body.append(jsonString: fault.code)
            body.append(",\"detail\":")
            body.append(jsonString: fault.detail)
            body.append("}")
        }
        body.append("]}")
    }
}
