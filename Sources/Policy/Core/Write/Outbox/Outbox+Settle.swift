import FreshetBase
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore

// How deliveries end. Each end is one commit, judged by the writer: an entry that was removed
// meanwhile is not written again (`ifMatchAny`), and a row that was changed meanwhile stays. Where a
// commit is refused because of such a change, it is made anew of what is there now.

extension Outbox {
    /// Commits what `make` says until the store takes it; made anew for each try.
    ///
    /// - Parameter make: nil: there is nothing more to do.
    /// - Returns: nil where it was given up: the entry is gone, or the outbox stops.
    private func commit(
        ending id: EntityID, _ make: () async -> Transaction?
    ) async -> WriteReceipt? {
        var rejections = 0
        repeat {
            guard entry(id) != nil else {
                forget(id)
                return nil
            }
            guard let transaction = await make() else { return nil }
            switch await submit(transaction) {
            case .done(let receipt): return receipt
            // Another write came between.
            case .rejected where rejections < Self.mostRaces:
                rejections += 1
                await Task.yield()
            case .closed: return nil
            // One that is rejected again and again is not to be had now: a limit, or a schema.
            case .rejected, .storageFull, .storageFailed, .notLeader, .logAway, .logFull,
                .overloaded:
                guard await clock.rest(until: clock.now + Self.storePause) else { return nil }
            }
            // What the remote has answered is kept even then, as far as one try goes.
        } while !hasStopped
        return nil
    }

    private func set(_ entry: OutboxEntry) -> WriteOperation {
        .set(OutboxEntry.storedType, entry.document, .ifMatchAny)
    }

    // MARK: Done

    /// The remote has taken the change.
    ///
    /// - Parameter answer: nil where it cannot be read; `fault` says why.
    func settle(
        _ entry: OutboxEntry, answer: RemoteWriteAnswer?, fault: OutboxEntry.Fault?,
        ticket: FetchTicket
    ) async {
        let key = entry.key
        if entry.operation == .create, let given = answer?.givenID, given.id != entry.entity {
            return await rename(
                key, to: given, finishing: Finished(entry: entry, answer: answer, ticket: ticket))
        }
        let ended = entry.ended(.done, fault)
        let trimmed = surplus(1)
        // What the last try says about the row.
        var confirmed: UInt64??
        let receipt = await commit(ending: entry.id) {
            var operations = [set(ended)] + trimmed.operations
            confirmed = nil
            if entry.operation == .remove {
                if let forget = confirmations.operation(key, nil) {
                    operations.append(forget)
                    confirmed = .some(nil)
                }
            } else if let row = store.document(key.type, key.id),
                row.revision == entry.revision
            {
                let returned = answer?.entity.flatMap { $0.type == key.type ? $0 : nil }
                    .flatMap { taken($0.document, as: key, replacing: row) }
                if let returned, !row.hasSameContent(as: returned) {
                    let revision = row.revision
                    operations.append(
                        .set(key.type, returned, .stillMatches { $0.revision == revision }))
                } else if let confirm = confirmations.operation(key, row.revision) {
                    operations.append(confirm)
                    confirmed = .some(row.revision)
                }
            }
            operations += extracted(answer, ticket)
            return Transaction(operations: operations)
        }
        guard let receipt else { return }
        forget(trimmed)
        if let confirmed {
            confirmations.note(key, confirmed)
            sweepConfirmations()
        }
        noteDelivered(key, at: receipt.cursor.seq)
        end(ended)
        // A change of before the commit could not know.
        await visibleAll(of: key)
        if let next = next(behind: entry)?.behind(delivered: entry) {
            _ = await submit(Transaction(set(next)))
        }
    }

    /// Returns once all changes of the entity are visible that are being committed now.
    private func visibleAll(of key: EntityKey) async {
        while hasInvisible(key), !hasStopped {
            // What changes nothing comes behind them.
            switch await submit(Transaction(.remove(OutboxEntry.storedType, key.id, .absent))) {
            case .done, .rejected: await Task.yield()
            // Nothing is committed now, and what is on its way has no end yet.
            case .storageFull, .storageFailed, .notLeader, .logAway, .logFull, .overloaded, .closed:
                guard await clock.rest(until: clock.now + Self.storePause) else { return }
            }
        }
    }

