import FreshetBase
package import FreshetRefresh
import FreshetRemote
package import FreshetStore

extension EntityWriter {
    /// Has a mutation write. Runs of one mutation follow each other; one that has begun is ended by
    /// nobody's leaving.
    package func mutate(
        _ operation: RemoteOperation, _ write: WriteOperation, to target: OutboxTarget,
        waits: Bool, requestID: String?,
        completion: @escaping @Sendable (Operations.Order) -> Void
    ) -> Waiter<Operations.Order> {
        let name = target.source.upstreamName
        let work: RemoteOperation.Work = { [self] _ in
            let outcome = await writeRemotely(
                write, to: target, by: WriteOrder.Author(nil, nil, "", requestID: requestID))
            switch outcome {
            case .here(.done):
                var written = FetchOutcome(at: .now)
                written.rows = 1
                return written
            case .here(let outcome): throw FetchFailure.store(outcome)
            case .unkept(let outcome, _): throw FetchFailure.unkept(outcome, name: name)
            case .upstream(.cancelled, _): throw OperationError.cancelled
            case .upstream(let error, _): throw FetchFailure.upstream(error, name: name)
            case .busy: throw FetchFailure.gated("outbox", name: name)
            }
        }
        let waiter = Waiter(completion)
        operation.admit(waiter) { error in
            if let error { return waiter.finish(Operations.Order(.failure(error), of: name)) }
            let isTaken = operation.enqueue {
                operation.enter(.mutation, work: work) { result in
                    if waits { waiter.finish(Operations.Order(result, of: name)) }
                    operation.dequeue()
                }
            }
            if !isTaken {
                let limit = RemoteOperation.mostWrites
                waiter.finish(.failed(.upstream(.saturated(limit: limit), name: name)))
            } else if !waits {
                waiter.finish(.begun)
            }
        }
        return waiter
    }
}
