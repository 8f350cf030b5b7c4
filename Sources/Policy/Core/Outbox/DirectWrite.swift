import FreshetBase
package import FreshetQuery
package import FreshetRemote
package import FreshetStore

// A write that the remote is asked for first (`target=remote`). What the writer would refuse is
// refused before anything is sent; what the remote answers is committed as fetched. The entity's lane
// is taken meanwhile, so that no change of it overtakes or is overtaken.

/// How a write straight to a remote ended.
package enum DirectOutcome: Sendable {
    /// The commit of what the remote has answered, or why nothing was sent.
    case here(WriteOutcome)
    /// Nothing has changed here.
    case upstream(UpstreamError)
    /// Changes of the entity wait in the outbox, and must come first.
    case busy
}

extension CoreManager {
    /// Asks the remote to do `operation`, then does it here.
    ///
    /// - Parameters:
    ///   - rights: Of whoever asks; nil: everything is allowed.
    ///   - recorder: Of the commit of what the remote answers.
    ///   - completion: Called once, on any thread.
    package func writeRemotely(
        _ operation: WriteOperation, to target: OutboxTarget, for rights: AccessRights?,
        requestID: String?, recorder: (any CommitRecorder)? = nil,
        completion: @escaping @Sendable (DirectOutcome) -> Void
    ) {
        Task(executorPreference: outbox.executor) {
            completion(
                await self.writeRemotely(
                    operation, to: target, for: rights, requestID: requestID, recorder,
                    isNews: true))
        }
    }

    /// - Parameter isNews: What follows the mutations of the type is to hear of it.
    func writeRemotely(
        _ operation: WriteOperation, to target: OutboxTarget, for rights: AccessRights?,
        requestID: String?, _ recorder: (any CommitRecorder)? = nil, isNews: Bool = false
    ) async -> DirectOutcome {
        let id: EntityID
        switch operation {
        case .set(_, let document, _): id = document.id
        case .merge(_, let named, _, _), .remove(_, let named, _): id = named
        case .refresh, .retire: return .here(.rejected(operation: 0, .forbidden))
        }
        let type = operation.type
        guard outbox.beginDirect(type, id) else { return .busy }
        var seq: UInt64?
        defer { outbox.endDirect(type, id, deliveredAt: seq) }
        let row = store.document(type, id)
        let new: Document?
        switch judged(operation, row, rights) {
        case .failure(let refusal): return .here(.rejected(operation: 0, refusal.rejection))
        case .success(let document): new = document
        }
        let action: RemoteWrite.Action
        if let new {
            action = row == nil && target.sent(.create) == .create ? .create(new) : .update(id, new)
        } else {
            action = .remove(id)
        }
        let ticket = store.beginFetch(nil)
        let answer: RemoteWriteAnswer
        do throws(UpstreamError) {
            answer = try await target.source.write(
                RemoteWrite(action, idempotencyKey: UUIDv7.make()),
                call: RemoteCall(requestID: requestID, startSeq: ticket.startSeq))
        } catch .shape(_, _, _) {
            answer = RemoteWriteAnswer(status: 200)
        } catch .tooLarge(_) {
            answer = RemoteWriteAnswer(status: 200)
        } catch {
            return .upstream(error)
        }
        var transaction = outbox.transaction(
            taking: answer, to: action, type, id, new, row, ticket)
        transaction.recorder = recorder
        let outcome = await outbox.submit(transaction)
        if case .done(let receipt) = outcome {
            seq = receipt.cursor.seq
            if isNews { operations.noteWritten(type, .init(action)) }
        }
        return .here(outcome)
    }

    private struct Refusal: Error {
        let rejection: WriteRejection
    }

    /// What the writer would make of `operation` now; nil: nothing is left.
    private func judged(
        _ operation: WriteOperation, _ row: Document?, _ rights: AccessRights?
    ) -> Result<Document?, Refusal> {
        let type = operation.type
        func refused(_ rejection: WriteRejection) -> Result<Document?, Refusal> {
            .failure(Refusal(rejection: rejection))
        }
        if let row, let rights {
            guard rights.mayRead(row, of: type) else {
                if case .set = operation { return refused(.forbidden) }
                return refused(.notFound)
            }
            guard rights.mayWrite(row, of: type) else { return refused(.forbidden) }
        }
        let condition: WriteCondition
        var new: Document?
        switch operation {
        case .set(_, let document, let given): (new, condition) = (document, given)
        case .merge(_, _, let patch, let given):
            condition = given
            guard let row else { return refused(.notFound) }
            var builder = DocumentBuilder()
            new = patch.withUnsafeBytes {
                try? builder.build(merging: $0, into: row, maximumBytes: limits.documentBytes)
            }
            if new == nil {
                return refused(
                    .invalid([
                        EntityFault(
                            pointer: "", code: "patch", detail: "makes no entity of this id")
                    ]))
            }
        case .remove(_, _, let given): condition = given
        case .refresh, .retire: return refused(.forbidden)
        }
        if let rejection = condition.rejection(of: row) { return refused(rejection) }
        guard let document = new else { return .success(nil) }
        do throws(EntityFaults) {
            let complete = try catalog.complete(type, document, replacing: row)
            if let rights, !rights.mayWrite(complete, of: type) { return refused(.forbidden) }
            return .success(complete)
        } catch {
            return refused(.invalid(error.faults))
        }
    }

