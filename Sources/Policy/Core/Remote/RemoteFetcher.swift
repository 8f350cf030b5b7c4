import FreshetBase
import FreshetEngine
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

// A fetch, from its question to its commit.
//
// A ticket of the store is taken before the request goes out and says since when the fetch is what it
// is. All that an answer brings — rows, nested rows of other types, what is no more there, and the
// record that it was fetched — is one transaction, in which the writer judges each row: what has
// changed here since the ticket stays. So an answer that comes late does no harm, and one that is cut
// off by a crash is there with its record or not at all. A refresh that finds everything as it was
// writes its record and nothing else.

/// Asks remotes and commits what they answer. Any thread.
final class RemoteFetcher: OperationFetcher {
    let store: any EntityStore
    let remotes: RemoteReads
    private let catalog: TypeCatalog
    private let outbox: Outbox
    private let committer: Committer

    init(
        _ store: any EntityStore, catalog: TypeCatalog, remotes: RemoteReads, outbox: Outbox,
        committer: Committer
    ) {
        self.store = store
        self.catalog = catalog
        self.remotes = remotes
        self.outbox = outbox
        self.committer = committer
    }

    func fetch(
        _ operation: RemoteOperation, _ run: OperationRun<FetchOutcome>
    ) async throws -> FetchOutcome {
        try await fetch(operation, nil, run, for: RemoteCaller())
    }

