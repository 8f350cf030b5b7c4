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

    @Test func aCommitRewritesNoMoreThanItMay() throws {
        var evaluator = evaluator()
        let text = String(repeating: "x", count: (1 << 20) - 100)
        for id in 1...3 {
            let set = try transaction(try Make.set("t", "{\"id\":\(id),\"x\":\"\(text)\"}"))
            _ = evaluator.evaluate(set, seq: UInt64(id), alone: false)
            tables.apply(
                evaluator.places[0], old: nil, new: evaluator.changes[0].new, seq: UInt64(id))
            evaluator.reset()
        }
        // Any number of patches rewrites an entity once.
        let patches = try (0..<2_000).map { number in
            try Make.merge("t", "\(1 + number % 3)", "{\"n\":\(number)}")
        }
        let many = try #require(Transaction(operations: patches))
        guard case .commit(_, true, _, let rest) = evaluator.evaluate(many, seq: 4, alone: true)
        else {
            Issue.record("three entities are rewritten")
            return
        }
        #expect(evaluator.changes.count == 3 && rest.count == 1_999)
        #expect(rest.allSatisfy { $0.changed && $0.revision == 4 })
        #expect(evaluator.changes[0].new?.text.hasSuffix("\"n\":1998}") == true)
        #expect(evaluator.batchWork < 16 << 20)
        evaluator.reset()
        // What needs the entity as it is in between has it made each time.
        let one = try Array(repeating: Make.merge("t", "1", #"{"n":null}"#, .ifMatchAny), count: 65)
        let heavy = try #require(Transaction(operations: one))
        guard
            case .rejected(63..<65, .tooMuchWork) = evaluator.evaluate(heavy, seq: 4, alone: true)
        else {
            Issue.record("64 MiB are the limit")
            return
        }
        #expect(evaluator.changes.isEmpty)
    }

    /// Several patches of one entity come to what they come to one by one, and say the same.
    @Test(arguments: 0..<300 as Range<UInt64>) func draftsAreWhatPatchesMakeOneByOne(
        seed: UInt64
    ) throws {
        var random = Seeded(seed)
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 2 ? 5 : 7), using: &random) {
            case 0: return "null"
            case 1: return ["1", "1.0", "2", "\"a\"", "true"].randomElement(using: &random) ?? "1"
            case 2: return "[1,{\"a\":null}]"
            case 3: return "\"é\\n\""
            case 4: return "{}"
            default:
                let names = ["a", "b", "c\\n", "_meta"].shuffled(using: &random)
                let members = names.prefix(Int.random(in: 1...3, using: &random)).map {
                    "\"\($0)\":\(value(depth + 1))"
                }
                return "{\(members.joined(separator: ","))}"
            }
        }
        func object(_ id: String) -> String {
            var text = value(5)
            while !text.hasPrefix("{") { text = value(0) }
            guard !id.isEmpty else { return text }
            return text == "{}" ? "{\"id\":\(id)}" : "{\"id\":\(id),\(text.dropFirst())"
        }
        var evaluator = evaluator()
        let first = try transaction(try Make.set("t", object("1")))
        _ = evaluator.evaluate(first, seq: 1, alone: true)
        tables.apply(evaluator.places[0], old: nil, new: evaluator.changes[0].new, seq: 1)
        evaluator.reset()
        var operations: [WriteOperation] = []
        for _ in 0..<Int.random(in: 2...6, using: &random) {
            let id = Bool.random(using: &random) ? "" : ["1", "\"1\""].randomElement() ?? "1"
            operations.append(try Make.merge("t", "1", object(id)))
            // Something that has it made in between.
            if Int.random(in: 0..<4, using: &random) == 0 {
                operations.append(try Make.merge("t", "1", object(""), .ifMatchAny))
            }
        }
        let all = try #require(Transaction(operations: operations))
        // The conditions hold, and have each step judged by itself.
        let single = try #require(
            Transaction(
                operations: operations.map { operation in
                    guard case .merge(let type, let id, let patch, _) = operation else {
                        return operation
                    }
                    return .merge(type, id, patch: patch, .ifMatchAny)
                }))
        func told(_ transaction: Transaction) -> (document: String?, changed: [Bool]) {
            defer { evaluator.reset() }
            switch evaluator.evaluate(transaction, seq: 2, alone: true) {
            case .commit(_, _, let first, let rest):
                return (
                    evaluator.changes[0].new?.text, ([first] + rest).map { $0.changed }
                )
            case .idle(let first, let rest):
                return (nil, ([first] + rest).map { $0.changed })
            case .rejected: return ("rejected", [])
            }
        }
        let (drafted, changed) = told(all)
        let (made, oneByOne) = told(single)
        #expect(
            changed == oneByOne,
            "\(first.first.text) \(operations.map(\.text))")
        #expect(drafted == made)
    }

    @Test func thereIsABoundOfTypes() throws {
        var evaluator = evaluator()
        for number in 1..<EntityTables.mostTypes { _ = tables.slot(of: Make.type("t\(number)")) }
        let fits = try transaction(try Make.set("last", #"{"id":1}"#))
        guard case .commit = evaluator.evaluate(fits, seq: 1, alone: false),
            case .rejected(1, .tooManyTypes(EntityTables.mostTypes)) = evaluator.evaluate(
                try transaction(
                    try Make.set("t1", #"{"id":1}"#), try Make.set("more", #"{"id":1}"#)),
                seq: 2, alone: false),
            case .commit = evaluator.evaluate(
                try transaction(
                    try Make.set("t1", #"{"id":1}"#),
                    .set(TypeName.internal("own"), try Make.document(#"{"id":"r"}"#), .none)),
                seq: 2, alone: false)
        else {
            Issue.record("known types and the service's own are taken, a new one is not")
            return
        }
        #expect(tables.slotCount == EntityTables.mostTypes + 1)
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

extension WriteOperation {
    fileprivate var text: String {
        switch self {
        case .set(_, let document, _): document.text
        case .merge(_, _, let patch, _): String(decoding: patch, as: UTF8.self)
        default: "another"
        }
    }
}
