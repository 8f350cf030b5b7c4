import Foundation
import Freshet
import Testing

@Suite("The article on agents")
struct AgentsArticle {
    private struct Game: Codable, Sendable {
        var name: String
    }

    @Test("Its code runs")
    func article() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        try await server.entities.set("game", "1", Game(name: "Go"))
        let shown = Told<AgentState<[Game]?>>()
        let log = Told<String>()

        let client = try FreshetClient(url: server.url)
        let games = SnapshotAgent<LiveSnapshots, [Game]>(client.snapshots)
        let observer = games.observe { state in shown.add(state) }
        games.subscribe(EntityQuery("game", order: "name")) { snapshot in
            do { return .update(try snapshot.decode(Game.self)) } catch { return .fault(error) }
        }
        await shown.when { $0.last?.value?.map(\.name) == ["Go"] }
        observer.cancel()

        let rows = StreamAgent(
            client.changes, query: EntityQuery("game", order: "name", limit: 50),
            initial: EntityRows(type: "game"), reduce: EntityRows.reduce)
        let sink = rows.sink { event, state in
            log.add("\(event.name): \(state.value.entities.count)")
        }
        rows.start()
        await log.when { $0.contains("snapshot: 1") }
        sink.cancel()

        let counter = StreamAgent(client.events, query: "/v1/game?live=delta", initial: 0) {
            count, event in
            event.name == "delta" ? .update(count + 1) : .ignore
        }
        counter.start()

        let names = StreamAgent(
            server.entities.events, query: EntityQuery("game"), initial: EntityRows(type: "game"),
            reduce: EntityRows.reduce)
        names.start()
        for try await snapshot in server.entities.watch(EntityQuery("game", where: "name == 'Go'"))
        {
            print(snapshot.entities.count)
            break
        }
    }
}
