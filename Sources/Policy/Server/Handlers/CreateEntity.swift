import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `POST /v1/{type}`: create; the server makes the id unless the body has one.
    func createEntity(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let (values, destination) = try call.context.writeParameters(EntityAnswer.parameters)
        let answer = try EntityAnswer(type, call.request, call.context, values)
        let start = try idempotency(call, keepsEntity: true)
        try write(to: destination, start, call.reply, &response, answer) { () throws(Problem) in
            .set(type, try document(type, call.request.body, .bodyOrNew, call.context), .absent)
        }
    }
}
