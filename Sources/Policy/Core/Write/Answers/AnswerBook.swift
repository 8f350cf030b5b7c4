package import FreshetBase
import FreshetEngine
package import FreshetQuery
package import FreshetStore

// First answers of requests that bear an `Idempotency-Key`, kept so that a repeat changes nothing.
//
// The store is where they live: an answer is an entity of the service's own (`AnswerRecord`), written
// in the commit that it tells of. So a crash leaves both or neither, a snapshot and a backup have
// them, and a repeat after kill -9 is answered as one before it. What is here is what the store
// cannot know: which requests run at this moment, and which answers are the oldest.
//
// Bounded: 10,000 keys and 64 MiB. An answer that comes in takes the oldest with it, in its own
// commit, where there are too many or they are older than a day. An answer that is asked for after
// a day counts as gone, whether or not it is still there. Between being asked for what it writes and
// the end of its commit a ticket owns the answers that it takes away, so that tickets of one batch
// do not all take the same.

/// Knows the requests with a key: those that run, and what became of those that ran. Any thread.
// SAFETY: its variables are read and written under `lock` only.
package final class AnswerBook: @unchecked Sendable {
    package static let lifetime = Duration.seconds(24 * 3600)
    package static let capacity = 10_000
    static let byteCapacity = 64 << 20
    /// Answers that one commit takes away at most.
    private static let mostTaken = 64

    /// What a request with a key is to do.
    package enum Start {
        /// The first of its key: run it, with the ticket as its transaction's recorder.
        case run(AnswerTicket)
        /// A repeat: give this answer again.
        case answer(FirstAnswer)
        /// The first one is not answered yet.
        case running
        /// It came with another body before.
        case mismatch
        /// Too many run.
        case overloaded
    }

    private struct Kept {
        let number: UInt64
        let type: TypeName
        let at: WallTime
        let bytes: Int
        /// A ticket is about to take it away.
        var isTaken = false
    }

    fileprivate let store: any EntityStore
    private let memoryTypes: Set<TypeName>
    private let lock = Lock()
    /// Places of requests that run, and the prints of their bodies.
    private var running: [EntityID: BodyPrint] = [:]
    /// Places of requests that ended without anybody knowing whether they were done.
    private var unknown: Set<EntityID> = []
    /// `unknown` had no room for all of them.
    private var areMoreUnknown = false
    private var kept: [EntityID: Kept] = [:]
    /// Places by age, each with the number of what was kept then; those of others are skipped.
    private var order: [(place: EntityID, number: UInt64)] = []
    private var oldest = 0
    private var bytes = 0
    private var taken = (count: 0, bytes: 0)
    private var nextNumber: UInt64 = 0

    /// The types that a file store is to keep in memory, where `declared` are.
    package static func withOwn(_ declared: Set<TypeName>) -> Set<TypeName> {
        declared.isEmpty ? [] : declared.union([AnswerRecord.memoryType])
    }

    /// - Parameter memoryTypes: Types whose entities end with the process.
    package init(_ store: any EntityStore, memoryTypes: Set<TypeName>) {
        self.store = store
        self.memoryTypes = memoryTypes
        load()
    }

    /// Begins anew with what the store has: what others have kept meanwhile counts, too.
    func load() {
        var found: [(place: EntityID, at: WallTime, bytes: Int, revision: UInt64)] = []
        store.view(AnswerRecord.storedType)?.forEach { document in
            found.append(
                (
                    document.id, AnswerRecord.time(document), document.memorySize,
                    document.revision
                ))
        }
        found.sort { $0.revision < $1.revision }
        lock.withLock {
            unknown = []
            areMoreUnknown = false
            kept = [:]
            order = []
            oldest = 0
            bytes = 0
            taken = (0, 0)
            for record in found {
                keep(record.place, AnswerRecord.storedType, at: record.at, bytes: record.bytes)
            }
        }
    }

    /// How many answers are kept, and how many requests run.
    package var counts: (kept: Int, running: Int) {
        lock.withLock { (kept.count, running.count) }
    }

    /// Decides about a request.
    ///
    /// - Parameters:
    ///   - place: The digest of the request's path, its caller and its key.
    ///   - keepsEntity: Its answer shows the one entity that it writes; otherwise ids alone.
    package func start(
        _ place: SHA256Digest, body: BodyPrint, keepsEntity: Bool, now: WallTime = .now
    ) -> Start {
        let id = EntityID(place)
        return lock.withLock {
            if let first = running[id] { return first == body ? .running : .mismatch }
            let found = stored(id)
            if let (type, document) = found, !Self.isOver(AnswerRecord.time(document), now),
                let (answer, first) = AnswerRecord.answer(document)
            {
                if kept[id] == nil {
                    // A commit whose end was not known, which a reopened log has.
                    keep(
                        id, type, at: AnswerRecord.time(document), bytes: document.memorySize)
                }
                guard first == body.text else { return .mismatch }
                return .answer(answer)
            }
            guard running.count < Self.capacity else { return .overloaded }
            running[id] = body
            return .run(
                AnswerTicket(
                    self, place: id, body: body, keepsEntity: keepsEntity,
                    epoch: store.cursor.epoch, at: now,
                    behind: found?.document.revision ?? 0))
        }
    }

    /// Whether `isUnknown` is true of any place.
    package var hasUnknown: Bool { lock.withLock { areMoreUnknown || !unknown.isEmpty } }

    /// Whether an earlier request of `place` may be done though nobody has said so: of a repeat that is
    /// refused "not applied" would be true of itself alone.
    package func isUnknown(_ place: SHA256Digest) -> Bool {
        let id = EntityID(place)
        return lock.withLock { areMoreUnknown || unknown.contains(id) }
    }

    private func stored(_ place: EntityID) -> (type: TypeName, document: Document)? {
        for type in AnswerRecord.types {
            if let document = store.document(type, place) { return (type, document) }
        }
        return nil
    }

    private static func isOver(_ at: WallTime, _ now: WallTime) -> Bool {
        now.milliseconds - at.milliseconds > lifetime.components.seconds * 1_000
    }

    // MARK: For tickets

    /// Where the answer of `transaction` is kept: with what it tells of.
    fileprivate func type(of transaction: Transaction) -> TypeName {
        guard !memoryTypes.isEmpty else { return AnswerRecord.storedType }
        for index in 0..<transaction.count
        where !memoryTypes.contains(transaction[index].type) {
            return AnswerRecord.storedType
        }
        return AnswerRecord.memoryType
    }

    fileprivate func durability(of transaction: Transaction) -> Durability {
        store.durability(of: transaction)
    }

    /// Chooses what goes where one more answer comes, which the caller owns until `settle`.
    fileprivate func take(
        for bytes: Int, now: WallTime
    ) -> [(type: TypeName, place: EntityID)] {
        lock.withLock {
            var victims: [(type: TypeName, place: EntityID)] = []
            var index = oldest
            while index < order.count, victims.count < Self.mostTaken {
                let (place, number) = order[index]
                index += 1
                guard let known = kept[place], known.number == number, !known.isTaken else {
                    continue
                }
                let isOver =
                    kept.count - taken.count >= Self.capacity
                    || self.bytes - taken.bytes + bytes > Self.byteCapacity
                guard isOver || Self.isOver(known.at, now) else { break }
                kept[place]?.isTaken = true
                taken = (taken.count + 1, taken.bytes + known.bytes)
                victims.append((known.type, place))
            }
            return victims
        }
    }

    /// Ends a ticket's ownership: what it took is gone, or is there as before.
    fileprivate func settle(_ victims: [EntityID], areGone: Bool) {
        lock.withLock {
            for place in victims {
                guard let known = kept[place], known.isTaken else { continue }
                taken = (taken.count - 1, taken.bytes - known.bytes)
                kept[place]?.isTaken = false
                if areGone { forget(place) }
            }
            drop()
        }
    }

    fileprivate func finish(
        _ place: EntityID, _ end: AnswerTicket.End,
        record: (type: TypeName, at: WallTime, bytes: Int)?
    ) {
        lock.withLock {
            running[place] = nil
            switch end {
            case .done:
                unknown.remove(place)
                if let record { keep(place, record.type, at: record.at, bytes: record.bytes) }
            case .unknown where unknown.count < Self.capacity: unknown.insert(place)
            case .unknown: areMoreUnknown = true
            case .refused: break
            }
        }
    }

    private func keep(_ place: EntityID, _ type: TypeName, at: WallTime, bytes: Int) {
        forget(place)
        nextNumber += 1
        kept[place] = Kept(number: nextNumber, type: type, at: at, bytes: bytes)
        order.append((place, nextNumber))
        self.bytes += bytes
    }

    private func forget(_ place: EntityID) {
        guard let known = kept.removeValue(forKey: place) else { return }
        bytes -= known.bytes
        if known.isTaken { taken = (taken.count - 1, taken.bytes - known.bytes) }
    }

    /// Closes the gaps at the front of the order, and all of them where they are many.
    private func drop() {
        while oldest < order.count, kept[order[oldest].place]?.number != order[oldest].number {
            oldest += 1
        }
        if order.count > 2 * kept.count + 64 {
            order = order[oldest...].filter { kept[$0.place]?.number == $0.number }
            oldest = 0
        }
    }
}

