import FreshetBase
@testable import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// System types over real sockets: console.md section 3.
@Suite struct SystemTypeTests {
    private func rows(_ server: TestServer, _ type: String, _ count: Int) throws {
        for id in 1...count {
            #expect(try server.send("PUT", "/v1/\(type)/\(id)", #"{"n":\#(id)}"#).status == 201)
        }
    }

    private func items(_ answer: TestResponse) throws -> [JSONValue] {
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(try JSONValue.parse(answer.body)["items"]?.arrayValue)
    }

    private func ids(_ answer: TestResponse) throws -> [String] {
        try items(answer).compactMap { $0["id"]?.stringValue }
    }

    /// Events until one of which `isLast` is true; all of them.
    private func events(
        _ stream: TestStream, until isLast: (TestEvent) -> Bool
    ) throws -> [TestEvent] {
        var all: [TestEvent] = []
        repeat { all.append(try stream.next()) } while !isLast(all[all.count - 1])
        return all
    }

    private func events(_ stream: TestStream, through name: String) throws -> [TestEvent] {
        try events(stream) { $0.name == name }
    }

    // MARK: Two doors

    @Test func theListAnswersAsEverAndTheSearchAnswersRows() throws {
        let server = try TestServer()
        try rows(server, "task", 3)
        try rows(server, "note", 1)
        let plain = try server.send("GET", "/v1/_types")
        #expect(
            plain.body == #"{"items":[{"name":"note","count":1,"unfit":0,"sources":[],"#
                + #""declared":false},{"name":"task","count":3,"unfit":0,"sources":[],"#
                + #""declared":false}]}"# + "\n")
        let found = try server.send("GET", "/v1/_types?filter=count>1&count=true")
        #expect(
            try items(found).map(\.text) == [
                #"{"id":"task","name":"task","count":3,"unfit":0,"sources":[],"declared":false,"#
                    + #""bytes":48,"store":"memory","liveQueries":0,"writesPerSecond":null,"#
                    + #""lastChangeAt":null}"#
            ])
        let meta = try #require(try JSONValue.parse(found.body)["meta"])
        #expect(meta["total"]?.int64Value == 1 && meta["source"] == "system")
        #expect(found.header("ETag") == nil && found.header("Cache-Control") == "no-store")
        #expect(found.header("Freshet-Cursor") == nil)
        #expect(try ids(server.send("GET", "/v1/_types?order=-count")) == ["task", "note"])
        let one = try server.send("GET", "/v1/_types/task?fields=count")
        #expect(one.body == #"{"id":"task","count":3}"# + "\n" && one.header("ETag") == nil)
        #expect(try server.send("GET", "/v1/_types/none?fields=count").status == 404)
        #expect(try server.send("GET", "/v1/_types/task").body.contains(#""unfitEntities":[]"#))
        let sum = try server.send("GET", "/v1/_types?aggregate=sum(count),count")
        #expect(sum.body.contains(#""aggregates":{"sum(count)":4,"count":2}"#))
        #expect(
            try server.send("GET", "/v1/_types?limit=1&order=count").header("Link")?
                .contains("after=") == true)
    }

    @Test(
        arguments: [
            "include=a", "depth=2", "meta=true", "source=local", "persist=none", "contract=a",
            "trustRemote=true", "endpoint=a", "endpoint.a=b", "nonsense=1", "state=dead",
        ])
    func whatIsNotAboutRowsIsRefused(parameter: String) throws {
        let server = try TestServer()
        for type in ["_types", "_streams", "_outbox"] {
            if parameter == "state=dead", type == "_outbox" { continue }
            let answer = try server.send("GET", "/v1/\(type)?\(parameter)")
            #expect(answer.status == 400 && answer.body.contains(#""code":"bad-parameter""#))
        }
        let mixed = try server.send("GET", "/v1/_outbox?state=dead&order=number")
        #expect(mixed.status == 400 && mixed.body.contains("filter=state=="))
        #expect(try server.send("POST", "/v1/_types/_search", "{}").status == 405)
        #expect(try server.send("PUT", "/v1/_types/task", "{}").status == 405)
    }

    @Test func aStrictServerKnowsItsOwnTypes() throws {
        let server = try TestServer { $0.isStrict = true }
        #expect(try ids(server.send("GET", "/v1/_types?limit=5")) == [])
        #expect(try ids(server.send("GET", "/v1/_outbox?order=number")) == [])
        #expect(try server.send("GET", "/v1/task").status == 404)
    }

    // MARK: Live

    @Test func aStreamShowsEachChange() throws {
        let server = try TestServer()
        try rows(server, "task", 1)
        let stream = try TestStream(server, "/v1/_types?live=delta&fields=count")
        let first = try events(stream, through: "snapshot")
        #expect(first.map(\.name) == ["hello", "snapshot"])
        #expect(first[1].data.contains(#""items":[{"id":"task","count":1}]"#))
        #expect(first[1].data.contains(#""source":"system""#))
        try rows(server, "note", 2)
        let came = try events(stream) { $0.data.contains(#"{"id":"note","count":2}"#) }
        #expect(came.allSatisfy { $0.name == "delta" && $0.id != nil })
        _ = try server.send("DELETE", "/v1/note?all=true")
        let gone = try events(stream) { $0.data.contains(#""note":"#) }
        #expect(gone.last?.data.contains(#""remove":{"note":"deleted"}"#) == true)
        // While somebody watches, a search reads what the stream shows.
        let rows = try items(server.send("GET", "/v1/_types?limit=9"))
        #expect(rows.count == 1 && rows[0]["lastChangeAt"] == .null)
        #expect(rows[0]["id"] == "task" && rows[0]["count"]?.int64Value == 1)
        _ = try server.send("PUT", "/v1/task/2", "{}")
        _ = try events(stream) { $0.data.contains(#"{"id":"task","count":2}"#) }
        let seen = try items(server.send("GET", "/v1/_types?limit=9"))
        #expect(seen.first?["lastChangeAt"]?.stringValue != nil)
    }

    @Test func aStreamIsResumed() throws {
        let server = try TestServer()
        try rows(server, "task", 1)
        let target = "/v1/_types?live=delta&fields=count"
        let stream = try TestStream(server, target)
        let id = try #require(try events(stream, through: "snapshot").last?.id)
        stream.close()
        let same = try events(try TestStream(server, target, lastEventID: id)) {
            $0.name != "hello"
        }
        #expect(same.last?.name == "sync" && same.last?.id == id)
        try rows(server, "note", 1)
        let later = try TestStream(server, target, lastEventID: id)
        let came = try events(later) { $0.data.contains("note") }
        #expect(came.last?.name == "delta" && !came.contains { $0.name == "snapshot" })
        let strange = try events(
            try TestStream(server, target, lastEventID: "k3f9.7.1"), through: "snapshot")
        #expect(strange.last?.data.contains(#""why":"epoch""#) == true)
    }

    @Test func severalQueriesOfBothKindsStepTogether() throws {
        let server = try TestServer()
        try rows(server, "task", 1)
        let target =
            "/v1/_live?q.types=/v1/_types?fields%3Dcount&q.task=/v1/task"
            + "&q.one=/v1/_types/task?fields%3Dcount"
        let stream = try TestStream(server, target)
        let first = try events(stream, through: "sync")
        #expect(first.count { $0.name == "snapshot" } == 3)
        let cursor = try server.send("PUT", "/v1/task/2", "{}").header("Freshet-Cursor")
        var seen: Set<String> = []
        let all = try events(stream) { event in
            for name in ["types", "task", "one"]
            where event.name == "delta" && event.data.contains(#""q":"\#(name)""#) {
                seen.insert(name)
            }
            return event.name == "sync" && seen.count == 3
        }
        #expect(all.last?.id == cursor, "the position is one of entities")
        // Who comes back has the rows of entities exact, and system types told anew.
        let back = try events(
            try TestStream(server, target, lastEventID: cursor), through: "sync")
        let told = back.filter { $0.name == "snapshot" }
        #expect(told.count == 2 && told.allSatisfy { $0.data.contains(#""why":"initial""#) })
        #expect(told.allSatisfy { $0.data.contains(#""source":"system""#) })
    }

    @Test func aSessionTakesThemToo() throws {
        let server = try TestServer()
        try rows(server, "task", 1)
        let made = try server.send(
            "POST", "/v1/_live", #"{"queries":{"task":"/v1/task"}}"#)
        let path = try #require(made.header("Location"))
        let url = try #require(try JSONValue.parse(made.body)["url"]?.stringValue)
        let stream = try TestStream(server, url)
        _ = try events(stream, through: "sync")
        let changed = try server.send(
            "PATCH", path, #"{"queries":{"types":"/v1/_types?fields=count"}}"#,
            headers: ["Content-Type: application/merge-patch+json"])
        #expect(changed.status == 200)
        let added = try events(stream, through: "sync")
        #expect(added.contains { $0.data.contains(#"{"id":"task","count":1}"#) })
        let listed = try items(server.send("GET", "/v1/_streams?filter=kind=='session'"))
        #expect(listed.count == 1)
        let queries = try #require(listed[0]["queries"]?.arrayValue)
        let texts = queries.compactMap { $0["text"]?.stringValue }
        #expect(texts == ["/v1/task", "/v1/_types?fields=count"])
        // A ticket stands in no row.
        let ticket = try #require(url.split(separator: "=").last)
        #expect(!listed[0].text.contains(ticket))
    }

    @Test func aLongPollWaitsForTheNextChange() throws {
        let server = try TestServer()
        try rows(server, "task", 1)
        let first = try server.send("GET", "/v1/_types?wait=0&fields=count")
        let cursor = try #require(try JSONValue.parse(first.body)["cursor"]?.stringValue)
        #expect(first.body.contains(#""items":[{"id":"task","count":1}]"#))
        #expect(first.body.contains(#""source":"system""#))
        _ = try server.send("PUT", "/v1/task/2", "{}")
        let next = try server.send("GET", "/v1/_types?wait=100&since=\(cursor)&fields=count")
        #expect(next.body.contains(#""put":[{"id":"task","count":2}]"#), "\(next.body)")
    }

    // MARK: Streams

    @Test func streamsTellWhoWatchesWhat() throws {
        let server = try TestServer()
        try rows(server, "task", 1)
        let one = try TestStream(server, "/v1/task?filter=n>0+and+s=='a%26b'&order=-n&limit=5")
        _ = try events(one, through: "snapshot")
        let two = try TestStream(server, "/v1/task/a%2F1?live=delta")
        _ = try events(two, through: "snapshot")
        let found = try items(server.send("GET", "/v1/_streams?order=id"))
        #expect(found.count == 2)
        #expect(found[0]["kind"] == "query" && found[0]["address"] == "127.0.0.1")
        #expect(found[0]["caller"] == "" && found[0]["since"]?.stringValue != nil)
        #expect((found[0]["bytes"]?.int64Value ?? 0) > 0 && found[0]["seq"]?.int64Value == 1)
        let query = try #require(found[0]["queries"]?[0])
        #expect(query["q"] == .null && query["mode"] == "snapshot")
        #expect(query["watchers"]?.int64Value == 1)
        // What is told can be asked again.
        let text = try #require(query["text"]?.stringValue)
        #expect(text.contains("order=-n&limit=5") && text.contains("%26"))
        #expect(try server.send("GET", text).status == 200)
        #expect(found[1]["queries"]?[0]?["text"] == "/v1/task/a%2F1")
        #expect(found[1]["queries"]?[0]?["mode"] == "delta")
    }

    @Test func aStreamThatWatchesStreamsTellsNothingOfItself() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/_streams?live=delta")
        // Its own row may come behind the snapshot, which it was not open for.
        _ = try events(stream) { $0.data.contains(#""bytes":null"#) }
        let other = try TestStream(server, "/v1/task")
        _ = try events(other, through: "snapshot")
        let came = try events(stream) { $0.data.contains(#""text":"/v1/task""#) }
        #expect(came.allSatisfy { $0.name == "delta" })
        let id = try #require(try ids(server.send("GET", "/v1/_streams?order=-id&limit=1")).first)
        #expect(try server.send("GET", "/v1/_streams/\(id)").status == 200)
        other.close()
        let gone = try events(stream) { $0.data.contains(#""remove":{"\#(id)":"deleted"}"#) }
        #expect(gone.last?.name == "delta")
        #expect(try server.send("GET", "/v1/_streams/\(id)").status == 404)
    }

    // MARK: Cost

    @Test func whatNobodyWatchesCostsNothing() throws {
        let server = try TestServer()
        func made() throws -> [String] {
            try server.send("GET", "/metrics").body.split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("freshet_system_rows_rendered_total{") }
        }
        let before = try made()
        #expect(
            before.count == SystemType.allCases.count - 1
                && before.allSatisfy { $0.hasSuffix(" 0") })
        try rows(server, "task", 20)
        #expect(try made() == before)
        _ = try server.send("GET", "/v1/_types?limit=1")
        #expect(try made().contains { $0.contains("_types") && $0.hasSuffix(" 1") })
    }

    // MARK: Rights

    private static let access = #"""
        {"anonymous": {},
         "tokens": [
          {"name": "reader", "sha256": "@reader", "types": {"task": {"read": true}}},
          {"name": "blue", "sha256": "@blue",
           "types": {"note": {"read": "n == 1"}, "*": {"read": true}}},
          {"name": "root", "sha256": "@root", "admin": true},
          {"name": "mute", "sha256": "@mute"}
         ]}
        """#

    private func reload(_ server: TestServer, _ access: String) throws {
        var settings = ServeSettings.standard
        settings.logLevel = .error
        settings.access = try AccessScene.settings(access)
        settings.digest = SHA256Digest(of: access).hexadecimal
        server.server.reload(settings)
    }

    @Test func everybodySeesWhatItReadsInFull() throws {
        let server = try AccessScene.server(Self.access)
        for (type, id) in [("task", 1), ("note", 1), ("secret", 1)] {
            #expect(try server.ask("root", "PUT", "/v1/\(type)/\(id)", "{}").status == 201)
        }
        func names(_ caller: String) throws -> [String] {
            try ids(server.ask(caller, "GET", "/v1/_types?order=id"))
        }
        #expect(try names("reader") == ["task"])
        #expect(try names("blue") == ["secret", "task"], "a type under a rule is in the list only")
        #expect(try names("root") == ["note", "secret", "task"])
        #expect(try server.ask("mute", "GET", "/v1/_types?order=id").status == 403)
        #expect(try server.ask(nil, "GET", "/v1/_types?order=id").status == 401)
        #expect(try server.ask("blue", "GET", "/v1/_types/note?fields=count").status == 404)
        for type in ["_streams", "_outbox"] {
            for caller in ["reader", "blue", "mute"] {
                let target = "/v1/\(type)?order=id"
                #expect(try server.ask(caller, "GET", target).status == 403)
                let alias = "/v1/_live?q.a=/v1/\(type)"
                #expect(try server.ask(caller, "GET", alias).status == 403)
            }
            #expect(try server.ask("root", "GET", "/v1/\(type)?order=id").status == 200)
        }
    }

    @Test func rightsThatChangeChangeWhatIsShown() throws {
        let server = try AccessScene.server(Self.access)
        for type in ["task", "note", "secret"] {
            #expect(try server.ask("root", "PUT", "/v1/\(type)/1", "{}").status == 201)
        }
        let types = try TestStream(
            server, "/v1/_types?live=delta&fields=count", headers: [AccessScene.bearer("blue")])
        let shown = try events(types, through: "snapshot")
        #expect(shown.last?.data.contains(#"{"id":"secret","count":1}"#) == true)
        let streams = try TestStream(
            server, "/v1/_streams?live=delta", headers: [AccessScene.bearer("root")])
        _ = try events(streams, through: "snapshot")
        let several = try TestStream(
            server, "/v1/_live?q.a=/v1/_outbox&q.b=/v1/task",
            headers: [AccessScene.bearer("root")])
        _ = try events(several, through: "sync")
        try reload(
            server,
            Self.access.replacing(#""*": {"read": true}"#, with: #""task": {"read": true}"#)
                .replacing(#""admin": true"#, with: #""types": {"task": {"read": true}}"#))
        let left = try events(types) { $0.name == "delta" || $0.name == "snapshot" }
        #expect(left.last?.data.contains(#""secret":"forbidden""#) == true, "\(left)")
        let bye = try events(streams, through: "bye")
        #expect(bye.last?.data.contains(#""reason":"access","reconnect":false"#) == true)
        let fault = try events(several, through: "fault")
        #expect(fault.last?.data.contains(#""q":"a""#) == true)
    }
}
