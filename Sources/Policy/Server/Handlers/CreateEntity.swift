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
        let answer = try EntityAnswer(request, context, location: .entity(of: type))
        let start = try idempotency(request, reply)
        if case .answer(let receipt) = start { return answer.write(receipt, reply, &response) }
        let document = try document(type, request.body, .bodyOrNew, context)
        commit(
            Transaction(.set(type, document, .absent)), ticket: start?.ticket, reply, &response,
            answer.write)
    }
}
