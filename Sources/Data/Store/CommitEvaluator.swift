import FreshetBase
import FreshetQuery

/// Judges transactions against what is stored and what the batch in the making will store, in
/// order. The same for every store; used by the holder of the commit right alone.
///
/// Changes of accepted transactions pile up in `changes` until the store has made them visible and
/// calls `reset()`. Within one transaction there is one change per entity: from what was before it
/// to what is after it.
struct CommitEvaluator: ~Copyable {
    enum Verdict {
        /// The changes from the given index on belong to it. Not changed: they are records alone.
        case commit(firstChange: Int, changed: Bool, first: WriteResult, rest: [WriteResult])
        /// Nothing changes.
        case idle(first: WriteResult, rest: [WriteResult])
        case rejected(operation: Int, WriteRejection)
    }

    /// What one operation comes to.
    enum Step {
        case unchanged(Document?, skipped: Bool)
        /// Without a slot where the type is new: it is made once the condition holds.
        case change(slot: Int?, old: Document?, new: Document?)
        case rejected(WriteRejection)
    }

    private let tables: EntityTables
    private let rules: (any EntityRules)?
    private let maximumEntity: Int
    private let maximumEntities: Int
    /// Bytes rewritten for the transaction at hand, and for the batch in the making.
    private var work = 0
    private(set) var batchWork = 0
    /// What the batch's accepted transactions, and the one at hand, add to the stored entities.
    private var added = 0
    private var addedBefore = 0
    private var builder = DocumentBuilder()
    private var overlay = CommitOverlay()
    private var stamp = 0
    /// Entities that further patches of the transaction at hand change, by their overlay entry.
    private var drafts: [Int: Draft] = [:]
    /// The transaction at hand has changed an entity more than once.
    private var touchesAgain = false
    /// Of the transaction at hand; nil: everything is allowed.
    private var rights: (any WriteRights)?
    /// Whether the transaction at hand sets documents as they are.
    private var isVerbatim = false
    /// Types that the batch makes have slots from here on, and those of the last transaction.
    private var firstSlot: Int
    private var ownSlot: Int
    private(set) var changes: [Change] = []
    /// The slot of each change's type in the tables.
    private(set) var places: [Int] = []

    init(
        tables: EntityTables, rules: (any EntityRules)?, maximumEntity: Int,
        maximumEntities: Int = .max
    ) {
        self.maximumEntities = maximumEntities
        self.tables = tables
        self.rules = rules
        self.maximumEntity = maximumEntity
        firstSlot = tables.slotCount
        ownSlot = firstSlot
    }

    /// Forgets the batch, which is visible or given up, and the types that only it would have made.
    mutating func reset() {
        tables.forgetUnwritten(from: firstSlot)
        firstSlot = tables.slotCount
        overlay.removeAll()
        changes.removeAll(keepingCapacity: changes.count <= 4_096)
        places.removeAll(keepingCapacity: places.count <= 4_096)
        stamp = 0
        added = 0
        addedBefore = 0
        batchWork = 0
    }

    /// Counts bytes that are rewritten. - Returns: Is it too many for one transaction?
    private mutating func exhausts(_ bytes: Int) -> Bool {
        work += bytes
        batchWork += bytes
        return work > Transaction.mostRewritten
    }

    // MARK: Whole transactions

