import FreshetBase
import FreshetEngine
import FreshetJSON
package import FreshetRefresh
package import FreshetQuery
import FreshetStore

// From a controller's values to commits.
//
// What a controller hands over is stored as what a fetch has found: under a ticket, so that a change
// made here that has yet to reach the remote wins, and marked as fetched. All values that wait become
// one commit, and with them the position of the stream that they are from: whatever is killed when,
// rows and position belong together.
//
// A whole value names all rows that there are. Of an operation's own stream these are the rows that
// pass its filter. Of a followed query it depends on the window: where the answer is shorter than its
// limit it is all that pass the filter; a full window is the rows that it names, and what it has let go
// of is removed even where it still exists at the origin, since nobody would tell of its changes. A row
// that another followed query has stays (`FollowedRows`). The answer is kept exactly or not at all: where
// one of its entities cannot be read, nothing of the value is stored, and the controller asks anew.
//
// How many rows an own value has is counted in the ids that its streams have told of, so that a change
// costs no search. Where these are not known, or a run has brought a value meanwhile, they are looked up.
//
// Commits of one type are made one after the other, each with a ticket of its own, so that two streams
// never take each other's rows for local changes.

/// What stores the values of one operation's controllers.
package struct ControlledRows: Sendable {
    package let operation: String
    package let query: Query
    /// A digest of whatever decides what a position means: upstream, query, rules.
    package let digest: String

    package init(operation: String, query: Query, digest: String) {
        self.operation = operation
        self.query = query
        self.digest = digest
    }
}

