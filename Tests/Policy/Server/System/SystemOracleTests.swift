@testable import FreshetConfig
import FreshetJSON
import FreshetServer
import FreshetTestSupport
import Testing

/// What a watcher of system types has reduced is what a search answers at the same version, over random
/// changes, queries and reconnects.
@Suite struct SystemOracleTests {
    private static let queries = [
        "fields=count,bytes", "filter=count>2&order=-count,id&limit=3&fields=count",
        "order=-bytes&limit=2&offset=1&fields=bytes,count", "filter=count+in+(1,3,5)&fields=count",
        "filter=id>='c'&order=-id&fields=count&count=true",
    ]

    private final class Client {
        let target: String
        var stream: TestStream?
        var state = ReducedState()
        var cursor: String?
        /// What searches have answered, by the version that they were exact at.
        var answers: [Int64: String] = [:]

        init(_ target: String) { self.target = target }

        /// Watches from where it was, or from the beginning, until it shows something.
        func connect(to server: TestServer, anew: Bool) throws {
            if anew {
                cursor = nil
                state = ReducedState()
            }
            let stream = try TestStream(
                server, target + "&live=delta&heartbeat=5", lastEventID: cursor)
            self.stream = stream
            _ = try stream.next()
            while cursor == nil {
                let event = try stream.next()
                try state.apply(event)
                cursor = event.id ?? cursor
            }
        }

        /// Reads until it holds what a search answers.
        ///
        /// - Returns: How many deltas there were.
        func catchUp(by writer: TestConnection, seed: UInt64) throws -> Int {
            guard let stream else { return 0 }
            var deltas = 0
            while true {
                let body = try writer.send("GET", target).body
                let answer = try ReducedState(answer: body)
                let meta = try JSONValue.parse(body)["meta"]
                answers[meta?["revision"]?.int64Value ?? -1] = answer.whole
                if !state.isBetweenParts, state.whole == answer.whole { return deltas }
                let event = try stream.next()
                try state.apply(event)
                if event.name == "delta" { deltas += 1 }
                cursor = event.id ?? cursor
                guard !state.isBetweenParts, let known = answers[state.version] else { continue }
                #expect(state.whole == known, "seed \(seed): \(target) at \(state.version)")
            }
        }
    }

    /// Connects, leaves or catches up, by chance.
    ///
    /// - Parameter awaitRows: Called before it catches up.
    private func act(
        _ client: Client, on server: TestServer, by writer: TestConnection, seed: UInt64,
        using random: inout SocketGenerator, awaitRows: () throws -> Void = {}
    ) throws -> Int {
        if client.stream == nil {
            try client.connect(to: server, anew: random.below(2) == 0)
        } else if random.below(4) == 0 {
            client.stream?.close()
            client.stream = nil
            return 0
        }
        try awaitRows()
        return try client.catchUp(by: writer, seed: seed)
    }

