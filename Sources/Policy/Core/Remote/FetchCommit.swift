import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetRemote
import FreshetStore

/// What one answer of a remote does to the store: made of the answer, committed as one transaction.
struct FetchCommit {
    private let shape: FetchShape
    private let answer: RemoteAnswer
    private let persist: ReadParameters.Persist
    private let at: WallTime
    private let ticket: FetchTicket
    private let store: any EntityStore
    private let catalog: TypeCatalog
    private let coverage: CoverageIndex
    private let outbox: Outbox
    /// Ids that stood for others, and that the remote has entities of itself.
    private(set) var retired: Set<EntityKey> = []
    private(set) var operations: [WriteOperation] = []
    /// The record of this fetch, where it leaves one.
    private(set) var record: CoverageRecord?
    /// The records that make room for it.
    private(set) var forgotten: [EntityID] = []
    /// Ids of the shape's type, as the remote served them.
    private var ids: [EntityID] = []
    private var gaps: AnswerGaps
    /// Entities that break the rules of their type, and why the first one does.
    private(set) var unfit = 0
    private(set) var firstFault: String?
    /// The sum of what the remote served.
    private var served: ServedSum
    /// What was extracted, each once: the last of several is stored.
    private var extracted: [EntityKey: Document] = [:]

    init(
        _ shape: FetchShape, answer: RemoteAnswer, persist: ReadParameters.Persist,
        at: WallTime, ticket: FetchTicket, store: any EntityStore, catalog: TypeCatalog,
        coverage: CoverageIndex, outbox: Outbox
    ) {
        self.shape = shape
        self.answer = answer
        self.persist = persist
        self.at = at
        self.ticket = ticket
        self.store = store
        self.catalog = catalog
        self.coverage = coverage
        self.outbox = outbox
        gaps = answer.gaps
        served = ServedSum(of: shape.digest)
        assemble()
    }

    private mutating func assemble() {
        var builder = DocumentBuilder()
        if answer.isNotModified {
            ids = knownIDs
            gaps = coverage.record(of: shape)?.gaps ?? AnswerGaps()
        } else {
            for entity in answer.extracted { take(entity, isRow: false, using: &builder) }
            for entity in answer.entities {
                let isRow = entity.type == shape.type
                take(entity, isRow: isRow, using: &builder)
                if isRow { ids.append(entity.id) }
            }
            // What is a row, too, is stored as that.
            for id in ids { extracted[EntityKey(shape.type, id)] = nil }
            served.add(extracted)
        }
        switch shape.question {
        case .get(let id):
            noteGet(id, using: &builder)
        case .search(let search, let pushdown):
            for id in answer.absentIDs { noteAbsent(id) }
            if persist == .replace { retire(search, pushdown) }
            noteSearch(search, pushdown, using: &builder)
        }
    }

    /// The seq at which the request has begun.
    var begunAt: UInt64 { ticket.startSeq }

    /// What the answer is, once it is committed.
    var outcome: FetchOutcome {
        var outcome = told
        let documents = (store.view(shape.type) ?? .empty).documents(ids[...])
        outcome.documents = documents.compactMap { $0 }
        outcome.removed = ids.count - outcome.documents.count
        return outcome
    }

    /// The answer without its entities.
    private var told: FetchOutcome {
        var outcome = FetchOutcome(of: answer, at: at)
        outcome.gaps = gaps
        outcome.firstFault = firstFault
        return outcome
    }

    /// What the answer is where the store has not taken it: the entities as they would stand there; nil
    /// where a commit has had them.
    var unstored: FetchOutcome? {
        if answer.isNotModified { return outcome }
        var outcome = told
        outcome.isStored = false
        let rows = Set(ids)
        for case .refresh(let type, let document, _) in operations {
            // A revision that no commit has would pass for one.
            guard document.revision == 0 else { return nil }
            document.markFetched()
            if type == shape.type, rows.contains(document.id) {
                outcome.documents.append(document)
            } else {
                outcome.nested.insert(document, of: type)
            }
        }
        return outcome
    }

    // MARK: Rows

    private mutating func take(
        _ entity: RemoteEntity, isRow: Bool, using builder: inout DocumentBuilder
    ) {
        guard !entity.type.isInternal, catalog.allows(entity.type) else {
            leaveOut(entity, "its type is not declared")
            return
        }
        var document = entity.document
        if let schema = catalog.schema(of: entity.type) {
            // Lazy members come from what is stored, which the writer alone knows: it judges the
            // whole, this finds the faults of the rest.
            let stored =
                schema.keepsStoredMembers ? store.document(entity.type, entity.id) : nil
            do throws(EntityFaults) {
                let completed = try catalog.complete(
                    document, by: schema, replacing: stored, using: &builder)
                if !schema.keepsStoredMembers { document = completed }
            } catch {
                // Without its detail, which may show a value.
                let fault = error.faults.first
                leaveOut(entity, fault.map { "\($0.code) at \($0.pointer)" } ?? "")
                return
            }
        }
        let key = EntityKey(entity.type, entity.id)
        // Nothing is asked with where there are no validators.
        if answer.validators != nil {
            if isRow {
                served.add(document)
            } else {
                extracted[key] = document
            }
        }
        // A change under that id which waits is one of what it stood for.
        if let retirement = outbox.aliases.retirement(of: key),
            !entity.id.withBytes({ outbox.holds(entity.type, $0) }), retired.insert(key).inserted
        {
            operations.append(retirement)
        }
        operations.append(.refresh(entity.type, document, ticket))
    }