/// Stores what controllers yield. Any thread.
// SAFETY: all mutable state is read and written under `lock`.
package final class ControllerCommits: @unchecked Sendable {
    package typealias Completion = @Sendable (_ count: Int?, ControllerError?) -> Void

    private struct Job {
        let rows: ControlledRows
        let values: [ControlledValue]
        /// The operation's value before; nil where that is not known.
        let version: UInt64?
        let completion: Completion
    }

    /// The rows of an operation's own value.
    fileprivate struct OwnRows {
        var ids: Set<EntityID>
        /// The version of the operation's value that has these.
        var version: UInt64?
    }

    /// Operations whose rows are remembered: an embedding program may drive ever new ones. Of those that
    /// are not, the store is asked.
    private static let mostOwners = 1_000

    private weak let writer: EntityWriter?
    private let rerun: @Sendable (String) -> Void
    private let lock = Lock()
    private var waiting: [TypeName: [Job]] = [:]
    private var busy: Set<TypeName> = []
    private var followed: [TypeName: FollowedRows] = [:]
    /// By operation; while a commit changes them they are not here.
    private var ownRows: [String: OwnRows] = [:]

    /// - Parameter rerun: Has an operation asked for its whole answer.
    package init(_ writer: EntityWriter, rerun: @escaping @Sendable (String) -> Void) {
        self.writer = writer
        self.rerun = rerun
    }

    /// Forgets the rows that operations have: what the store has holds.
    func forget() {
        lock.withLock {
            followed = [:]
            ownRows = [:]
        }
    }

    // MARK: Positions

    /// Takes note of a followed operation before any is driven: the rows that it has from before.
    package func prepare(_ rows: ControlledRows) {
        guard let writer, let record = record(of: rows) else { return }
        let ids = record.isWhole ? Self.fetched(rows.query, in: writer).map(\.id) : record.ids ?? []
        let parts = record.position.split(separator: ".")
        let epoch = parts.first.map(String.init) ?? ""
        let seq = parts.count > 1 ? UInt64(parts[1]) ?? 0 : 0
        let known = followedRows(of: rows.query.type)
        for id in ids { known.add(id, to: rows.operation, epoch: epoch, seq: seq) }
    }

    private func followedRows(of type: TypeName) -> FollowedRows {
        lock.withLock {
            if let known = followed[type] { return known }
            let rows = FollowedRows()
            followed[type] = rows
            return rows
        }
    }

    /// Where the operation's stream stands; nil where it is to begin anew.
    package func position(of rows: ControlledRows) -> String? { record(of: rows)?.position }

    private func record(of rows: ControlledRows) -> StreamRecord? {
        guard let writer, let id = StreamRecord.id(of: rows.operation),
            let record = StreamRecord(writer.store.document(StreamRecord.type, id)),
            record.digest == rows.digest, record.isWhole || record.ids != nil
        else { return nil }
        return record
    }

    /// The stored rows of a value that has all that pass the operation's filter, those that were
    /// written last at the end.
    package func value(of rows: ControlledRows) -> [Document] {
        guard let writer else { return [] }
        return Self.fetched(rows.query, in: writer).sorted { $0.revision < $1.revision }
    }

    /// When the newest value of the operation's stream came, and how many rows the operation has of
    /// it; nil where none is recorded.
    func standing(of rows: ControlledRows) -> (at: WallTime, count: Int)? {
        guard let writer, let record = record(of: rows), let at = record.at else { return nil }
        return (at, record.ids?.count ?? Self.fetched(rows.query, in: writer).count)
    }

    /// What is stored of an entity, as canonical JSON.
    package func stored(_ id: EntityID, of rows: ControlledRows) -> [UInt8]? {
        writer?.store.document(rows.query.type, id).map { Array($0.json) }
    }

    // MARK: Jobs

    /// Stores `values` in order, as one commit.
    ///
    /// - Parameters:
    ///   - version: The operation's value that they follow.
    ///   - completion: Called once, on any thread, with the number of rows where it is known.
    package func store(
        _ values: [ControlledValue], of rows: ControlledRows, behind version: UInt64?,
        completion: @escaping Completion
    ) {
        let type = rows.query.type
        let isFree = lock.withLock {
            waiting[type, default: []].append(
                Job(rows: rows, values: values, version: version, completion: completion))
            return busy.insert(type).inserted
        }
        if isFree { next(type) }
    }

    /// Reading the values takes its time, and so does finding rows.
    private func next(_ type: TypeName) {
        PolicyWorkers.streams.perform { [self] in storeNext(of: type) }
    }

    private func storeNext(of type: TypeName) {
        let job = lock.withLock { () -> Job? in
            guard let job = waiting[type]?.first else {
                waiting[type] = nil
                busy.remove(type)
                return nil
            }
            waiting[type]?.removeFirst()
            return job
        }
        guard let job else { return }
        guard let writer else {
            job.completion(nil, .ended)
            return next(type)
        }
        // Rows are held before they are there, and let go of once they are not.
        var commit = ControllerCommit(
            job.rows, rows: followedRows(of: type), ownRows: takeOwnRows(for: job), writer: writer)
        commit.take(job.values)
        let result = commit.result
        guard let transaction = Transaction(operations: commit.operations) else {
            return finish(job, result)
        }
        let (operations, ticket) = (commit.operations, commit.ticket)
        writer.committer.commit(transaction) { [self] outcome in
            if case .done(let receipt) = outcome {
                noteMissed(operations, receipt, under: ticket, of: job.rows.operation)
                return finish(job, result)
            }
            // What the origin's next answer names is judged anew.
            job.completion(nil, .notStored(outcome.sentence))
            next(type)
        }
    }

    /// What was not taken since a change of the entity is being sent is made up for behind that: the
    /// stream has gone on.
    private func noteMissed(
        _ operations: [WriteOperation], _ receipt: WriteReceipt, under ticket: FetchTicket,
        of operation: String
    ) {
        guard let outbox = writer?.outbox, outbox.isUsed else { return }
        for (index, each) in operations.enumerated() where receipt[index].skipped {
            let (id, document): (EntityID, Document?)
            switch each {
            case .refresh(_, let found, _): (id, document) = (found.id, found)
            case .retire(_, let gone, _): (id, document) = (gone, nil)
            case .set, .merge, .remove: continue
            }
            outbox.missed(
                EntityKey(each.type, id), document, since: ticket.startSeq, by: operation
            ) { [rerun] in rerun(operation) }
        }
    }

    private func finish(_ job: Job, _ result: ControllerCommit.Result) {
        let type = job.rows.query.type
        let known = followedRows(of: type)
        for id in result.released { known.remove(id, from: job.rows.operation) }
        if let ids = result.ownRows {
            lock.withLock {
                if ownRows.count >= Self.mostOwners, let any = ownRows.keys.first {
                    ownRows[any] = nil
                }
                ownRows[job.rows.operation] = OwnRows(ids: ids)
            }
        }
        job.completion(result.count, result.bad)
        next(type)
    }

    // MARK: Rows of own values

    /// The rows before the job; nil where they are not known.
    private func takeOwnRows(for job: Job) -> Set<EntityID>? {
        let rows = lock.withLock { ownRows.removeValue(forKey: job.rows.operation) }
        guard let rows, let version = rows.version, version == job.version else { return nil }
        return rows.ids
    }

    /// The newest value that was stored is the operation's, under that number.
    package func noteValue(_ version: UInt64, of rows: ControlledRows) {
        lock.withLock { ownRows[rows.operation]?.version = version }
    }

    /// What tells the rows of the query, its window aside.
    fileprivate static func plan(of query: Query) -> SearchPlan? {
        var plain = Query(type: query.type)
        plain.filter = query.filter
        plain.ids = query.ids
        // A query of the configuration was searched for before: it has a plan.
        return try? SearchPlan(plain)
    }

    /// The rows of the query, its window aside, that came from elsewhere.
    fileprivate static func fetched(_ query: Query, in writer: EntityWriter) -> [Document] {
        guard let plan = plan(of: query), let view = writer.store.view(query.type) else {
            return []
        }
        var documents: [Document] = []
        view.forEach { document in
            if document.isFetched, plan.matches(document) == true { documents.append(document) }
        }
        return documents
    }
}