    @Test func aClientHoldsWhatASearchAnswers() throws {
        let seed = TestSeed.first
        print("system oracle: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let server = try TestServer()
        let writer = try server.connect()
        let clients = Self.queries.map { Client("/v1/_types?\($0)") }
        var deltas = 0

        let reference = Client("/v1/_types?fields=count")
        let followed = try TestStream(server, reference.target + "&live=delta&heartbeat=5")
        /// Reads until the rows have what the plain list tells of the entities now.
        func awaitRows() throws {
            let list = try JSONValue.parse(writer.send("GET", "/v1/_types").body)["items"]
            let counts = (list?.arrayValue ?? []).map {
                #"{"id":"\#($0["name"]?.stringValue ?? "")","count":\#($0["count"]?.text ?? "")}"#
            }
            let wanted = "[" + counts.joined(separator: ",") + "]"
            while reference.state.isBetweenParts || reference.state.text != wanted {
                try reference.state.apply(try followed.next())
            }
        }
        for _ in Rounds(40, until: { deltas > 20 }) {
            for _ in 0..<random.below(6) {
                let type = ["a", "b", "c", "d", "e"][random.below(5)]
                let id = random.below(6)
                _ =
                    random.below(3) == 0
                    ? try writer.send("DELETE", "/v1/\(type)/\(id)")
                    : try writer.send("PUT", "/v1/\(type)/\(id)", "{\"n\":\(random.below(1000))}")
            }
            let client = clients[random.below(clients.count)]
            deltas += try act(
                client, on: server, by: writer, seed: seed, using: &random, awaitRows: awaitRows)
        }
        try awaitRows()
        for client in clients { deltas += try client.catchUp(by: writer, seed: seed) }
        #expect(deltas > 20)
    }

    private static let configuration = """
        {"conditions":{"a":{},"b":{"initial":true},"c":{}},
         "specs":{"both":{"and":[{"condition":"a"},{"condition":"b"}]},"one":{"or":[{"spec":"both"},{"not":{"condition":"c"}}]}},
         "upstreams":{"api":{"base":"http://127.0.0.1:9"}},
         "types":{"t":{"remote":{"upstream":"api","search":{"path":"/t"}}}},
         "operations":{
          "x":{"type":"t","query":{"filter":"n==1"},"automatic":{"spec":"both"}},
          "y":{"type":"t","query":{"filter":"n==2"},"automatic":{"not":{"spec":"one"}},"admit":{"when":{"condition":"b"}}},
          "z":{"type":"t","query":{"filter":"n==3"},"stale":[{"condition":"c"}]}}}
        """

    private static let watched = [
        "_conditions?fields=value,revision,readers",
        "_conditions?filter=value==true&order=-id&fields=value",
        "_specs?fields=satisfied",
        "_specs?filter=satisfied==false&count=true&fields=satisfied,evaluated",
        "_operations?fields=active,automatic,invalidated,heldBy,generation",
        "_operations?filter=automatic==false&order=-id&limit=2&fields=heldBy,active",
        "_upstreams?fields=link,types,operations", "_tokens?fields=admin,types",
    ]

    @Test func rowsOfOperationsFollowWhatTheyDependOn() throws {
        let seed = TestSeed.first
        print("system oracle: seed \(seed)")
        var random = SocketGenerator(state: seed)
        let file = try TemporaryFile(Self.configuration)
        let settings = try ConfigurationSource(
            flags: ["memory": ["true"], "listen": ["127.0.0.1:0"]], environment: [:],
            path: file.path
        ).load()
        let server = try TestServer { $0 = settings }
        let writer = try server.connect()
        let clients = Self.watched.map { Client("/v1/\($0)") }
        var deltas = 0
        func send(_ method: String, _ target: String, _ body: String? = nil) throws {
            #expect(try writer.send(method, target, body).status == 200, "\(method) \(target)")
        }
        let followed = Client("/v1/_conditions?fields=value")
        try followed.connect(to: server, anew: true)
        /// Reads until the rows have what the plain list tells of the conditions now: rows follow at
        /// the next look.
        func awaitRows() throws {
            let list = try JSONValue.parse(writer.send("GET", "/v1/_conditions").body)["items"]
            let values = (list?.arrayValue ?? []).map {
                #"{"id":"\#($0["name"]?.stringValue ?? "")","value":\#($0["value"]?.text ?? "")}"#
            }
            let wanted = "[" + values.joined(separator: ",") + "]"
            while followed.state.isBetweenParts || followed.state.text != wanted {
                try followed.state.apply(try #require(followed.stream).next())
            }
        }
        for _ in Rounds(40, until: { deltas > 20 }) {
            for _ in 0..<random.below(3) {
                let operation = ["x", "y", "z"][random.below(3)]
                let flag = random.below(2) == 0
                switch random.below(4) {
                case 0:
                    try send("PUT", "/v1/_operations/\(operation)/active", "{\"active\":\(flag)}")
                case 1:
                    try send(
                        "POST", "/v1/_operations/\(operation)/\(flag ? "invalidate" : "reset")")
                default:
                    try send(
                        "PUT", "/v1/_conditions/\(["a", "b", "c"][random.below(3)])",
                        "{\"value\":\(flag)}")
                }
            }
            deltas += try act(
                clients[random.below(clients.count)], on: server, by: writer, seed: seed,
                using: &random, awaitRows: awaitRows)
        }
        try awaitRows()
        for client in clients { deltas += try client.catchUp(by: writer, seed: seed) }
        #expect(deltas > 20)
    }
}