    /// What the remote sent along about other entities.
    func extracted(_ answer: RemoteWriteAnswer?, _ ticket: FetchTicket) -> [WriteOperation] {
        (answer?.extracted ?? []).compactMap { entity in
            taken(
                entity.document, as: EntityKey(entity.type, entity.id),
                replacing: store.document(entity.type, entity.id)
            ).map { .refresh(entity.type, $0, ticket) }
        }
    }

    /// The entity as it may be stored, as fetched; nil where it breaks the rules of its type or is
    /// another one. A copy: a document is part of one commit.
    func taken(_ document: Document, as key: EntityKey, replacing row: Document?) -> Document? {
        guard catalog.isEmpty || catalog.allows(key.type), document.id == key.id,
            let complete = try? catalog.complete(key.type, document, replacing: row)
        else { return nil }
        return OutboxBody.document(Array(complete.json), isFetched: true)
    }

    // MARK: Not done

    /// The remote will not have the change.
    func reject(_ entry: OutboxEntry, _ fault: OutboxEntry.Fault, reverts: Bool) async {
        let key = entry.key
        let ended = entry.ended(.rejected, fault)
        let trimmed = surplus(2)
        var needless: OutboxEntry?
        var takesBack = false
        let receipt = await commit(ending: entry.id) {
            // What is being committed is part of what comes later.
            await visibleAll(of: key)
            needless = nil
            takesBack = false
            var operations = [set(ended)] + trimmed.operations
            let row = store.document(key.type, key.id)
            if let later = next(behind: entry) {
                // The remote has what it had before, so the next change is one of that.
                if let next = later.following(entry) {
                    operations.append(set(next))
                } else {
                    let ended = later.ended(.superseded)
                    needless = ended
                    operations.append(set(ended))
                }
                operations.append(unchanged(row, key))
            } else if reverts, let restore = restore(row, to: entry, key) {
                takesBack = true
                operations.append(restore)
                operations += doubts(coverage?.doubted(key.type, since: entry.revision) ?? [], key)
            } else {
                operations.append(unchanged(row, key))
            }
            return Transaction(operations: operations)
        }
        guard let receipt else { return }
        forget(trimmed)
        if takesBack {
            coverage?.takeBack(key.type, changedAt: entry.revision, at: receipt.cursor.seq)
        }
        noteDelivered(key, at: receipt.cursor.seq)
        end(ended)
        if let needless { end(needless) }
    }

    /// What keeps that answers of a remote are newer than the entity of `key`, and that it was fetched.
    private func doubts(_ doubts: [CoverageIndex.Doubt], _ key: EntityKey) -> [WriteOperation] {
        var builder = DocumentBuilder()
        var operations = doubts.compactMap { doubt in
            doubt.record.document(using: &builder).map {
                WriteOperation.set(CoverageRecord.type, $0, .ifMatch([doubt.revision]))
            }
        }
        if let id = key.recordID { operations.append(.remove(EntityFetch.type, id, .none)) }
        return operations
    }

    /// Changes nothing, and is refused where the row is not `row` any more.
    private func unchanged(_ row: Document?, _ key: EntityKey) -> WriteOperation {
        guard let row else { return .remove(key.type, key.id, .ifNoneMatchAny) }
        // A merge of nothing is what is stored.
        return .merge(key.type, key.id, patch: Array("{}".utf8), .ifMatch([row.revision]))
    }

    /// Takes the change of `entry` back; nil where the row is not as the change has left it.
    private func restore(
        _ row: Document?, to entry: OutboxEntry, _ key: EntityKey
    ) -> WriteOperation? {
        let before = entry.before.flatMap {
            OutboxBody.document($0, isFetched: entry.isBeforeFetched)
        }
        if entry.operation == .remove {
            guard row == nil, let before else { return nil }
            return .set(key.type, before, .ifNoneMatchAny)
        }
        guard let row, row.revision == entry.revision else { return nil }
        let condition = WriteCondition.ifMatch([row.revision])
        return before.map { .set(key.type, $0, condition) }
            ?? .remove(key.type, key.id, condition)
    }

