import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `POST /v1/{type}`: create; the server makes the id unless the body has one.
    func createEntity(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        let type = try context.type()
        let (values, destination) = try context.writeParameters(EntityAnswer.parameters)
        let answer = try EntityAnswer(type, request, context, values)
        let start = try idempotency(request, reply, keepsEntity: true)
        try write(to: destination, start, reply, &response, answer) { () throws(Problem) in
            .set(type, try document(type, request.body, .bodyOrNew, context), .absent)
        }
    }
}
