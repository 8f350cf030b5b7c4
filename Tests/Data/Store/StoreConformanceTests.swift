import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import Testing

@testable import FreshetStore

/// The stores that must behave alike.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, stepped, threaded

    var testDescription: String { rawValue }

    func make(
        rules: (any EntityRules)? = nil, observer: (any CommitObserver)? = nil,
        maximumEntities: Int = .max
    ) throws -> any EntityStore {
        switch self {
        case .memory:
            return MemoryStore(
                rules: rules, observer: observer, maximumEntities: maximumEntities)
        case .stepped, .threaded:
            var options = Simulated.options()
            options.isStepped = self == .stepped
            options.maximumEntities = maximumEntities
            return try FileStore.open(
                options, files: SimulatedFileSystem(seed: 1), rules: rules, observer: observer,
                log: Log(level: .error, descriptor: -1))
        }
    }
}

/// Fills in a default, keeps a lazy member, refuses `bad`.
private final class TestRules: EntityRules {
    func needsStored(_ type: TypeName) -> Bool { type.text == "lazy" }

    func complete(
        _ type: TypeName, _ document: Document, replacing: Document?
    ) throws(EntityFaults) -> Document {
        if document.member(named: "bad") != nil {
            throw EntityFaults([ValueFault(pointer: "/bad", code: "bad", detail: "is bad")])
        }
        guard let kept = replacing?.member(named: "body"), document.member(named: "body") == nil
        else { return document }
        let json =
            document.text.dropLast() + ",\"body\":" + String(decoding: kept.bytes, as: UTF8.self)
            + "}"
        do {
            return try Make.document(String(json))
        } catch {
            throw EntityFaults([ValueFault(pointer: "", code: "json", detail: "\(error)")])
        }
    }
}

/// Notes whether an entity was there before.
private final class NoteTaker: CommitCompanion {
    private let type: TypeName

    init(_ type: TypeName) { self.type = type }

    func companions(of changes: ArraySlice<Change>) -> [(type: TypeName, document: Document)] {
        changes.compactMap { change in
            guard let id = (change.old ?? change.new)?.id else { return nil }
            return try? (type, Make.document("{\"id\":\"\(id)\",\"had\":\(change.old != nil)}"))
        }
    }
}

/// Keeps how many entities each transaction has changed, and takes the entity before away.
private final class ResultKeeper: CommitRecorder {
    static let type = TypeName.internal("results")
    let number: Int
    let basis: RecordBasis?

    init(_ number: Int, basis: RecordBasis? = nil) {
        self.number = number
        self.basis = basis
    }

    func records(of transaction: Transaction, _ results: RecordedResults) -> [RecordWrite] {
        var writes: [RecordWrite] = []
        let text = "{\"id\":\(number),\"changed\":\(results.changed),\"seq\":\(results.seq)}"
        if let document = try? Make.document(text) { writes.append(.set(Self.type, document)) }
        writes.append(.remove(Self.type, EntityID(Int64(number - 1))))
        return writes
    }
}

