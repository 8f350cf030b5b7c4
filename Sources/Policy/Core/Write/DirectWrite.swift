import FreshetBase
import FreshetQuery
import FreshetRefresh
import FreshetRemote
import FreshetStore

// Writes that the remote is asked for first (`target=remote`). What the writer would refuse is
// refused before anything is sent; what the remote answers is committed as fetched. The entity's lane
// is taken meanwhile, so that no change of it overtakes or is overtaken.
//
// A remote knows no commit of several entities, so each of several is asked for and committed by
// itself: those of one entity one after the other, others beside each other.

extension EntityWriter {
    /// Asks the remote to do `operation`, then does it here.
    ///
    /// - Parameters:
    ///   - author: Of whose rights as they are when a request goes out each entity is judged by.
    ///   - recorder: Of the commit of what the remote answers; a repeat bears the same key there.
    ///   - completion: Called once, on any thread.
    /// - Throws: Where the remote cannot be asked, or the caller may not have it asked.
    func writeRemotely(
        _ operation: WriteOperation, via endpoint: RemoteEndpoint?, by author: WriteOrder.Author,
        recorder: AnswerTicket? = nil,
        completion: @escaping @Sendable (DirectOutcome) -> Void
    ) throws(CoreError) {
        let target = try outboxTarget(of: operation, via: endpoint, for: author.rights)
        Task(executorPreference: outbox.executor) {
            completion(
                await self.writeRemotely(
                    operation, to: target, via: endpoint, by: author, recorder,
                    key: recorder?.upstreamKey, isNews: true))
        }
    }

    /// Asks the remote for several: each is done or not done by itself, those of one entity in their order.
    ///
    /// - Parameters:
    ///   - key: That the remote knows a repeat of all of them by.
    ///   - completion: Gets one outcome an operation, in their order.
    /// - Throws: Where that holds for one of them; then nothing is sent.
    func writeRemotely(
        _ operations: [WriteOperation], via endpoint: RemoteEndpoint?, by author: WriteOrder.Author,
        key: String?,
        completion: @escaping @Sendable ([DirectOutcome]) -> Void
    ) throws(CoreError) {
        var chains: [[(index: Int, target: OutboxTarget)]] = []
        var known: [EntityKey: Int] = [:]
        for (index, operation) in operations.enumerated() {
            let target = try outboxTarget(of: operation, via: endpoint, for: author.rights)
            guard let id = operation.entity else { continue }
            let entity = EntityKey(operation.type, id)
            let chain = known[entity] ?? chains.count
            known[entity] = chain
            if chain == chains.count { chains.append([]) }
            chains[chain].append((index, target))
        }
        let work = chains
        Task(executorPreference: outbox.executor) {
            var outcomes = [DirectOutcome](
                repeating: .here(.rejected(operation: 0, .forbidden)), count: operations.count)
            await withTaskGroup(of: [(index: Int, outcome: DirectOutcome)].self) { group in
                func begin(_ chain: [(index: Int, target: OutboxTarget)]) {
                    group.addTask {
                        var done: [(index: Int, outcome: DirectOutcome)] = []
                        for (index, target) in chain {
                            let outcome = await self.writeRemotely(
                                self.outbox.renamed(operations[index]), to: target, via: endpoint,
                                by: author, key: key.map { "\($0)-\(index)" }, isNews: true)
                            done.append((index, outcome))
                        }
                        return done
                    }
                }
                var next = min(OutboxTurns.places, work.count)
                for chain in work[..<next] { begin(chain) }
                while let done = await group.next() {
                    for (index, outcome) in done { outcomes[index] = outcome }
                    guard next < work.count else { continue }
                    begin(work[next])
                    next += 1
                }
            }
            completion(outcomes)
        }
    }