    /// Tries it again after `pause`.
    func postpone(_ entry: OutboxEntry, _ fault: OutboxEntry.Fault, for pause: Duration) async {
        var waiting = entry
        waiting.state = .pending
        waiting.fault = fault
        waiting.nextAttemptAt = (WallTime.now + pause).rfc3339
        let committed = waiting
        guard await commit(ending: entry.id, { Transaction(set(committed)) }) != nil else { return }
        self.pause(entry.key, for: pause)
    }

    /// Gives it up until a person drives it again.
    func die(_ entry: OutboxEntry, _ fault: OutboxEntry.Fault) async {
        var dead = entry
        dead.state = .dead
        dead.fault = fault
        let committed = dead
        // Before anybody sees it, who may drive it again at once.
        note(entry.id, isSent: true, isDead: true)
        guard await commit(ending: entry.id, { Transaction(set(committed)) }) != nil else {
            return note(entry.id, isSent: true, isDead: false)
        }
        die(committed)
    }

    // MARK: Another id

    /// A create that the remote has answered.
    struct Finished {
        let entry: OutboxEntry
        let answer: RemoteWriteAnswer?
        let ticket: FetchTicket
    }

    /// Follows the remote, which knows the entity of `old` as `new`: row, later changes, and the
    /// name under which it can still be asked for, in one commit. The lane is the caller's.
    ///
    /// - Parameter finished: The create; nil where the row was written by its old id since.
    func rename(_ old: EntityKey, to given: GivenID, finishing finished: Finished?) async {
        let new = given.id
        let key = EntityKey(old.type, new)
        let ended = finished?.entry.ended(.done).renamed(to: given)
        let trimmed = surplus(finished == nil ? 0 : 1)
        var moved: [EntityID] = []
        func make() async -> Transaction? {
            let row = store.document(old.type, old.id)
            let later = later(of: old, behind: finished?.entry, renamedTo: given)
            moved = later.map(\.id)
            var operations = (ended.map { [set($0)] } ?? []) + trimmed.operations
            operations += later.map(set) + aliases.operations(old, to: given)
            if let row {
                operations.append(.remove(old.type, old.id, .ifMatch([row.revision])))
                operations += moving(row, to: given, of: key, behind: later, finishing: finished)
            } else {
                operations.append(.remove(old.type, old.id, .ifNoneMatchAny))
                if later.last?.operation == .remove {
                    // A fetch may have brought it meanwhile by the remote's name.
                    operations.append(.remove(key.type, new, .none))
                }
            }
            if let finished { operations += extracted(finished.answer, finished.ticket) }
            var transaction = Transaction(operations: operations)
            // The last change has written the row, which now is of this commit.
            if let last = later.last, last.revision == row?.revision ?? last.revision {
                transaction?.companion = SeqCompanion { seq in
                    var last = last
                    last.revision = seq
                    return [(type: OutboxEntry.storedType, document: last.document)]
                }
            }
            return transaction
        }
        aliases.expect(old, to: new)
        let receipt: WriteReceipt?
        if let finished {
            receipt = await commit(ending: finished.entry.id, make)
        } else {
            receipt = await commitRename(make)
        }
        guard let receipt else { return aliases.expect(old, to: nil) }
        aliases.note(old, to: given)
        forget(trimmed)
        noteDelivered(old, at: receipt.cursor.seq)
        noteDelivered(key, at: receipt.cursor.seq)
        if let ended { end(ended) }
        move(moved, from: old, to: key)
    }

