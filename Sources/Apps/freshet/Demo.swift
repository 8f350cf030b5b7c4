import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetServer
import FreshetStore
import Glibc

/// `freshet demo`: a server in memory whose data changes, for who wants to see before they read.
enum DemoCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let pace = try pace(arguments)
        let listen = arguments.flags["listen"]?.last ?? freeAddress()
        let source = ConfigurationSource(
            flags: ["memory": ["true"], "listen": [listen], "log-level": ["warning"]],
            environment: [:], path: nil)
        let resolution = source.resolve()
        if let host = SettingText.address(listen)?.host, !SettingText.isLoopback(host) {
            throw .usage(
                "--listen: the demo lets everybody in, and so listens on loopback alone, as"
                    + " 127.0.0.1:8080; others reach a server of `freshet serve`")
        }
        guard resolution.faults.isEmpty else {
            Configuration.report(resolution.faults.map(\.description))
            return .usage
        }
        let isJSON = arguments.has("json")
        let code = ServerProgram.run(settings: resolution.settings) { server in
            Task {
                var shop = DemoShop()
                await shop.trade(through: server.core.writer, every: pace)
            }
            endWithTerminal()
            return greeting(server.url, asJSON: isJSON)
        }
        return code == 0 ? .done : .failed
    }

    /// Has a lost terminal end the demo, which has no configuration that a SIGHUP could read anew.
    private static func endWithTerminal() {
        signal(SIGHUP) { _ in
            _ = raise(SIGTERM)
        }
    }

    private static func pace(_ arguments: ParsedArguments) throws(CommandFailure) -> Duration {
        guard let text = arguments.flags["pace"]?.last else { return .milliseconds(500) }
        guard let milliseconds = SettingText.milliseconds(text), milliseconds > 0 else {
            throw .usage("--pace: expected a time such as \"500ms\", not \"\(text)\"")
        }
        return .milliseconds(milliseconds)
    }

    /// The usual address, or any of loopback where somebody listens there.
    private static func freeAddress() -> String {
        PortCheck.look(host: "127.0.0.1", port: 8080) == .free ? "127.0.0.1:8080" : "127.0.0.1:0"
    }

    private static func greeting(_ url: String, asJSON: Bool) -> String {
        let query = "/v1/order?filter=status==\"open\"&order=-total&limit=15"
        let live = "\(url)/#\(PercentEncoding.segment(query))"
        let addresses = ["\(url)/", live, "\(url)/docs"]
        if asJSON {
            let result: JSONValue = ["addresses": .array(addresses.map { .string($0) })]
            return result.text
        }
        return """
            Freshet \(Program.version) with sample data in memory that changes: orders come, are packed and sent.

              what is stored     \(addresses[0])
              a live query       \(addresses[1])
              documentation      \(addresses[2])

            In another terminal:
              freshet watch order --filter 'status == "open"' --order -total --limit 15 --server \(url)

            Ctrl-C ends it, and all data with it.
            """
    }
}

/// Sample data: a shop's customers and orders.
private struct DemoShop {
    private static let customers = [
        ("ada", "Ada Lovelace", "London"), ("alan", "Alan Turing", "Wilmslow"),
        ("grace", "Grace Hopper", "New York"), ("edsger", "Edsger Dijkstra", "Nuenen"),
        ("barbara", "Barbara Liskov", "Boston"), ("donald", "Donald Knuth", "Stanford"),
        ("frances", "Frances Allen", "Peru"), ("ken", "Ken Thompson", "New Orleans"),
    ]
    private static let goods = [
        ("notebook", 4), ("pencil", 1), ("lamp", 39), ("chair", 120), ("keyboard", 89),
        ("teapot", 25), ("clock", 31), ("globe", 64),
    ]
    private static let customer = type("customer")
    private static let order = type("order")
    /// Orders at the beginning, and about so many later.
    private static let orders = 30

    /// Orders by number, with what became of them.
    private var status: [Int: String] = [:]
    private var last = 0
    private var random = SystemRandomNumberGenerator()

    /// Makes the data, then changes one order at a time until the process ends.
    mutating func trade(through writer: EntityWriter, every pace: Duration) async {
        // A server that stops takes no more writes: that is the end of the demo.
        do {
            for (id, name, city) in Self.customers {
                try await write(
                    Self.customer, id, ["name": .string(name), "city": .string(city)], writer)
            }
            for _ in 0..<Self.orders { try await take(writer) }
            while true {
                try await Task.sleep(for: pace)
                try await step(writer)
            }
        } catch {
            return
        }
    }

    /// A new order.
    private mutating func take(_ writer: EntityWriter) async throws {
        last += 1
        let (item, price) = Self.goods[Int.random(in: Self.goods.indices, using: &random)]
        let quantity = Int.random(in: 1...5, using: &random)
        let customer = Self.customers[Int.random(in: Self.customers.indices, using: &random)].0
        status[last] = "open"
        try await write(
            Self.order, String(last),
            [
                "customer": .string(customer), "item": .string(item), "quantity": .count(quantity),
                "total": .count(quantity * price), "status": "open",
            ], writer)
    }

    /// One change: orders go from open to packed to sent, and are forgotten some time later.
    private mutating func step(_ writer: EntityWriter) async throws {
        let number = status.keys.sorted()[Int.random(in: 0..<status.count, using: &random)]
        guard status.count >= Self.orders, let now = status[number] else {
            return try await take(writer)
        }
        switch now {
        case "sent":
            status[number] = nil
            try await commit(.remove(Self.order, EntityID(Int64(number)), .none), writer)
        case let current:
            let next = current == "open" ? "packed" : "sent"
            status[number] = next
            let patch: JSONValue = ["status": .string(next)]
            try await commit(
                .merge(
                    Self.order, EntityID(Int64(number)), patch: Array(patch.text.utf8), .none),
                writer)
        }
    }

    private static func type(_ name: String) -> TypeName {
        guard let type = TypeName(name) else { preconditionFailure("the demo's types have names") }
        return type
    }

    private func write(
        _ type: TypeName, _ id: String, _ entity: JSONValue, _ writer: EntityWriter
    ) async throws {
        var builder = DocumentBuilder()
        let id = try EntityID(id)
        let document = try Array(entity.text.utf8).withUnsafeBytes {
            try writer.document(type, $0, id: .path(id), using: &builder)
        }
        try await commit(.set(type, document, .none), writer)
    }

    private func commit(_ operation: WriteOperation, _ writer: EntityWriter) async throws {
        let outcome = await Promise.value {
            writer.commit(Transaction(operation), by: WriteOrder.Author(), completion: $0)
        }
        guard case .done = outcome else { throw CancellationError() }
    }
}