    /// Judges one transaction that, if it changes anything, becomes commit `seq`.
    ///
    /// - Parameter alone: Nothing is pending and nothing follows before `reset()`, so that a
    ///   transaction of one operation needs no overlay.
    mutating func evaluate(_ transaction: Transaction, seq: UInt64, alone: Bool) -> Verdict {
        stamp += 1
        let firstChange = changes.count
        work = 0
        rights = nil
        isVerbatim = transaction.isVerbatim
        if let guardian = transaction.guardian, guardian.restricts {
            rights = guardian.currentRights()
            if rights == nil { return .rejected(operation: 0, .unauthenticated) }
        }
        if let basis = transaction.recorder?.basis, isSurpassed(basis) {
            return .rejected(operation: 0, .repeated)
        }
        ownSlot = tables.slotCount
        addedBefore = added
        let remembers =
            !alone || !transaction.rest.isEmpty || transaction.companion != nil
            || transaction.recorder != nil
        touchesAgain = false
        var first: WriteResult?
        var rest: [WriteResult] = []
        let hasMore = !transaction.rest.isEmpty
        if hasMore { rest.reserveCapacity(transaction.rest.count) }
        for index in 0..<transaction.count {
            let result: WriteResult
            if hasMore {
                switch takeUp(transaction[index], at: index, seq: seq, from: firstChange) {
                case .other: break
                case .patched(let result):
                    if index == 0 { first = result } else { rest.append(result) }
                    continue
                case .rejected(let operation, let rejection):
                    undo(to: firstChange)
                    return .rejected(operation: operation, rejection)
                }
            }
            switch step(transaction[index]) {
            case .rejected(let rejection):
                undo(to: firstChange)
                return .rejected(operation: index, rejection)
            case .unchanged(let document, let skipped):
                if hasMore, let document { remember(document, transaction[index]) }
                // What this transaction has made itself has no revision yet.
                let revision = document.map { $0.revision == 0 ? seq : $0.revision }
                result = WriteResult(
                    document: document, revision: revision ?? 0, skipped: skipped)
            case .change(nil, nil, _)
            where tables.slotCount >= EntityTables.mostTypes
                && !transaction[index].type.isInternal
                && !(rules?.isDeclared(transaction[index].type) ?? false):
                undo(to: firstChange)
                return .rejected(
                    operation: index, .tooManyTypes(limit: EntityTables.mostTypes))
            case .change(_, nil, _)
            where tables.count + added >= maximumEntities && !transaction[index].type.isInternal:
                undo(to: firstChange)
                return .rejected(operation: index, .tooManyEntities)
            case .change(let slot, let old, let new):
                let slot = slot ?? tables.slot(of: transaction[index].type)
                added += tables.growth(slot, old: old, new: new)
                record(slot, old: old, new: new, seq: seq, from: firstChange, remembers)
                result = WriteResult(
                    document: new, revision: seq, created: old == nil, changed: true,
                    removed: new == nil ? old : nil)
            }
            if index == 0 { first = result } else { rest.append(result) }
        }
        if !drafts.isEmpty, let refused = settleAll(seq: seq, from: firstChange) {
            undo(to: firstChange)
            return .rejected(operation: refused.operation, refused.rejection)
        }
        assert(drafts.isEmpty, "each draft is settled")
        // A transaction has at least one operation, so `first` is set.
        var head = first ?? WriteResult(document: nil, revision: 0)
        if touchesAgain { dropUndone(from: firstChange, of: transaction, &head, &rest) }
        let isChanged = changes.count > firstChange
        if !isChanged {
            tables.forgetUnwritten(from: ownSlot)
        } else if let companion = transaction.companion {
            for (type, document) in companion.companions(of: changes[firstChange...]) {
                accompany(type, document, seq: seq, from: firstChange)
            }
        }
        if let recorder = transaction.recorder {
            let results = RecordedResults(
                seq: seq, changed: isChanged, first: head, rest: rest)
            for write in recorder.records(of: transaction, results) {
                keep(write, seq: seq, from: firstChange)
            }
        }
        if changes.count == firstChange { return .idle(first: head, rest: rest) }
        precondition(changes.count == places.count, "each change has its table")
        // Sealed at once: later transactions of the batch compare revisions.
        for change in changes[firstChange...] { change.new?.seal(revision: seq) }
        return .commit(
            firstChange: firstChange, changed: isChanged, first: head, rest: rest)
    }

    /// Whether anything newer stands there by now.
    private func isSurpassed(_ basis: RecordBasis) -> Bool {
        basis.types.contains { type in
            guard let slot = tables.existingSlot(of: type),
                let found = basis.id.withBytes({ current(slot, $0) })
            else { return false }
            return found.revision > basis.revision
        }
    }

    private mutating func keep(_ write: RecordWrite, seq: UInt64, from firstChange: Int) {
        switch write {
        case .set(let type, let document):
            accompany(type, document, seq: seq, from: firstChange)
        case .remove(let type, let id):
            guard let slot = tables.existingSlot(of: type),
                let old = id.withBytes({ current(slot, $0) })
            else { return }
            added += tables.growth(slot, old: old, new: nil)
            record(slot, old: old, new: nil, seq: seq, from: firstChange, true)
        }
    }

