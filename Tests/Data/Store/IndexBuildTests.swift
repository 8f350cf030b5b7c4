import Dispatch
import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// Declares indexes as a test says.
private final class IndexRules: EntityRules {
    private let declared: [IndexDefinition]

    init(_ declared: [IndexDefinition]) { self.declared = declared }

    func needsStored(_ type: TypeName) -> Bool { false }

    func complete(
        _ type: TypeName, _ document: Document, replacing: Document?
    ) throws(EntityFaults) -> Document { document }

    func indexes(of type: TypeName) -> [IndexDefinition] {
        type.text == "tasks" ? declared : []
    }
}

@Suite struct IndexBuildTests {
    private static let type = Make.type("tasks")

    private static func definition(_ name: String) throws -> IndexDefinition {
        try #require(IndexDefinition([OrderKey(path: PropertyPath([name]))]))
    }

    private static func write(
        _ count: Int, to store: any EntityStore, from random: inout SystemRandomNumberGenerator
    ) throws {
        for _ in 0..<count {
            let id = Int.random(in: 0..<300, using: &random)
            if Int.random(in: 0..<4, using: &random) == 0 {
                _ = store.submitted(try Make.remove("tasks", "\(id)"))
            } else {
                let value = Int.random(in: 0..<50, using: &random)
                _ = store.submitted(
                    try Make.set("tasks", "{\"id\":\(id),\"a\":\(value),\"b\":[\(value),1]}"))
            }
        }
    }

