import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetStore
import Testing

@testable import FreshetCore

/// How many answers of remotes are remembered.
@Suite struct CoverageIndexTests {
    private func record(_ number: Int, ids: [EntityID]) throws -> CoverageRecord {
        CoverageRecord(
            id: try EntityID("r\(number)"), type: try #require(TypeName("t")), digest: "d",
            isWhole: true, conjuncts: [], ids: ids, at: WallTime(milliseconds: Int64(number)),
            total: nil, validators: nil)
    }

    @Test func theOldestAnswersMakeRoomForTheIDsOfANewOne() throws {
        let index = CoverageIndex(MemoryStore(), forgets: [])
        let ids = try (0..<CoverageRecord.mostIDs).map { try EntityID("\($0)") }
        let most = CoverageIndex.mostKeptIDs / ids.count
        for number in 0..<most {
            let record = try record(number, ids: ids)
            #expect(index.surplus(for: record).isEmpty)
            index.note(record)
        }
        // One that takes the place of its older self needs no room.
        #expect(index.surplus(for: try record(most - 1, ids: ids)).isEmpty)
        let gone = index.surplus(for: try record(most, ids: ids))
        let room = CoverageIndex.mostKeptIDs / 16 * 15 / ids.count
        #expect(gone.count == most + 1 - room && gone.first?.text == "r0")
        for id in gone { index.forget(id) }
        index.note(try record(most, ids: ids))
        #expect(index.surplus(for: try record(most + 1, ids: ids)).isEmpty)
    }

    @Test func thereAreAsManyAnswersAsMayBe() throws {
        let index = CoverageIndex(MemoryStore(), forgets: [])
        for number in 0..<CoverageIndex.capacity { index.note(try record(number, ids: [])) }
        let gone = index.surplus(for: try record(CoverageIndex.capacity, ids: []))
        #expect(gone.count == CoverageIndex.capacity / 16 + 1 && gone.first?.text == "r0")
    }
}
