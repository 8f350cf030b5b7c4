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
        let id = try context.id()
        _ = try context.onlyParameters()
        do { try core.check(type) } catch { throw Problem(error) }
        let condition = try WriteCondition(request)
        commit(Transaction(.remove(type, id, condition)), reply, &response) {
            receipt, reply, response in
            reply.begin(204, &response)
            receipt.appendHeaders(to: &response)
            response.end()
        }
    }
}