/// What values of one operation do to the store.
private struct ControllerCommit {
    /// What is so once the commit is done.
    struct Result {
        /// Rows that the operation has no more.
        var released: [EntityID] = []
        /// The rows of a value of its own.
        var ownRows: Set<EntityID>?
        /// How many rows the operation has.
        var count: Int?
        var bad: ControllerError?
    }

    let job: ControlledRows
    private let rows: FollowedRows
    private(set) var operations: [WriteOperation] = []
    private(set) var result = Result()
    private let writer: EntityWriter
    let ticket: FetchTicket
    private var builder = DocumentBox()

    /// The newest word on each entity, in the order of the first.
    private var order: [EntityID] = []
    private var news: [EntityID: Document?] = [:]
    private var isWhole = false
    private var refused = 0
    private var total = 0
    private var reason = ""

    /// The rows of the value before; nil where they are not known.
    private var ownRows: Set<EntityID>?

    init(
        _ job: ControlledRows, rows: FollowedRows, ownRows: Set<EntityID>?,
        writer: EntityWriter
    ) {
        self.job = job
        self.rows = rows
        self.ownRows = ownRows
        self.writer = writer
        ticket = writer.store.beginFetch(writer.outbox)
    }

    mutating func take(_ values: [ControlledValue]) {
        var nested: [WriteOperation] = []
        for value in values {
            if value.isWhole {
                isWhole = true
                order = []
                news = [:]
            }
            for json in value.put {
                guard let document = document(job.query.type, json) else { continue }
                remember(document.id, document)
            }
            for text in value.remove {
                total += 1
                do throws(EntityID.Fault) {
                    remember(try EntityID(text), nil)
                } catch {
                    refuse(error.sentence)
                }
            }
            for (name, json) in value.nested {
                guard let type = TypeName(name) else {
                    total += 1
                    refuse("'\(name)' is no name of a type")
                    continue
                }
                guard let document = document(type, json) else { continue }
                nested.append(.refresh(type, document, ticket))
            }
        }
        let last = values.last
        if refused > 0, last?.cut != nil {
            result.bad = .unreadable("\(refused) of \(total) entities cannot be read: \(reason)")
            return
        }
        operations = nested
        if let cut = last?.cut {
            follow(cut)
        } else {
            replace()
        }
        if let position = last?.position { keep(position, last?.cut) }
        if refused > 0 {
            result.bad = .badValue("\(refused) of \(total) entities are left out: \(reason)")
        }
    }

    private mutating func remember(_ id: EntityID, _ document: Document?) {
        if news.updateValue(document, forKey: id) == nil { order.append(id) }
    }

    private mutating func document(_ type: TypeName, _ json: [UInt8]) -> Document? {
        total += 1
        guard !type.isInternal, writer.catalog.allows(type) else {
            refuse("the type '\(type.text)' is not declared")
            return nil
        }
        do {
            return try builder.document(type, json, in: writer)
        } catch {
            refuse(error.sentence)
            return nil
        }
    }

    private mutating func refuse(_ reason: String) {
        refused += 1
        self.reason = reason
    }

    // MARK: An operation's own value

    private mutating func replace() {
        let type = job.query.type
        for id in order {
            switch news[id] {
            case .some(.some(let document)): operations.append(.refresh(type, document, ticket))
            default: operations.append(.retire(type, id, ticket))
            }
        }
        count()
        guard isWhole else { return }
        for document in ControllerCommits.fetched(job.query, in: writer)
        where news[document.id] == nil && !rows.isHeld(document.id, besides: job.operation) {
            operations.append(.retire(type, document.id, ticket))
        }
    }

