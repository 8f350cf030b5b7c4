import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore

// What is known of the remote's answers.
//
// Entities in the store say nothing about those that are not there. So a complete fetch leaves a
// record: what was asked, when, and which ids came in which order. It is an entity of the service's
// own, set in the same commit as the fetched rows, so that after a crash there are both or neither.
// The ids stand in an entity beside it: a refresh that finds the same ids writes the small one only.
// A single entity's fetch leaves a record of its own, by the entity's type and id.

/// One question that the remote has answered.
struct CoverageRecord: Sendable {
    /// Ids that are kept; a longer answer is known to be complete, and not its order.
    static let mostIDs = 10_000
    static let type = TypeName.internal("coverage")
    static let orderType = TypeName.internal("order")

    let id: EntityID
    let type: TypeName
    /// The digest of the remote that was asked.
    let digest: String
    /// Every entity of the remote that passes this filter was in the answer.
    let isWhole: Bool
    /// What all entities of a whole answer pass, in canonical conjuncts.
    let conjuncts: Set<Filter>
    /// The remote was asked for no order.
    var isNatural = true
    /// In the order that it served; nil where they were too many.
    let ids: [EntityID]?
    /// When the request began.
    let at: WallTime
    /// How many the remote said there are.
    let total: Int?
    let validators: RemoteValidators?
    /// What `ServedSum` was of what came: stored entities of another one are none that the
    /// validators speak of. nil where an earlier version has kept the record.
    var sum: String?
    /// What was extracted from the rows; kept with their ids.
    var extracted: [EntityKey] = []
    var gaps = AnswerGaps()
    /// A row that the answer has left alone, for a change that was to be sent, was given back what it was
    /// before that change: it is older than the answer.
    var isDoubted = false

    /// The entity that keeps the record, without its ids; nil where a text is too long for one.
    func document(using builder: inout DocumentBuilder) -> Document? {
        var json = ByteBuffer(capacity: 256)
        json.append("{")
        json.member("id", id.text)
        json.member("type", type.text)
        json.member("digest", digest)
        json.member("at", Int(at.milliseconds))
        json.member("whole")
        json.append(isWhole ? "true" : "false")
        json.member("filter", each: conjuncts.map(\.description).sorted()) { text, json in
            json.append(jsonString: text)
        }
        if !isNatural { json.append(",\"ordered\":true") }
        if let total {
            json.member("total", total)
        }
        if gaps.leftOut > 0 { json.member("dropped", gaps.leftOut) }
        if gaps.isCut { json.append(",\"cut\":true") }
        if isDoubted { json.append(",\"doubted\":true") }
        Self.append(validators, to: &json)
        if validators != nil, let sum { json.member("sum", sum) }
        json.append("}")
        return try? builder.build(json: json.bytes, id: .fromBody)
    }

    /// The entity that keeps its ids.
    func orderDocument(using builder: inout DocumentBuilder) -> Document? {
        guard let ids else { return nil }
        var json = ByteBuffer(capacity: 64 + 16 * ids.count)
        json.append("{")
        json.member("id", id.text)
        json.member("ids", each: ids) { $0.appendJSON(asInteger: false, to: &$1) }
        EntityKey.append(extracted: extracted, to: &json)
        json.append("}")
        return try? builder.build(json: json.bytes, id: .fromBody, maximumBytes: 8 << 20)
    }

    static func append(_ validators: RemoteValidators?, to json: inout ByteBuffer) {
        if let etag = validators?.etag {
            json.member("etag", etag)
        }
        if let lastModified = validators?.lastModified {
            json.member("lastModified", lastModified)
        }
    }

    static func validators(in document: Document) -> RemoteValidators? {
        let etag = document.member(named: "etag")?.string
        let lastModified = document.member(named: "lastModified")?.string
        guard etag != nil || lastModified != nil else { return nil }
        return RemoteValidators(etag: etag, lastModified: lastModified)
    }
}

extension WallTime {
    /// Whether it lies ahead, by more than clocks differ that agree: the one that it was read off was set
    /// back since.
    var isAhead: Bool { self > .now + .seconds(1) }
}

extension CoverageRecord {
    /// Whether it is of a later request than one that has begun at `time`. One of the future is older than
    /// all: the clock was set back since.
    func isYounger(than time: WallTime) -> Bool {
        (at > time || time.isAhead) && !at.isAhead
    }