/// One request with a key that runs: the right and the duty to say how it ended.
// SAFETY: its variables are touched by who makes the request, by the writer during its commit and behind
// that by who is told of the outcome, one after the other.
package final class AnswerTicket: CommitRecorder, @unchecked Sendable {
    private let book: AnswerBook
    private let place: EntityID
    private let body: BodyPrint
    private let keepsEntity: Bool
    private let epoch: Epoch
    private let at: WallTime
    /// Revision of the answer which was over when it began; 0 for none.
    private let revision: UInt64
    private var made: (type: TypeName, at: WallTime, bytes: Int)?
    private var victims: [EntityID] = []
    private var whole: (body: [UInt8], head: AnswerHead)?
    /// What the commit did that the answer tells of, with its entries in the outbox.
    private var told: (results: RecordedResults, entries: [EntityID])?
    /// `told` is to be written again, behind its commit.
    private var isAmended = false
    private var isFinished = false

    fileprivate init(
        _ book: AnswerBook, place: EntityID, body: BodyPrint, keepsEntity: Bool,
        epoch: Epoch, at: WallTime, behind revision: UInt64
    ) {
        self.book = book
        self.place = place
        self.body = body
        self.keepsEntity = keepsEntity
        self.epoch = epoch
        self.at = at
        self.revision = revision
    }

    /// By which an upstream knows a repeat of the request: the same of each try.
    var upstreamKey: String { place.text }

    /// An earlier try may have been done since this one began, where nobody knew that it would be.
    package var basis: RecordBasis? {
        isAmended
            ? nil : RecordBasis(types: AnswerRecord.types, id: place, revision: revision)
    }

    /// Keeps an answer that is not that of one commit, behind what it tells of. Where the store does
    /// not take it, a repeat runs anew.
    ///
    /// - Parameters:
    ///   - body: Empty where it has none.
    ///   - completion: Called once, in place of `finish`.
    package func keep(
        _ body: [UInt8], _ head: AnswerHead, completion: @escaping @Sendable () -> Void
    ) {
        whole = (body, head)
        record(completion)
    }

    /// Ends it as `finish` does, once the answer that is kept tells of `entries` of the outbox: some
    /// are made behind the commit.
    ///
    /// - Parameter completion: Called once.
    package func finish(
        _ outcome: WriteOutcome, entries: [EntityID], completion: @escaping @Sendable () -> Void
    ) {
        guard case .done = outcome, let told, told.entries != entries else {
            finish(outcome)
            return completion()
        }
        self.told = (told.results, entries)
        isAmended = true
        // The commit has taken away what it was to.
        book.settle(takeVictims(), areGone: true)
        record(completion)
    }

    private func record(_ completion: @escaping @Sendable () -> Void) {
        // Changes nothing but what the recorder adds.
        var transaction = Transaction(.remove(AnswerRecord.storedType, place, .none))
        transaction.recorder = self
        book.store.submit(transaction) { outcome in
            self.finish(outcome)
            completion()
        }
    }

    package func records(
        of transaction: Transaction, _ results: RecordedResults
    ) -> [RecordWrite] {
        // Asked a second time only where the first commit was given up.
        book.settle(takeVictims(), areGone: false)
        let ofCommit = isAmended ? made?.type : nil
        let type = ofCommit ?? book.type(of: transaction)
        let isInMemory = type == AnswerRecord.memoryType
        let (results, entries, seq) = told(of: transaction, results)
        let record = AnswerRecord(
            id: place, body: body.text, at: at, epoch: epoch,
            changed: whole?.head.changed ?? results.changed,
            durability: whole?.head.durability
                ?? (isInMemory && results.changed
                    ? .memory : book.durability(of: transaction)),
            seq: whole?.head.seq ?? seq, entries: entries, whole: whole?.body)
        // An answer that no entity can hold is not kept: as where the key has aged.
        guard let document = record.document(results, keepsEntity: keepsEntity) else { return [] }
        let taken = book.take(for: document.memorySize, now: at)
        made = (type, at, document.memorySize)
        victims = taken.map(\.place)
        return taken.map { .remove($0.type, $0.place) } + [.set(type, document)]
    }

    /// What the answer tells of, and the seq of that where it has had its commit before.
    private func told(
        of transaction: Transaction, _ results: RecordedResults
    ) -> (RecordedResults, [EntityID], seq: UInt64?) {
        if isAmended, let told { return (told.results, told.entries, told.results.seq) }
        let outbox = transaction.companion as? OutboxTicket
        let entries = results.changed ? outbox?.entries ?? [] : []
        told = (results, entries)
        return (results, entries, nil)
    }

    private func takeVictims() -> [EntityID] {
        defer { victims = [] }
        return victims
    }

    /// To be called once the transaction has its outcome: what was refused is tried anew by a
    /// repeat.
    package func finish(_ outcome: WriteOutcome) {
        if case .done = outcome { return end(.done) }
        end(outcome.isUnknown ? .unknown : .refused)
    }

    fileprivate enum End { case done, refused, unknown }

    private func end(_ end: End) {
        guard !isFinished else { return }
        isFinished = true
        book.settle(takeVictims(), areGone: end == .done)
        book.finish(place, end, record: made)
    }

    deinit {
        // Nothing happens where `finish` was called before.
        end(.refused)
    }
}
