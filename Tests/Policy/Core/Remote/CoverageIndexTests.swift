import FreshetBase
import FreshetEngine
import FreshetQuery
import FreshetRemote
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

    @Test func anAnswerOfTheFutureGivesWayToTheNext() throws {
        let index = CoverageIndex(MemoryStore(), forgets: [])
        let shape = try FetchShape(
            Query(type: try #require(TypeName("t"))), ReadParameters(), at: ScriptedRemote())
        let (own, wide) = (try #require(shape.recordID), try EntityID("wide"))
        func note(_ id: EntityID, _ ids: [Int], ahead span: Duration) throws -> [EntityID]? {
            index.note(
                CoverageRecord(
                    id: id, type: shape.type, digest: ScriptedRemote().digest, isWhole: true,
                    conjuncts: [], ids: try ids.map { try EntityID("\($0)") },
                    at: WallTime.now + span, total: nil, validators: nil))
            return index.covering(shape)?.ids
        }
        let (day, one, two) = (Duration.seconds(86_400), try EntityID("1"), try EntityID("2"))
        #expect(try note(own, [1], ahead: day) == [one])
        // The clock was set back.
        #expect(try note(own, [2], ahead: .zero) == [two])
        #expect(try note(own, [1], ahead: .zero - day) == [two], "one that began before")
        #expect(try note(wide, [1], ahead: day) == [two])
        #expect(try note(wide, [2], ahead: .zero) == [two])
        #expect(index.record(of: shape)?.isYounger(than: .now + .seconds(-60)) == true)
    }

    /// Who watches a question is told of what answers it from now on, once for each set of rows.
    @Test func whoWatchesAQuestionIsToldOfOtherAnswers() throws {
        let index = CoverageIndex(MemoryStore(), forgets: [])
        var query = Query(type: try #require(TypeName("t")))
        query.filter = try Filter(parsing: "a == 1")
        let shape = try FetchShape(query, ReadParameters(), at: ScriptedRemote())
        let told = Counter()
        var end = try #require(index.watch(shape) { told.add() })
        func note(
            _ id: EntityID, _ filter: String? = nil, ids: [Int], isWhole: Bool = true, at: Int64
        ) throws -> Int {
            let before = told.value
            let conjuncts = try filter.map { [try Filter(parsing: $0).canonical()] } ?? []
            index.note(
                CoverageRecord(
                    id: id, type: query.type, digest: ScriptedRemote().digest, isWhole: isWhole,
                    conjuncts: Set(conjuncts), ids: try ids.map { try EntityID("\($0)") },
                    at: WallTime(milliseconds: at), total: nil, validators: nil))
            return told.value - before
        }
        let own = try #require(shape.recordID)
        let (wide, other) = (try EntityID("wide"), try EntityID("other"))
        #expect(try note(own, "a == 1", ids: [1], at: 1) == 1)
        #expect(try note(own, "a == 1", ids: [1], at: 2) == 0, "nothing new")
        #expect(try note(own, "a == 1", ids: [1, 2], at: 3) == 1)
        #expect(try note(other, "a == 2", ids: [7], at: 4) == 0, "of another question")
        #expect(try note(wide, ids: [2, 1], at: 5) == 1, "all rows")
        #expect(try note(wide, ids: [2, 1], at: 6) == 0)
        #expect(try note(own, "a == 1", ids: [1, 2], at: 7) == 1, "younger, in its own order")
        #expect(try note(wide, ids: [2, 1], at: 8) == 1, "and back")
        #expect(
            try note(wide, ids: [2], isWhole: false, at: 9) == 1, "a part, which covers nothing")
        #expect(try note(wide, ids: [3], isWhole: false, at: 10) == 0)
        // One that began before what answers now, and ends behind it; and two of one moment.
        #expect(try note(wide, ids: [3], at: 11) == 1)
        #expect(try note(own, ids: [3, 4], at: 14) == 1)
        #expect(try note(wide, ids: [4, 3], at: 13) == 1)
        #expect(try note(wide, ids: [4, 3], at: 15) == 1, "now it is the one")
        #expect(try note(own, ids: [3, 4], at: 16) == 1)
        #expect(try note(wide, ids: [5], at: 16) == 1)
        #expect(try note(wide, ids: [5], at: 17) == 1)
        #expect(try note(wide, ids: [5], at: 18) == 0)
        // Who comes has looked at what answers by then.
        end()
        end = try #require(index.watch(shape) { told.add() })
        #expect(try note(wide, ids: [5], at: 19) == 0)
        #expect(try note(own, ids: [3, 4], at: 19) == 1)
        #expect(try note(own, ids: [3, 4], at: 20) == 1)
        let before = told.value
        for id in [own, wide, other] { index.forget(id) }
        #expect(told.value == before, "that a record makes room says nothing of the rows")
        end()
        #expect(try note(own, "a == 1", ids: [5], at: 21) == 0)
    }
}
