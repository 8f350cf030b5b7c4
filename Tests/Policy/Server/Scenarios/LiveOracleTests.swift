import FreshetJSON
import FreshetServer
import FreshetTestSupport
import Testing

// The oracle of live.md section 8 on the real server: writers, watchers that come and go, slow ones
// among them, and after each event a look at what the same search answers.
//
// A fresh search answers for the newest commit, an event for its own. So every commit's answer is
// asked for right behind it, by the one writer, and kept by seq: what a client has reduced at a
// cursor must be what was answered at that seq.

/// A client's state, kept as live.md section 4 tells a client to.
struct ReducedState {
    /// What is shown, of whatever shape the query's answer is.
    private struct Shown {
        var order: [String] = []
        var items: [String: String] = [:]
        /// Of a grouped or aggregated answer, in the order of the parts.
        var groups: [String] = []
        var aggregates: String?
        var total: String?
        /// By type and id.
        var included: [String: [String: String]] = [:]

        mutating func include(_ entities: JSONValue?) {
            for type in entities?.objectValue ?? [] {
                for entity in type.value.objectValue ?? [] {
                    included[type.name, default: [:]][entity.name] = entity.value.text
                }
            }
        }

        mutating func add(_ answer: JSONValue) {
            for item in answer["items"]?.arrayValue ?? [] {
                order.append(ReducedState.id(item["id"]))
                items[ReducedState.id(item["id"])] = item.text
            }
            groups += (answer["groups"]?.arrayValue ?? []).map(\.text)
            if let figures = answer["aggregates"] {
                aggregates =
                    (aggregates ?? "")
                    + (figures.arrayValue?.map(\.text) ?? [figures.text])
                    .joined(separator: ",")
            }
            include(answer["included"])
        }
    }

    private var shown = Shown()
    /// The parts of a snapshot whose last has yet to come.
    private var next: Shown?
    var version: Int64 = 0

    init() {}

    /// What a search has answered.
    init(answer: String) throws {
        let answer = try JSONValue.parse(answer)
        shown.add(answer)
        shown.total = answer["meta"]?["total"]?.numberText
    }

    /// Whether a snapshot has begun of which a part is to come.
    var isBetweenParts: Bool { next != nil }

    mutating func apply(_ event: TestEvent) throws {
        let data = try JSONValue.parse(event.data)
        switch event.name {
        case "snapshot":
            var parts = data["part"]?.int64Value == 0 ? Shown() : try #require(next)
            parts.add(data)
            parts.total = data["total"]?.numberText
            next = parts
            guard data["more"]?.boolValue == false else { return }
            (shown, next) = (parts, nil)
            version = data["v"]?.int64Value ?? 0
        case "delta":
            guard let to = data["to"]?.int64Value, to > version else { return }
            let removed = (data["remove"]?.objectValue ?? []).map(\.name)
            let placed = (data["place"]?.arrayValue ?? []).map {
                (id: Self.id($0[0]), at: Int($0[1]?.int64Value ?? 0))
            }
            let out = Set(removed + placed.map(\.id))
            shown.order.removeAll { out.contains($0) }
            for (id, at) in placed.sorted(by: { $0.at < $1.at }) {
                shown.order.insert(id, at: min(at, shown.order.count))
            }
            for id in removed { shown.items[id] = nil }
            for entity in data["put"]?.arrayValue ?? [] {
                shown.items[Self.id(entity["id"])] = entity.text
            }
            for type in data["dropped"]?.objectValue ?? [] {
                for id in type.value.arrayValue ?? [] {
                    shown.included[type.name]?[Self.id(id)] = nil
                }
            }
            shown.include(data["included"])
            shown.total = data["total"]?.numberText ?? shown.total
            version = to
        default: break
        }
    }

    var text: String {
        "[" + shown.order.compactMap { shown.items[$0] }.joined(separator: ",") + "]"
    }