    private mutating func accompany(
        _ type: TypeName, _ document: Document, seq: UInt64, from firstChange: Int
    ) {
        let slot = tables.slot(of: type)
        let old = current(slot, document.idBytes)
        guard case .change(_, _, let new) = replace(slot, old, with: document) else { return }
        added += tables.growth(slot, old: old, new: new)
        record(slot, old: old, new: new, seq: seq, from: firstChange, true)
    }

    /// Takes the changes of the last accepted transaction back.
    mutating func undo(to firstChange: Int) {
        precondition(firstChange <= changes.count, "what is undone was done")
        drafts.removeAll()
        for index in firstChange..<changes.count {
            let change = changes[index]
            guard let key = change.old ?? change.new else { continue }
            if let entry = overlay.find(places[index], key.idBytes) {
                overlay[entry].current = change.old
                overlay[entry].stamp = 0
            }
        }
        changes.removeSubrange(firstChange...)
        places.removeSubrange(firstChange...)
        added = addedBefore
        // What the overlay still has under a slot taken back is that nothing is there, which is
        // true of whichever type gets the slot next.
        tables.forgetUnwritten(from: ownSlot)
    }

    private mutating func record(
        _ slot: Int, old: Document?, new: Document?, seq: UInt64, from firstChange: Int,
        _ remembers: Bool
    ) {
        let type = tables.name(of: slot)
        guard remembers, let key = old ?? new else {
            changes.append(Change(seq: seq, type: type, old: old, new: new))
            places.append(slot)
            return
        }
        if let index = overlay.find(slot, key.idBytes) {
            if overlay[index].stamp == stamp {
                // Touched before by this transaction: one change from first to last.
                touchesAgain = true
                let change = overlay[index].change
                changes[change] = Change(
                    seq: seq, type: type, old: changes[change].old, new: new)
                overlay[index].current = new
                return
            }
            overlay[index].current = new
            overlay[index].stamp = stamp
            overlay[index].change = changes.count
        } else {
            overlay.insert(
                .init(slot: slot, key: key, current: new, stamp: stamp, change: changes.count))
        }
        changes.append(Change(seq: seq, type: type, old: old, new: new))
        places.append(slot)
    }

    /// Drops changes that the transaction has taken back itself (made and removed, or set to
    /// something else and to the same again), and says so in the results of their operations.
    private mutating func dropUndone(
        from firstChange: Int, of transaction: Transaction, _ first: inout WriteResult,
        _ rest: inout [WriteResult]
    ) {
        let undone = Set((firstChange..<changes.count).filter { changes[$0].changesNothing })
        guard !undone.isEmpty else { return }
        var entries: Set<Int> = []
        for index in 0..<transaction.count {
            guard let slot = tables.existingSlot(of: transaction[index].type),
                let entry = transaction[index].withIDBytes({ overlay.find(slot, $0) }),
                overlay[entry].stamp == stamp, undone.contains(overlay[entry].change)
            else { continue }
            entries.insert(entry)
            let stored = changes[overlay[entry].change].old
            let result = index == 0 ? first : rest[index - 1]
            let amended = WriteResult(
                document: result.document, revision: stored?.revision ?? 0,
                skipped: result.skipped, removed: result.removed)
            if index == 0 { first = amended } else { rest[index - 1] = amended }
        }
        // The transactions behind this one see what is stored.
        for entry in entries {
            overlay[entry].current = changes[overlay[entry].change].old
            overlay[entry].stamp = 0
        }
        var kept = firstChange
        for index in firstChange..<changes.count where !undone.contains(index) {
            let change = changes[index]
            if kept < index, let key = change.old ?? change.new,
                let entry = overlay.find(places[index], key.idBytes)
            {
                overlay[entry].change = kept
            }
            changes[kept] = change
            places[kept] = places[index]
            kept += 1
        }
        changes.removeSubrange(kept...)
        places.removeSubrange(kept...)
    }