    private mutating func leaveOut(_ entity: RemoteEntity, _ reason: String) {
        gaps.leftOut += 1
        unfit += 1
        if firstFault == nil { firstFault = "\(entity.type.text)/\(entity.id.text): \(reason)" }
    }

    /// Has what the complete answer lacks removed.
    private mutating func retire(
        _ search: RemoteSearch, _ pushdown: RemotePushdown
    ) {
        // An element that could not be read may be any entity.
        guard answer.dropped == 0, !answer.isNotModified else { return }
        var served = Set(ids)
        if let asked = search.query.ids {
            // Where more match than are here, the answer is a part.
            guard pushdown.sendsIDs || answer.pushdown?.sendsIDs == true,
                answer.total ?? 0 <= served.count
            else { return }
            // Noted already.
            served.formUnion(answer.absentIDs)
            operations += asked.filter { !served.contains($0) }
                .map { .retire(shape.type, $0, ticket) }
            return
        }
        guard answer.isComplete, !shape.isListed, let view = store.view(shape.type),
            let plan = Self.plan(shape.type, pushdown.filter ?? .constant(true))
        else { return }
        view.forEach { document in
            guard plan.matches(document) == true, !served.contains(document.id) else { return }
            operations.append(.retire(shape.type, document.id, ticket))
        }
    }

    private static func plan(_ type: TypeName, _ filter: Filter) -> SearchPlan? {
        var query = Query(type: type)
        query.filter = filter
        return try? SearchPlan(query)
    }

    // MARK: Records

    /// What the remote may be asked with next time; nothing where more was extracted than is kept.
    private var validators: RemoteValidators? {
        extracted.count <= CoverageRecord.mostIDs ? answer.validators : nil
    }

    private var extractedKeys: [EntityKey] {
        validators == nil ? [] : extracted.keys.sorted()
    }

    private var knownIDs: [EntityID] {
        switch shape.question {
        case .get(let id): [id]
        case .search: coverage.record(of: shape)?.ids ?? []
        }
    }

    /// The remote has no entity of this id.
    private mutating func noteAbsent(_ id: EntityID) {
        operations.append(.retire(shape.type, id, ticket))
        guard let recordID = EntityKey(shape.type, id).recordID else { return }
        operations.append(.remove(EntityFetch.type, recordID, .none))
    }

    private mutating func noteGet(_ id: EntityID, using builder: inout DocumentBuilder) {
        if answer.isAbsent {
            noteAbsent(id)
        } else if let recordID = EntityKey(shape.type, id).recordID,
            !operations.isEmpty || answer.isNotModified
        {
            let known =
                answer.isNotModified ? EntityFetch(store.document(EntityFetch.type, recordID)) : nil
            let fetch = EntityFetch(
                at: at, validators: validators, sum: known?.sum ?? served.text,
                extracted: known?.extracted ?? extractedKeys)
            guard let document = fetch.document(recordID, using: &builder) else { return }
            operations.append(.set(EntityFetch.type, document, .none))
        }
    }

    private mutating func noteSearch(
        _ search: RemoteSearch, _ pushdown: RemotePushdown,
        using builder: inout DocumentBuilder
    ) {
        guard !shape.namesIDs, answer.pushdown?.sendsIDs != true, let recordID = shape.recordID
        else { return }
        let known = coverage.record(of: shape)
        if let known, known.isYounger(than: at) { return }
        let isAll =
            answer.isComplete
            || (pushdown.window?.offset ?? 0) == 0
                && answer.total == answer.entities.count + answer.faulty
        var record = CoverageRecord(
            id: recordID, type: shape.type, digest: shape.digest,
            isWhole: answer.isNotModified
                ? known?.isWhole ?? false
                : isAll && search.endpoint == nil && !search.isTrusted,
            conjuncts: Set(Filter.conjuncts(ofCanonical: pushdown.filter?.canonical())),
            ids: ids.count <= CoverageRecord.mostIDs ? ids : nil, at: at,
            total: answer.isNotModified ? known?.total : answer.total,
            validators: validators ?? (answer.isNotModified ? known?.validators : nil))
        record.isNatural = shape.isNatural
        record.gaps = gaps
        record.isDoubted = coverage.isDoubted(shape.type, begunAt: begunAt)
        record.sum = answer.isNotModified ? known?.sum : served.text
        record.extracted = answer.isNotModified ? known?.extracted ?? [] : extractedKeys
        // Without its ids a list says nothing.
        guard record.ids != nil || record.isWhole,
            let document = record.document(using: &builder)
        else { return }
        self.record = record
        operations.append(.set(CoverageRecord.type, document, .none))
        if let order = record.orderDocument(using: &builder) {
            operations.append(.set(CoverageRecord.orderType, order, .none))
        } else {
            operations.append(.remove(CoverageRecord.orderType, record.id, .none))
        }
        forgotten = coverage.surplus(for: record)
        for id in forgotten {
            operations.append(.remove(CoverageRecord.type, id, .none))
            operations.append(.remove(CoverageRecord.orderType, id, .none))
        }
    }
}
