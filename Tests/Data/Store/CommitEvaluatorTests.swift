import FreshetBase
import FreshetEngine
import FreshetQuery
import Testing

@testable import FreshetStore

@Suite struct CommitEvaluatorTests {
    private let tables = EntityTables(cursor: Cursor(epoch: .random(), seq: 0))

    private func evaluator() -> CommitEvaluator {
        CommitEvaluator(tables: tables, rules: nil, maximumEntity: 1 << 20)
    }

    private func transaction(_ operations: WriteOperation...) throws -> Transaction {
        try #require(Transaction(operations: operations))
    }

    @Test func writesThatFailLeaveNoTypeBehind() throws {
        var evaluator = evaluator()
        for index in 0..<20 {
            let name = "random\(index)"
            let set = try Make.set(name, #"{"id":1}"#)
            let refused = try Make.set(name, #"{"id":2}"#, .ifMatchAny)
            _ = evaluator.evaluate(try transaction(refused), seq: 1, alone: true)
            #expect(tables.slotCount == 0, "the condition fails")
            _ = evaluator.evaluate(try transaction(set, refused), seq: 1, alone: false)
            #expect(tables.slotCount == 0, "a later operation fails")
            let removal = try Make.remove(name, "1")
            _ = evaluator.evaluate(try transaction(set, removal), seq: 1, alone: false)
            #expect(tables.slotCount == 0, "nothing is left of it")
            _ = evaluator.evaluate(try transaction(set), seq: 1, alone: false)
            #expect(tables.slotCount == 1)
            evaluator.reset()
            #expect(tables.slotCount == 0, "the batch was given up")
        }
    }

    @Test func aSlotTakenBackServesAnotherType() throws {
        var evaluator = evaluator()
        let lost = try transaction(
            try Make.set("lost", #"{"id":1}"#), try Make.merge("lost", "2", "{}"))
        guard case .rejected(1, .notFound) = evaluator.evaluate(lost, seq: 1, alone: false) else {
            Issue.record("a merge into nothing fails")
            return
        }
        let kept = try transaction(try Make.set("kept", #"{"id":1}"#, .absent))
        guard case .commit(0, _, let first, _) = evaluator.evaluate(kept, seq: 1, alone: false)
        else {
            Issue.record("there is no such entity")
            return
        }
        #expect(first.created && tables.name(of: evaluator.places[0]).text == "kept")
    }

    @Test func theEntitiesOfTheBatchCount() throws {
        var evaluator = CommitEvaluator(
            tables: tables, rules: nil, maximumEntity: 1 << 20, maximumEntities: 1)
        let first = try transaction(try Make.set("t", #"{"id":1}"#))
        let second = try transaction(try Make.set("t", #"{"id":2}"#))
        guard case .commit = evaluator.evaluate(first, seq: 1, alone: false),
            case .rejected(0, .tooManyEntities) = evaluator.evaluate(second, seq: 2, alone: false)
        else {
            Issue.record("one fits, the second does not")
            return
        }
        let swap = try transaction(try Make.remove("t", "1"), try Make.set("t", #"{"id":2}"#))
        guard case .commit = evaluator.evaluate(swap, seq: 2, alone: false) else {
            Issue.record("one goes, one comes")
            return
        }
        evaluator.reset()
        guard case .commit = evaluator.evaluate(second, seq: 1, alone: true) else {
            Issue.record("what was given up does not count")
            return
        }
    }
}