    /// One commit of several changes.
    private static func writeTogether(
        to store: any EntityStore, from random: inout SystemRandomNumberGenerator
    ) throws {
        let operations = try (0..<Int.random(in: 2...9, using: &random)).map { _ in
            let id = Int.random(in: 0..<300, using: &random)
            let value = Int.random(in: 0..<50, using: &random)
            return try Make.set("tasks", "{\"id\":\(id),\"a\":\(value),\"b\":[\(value),1]}")
        }
        _ = store.submitted(try #require(Transaction(operations: operations)))
    }

    /// Whether every index has exactly the documents of the table, in its order.
    private static func check(_ store: any EntityStore, indexes: [String]) throws {
        let view = try #require(store.view(type))
        #expect(view.indexes.map(\.definition.description).sorted() == indexes.sorted())
        for index in view.indexes {
            let path = index.definition.keys[0].path
            var expected: [String] = []
            view.forEach { expected.append($0.text) }
            var cursor = index.view.cursor(in: 0..<index.view.count)
            var found: [Document] = []
            while true {
                let run = cursor.nextRun(limit: 50)
                if run.isEmpty { break }
                found += run
            }
            #expect(found.map(\.text).sorted() == expected.sorted())
            for (left, right) in zip(found, found.dropFirst()) {
                let order = ValueOrder.compare(left.view(at: path), right.view(at: path))
                #expect(order < 0 || order == 0 && left.id < right.id)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func declaredIndexesFollowEveryCommit(_ kind: StoreKind) throws {
        let store = try kind.make(rules: IndexRules([Self.definition("a"), Self.definition("b")]))
        var random = SystemRandomNumberGenerator()
        try Self.write(500, to: store, from: &random)
        // One commit past the size that is applied to copies.
        let operations = try (0..<EntityTables.largeCommit + 10).map {
            try Make.set("tasks", "{\"id\":\($0),\"a\":\($0 % 7)}")
        }
        _ = store.submitted(try #require(Transaction(operations: operations)))
        try Self.write(500, to: store, from: &random)
        try Self.check(store, indexes: ["a", "b"])
        store.close()
    }

    @Test func indexesAreThereAfterARestart() throws {
        let files = SimulatedFileSystem(seed: 5)
        let rules = IndexRules([try Self.definition("a")])
        let log = Log(level: .error, descriptor: -1)
        var random = SystemRandomNumberGenerator()
        let first = try FileStore.open(Simulated.options(), files: files, log: log)
        try Self.write(300, to: first, from: &random)
        #expect(first.view(Self.type)?.indexes.isEmpty == true)
        first.close()
        let second = try FileStore.open(Simulated.options(), files: files, rules: rules, log: log)
        try Self.check(second, indexes: ["a"])
        try Self.write(300, to: second, from: &random)
        try Self.check(second, indexes: ["a"])
        second.close()
    }

    @Test(arguments: [StoreKind.memory, .threaded])
    func anIndexIsBuiltWhileOthersWrite(_ kind: StoreKind) async throws {
        let store = try kind.make()
        var random = SystemRandomNumberGenerator()
        try Self.write(400, to: store, from: &random)
        let definitions = [try Self.definition("a"), try Self.definition("b")]
        let writers = DispatchGroup()
        for number in 0..<2 {
            DispatchQueue(label: "writer \(number)").async(group: writers) {
                var random = SystemRandomNumberGenerator()
                do {
                    for _ in 0..<100 {
                        try Self.write(20, to: store, from: &random)
                        try Self.writeTogether(to: store, from: &random)
                        // A lock that its holder takes again at once leaves others little.
                        sched_yield()
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "builder").async(group: writers) {
                for _ in 0..<3 {
                    store.declareIndexes(definitions, of: Self.type)
                    store.declareIndexes([definitions[1]], of: Self.type)
                }
                store.declareIndexes(definitions, of: Self.type)
            }
            writers.notify(queue: .global()) { continuation.resume() }
        }
        try Self.check(store, indexes: ["a", "b"])
        #expect(store.indexStatus(Self.type).map(\.isReady) == [true, true])
        store.close()
    }

    /// As every commit that comes from another server.
    @Test(arguments: [1, 2, EntityTables.largeCommit + 1])
    func aBuildHearsOfAllChangesOfACommit(count: Int) throws {
        let tables = EntityTables(cursor: Cursor(epoch: .random(), seq: 0))
        let slot = tables.slot(of: Self.type)
        for id in 0..<10 {
            let document = try Make.document("{\"id\":\(id),\"a\":\(id)}")
            tables.apply(slot, old: nil, new: document, seq: UInt64(id + 1))
        }
        let build = try #require(
            tables.declareIndexes([try Self.definition("a")], Self.type).first)
        build.rebuild()
        let changes = try (5..<5 + count).map { id in
            let document = try Make.document("{\"id\":\(id),\"a\":\(1_000 + id)}")
            return Change(
                seq: 100, type: Self.type, old: tables.current(slot, document.id), new: document)
        }
        tables.apply(changes[...], Array(repeating: slot, count: count)[...], seq: 100)
        while true {
            let drain = tables.drain(build)
            if case .finished = drain { break }
            guard case .more(let late) = drain else {
                Issue.record("it begins anew")
                return
            }
            for change in late { build.index?.change(old: change.old, new: change.new) }
        }
        let view = try #require(tables.view(Self.type))
        let index = try #require(view.indexes.first).view
        #expect(index.count == view.count)
        for rank in 0..<index.count {
            let document = try #require(index.document(at: rank))
            let stored = try #require(view.document(document.id))
            #expect(stored === document)
        }
    }

    @Test func aBuildThatFallsTooFarBehindBeginsAnew() throws {
        let tables = EntityTables(cursor: Cursor(epoch: .random(), seq: 0))
        let slot = tables.slot(of: Self.type)
        func set(_ id: Int, _ value: Int, seq: UInt64) throws {
            let document = try Make.document("{\"id\":\(id),\"a\":\(value)}")
            let old = tables.current(slot, document.id)
            tables.apply(slot, old: old, new: document, seq: seq)
        }
        for id in 0..<100 { try set(id, id, seq: UInt64(id + 1)) }
        let definition = try Self.definition("a")
        let build = try #require(tables.declareIndexes([definition], Self.type).first)
        #expect(tables.indexStatus(Self.type).map(\.isReady) == [false])
        #expect(tables.view(Self.type)?.indexes.isEmpty == true)
        let change = try Make.document("{\"id\":1}")
        for _ in 0...IndexBuild.pendingLimit { build.note(old: change, new: change) }
        try set(3, 500, seq: 200)
        guard case .overrun = tables.drain(build) else {
            Issue.record("it did not begin anew")
            return
        }
        build.rebuild()
        try set(4, 600, seq: 201)
        guard case .finished = tables.drain(build) else {
            Issue.record("it did not finish")
            return
        }
        let index = try #require(tables.view(Self.type)?.indexes.first)
        #expect(index.view.document(at: 99)?.id == EntityID(4))
        #expect(index.view.document(at: 98)?.id == EntityID(3))
    }

    @Test func aBuildThatIsNotWantedAnyMoreEnds() throws {
        let tables = EntityTables(cursor: Cursor(epoch: .random(), seq: 0))
        let slot = tables.slot(of: Self.type)
        tables.apply(slot, old: nil, new: try Make.document("{\"id\":1}"), seq: 1)
        let definition = try Self.definition("a")
        let build = try #require(tables.declareIndexes([definition], Self.type).first)
        #expect(tables.declareIndexes([], Self.type).isEmpty)
        guard case .finished = tables.drain(build) else {
            Issue.record("it goes on")
            return
        }
        #expect(tables.indexStatus(Self.type).isEmpty)
    }
}
