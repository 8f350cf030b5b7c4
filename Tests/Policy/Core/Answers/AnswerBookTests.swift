import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetCore

/// A book over a store, and requests that go through both.
private struct Desk {
    static let type = TypeName("t")
    let store: any EntityStore
    let book: AnswerBook

    init(_ store: any EntityStore, memoryTypes: Set<TypeName> = []) {
        self.store = store
        book = AnswerBook(store, memoryTypes: memoryTypes)
    }

    func start(
        _ key: String, body: String = "b", keepsEntity: Bool = true, at seconds: Int64 = 0
    ) -> AnswerBook.Start {
        book.start(
            SHA256Digest(of: key), body: Array(body.utf8).withUnsafeBytes { BodyPrint(of: $0) },
            keepsEntity: keepsEntity, now: WallTime(milliseconds: seconds * 1_000))
    }

    func ticket(
        _ key: String, body: String = "b", keepsEntity: Bool = true, at seconds: Int64 = 0
    ) -> AnswerTicket? {
        if case .run(let ticket) = start(
            key, body: body, keepsEntity: keepsEntity, at: seconds)
        {
            ticket
        } else {
            nil
        }
    }

    func answer(_ key: String, body: String = "b", at seconds: Int64 = 0) -> WriteReceipt? {
        if case .answer(let first) = start(key, body: body, at: seconds) {
            first.receipt
        } else {
            nil
        }
    }

    /// Sets entities as the request of `key`, and ends it.
    @discardableResult
    func run(
        _ key: String, keepsEntity: Bool = true, at seconds: Int64 = 0, _ entities: String...,
        type: TypeName? = Desk.type
    ) async throws -> WriteReceipt {
        let ticket = try #require(self.ticket(key, keepsEntity: keepsEntity, at: seconds))
        let type = try #require(type)
        let operations = try entities.map { WriteOperation.set(type, try Self.document($0), .none) }
        var transaction = try #require(Transaction(operations: operations))
        transaction.recorder = ticket
        let outcome = await Promise.value { store.submit(transaction, $0) }
        ticket.finish(outcome)
        guard case .done(let receipt) = outcome else { throw Refused() }
        return receipt
    }

    struct Refused: Error {}

    static func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array(json.utf8).withUnsafeBytes { try builder.build(json: $0, id: .fromBody) }
    }
}

extension WriteReceipt {
    /// All that an answer shows.
    fileprivate var told: String {
        var text = "\(cursor) \(changed) \(durability)"
        for index in 0..<count {
            let result = self[index]
            text += " [\(result.document?.text ?? "-") \(result.revision) \(result.created)"
            text += " \(result.changed) \(result.skipped)"
            text += " \(result.removed?.member(named: "id").map { "\($0.kind)" } ?? "-")]"
        }
        return text
    }
}