    // MARK: Several patches of one entity

    /// An entity that a transaction patches more than once. Its document is made once, by `settle`:
    /// a patch costs what it says, not what the entity is worth.
    private struct Draft {
        let document: DocumentDraft
        /// The last operation that patched it.
        var operation: Int
        var isChanged = false
    }

    private enum TakenUp {
        /// An operation as any other.
        case other
        case patched(WriteResult)
        case rejected(operation: Int, WriteRejection)
    }

    /// Patches an entity that the batch has patched or changed before; for any other operation on it,
    /// which needs to see it as it is then, settles its draft.
    private mutating func takeUp(
        _ operation: WriteOperation, at index: Int, seq: UInt64, from firstChange: Int
    ) -> TakenUp {
        let isPatch =
            if case .merge(_, _, _, .none) = operation { rights == nil } else { false }
        guard isPatch || !drafts.isEmpty, let slot = tables.existingSlot(of: operation.type),
            let entry = operation.withIDBytes({ overlay.find(slot, $0) }),
            let base = overlay[entry].current
        else { return .other }
        guard isPatch, case .merge(_, _, let patch, _) = operation else {
            guard let draft = drafts[entry],
                let rejection = settle(entry, seq: seq, from: firstChange)
            else { return .other }
            return .rejected(operation: draft.operation, rejection)
        }
        if drafts[entry] == nil {
            if exhausts(base.json.count) {
                return .rejected(operation: index, .tooMuchWork)
            }
            drafts[entry] = Draft(document: DocumentDraft(base), operation: index)
        }
        guard let draft = drafts[entry]?.document else { return .other }
        do throws(DocumentFault) {
            let isChanged = try merge(patch, into: draft)
            drafts[entry]?.operation = index
            if isChanged { drafts[entry]?.isChanged = true }
            // Only a change of this transaction has no revision yet.
            let isOwn = drafts[entry]?.isChanged == true || base.revision == 0
            return .patched(
                WriteResult(
                    document: base, revision: isOwn ? seq : base.revision, changed: isChanged))
        } catch {
            return .rejected(operation: index, WriteRejection(error, limit: maximumEntity))
        }
    }

    /// Settles every draft, up to the first that is refused.
    private mutating func settleAll(
        seq: UInt64, from firstChange: Int
    ) -> (operation: Int, rejection: WriteRejection)? {
        for entry in drafts.keys.sorted() {
            guard let draft = drafts[entry] else { continue }
            if let rejection = settle(entry, seq: seq, from: firstChange) {
                return (draft.operation, rejection)
            }
        }
        return nil
    }

    /// Makes the document of a draft and records it as the entity's change.
    private mutating func settle(
        _ entry: Int, seq: UInt64, from firstChange: Int
    ) -> WriteRejection? {
        guard let draft = drafts.removeValue(forKey: entry), draft.isChanged else { return nil }
        let base = draft.document.base
        let slot = overlay[entry].slot
        var new: Document
        do throws(DocumentFault) {
            new = try builder.build(draft.document, maximumBytes: maximumEntity)
        } catch {
            return WriteRejection(error, limit: maximumEntity)
        }
        if exhausts(new.json.count) { return .tooMuchWork }
        // It has all that was stored but what the patches remove.
        switch complete(tables.name(of: slot), new, replacing: nil) {
        case .success(let completed): new = completed
        case .failure(let faults): return .invalid(faults.faults)
        }
        // One patch may have taken back what another has done.
        touchesAgain = true
        record(slot, old: base, new: new, seq: seq, from: firstChange, true)
        return nil
    }

    /// Has the next patch of an entity that this one has not changed be taken up.
    private mutating func remember(_ document: Document, _ operation: WriteOperation) {
        guard case .merge(let type, _, _, .none) = operation, rights == nil,
            let slot = tables.existingSlot(of: type),
            overlay.find(slot, document.idBytes) == nil
        else { return }
        overlay.insert(.init(slot: slot, key: document, current: document, stamp: 0, change: 0))
    }

