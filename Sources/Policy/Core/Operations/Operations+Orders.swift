import FreshetBase
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
        let waiter = Waiter(completion)
        if let direction, direction != .all, operation.pages.due(direction).isEmpty {
            waiter.finish(.nothing)
            return waiter
        }
        operation.touch()
        if waits {
            enter(operation, direction, for: caller, waiter: waiter)
            return waiter
        }
        operation.admit(waiter) { [self] error in
            if let error {
                return waiter.finish(Order(.failure(error), of: operation.upstreamName))
            }
            let isNew = operation.start(.manual, work: work(of: operation, direction, caller))
            // Pages come behind the run that is under way.
            if !isNew, direction != nil {
                enter(operation, direction, for: caller, waiter: Waiter { _ in })
            }
            waiter.finish(.begun)
        }
        return waiter
    }

    /// Waits for a run of the operation: one that is under way is joined, but pages are fetched by a run
    /// of their own behind it.
    ///
    /// - Parameter rounds: Runs of others that are waited for.
    private func enter(
        _ operation: RemoteOperation, _ direction: OperationPages.Direction?,
        for caller: RemoteCaller, waiter: Waiter<Order>, rounds: Int = 8
    ) {
        let hasBegun = Counter()
        let work = work(of: operation, direction, caller)
        let inner = Waiter<Order> { [self] order in
            if direction == nil || hasBegun.value > 0 { return waiter.finish(order) }
            switch order {
            case .done, .failed:
                guard rounds > 0 else {
                    return waiter.finish(
                        Order(.failure(OperationError.cancelled), of: operation.upstreamName))
                }
                enter(operation, direction, for: caller, waiter: waiter, rounds: rounds - 1)
            case .begun, .gated, .nothing: waiter.finish(order)
            }
        }
        waiter.atEnd { inner.leave() }
        operation.enter(
            for: inner,
            work: { run in
                hasBegun.set(1)
                return try await work(run)
            }
        ) { result in
            // Whoever ends the run under way ends what waits for it; where too many wait it has not even
            // waited.
            switch result {
            case .failure(OperationError.cancelled), .failure(OperationError.stopped),
                .failure(OperationError.tooManyWaiting):
                hasBegun.set(1)
            case .success, .failure: break
            }
            return Order(result, of: operation.upstreamName)
        }
    }

    private func work(
        of operation: RemoteOperation, _ direction: OperationPages.Direction?,
        _ caller: RemoteCaller
    ) -> RemoteOperation.Work {
        { [fetcher] run in
            guard let direction else {
                return try await fetcher.fetch(operation, nil, run, for: caller)
            }
            return try await fetcher.fetchPages(direction, of: operation, run, for: caller)
        }
    }
}
