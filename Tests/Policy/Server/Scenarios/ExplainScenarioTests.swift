import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetServer
import Testing

/// Searches through declared indexes, over HTTP.
@Suite struct ExplainScenarioTests {
    private let server: TestServer

    init() throws {
        let declarations = [
            (
                "task",
                """
                {"indexes":["tags","owner",["status","-at"]],"relationships":{\
                "owner":{"type":"person","association":"one"}}}
                """
            ),
            ("person", #"{"relationships":{"tasks":{"type":"task","by":"owner"}}}"#),
        ]
        var types: [TypeSchema] = []
        for (name, text) in declarations {
            types.append(try declaredType(name, text))
        }
        server = try TestServer { $0.types = types }
        let tasks = (0..<600).map { id in
            """
            {"id":\(id),"status":"\(id % 3 == 0 ? "open" : "done")","at":\(id),"owner":\(id % 50),\
            "tags":["t\(id % 7)","t\(id % 11)"]}
            """
        }
        let people = (0..<50).map { "{\"id\":\($0)}" }
        for (type, bodies) in [("task", tasks), ("person", people)] {
            let body = "[\(bodies.joined(separator: ","))]"
            #expect(try server.send("POST", "/v1/\(type)/_set", body).status == 200)
        }
    }

    private func plan(_ response: TestResponse) throws -> JSONValue {
        try #require(try JSONValue.parse(response.body)["meta"]?["plan"], "\(response.body)")
    }

    @Test func aPlanIsShownWhereItIsAskedFor() throws {
        let question = "filter=status=='open'&order=-at&limit=5&count=true"
        let plain = try server.send("GET", "/v1/task?\(question)")
        let explained = try server.send("GET", "/v1/task?\(question)&explain=true")
        #expect(!plain.body.contains("\"plan\""))
        #expect(plain.body.contains("\"total\":200"))
        #expect(explained.body.hasPrefix(String(plain.body.prefix { $0 != "]" })))
        let plan = try plan(explained)
        #expect(plan["index"] == "status,-at")
        #expect(plan["orderFromIndex"] == true && plan["countFromIndex"] == true)
        #expect(plan["ranges"] == [#"status: "open""#])
        #expect(plan["rowsReturned"] == 5 && plan["rowsExamined"] == 6)
        let posted = try server.send(
            "POST", "/v1/task/_search",
            #"{"filter":"status=='open'","order":["-at"],"limit":5,"count":true,"explain":true}"#)
        #expect(try self.plan(posted) == plan)
    }

    /// `meta.live` of a search.
    private func live(_ response: TestResponse) throws -> JSONValue? {
        try JSONValue.parse(response.body)["meta"]?["live"]
    }

    @Test func howAChangeFindsTheQueryIsToldAndWhoWatchesIt() throws {
        for (filter, index) in [
            ("status=='open'", "hash"), ("status=='open'+and+at%3E5", "hash+range"),
            ("at%3E5", "range"), ("owner!=3", "residual"), ("false", "none"),
        ] {
            let question = "/v1/task?filter=\(filter)&order=-at&limit=5"
            let plain = try server.send("GET", question)
            #expect(try live(plain) == nil)
            let before = try server.send("GET", question + "&explain=true")
            #expect(try live(before) == ["index": .string(index), "watchers": 0])
            let streams = try (0..<2).map { _ in
                let stream = try TestStream(server, question + "&live=delta")
                // As the stream itself is told.
                #expect(try stream.next().data.contains("\"index\":\"\(index)\""))
                return stream
            }
            let watched = try server.send("GET", question + "&explain=true")
            #expect(try live(watched) == ["index": .string(index), "watchers": 2])
            // The figures are part of what a cache compares.
            #expect(watched.header("ETag") != before.header("ETag"))
            let others = try server.send("GET", question + "&offset=1&explain=true")
            #expect(try live(others)?["watchers"] == 0)
            for stream in streams { stream.close() }
        }
        let included = "/v1/person?ids=7&include=tasks"
        let stream = try TestStream(server, included + "&live=1")
        #expect(try stream.next().name == "hello")
        #expect(
            try live(try server.send("GET", included + "&explain=true"))
                == ["index": "hash", "watchers": 1])
    }

    @Test func aPageBehindAMarkCannotBeWatched() throws {
        let question = "/v1/task?limit=5&explain=true"
        let first = try JSONValue.parse(try server.send("GET", question).body)
        let next = try #require(first["meta"]?["next"]?.stringValue)
        let page = try server.send("GET", question + "&after=\(next)")
        #expect(try live(page) == .some(.null))
    }

    @Test func howManyWatchIsForAdministrators() throws {
        let server = try AccessScene.server()
        _ = try server.ask("root", "PUT", "/v1/task/1", #"{"team":"blue"}"#)
        for (caller, expected) in [
            ("reader", ["index": "residual"]), ("blue", ["index": "hash"]),
            ("root", ["index": "residual", "watchers": 0]),
        ] as [(String, JSONValue)] {
            let answer = try server.ask(caller, "GET", "/v1/task?explain=true")
            #expect(try live(answer) == expected, "\(caller): \(answer.body)")
        }
    }

    @Test func pagesThroughAnIndexBeginAtTheirMark() throws {
        var target = "/v1/task?filter=status=='open'&order=-at&limit=30&explain=true&fields=id"
        var seen: [Int64] = []
        let start = target
        while true {
            let body = try JSONValue.parse(try server.send("GET", target).body)
            seen += (body["items"]?.arrayValue ?? []).compactMap { $0["id"]?.int64Value }
            #expect(body["meta"]?["plan"]?["rowsExamined"]?.int64Value ?? 99 <= 31)
            guard let next = body["meta"]?["next"]?.stringValue else { break }
            target = start + "&after=\(next)"
        }
        #expect(seen == (0..<200).map { Int64(597 - 3 * $0) })
    }

    @Test func arraysAreFoundByTheirElements() throws {
        let response = try server.send(
            "GET", "/v1/task?filter=tags+has+'t10'&limit=0&count=true&explain=true")
        #expect(response.body.contains("\"total\":54"))
        let plan = try plan(response)
        #expect(plan["index"] == "tags" && plan["kind"] == "count" && plan["rowsExamined"] == 0)
    }

    @Test func whatPointsBackIsFoundByItsIndex() throws {
        let response = try server.send("GET", "/v1/person?ids=7&include=tasks")
        let tasks = try JSONValue.parse(response.body)["included"]?["task"]?.objectValue ?? []
        #expect(tasks.map(\.name) == (0..<12).map { "\(7 + 50 * $0)" })
    }

    @Test func indexesFollowWhatAFilterRemoves() throws {
        let removed = try server.send("DELETE", "/v1/task?filter=status=='open'+and+at+%3E=300")
        #expect(removed.status == 200)
        let left = try server.send("GET", "/v1/task?filter=status=='open'&limit=0&count=true")
        #expect(left.body.contains("\"total\":100"))
    }
}