    /// The entity that was known by another id before, where there is one that may be read.
    package func entity(
        _ type: TypeName, replacing id: UnsafeRawBufferPointer, for rights: AccessRights?
    ) throws(CoreError) -> Document? {
        guard outbox.hasAliases, let id = try? EntityID(text: id) else { return nil }
        let current = outbox.current(type, id)
        guard current != id else { return nil }
        let bytes = current.bytes
        guard let document = bytes.withUnsafeBytes({ store.document(type, idBytes: $0) }) else {
            return nil
        }
        return rights?.mayRead(document, of: type) ?? true ? document : nil
    }
}

extension OperationDefinition.Write {
    init(_ action: RemoteWrite.Action) {
        self =
            switch action {
            case .create: .create
            case .update: .update
            case .remove: .remove
            }
    }

    init(_ operation: OutboxEntry.Operation) {
        self =
            switch operation {
            case .create: .create
            case .update: .update
            case .remove: .remove
            }
    }
}

extension WriteCondition {
    /// Why it does not hold; nil where it does.
    fileprivate func rejection(of row: Document?) -> WriteRejection? {
        switch self {
        case .none, .stillMatches: nil
        case .absent: row.map { .exists($0) }
        case .ifNoneMatchAny: row.map { .preconditionFailed($0) }
        case .ifMatchAny: row == nil ? .preconditionFailed(nil) : nil
        case .ifMatch(let revisions):
            row.map { revisions.contains($0.revision) } ?? false ? nil : .preconditionFailed(row)
        case .ifNoneMatch(let revisions):
            row.map { revisions.contains($0.revision) } ?? false ? .preconditionFailed(row) : nil
        }
    }
}

extension Outbox {
    package var hasAliases: Bool { aliases.isAny }

    /// The entity under the id that it is known by now.
    package func renamed(_ document: Document, of type: TypeName) -> Document {
        guard hasAliases else { return document }
        let current = current(type, document.id)
        guard current != document.id else { return document }
        let json = renamed(Array(document.json), Place(type: type, id: current))
        return OutboxBody.document(json) ?? document
    }

    /// What the remote's answer to a write means here.
    fileprivate func transaction(
        taking answer: RemoteWriteAnswer, to action: RemoteWrite.Action, _ type: TypeName,
        _ id: EntityID, _ new: Document?, _ row: Document?, _ ticket: FetchTicket
    ) -> Transaction {
        guard let new else {
            return Transaction(.remove(type, id, .none), extracted(answer, ticket))
        }
        var place = Place(type: type, id: id)
        var rest = extracted(answer, ticket)
        if case .create = action, let named = answer.entity?.id ?? answer.id, named != id {
            if let alias = aliases.document(place, to: named) {
                rest.append(.set(RemoteAliases.storedType, alias, .none))
            }
            aliases.note(place, to: named)
            place = Place(type: type, id: named)
        }
        let own = place.id == id ? Array(new.json) : renamed(Array(new.json), place)
        let document =
            answer.entity.flatMap { taken($0.document, as: place, replacing: row) }
            ?? OutboxBody.document(own, isFetched: true) ?? new
        return Transaction(.refresh(type, document, ticket), rest)
    }

    /// Has a row sent that the remote may not have, though nothing changes here.
    ///
    /// - Parameter row: nil: the remote is to remove it.
    /// - Returns: The entry to `completion`; nil where the row is another one by now.
    package func enqueue(
        _ type: TypeName, _ id: EntityID, _ row: Document?,
        completion: @escaping @Sendable (EntityID?) -> Void
    ) {
        let json = row.map { Array($0.json) }
        let entry = admit(
            OutboxEntry(
                id: OutboxTicket.newID(), number: 0, type: type, entity: id,
                operation: row == nil ? .remove : .update, revision: row?.revision ?? store.seq,
                createdAt: .now, body: json, before: json,
                isBeforeFetched: row?.isFetched ?? false))
        let guarding: WriteOperation =
            row.map { .merge(type, id, patch: Array("{}".utf8), .ifMatch([$0.revision])) }
            ?? .remove(type, id, .ifNoneMatchAny)
        let transaction = Transaction(
            .set(OutboxEntry.storedType, entry.document, .none), [guarding])
        store.submit(transaction) { outcome in
            guard case .done = outcome else {
                self.settle(admitted: [entry.id], isVisible: false)
                return completion(nil)
            }
            self.settle(admitted: [entry.id], isVisible: true)
            completion(entry.id)
        }
    }
}