    private mutating func count() {
        let plan = ControllerCommits.plan(of: job.query)
        var ids =
            isWhole
            ? [] : ownRows.take() ?? Set(ControllerCommits.fetched(job.query, in: writer).map(\.id))
        for id in order {
            if case .some(.some(let document)) = news[id],
                plan.map({ $0.matches(document) == true }) ?? true
            {
                ids.insert(id)
            } else {
                ids.remove(id)
            }
        }
        result.count = ids.count
        result.ownRows = ids
    }

    // MARK: A followed query

    private mutating func follow(_ cut: FollowedCut) {
        let type = job.query.type
        let name = job.operation
        var gone: Set<EntityID> = []
        for id in order {
            guard case .some(.some(let document)) = news[id] else {
                gone.insert(id)
                continue
            }
            if !rows.isOutdated(id, epoch: cut.epoch, seq: cut.seq) {
                operations.append(.refresh(type, document, ticket))
            }
            rows.add(id, to: name, epoch: cut.epoch, seq: cut.seq)
        }
        let members = rows.members(of: name)
        if isWhole {
            gone.formUnion(members.filter { news[$0] == nil })
            let present = members.count - gone.count(where: members.contains)
            if Self.isComplete(present, cut) {
                for document in ControllerCommits.fetched(job.query, in: writer)
                where news[document.id] == nil {
                    gone.insert(document.id)
                }
            }
        }
        for id in gone.sorted(by: { $0.text < $1.text }) {
            if !rows.isHeld(id, besides: name) { operations.append(.retire(type, id, ticket)) }
            result.released.append(id)
        }
        result.count = members.count - gone.count(where: members.contains)
    }

    /// Whether an answer of that many rows is all that there is.
    private static func isComplete(_ count: Int, _ cut: FollowedCut) -> Bool {
        cut.offset == 0 && cut.limit.map { count < $0 } ?? false
    }

    private mutating func keep(_ position: String, _ cut: FollowedCut?) {
        guard let id = StreamRecord.id(of: job.operation) else { return }
        var isWhole = true
        var ids: [EntityID]?
        if let cut {
            let present = rows.members(of: job.operation).subtracting(result.released)
            isWhole = Self.isComplete(present.count, cut)
            if !isWhole, present.count <= StreamRecord.mostIDs { ids = Array(present) }
        }
        let record = StreamRecord(
            digest: job.digest, position: position, isWhole: isWhole, ids: ids, at: .now)
        guard let document = builder.record(record, id) else { return }
        operations.append(.set(StreamRecord.type, document, .none))
    }
}

/// Makes documents; keeps the builder's scratch for one commit.
private final class DocumentBox {
    private var builder = DocumentBuilder()

    func document(
        _ type: TypeName, _ json: [UInt8], in writer: EntityWriter
    ) throws(BadEntity) -> Document {
        let document: Document
        do throws(DocumentFault) {
            let result = json.withUnsafeBytes { bytes in
                Result { () throws(DocumentFault) in
                    try builder.build(
                        json: bytes, id: .fromBody, maximumBytes: writer.limits.documentBytes)
                }
            }
            document = try result.get()
        } catch {
            throw BadEntity(sentence: error.sentence)
        }
        guard let schema = writer.catalog.schema(of: type) else { return document }
        let stored = schema.keepsStoredMembers ? writer.store.document(type, document.id) : nil
        do throws(EntityFaults) {
            let completed = try writer.catalog.complete(
                document, by: schema, replacing: stored, using: &builder)
            // The writer completes what depends on the stored value.
            return schema.keepsStoredMembers ? document : completed
        } catch {
            throw BadEntity(sentence: "it is not what its type is declared to be")
        }
    }

    func record(_ record: StreamRecord, _ id: EntityID) -> Document? {
        record.document(id, using: &builder)
    }
}

private struct BadEntity: Error {
    let sentence: String
}

extension WriteOutcome {
    fileprivate var sentence: String {
        switch self {
        case .done: "nothing is wrong"
        case .rejected: "the store refuses it"
        case .storageFull: "there is no room on the disk"
        case .storageFailed: "the log cannot be written"
        case .notLeader: "another server of the cluster takes writes"
        case .logAway: "the shared log gives no answer"
        case .logFull: "there is no room in the shared log"
        case .overloaded: "too many writes wait"
        case .closed: "the store is closed"
        }
    }
}