@Suite struct StoreConformanceTests {
    @Test(arguments: StoreKind.allCases)
    func aSetEntityIsFoundWithItsRevision(_ kind: StoreKind) throws {
        let store = try kind.make()
        let outcome = store.submitted(try Make.set("tasks", #"{"id":"a","n":1.50}"#))
        let receipt = try #require(outcome.receipt)
        #expect(receipt.cursor.seq == 1 && receipt.changed && receipt.first.created)
        let found = try #require(store.document(Make.type("tasks"), try Make.id("a")))
        #expect(found.text == #"{"id":"a","n":1.50}"#)
        #expect(found.revision == 1)
        #expect(store.document(Make.type("tasks"), try Make.id("b")) == nil)
        #expect(store.document(Make.type("other"), try Make.id("a")) == nil)
        #expect(store.view(Make.type("other")) == nil)
        store.checkConsistency()
        store.close()
        #expect(store.submitted(try Make.set("tasks", #"{"id":1}"#)).name == "closed")
        #expect(store.document(Make.type("tasks"), try Make.id("a")) != nil)
    }

    @Test(arguments: StoreKind.allCases)
    func aCompanionIsWrittenInTheCommitThatItAccompaniesAndInNoOther(_ kind: StoreKind) throws {
        let recorder = Recorder()
        let store = try kind.make(observer: recorder)
        let notes = TypeName.internal("notes")
        func submit(_ operation: WriteOperation) -> WriteReceipt? {
            var transaction = Transaction(operation)
            transaction.companion = NoteTaker(notes)
            return store.submitted(transaction).receipt
        }
        #expect(submit(try Make.set("tasks", #"{"id":"a","n":1}"#))?.cursor.seq == 1)
        #expect(recorder.changes.map(\.type.text) == ["tasks", "_notes"])
        #expect(recorder.changes.map(\.seq) == [1, 1])
        #expect(store.document(notes, try Make.id("a"))?.text == #"{"id":"a","had":false}"#)
        #expect(submit(try Make.set("tasks", #"{"id":"a","n":1}"#))?.changed == false)
        #expect(submit(try Make.set("tasks", #"{"id":"a"}"#, .absent)) == nil, "it exists")
        #expect(store.document(notes, try Make.id("a"))?.revision == 1)
        #expect(submit(try Make.remove("tasks", "a"))?.cursor.seq == 2)
        #expect(store.document(notes, try Make.id("a"))?.text == #"{"id":"a","had":true}"#)
        store.checkConsistency()
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aRecorderWritesInEveryAcceptedTransactionAlsoWhereNothingChanges(
        _ kind: StoreKind
    ) throws {
        let recorder = Recorder()
        let store = try kind.make(observer: recorder)
        func submit(_ number: Int, _ operation: WriteOperation) -> WriteReceipt? {
            var transaction = Transaction(operation)
            transaction.recorder = ResultKeeper(number)
            return store.submitted(transaction).receipt
        }
        func kept(_ number: Int) -> String? {
            store.document(ResultKeeper.type, EntityID(Int64(number)))?.text
        }
        let made = submit(1, try Make.set("tasks", #"{"id":"a","n":1}"#))
        #expect(made?.cursor.seq == 1 && made?.changed == true && made?.first.created == true)
        #expect(recorder.changes.map(\.type.text) == ["tasks", "_results"])
        #expect(kept(1) == #"{"id":1,"changed":true,"seq":1}"#)
        let idle = submit(2, try Make.set("tasks", #"{"id":"a","n":1}"#))
        #expect(idle?.changed == false && idle?.cursor.seq == 2 && idle?.first.revision == 1)
        #expect(store.document(Make.type("tasks"), try Make.id("a"))?.revision == 1)
        #expect(kept(2) == #"{"id":2,"changed":false,"seq":2}"# && kept(1) == nil)
        #expect(submit(3, try Make.set("tasks", #"{"id":"a"}"#, .absent)) == nil, "it exists")
        #expect(kept(3) == nil && store.seq == 2)
        let gone = submit(3, try Make.remove("nothing", "a"))
        #expect(gone?.changed == false && kept(3) != nil && kept(2) == nil)
        #expect(store.view(Make.type("nothing")) == nil, "nothing was written to it")
        store.checkConsistency()
        store.close()
    }

    /// A first try whose outcome was not known may have been done when the second comes to its commit.
    @Test(arguments: StoreKind.allCases)
    func whatWasRecordedMeanwhileIsNotDoneTwice(_ kind: StoreKind) throws {
        let store = try kind.make()
        func submit(behind revision: UInt64, _ json: String) throws -> WriteOutcome {
            var transaction = Transaction(try Make.set("tasks", json))
            transaction.recorder = ResultKeeper(
                7,
                basis: RecordBasis(
                    types: [TypeName.internal("never"), ResultKeeper.type], id: EntityID(7),
                    revision: revision))
            return store.submitted(transaction)
        }
        #expect(try submit(behind: 0, #"{"id":"a"}"#).receipt?.cursor.seq == 1)
        #expect(try submit(behind: 0, #"{"id":"b"}"#).name == "repeated@0")
        #expect(store.document(Make.type("tasks"), try Make.id("b")) == nil && store.seq == 1)
        #expect(try submit(behind: 1, #"{"id":"b"}"#).receipt?.cursor.seq == 2)
        store.checkConsistency()
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func noMoreEntitiesAreStoredThanTheLimitAllows(_ kind: StoreKind) throws {
        let store = try kind.make(maximumEntities: 2)
        _ = store.submitted(try Make.set("t", #"{"id":1}"#))
        let own = try Make.document(#"{"id":"r"}"#)
        #expect(
            store.submitted(.set(TypeName.internal("own"), own, .none)).name == "changed",
            "the service's own records take nobody's place")
        #expect(
            store.submitted(
                try Make.set("t", #"{"id":2}"#), try Make.set("u", #"{"id":3}"#)
            ).name == "too-many@1", "counted within a transaction, over all types")
        #expect(store.contents.count == 2, "all or nothing")
        _ = store.submitted(try Make.set("u", #"{"id":2}"#))
        #expect(store.submitted(try Make.set("t", #"{"id":3}"#)).name == "too-many@0")
        #expect(
            store.submitted(try Make.set("t", #"{"id":3}"#, .ifMatchAny)).name
                == "precondition-failed@0", "the condition is judged first")
        #expect(store.submitted(try Make.set("t", #"{"id":1,"n":1}"#)).name == "changed")
        #expect(
            store.submitted(
                try Make.remove("t", "1"), try Make.set("t", #"{"id":3}"#)
            ).name == "changed")
        _ = store.submitted(try Make.remove("u", "2"))
        #expect(store.submitted(try Make.set("t", #"{"id":4}"#)).name == "changed")
        #expect(store.contents.keys.sorted() == ["_own/r", "t/3", "t/4"])
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aWriteThatChangesNothingIsNoCommit(_ kind: StoreKind) throws {
        let store = try kind.make()
        _ = store.submitted(try Make.set("t", #"{"id":1,"n":1}"#))
        let outcome = store.submitted(try Make.set("t", #"{"n":1.0,"id":"1"}"#))
        let receipt = try #require(outcome.receipt)
        #expect(!receipt.changed && receipt.cursor.seq == 1 && receipt.first.revision == 1)
        #expect(receipt.first.document?.text == #"{"id":1,"n":1}"#)
        #expect(store.submitted(try Make.remove("t", "2")).name == "unchanged")
        #expect(store.submitted(try Make.remove("nothing", "2")).name == "unchanged")
        #expect(store.seq == 1)
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func conditionsAreJudgedAgainstWhatIsStored(_ kind: StoreKind) throws {
        let store = try kind.make()
        _ = store.submitted(try Make.set("t", #"{"id":"a","n":1}"#))
        let cases: [(WriteCondition, String, stored: String, absent: String)] = [
            (.absent, "absent", "exists@0", "changed"),
            (.ifNoneMatchAny, "none-match *", "precondition-failed@0", "changed"),
            (.ifMatchAny, "match *", "changed", "precondition-failed@0"),
            (.ifMatch([7, 1]), "match 1", "changed", "precondition-failed@0"),
            (.ifMatch([7]), "match 7", "precondition-failed@0", "precondition-failed@0"),
            (.ifNoneMatch([1]), "none-match 1", "precondition-failed@0", "changed"),
            (.ifNoneMatch([7]), "none-match 7", "changed", "changed"),
            (.stillMatches { _ in false }, "no match", "unchanged", "unchanged"),
        ]
        for (condition, name, stored, absent) in cases {
            let fresh = try kind.make()
            _ = fresh.submitted(try Make.set("t", #"{"id":"a","n":1}"#))
            let onStored = fresh.submitted(try Make.set("t", #"{"id":"a","n":2}"#, condition))
            #expect(onStored.name == stored, "\(name)")
            if case .rejected(_, .preconditionFailed(let current)) = onStored {
                #expect(current?.text == #"{"id":"a","n":1}"#)
            }
            #expect(
                fresh.submitted(try Make.set("t", #"{"id":"b"}"#, condition)).name == absent,
                "\(name)")
            fresh.close()
        }
        #expect(
            store.submitted(try Make.remove("t", "a", .ifMatch([2]))).name
                == "precondition-failed@0")
        #expect(store.submitted(try Make.remove("t", "a", .ifMatch([1]))).name == "changed")
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aMergePatchesWhatIsStored(_ kind: StoreKind) throws {
        let store = try kind.make()
        #expect(store.submitted(try Make.merge("t", "a", #"{"n":2}"#)).name == "not-found@0")
        _ = store.submitted(try Make.set("t", #"{"id":"a","n":1,"m":2}"#))
        #expect(store.submitted(try Make.merge("t", "x", #"{"n":2}"#)).name == "not-found@0")
        let outcome = store.submitted(try Make.merge("t", "a", #"{"n":3,"m":null}"#))
        #expect(outcome.receipt?.first.document?.text == #"{"id":"a","n":3}"#)
        #expect(store.submitted(try Make.merge("t", "a", #"{"n":3.0}"#)).name == "unchanged")
        #expect(store.submitted(try Make.merge("t", "a", #"{"id":"b"}"#)).name == "invalid@0")
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aTransactionIsWholeOrAbsentAndItsStepsSeeEachOther(_ kind: StoreKind) throws {
        let recorder = Recorder()
        let store = try kind.make(observer: recorder)
        let outcome = store.submitted(
            try Make.set("t", #"{"id":"a","n":1}"#), try Make.merge("t", "a", #"{"n":2}"#),
            try Make.set("u", #"{"id":"b"}"#, .absent), try Make.set("t", #"{"id":"gone"}"#),
            try Make.remove("t", "gone"))
        #expect(outcome.receipt?.cursor.seq == 1)
        #expect(outcome.receipt?.rest.map(\.changed) == [true, true, false, false])
        #expect(store.contents == ["t/a": #"{"id":"a","n":2}"#, "u/b": #"{"id":"b"}"#])
        #expect(recorder.changes.map { $0.new?.text } == [#"{"id":"a","n":2}"#, #"{"id":"b"}"#])
        #expect(recorder.changes.allSatisfy { $0.old == nil && $0.seq == 1 })
        let refused = store.submitted(
            try Make.set("t", #"{"id":"a","n":9}"#), try Make.remove("u", "b"),
            try Make.set("u", #"{"id":"b","n":1}"#), try Make.set("t", #"{"id":"a"}"#, .absent))
        #expect(refused.name == "exists@3")
        #expect(store.contents == ["t/a": #"{"id":"a","n":2}"#, "u/b": #"{"id":"b"}"#])
        #expect(store.seq == 1)
        let idle = store.submitted(try Make.set("t", #"{"id":"z"}"#), try Make.remove("t", "z"))
        #expect(idle.name == "unchanged" && store.seq == 1)
        let views = store.views()
        #expect(views.cursor == store.cursor && views.types.map(\.name.text) == ["t", "u"])
        store.checkConsistency()
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func whatATransactionTakesBackIsNoChange(_ kind: StoreKind) throws {
        let recorder = Recorder()
        let store = try kind.make(observer: recorder)
        _ = store.submitted(try Make.set("t", #"{"id":"a","n":1}"#))
        let undone = store.submitted(
            try Make.set("t", #"{"id":"a","n":2}"#), try Make.merge("t", "a", #"{"n":1}"#),
            try Make.set("new", #"{"id":"b"}"#), try Make.remove("new", "b"))
        #expect(undone.name == "unchanged" && store.seq == 1)
        #expect(undone.receipt?.first.revision == 1 && undone.receipt?.first.changed == false)
        #expect(undone.receipt?.rest.map(\.revision) == [1, 0, 0])
        #expect(undone.receipt?.rest.contains { $0.changed || $0.created } == false)
        #expect(store.view(Make.type("new")) == nil && recorder.changes.count == 1)
        // Beside a change, and seen by what comes behind in the same transaction and after it.
        let mixed = store.submitted(
            try Make.set("t", #"{"id":"a","n":2}"#), try Make.set("t", #"{"id":"a","n":1.0}"#),
            try Make.set("t", #"{"id":"c"}"#), try Make.merge("t", "c", #"{"x":1}"#))
        #expect(mixed.receipt?.cursor.seq == 2)
        #expect(mixed.receipt?.rest.map(\.revision) == [1, 2, 2])
        #expect(
            recorder.changes.map { $0.new?.text } == [
                #"{"id":"a","n":1}"#, #"{"id":"c","x":1}"#,
            ])
        #expect(store.document(Make.type("t"), try Make.id("a"))?.revision == 1)
        let matching = store.submitted(try Make.set("t", #"{"id":"a","n":3}"#, .ifMatch([1])))
        #expect(matching.name == "changed")
        store.checkConsistency()
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func theSameAgainInOneTransactionHasTheCommitsRevision(_ kind: StoreKind) throws {
        let store = try kind.make()
        let outcome = store.submitted(
            try Make.set("t", #"{"id":"a"}"#), try Make.set("t", #"{"id":"a"}"#))
        #expect(outcome.receipt?.first.revision == 1)
        #expect(outcome.receipt?.rest.map(\.revision) == [1])
        #expect(outcome.receipt?.rest.map(\.changed) == [false])
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func rulesCompleteAndRefuse(_ kind: StoreKind) throws {
        let store = try kind.make(rules: TestRules())
        _ = store.submitted(try Make.set("lazy", #"{"id":"a","body":"text"}"#))
        _ = store.submitted(try Make.set("lazy", #"{"id":"a","n":1}"#))
        #expect(store.contents == ["lazy/a": #"{"id":"a","n":1,"body":"text"}"#])
        let outcome = store.submitted(try Make.merge("lazy", "a", #"{"bad":1}"#))
        #expect(outcome.name == "invalid@0")
        // Sets of types that do not depend on what is stored were judged by the caller.
        #expect(store.submitted(try Make.set("t", #"{"id":"a","bad":1}"#)).name == "changed")
        store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func aDocumentThatWasStoredBeforeCanBeSetAgain(_ kind: StoreKind) throws {
        let store = try kind.make()
        let document = try Make.document(#"{"id":"a","n":1}"#)
        _ = store.submitted(.set(Make.type("t"), document, .none))
        _ = store.submitted(try Make.set("t", #"{"id":"a","n":2}"#))
        let again = store.submitted(.set(Make.type("t"), document, .none))
        #expect(again.receipt?.first.revision == 3)
        #expect(store.document(Make.type("t"), try Make.id("a"))?.revision == 3)
        #expect(document.revision == 1)
        store.close()
    }

    @Test(arguments: StoreKind.allCases, [1, 2, 3])
    func randomTransactionsLeaveWhatAModelSays(_ kind: StoreKind, _ seed: UInt64) throws {
        print("seed \(seed)")
        var random = Seeded(seed)
        let recorder = Recorder()
        let store = try kind.make(observer: recorder)
        var model: [String: String] = [:]
        for _ in 0..<300 {
            let (transaction, after) = try RandomWrites.transaction(on: model, &random)
            let outcome = store.submitted(transaction)
            #expect(outcome.receipt != nil)
            #expect((outcome.receipt?.changed ?? false) == (model != after))
            model = after
        }
        #expect(store.contents == model)
        store.checkConsistency()
        var replayed: [String: String] = [:]
        var last: UInt64 = 0
        for change in recorder.changes {
            #expect(change.seq >= last)
            last = change.seq
            let image = try #require(change.new ?? change.old)
            let key = "\(change.type)/\(image.id)"
            #expect(replayed[key] == change.old?.text)
            replayed[key] = change.new?.text
        }
        #expect(replayed == model)
        store.close()
    }
}

/// Transactions and what they make of a model, keyed `type/id`.
enum RandomWrites {
    static func transaction(
        on model: [String: String], _ random: inout Seeded
    ) throws -> (Transaction, after: [String: String]) {
        var after = model
        var operations: [WriteOperation] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let type = ["a", "b"][Int.random(in: 0..<2, using: &random)]
            let id = "\(Int.random(in: 0..<20, using: &random))"
            if Int.random(in: 0..<4, using: &random) == 0 {
                operations.append(try Make.remove(type, id))
                after["\(type)/\(id)"] = nil
            } else {
                let value = Int.random(in: 0..<3, using: &random)
                let json = "{\"id\":\(id),\"n\":\(value)}"
                operations.append(try Make.set(type, json))
                after["\(type)/\(id)"] = json
            }
        }
        guard let transaction = Transaction(operations: operations) else {
            preconditionFailure("at least one operation")
        }
        // Changed and changed back within one transaction is a commit, which the model cannot
        // tell; such transactions are cut to their first operation.
        guard Set(operations.map(\.key)).count == operations.count else {
            return try single(operations[0], on: model)
        }
        return (transaction, after)
    }

    private static func single(
        _ operation: WriteOperation, on model: [String: String]
    ) throws -> (Transaction, after: [String: String]) {
        var after = model
        if case .set(_, let document, _) = operation {
            after[operation.key] = document.text
        } else {
            after[operation.key] = nil
        }
        return (Transaction(operation), after)
    }
}

extension WriteOperation {
    var key: String {
        switch self {
        case .set(let type, let document, _), .refresh(let type, let document, _):
            "\(type)/\(document.id)"
        case .merge(let type, let id, _, _), .remove(let type, let id, _),
            .retire(let type, let id, _):
            "\(type)/\(id)"
        }
    }
}