    /// - Parameters:
    ///   - key: That the remote knows a repeat by.
    ///   - isNews: What follows the mutations of the type is to hear of it.
    func writeRemotely(
        _ operation: WriteOperation, to target: OutboxTarget, via endpoint: RemoteEndpoint? = nil,
        by author: WriteOrder.Author, _ recorder: AnswerTicket? = nil,
        key: String? = nil, isNews: Bool = false
    ) async -> DirectOutcome {
        guard let id = operation.entity else { return .here(.rejected(operation: 0, .forbidden)) }
        let type = operation.type
        guard outbox.beginDirect(type, id) else { return await confirmed(.busy) }
        var seq: UInt64?
        defer { outbox.endDirect(type, id, deliveredAt: seq) }
        let row = store.document(type, id)
        if case .remove(_, _, .stillMatches(let matches)) = operation, !(row.map(matches) ?? false)
        {
            // It does not match any more: the writer says so.
            return .here(await outbox.submit(Transaction(operation)))
        }
        let rights: AccessRights?
        do throws(RightsLapse) {
            rights = try await rightsNow(of: author, for: operation, at: target, via: endpoint)
        } catch {
            return error.outcome
        }
        let new: Document?
        do throws(Refusal) {
            new = try judged(operation, row, rights)
        } catch {
            return await confirmed(.here(.rejected(operation: 0, error.rejection)))
        }
        let action: RemoteWrite.Action
        if let new {
            let isNew = row == nil && (endpoint != nil || target.sent(.create) == .create)
            action = isNew ? .create(new) : .update(id, new)
        } else {
            action = .remove(id)
        }
        // The entity's own, whose lane is this write's, and that of all others, whose waiting changes win.
        let (ticket, others) = (store.beginFetch(nil), store.beginFetch(outbox))
        let answer: RemoteWriteAnswer
        do throws(UpstreamError) {
            var write = RemoteWrite(
                action, from: outbox.marked(row, of: type), via: endpoint,
                idempotencyKey: key ?? UUIDv7.make())
            write.nested = outbox.nested
            answer = try await target.source.write(
                write, call: RemoteCall(requestID: author.requestID, startSeq: ticket.startSeq))
        } catch .shape(_, _, _), .tooLarge(_) {
            answer = RemoteWriteAnswer(status: 200)
        } catch {
            return .upstream(error, name: target.source.upstreamName)
        }
        var given: GivenID?
        if case .create = action, let id = answer.givenID, id.id != operation.entity { given = id }
        var transaction = outbox.transaction(
            taking: answer, type: type, id: id, renamedTo: given, new: new, row: row,
            ticket: ticket, others: others)
        transaction.recorder = recorder
        let entity = EntityKey(type, id)
        if let given { outbox.aliases.expect(entity, to: given.id) }
        let outcome = await outbox.submit(transaction)
        guard case .done(let receipt) = outcome else {
            if given != nil { outbox.aliases.expect(entity, to: nil) }
            return .unkept(outcome, name: target.source.upstreamName)
        }
        if let given { outbox.aliases.note(entity, to: given) }
        seq = receipt.cursor.seq
        if isNews { outbox.taken(type, .init(action)) }
        return .here(outcome)
    }

    /// `outcome`, which what is here has led to, where that is the newest.
    private func confirmed(_ outcome: DirectOutcome) async -> DirectOutcome {
        await Promise.value { store.confirm($0) }.map { .here($0) } ?? outcome
    }

    private struct Refusal: Error {
        let rejection: WriteRejection

        init(_ rejection: WriteRejection) { self.rejection = rejection }
    }

    /// What the writer would make of `operation` now; nil: nothing is left.
    private func judged(
        _ operation: WriteOperation, _ row: Document?, _ rights: AccessRights?
    ) throws(Refusal) -> Document? {
        let type = operation.type
        var row = row
        if let found = row, let rights, !rights.mayRead(found, of: type) {
            if case .set = operation { throw Refusal(.forbidden) }
            // What is hidden and what is absent must not differ.
            row = nil
        }
        func mayWrite(_ document: Document?) throws(Refusal) {
            guard let document, let rights else { return }
            if !rights.mayWrite(document, of: type) { throw Refusal(.forbidden) }
        }
        func demand(_ condition: WriteCondition) throws(Refusal) {
            if case .fails(let rejection) = condition.judged(against: row) {
                throw Refusal(rejection)
            }
        }
        var builder = DocumentBuilder()
        let new: Document
        // What lends members that the write does not name: a merge has them already.
        let lender: Document?
        switch operation {
        case .set(_, let document, let condition):
            try mayWrite(row)
            try demand(condition)
            new = row.flatMap { builder.build(document, spellingIDLike: $0) } ?? document
            lender = row
        case .merge(_, let id, let patch, let condition):
            guard let row else {
                // A failed condition is told first.
                try demand(condition)
                throw Refusal(.notFound(type, id))
            }
            try mayWrite(row)
            try demand(condition)
            let limit = limits.documentBytes
            let merged = patch.withUnsafeBytes { bytes in
                Result { () throws(DocumentFault) in
                    try builder.build(merging: bytes, into: row, maximumBytes: limit)
                }
            }
            switch merged {
            case .success(let document): new = document
            case .failure(let fault): throw Refusal(WriteRejection(fault, limit: limit))
            }
            lender = nil
        case .remove(_, let id, let condition):
            try demand(condition)
            if row == nil, let rights, rights.hidesSome(of: type) {
                throw Refusal(.notFound(type, id))
            }
            try mayWrite(row)
            return nil
        case .refresh, .retire: throw Refusal(.forbidden)
        }
        let complete: Document
        do throws(EntityFaults) {
            complete = try catalog.complete(type, new, replacing: lender)
        } catch {
            throw Refusal(.invalid(error.faults))
        }
        try mayWrite(complete)
        return complete
    }
}

extension OutboxEntry.Operation {
    fileprivate init(_ action: RemoteWrite.Action) {
        self =
            switch action {
            case .create: .create
            case .update: .update
            case .remove: .remove
            }
    }
}

extension Outbox {
    var hasAliases: Bool { aliases.isAny }

