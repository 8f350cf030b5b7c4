import Freshet
import FreshetTestSupport
import Testing

/// Watches of types that have a remote.
@Suite("Watches behind which a remote stands", .timeLimit(.minutes(1)))
struct QueryWatchTests {
    /// A server of entities `todo` of `remote`, which gives new ones ids of its own.
    private func server(of remote: ScriptedServer) throws -> EntityServer {
        try EntityServer(
            .memory(
                json: #"""
                    {"upstreams": {"away": {"base": "\#(remote.base)"}},
                     "types": {"todo": {"remote": {"upstream": "away",
                       "get": {"path": "/todo/{id}"},
                       "create": {"method": "POST", "path": "/todo"},
                       "update": {"method": "PUT", "path": "/todo/{id}"}}}}}
                    """#))
    }

    @Test("A watch of an id goes on with the one that the remote gives the entity")
    func renamed() async throws {
        let remote = ScriptedServer { exchange in
            switch (exchange.request.method, exchange.request.target) {
            case ("POST", _): exchange.answer(201, #"{"id":"r1","n":1}"#)
            case ("GET", "/todo/r1"): exchange.answer(200, #"{"id":"r1","n":1}"#)
            default: exchange.answer(404)
            }
            return .keep
        }
        let server = try server(of: remote)
        defer { server.stop() }
        defer { remote.stop() }
        var query = EntityQuery("todo")
        query.ids = ["tmp"]
        var snapshots = server.entities.watch(query).makeAsyncIterator()
        #expect(try await snapshots.next()?.entities.isEmpty == true)
        try await server.entities.set(
            "todo", "tmp", json: Array(#"{"n":1}"#.utf8), context: .remote)
        var seen: [String]? = []
        while seen == [] { seen = try await snapshots.next()?.entities.map(\.id) }
        #expect(seen == ["r1"])
    }

    /// Tells that it was begun.
    private struct Telling: OperationController {
        let told: Told<String>

        func control(with controls: OperationControls) throws -> RunSubscription {
            told.add(controls.operation)
            return .none
        }
    }

    @Test("A watch that waits counts for an operation that is named behind its first answer")
    func named() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let (answers, told) = (Told<Int>(), Told<String>())
        let watch = server.entities.watch(EntityQuery("note"))
        let reading = Task {
            for try await snapshot in watch { answers.add(snapshot.entities.count) }
        }
        await answers.count(1)
        let driven = try server.drive(
            "notes", EntityQuery("note"), by: Telling(told: told),
            while: .subscribers(atLeast: 1))
        await told.when { $0 == ["notes"] }
        driven.cancel()
        reading.cancel()
    }
}
