import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer
import FreshetTestSupport
import Testing

// The oracle for lost connections: a client may be cut off behind every event, between two parts of a
// snapshot too, and comes back with the last id that it has noted. Whatever has happened meanwhile,
// behind the first `sync` (of a single query: the first event with an id) it shows what a search
// answers. With several queries on a connection it has taken more than its id says.

/// A client of one connection at one moment.
private struct Watcher {
    /// By alias; a single query has none.
    var states: [String: ReducedState]
    var lastID: String?

    init(_ aliases: some Sequence<String>) {
        states = Dictionary(uniqueKeysWithValues: aliases.map { ($0, ReducedState()) })
    }

    mutating func apply(_ event: TestEvent) throws {
        let alias = try JSONValue.parse(event.data)["q"]?.stringValue ?? ""
        if event.name == "snapshot" || event.name == "delta" { try states[alias]?.apply(event) }
        if let id = event.id { lastID = id }
    }
}

@Suite struct LiveResumeOracleTests {
    /// Of every form and mode. Rows are large enough that answers come in parts.
    private static let queries = [
        "t?order=n,id&limit=4&live=delta", "t?order=-n&limit=3&offset=1&live=delta&count=true",
        "t?filter=a==1&live=delta", "t?live=delta", "t?order=n&live=snapshot",
        "t?filter=n>3&limit=2&live=snapshot", "t?group=a&order=n",
        "t?aggregate=count,sum(n)&group=a",
        "t?aggregate=count,max(n)", "t?distinct=a&order=n&live=delta",
        "t?include=by&order=n&limit=3&live=delta", "t?include=by&filter=a==2&live=snapshot",
        "t?ids=4,k3,1&live=delta", "t/k3?live=delta", "t?order=-n&fields=n&limit=2&live=delta",
        "p?order=-n&limit=2&live=delta", "t?filter=a==9&live=delta",
        "m?order=n,id&limit=2&live=delta", "m?live=delta", "m?aggregate=count,sum(n)",
        "t?include=of&order=n&limit=3&live=delta",
        // Rows change places while what is shown of them stays.
        "t?order=n&fields=a&live=delta", "t?order=-n&fields=a&limit=3&live=snapshot",
    ].map { "/v1/" + $0 }

    private let seed = TestSeed.first

    private static func types() throws -> [TypeSchema] {
        let texts = [
            "t": #"{"relationships":{"by":{"type":"p","association":"one"},"#
                + #""of":{"type":"m","association":"one"}}}"#,
            "m": #"{"store":"memory"}"#,
        ]
        return try texts.map { try declaredType($0, $1) }
    }

    /// Some writes. What they leave is kept in `rows`, by path.
    private func write(
        _ writer: TestConnection, _ random: inout SocketGenerator, _ rows: inout [String: String]
    ) throws {
        for _ in 0...random.below(4) {
            if random.below(4) == 0 {
                let path = "/v1/\(random.below(2) == 0 ? "p" : "m")/\(random.below(3))"
                rows[path] = "{\"n\":\(random.below(6))}"
                try put(writer, path, rows[path])
                continue
            }
            let number = random.below(9)
            let path = "/v1/t/\(number % 3 == 0 ? "k\(number)" : "\(number)")"
            if random.below(3) == 0 {
                rows[path] = nil
                _ = try writer.send("DELETE", path)
            } else {
                let pad = String(repeating: "x", count: random.below(3) == 0 ? 25_000 : 10)
                rows[path] =
                    "{\"a\":\(random.below(4)),\"n\":\(random.below(6)),"
                    + "\"by\":\"\(random.below(4))\",\"of\":\"\(random.below(4))\","
                    + "\"pad\":\"\(pad)\"}"
                try put(writer, path, rows[path])
            }
        }
    }

    private func put(_ writer: TestConnection, _ path: String, _ body: String?) throws {
        let answer = try writer.send("PUT", path, body ?? "")
        try #require([200, 201].contains(answer.status), "seed \(seed): \(answer.body)")
    }

