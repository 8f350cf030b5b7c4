import FreshetBase
import FreshetEngine
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

// What the runs of operations do: they fetch, page by page where there are pages.

extension RemoteFetcher {
    /// What `operation` does: asks `read`, or, where nobody's request has begun it, what it asks.
    func fetch(
        _ operation: RemoteOperation, _ read: RemoteRead? = nil,
        _ run: OperationRun<FetchOutcome>, for caller: RemoteCaller = RemoteCaller()
    ) async throws -> FetchOutcome {
        guard operation.kind != .pages else {
            return try await fetchPages(.all, of: operation, run, for: caller)
        }
        return try await fetch(
            read ?? self.read(of: operation), of: operation, run, for: caller)
    }

    /// What an operation asks, with the remote that its type has now.
    private func read(of operation: RemoteOperation) throws -> RemoteRead {
        guard let query = operation.query,
            let read = try remotes.read(query, isGet: operation.isGet, for: nil)
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
            return operation.restore(
                updatedAt: fetch.at.milliseconds,
                count: store.document(shape.type, id) == nil ? 0 : 1)
        }
        guard let record = remotes.coverage.record(of: shape) else { return }
        operation.leftOut = record.dropped
        operation.restore(
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
            guard let page = try remotes.read(query, isGet: false, for: nil) else {
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
}
