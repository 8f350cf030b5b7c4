package import FreshetOperations

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
    ) -> FetchPlace {
        let work: RemoteOperation.Store.Work = { [fetcher] run in
            guard let direction else {
                return try await fetcher.fetch(operation, nil, run, for: caller)
            }
            return try await fetcher.fetchPages(direction, of: operation, run, for: caller)
        }
        if let direction, direction != .all, operation.pages.due(direction).isEmpty {
            completion(.nothing)
            return FetchPlace()
        }
        let place = FetchPlace()
        let end: @Sendable (Order) -> Void = { if place.end() { completion($0) } }
        operation.touch()
        let giveUp = operation.admit(on: clock) { isAdmitted in
            guard isAdmitted else {
                return end(.gated(operation.closedGate(byItself: false) ?? "admit"))
            }
            guard waits else {
                operation.store.start(.manual, work: work)
                return end(.begun)
            }
            let (entered, _) = operation.store.enter(.manual, work: work) { result in
                switch result {
                case .success: end(.done)
                case .failure(let error):
                    end(.failed(FetchFailure(error, name: operation.upstreamName)))
                }
            }
            place.take { entered.cancel() }
        }
        if let giveUp { place.take(giveUp, replacing: false) }
        return place
    }
}