    /// The entries of `old` that wait behind `done`, as they are under the id that the remote has given.
    private func later(
        of old: EntityKey, behind done: OutboxEntry?, renamedTo given: GivenID
    ) -> [OutboxEntry] {
        visible(old).filter { $0.id != done?.id }.compactMap { waiting in
            guard let stored = OutboxEntry(self.entry(waiting.id)) else { return nil }
            var entry = done.flatMap { stored.behind(delivered: $0) } ?? stored
            entry = entry.renamed(to: given)
            // The remote has it by now, whatever it was here.
            if entry.operation == .create { entry.operation = .update }
            if !entry.isSent {
                entry.body = entry.body.map { renamed($0, to: given, of: old.type) }
                entry.before = entry.before.map { renamed($0, to: given, of: old.type) }
            }
            return entry
        }
    }

    /// Puts `row` in its place under the id that the remote has given: as the remote has it, where it is
    /// as it was sent.
    private func moving(
        _ row: Document, to given: GivenID, of key: EntityKey, behind later: [OutboxEntry],
        finishing finished: Finished?
    ) -> [WriteOperation] {
        let isAsSent = finished != nil && row.revision == finished?.entry.revision
        let answered = isAsSent ? finished?.answer?.entity?.document : nil
        let document =
            answered.flatMap { taken($0, as: key, replacing: row) }
            ?? OutboxBody.document(
                renamed(Array(row.json), to: given, of: key.type), isFetched: isAsSent)
        let found = isAsSent && later.isEmpty ? finished?.ticket : nil
        return document.flatMap { placed($0, as: key, found: found) }.map { [$0] } ?? []
    }

    /// Puts the entity in its place under the id that the remote has given.
    ///
    /// - Parameter found: Of the fetch that has brought it; nil where it is as it was changed here.
    /// - Returns: nil where the remote has answered with an entity that has changes of its own here.
    private func placed(
        _ document: Document, as key: EntityKey, found: FetchTicket?
    ) -> WriteOperation? {
        guard let found else { return .set(key.type, document, .none) }
        guard let there = store.document(key.type, key.id) else {
            return .set(key.type, document, .ifNoneMatchAny)
        }
        let isChanged =
            there.revision > found.startSeq || key.id.withBytes { holds(key.type, $0) }
        return isChanged ? nil : .set(key.type, document, .ifMatch([there.revision]))
    }

    private func commitRename(_ make: () async -> Transaction?) async -> WriteReceipt? {
        for _ in 0..<100 where !hasStopped {
            guard let transaction = await make() else { return nil }
            switch await submit(transaction) {
            case .done(let receipt): return receipt
            case .rejected: await Task.yield()
            default: return nil
            }
        }
        return nil
    }

    /// The entity under another id, in the form that the remote has given it.
    func renamed(_ json: [UInt8], to given: GivenID, of type: TypeName) -> [UInt8] {
        let isInteger = catalog.idsAreIntegers(type)
        return OutboxBody.renamed(json, given.id, asInteger: isInteger ? true : given.isNumber)
    }
}

extension OutboxEntry {
    /// The entry of the entity under the id that the remote has given it.
    fileprivate func renamed(to given: GivenID) -> OutboxEntry {
        var entry = self
        entry.replaced = entity
        entry.replacedIsNumber = entityIsNumber
        entry.entity = given.id
        entry.entityIsNumber = given.isNumber ?? entityIsNumber
        return entry
    }
}

extension OutboxBody {
    /// `json`, an entity in canonical form, with another id.
    ///
    /// - Parameter asInteger: Whether an id that is one is a number; nil: as the old one.
    static func renamed(_ json: [UInt8], _ id: EntityID, asInteger: Bool?) -> [UInt8] {
        guard let document = document(json), let member = document.member(named: "id") else {
            return json
        }
        return json.withUnsafeBytes { bytes in
            let old = member.bytes
            guard let start = document.json.baseAddress, let place = old.baseAddress else {
                return json
            }
            let offset = place - start
            var renamed = ByteBuffer(capacity: bytes.count + 64)
            renamed.append(UnsafeRawBufferPointer(rebasing: bytes[..<offset]))
            id.appendJSON(asInteger: asInteger ?? (member.kind == .number), to: &renamed)
            renamed.append(UnsafeRawBufferPointer(rebasing: bytes[(offset + old.count)...]))
            return Array(renamed.bytes)
        }
    }
}