    /// Makes everything what it was: a change since that has been seen is seen to go.
    private func restore(
        _ writer: TestConnection, _ before: [String: String], _ rows: inout [String: String]
    ) throws {
        for path in Set(rows.keys).union(before.keys).sorted() where rows[path] != before[path] {
            if let body = before[path] {
                try put(writer, path, body)
            } else {
                _ = try writer.send("DELETE", path)
            }
        }
        rows = before
    }

    /// What the searches answer now.
    private func answers(
        _ server: TestServer, _ queries: [String: String]
    ) throws -> [String: String] {
        try queries.mapValues { query in
            let target = query.replacing("live=delta", with: "").replacing(
                "live=snapshot", with: ""
            )
            .replacing("?&", with: "?").replacing("&&", with: "&")
            let response = try server.send(
                "GET", target.hasSuffix("&") ? String(target.dropLast()) : target)
            if response.status == 404 { return ReducedState().whole }
            guard target.contains("/t/") else {
                return try ReducedState(answer: response.body).whole
            }
            return try ReducedState(answer: "{\"items\":[\(response.body)]}").whole
        }
    }

    private func target(_ queries: [String: String]) -> String {
        if let only = queries[""] { return only }
        return "/v1/_live?"
            + queries.sorted { $0.key < $1.key }.map { "q.\($0.key)=" + $0.value.asParameter }
            .joined(separator: "&")
    }

    /// Reads until the watcher is told that it is exact, and it shows what is wanted where that is
    /// named.
    ///
    /// - Returns: The watcher behind each event.
    private func follow(
        _ stream: TestStream, _ watcher: Watcher, to wanted: [String: String]? = nil
    ) throws -> [Watcher] {
        var watchers: [Watcher] = []
        var watcher = watcher
        while true {
            let event = try stream.next()
            try #require(event.name != "fault" && event.name != "bye", "seed \(seed)")
            try watcher.apply(event)
            watchers.append(watcher)
            if event.id != nil, wanted == nil || watcher.states.mapValues(\.whole) == wanted {
                return watchers
            }
        }
    }

