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
