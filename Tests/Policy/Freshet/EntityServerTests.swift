import Foundation
import Freshet
import Testing

@Suite("A server inside of a program")
struct EntityServerTests {
    private struct Task: Codable, Equatable {
        var id: String?
        var title: String
        var priority = 0
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("Entities are set, got, searched, patched and removed without HTTP")
    func entities() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let entities = server.entities
        let first = try await entities.set("task", "1", Task(title: "a", priority: 2))
        #expect(first.created && first.changed)
        #expect(first.entity?.revision == 1)
        let made = try await entities.set("task", Task(title: "b", priority: 5))
        #expect(made.entity?.id.isEmpty == false)
        let got = try #require(try await entities.get("task", "1"))
        #expect(try got.decode(Task.self) == Task(id: "1", title: "a", priority: 2))
        #expect(try await entities.get("task", "nobody") == nil)

        var query = EntityQuery("task", where: "priority > 1", order: "-priority", limit: 1)
        query.counts = true
        let page = try await entities.search(query)
        #expect(try page.decode(Task.self).map(\.title) == ["b"])
        #expect(page.total == 2)
        #expect(page.hasMore)
        #expect(page.source.place == .local)
        var figures = EntityQuery("task")
        figures.aggregate = "sum(priority)"
        let sums = try await entities.search(figures)
        #expect(String(decoding: sums.json, as: UTF8.self).contains("7"))
        #expect(sums.entities.isEmpty)