    /// What a caller wants, of entities under the ids that they are known by now.
    func renamed(_ order: WriteOrder) -> WriteOrder {
        guard hasAliases, case .transaction(let transaction) = order.content else { return order }
        return WriteOrder(.transaction(transaction.map { renamed($0) }), like: order)
    }

    /// The entity under the id that it is known by now.
    func renamed(_ document: Document, of type: TypeName) -> Document {
        guard hasAliases else { return document }
        let current = current(type, document.id)
        guard current != document.id else { return document }
        // As it is stored under that id, else as the remote has given it.
        let isNumber =
            store.document(type, current)?.hasNumberAsID
            ?? aliases.given(EntityKey(type, document.id))?.isNumber
        let json = renamed(
            Array(document.json), to: GivenID(id: current, isNumber: isNumber), of: type)
        return OutboxBody.document(json) ?? document
    }

    /// An operation under the id that the remote has given.
    fileprivate func renamed(_ operation: WriteOperation) -> WriteOperation {
        guard hasAliases else { return operation }
        switch operation {
        case .set(let type, let document, let condition):
            return .set(type, renamed(document, of: type), condition)
        case .merge(let type, let id, let patch, let condition):
            return .merge(type, current(type, id), patch: patch, condition)
        case .remove(let type, let id, let condition):
            return .remove(type, current(type, id), condition)
        case .refresh, .retire: return operation
        }
    }

    /// `row`, as fetched where the remote is known to have it.
    fileprivate func marked(_ row: Document?, of type: TypeName) -> Document? {
        guard let row, !row.isFetched, isAtRemote(type, row) else { return row }
        return OutboxBody.document(Array(row.json), isFetched: true) ?? row
    }

    /// What the remote's answer to a write means here.
    ///
    /// - Parameters:
    ///   - given: The id that the remote has given a new entity, where it is another one.
    ///   - row: What was there when the remote was asked; nil where nothing was.
    ///   - ticket: Of the entity; `others` of all that came with it.
    fileprivate func transaction(
        taking answer: RemoteWriteAnswer, type: TypeName, id: EntityID, renamedTo given: GivenID?,
        new: Document?, row: Document?, ticket: FetchTicket, others: FetchTicket
    ) -> Transaction {
        guard let new else {
            let revision = row?.revision
            // What was written here meanwhile stays.
            return Transaction(
                .remove(type, id, .stillMatches { $0.revision == revision }),
                extracted(answer, others))
        }
        var key = EntityKey(type, id)
        var rest = extracted(answer, others)
        var own = Array(new.json)
        if let given {
            rest += aliases.operations(key, to: given)
            key = EntityKey(type, given.id)
            own = renamed(own, to: given, of: type)
        }
        let document =
            answer.entity.flatMap { taken($0.document, as: key, replacing: row) }
            ?? OutboxBody.document(own, isFetched: true) ?? new
        // The remote may have answered with another entity that is here, with changes of its own.
        let isOther = given.map { store.document(type, $0.id) != nil } ?? false
        return Transaction(.refresh(type, document, isOther ? others : ticket), rest)
    }

    /// Has a row sent that the remote may not have, though nothing changes here.
    ///
    /// - Parameter row: nil: the remote is to remove it.
    /// - Parameter completion: Called once, on any thread.
    func enqueue(
        _ type: TypeName, _ id: EntityID, _ row: Document?, via endpoint: RemoteEndpoint?,
        completion: @escaping @Sendable (Enqueued) -> Void
    ) {
        let json = row.map { Array($0.json) }
        let entry = admit(
            OutboxEntry(
                id: .made(), number: 0, type: type, entity: id,
                entityIsNumber: row?.hasNumberAsID
                    ?? catalog.idsAreIntegers(type),
                operation: row == nil ? .remove : .update, endpoint: endpoint,
                revision: row?.revision ?? store.seq,
                createdAt: .now, body: json, before: json,
                isBeforeFetched: row.map { isAtRemote(type, $0) } ?? false))
        let guarding: WriteOperation =
            row.map { .merge(type, id, patch: Array("{}".utf8), .ifMatch([$0.revision])) }
            ?? .remove(type, id, .ifNoneMatchAny)
        let transaction = Transaction(
            .set(OutboxEntry.storedType, entry.document, .none), [guarding])
        store.submit(transaction) { outcome in
            switch outcome {
            case .done:
                self.settle(admitted: [entry.id], isVisible: true)
                completion(.entry(entry.id))
            case .rejected:
                self.settle(admitted: [entry.id], isVisible: false)
                completion(.overtaken)
            default:
                self.settle(admitted: [entry.id], isVisible: false)
                completion(.refused(outcome))
            }
        }
    }

    /// What has become of an entry that tells of a row as it is.
    enum Enqueued: Sendable {
        case entry(EntityID)
        /// The row is another one by now.
        case overtaken
        /// Nobody is told, for this reason.
        case refused(WriteOutcome)
    }
}
