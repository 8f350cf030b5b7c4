package import FreshetRefresh
package import FreshetRemote

// Orders of operators and of the embedding program.

extension Operations {
    /// How an order to run has ended.
    package enum Order: Sendable {
        case done
        /// It goes on; nobody was to wait.
        case begun
        case gated(String)
        /// There is no such page.
        case nothing
        case failed(FetchFailure)

        init(_ result: Result<FetchOutcome, any Error>, of upstream: String) {
            switch result {
            case .success: self = .done
            case .failure(OperationError.gated(let gate)): self = .gated(gate)
            case .failure(let error): self = .failed(FetchFailure(error, name: upstream))
            }
        }
    }

    /// Runs an operation for an operator.
    ///
    /// - Parameters:
    ///   - direction: The pages to fetch; nil: the operation as a whole.
    ///   - waits: Called back at the end of the run; else as soon as it has begun.
    ///   - completion: Called once, on any thread, unless the place is left before.
    package func run(
        _ operation: RemoteOperation, _ direction: OperationPages.Direction? = nil, waits: Bool,
        for caller: RemoteCaller, completion: @escaping @Sendable (Order) -> Void
    ) -> Waiter<Order> {
        let work: RemoteOperation.Work = { [fetcher] run in
            guard let direction else {
                return try await fetcher.fetch(operation, nil, run, for: caller)
            }
            return try await fetcher.fetchPages(direction, of: operation, run, for: caller)
        }
        let waiter = Waiter(completion)
        if let direction, direction != .all, operation.pages.due(direction).isEmpty {
            waiter.finish(.nothing)
            return waiter
        }
        operation.touch()
        if waits {
            operation.enter(for: waiter, work: work) { Order($0, of: operation.upstreamName) }
            return waiter
        }
        operation.admit(waiter) { error in
            if let error {
                return waiter.finish(Order(.failure(error), of: operation.upstreamName))
            }
            operation.start(.manual, work: work)
            waiter.finish(.begun)
        }
        return waiter
    }
}
