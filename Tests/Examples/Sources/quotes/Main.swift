import Freshet

struct Quote: Codable {
    var id: String
    var price: Int
}

/// Serves quotes over HTTP and watches them itself, until each has changed three times.
@main
struct Quotes {
    static func main() async throws {
        let hours = TradingHours()
        let extensions = EntityServer.Extensions()
        extensions.specifications.register("trading-hours", hours)
        let server = try EntityServer(.memory(), extensions)
        defer { server.stop() }
        print("serving \(server.url)/v1/quote")

        let handler = server.onChange(of: "quote") { change in
            if case .created(let entity) = change { print("new: \(entity.id)") }
        }
        let driven = try server.drive(
            "quotes", EntityQuery("quote"), by: QuoteController(names: ["ACME", "OTHER"]),
            while: .spec("trading-hours") && .serviceIsActive)
        print("before the opening: \(driven.report.state)")
        hours.set(isOpen: true)

        // The way of a client elsewhere, over HTTP; in process `server.entities.watch` is shorter.
        let client = try FreshetClient(url: server.url)
        let agent = StreamAgent(
            client.changes, query: EntityQuery("quote", order: "id"),
            initial: EntityRows(type: "quote"), reduce: EntityRows.reduce)
        let (states, continuation) = AsyncStream.makeStream(of: EntityRows.self)
        let observer = agent.observe { continuation.yield($0.value) }
        agent.start()

        var shown: Set<Int> = []
        for await rows in states {
            let quotes = try rows.entities.map { try $0.decode(Quote.self) }
            guard quotes.count == 2, let price = quotes.first?.price else { continue }
            if shown.insert(price).inserted {
                print(quotes.map { "\($0.id) \($0.price)" }.joined(separator: ", "))
            }
            if shown.count == 3 { break }
        }
        hours.set(isOpen: false)
        observer.cancel()
        driven.cancel()
        handler.cancel()
        print("done")
    }
}