    private mutating func merge(
        _ patch: [UInt8], into draft: DocumentDraft
    ) throws(DocumentFault) -> Bool {
        // As in `build(merging:into:)`.
        var isChanged: Bool?
        var fault = DocumentFault.notAnObject
        patch.withUnsafeBytes { bytes in
            do throws(DocumentFault) {
                isChanged = try builder.merge(bytes, into: draft)
            } catch {
                fault = error
            }
        }
        guard let isChanged else { throw fault }
        return isChanged
    }

    // MARK: One operation

    /// Judges one operation; remembers nothing.
    mutating func step(_ operation: WriteOperation) -> Step {
        switch operation {
        case .set(let type, let document, let condition):
            let slot = tables.existingSlot(of: type)
            let old = slot.flatMap { slot in current(slot, document.idBytes) }
            if let rights, let old,
                !rights.mayRead(old, of: type) || !rights.mayWrite(old, of: type)
            {
                return .rejected(.forbidden)
            }
            switch condition.judged(against: old) {
            case .fails(let rejection): return .rejected(rejection)
            case .skips: return .unchanged(old, skipped: true)
            case .holds: break
            }
            var new = document
            if let rules, rules.needsStored(type), !isVerbatim {
                switch complete(type, document, replacing: old) {
                case .success(let completed): new = completed
                case .failure(let faults): return .rejected(.invalid(faults.faults))
                }
                if new !== document, exhausts(new.json.count) { return .rejected(.tooMuchWork) }
            }
            if let rights, !rights.mayWrite(new, of: type) { return .rejected(.forbidden) }
            if let old, let respelled = builder.build(new, spellingIDLike: old) { new = respelled }
            return replace(slot, old, with: new)
        case .merge(let type, let id, let patch, let condition):
            guard let slot = tables.existingSlot(of: type) else {
                return absent(type, id, condition)
            }
            guard let old = id.withBytes({ current(slot, $0) }), mayRead(old, of: type) else {
                return absent(type, id, condition)
            }
            if let rights, !rights.mayWrite(old, of: type) { return .rejected(.forbidden) }
            switch condition.judged(against: old) {
            case .fails(let rejection): return .rejected(rejection)
            case .skips: return .unchanged(old, skipped: true)
            case .holds: break
            }
            switch merged(type, patch, into: old) {
            case .success(let new):
                if let rights, !rights.mayWrite(new, of: type) { return .rejected(.forbidden) }
                return replace(slot, old, with: new)
            case .failure(let rejection): return .rejected(rejection.reason)
            }
        case .remove(let type, let id, let condition):
            let slot = tables.existingSlot(of: type)
            var old = slot.flatMap { slot in id.withBytes { current(slot, $0) } }
            if let found = old, !mayRead(found, of: type) { old = nil }
            switch condition.judged(against: old) {
            case .fails(let rejection): return .rejected(rejection)
            case .skips: return .unchanged(old, skipped: true)
            case .holds: break
            }
            guard let slot, let old else {
                if let rights, rights.hidesSome(of: type) { return .rejected(.notFound(type, id)) }
                return .unchanged(nil, skipped: false)
            }
            if let rights, !rights.mayWrite(old, of: type) { return .rejected(.forbidden) }
            return .change(slot: slot, old: old, new: nil)
        case .refresh(let type, let document, let ticket):
            return refresh(type, document, ticket)
        case .retire(let type, let id, let ticket):
            return retire(type, id, ticket)
        }
    }

    // MARK: What a fetch has found

    private mutating func refresh(
        _ type: TypeName, _ document: Document, _ ticket: FetchTicket
    ) -> Step {
        let slot = tables.existingSlot(of: type)
        let id = document.idBytes
        let old = slot.flatMap { current($0, id) }
        if ticket.holds(type, id) { return .unchanged(old, skipped: true) }
        if let old {
            guard old.revision <= ticket.startSeq else { return .unchanged(old, skipped: true) }
        } else if isRemoved(slot, id) || ticket.wasRemoved(type, id) {
            return .unchanged(nil, skipped: true)
        }
        var new = document
        if let rules, rules.needsStored(type) {
            guard case .success(let completed) = complete(type, document, replacing: old) else {
                return .unchanged(old, skipped: true)
            }
            new = completed
            if new !== document, exhausts(new.json.count) { return .rejected(.tooMuchWork) }
        }
        let step = replace(slot, old, with: new)
        if case .change(_, _, let new?) = step { new.markFetched() }
        return step
    }

