import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// What a caller with row rules sees and does.
@Suite struct RowRuleTests {
    private func fill(_ server: TestServer) throws {
        let rows = [
            #"{"id":1,"team":"blue","rank":1,"note":7}"#,
            #"{"id":2,"team":"red","rank":2,"note":8}"#,
            #"{"id":3,"team":"red","owner":"blue","rank":3}"#,
            #"{"id":4,"team":"blue","rank":9}"#,
        ]
        for row in rows {
            #expect(try server.ask("root", "POST", "/v1/task", row).status == 201)
        }
    }

    // MARK: Nothing leaks

    /// Row 2 is hidden from "blue", 9 is absent; nothing may tell them apart.
    @Test(
        arguments: [
            ("GET", "", nil, []), ("HEAD", "", nil, []), ("GET", "?fields=team", nil, []),
            ("GET", "?meta=true", nil, []), ("GET", "", nil, ["If-None-Match: \"2\""]),
            ("GET", "", nil, ["If-None-Match: *"]),
            ("PATCH", "", "{\"rank\":1}", []), ("PATCH", "", "{\"rank\":99}", []),
            ("PATCH", "", "{}", ["If-Match: \"2\""]), ("PATCH", "", "{}", ["If-Match: *"]),
            ("PATCH", "", "{}", ["If-Match: \"77\""]), ("PATCH", "", "{}", ["If-None-Match: *"]),
            ("PATCH", "", "{}", ["Prefer: return=minimal"]), ("PATCH", "", "{\"id\":\"z\"}", []),
            ("DELETE", "", nil, []), ("DELETE", "", nil, ["If-Match: \"2\""]),
            ("DELETE", "", nil, ["If-Match: *"]), ("DELETE", "", nil, ["If-None-Match: *"]),
        ] as [(String, String, String?, [String])])
    func aHiddenRowAnswersAsAnAbsentOne(
        method: String, query: String, body: String?, headers: [String]
    ) throws {
        let server = try AccessScene.server()
        try fill(server)
        func ask(_ id: Int) throws -> TestResponse {
            try server.ask("blue", method, "/v1/task/\(id)\(query)", body, headers: headers)
        }
        let hidden = try ask(2)
        #expect(hidden.tellingParts(naming: 2) == (try ask(9)).tellingParts(naming: 9))
        #expect([404, 412].contains(hidden.status), "\(hidden.status)")
        #expect(!hidden.body.contains("red"))
        #expect(try server.ask("root", "GET", "/v1/task/2").header("ETag") == "\"2\"")
    }