    /// Whether `other`, an answer to the same question, names the same rows and covers the same questions.
    func saysTheSame(as other: CoverageRecord) -> Bool {
        isWhole == other.isWhole && isNatural == other.isNatural && digest == other.digest
            && conjuncts == other.conjuncts && ids == other.ids
    }

    /// Whether it has all of what `shape` asks: an answer to the same question, or, where the remote has
    /// not chosen the rows, to a wider one. One in an order that was asked for says nothing of the
    /// remote's own.
    func covers(_ shape: FetchShape) -> Bool {
        if id == shape.recordID { return !shape.isListed || ids != nil }
        return !shape.isChosen && isWhole && digest == shape.digest
            && (isNatural || !shape.isNatural) && conjuncts.isSubset(of: shape.conjuncts)
    }

    /// What the store has kept; nil for what this version does not understand.
    init?(_ document: Document, order: Document?) {
        guard let name = document.member(named: "type")?.string, let type = TypeName(name),
            let at = document.member(named: "at")?.int64,
            let isWhole = document.member(named: "whole")?.bool,
            let parts = document.member(named: "filter")
        else { return nil }
        var conjuncts: Set<Filter> = []
        for part in parts.elements {
            guard let text = part.string, let filter = try? Filter(parsing: text) else {
                return nil
            }
            conjuncts.insert(filter.canonical())
        }
        id = document.id
        self.type = type
        // An earlier version has kept none: it is found by nobody, and makes room as the others do.
        digest = document.member(named: "digest")?.string ?? ""
        self.isWhole = isWhole
        self.conjuncts = conjuncts
        self.at = WallTime(milliseconds: at)
        isNatural = document.member(named: "ordered")?.bool != true
        total = document.member(named: "total")?.int64.map { Int($0) }
        validators = Self.validators(in: document)
        sum = document.member(named: "sum")?.string
        gaps = AnswerGaps(
            leftOut: document.member(named: "dropped")?.int64.flatMap { Int(exactly: $0) } ?? 0,
            isCut: document.member(named: "cut")?.bool ?? false)
        isDoubted = document.member(named: "doubted")?.bool == true
        extracted = order.map(EntityKey.extracted) ?? []
        ids = order?.member(named: "ids").map { list in
            list.elements.compactMap { $0.string.flatMap { try? EntityID($0) } }
        }
    }
}

/// The records of what was fetched, by question and by type. Any thread.
///
/// A copy of the store's entities, read at the start and changed after each commit.
final class CoverageIndex: Sendable {
    /// Questions remembered; past it the oldest answer is forgotten.
    static let capacity = 10_000
    /// Ids that all answers keep together, likewise.
    static let mostKeptIDs = 500_000

    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var records: [EntityID: CoverageRecord] = [:]
    /// Records by type and by one of their conjuncts, nil for those that have none: an answer of more
    /// than a question asks is found by one of the question's own.
    // SAFETY: as `records`.
    nonisolated(unsafe) private var byType: [TypeName: [Filter?: Set<EntityID>]] = [:]
    /// Which of its conjuncts a record stands under: the rarest as it came, so that a common one does
    /// not have all to be looked at.
    // SAFETY: as `records`.
    nonisolated(unsafe) private var leading: [EntityID: Filter] = [:]
    /// Ids of all records.
    // SAFETY: as `records`.
    nonisolated(unsafe) private var keptIDs = 0
    /// Questions by type and by the record of their own, each with who watches what answers it.
    // SAFETY: as `records`.
    nonisolated(unsafe) private var watched: [TypeName: [EntityID: Watched]] = [:]
    // SAFETY: as `records`.
    nonisolated(unsafe) private var lastWatcher = 0
    /// The newest commit by which a row was given back what it was before, by type.
    // SAFETY: as `records`.
    nonisolated(unsafe) private var tookBack: [TypeName: UInt64] = [:]

    /// A question that is watched; its variables belong to the index's lock.
    private final class Watched {
        let shape: FetchShape
        var watchers: [Int: @Sendable () -> Void] = [:]
        /// The record that answers it, as they know, nil where that is not certain; and when its request began.
        var answer: EntityID?
        var answeredAt: WallTime

        init(_ shape: FetchShape, answer: CoverageRecord?) {
            self.shape = shape
            self.answer = answer?.id
            answeredAt = answer?.at ?? WallTime(milliseconds: 0)
        }
    }

