import FreshetJSON
import FreshetServer
import FreshetTestSupport
import Testing

// The oracle for several queries on a connection: at each `sync` what a client has reduced of every
// query is what that search answered at the seq of the sync. Sessions are changed while they are
// watched and while nobody does; clients come back with their last cursor or an older one, and take
// each delta twice.

/// A client of several queries, and what it holds of each.
private final class SeveralClient {
    /// The session's path and url; nil for queries in the URL of the stream.
    let session: (path: String, url: String)?
    /// By alias. An alias is never used for two queries.
    var queries: [String: String]
    var states: [String: ReducedState] = [:]
    var stream: TestStream?
    var cursor: String?
    var past: [(cursor: String, states: [String: ReducedState])] = []
    var aliases: Int

    init(_ queries: [String: String], _ session: (path: String, url: String)?) {
        self.queries = queries
        self.session = session
        aliases = queries.count
    }

    var target: String {
        session.map { $0.url + "&heartbeat=5" }
            ?? "/v1/_live?"
            + queries.sorted { $0.key < $1.key }.map { "q.\($0.key)=" + $0.value.asParameter }
            .joined(separator: "&")
    }

    /// Takes one event, a delta twice.
    func apply(_ event: TestEvent) throws {
        let alias = try JSONValue.parse(event.data)["q"]?.stringValue ?? ""
        guard queries[alias] != nil else { return }
        if event.name == "snapshot" { states[alias] = states[alias] ?? ReducedState() }
        try states[alias]?.apply(event)
        if event.name == "delta" { try states[alias]?.apply(event) }
    }
}

extension String {
    /// As a parameter's value spells it.
    var asParameter: String {
        utf8.map { byte in
            let isPlain =
                byte == UInt8(ascii: "/") || (0x30...0x39).contains(byte)
                || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

@Suite struct LiveSessionOracleTests {
    private static let queries = [
        "limit=5&order=-n", "filter=a==1&order=n&live=delta", "ids=4,k3,1",
        "filter=a>=2+and+n<4&limit=3&offset=1", "filter=n+in+(1,3,5)&live=snapshot",
        "limit=2&filter=s=='x'+or+a==0&order=-a,n", "order=s:ci,-n&limit=4&fields=n",
    ].map { "/v1/t?" + $0 }

    private static func body(_ queries: [String: String?]) -> String {
        let members = queries.sorted { $0.key < $1.key }.map { alias, url in
            "\"\(alias)\":" + (url.map { "\"\($0)\"" } ?? "null")
        }
        return "{\"queries\":{" + members.joined(separator: ",") + "}}"
    }

    @Test func atEverySyncEveryQueryIsWhatASearchAnsweredThen() throws {
        let seed = TestSeed.first
        print("live session oracle: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let server = try TestServer()
        let writer = try server.connect()
        var answers: [String: [Int: String]] = [:]
        var seq = 0
        var syncs = 0

        func record() throws {
            for query in Self.queries {
                let target = query.split(separator: "&live").first.map(String.init) ?? query
                answers[query, default: [:]][seq] = try #require(
                    try JSONValue.parse(try writer.send("GET", target).body)["items"]?.text)
            }
        }
        func some() -> [String: String] {
            let count = 1 + random.below(3)
            return Dictionary(
                uniqueKeysWithValues: (0..<count).map {
                    ("q\($0)", Self.queries[random.below(Self.queries.count)])
                })
        }
        func isUpToDate(_ client: SeveralClient) -> Bool {
            client.cursor != nil
                && client.queries.allSatisfy { alias, query in
                    client.states[alias].map { $0.text == answers[query]?[seq] } ?? false
                }
        }
        /// Reads until the client holds what the searches answer now.
        func catchUp(_ client: SeveralClient) throws {
            guard let stream = client.stream else { return }
            while !isUpToDate(client) {
                let event = try stream.next()
                #expect(event.name != "fault" && event.name != "bye", "seed \(seed)")
                try client.apply(event)
                guard let id = event.id else { continue }
                #expect(event.name == "sync", "seed \(seed): an id on \(event.name)")
                syncs += 1
                client.cursor = id
                let at = Int(id.split(separator: ".")[1]) ?? -1
                for (alias, query) in client.queries {
                    guard let state = client.states[alias] else { continue }
                    #expect(
                        state.text == answers[query]?[at], "seed \(seed): \(query) at \(at)")
                }
                client.past.append((id, client.states))
            }
        }

        try record()
        var clients: [SeveralClient] = []
        for number in 0..<6 {
            let queries = some()
            var session: (String, String)?
            if number % 3 != 0 {
                let answer = try writer.send("POST", "/v1/_live", Self.body(queries))
                let url = try JSONValue.parse(answer.body)["url"]?.stringValue
                session = (try #require(answer.header("Location")), try #require(url))
            }
            clients.append(SeveralClient(queries, session))
        }
        for _ in Rounds(80, until: { syncs > 20 }) {
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
            if let session = client.session, random.below(3) == 0 {
                var change: [String: String?] = [:]
                if let gone = client.queries.keys.sorted().first, random.below(2) == 0 {
                    change[gone] = .some(nil)
                    client.queries[gone] = nil
                    client.states[gone] = nil
                }
                if client.queries.count < 5 {
                    let query = Self.queries[random.below(Self.queries.count)]
                    change["q\(client.aliases)"] = query
                    client.queries["q\(client.aliases)"] = query
                    client.aliases += 1
                }
                let answer = try writer.send("PATCH", session.path, Self.body(change))
                #expect(answer.status == 200, "seed \(seed): \(answer.body)")
            }
            if client.stream == nil {
                client.cursor = nil
                if !client.past.isEmpty, random.below(3) > 0 {
                    let index =
                        random.below(2) == 0
                        ? client.past.count - 1 : random.below(client.past.count)
                    client.cursor = client.past[index].cursor
                    client.states = client.past[index].states.filter {
                        client.queries[$0.key] != nil
                    }
                } else {
                    client.states = [:]
                }
                client.stream?.close()
                client.stream = try TestStream(
                    server, client.target, lastEventID: client.cursor)
                client.cursor = nil
                try catchUp(client)
            } else if random.below(4) == 0 {
                client.stream?.close()
                client.stream = nil
            } else {
                try catchUp(client)
            }
        }
        for client in clients { try catchUp(client) }
        #expect(syncs > 20)
    }
}
