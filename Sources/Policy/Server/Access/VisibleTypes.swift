import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// Answers with the types that the caller may read and the number of entities that it may read
    /// of each: at once, or from a worker where rows have to be counted by a rule.
    func withTypes(
        _ reply: Reply, _ response: inout ResponseWriter,
        _ answer:
            @escaping @Sendable (
                Cursor, [(name: TypeName, count: Int)], Reply, inout ResponseWriter
            ) -> Void
    ) throws(Problem) {
        let (cursor, all) = core.typeCounts()
        guard let rights = reply.rights else { return answer(cursor, all, reply, &response) }
        let types = all.filter { rights.of($0.name).read != .none }
        guard types.contains(where: { rights.of($0.name).read != .all }) else {
            return answer(cursor, types, reply, &response)
        }
        onWorker(reply, &response) { [self] exchange throws(Problem) in
            var counted: [(name: TypeName, count: Int)] = []
            for type in types {
                let count = try count(of: type.name, type.count, rights)
                // A type that is not declared is known by its entities only.
                guard count > 0 || core.catalog.schema(of: type.name) != nil else { continue }
                counted.append((type.name, count))
            }
            exchange.answer(self, reply) { [counted] response in
                answer(cursor, counted, reply, &response)
            }
        }
    }

    private func count(
        of type: TypeName, _ all: Int, _ rights: AccessRights
    ) throws(Problem) -> Int {
        guard let rule = rights.of(type).read.filter else { return all }
        var query = Query(type: type)
        query.restrict(to: rule)
        query.count = true
        query.limit = 0
        do {
            return try core.run(core.prepare(query)).total ?? 0
        } catch {
            throw Problem(error)
        }
    }
}