    private let store: any EntityStore

    /// - Parameter forgets: Types whose entities did not survive the last stop.
    init(_ store: any EntityStore, forgets: Set<TypeName>) {
        self.store = store
        load(forgets: forgets)
    }

    private static let storedTypes: Set = [CoverageRecord.type, CoverageRecord.orderType]

    /// Takes over what is stored, in place of what is known.
    func load(forgets: Set<TypeName> = []) {
        let told = lock.withLock { () -> [@Sendable () -> Void] in
            records = [:]
            byType = [:]
            leading = [:]
            keptIDs = 0
            // Under the lock: what is committed behind these views is followed behind this.
            let views = store.views(of: Self.storedTypes)
            let orders = views[CoverageRecord.orderType]
            views[CoverageRecord.type]?.forEach { document in
                let order = orders?.document(document.idBytes)
                guard let record = CoverageRecord(document, order: order),
                    !forgets.contains(record.type)
                else { return }
                put(record)
            }
            let questions = watched.values.flatMap(\.values)
            for question in questions { question.answer = nil }
            return questions.flatMap(\.watchers.values)
        }
        for changed in told { changed() }
    }

    /// Takes over what another server has stored, or removed.
    ///
    /// - Returns: What is owed to those who watch, on a thread that may tell streams.
    func follow(_ id: EntityID) -> [@Sendable () -> Void] {
        let views = store.views(of: Self.storedTypes)
        let stored = views[CoverageRecord.type]?.document(id).flatMap {
            CoverageRecord($0, order: views[CoverageRecord.orderType]?.document(id))
        }
        guard let stored else {
            forget(id)
            return []
        }
        return lock.withLock { insert(stored) }
    }

    /// Takes a record over that was committed; an answer to a later request stays.
    ///
    /// - Parameter begun: The seq at which its request has begun, where it is new.
    func note(_ record: CoverageRecord, begunAt begun: UInt64 = .max) {
        let told = lock.withLock { () -> [@Sendable () -> Void] in
            if let known = records[record.id], known.isYounger(than: record.at) { return [] }
            var record = record
            // It may have been committed while a row was taken back.
            if begun < tookBack[record.type] ?? 0 { record.isDoubted = true }
            return insert(record)
        }
        for changed in told { changed() }
    }

    /// Has `changed` called, on any thread, whenever a record comes that may be the one that covers `shape`,
    /// or ceases to be, with other rows than those that were told of.
    ///
    /// - Returns: What ends that; nil where no record covers such a question.
    func watch(
        _ shape: FetchShape, _ changed: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
        guard let id = shape.recordID else { return nil }
        let type = shape.type
        let number = lock.withLock {
            lastWatcher += 1
            let question =
                watched[type]?[id] ?? Watched(shape, answer: youngest(covering: shape))
            question.watchers[lastWatcher] = changed
            watched[type, default: [:]][id] = question
            return lastWatcher
        }
        return { [weak self] in
            guard let self else { return }
            lock.withLock {
                watched[type]?[id]?.watchers[number] = nil
                if watched[type]?[id]?.watchers.isEmpty == true { watched[type]?[id] = nil }
                if watched[type]?.isEmpty == true { watched[type] = nil }
            }
        }
    }

    /// Watchers of questions that `record` answers from now on, or that the one before it has answered; but
    /// for those who have its rows already. Under the lock.
    ///
    /// - Complexity: O(different questions of its type that are watched).
    private func watchers(
        of record: CoverageRecord, inPlaceOf old: CoverageRecord?
    ) -> [@Sendable () -> Void] {
        guard let questions = watched[record.type] else { return [] }
        let isSame = old.map(record.saysTheSame(as:)) ?? false
        var found: [@Sendable () -> Void] = []
        for question in questions.values {
            let covers = record.covers(question.shape)
            guard covers || old?.covers(question.shape) ?? false else { continue }
            let isAnswer = question.answer == record.id
            if covers, question.answeredAt <= record.at {
                // Which of two of one moment answers is not known here.
                let isCertain = isAnswer || question.answeredAt < record.at
                question.answer = isCertain ? record.id : nil
                question.answeredAt = record.at
                if isSame, isAnswer { continue }
            }
            found += question.watchers.values
        }
        return found
    }

    /// - Returns: Those who are to be told outside of the lock.
    private func insert(_ record: CoverageRecord) -> [@Sendable () -> Void] {
        watchers(of: record, inPlaceOf: put(record))
    }

