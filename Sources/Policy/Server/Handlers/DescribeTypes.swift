import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `GET /v1/_types`: every type that is declared or has entities.
    func describeTypes(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
        let (_, types) = core.typeCounts()
        reply.begin(200, &response)
        response.header("Content-Type", "application/json")
        response.beginBody()
        response.body.append("{\"items\":[")
        for (index, type) in types.enumerated() {
            if index > 0 { response.body.append(",") }
            append(type.name, count: type.count, to: &response.body)
        }
        response.body.append("]}\n")
        response.endBody()
    }

    /// `GET /v1/_types/{type}`.
    func describeType(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
        guard let name = TypeName(bytes: context.path[2]),
            let type = core.typeCounts().types.first(where: { $0.name == name })
        else {
            throw Problem(
                .unknownType, "this type is neither declared nor written",
                hint: "GET /v1/_types lists all types")
        }
        reply.begin(200, &response)
        response.header("Content-Type", "application/json")
        response.beginBody()
        append(type.name, count: type.count, to: &response.body)
        response.body.append("\n")
        response.endBody()
    }

    private func append(_ type: TypeName, count: Int, to body: inout ByteBuffer) {
        body.append("{\"name\":\"")
        type.withBytes { body.append($0) }
        body.append("\",\"count\":")
        body.append(decimal: count)
        if let schema = core.catalog.schema(of: type) {
            body.append(",\"declared\":true,\"schema\":")
            schema.encode(into: &body)
            appendIndexes(of: type, to: &body)
            body.append("}")
        } else {
            body.append(",\"declared\":false}")
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