        let patched = try await entities.patch("task", "1", json: bytes(#"{"priority":9}"#))
        #expect(try patched.entity?.decode(Task.self).priority == 9)
        let removed = try await entities.remove("task", "1")
        #expect(removed.changed && removed.entity == nil)
        #expect(try await entities.get("task", "1") == nil)
    }

    @Test("What is refused is told as the problem that the REST interface would answer with")
    func problems() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let entities = server.entities
        try await entities.set("task", "1", json: bytes(#"{"title":"a"}"#))
        await #expect {
            try await entities.set("task", "1", json: bytes("{}"), if: .isAbsent)
        } throws: { ($0 as? EntityProblem)?.code == "precondition-failed" }
        await #expect {
            try await entities.set("task", "1", json: bytes("{}"), if: .hasRevision(7))
        } throws: { ($0 as? EntityProblem)?.status == 412 }
        await #expect {
            try await entities.search(EntityQuery("task", where: "a =="))
        } throws: { error in
            let problem = error as? EntityProblem
            return problem?.code == "bad-filter" && problem?.faults.first?.parameter == "filter"
        }
        await #expect {
            try await entities.get("task", "1", context: .remote)
        } throws: { ($0 as? EntityProblem)?.status == 400 }
        await #expect {
            try await entities.set("task", "1", json: bytes("[]"))
        } throws: { ($0 as? EntityProblem)?.code == "invalid-entity" }
        await #expect {
            try await entities.remove("no type", "1")
        } throws: { ($0 as? EntityProblem)?.code == "bad-parameter" }
        #expect {
            try EntityServer(.memory(json: #"{"limits":{"searchLimit":"many"}}"#))
        } throws: {
            ($0 as? EntityServer.StartError)?.faults.first?.contains("searchLimit") == true
        }
    }

    @Test("A watch begins with the answer and follows it")
    func watch() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let entities = server.entities
        try await entities.set("task", "1", Task(title: "a"))
        var snapshots = entities.watch(EntityQuery("task", order: "title")).makeAsyncIterator()
        #expect(try await snapshots.next()?.entities.map(\.id) == ["1"])
        try await entities.set("task", "0", Task(title: "0"))
        var seen: [String]?
        while seen != ["0", "1"] { seen = try await snapshots.next()?.entities.map(\.id) }
        var bad = entities.watch(EntityQuery("task", where: "(")).makeAsyncIterator()
        await #expect(throws: EntityProblem.self) { try await bad.next() }
    }

    @Test("Entities of watches and agents have the revisions that reads have")
    func revisions() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let entities = server.entities
        for number in 0..<3 {
            try await entities.set("task", "1", Task(title: "a\(number)"))
            try await entities.set("task", "2", Task(title: "b\(number)", priority: number))
        }
        var query = EntityQuery("task", order: "title")
        for fields in [nil, ["title"]] {
            query.fields = fields
            let shown = try await entities.search(query).entities
            #expect(shown.count == 2 && shown.allSatisfy { $0.revision > 0 })
            var snapshots = entities.watch(query).makeAsyncIterator()
            #expect(try await snapshots.next()?.entities == shown)
        }
        query.fields = nil
        let rows = Told<[UInt64]>()
        let agent = StreamAgent(
            entities.events, query: query, initial: EntityRows(type: "task"),
            reduce: EntityRows.reduce)
        let observer = agent.observe { rows.add($0.value.entities.map(\.revision)) }
        agent.start()
        let before = try await entities.search(query).entities.map(\.revision)
        await rows.when { $0.last == before }
        var snapshots = entities.watch(query).makeAsyncIterator()
        let watched = try #require(try await snapshots.next()?.entities.first)
        let written = try await entities.set(
            "task", "1", Task(title: "c"), if: .hasRevision(watched.revision))
        let now = try #require(written.entity?.revision)
        await rows.when { $0.last == [before[1], now] }
        #expect(agent.state.value["1"]?.revision == now)
        let got = try await entities.get("task", "1")
        #expect(agent.state.value["1"] == got)
        try await entities.remove("task", "1")
        await rows.when { $0.last == [before[1]] }
        await #expect {
            try await entities.set(
                "task", "2", Task(title: "d"), if: .hasRevision(now))
        } throws: { ($0 as? EntityProblem)?.status == 412 }
        observer.cancel()
    }

    @Test("What a program asks `_meta` of it gets, and no other")
    func meta() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        try await server.entities.set("task", "1", Task(title: "a"))
        var query = EntityQuery("task")
        for hasMeta in [false, true] {
            query.hasMeta = hasMeta
            var snapshots = server.entities.watch(query).makeAsyncIterator()
            let entity = try #require(try await snapshots.next()?.entities.first)
            #expect(entity.text.contains("_meta") == hasMeta)
            #expect(entity.revision == 1)
        }
        query.hasMeta = false
        query.aggregate = "count"
        var figures = server.entities.watch(query).makeAsyncIterator()
        #expect(try await figures.next()?.events.first?.text.contains("aggregates") == true)
    }

    @Test("A problem has what its hint speaks of")
    func members() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let entities = server.entities
        try await entities.set("task", "1", json: bytes(#"{"title":"a"}"#))
        await #expect {
            try await entities.set("task", "1", json: bytes("{}"), if: .hasRevision(7))
        } throws: { error in
            let problem = error as? EntityProblem
            let current = problem?.current.map { String(decoding: $0, as: UTF8.self) }
            return current?.contains(#""title":"a""#) == true && problem?.outcome == nil
        }
        await #expect {
            try await entities.set("task", "2", json: bytes("{}"), if: .isPresent)
        } throws: { error in
            let problem = error as? EntityProblem
            return problem?.members["current"] != nil && problem?.current == nil
        }
        await #expect {
            try await entities.search(EntityQuery("task", where: "title =="))
        } throws: { error in
            let fault = (error as? EntityProblem)?.faults.first
            return fault?.offset == 8 && fault?.code == "bad-filter"
        }
        server.stop()
        await #expect {
            try await entities.set("task", "3", json: bytes("{}"))
        } throws: { ($0 as? EntityProblem)?.outcome == "not-applied" }
    }

    /// A specification that is larger than one may be.
    private var tooLarge: SpecExpression {
        (0...SpecExpression.mostNodes).reduce(.constant(true)) { $0 && .condition("c\($1)") }
    }

    @Test("A run specification that is too large is refused by name, and a long chain is not")
    func largeSpecifications() async throws {
        let json = #"{"conditions": {"on": {"initial": true}}}"#
        let server = try EntityServer(.memory(json: json))
        defer { server.stop() }
        #expect {
            try server.drive(
                "large", EntityQuery("note"), by: PollingController(every: .seconds(60)),
                while: tooLarge)
        } throws: { ($0 as? EntityProblem)?.code == "invalid-spec" }
        let chain = (0..<100).reduce(SpecExpression.constant(true)) { chain, _ in
            chain && .condition("on")
        }
        let started = Told<Bool>()
        let driven = try server.drive(
            "chain", EntityQuery("note"),
            by: TellingController(told: started), while: chain)
        await started.count(1)
        driven.cancel()
        let extensions = EntityServer.Extensions()
        extensions.specifications.register("large", tooLarge)
        #expect {
            try EntityServer(.memory(), extensions)
        } throws: {
            ($0 as? EntityServer.StartError)?.faults.first?.contains("'large'") == true
        }
    }

    /// Tells that it was begun.
    private struct TellingController: OperationController {
        let told: Told<Bool>
        var polls: Duration?

        func control(with controls: OperationControls) throws -> RunSubscription {
            defer { told.add(true) }
            return try polls.map { try PollingController(every: $0).control(with: controls) }
                ?? .none
        }
    }

    @Test("An operation that is driven anew while its last controller goes is there")
    func drivenAnew() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let polling = PollingController(every: .seconds(60))
        let ended = Told<Int>()
        for round in 1...50 {
            let first = try server.drive("notes", EntityQuery("note"), by: polling)
            Thread.detachNewThread {
                first.cancel()
                ended.add(round)
            }
            let second = try server.drive("notes", EntityQuery("note"), by: polling)
            await ended.count(round)
            // Found by its name alone, where it is there.
            let third = try server.drive("notes", by: polling)
            second.cancel()
            third.cancel()
            #expect(throws: EntityProblem.self) { try server.drive("notes", by: polling) }
        }
    }

    @Test("A controller may poll once in an eternity")
    func endlessPause() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let started = Told<Bool>()
        for span in [Duration.seconds(Int64.max), .seconds(1e20), .seconds(-1)] {
            let count = started.all.count
            let driven = try server.drive(
                "polled", EntityQuery("note"), by: TellingController(told: started, polls: span))
            await started.count(count + 1)
            driven.cancel()
        }
    }

    @Test("A handler is told of every change of its type, in order")
    func handlers() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let told = Told<String>()
        let handler = server.onChange(of: "task") { change in
            switch change {
            case .created(let entity): told.add("created \(entity.id)")
            case .changed(let entity, let old):
                told.add("changed \(entity.id) \(old.revision) \(entity.revision)")
            case .removed(let entity): told.add("removed \(entity.id)")
            case .missed(let count): told.add("missed \(count)")
            }
        }
        try await server.entities.set("task", "1", Task(title: "a"))
        try await server.entities.set("note", "1", Task(title: "n"))
        try await server.entities.set("task", "1", Task(title: "b"))
        try await server.entities.remove("task", "1")
        await told.count(3)
        #expect(told.all.map { $0.prefix(9) } == ["created 1", "changed 1", "removed 1"])
        handler.cancel()
        try await server.entities.set("task", "2", Task(title: "c"))
        #expect(told.all.count == 3)
    }

    @Test("The configuration knows the program's specifications, on the board of the server")
    func aSpecificationOfTheProgram() throws {
        let json = #"""
            {"conditions": {"open": {"initial": true}},
             "specs": {"may": {"and": [{"spec": "trading"}, {"condition": "open"}]}}}
            """#
        #expect(throws: EntityServer.StartError.self) { try EntityServer(.memory(json: json)) }
        let trading = Switch()
        let extensions = EntityServer.Extensions()
        extensions.specifications.register("trading", trading)
        let server = try EntityServer(.memory(json: json), extensions)
        defer { server.stop() }
        #expect(!server.board.evaluate(.spec("may")).isSatisfied)
        trading.set(true)
        #expect(server.board.evaluate(.spec("may")).isSatisfied)
    }
}
