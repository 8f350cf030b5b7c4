import FreshetBase
import FreshetJSON
import FreshetLive
import FreshetQuery
import Testing

@testable import FreshetServer

/// Several queries on one connection, and sessions: each line of live.md's section 2.
@Suite struct LiveSessionTests {
    private func rows(_ server: TestServer, _ count: Int = 3) throws {
        for id in 1...count {
            #expect(try server.send("PUT", "/v1/t/\(id)", #"{"n":\#(id)}"#).status == 201)
        }
    }

    private func session(_ server: TestServer, _ queries: String) throws -> (
        path: String, url: String
    ) {
        let answer = try server.send("POST", "/v1/_live", #"{"queries":\#(queries)}"#)
        #expect(answer.status == 201, "\(answer.body)")
        let value = try JSONValue.parse(Array(answer.body.utf8))
        let path = try #require(answer.header("Location"))
        let id = try #require(value["session"]?.stringValue)
        #expect(path == "/v1/_live/\(id)" && value["expires"]?.stringValue != nil)
        return (path, try #require(value["url"]?.stringValue))
    }

    /// Events through the next one called `name`.
    private func events(_ stream: TestStream, through name: String) throws -> [TestEvent] {
        var all: [TestEvent] = []
        repeat { all.append(try stream.next()) } while all.last?.name != name
        return all
    }

    private static let two =
        "/v1/_live?q.low=/v1/t?filter%3Dn%3C%3D2%26order%3Dn&q.all=/v1/t?live%3Dsnapshot%26limit%3D5"

    // MARK: One URL

    @Test func twoQueriesStepTogetherAndOnlyTheSyncHasAnID() throws {
        let server = try TestServer()
        try rows(server)
        let stream = try TestStream(server, Self.two)
        let first = try events(stream, through: "sync")
        #expect(first.map(\.name) == ["hello", "snapshot", "snapshot", "sync"])
        #expect(first[0].data.contains(#""low":{"mode":"delta""#))
        #expect(first[0].data.contains(#""all":{"mode":"snapshot""#))
        #expect(first.dropLast().allSatisfy { $0.id == nil })
        let id = try #require(first[3].id)
        #expect(first[3].data == #"{"at":"\#(id)"}"#)
        #expect(id.split(separator: ".").count == 2)
        _ = try server.send("PATCH", "/v1/t/1", #"{"n":9}"#, headers: Self.merge)
        let second = try events(stream, through: "sync")
        #expect(Set(second.map(\.name)) == ["delta", "snapshot", "sync"])
        #expect(second.dropLast().allSatisfy { $0.id == nil })
        #expect(second.contains { $0.data.contains(#""q":"low""#) && $0.name == "delta" })
    }

    private static let merge = ["Content-Type: application/merge-patch+json"]

    @Test func aCursorOfSeveralResumesAllOfThem() throws {
        let server = try TestServer()
        try rows(server)
        let id = try #require(
            try events(try TestStream(server, Self.two), through: "sync").last?.id)
        let same = try events(
            try TestStream(server, Self.two, lastEventID: id), through: "sync")
        #expect(same.map(\.name) == ["hello", "sync"] && same[1].id == id)
        _ = try server.send("DELETE", "/v1/t/2")
        let changed = try events(
            try TestStream(server, Self.two + "&since=\(id)"), through: "sync")
        #expect(changed.contains { $0.name == "delta" && $0.data.contains(#""2":"deleted""#) })
        let strange = try events(
            try TestStream(server, Self.two, lastEventID: "nonsense"), through: "sync")
        #expect(strange.filter { $0.data.contains(#""why":"epoch""#) }.count == 2)
    }

    @Test(
        arguments: [
            ("q.a=/v1/t?filter%3D%28&q.b=/v1/t", 400, "bad-filter", "a"),
            ("q.b=/v1/t&q.a=/v1/t?nonsense%3D1", 400, "bad-parameter", "a"),
            ("q.a=/v1/t?after%3DAA", 400, "bad-parameter", "a"),
            ("q.a=/v1/t?since%3D1.2", 400, "bad-parameter", "a"),
            ("q.a=/v1/_nothing", 404, "not-found", "a"),
            ("q.a=https://elsewhere/v1/t", 400, "bad-parameter", "a"),
            ("q.a=/v1/t&q.a=/v1/t", 400, "bad-parameter", nil),
            ("q.=/v1/t", 400, "bad-parameter", nil),
            ("q.a=/v1/t&live=delta", 400, "bad-parameter", nil),
            ("q.a=/v1/t&wait=1", 400, "bad-parameter", nil),
            ("q.a=/v1/t&other=1", 400, "bad-parameter", nil),
            ("throttle=1", 400, "bad-parameter", nil),
        ] as [(String, Int, String, String?)])
    func aFaultyQueryRefusesTheWholeRequestByName(
        query: String, status: Int, code: String, alias: String?
    ) throws {
        let server = try TestServer()
        let answer = try server.send("GET", "/v1/_live?\(query)")
        #expect(answer.status == status && answer.body.contains(#""code":"\#(code)""#))
        if let alias { #expect(answer.body.contains(#""q":"\#(alias)""#)) }
    }

    @Test func aHundredQueriesAreCarriedAndOneMoreIsNot() throws {
        let server = try TestServer()
        func query(_ count: Int) -> String {
            (1...count).map { "q.a\($0)=/v1/t/\($0)" }.joined(separator: "&")
        }
        let stream = try TestStream(server, "/v1/_live?" + query(100))
        #expect(try events(stream, through: "sync").filter { $0.name == "snapshot" }.count == 100)
        let answer = try server.send("GET", "/v1/_live?" + query(101))
        #expect(answer.status == 422 && answer.body.contains("too-many-queries"))
        let body = (1...101).map { #""a\#($0)":"/v1/t""# }.joined(separator: ",")
        #expect(try server.send("POST", "/v1/_live", "{\"queries\":{\(body)}}").status == 422)
    }

    @Test func aQueryOfSeveralMayAskForAnEntityThatIsNotThere() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/_live?q.a=/v1/t/7&q.b=/v1/t")
        #expect(
            try events(stream, through: "sync").contains { $0.data.contains(#""items":[]"#) })
        _ = try server.send("PUT", "/v1/t/7", "{}")
        let next = try events(stream, through: "sync")
        #expect(next.filter { $0.name == "delta" }.count == 2)
    }

    // MARK: Sessions

    @Test func aSessionIsWatchedByItsURLAloneAndChangedWhileItRuns() throws {
        let server = try TestServer()
        try rows(server)
        let (path, url) = try session(server, #"{"a":"/v1/t?filter=n==1","b":"/v1/t/2"}"#)
        let stream = try TestStream(server, url)
        let first = try events(stream, through: "sync")
        #expect(first.map(\.name) == ["hello", "snapshot", "snapshot", "sync"])
        let changed = try server.send(
            "PATCH", path, #"{"queries":{"b":null,"c":"/v1/t?filter=n==3"}}"#)
        #expect(changed.status == 200 && !changed.body.contains(#""b""#))
        let second = try events(stream, through: "sync")
        #expect(second.map(\.name) == ["hello", "snapshot", "sync"])
        #expect(second[0].data.contains(#""c":"#) && !second[0].data.contains(#""b":"#))
        #expect(second[1].data.contains(#""q":"c""#) && second[2].id != first[3].id)
        _ = try server.send("DELETE", "/v1/t/2")
        _ = try server.send("DELETE", "/v1/t/3")
        let third = try events(stream, through: "sync")
        #expect(third.map(\.name).filter { $0 == "delta" }.count == 1)
        #expect(try server.send("DELETE", path).status == 204)
        let bye = try events(stream, through: "bye")
        #expect(bye.last?.data.contains(#""reason":"session-ended","reconnect":false"#) == true)
        for method in ["GET", "PATCH", "DELETE"] {
            let target = method == "GET" ? url : path
            let body = method == "PATCH" ? #"{"queries":{}}"# : nil
            #expect(try server.send(method, target, body).status == 404)
        }
    }

    @Test func aSecondConnectionReplacesTheFirst() throws {
        let server = try TestServer()
        let (_, url) = try session(server, #"{"a":"/v1/t"}"#)
        let first = try TestStream(server, url)
        _ = try events(first, through: "sync")
        let second = try TestStream(server, url)
        _ = try events(second, through: "sync")
        let bye = try events(first, through: "bye")
        #expect(bye.last?.data.contains(#""reason":"replaced","reconnect":false"#) == true)
        _ = try server.send("PUT", "/v1/t/1", "{}")
        #expect(try events(second, through: "sync").map(\.name) == ["delta", "sync"])
    }

    @Test func aFaultyChangeChangesNothing() throws {
        let server = try TestServer()
        let (path, url) = try session(server, #"{"a":"/v1/t"}"#)
        let stream = try TestStream(server, url)
        _ = try events(stream, through: "sync")
        for body in [
            #"{"queries":{"a":null,"b":"/v1/t?filter=("}}"#, #"{"queries":{"a":7}}"#,
            #"{"queries":[]}"#, #"{"other":{}}"#, #"{"queries":{"b":"t"}}"#,
        ] {
            let answer = try server.send("PATCH", path, body)
            #expect(answer.status == 400, "\(body) \(answer.body)")
        }
        let many = (1...100).map { #""b\#($0)":"/v1/t""# }.joined(separator: ",")
        #expect(try server.send("PATCH", path, "{\"queries\":{\(many)}}").status == 422)
        // Once more what is there already is no change.
        #expect(
            try server.send("PATCH", path, #"{"queries":{"a":"/v1/t","z":null}}"#).status == 200)
        _ = try server.send("PUT", "/v1/t/1", "{}")
        #expect(try events(stream, through: "sync").map(\.name) == ["delta", "sync"])
    }

    @Test func whatWasAddedWhileTheClientWasAwayGetsItsSnapshot() throws {
        let server = try TestServer()
        try rows(server)
        let (path, url) = try session(server, #"{"a":"/v1/t","b":"/v1/t?limit=1"}"#)
        let id = try #require(try events(try TestStream(server, url), through: "sync").last?.id)
        _ = try server.send("DELETE", "/v1/t/3")
        let change = #"{"queries":{"b":"/v1/t?limit=2","c":"/v1/t/1"}}"#
        #expect(try server.send("PATCH", path, change).status == 200)
        let next = try events(try TestStream(server, url, lastEventID: id), through: "sync")
        #expect(next.filter { $0.name == "delta" }.map { $0.data.contains(#""q":"a""#) } == [true])
        let snapshots = next.filter { $0.name == "snapshot" }
        #expect(snapshots.count == 2)
        #expect(snapshots.allSatisfy { $0.data.contains(#""why":"initial""#) })
        // The cursor of another session says nothing here.
        let (_, other) = try session(server, #"{"a":"/v1/t"}"#)
        let strange = try events(try TestStream(server, other, lastEventID: id), through: "sync")
        #expect(strange[1].data.contains(#""why":"epoch""#))
    }

    @Test func anEmptySessionIsFilledLater() throws {
        let server = try TestServer()
        let (path, url) = try session(server, "{}")
        let stream = try TestStream(server, url)
        #expect(try events(stream, through: "sync").map(\.name) == ["hello", "sync"])
        #expect(try server.send("PATCH", path, #"{"queries":{"a":"/v1/t"}}"#).status == 200)
        #expect(try events(stream, through: "sync").map(\.name) == ["hello", "snapshot", "sync"])
    }

    @Test func aTicketIsGoodForItsSessionOnly() throws {
        let server = try TestServer()
        let (path, _) = try session(server, "{}")
        let (_, url) = try session(server, "{}")
        let ticket = try #require(url.split(separator: "?").last)
        #expect(try server.send("GET", "\(path)?\(ticket)").status == 404)
        #expect(try server.send("GET", "\(path)?ticket=").status == 404)
        #expect(try server.send("GET", "/v1/_live/0?\(ticket)").status == 404)
    }

    // MARK: Bounds

    @Test func aSessionThatNobodyWatchesExpires() throws {
        let sessions = LiveSessions()
        let start = MonotonicInstant(nanoseconds: 1)
        let session = LiveSession([], of: nil, from: nil, at: start)
        try sessions.add(session, at: start)
        #expect(sessions.find(session.id, at: start + .seconds(59)) === session)
        #expect(sessions.count(at: start + .seconds(59)) == 1)
        #expect(sessions.find(session.id, at: start + .seconds(60)) == nil)
        #expect(sessions.count(at: start + .seconds(60)) == 0)
    }

    @Test func sessionsAreBoundedPerCallerAndInBytes() throws {
        let sessions = LiveSessions()
        let start = MonotonicInstant(nanoseconds: 1)
        for _ in 0..<LiveSessions.mostOfCaller {
            try sessions.add(LiveSession([], of: nil, from: nil, at: start), at: start)
        }
        func code(_ session: LiveSession, at now: MonotonicInstant) -> ProblemCode? {
            do throws(Problem) {
                try sessions.add(session, at: now)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(LiveSession([], of: nil, from: nil, at: start), at: start) == .tooManySessions)
        // Forgotten, they make room.
        let later = start + .seconds(61)
        let long = String(repeating: "x", count: LiveSessions.mostBytes)
        func session(_ alias: String, _ url: String) throws -> LiveSession {
            let request = LiveRequest(Query(type: try #require(TypeName("t"))))
            let query = LiveQuery(alias: alias, url: url, request: request, filterBytes: 0)
            return LiveSession([query], of: nil, from: nil, at: later)
        }
        #expect(code(try session("", long), at: later) == nil)
        #expect(code(try session("a", "b"), at: later) == .tooManySessions)
    }

    /// Compiling them holds a loop up: of long filters a connection carries fewer.
    @Test func longFiltersAreBoundedTogether() throws {
        let server = try TestServer()
        /// Queries, each with an expression of about 10,000 states.
        func long(_ numbers: Range<Int>) -> String {
            numbers.map { #""q\#($0)":"/v1/t?filter=t%20~=%20%22%5Bxy%5D%7B\#(9_900 + $0)%7D%22""# }
                .joined(separator: ",")
        }
        let many = try server.send("POST", "/v1/_live", "{\"queries\":{\(long(0..<40))}}")
        #expect(many.status == 422 && many.body.contains("too-many-queries"), "\(many.body)")
        #expect(many.body.contains(#""limit":8388608"#), "\(many.body)")

        let (path, url) = try session(server, "{\(long(0..<16))}")
        let more = try server.send("PATCH", path, "{\"queries\":{\(long(16..<40))}}")
        #expect(more.status == 422 && more.body.contains("too-many-queries"), "\(more.body)")
        // Another in the place of each is as much as before.
        let others = (0..<16).map { #""q\#($0)":null"# }.joined(separator: ",")
        let swapped = try server.send(
            "PATCH", path, "{\"queries\":{\(others),\(long(16..<32))}}")
        #expect(swapped.status == 200, "\(swapped.body)")
        let first = try events(try TestStream(server, url), through: "sync")
        #expect(first.filter { $0.name == "snapshot" }.count == 16)
    }

    // MARK: Operators

    @Test func operatorsSeeWhatIsOpen() throws {
        let server = try TestServer()
        try rows(server)
        let single = try TestStream(server, "/v1/t?filter=n==1&live=delta")
        _ = try events(single, through: "snapshot")
        let (_, url) = try session(server, #"{"a":"/v1/t?filter=n==1","b":"/v1/t?live=snapshot"}"#)
        let several = try TestStream(server, url)
        _ = try events(several, through: "sync")
        let value = try JSONValue.parse(Array(try server.send("GET", "/v1/_live").body.utf8))
        #expect(value["streams"]?.int64Value == 2 && value["sessions"]?.int64Value == 1)
        #expect(value["groups"]?.int64Value == 2 && value["subscriptions"]?.int64Value == 3)
        let items = try #require(value["items"]?.arrayValue)
        #expect(items.count == 2)
        #expect(items.allSatisfy { ($0["bytes"]?.int64Value ?? 0) > 0 && $0["lag"] != nil })
        // Commits that concern none of its queries are none that it is behind.
        for id in 1...5 { _ = try server.send("PUT", "/v1/other/\(id)", "{}") }
        let later = try JSONValue.parse(Array(try server.send("GET", "/v1/_live").body.utf8))
        #expect(
            later["items"]?.arrayValue?.allSatisfy { $0["lag"]?.int64Value == 0 } == true)
        let ofSession = try #require(items.first { $0["session"]?.boolValue == true })
        #expect(ofSession["queries"]?[0]?["q"]?.stringValue == "a")
        #expect(ofSession["queries"]?[0]?["index"]?.stringValue == "hash")
        #expect(ofSession["queries"]?[1]?["mode"]?.stringValue == "snapshot")
    }
}