    /// - Returns: The one that was in its place.
    @discardableResult
    private func put(_ record: CoverageRecord) -> CoverageRecord? {
        let old = records.updateValue(record, forKey: record.id)
        if let old { drop(old) }
        keptIDs += record.ids?.count ?? 0
        let known = byType[record.type]
        let rarest = record.conjuncts.min { known?[$0]?.count ?? 0 < known?[$1]?.count ?? 0 }
        leading[record.id] = rarest
        byType[record.type, default: [:]][rarest, default: []].insert(record.id)
        return old
    }

    private func drop(_ record: CoverageRecord) {
        keptIDs -= record.ids?.count ?? 0
        let leading = leading.removeValue(forKey: record.id)
        byType[record.type]?[leading]?.remove(record.id)
        if byType[record.type]?[leading]?.isEmpty == true { byType[record.type]?[leading] = nil }
    }

    /// The oldest records, where there are as many as may be with `record`, and a sixteenth more, so that
    /// they are not looked for with each.
    func surplus(for record: CoverageRecord) -> [EntityID] {
        lock.withLock {
            let known = records[record.id]
            var count = records.count + (known == nil ? 1 : 0)
            var ids = keptIDs + (record.ids?.count ?? 0) - (known?.ids?.count ?? 0)
            guard count > Self.capacity || ids > Self.mostKeptIDs else { return [] }
            var gone: [EntityID] = []
            let all = records.values.sorted { $0.at < $1.at }
            for oldest in all where oldest.id != record.id {
                guard count > Self.capacity / 16 * 15 || ids > Self.mostKeptIDs / 16 * 15 else {
                    break
                }
                count -= 1
                ids -= oldest.ids?.count ?? 0
                gone.append(oldest.id)
            }
            return gone
        }
    }

    /// Makes room: that a record goes says nothing of the rows, so that nobody who watches is told.
    func forget(_ id: EntityID) {
        lock.withLock {
            if let record = records.removeValue(forKey: id) { drop(record) }
        }
    }

    /// A record as doubted, in place of its stored one of that revision.
    struct Doubt {
        let record: CoverageRecord
        let revision: UInt64
    }

    /// Answers about `type` that were committed behind `seq`, as doubted: those that doubt begins with.
    ///
    /// - Complexity: O(answers about `type`).
    func doubted(_ type: TypeName, since seq: UInt64) -> [Doubt] {
        let stored = store.view(CoverageRecord.type)
        let known = lock.withLock {
            (byType[type] ?? [:]).values.joined().compactMap { records[$0] }
        }
        let doubts = known.lazy.compactMap { record -> Doubt? in
            guard !record.isDoubted, let revision = stored?.document(record.id)?.revision,
                revision > seq
            else { return nil }
            var record = record
            record.isDoubted = true
            return Doubt(record: record, revision: revision)
        }
        return Array(doubts.prefix(Self.mostDoubted))
    }

    /// Records that one commit doubts, so that it is not too large.
    private static let mostDoubted = 1_000

    /// A row of `type` that was changed at `changed` was given back what it was before, by the commit `seq`.
    /// Answers that have left it alone are in doubt, and those to come of requests that have begun before.
    func takeBack(_ type: TypeName, changedAt changed: UInt64, at seq: UInt64) {
        lock.withLock { tookBack[type] = max(tookBack[type] ?? 0, seq) }
        for doubt in doubted(type, since: changed) { note(doubt.record) }
    }

    /// Whether an answer about `type`, of a request that has begun at `seq`, is in doubt from the start.
    func isDoubted(_ type: TypeName, begunAt seq: UInt64) -> Bool {
        lock.withLock { seq < tookBack[type] ?? 0 }
    }

    /// The answer to that very question.
    func record(of shape: FetchShape) -> CoverageRecord? {
        shape.recordID.flatMap { id in lock.withLock { records[id] } }
    }

    /// The youngest answer that covers `shape`.
    ///
    /// - Complexity: O(answers that share a conjunct with `shape` or have none).
    func covering(_ shape: FetchShape) -> CoverageRecord? {
        lock.withLock { youngest(covering: shape) }
    }