    @Test func searchesByHiddenIDsFindNothing() throws {
        let server = try AccessScene.server()
        try fill(server)
        let found = try server.ask("blue", "GET", "/v1/task?ids=2,1,99&meta=true")
        #expect(found.body.contains(#""missing":["2","99"]"#) && !found.body.contains("red"))
        let batch = { (id: Int) in
            try server.ask(
                "blue", "POST", "/v1/_batch",
                #"{"operations":[{"remove":{"type":"task","id":\#(id)}}]}"#)
        }
        #expect(try batch(2).tellingParts(naming: 2) == batch(9).tellingParts(naming: 9))
        #expect(try batch(2).status == 404)
        let removed = try server.ask("blue", "POST", "/v1/task/_remove", #"{"ids":[2,3,99]}"#)
        #expect(removed.status == 200 && removed.body == "{\"removed\":[]}\n")
    }

    @Test(
        arguments: [
            ("PUT", "/v1/task/2", #"{"team":"blue","rank":1}"#, [], 403),
            ("PUT", "/v1/task/2", #"{"team":"blue","rank":1}"#, ["If-Match: \"77\""], 403),
            ("PUT", "/v1/task/2", #"{"team":"blue","rank":1}"#, ["If-None-Match: *"], 403),
            ("POST", "/v1/task", #"{"id":2,"team":"blue","rank":1}"#, [], 403),
            ("POST", "/v1/task/_set", #"[{"id":2,"team":"blue","rank":1}]"#, [], 403),
            // Readable by its owner, and not of the team.
            ("PUT", "/v1/task/3", #"{"team":"blue","rank":1}"#, [], 403),
            ("PATCH", "/v1/task/3", #"{"team":"blue"}"#, [], 403),
            ("PATCH", "/v1/task/3", "{}", ["If-Match: \"77\""], 403),
            ("DELETE", "/v1/task/3", nil, [], 403),
            // A result outside of the rule, and a start outside of it.
            ("PUT", "/v1/task/1", #"{"team":"red","rank":1}"#, [], 403),
            ("PATCH", "/v1/task/1", #"{"rank":6}"#, [], 403),
            ("PATCH", "/v1/task/4", #"{"rank":1}"#, [], 403),
            ("POST", "/v1/task", #"{"team":"red","rank":1}"#, [], 403),
            ("POST", "/v1/task/_set", #"[{"team":"blue","rank":1},{"team":"red"}]"#, [], 403),
            (
                "POST", "/v1/_batch",
                #"{"operations":[{"patch":{"type":"task","id":1,"patch":{"rank":2}}},"#
                    + #"{"set":{"type":"other","entity":{"id":1}}}]}"#, [], 403
            ),
            // And what is allowed.
            ("PATCH", "/v1/task/1", #"{"rank":5}"#, [], 200),
            ("PUT", "/v1/task/1", #"{"team":"blue","rank":2}"#, ["If-Match: \"1\""], 200),
            ("PUT", "/v1/task/1", #"{"team":"blue","rank":2}"#, ["If-Match: \"2\""], 412),
            ("POST", "/v1/task", #"{"id":1,"team":"blue","rank":1}"#, [], 409),
            ("POST", "/v1/task", #"{"team":"blue","rank":1}"#, [], 201),
            ("DELETE", "/v1/task/1", nil, [], 204),
        ] as [(String, String, String?, [String], Int)])
    func writesKeepToTheRule(
        method: String, target: String, body: String?, headers: [String], status: Int
    ) throws {
        let server = try AccessScene.server()
        try fill(server)
        let before = try server.ask("root", "GET", "/v1/task").body
        let answer = try server.ask("blue", method, target, body, headers: headers)
        #expect(answer.status == status)
        if status == 403 {
            #expect(!answer.body.contains("current") && !answer.body.contains("red"))
            #expect(try server.ask("root", "GET", "/v1/task").body == before)
        }
    }

    @Test func aRemovalByQueryTakesWhatMayBeReadAndWritten() throws {
        let server = try AccessScene.server()
        try fill(server)
        let removed = try server.ask("blue", "DELETE", "/v1/task?all=true")
        #expect(removed.body == "{\"removed\":[1]}\n")
        #expect(
            try server.ask("root", "GET", "/v1/task?count=true&limit=0").body.contains(
                #""total":3"#))
    }

    // MARK: The same as an administrator sees under the filter

    @Test func searchesAnswerWhatAnAdministratorFindsUnderTheRule() throws {
        let seed = TestSeed.first
        print("row rules, seed \(seed)")
        var random = SplitMix(state: seed)
        let server = try AccessScene.server()
        let teams = ["blue", "red", "green"]
        var ids: [Int] = []
        for id in 0..<120 {
            let team = teams.randomElement(using: &random) ?? ""
            let owner = ["blue", "x"].randomElement(using: &random) ?? ""
            let row =
                #"{"id":\#(id),"team":"\#(team)","owner":"\#(owner)","rank":\#(Int.random(in: 0..<9, using: &random))}"#
            _ = try server.ask("root", "POST", "/v1/task", row)
            ids.append(id)
        }
        let rule = "(team=='blue'+or+owner=='blue')"
        let filters = [
            "rank>4", "team=='red'", "not+rank==3", "rank+in+(1,2,3)", "true", "team!='blue'",
        ]
        let rest = [
            "&order=-rank", "&count=true", "&limit=3&order=rank", "&offset=2&limit=4&count=true",
            "&fields=team", "&order=team,-rank&limit=7", "",
        ]
        for _ in 0..<60 {
            let filter = filters.randomElement(using: &random) ?? ""
            let tail = rest.randomElement(using: &random) ?? ""
            let mine = try server.ask("blue", "GET", "/v1/task?filter=\(filter)\(tail)")
            let full = try server.ask(
                "root", "GET", "/v1/task?filter=(\(filter))+and+\(rule)\(tail)")
            #expect(mine.status == 200 && mine.body == full.body, "\(filter)\(tail)")
        }
        // Pages lead through the same rows.
        var target = "/v1/task?limit=7&order=-rank"
        var seen: [String] = []
        while true {
            let page = try server.ask("blue", "GET", target)
            let body = try JSONValue.parse(Array(page.body.utf8))
            seen += (body["items"]?.arrayValue ?? []).map(\.text)
            guard let next = body["meta"]?["next"]?.stringValue else { break }
            target = "/v1/task?limit=7&order=-rank&after=\(next)"
        }
        let whole = try server.ask("root", "GET", "/v1/task?limit=1000&order=-rank&filter=\(rule)")
        let all = try JSONValue.parse(Array(whole.body.utf8))
        #expect(seen == (all["items"]?.arrayValue ?? []).map(\.text) && !seen.isEmpty)
        let shown = Set((all["items"]?.arrayValue ?? []).compactMap { $0["id"]?.int64Value })
        for id in ids {
            let status = try server.ask("blue", "GET", "/v1/task/\(id)").status
            #expect(status == (shown.contains(Int64(id)) ? 200 : 404))
        }
        let types = try server.ask("blue", "GET", "/v1")
        #expect(types.body.contains(#"{"name":"task","count":\#(seen.count),"#))
    }

    @Test func includedEntitiesThatAreHiddenAreMissing() throws {
        let file = try TemporaryFile(
            #"""
            {"types":{"task":{"relationships":{"note":{"type":"note","association":"one"}}},
                      "note":{"relationships":{"tasks":{"type":"task","by":"note"}}}}}
            """#)
        let types = ConfigurationSource(flags: [:], environment: [:], path: file.path).resolve()
        #expect(types.faults.isEmpty)
        let server = try AccessScene.server { $0.types = types.settings.types }
        for row in [
            #"{"id":1,"team":"blue","note":7}"#, #"{"id":2,"team":"red","note":7}"#,
            #"{"id":3,"team":"blue","note":8}"#, #"{"id":4,"team":"blue","note":9}"#,
        ] {
            _ = try server.ask("root", "POST", "/v1/task", row)
        }
        _ = try server.ask("root", "PUT", "/v1/note/7", #"{"team":"blue"}"#)
        _ = try server.ask("root", "PUT", "/v1/note/8", #"{"team":"red","secret":1}"#)
        let found = try server.ask("blue", "GET", "/v1/task?include=note")
        #expect(found.body.contains(#""missing":["note:8","note:9"]"#), "\(found.body)")
        #expect(!found.body.contains("secret"))
        let back = try server.ask("blue", "GET", "/v1/note/7?include=tasks")
        #expect(back.body.contains(#""1":{"id":1"#) && !back.body.contains("red"))
        let stream = try TestStream(
            server, "/v1/task?include=note", headers: [AccessScene.bearer("blue")])
        _ = try stream.next()
        let event = try stream.next()
        #expect(event.name == "snapshot" && !event.data.contains("secret"))
    }

    // MARK: Around entities

    @Test func onlyTypesThatMayBeReadAreShown() throws {
        let server = try AccessScene.server()
        try fill(server)
        _ = try server.ask("root", "PUT", "/v1/open/1", "{}")
        _ = try server.ask("root", "PUT", "/v1/vault/1", "{}")
        _ = try server.ask("root", "PUT", "/v1/note/1", #"{"team":"red"}"#)
        for target in ["/", "/v1", "/v1/_types"] {
            let mine = try server.ask("blue", "GET", target).body
            #expect(mine.contains(#""name":"task","count":3"#), "\(target)")
            #expect(!mine.contains("vault") && !mine.contains("\"note\""), "\(target)")
            let open = try server.ask(nil, "GET", target).body
            #expect(open.contains(#""name":"open""#) && !open.contains("\"task\""))
        }
        #expect(try server.ask("blue", "GET", "/v1/_types/vault").status == 404)
        #expect(
            try server.ask("blue", "GET", "/v1/_types/vault").tellingParts
                == server.ask("blue", "GET", "/v1/_types/nothing").tellingParts)
        let html = try server.ask("blue", "GET", "/", headers: ["Accept: text/html"]).body
        #expect(html.contains("task") && !html.contains("vault"))
        let metrics = try server.ask("blue", "GET", "/metrics").body
        #expect(!metrics.contains("vault") && !metrics.contains(#"type="task""#))
        #expect(try server.ask("root", "GET", "/metrics").body.contains(#"{type="vault"} 1"#))
    }

    @Test func idempotencyKeysBelongToTheirCaller() throws {
        let server = try AccessScene.server()
        let key = ["Idempotency-Key: k"]
        let first = try server.ask("root", "POST", "/v1/task", #"{"team":"blue"}"#, headers: key)
        let again = try server.ask("root", "POST", "/v1/task", #"{"team":"blue"}"#, headers: key)
        let other = try server.ask("writer", "POST", "/v1/task", #"{"team":"blue"}"#, headers: key)
        #expect(first.status == 201 && first.body == again.body)
        #expect(other.status == 201 && other.body != first.body)
    }

    @Test func answersVaryByTheTokenAndAreNotKnownToOthers() throws {
        let server = try AccessScene.server()
        try fill(server)
        let full = try server.ask("root", "GET", "/v1/task")
        let varies = full.headers.filter { $0.name == "Vary" }.map(\.value)
        #expect(varies.contains("Authorization") && varies.contains("Accept"))
        let tag = try #require(full.header("ETag"))
        let mine = try server.ask("blue", "GET", "/v1/task", headers: ["If-None-Match: \(tag)"])
        #expect(mine.status == 200)
    }
}

/// A small generator that a seed repeats.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
