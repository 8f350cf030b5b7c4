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
final class RemoteFetcher: Sendable {
    let store: any EntityStore
    let remotes: RemoteReads
    private let catalog: TypeCatalog
    private let outbox: Outbox
    private let committer: Committer

    init(
        _ store: any EntityStore, _ catalog: TypeCatalog, _ remotes: RemoteReads, _ outbox: Outbox,
        _ committer: Committer
    ) {
        self.store = store
        self.catalog = catalog
        self.remotes = remotes
        self.outbox = outbox
        self.committer = committer
    }

    /// Fetches what `shape` asks and commits it as `persist` says.
    func fetch(
        _ shape: FetchShape, from source: any RemoteSource, _ persist: ReadParameters.Persist,
        for caller: RemoteCaller, _ tries: FetchTries? = nil
    ) async -> FetchResult {
        let at = WallTime.now
        var ticket = store.beginFetch(outbox)
        var call = RemoteCall(
            requestID: caller.requestID, traceparent: caller.traceparent,
            startSeq: ticket.startSeq, retry: tries?.retry)
        call.attempted = tries?.attempted
        let answer: RemoteAnswer
        do throws(UpstreamError) {
            answer = try await ask(shape, source, persist, call)
        } catch {
            return .failure(.upstream(error, name: source.upstreamName))
        }
        // Nobody is interested any more, or has said that what comes is to be ignored.
        if Task.isCancelled { return .failure(.upstream(.cancelled, name: source.upstreamName)) }
        if answer.startSeq < ticket.startSeq { ticket = ticket.begun(at: answer.startSeq) }
        if persist == .none { return .success(unstored(answer, at)) }
        var commit = FetchCommit(
            shape, answer, persist, at: at, ticket, store, catalog, remotes.coverage)
        commit.assemble()
        if let transaction = Transaction(operations: commit.operations) {
            let outcome = await Promise.value { self.committer.commit(transaction, completion: $0) }
            guard case .done = outcome else { return .failure(.store(outcome)) }
        }
        if let forgotten = commit.forgotten { remotes.coverage.forget(forgotten) }
        if let record = commit.record { remotes.coverage.note(record) }
        return .success(commit.outcome)
    }

    private func ask(
        _ shape: FetchShape, _ source: any RemoteSource, _ persist: ReadParameters.Persist,
        _ call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        switch shape.question {
        case .get(let id):
            let known = persist == .none ? nil : validators(of: shape.type, id)
            return try await source.get(id, conditions: known, call: call)
        case .search(let search, _):
            if let ids = search.query.ids, shape.isByOne {
                return try await RemoteBatch.get(ids, from: source, call)
            }
            let known = persist == .merge ? validators(of: shape) : nil
            return try await source.search(search, conditions: known, call: call)
        }
    }

    /// What to ask with whether an entity is as it was: nothing where it was changed here, since
    /// a 304 would not bring what the remote has.
    private func validators(of type: TypeName, _ id: EntityID) -> RemoteValidators? {
        guard store.document(type, id)?.isFetched == true else { return nil }
        return EntityFetch.id(type, id)
            .flatMap { EntityFetch(store.document(EntityFetch.type, $0)) }?.validators
    }

    private func validators(of shape: FetchShape) -> RemoteValidators? {
        guard let record = remotes.coverage.record(of: shape),
            let validators = record.validators, let ids = record.ids
        else { return nil }
        let documents = (store.view(shape.type) ?? .empty).documents(ids[...])
        return documents.allSatisfy({ $0?.isFetched == true }) ? validators : nil
    }

    /// What was fetched and is not to be stored.
    private func unstored(_ answer: RemoteAnswer, _ at: WallTime) -> FetchOutcome {
        var outcome = FetchOutcome(at: at)
        for entity in answer.entities {
            entity.document.seal(revision: 0)
            outcome.documents.append(entity.document)
        }
        for entity in answer.extracted {
            entity.document.seal(revision: 0)
            outcome.nested.insert(entity.document, of: entity.type)
        }
        outcome.isAbsent = answer.isAbsent
        outcome.window = answer.pushdown?.window
        outcome.total = answer.total
        outcome.dropped = answer.dropped
        outcome.isStored = false
        return outcome
    }
}
