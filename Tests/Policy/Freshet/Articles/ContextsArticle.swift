import Foundation
import Freshet
import Testing

@Suite("The article on contexts")
struct ContextsArticle {
    @Test("Its code runs")
    func article() async throws {
        let server = try EntityServer(.memory())
        let entities = server.entities
        try await entities.set("task", "1", json: Array(#"{"title":"first","points":3}"#.utf8))

        struct Note: Codable {
            var title: String
            var points: Int
        }

        try await entities.set("task", "2", Note(title: "second", points: 5))
        let note = try await entities.get("task", "2")?.decode(Note.self)
        #expect(note?.points == 5)

        let open = EntityQuery("task", where: "points > 2", order: "-points", limit: 10)
        let page = try await entities.search(open)
        print(page.entities.map(\.id))
        #expect(page.entities.map(\.id) == ["2", "1"])

        let cached = try await entities.get("task", "1", context: .local)
        var query = EntityQuery("task", where: "points > 2", context: .localOrRemote)
        query.context.contract = nil
        let answer = try await entities.search(query)
        if let problem = answer.source.degraded { print("not the remote's: \(problem)") }
        #expect(cached != nil && answer.entities.count == 2)

        do {
            _ = try await entities.get("task", "1", context: .remote)
        } catch let problem {
            print(problem.code, problem.detail)
        }

        let receipt = try await entities.patch("task", "1", json: Array(#"{"points":4}"#.utf8))
        try await entities.remove("task", "1", if: .hasRevision(receipt.entity?.revision ?? 0))
        #expect(try await entities.get("task", "1") == nil)

        let handler = server.onChange(of: "task") { change in
            if case .created(let entity) = change { print("new:", entity.text) }
        }
        handler.cancel()
        server.stop()
    }
}