    /// Everything that is shown, as text that is equal where the same is shown.
    var whole: String {
        let included = shown.included.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "\($0.key): \($0.value.sorted { $0.key < $1.key }.map(\.value))" }
        return "\(text) \(shown.items.count) groups \(shown.groups) aggregates "
            + "\(shown.aggregates ?? "-") total \(shown.total ?? "-") included \(included)"
    }

    private static func id(_ value: JSONValue?) -> String {
        value?.stringValue ?? value?.numberText ?? "?"
    }
}

/// A watcher of one query, and what it holds.
private final class SocketClient {
    let query: String
    var stream: TestStream?
    var state = ReducedState()
    var cursor: String?
    var past: [(cursor: String, state: ReducedState)] = []

    init(_ query: String) { self.query = query }

    /// The seq that the cursor names.
    var seq: Int { cursor.flatMap { Int($0.split(separator: ".")[1]) } ?? -1 }
}

@Suite struct LiveSocketOracleTests {
    private static let queries = [
        "limit=5&order=-n", "filter=a==1&order=n", "filter=a>=2+and+n<4&limit=3&offset=1",
        "order=s:ci,-n&limit=4&fields=n", "filter=n+in+(1,3,5)", "ids=4,k3,1",
        "order=ids:7,k3,1&limit=6", "limit=2&filter=s=='x'+or+a==0&order=-a,n",
    ]

    @Test func aClientHoldsWhatASearchAtItsCursorAnswered() throws {
        let seed = TestSeed.first
        print("live socket oracle: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let server = try TestServer()
        let writer = try server.connect()
        var answers: [String: [Int: String]] = [:]
        let clients = Self.queries.map(SocketClient.init)
        var seq = 0
        var deltas = 0

        func record() throws {
            for query in Self.queries {
                let body = try writer.send("GET", "/v1/t?\(query)").body
                answers[query, default: [:]][seq] = try #require(
                    try JSONValue.parse(body)["items"]?.text)
            }
        }
        /// Reads until the client holds what the search answers now.
        func catchUp(_ client: SocketClient) throws {
            guard let stream = client.stream else { return }
            while client.cursor == nil || client.state.text != answers[client.query]?[seq] {
                let event = try stream.next()
                try client.state.apply(event)
                if event.name == "delta" { deltas += 1 }
                guard let id = event.id else { continue }
                client.cursor = id
                let expected = answers[client.query]?[client.seq]
                #expect(
                    client.state.text == expected, "seed \(seed): \(client.query) at \(client.seq)")
                client.past.append((id, client.state))
            }
        }

        try record()
        for _ in Rounds(60, until: { deltas > 10 }) {
            for _ in 0..<random.below(4) {
                let number = random.below(12)
                let id = number % 3 == 0 ? "k\(number)" : "\(number)"
                let response =
                    random.below(4) == 0
                    ? try writer.send("DELETE", "/v1/t/\(id)")
                    : try writer.send(
                        "PUT", "/v1/t/\(id)",
                        "{\"a\":\(random.below(4)),\"n\":\(random.below(6)),"
                            + "\"s\":\"\(["x", "y", "Z"][random.below(3)])\"}")
                let cursor = try #require(response.header("Freshet-Cursor"))
                seq = try #require(Int(cursor.split(separator: ".")[1]))
                try record()
            }
            let client = clients[random.below(clients.count)]
            if client.stream == nil {
                if let past = client.past.last, random.below(2) == 0 {
                    let old = client.past[random.below(client.past.count)]
                    (client.cursor, client.state) = random.below(2) == 0 ? past : old
                } else {
                    client.cursor = nil
                }
                client.stream?.close()
                client.stream = try TestStream(
                    server, "/v1/t?live=delta&heartbeat=5&\(client.query)",
                    lastEventID: client.cursor)
                client.cursor = nil
                _ = try client.stream?.next()
                try catchUp(client)
            } else if random.below(4) == 0 {
                client.stream?.close()
                client.stream = nil
            } else {
                try catchUp(client)
            }
        }
        for client in clients { try catchUp(client) }
        #expect(deltas > 10)
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SocketGenerator {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }
}