    /// What `covering` says, under the lock.
    private func youngest(covering shape: FetchShape) -> CoverageRecord? {
        let same = shape.recordID.flatMap { records[$0] }.flatMap { $0.covers(shape) ? $0 : nil }
        guard !shape.isChosen else { return same }
        var best = same
        guard let known = byType[shape.type] else { return best }
        func look(among ids: Set<EntityID>?) {
            for id in ids ?? [] {
                guard let record = records[id],
                    best.map({ record.isYounger(than: $0.at) }) ?? true, record.covers(shape)
                else { continue }
                best = record
            }
        }
        look(among: known[nil])
        for conjunct in shape.conjuncts { look(among: known[conjunct]) }
        return best
    }
}

extension EntityKey {
    /// The member of a record that keeps `extracted`, the entities that came within others.
    fileprivate static func append(extracted: [EntityKey], to json: inout ByteBuffer) {
        guard !extracted.isEmpty else { return }
        json.member("extracted", each: extracted) { $1.append(jsonString: $0.text) }
    }

    /// The entities that such a member of `document` keeps.
    fileprivate static func extracted(in document: Document) -> [EntityKey] {
        guard let keys = document.member(named: "extracted") else { return [] }
        return keys.elements.compactMap { $0.string.flatMap { EntityKey(text: $0) } }
    }
}

/// A hash of entities as they are written, rows in the order that a remote served them and behind them
/// what was extracted, and of the digest of that remote.
struct ServedSum {
    private var sums: String

    init(of digest: String) {
        sums = digest
    }

    mutating func add(_ document: Document) {
        sums += SHA256Digest(of: document.json).hexadecimal
    }

    mutating func add(_ extracted: [EntityKey: Document]) {
        for (_, document) in extracted.sorted(by: { $0.key < $1.key }) { add(document) }
    }

    var text: String { SHA256Digest(of: sums).hexadecimal }
}

/// When one entity was fetched by its id, and as what.
struct EntityFetch: Sendable {
    static let type = TypeName.internal("fetched")

    let at: WallTime
    let validators: RemoteValidators?
    /// What `ServedSum` was of what came; nil where an earlier version has kept it. A stored entity of
    /// another one is none that the validators speak of: it came by a list or of another remote, or
    /// was written since.
    let sum: String?
    /// What was extracted from it.
    let extracted: [EntityKey]

    /// When the entity `id` of `type` was fetched, read where it lies; nil: it was not.
    static func date(
        of type: TypeName, _ id: EntityID, in store: any EntityStore
    ) -> WallTime? {
        withUnsafeTemporaryAllocation(
            byteCount: TypeName.maximumLength + 1 + EntityID.maximumLength, alignment: 1
        ) { space in
            var count = 0
            func append(_ bytes: UnsafeRawBufferPointer) {
                space[count...].copyBytes(from: bytes)
                count += bytes.count
            }
            type.withBytes(append)
            space[count] = UInt8(ascii: "/")
            count += 1
            id.withBytes(append)
            let place = UnsafeRawBufferPointer(rebasing: space[..<count])
            let document = store.document(Self.type, idBytes: place)
            return document?.member(named: "at")?.int64.map { WallTime(milliseconds: $0) }
        }
    }

    init(
        at: WallTime, validators: RemoteValidators?, sum: String?, extracted: [EntityKey]
    ) {
        self.at = at
        self.validators = validators
        self.sum = sum
        self.extracted = extracted
    }

    /// The fetch of the entity `id` of `type`, as it is kept.
    init?(of type: TypeName, _ id: EntityID, in store: any EntityStore) {
        guard let record = EntityKey(type, id).recordID else { return nil }
        self.init(store.document(Self.type, record))
    }

    init?(_ document: Document?) {
        guard let document, let at = document.member(named: "at")?.int64 else { return nil }
        self.at = WallTime(milliseconds: at)
        validators = CoverageRecord.validators(in: document)
        sum = document.member(named: "sum")?.string
        extracted = EntityKey.extracted(in: document)
    }

    func document(_ id: EntityID, using builder: inout DocumentBuilder) -> Document? {
        var json = ByteBuffer(capacity: 128)
        json.append("{")
        json.member("id")
        id.appendJSON(asInteger: false, to: &json)
        json.member("at", Int(at.milliseconds))
        CoverageRecord.append(validators, to: &json)
        if let sum { json.member("sum", sum) }
        EntityKey.append(extracted: extracted, to: &json)
        json.append("}")
        return try? builder.build(json: json.bytes, id: .fromBody)
    }
}
