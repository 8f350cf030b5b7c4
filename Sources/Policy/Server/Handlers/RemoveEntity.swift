import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `DELETE /v1/{type}/{id}`: 204, also where it was absent.
    func removeEntity(
        _ request: borrowing Request, _ context: LoopContext, _ reply: Reply,
        _ response: inout ResponseWriter
    ) throws(Problem) {
        let type = try context.type()
        let id = core.outbox.current(type, try context.id())
        let (values, destination) = try context.writeParameters(EntityAnswer.parameters)
        let answer = try EntityAnswer(type, request, context, values)
        do { try core.types.catalog.check(type) } catch { throw Problem(error) }
        let start = try idempotency(request, reply, isOfEntity: true)
        try write(to: destination, start, reply, &response, answer, isRemoval: true) {
            () throws(Problem) in .remove(type, id, try WriteCondition(request))
        }
    }
}
