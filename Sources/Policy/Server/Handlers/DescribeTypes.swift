import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery

extension FreshetService {
    /// `GET /v1/_types`: every type that is declared or has entities.
    func describeTypes(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        _ = try context.onlyParameters()
        try request.acceptedMedia.checkJSON()
        try withTypes(reply, &response) { _, types, reply, response in
            reply.begin(200, &response)
            response.header("Content-Type", "application/json")
            response.beginBody()
            response.body.append("{\"items\":[")
            for (index, type) in types.enumerated() {
                if index > 0 { response.body.append(",") }
                self.append(type.name, count: type.count, to: &response.body)
            }
            response.body.append("]}\n")
            response.endBody()
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
        try withTypes(reply, &response) { _, types, reply, response in
            guard let type = types.first(where: { $0.name == name }) else {
                let problem = Problem(
                    .unknownType, "this type is neither declared nor written",
                    hint: "GET /v1/_types lists all types")
                return self.fail(problem, reply, &response)
            }
            reply.begin(200, &response)
            response.header("Content-Type", "application/json")
            response.beginBody()
            self.append(type.name, count: type.count, to: &response.body)
            response.body.append("\n")
            response.endBody()
        }
    }

    private func append(_ type: TypeName, count: Int, to body: inout ByteBuffer) {
        body.append("{\"name\":\"")
        type.withBytes { body.append($0) }
        body.append("\",\"count\":")
        body.append(decimal: count)
        if let schema = core.catalog.schema(of: type) {
            body.append(",\"declared\":true,\"schema\":")
            schema.encode(into: &body)
            body.append("}")
        } else {
            body.append(",\"declared\":false}")
        }
    }
}
