import Foundation
import Freshet
import Testing

@Suite("Agents over a real server")
struct AgentServerTests {
    private struct Bad: Error {}

    private func set(_ server: EntityServer, _ id: String, _ json: String) async throws {
        try await server.entities.set("task", id, json: Array(json.utf8))
    }

    @Test("A snapshot agent follows a query over HTTP: update, fault, halt")
    func snapshots() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let client = try FreshetClient(url: server.url)
        let states = Told<String>()
        let agent = SnapshotAgent<LiveSnapshots, [String]>(client.snapshots)
        let observer = agent.observe {
            states.add("\($0.status.rawValue) \($0.value?.joined(separator: ",") ?? "-")")
        }
        agent.subscribe(EntityQuery("task", order: "n")) { snapshot in
            let ids = snapshot.entities.map(\.id)
            if ids.contains("bad") { return .fault(Bad()) }
            return ids.contains("end") ? .halt : .update(ids)
        }
        await states.when { $0.last == "success " }
        try await set(server, "a", #"{"n":2}"#)
        await states.when { $0.last == "success a" }
        try await set(server, "bad", #"{"n":1}"#)
        await states.when { $0.last == "failure a" }
        try await server.entities.remove("task", "bad")
        await states.when { $0.last == "success a" }
        try await set(server, "end", #"{"n":3}"#)
        await states.when { $0.last == "idle a" }
        #expect(agent.state.value == ["a"])
        observer.cancel()
    }

    @Test("A stream agent with the protocol's reducer holds the answer, and resumes it")
    func stream() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let client = try FreshetClient(url: server.url)
        let query = EntityQuery("task", order: "n", limit: 2)
        let agent = StreamAgent(
            client.changes, query: query, initial: EntityRows(type: "task"),
            reduce: EntityRows.reduce)
        let rows = Told<[String]>()
        let events = Told<String>()
        let observer = agent.observe { rows.add($0.value.entities.map(\.id)) }
        let sink = agent.sink { event, _ in events.add(event.name) }
        try await set(server, "b", #"{"n":2}"#)
        agent.start()
        await rows.when { $0.last == ["b"] }
        try await set(server, "a", #"{"n":1}"#)
        try await set(server, "c", #"{"n":3}"#)
        await rows.when { $0.last == ["a", "b"] }
        agent.stop()
        try await server.entities.remove("task", "a")
        agent.start()
        await rows.when { $0.last == ["b", "c"] }
        // Resumed where it was: what has happened meanwhile came as a delta.
        #expect(events.all.filter { $0 == "snapshot" }.count == 1)
        observer.cancel()
        sink.cancel()
    }

    @Test("A part of a snapshot changes nothing before the last has come")
    func parts() throws {
        var rows = EntityRows(type: "task")
        func apply(_ name: String, _ data: String) throws {
            let event = StreamEvent(name: name, data: data)
            guard case .update(let next) = EntityRows.reduce(rows, event) else {
                throw Bad()
            }
            rows = next
        }
        try apply("snapshot", #"{"v":3,"items":[{"id":7},{"id":"x"}],"part":0,"more":false}"#)
        try apply("snapshot", #"{"v":5,"items":[{"id":1}],"part":0,"more":true}"#)
        #expect(rows.entities.map(\.id) == ["7", "x"])
        // The connection was lost behind it, and the next one goes on from before.
        try apply("delta", #"{"from":3,"to":4,"remove":{"7":"deleted"},"place":[],"put":[]}"#)
        #expect(rows.entities.map(\.id) == ["x"])
        try apply("snapshot", #"{"v":6,"items":[{"id":1}],"part":0,"more":true}"#)
        try apply("snapshot", #"{"v":6,"items":[{"id":2}],"part":1,"more":false}"#)
        #expect(rows.entities.map(\.id) == ["1", "2"])
    }

    @Test("The same agents follow a server of this program without HTTP")
    func embedded() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let rows = Told<[String]>()
        let agent = StreamAgent(
            server.entities.events, query: EntityQuery("task", order: "n"),
            initial: EntityRows(type: "task"), reduce: EntityRows.reduce)
        let observer = agent.observe { rows.add($0.value.entities.map(\.id)) }
        agent.start()
        try await set(server, "b", #"{"n":2}"#)
        try await set(server, "a", #"{"n":1}"#)
        await rows.when { $0.last == ["a", "b"] }
        observer.cancel()
        let ids = Told<[String]>()
        let snapshots = SnapshotAgent<EmbeddedSnapshots, Int>(server.entities.snapshots)
        snapshots.subscribe(EntityQuery("task", where: "n > 1")) { snapshot in
            ids.add(snapshot.entities.map(\.id))
            return .update(snapshot.entities.count)
        }
        await ids.count(1)
        #expect(ids.all == [["b"]])
    }

    @Test("What the server refuses is a failure that says so; a server that stops says bye")
    func refusals() async throws {
        let server = try EntityServer(.memory())
        let client = try FreshetClient(url: server.url)
        let states = Told<String>()
        let agent = SnapshotAgent<LiveSnapshots, Int>(client.snapshots)
        let observer = agent.observe {
            states.add("\($0.status.rawValue) \(($0.error as? StreamFault)?.status ?? 0)")
        }
        agent.subscribe(EntityQuery("task", where: "a ==")) { .update($0.entities.count) }
        await states.when { $0.last == "failure 400" }
        agent.subscribe(EntityQuery("task")) { .update($0.entities.count) }
        await states.when { $0.last == "success 0" }
        // On a thread of its own: it waits for the end of the streams.
        let stopped = Thread { server.stop() }
        stopped.start()
        await states.when { $0.last?.hasPrefix("loading") == true }
        observer.cancel()
        #expect(throws: EntityProblem.self) { try FreshetClient(url: "no address") }
        #expect(throws: EntityProblem.self) { try FreshetClient(url: server.url, token: "a\nb") }
    }

    @Test("A query is the URL that a person would type")
    func path() {
        var query = EntityQuery("task", where: "a == 'ü b'", order: "-n", limit: 3)
        query.ids = ["1", "2"]
        query.context = .remoteOrLocal
        #expect(
            query.path(live: .delta)
                == "/v1/task?filter=a%20%3D%3D%20%27%C3%BC%20b%27&order=-n&limit=3&ids=1,2"
                + "&source=remoteOrLocal&live=delta")
        query = EntityQuery("task", context: .remote)
        query.context.endpoint = "mine"
        query.context.endpointParameters = ["a&b=c": "d&e"]
        #expect(
            query.path()
                == "/v1/task?source=remote&endpoint=mine&endpoint.a%26b%3Dc=d%26e")
    }
}