    /// What `operation` does: asks `read`, or, where nobody's request has begun it, what it asks.
    func fetch(
        _ operation: RemoteOperation, _ read: RemoteRead?,
        _ run: OperationRun<FetchOutcome>, for caller: RemoteCaller
    ) async throws -> FetchOutcome {
        if let replica = store.replica, replica.state.role != .leader {
            throw FetchFailure.store(.notLeader(url: replica.state.leader?.url))
        }
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

    /// Fetches what `read` asks and commits it as the read says.
    private func fetch(
        _ read: RemoteRead, of operation: RemoteOperation, _ run: OperationRun<FetchOutcome>,
        for caller: RemoteCaller
    ) async throws -> FetchOutcome {
        // The remotes may have been replaced since the read was made.
        let source = remotes.source(of: read.shape.type) ?? read.remote
        let at = WallTime.now
        var ticket = store.beginFetch(outbox)
        var call = RemoteCall(
            requestID: caller.requestID, traceparent: caller.traceparent,
            startSeq: ticket.startSeq, retry: operation.retry)
        call.attempted = { run.record(attempts: $0) }
        let answer: RemoteAnswer
        do throws(UpstreamError) {
            answer = try await ask(read.shape, source: source, persist: read.persist, call: call)
        } catch .cancelled {
            throw OperationError.cancelled
        } catch {
            throw FetchFailure.upstream(error, name: source.upstreamName)
        }
        // Nobody is interested any more, or has said that what comes is to be ignored.
        if Task.isCancelled { throw OperationError.cancelled }
        if answer.startSeq < ticket.startSeq { ticket = ticket.begun(at: answer.startSeq) }
        var outcome: FetchOutcome
        if read.persist == .none {
            outcome = unstored(answer, at)
        } else {
            let commit = FetchCommit(
                read.shape, answer: answer, persist: read.persist, at: at, ticket: ticket,
                store: store, catalog: catalog, coverage: remotes.coverage,
                outbox: outbox)
            if let fault = commit.firstFault { source.noteUnfit(commit.unfit, first: fault) }
            do {
                outcome = try await self.commit(commit)
            } catch FetchFailure.store(let refusal, _) {
                throw FetchFailure.store(
                    refusal, fetched: Self.isClosed(refusal) ? commit.unstored : nil)
            }
        }
        operation.gaps = outcome.gaps
        outcome.rows = Self.rows(of: operation, among: outcome.documents, outcome.window)
        return outcome
    }

    private func commit(_ commit: FetchCommit) async throws -> FetchOutcome {
        if let transaction = Transaction(operations: commit.operations) {
            let outcome = await Promise.value { self.committer.commit(transaction, completion: $0) }
            guard case .done = outcome else { throw FetchFailure.store(outcome) }
        }
        for key in commit.retired { outbox.aliases.forget(key) }
        for forgotten in commit.forgotten { remotes.coverage.forget(forgotten) }
        if let record = commit.record {
            remotes.coverage.note(record, begunAt: commit.begunAt)
        }
        return commit.outcome
    }

    private func ask(
        _ shape: FetchShape, source: any RemoteSource, persist: ReadParameters.Persist,
        call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        switch shape.question {
        case .get(let id):
            let known = persist == .none ? nil : validators(of: shape, id)
            return try await source.get(id, conditions: known, call: call)
        case .search(let search, _):
            if let ids = search.query.ids, shape.isByOne {
                return try await RemoteBatch.get(ids, from: source, call)
            }
            let known = persist == .merge ? validators(of: shape) : nil
            return try await source.search(search, conditions: known, call: call)
        }
    }

    /// What to ask with whether what came is as it was: nothing where what is here is another than
    /// came with them, since a 304 would not bring what the remote has.
    private func validators(of shape: FetchShape, _ id: EntityID) -> RemoteValidators? {
        guard let fetch = EntityFetch(of: shape.type, id, in: store) else { return nil }
        return isAsServed(
            [store.document(shape.type, id)], fetch.extracted, as: fetch.sum, of: shape)
            ? fetch.validators : nil
    }

    private func validators(of shape: FetchShape) -> RemoteValidators? {
        guard let record = remotes.coverage.record(of: shape),
            let validators = record.validators, let ids = record.ids
        else { return nil }
        let documents = (store.view(shape.type) ?? .empty).documents(ids[...])
        return isAsServed(documents, record.extracted, as: record.sum, of: shape)
            ? validators : nil
    }

    /// Whether `rows`, and what is stored of `extracted`, are what the remote of `shape` served when
    /// it was kept with `sum`.
    private func isAsServed(
        _ rows: [Document?], _ extracted: [EntityKey], as sum: String?, of shape: FetchShape
    ) -> Bool {
        guard let sum else { return false }
        var served = ServedSum(of: shape.digest)
        for document in rows + extracted.map({ store.document($0.type, $0.id) }) {
            guard let document, document.isFetched else { return false }
            served.add(document)
        }
        return served.text == sum
    }

    /// Whether the store takes nothing, so that what was refused is nowhere.
    private static func isClosed(_ refusal: WriteOutcome) -> Bool {
        switch refusal {
        case .storageFull, .logFull, .rejected(_, .tooManyEntities), .rejected(_, .tooManyTypes):
            true
        case .storageFailed, .logAway: !refusal.isUnknown
        case .done, .rejected, .notLeader, .overloaded, .closed: false
        }
    }

    /// What was fetched and is not to be stored.
    private func unstored(_ answer: RemoteAnswer, _ at: WallTime) -> FetchOutcome {
        var outcome = FetchOutcome(of: answer, at: at)
        for entity in answer.entities {
            entity.document.seal(revision: 0)
            outcome.documents.append(entity.document)
        }
        for entity in answer.extracted {
            entity.document.seal(revision: 0)
            outcome.nested.insert(entity.document, of: entity.type)
        }
        outcome.isStored = false
        return outcome
    }

    /// How many of `documents`, which are `window` of what the remote has, are rows of the operation's
    /// value, or of all its pages: a remote may pass over filter, ids and window.
    private static func rows(
        of operation: RemoteOperation, among documents: [Document],
        _ window: RemotePushdown.Window?
    ) -> Int {
        guard let query = operation.query, query.read?.trustsRemote != true else {
            return documents.count
        }
        let ids = query.ids.map { Set($0) }
        // A filter of the configuration was compiled before.
        let filter = query.filter.flatMap { try? FilterEvaluator($0) }
        let rows = documents.count { document in
            filter.map { $0.matches(document) == true } ?? true
                && ids?.contains(document.id) ?? true
        }
        guard operation.kind == .query else { return rows }
        let before = query.offset - (window?.offset ?? 0)
        return min(max(rows - before, 0), query.limit ?? .max)
    }

    /// What is known of an operation's value before it has run.
    func restore(_ operation: RemoteOperation) {
        if let shape = shape(of: operation) { restore(operation, from: shape) }
    }

    /// The entity that keeps when the operation's answer was fetched; nil where nothing does.
    func record(of operation: RemoteOperation) -> EntityID? {
        guard let shape = shape(of: operation) else { return nil }
        guard case .get(let id) = shape.question else { return shape.recordID }
        return EntityKey(shape.type, id).recordID
    }

    /// What the operation asks; nil where it asks no remote.
    private func shape(of operation: RemoteOperation) -> FetchShape? {
        // A type that has no remote any more keeps nothing of its answers.
        operation.isRunnable ? (try? read(of: operation))?.shape : nil
    }

    /// What is known of an operation's value before it has run: the record of its last fetch.
    func restore(_ operation: RemoteOperation, from shape: FetchShape) {
        guard operation.kind == .query else { return }
        if case .get(let id) = shape.question {
            guard let fetch = EntityFetch(of: shape.type, id, in: store) else { return }
            return operation.restore(
                updatedAt: fetch.at.milliseconds,
                count: store.document(shape.type, id) == nil ? 0 : 1)
        }
        guard let record = remotes.coverage.record(of: shape) else { return }
        operation.gaps = record.gaps
        let documents = record.ids.map { ids in
            (store.view(shape.type) ?? .empty).documents(ids[...]).compactMap { $0 }
        }
        operation.restore(
            updatedAt: record.at.milliseconds,
            count: documents.map { Self.rows(of: operation, among: $0, shape.window) }
                ?? record.total)
    }

    // MARK: Pages

    /// How many rows of `window` an answer has that may be of more than the window.
    private static func rows(of window: OperationPages.Window, in outcome: FetchOutcome) -> Int {
        let before = window.offset - (outcome.window?.offset ?? 0)
        let rows = outcome.rows ?? outcome.documents.count
        return min(max(rows - before, 0), window.limit)
    }

    /// Fetches pages one after the other; what each brings is committed and is a result.
    func fetchPages(
        _ direction: OperationPages.Direction, of operation: RemoteOperation,
        _ run: OperationRun<FetchOutcome>, for caller: RemoteCaller
    ) async throws -> FetchOutcome {
        guard let query = operation.query else { throw OperationError.cancelled }
        var last = FetchOutcome(at: .now)
        var gaps = AnswerGaps()
        let due = operation.pages.due(direction)
        for (index, window) in due.enumerated() {
            var query = query
            query.offset = window.offset
            query.limit = window.limit
            guard let page = try remotes.read(query, isGet: false, for: nil) else {
                throw OperationError.cancelled
            }
            last = try await fetch(page, of: operation, run, for: caller)
            gaps.leftOut += last.gaps.leftOut
            gaps.isCut = gaps.isCut || last.gaps.isCut
            operation.gaps = gaps
            try Task.checkCancellation()
            var pages = operation.pages
            pages.take(
                window, rows: Self.rows(of: window, in: last),
                leftOut: last.removed + last.gaps.leftOut)
            operation.pages = pages
            last.rows = pages.count
            if index + 1 < due.count { run.yield(last) }
        }
        last.rows = operation.pages.count
        return last
    }
}
