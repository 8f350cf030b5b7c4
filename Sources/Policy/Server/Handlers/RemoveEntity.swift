import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `DELETE /v1/{type}/{id}`: 204, also where it was absent.
    func removeEntity(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let id = try call.context.id()
        let (values, destination) = try call.context.writeParameters(EntityAnswer.parameters)
        let answer = try EntityAnswer(type, call.request, call.context, values)
        try checkAllowed(type)
        let start = try idempotency(call)
        try write(to: destination, start, call.reply, &response, answer, isRemoval: true) {
            () throws(Problem) in .remove(type, id, try WriteCondition(call.request))
        }
    }
}
