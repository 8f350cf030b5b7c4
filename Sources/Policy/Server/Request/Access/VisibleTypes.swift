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
    ) {
        let (cursor, all) = core.types.counts()
        if let types = typesWithoutCounting(all, reply) {
            return answer(cursor, types, reply, &response)
        }
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let types = try visibleTypes(of: all, reply)
            exchange.answer(self, reply) { answer(cursor, types, reply, &$0) }
        }
    }

    /// What the caller sees of `all`; nil where its rows have to be counted by a rule.
    func typesWithoutCounting(
        _ all: [(name: TypeName, count: Int)], _ reply: Reply
    ) -> [(name: TypeName, count: Int)]? {
        guard let rights = reply.rights else { return all }
        let types = all.filter { rights.of($0.name).read != .none }
        return types.allSatisfy { rights.of($0.name).read == .all } ? types : nil
    }

    /// What the caller sees of `all`, its rows counted. On a worker.
    func visibleTypes(
        of all: [(name: TypeName, count: Int)], _ reply: Reply
    ) throws(Problem) -> [(name: TypeName, count: Int)] {
        guard let rights = reply.rights else { return all }
        var visible: [(name: TypeName, count: Int)] = []
        for type in all where rights.of(type.name).read != .none {
            let count = try count(of: type.name, type.count, rights)
            // A type that is not declared is known by its entities only.
            guard count > 0 || core.types.catalog.schema(of: type.name) != nil else { continue }
            visible.append((type.name, count))
        }
        return visible
    }

    private func count(
        of type: TypeName, _ all: Int, _ rights: AccessRights
    ) throws(Problem) -> Int {
        guard let rule = rights.of(type).read.filter else { return all }
        do { return try core.reader.count(of: type, rule) } catch { throw Problem(error) }
    }
}