@Suite struct AnswerBookTests {
    @Test func aRunningRequestBlocksItsRepeatAndAFinishedOneAnswersIt() async throws {
        let desk = Desk(MemoryStore())
        do {
            let ticket = desk.ticket("k")
            #expect(ticket != nil)
            guard case .running = desk.start("k"), case .mismatch = desk.start("k", body: "c")
            else {
                Issue.record("a request that runs is not begun again")
                return
            }
            _ = ticket
        }
        // Its ticket is gone without a word: as if it had not come.
        let receipt = try await desk.run("k", #"{"id":"a","n":1}"#)
        #expect(desk.answer("k")?.told == receipt.told)
        guard case .mismatch = desk.start("k", body: "c") else {
            Issue.record("another body is another request")
            return
        }
        #expect(desk.book.counts == (1, 0))
    }

    /// The first try was answered by "nobody knows", its repeat was begun, and then the first was done.
    @Test func aRepeatThatWasBegunBeforeTheFirstWasDoneIsNotDone() async throws {
        let store = MemoryStore()
        let (desk, other) = (Desk(store), Desk(store))
        let late = try #require(other.ticket("k"))
        let receipt = try await desk.run("k", #"{"id":"a","n":1}"#)
        var transaction = Transaction(
            .set(try #require(Desk.type), try Desk.document(#"{"id":"b"}"#), .none))
        transaction.recorder = late
        let outcome = await Promise.value { store.submit(transaction, $0) }
        guard case .rejected(0, .repeated) = outcome else {
            Issue.record("done twice: \(outcome)")
            return
        }
        late.finish(outcome)
        #expect(other.answer("k")?.told == receipt.told)
        #expect(store.seq == receipt.cursor.seq)
    }

    @Test func aDayLaterItIsANewRequest() async throws {
        let desk = Desk(MemoryStore())
        try await desk.run("k", at: 1_000, #"{"id":"a"}"#)
        #expect(desk.answer("k", at: 1_000 + 24 * 3_600) != nil)
        #expect(desk.ticket("k", at: 1_001 + 24 * 3_600) != nil)
        #expect(desk.answer("k", at: 0) != nil, "a clock that jumps back forgets nothing")
    }

    @Test func aRefusedRequestIsForgottenAndLeavesNothing() async throws {
        let desk = Desk(MemoryStore())
        for index in 0..<5_000 {
            try #require(desk.ticket("\(index)")).finish(.overloaded)
        }
        #expect(desk.book.counts == (0, 0))
        #expect(desk.store.seq == 0)
        #expect(desk.ticket("77") != nil)
    }

    @Test func theOldestAnswersGoWhereThereAreTooMany() async throws {
        let desk = Desk(MemoryStore())
        for key in 0..<AnswerBook.capacity + 50 {
            try await desk.run("\(key)", #"{"id":"a"}"#)
        }
        #expect(desk.book.counts == (AnswerBook.capacity, 0))
        #expect(desk.store.view(AnswerRecord.storedType)?.count == AnswerBook.capacity)
        #expect(desk.answer("0") == nil && desk.answer("49") == nil)
        #expect(desk.answer("50") != nil && desk.answer("10049") != nil)
        // Another store, the same book.
        #expect(Desk(desk.store).book.counts == (AnswerBook.capacity, 0))
    }

    @Test func theOldestAnswersGoWhereTheyHoldTooMuch() async throws {
        let desk = Desk(MemoryStore())
        let text = String(repeating: "x", count: 1_000_000)
        for key in 0..<70 { try await desk.run("\(key)", "{\"id\":\(key),\"x\":\"\(text)\"}") }
        #expect(desk.book.counts.kept <= 67 && desk.book.counts.kept > 60)
        #expect(desk.answer("0") == nil && desk.answer("69") != nil)
    }

    @Test func ticketsOfOneBatchDoNotTakeTheSameAnswers() async throws {
        let desk = Desk(MemoryStore())
        for key in 0..<10 { try await desk.run("old \(key)", #"{"id":"a"}"#) }
        // A day later three commits are judged before any of them ends: one fails.
        let late: Int64 = 25 * 3_600
        let tickets = try (0..<3).map { try #require(desk.ticket("new \($0)", at: late)) }
        let type = try #require(Desk.type)
        let transaction = Transaction(.set(type, try Desk.document(#"{"id":"b"}"#), .none))
        let results = RecordedResults(
            seq: 1, changed: true, first: WriteResult(document: nil, revision: 1), rest: [])
        let writes = tickets.map { $0.records(of: transaction, results).count }
        #expect(writes == [11, 1, 1], "the first takes all that are over, the others none")
        tickets[0].finish(.storageFull(""))
        #expect(desk.book.counts == (10, 2))
        #expect(tickets[1].records(of: transaction, results).count == 11)
    }

    @Test func whatWasAnsweredIsAnsweredTheSameByTheNextProcess() async throws {
        let folder = try OutboxFolder()
        let deep = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        var told: [String: String] = [:]
        do {
            let store = try folder.open()
            let desk = Desk(store)
            told["one"] = try await desk.run("one", #"{"id":7,"n":1.50,"s":"ä\n"}"#).told
            told["idle"] = try await desk.run("idle", #"{"id":7,"n":1.50,"s":"ä\n"}"#).told
            told["deep"] = try await desk.run("deep", "{\"id\":\"d\",\"x\":\(deep)}").told
            #expect(told["idle"]?.contains("false full") == true)
            try await desk.run("later", #"{"id":7,"n":2}"#)
            try await desk.run("many", keepsEntity: false, #"{"id":7,"n":2}"#, #"{"id":"new"}"#)
            store.close()
        }
        for compacts in [false, true, false] {
            let store = try folder.open()
            let desk = Desk(store)
            let seq = store.seq
            for (key, first) in told { #expect(desk.answer(key)?.told == first, "\(key)") }
            // Ids, revisions and what happened; entities as well where the answer shows one.
            let many = try #require(desk.answer("many"))
            #expect(many.count == 2 && many.first.document?.text == #"{"id":7}"#)
            #expect(!many.first.changed && many.rest[0].created && many.cursor.seq == 5)
            #expect(many.first.revision == 4 && many.rest[0].revision == 5)
            #expect(desk.ticket("one", at: 25 * 3_600) != nil)
            #expect(store.seq == seq && desk.book.counts == (5, 0))
            if compacts { _ = try store.compact() }
            store.close()
        }
    }

    @Test func answersThatTellOfEntitiesInMemoryEndWithThem() async throws {
        let folder = try OutboxFolder()
        let cache = try #require(TypeName("cache"))
        var options = FileStoreOptions(directory: folder.path + "/data")
        options.memoryTypes = AnswerBook.withOwn([cache])
        for _ in 0..<2 {
            let store = try FileStore.open(options)
            let desk = Desk(store, memoryTypes: [cache])
            let receipt = try await desk.run("k", #"{"id":1}"#, type: cache)
            #expect(receipt.durability == .memory && receipt.first.created)
            #expect(desk.answer("k")?.told == receipt.told)
            store.close()
        }
    }

    /// Stores keep prints: another algorithm would take every repeat for another request.
    @Test func aBodyHasThePrintThatItAlwaysHad() {
        let print = Array("{\"n\":1}".utf8).withUnsafeBytes { BodyPrint(of: $0) }
        #expect(print.text == "fd2db08c01249a36-db198e905f7f0a1")
    }
}