    private func check(
        _ watcher: Watcher, _ wanted: [String: String], _ queries: [String: String], _ how: String
    ) {
        for (alias, query) in queries {
            #expect(
                watcher.states[alias]?.whole == wanted[alias], "seed \(seed): \(query) \(how)")
        }
    }

    private func queries(_ random: inout SocketGenerator) -> [String: String] {
        let count = random.below(5)
        if count == 0 { return ["": Self.queries[random.below(Self.queries.count)]] }
        return Dictionary(
            uniqueKeysWithValues: (0..<count).map {
                ("q\($0)", Self.queries[random.below(Self.queries.count)])
            })
    }

    /// - Parameter restarts: The server is another one, on the files of the first, when clients come
    ///   back.
    private func run(rounds: Int, restarts: Bool) throws {
        print("live resume oracle: seed \(seed)\(restarts ? ", with restarts" : "")")
        var random = SocketGenerator(state: seed)
        let folder = try DataFolder()
        let types = try Self.types()
        var server =
            restarts
            ? try folder.server { $0.types = types } : try TestServer { $0.types = types }
        var rows: [String: String] = [:]
        var cuts = 0
        var cutsBetweenParts = 0
        // A snapshot in parts is cut in some ten rounds.
        let isEnough = { cuts > rounds * 3 && cutsBetweenParts > 0 }
        for _ in Rounds(rounds, until: isEnough) {
            try write(try server.connect(), &random, &rows)
            let queries = queries(&random)
            let isSingle = queries[""] != nil
            var target = target(queries)
            if !isSingle, !restarts, random.below(2) == 0 {
                let members = queries.map { "\"\($0.key)\":\"\($0.value)\"" }
                let answer = try server.send(
                    "POST", "/v1/_live", "{\"queries\":{\(members.joined(separator: ","))}}")
                target = try #require(try JSONValue.parse(answer.body)["url"]?.stringValue)
            }
            // What a client has at each moment: of a first connection, then of one more burst.
            var stream: TestStream? = try TestStream(server, target)
            var watchers = try follow(try #require(stream), Watcher(queries.keys))
            check(
                try #require(watchers.last), try answers(server, queries), queries, "at the start")
            let writer = try server.connect()
            let before = rows
            for _ in 0..<2 {
                try write(writer, &random, &rows)
                let wanted = try answers(server, queries)
                guard let last = watchers.last, last.states.mapValues(\.whole) != wanted else {
                    continue
                }
                watchers += try follow(try #require(stream), last, to: wanted)
            }
            stream?.close()
            stream = nil
            if random.below(2) == 0 {
                try restore(writer, before, &rows)
            } else {
                try write(writer, &random, &rows)
            }
            if restarts {
                server.server.stop()
                server = try folder.server { $0.types = types }
                // What was in memory is gone.
                rows = rows.filter { !$0.key.hasPrefix("/v1/m/") }
            }
            let wanted = try answers(server, queries)
            for watcher in watchers {
                cuts += 1
                if watcher.states.values.contains(where: \.isBetweenParts) { cutsBetweenParts += 1 }
                let last = try follow(
                    try TestStream(server, target, lastEventID: watcher.lastID), watcher
                ).last
                check(
                    try #require(last), wanted, queries, "behind \(watcher.lastID ?? "nothing")")
            }
        }
        #expect(isEnough(), "\(cuts) cuts, \(cutsBetweenParts) between parts")
    }

    @Test func whoWasCutOffBehindAnyEventShowsWhatASearchAnswers() throws {
        try run(rounds: 40, restarts: false)
    }

    @Test func alsoWhereTheServerHasStartedAnew() throws {
        try run(rounds: 15, restarts: true)
    }

    /// Of several queries, what each of them is told first by a client's cursor.
    private func news(_ server: TestServer, _ target: String, after id: String) throws -> [String] {
        let stream = try TestStream(server, target, lastEventID: id)
        var news: [String] = []
        while news.last?.hasPrefix("sync") != true {
            let event = try stream.next()
            if event.name != "hello" { news.append("\(event.name) \(event.data)") }
        }
        return news.map {
            $0.replacing(/"(from|to|v)":\d+/) { "\"\($0.output.1)\":N" }
                .replacing(/"at":".*"/, with: "")
        }
    }

    @Test func aRowThatCameBehindTheLastSyncAndHasGoneIsNamed() throws {
        let server = try TestServer()
        let several =
            "/v1/_live?q.a=\("/v1/t?order=n&limit=10".asParameter)"
            + "&q.b=\("/v1/t?limit=3&live=snapshot".asParameter)"
            + "&q.c=\("/v1/t?group=n".asParameter)"
        let stream = try TestStream(server, several)
        var event = try stream.next()
        while event.name != "sync" { event = try stream.next() }
        let id = try #require(event.id)
        #expect(try news(server, several, after: id) == ["sync {}"])
        _ = try server.send("PUT", "/v1/t/x", #"{"n":1}"#)
        _ = try server.send("DELETE", "/v1/t/x")
        #expect(
            try news(server, several, after: id).sorted() == [
                #"delta {"q":"a","from":N,"to":N,"remove":{"x":"deleted"},"place":[],"put":[],"commits":2}"#,
                #"snapshot {"q":"b","v":N,"why":"retention","items":[],"part":0,"more":false,"source":"local","stale":false}"#,
                #"snapshot {"q":"c","v":N,"why":"retention","groups":[],"part":0,"more":false,"source":"local","stale":false}"#,
                "sync {}",
            ])
    }

    @Test func whatIsIncludedIsNotTakenForUnchangedBehindARestart() throws {
        let folder = try DataFolder()
        let types = try Self.types()
        var server: TestServer? = try folder.server { $0.types = types }
        let several = "/v1/_live?q.a=\("/v1/t?include=by".asParameter)"
        _ = try server?.send("PUT", "/v1/p/1", #"{"n":1}"#)
        _ = try server?.send("PUT", "/v1/t/x", #"{"by":"1"}"#)
        let id: String
        do {
            let stream = try TestStream(try #require(server), several)
            var event = try stream.next()
            while event.name != "sync" { event = try stream.next() }
            id = try #require(event.id)
        }
        _ = try server?.send("PUT", "/v1/p/1", #"{"n":2}"#)
        server?.server.stop()
        server = try folder.server { $0.types = types }
        let news = try news(try #require(server), several, after: id)
        #expect(news.count == 2 && news[0].contains(#""n":2"#), "\(news)")
    }
}
