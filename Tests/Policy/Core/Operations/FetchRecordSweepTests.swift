import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetCore

/// What is kept of fetches goes with what was fetched.
@Suite struct FetchRecordSweepTests {
    private let store = MemoryStore()
    private let type = TypeName("todo").unsafelyUnwrapped

    private func commit(_ operation: WriteOperation) {
        store.submit(Transaction(operation)) { _ in }
    }

    /// Stores an entity as a fetch leaves it, with its record.
    private func fetch(_ name: String) throws {
        let id = try EntityID(name)
        commit(.set(type, try OutboxScene.document(#"{"id":"\#(name)"}"#), .none))
        let record = EntityFetch(at: .now, validators: nil, sum: nil, extracted: [])
        var builder = DocumentBuilder()
        let recordID = try #require(EntityKey(type, id).recordID)
        let document = try #require(record.document(recordID, using: &builder))
        commit(.set(EntityFetch.type, document, .none))
    }

    private func advance(_ sweep: inout FetchRecordSweep) {
        FetchRecordSweep.remove(sweep.next(in: store), from: store)
    }

    private var records: Int { store.view(EntityFetch.type)?.count ?? 0 }

    @Test func recordsOfWhatIsGoneGoAndTheOthersStay() throws {
        var sweep = FetchRecordSweep()
        advance(&sweep)
        for number in 0..<100 { try fetch("row/\(number)") }
        for _ in 0..<30 { advance(&sweep) }
        #expect(records == 100)
        for number in 0..<90 { commit(.remove(type, try EntityID("row/\(number)"), .none)) }
        // Once round, from wherever it stands.
        for _ in 0..<14 { advance(&sweep) }
        #expect(records == 10)
        for number in 90..<100 {
            #expect(EntityFetch.date(of: type, try EntityID("row/\(number)"), in: store) != nil)
        }
    }

    @Test func whatARemoteHasOfRemovedEntitiesIsForgotten() throws {
        let confirmations = Confirmations()
        let ids = try (0..<20).map { try EntityID("row-\($0)") }
        for id in ids {
            commit(.set(type, try OutboxScene.document(#"{"id":"\#(id.text)"}"#), .none))
            let key = EntityKey(type, id)
            commit(try #require(confirmations.operation(key, 7)))
            confirmations.note(key, 7)
        }
        for id in ids.dropFirst(5) { commit(.remove(type, id, .none)) }
        var sweep = FetchRecordSweep(of: Confirmations.storedType)
        for _ in 0..<4 {
            FetchRecordSweep.remove(
                sweep.next(in: store), of: Confirmations.storedType, from: store
            ) { confirmations.note($0, nil) }
        }
        #expect(store.view(Confirmations.storedType)?.count == 5)
        let known = ids.map { confirmations.revision(of: EntityKey(type, $0)) }
        #expect(known == (0..<20).map { $0 < 5 ? 7 : nil })
    }

    @Test func anIDThatJoinsTheSlashKeepsItsRecord() throws {
        try fetch("\u{301}a")
        var sweep = FetchRecordSweep()
        for _ in 0..<3 { advance(&sweep) }
        #expect(records == 1)
    }

    @Test func whatIsFetchedAndRemovedAgainAndAgainLeavesLittle() throws {
        var sweep = FetchRecordSweep()
        for number in 0..<20 { try fetch("kept-\(number)") }
        for number in 0..<2_000 {
            try fetch("row-\(number)")
            advance(&sweep)
            commit(.remove(type, try EntityID("row-\(number)"), .none))
            #expect(records <= 28)
        }
        for number in 0..<20 {
            #expect(EntityFetch.date(of: type, try EntityID("kept-\(number)"), in: store) != nil)
        }
    }
}