    /// Removed by the batch in the making.
    private func isRemoved(_ slot: Int?, _ id: UnsafeRawBufferPointer) -> Bool {
        guard let slot, !overlay.isEmpty, let index = overlay.find(slot, id) else { return false }
        return overlay[index].current == nil
    }

    private func retire(_ type: TypeName, _ id: EntityID, _ ticket: FetchTicket) -> Step {
        guard let slot = tables.existingSlot(of: type),
            let old = id.withBytes({ current(slot, $0) })
        else { return .unchanged(nil, skipped: false) }
        guard old.revision <= ticket.startSeq, ticket.isSynced(type, old),
            !ticket.holds(type, old.idBytes)
        else { return .unchanged(old, skipped: true) }
        return .change(slot: slot, old: old, new: nil)
    }

    private func mayRead(_ document: Document, of type: TypeName) -> Bool {
        rights?.mayRead(document, of: type) ?? true
    }

    private func current(_ slot: Int, _ id: UnsafeRawBufferPointer) -> Document? {
        if !overlay.isEmpty, let index = overlay.find(slot, id) { return overlay[index].current }
        return tables.current(slot, id)
    }

    /// A merge into nothing: a failed condition is told first.
    private func absent(
        _ type: TypeName, _ id: EntityID, _ condition: WriteCondition
    ) -> Step {
        if case .fails(let rejection) = condition.judged(against: nil) {
            return .rejected(rejection)
        }
        return .rejected(.notFound(type, id))
    }

    private mutating func replace(_ slot: Int?, _ old: Document?, with document: Document) -> Step {
        if let old, old === document || old.hasSameContent(as: document) {
            return .unchanged(old, skipped: false)
        }
        guard document.revision == 0 else {
            // The caller's document was part of an earlier commit, or of one that failed: a
            // revision is given once, so the store takes a copy.
            if exhausts(document.json.count) { return .rejected(.tooMuchWork) }
            guard let copy = copy(of: document) else { return .rejected(.tooLarge) }
            return .change(slot: slot, old: old, new: copy)
        }
        return .change(slot: slot, old: old, new: document)
    }

    private mutating func copy(of document: Document) -> Document? {
        // A stored document is valid by construction, so a failure means that it is over a limit.
        try? builder.build(stored: document.json, revision: 0, checksum: document.checksum)
    }

    private func complete(
        _ type: TypeName, _ document: Document, replacing old: Document?
    ) -> Result<Document, EntityFaults> {
        guard let rules else { return .success(document) }
        do throws(EntityFaults) {
            return .success(try rules.complete(type, document, replacing: old))
        } catch {
            return .failure(error)
        }
    }

    private struct MergeFailure: Error {
        let reason: WriteRejection
    }

    private mutating func merged(
        _ type: TypeName, _ patch: [UInt8], into old: Document
    ) -> Result<Document, MergeFailure> {
        let document: Document
        if exhausts(old.json.count + patch.count) {
            return .failure(MergeFailure(reason: .tooMuchWork))
        }
        do throws(DocumentFault) {
            document = try build(merging: patch, into: old)
        } catch {
            return .failure(MergeFailure(reason: WriteRejection(error, limit: maximumEntity)))
        }
        // It has all that was stored but what the patch removes.
        return complete(type, document, replacing: nil)
            .mapError { MergeFailure(reason: .invalid($0.faults)) }
    }

    private mutating func build(
        merging patch: [UInt8], into old: Document
    ) throws(DocumentFault) -> Document {
        // A closure cannot borrow the builder mutably through `withUnsafeBytes` and keep the
        // error's type, so the result is carried out by hand.
        var built: Document?
        var fault = DocumentFault.notAnObject
        patch.withUnsafeBytes { bytes in
            do throws(DocumentFault) {
                built = try builder.build(
                    merging: bytes, into: old, maximumBytes: maximumEntity)
            } catch {
                fault = error
            }
        }
        guard let built else { throw fault }
        return built
    }
}
