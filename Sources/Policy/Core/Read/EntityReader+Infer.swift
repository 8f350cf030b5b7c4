import FreshetBase
import FreshetEngine
package import FreshetQuery
import FreshetStore

extension EntityReader {
    /// A slice of the look at a sample ends after so much time, which is asked for every
    /// `sliceStep` entities.
    private static let sliceTime: Duration = .milliseconds(5)
    private static let sliceStep = 16

    /// Tells what entities of `type` have in common, by a sample spread evenly over their ids. For a
    /// worker, which goes on in slices.
    ///
    /// - Parameters:
    ///   - most: Entities of the sample, at most.
    ///   - rights: Only what they let be read is looked at; nil: everything.
    ///   - isCancelled: Asked before each slice; true ends the work without a completion.
    ///   - completion: Called once, on a worker.
    package func infer(
        _ type: TypeName, from most: Int, for rights: AccessRights?,
        isCancelled: @escaping @Sendable () -> Bool,
        completion: @escaping @Sendable (Result<InferredType, CoreError>) -> Void
    ) throws(CoreError) {
        let deadline = Deadline(after: limits.queryTimeout)
        let table = store.view(type) ?? .empty
        guard let rule = rights?.of(type).read.filter else {
            return look(
                TypeInference(table.sample(most)), deadline, isCancelled: isCancelled,
                completion: completion)
        }
        var query = Query(type: type)
        query.restrict(to: rule)
        query.limit = table.count
        run(try prepare(query, on: table), isCancelled: isCancelled) { [self] found in
            do throws(CoreError) {
                let rows = try found.get().documents
                look(
                    TypeInference(rows.indices.spread(most).map { rows[$0] }), deadline,
                    isCancelled: isCancelled, completion: completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func look(
        _ inference: TypeInference, _ deadline: Deadline,
        isCancelled: @escaping @Sendable () -> Bool,
        completion: @escaping @Sendable (Result<InferredType, CoreError>) -> Void
    ) {
        let isTaken = workers.perform { [self] in
            guard !isCancelled() else { return }
            guard !deadline.hasPassed else { return completion(.failure(.engine(.timeout))) }
            let end = MonotonicInstant.now + Self.sliceTime
            var isDone = false
            repeat {
                isDone = inference.run(rows: Self.sliceStep)
            } while !isDone && MonotonicInstant.now < end
            guard isDone else {
                return look(inference, deadline, isCancelled: isCancelled, completion: completion)
            }
            completion(.success(inference.result))
        }
        if !isTaken { completion(.failure(.overloaded)) }
    }
}
