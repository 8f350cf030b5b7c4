import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery

extension FreshetService {
    /// Answers a search or a get with the entities that it includes, from a worker: how far a
    /// relationship leads is known only when it is followed.
    ///
    /// - Parameters:
    ///   - query: What is searched for.
    ///   - shown: What the request asked for; differs in the total that HEAD needs.
    ///   - mustExist: Whether nothing found is 404, as for one entity.
    func answer(
        _ query: Query, shown: Query, _ include: Include, _ request: borrowing Request,
        _ reply: Reply, _ response: inout ResponseWriter, mustExist: Bool = false
    ) throws(Problem) {
        let prepared: PreparedInclude
        do { prepared = try core.prepare(query, including: include, for: reply.rights) } catch {
            throw Problem(error)
        }
        // `missing` of a get is about what is included: the entity itself is 404.
        let page = SearchPage(
            query: shown, target: request.body.isEmpty ? [UInt8](request.query) : nil,
            identity: request.query.fnv(continuing: request.body.fnv()),
            cursor: prepared.search.cursor, idsAreIntegers: core.idsAreIntegers(query.type),
            conditions: ReadConditions(request))
        let exchange = response.detach()
        core.run(prepared, isCancelled: { exchange.isCancelled }) { result in
            exchange.answer(self, reply) { response in
                switch result {
                case .success((let found, _)) where mustExist && found.documents.isEmpty:
                    self.fail(
                        .absentEntity(of: query), reply, &response)
                case .success((let found, let included)):
                    var page = page
                    page.included = included
                    self.write(found, of: prepared.search, page, reply, &response)
                case .failure(let error): self.fail(Problem(error), reply, &response)
                }
            }
        }
    }
}
