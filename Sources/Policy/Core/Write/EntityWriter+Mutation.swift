import FreshetBase
import FreshetOperations
import FreshetRemote
package import FreshetStore

extension EntityWriter {
    /// Has a mutation write. Runs of one mutation follow each other; one that has begun is ended by
    /// nobody's leaving.
    package func mutate(
        _ operation: RemoteOperation, _ write: WriteOperation, to target: OutboxTarget,
        waits: Bool, requestID: String?,
        completion: @escaping @Sendable (Operations.Order) -> Void
    ) -> FetchPlace {
        let name = target.source.upstreamName
        let work: RemoteOperation.Store.Work = { [self] _ in
            let outcome = await writeRemotely(write, to: target, for: nil, requestID: requestID)
            switch outcome {
            case .here(.done):
                var written = FetchOutcome(at: .now)
                written.rows = 1
                return written
            case .here(let outcome): throw FetchFailure.store(outcome)
            case .upstream(.cancelled, _): throw OperationError.cancelled
            case .upstream(let error, _): throw FetchFailure.upstream(error, name: name)
            case .busy: throw FetchFailure.gated("outbox", name: name)
            }
        }
        let place = FetchPlace()
        let end: @Sendable (Operations.Order) -> Void = { if place.end() { completion($0) } }
        let giveUp = operation.admit(on: reader.operations.clock) { isAdmitted in
            guard isAdmitted else {
                return end(.gated(operation.closedGate(byItself: false) ?? "admit"))
            }
            let isTaken = operation.enqueue {
                _ = operation.store.enter(.mutation, work: work) { result in
                    switch result {
                    case _ where !waits: break
                    case .success: end(.done)
                    case .failure(let error): end(.failed(FetchFailure(error, name: name)))
                    }
                    operation.dequeue()
                }
            }
            if !isTaken {
                end(
                    .failed(
                        .upstream(.saturated(limit: RemoteOperation.mostWrites), name: name)))
            } else if !waits {
                end(.begun)
            }
        }
        if let giveUp { place.take(giveUp, replacing: false) }
        return place
    }
}
