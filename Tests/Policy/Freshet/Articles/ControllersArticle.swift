import Foundation
import Freshet
import Testing

/// Somebody who calls out prices.
// SAFETY: all mutable state is read and written under `lock`.
final class Feed: @unchecked Sendable {
    typealias Listener = @Sendable (_ name: String, _ price: Int) -> Void

    private let lock = NSLock()
    private var listeners: [Int: Listener] = [:]
    private var waiting: [(String, Int)] = []
    private var lastNumber = 0

    /// What was sent before anybody has listened comes first.
    func open(_ listener: @escaping Listener) -> Int {
        let (number, waiting) = lock.withLock {
            lastNumber += 1
            listeners[lastNumber] = listener
            defer { self.waiting = [] }
            return (lastNumber, self.waiting)
        }
        for (name, price) in waiting { listener(name, price) }
        return number
    }

    func close(_ number: Int) {
        lock.withLock { listeners[number] = nil }
    }

    var isOpen: Bool { lock.withLock { !listeners.isEmpty } }

    func send(_ name: String, _ price: Int) {
        let listeners = lock.withLock {
            if self.listeners.isEmpty { waiting.append((name, price)) }
            return Array(self.listeners.values)
        }
        for listener in listeners { listener(name, price) }
    }
}

/// Quotes of a feed, one entity for each name.
struct QuoteController: OperationController {
    let feed: Feed

    func control(with controls: OperationControls) throws -> RunSubscription {
        let number = feed.open { name, price in
            controls.yield(ControlledValue(put: [#"{"id":"\#(name)","price":\#(price)}"#]))
        }
        return RunSubscription { [feed] in feed.close(number) }
    }
}

struct BadPrice: Error, Equatable {
    let name: String
}

/// Has prices fetched anew when somebody says that they have changed.
struct NudgeController: OperationController {
    let feed: Feed

    func control(with controls: OperationControls) throws -> RunSubscription {
        let number = feed.open { name, price in
            if price < 0 {
                controls.yield(error: BadPrice(name: name))
            } else if controls.canYieldRerun {
                controls.rerun()
            }
        }
        return RunSubscription { [feed] in feed.close(number) }
    }
}

@Suite("The article on controllers")
struct ControllersArticle {
    @Test("Its code runs")
    func article() async throws {
        let server = try EntityServer(
            .memory(json: #"{"operations":{"prices":{"type":"price"}}}"#))
        defer { server.stop() }
        let feed = Feed()
        let trading = Switch()

        let driven = try server.drive(
            "quotes", EntityQuery("quote"), by: QuoteController(feed: feed))
        feed.send("ACME", 12)
        for try await snapshot in server.entities.watch(EntityQuery("quote", where: "price > 10")) {
            if let quote = snapshot.entities.first {
                print(quote.text)
                break
            }
        }
        print(driven.report.state, driven.report.counts.values)
        driven.cancel()
        #expect(driven.report.counts.starts == 1)
        // What is sent to a listener of before would be lost.
        while feed.isOpen { await Task.yield() }

        let gated = try server.drive(
            "gated", EntityQuery("quote"), by: QuoteController(feed: feed), while: trading)
        trading.set(true)
        feed.send("OTHER", 20)
        for try await snapshot in server.entities.watch(EntityQuery("quote")) {
            if snapshot.entities.count == 2 { break }
        }
        gated.cancel()
        while feed.isOpen { await Task.yield() }

        let second = try server.drive("prices", by: QuoteController(feed: feed))
        print(second.operation, second.report.kind)
        feed.send("PEN", 3)
        for try await snapshot in server.entities.watch(EntityQuery("price")) {
            if !snapshot.entities.isEmpty { break }
        }
        second.cancel()
        while feed.isOpen { await Task.yield() }
    }

    @Test("A yielded error is seen in the program and over HTTP")
    func errors() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let feed = Feed()
        let driven = try server.drive(
            "nudged", EntityQuery("quote"), by: NudgeController(feed: feed))
        let told = Told<String>()
        let agent = StreamAgent(
            try FreshetClient(url: server.url).events, query: "/v1/_operations/nudged",
            initial: ""
        ) { _, event in .update(String(decoding: event.data, as: UTF8.self)) }
        let observer = agent.observe { told.add($0.value) }
        agent.start()
        feed.send("PEN", -1)
        await told.when { $0.contains { $0.contains("BadPrice") } }
        #expect(driven.lastError as? BadPrice == BadPrice(name: "PEN"))
        #expect(driven.report.counts.errors == 1)
        observer.cancel()
    }
}
