import FreshetBase
import FreshetEngine
package import FreshetOperations
import FreshetQuery
import FreshetRemote
package import FreshetStore

// What the runs of operations do: they fetch, page by page where there are pages, or write.

extension CoreManager {
    // MARK: Fetches

    /// The work of a run that begins with a read.
    func work(
        _ read: RemoteRead, for caller: RemoteCaller
    ) -> RemoteOperation.Store.Work {
        { [self] run in
            let operation = operations.operation(of: read)
            guard operation.kind != .pages else {
                return try await fetchPages(.all, of: operation, run, for: caller)
            }
            return try await fetch(read, of: operation, run, for: caller)
        }
    }

    /// The work of a run that nobody's request has begun.
    func fetch(
        _ operation: RemoteOperation, _ run: OperationRun<FetchOutcome>
    ) async throws -> FetchOutcome {
        guard operation.kind != .pages else {
            return try await fetchPages(.all, of: operation, run, for: RemoteCaller())
        }
        return try await fetch(read(of: operation), of: operation, run, for: RemoteCaller())
    }

    /// What an operation asks, with the remote that its type has now.
    private func read(of operation: RemoteOperation) throws -> RemoteRead {
        guard let query = operation.query,
            let read = try remoteRead(query, isGet: operation.isGet, for: nil)
        else {
            throw FetchFailure.upstream(
                .unaddressable(
                    endpoint: operation.id, name: nil, detail: "the type has no remote any more"),
                name: operation.upstreamName)
        }
        return read
    }

    private func fetch(
        _ read: RemoteRead, of operation: RemoteOperation, _ run: OperationRun<FetchOutcome>,
        for caller: RemoteCaller
    ) async throws -> FetchOutcome {
        // The remotes may have been replaced since the read was made.
        let source = remotes.source(of: read.shape.type) ?? read.remote
        let tries = FetchTries(operation.rules, run)
        switch await fetch(read.shape, from: source, read.persist, for: caller, tries) {
        case .success(var outcome):
            operation.leftOut = outcome.dropped
            outcome.rows = Self.rows(of: operation, among: outcome.documents)
            return outcome
        case .failure(.upstream(.cancelled, _)): throw OperationError.cancelled
        case .failure(let failure): throw failure
        }
    }

    /// How many of `documents` are rows of the operation's value: a remote may pass over the filter.
    ///
    /// - Returns: nil where all are.
    private static func rows(of operation: RemoteOperation, among documents: [Document]) -> Int? {
        guard let query = operation.query, query.read?.trustsRemote != true,
            let filter = query.filter
        else { return nil }
        // A filter of the configuration was compiled before.
        guard let evaluator = try? FilterEvaluator(filter) else { return nil }
        return documents.count { evaluator.matches($0) }
    }

    /// What is known of an operation's value before it has run: the record of its last fetch.
    func restore(_ operation: RemoteOperation, from shape: FetchShape) {
        guard operation.kind == .query else { return }
        if case .get(let id) = shape.question {
            guard let place = EntityFetch.id(shape.type, id),
                let fetch = EntityFetch(store.document(EntityFetch.type, place))
            else { return }
            return operation.store.restore(
                updatedAt: fetch.at.milliseconds,
                count: store.document(shape.type, id) == nil ? 0 : 1)
        }
        guard let record = remotes.coverage.record(of: shape) else { return }
        operation.leftOut = record.dropped
        operation.store.restore(
            updatedAt: record.at.milliseconds, count: record.ids?.count ?? record.total)
    }

    // MARK: Pages

    /// Fetches pages one after the other; what each brings is committed and is a result.
    func fetchPages(
        _ direction: OperationPages.Direction, of operation: RemoteOperation,
        _ run: OperationRun<FetchOutcome>, for caller: RemoteCaller
    ) async throws -> FetchOutcome {
        guard let query = operation.query else { throw OperationError.cancelled }
        var last = FetchOutcome(at: .now)
        var leftOut = 0
        let due = operation.pages.due(direction)
        for (index, window) in due.enumerated() {
            var query = query
            query.offset = window.offset
            query.limit = window.limit
            guard let page = try remoteRead(query, isGet: false, for: nil) else {
                throw OperationError.cancelled
            }
            last = try await fetch(page, of: operation, run, for: caller)
            leftOut += last.dropped
            operation.leftOut = leftOut
            try Task.checkCancellation()
            var pages = operation.pages
            pages.take(window, rows: last.documents.count)
            operation.pages = pages
            last.rows = pages.count
            if index + 1 < due.count { run.yield(last) }
        }
        last.rows = operation.pages.count
        return last
    }

    // MARK: Orders

    /// How an order to run has ended.
    package enum OperationOrder: Sendable {
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
        for caller: RemoteCaller, completion: @escaping @Sendable (OperationOrder) -> Void
    ) -> FetchPlace {
        let work: RemoteOperation.Store.Work = { [self] run in
            if operation.kind == .pages {
                return try await fetchPages(direction ?? .all, of: operation, run, for: caller)
            }
            return try await fetch(read(of: operation), of: operation, run, for: caller)
        }
        if let direction, direction != .all, operation.pages.due(direction).isEmpty {
            completion(.nothing)
            return FetchPlace()
        }
        return run(operation, .manual, waits: waits, work, completion)
    }

    /// Has a mutation write. Runs of one mutation follow each other; one that has begun is ended by
    /// nobody's leaving.
    package func mutate(
        _ operation: RemoteOperation, _ write: WriteOperation, to target: OutboxTarget,
        waits: Bool, requestID: String?,
        completion: @escaping @Sendable (OperationOrder) -> Void
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
        let end: @Sendable (OperationOrder) -> Void = { if place.end() { completion($0) } }
        let giveUp = operation.admit(on: operations.clock) { isAdmitted in
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

    private func run(
        _ operation: RemoteOperation, _ origin: RunOrigin, waits: Bool,
        _ work: @escaping RemoteOperation.Store.Work,
        _ completion: @escaping @Sendable (OperationOrder) -> Void
    ) -> FetchPlace {
        let place = FetchPlace()
        let end: @Sendable (OperationOrder) -> Void = { if place.end() { completion($0) } }
        operation.touch()
        let giveUp = operation.admit(on: operations.clock) { isAdmitted in
            guard isAdmitted else {
                return end(.gated(operation.closedGate(byItself: false) ?? "admit"))
            }
            guard waits else {
                operation.store.start(origin, work: work)
                return end(.begun)
            }
            let (entered, _) = operation.store.enter(origin, work: work) { result in
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
