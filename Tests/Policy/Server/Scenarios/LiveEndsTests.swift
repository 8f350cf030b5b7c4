import FreshetBase
import FreshetConfig
import FreshetHTTPServer
import FreshetJSON
import FreshetNet
import Glibc
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// How streams of live queries are refused and how they end (live.md, sections 4, 5 and 8).
@Suite struct LiveEndsTests {
    private let events = ["Accept: text/event-stream"]

    private func after(_ bye: String) throws -> Int {
        Int(try #require(try JSONValue.parse(bye)["after"]?.int64Value))
    }

    // MARK: Before a stream

    @Test func aServerWithEnoughStreamsTellsABrowserToComeAgain() throws {
        let server = try TestServer { $0.limits.streams = 1 }
        let stream = try TestStream(server, "/v1/t")
        _ = try stream.next()
        let answer = try server.send("GET", "/v1/t", headers: events)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/event-stream")
        #expect(answer.body.hasPrefix("retry: "))
        #expect(answer.body.contains("event: fault\ndata: "))
        #expect(answer.body.contains(#""code":"overloaded""#))
        #expect(answer.body.contains(#""final":false"#))
        #expect(answer.body.contains(#"data: {"reason":"overloaded","reconnect":true,"after":"#))
        #expect(!answer.body.contains("id:"))
        // Who is no browser gets the status.
        #expect(try server.send("GET", "/v1/t?live=1").status == 503)
    }

    @Test func aServerThatReadsItsLogTellsABrowserToComeAgain() throws {
        let http = HTTPServer(
            ServerConfiguration(
                at: .address(try SocketAddress(host: "127.0.0.1", port: 0)), loops: 1),
            responder: Entrance(), log: Log(level: .error, format: .text))
        let address = try http.start()
        defer { http.stop(grace: .zero) }
        let port = try #require(UInt16("\(address)".split(separator: ":").last ?? ""))
        let answer = try TestConnection(port: port).send("GET", "/v1/t", headers: events)
        #expect(answer.status == 200 && answer.body.hasPrefix("retry: "))
        #expect(answer.body.contains(#""code":"recovering""#))
        #expect(answer.body.contains(#"data: {"reason":"overloaded","reconnect":true,"after":"#))
        #expect(try TestConnection(port: port).send("GET", "/v1/t").status == 503)
        // What needs no data is shown meanwhile, since it tells what to do.
        for target in [
            "/docs", "/docs/symptoms", "/problems/recovering", "/live.js", "/llms.txt", "/version",
            "/openapi.json", "/",
        ] {
            let page = try TestConnection(port: port).send(
                "GET", target, headers: ["Accept: text/html, */*;q=0.8"])
            #expect(page.status == 200 && !page.body.isEmpty, "\(target)")
            #expect(page.header("ETag") != nil && page.header("Cache-Control") == "no-cache")
            if target == "/" {
                #expect(page.body.contains("starting: the data directory is being opened"))
            }
        }
        // As JSON `/` names the types.
        for target in [
            "/problems/none", "/docs/none", "/live.js?a=1", "/", "/v1",
            "/openapi.json?types=declared",
        ] {
            #expect(try TestConnection(port: port).send("GET", target).status == 503, "\(target)")
        }
        #expect(try TestConnection(port: port).send("POST", "/docs").status == 503)
    }

    @Test func aProblemThatStaysHasItsStatus() throws {
        let server = try TestServer { $0.isStrict = true }
        #expect(try server.send("GET", "/v1/t", headers: events).status == 404)
        let other = try TestServer()
        #expect(try other.send("GET", "/v1/t?filter=((", headers: events).status == 400)
    }

    // MARK: Clients that go

    @Test func aStreamWhoseClientHasGoneLeavesItsPlace() throws {
        let server = try TestServer {
            $0.limits.streams = 1
            $0.limits.heartbeat = .seconds(3_600)
        }
        for target in ["/v1/t", "/v1/_live?q.a=%2Fv1%2Ft", "/v1/_conditions"] {
            try TestStream(server, target).close()
            // Its reset arrives a moment later.
            let deadline = TestDeadline("the place of \(target) is free")
            while try server.send("GET", "/v1/t?live=1&max=1").status != 200 {
                try deadline.check()
            }
            while try JSONValue.parse(server.send("GET", "/v1/_live").body)["streams"]?.int64Value
                != 0
            {
                try deadline.check()
            }
        }
    }

    @Test func aClientThatOnlySendsNoMoreReadsOn() throws {
        let server = try TestServer { $0.limits.heartbeat = .seconds(3_600) }
        for target in ["/v1/t?live=delta", "/v1/_live?q.a=%2Fv1%2Ft"] {
            let stream = try TestStream(server, target)
            while try !["snapshot", "sync"].contains(stream.next().name) {}
            if target.contains("_live") { #expect(try stream.next().name == "sync") }
            try stream.endOutput()
            _ = try server.send("PUT", "/v1/t/\(target.utf8.count)", "{}")
            #expect(try stream.next().name == "delta")
        }
    }

    private func subscriptions(_ server: TestServer) throws -> Int64? {
        try JSONValue.parse(server.send("GET", "/v1/_live").body)["subscriptions"]?.int64Value
    }

    /// A client that waits for news behind `cursor`.
    private func poll(_ server: TestServer) throws -> (client: TestConnection, cursor: String) {
        let cursor = try #require(
            try JSONValue.parse(server.send("GET", "/v1/t").body)["meta"]?["cursor"]?.stringValue)
        let client = try server.connect()
        try client.write(
            "GET /v1/t?since=\(cursor)&wait=300 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while try subscriptions(server) != 1 {}
        return (client, cursor)
    }

    @Test func aLongPollWhoseClientHasGoneKeepsNoConnection() throws {
        let server = try TestServer()
        let (client, _) = try poll(server)
        client.hangUp()
        while try subscriptions(server) != 0 {}
    }

    @Test func theHeadOfALongPollIsWhereItsBodyIs() throws {
        let server = try TestServer()
        let (client, cursor) = try poll(server)
        _ = try server.send("PUT", "/v1/t/1", "{}")
        let answer = try client.readResponse()
        let told = try #require(try JSONValue.parse(answer.body)["cursor"]?.stringValue)
        let head = try #require(answer.header("Freshet-Cursor"))
        #expect(told == head || told.hasPrefix(head + "."), "\(head) and \(told)")
        #expect(head != cursor)
    }

    // MARK: The end

    @Test func aStreamEndsBeforeItsTimeAndTellsWhenToComeBack() throws {
        let server = try TestServer { $0.limits.streamLifetime = .milliseconds(200) }
        let stream = try TestStream(server, "/v1/t")
        _ = try stream.next()
        let snapshot = try stream.next()
        let bye = try stream.next()
        #expect(bye.name == "bye" && bye.id == nil && snapshot.id != nil)
        #expect(bye.data.hasPrefix(#"{"reason":"max-age","reconnect":true,"#))
        #expect((500...5500).contains(try after(bye.data)))
        #expect(throws: (any Error).self) { try stream.next() }
    }

    @Test func aClientMayNameALifetime() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/t?max=1")
        _ = try stream.next()
        _ = try stream.next()
        #expect(try stream.next().data.contains(#""reason":"max-age""#))
    }

    @Test func aStoppingServerSpreadsItsClients() throws {
        let server = try TestServer()
        let streams = try (0..<8).map { _ in try TestStream(server, "/v1/t") }
        for stream in streams {
            _ = try stream.next()
            _ = try stream.next()
        }
        server.server.stop()
        var spans: Set<Int> = []
        for stream in streams {
            let bye = try stream.next()
            #expect(bye.data.hasPrefix(#"{"reason":"shutdown","reconnect":true,"#))
            spans.insert(try after(bye.data))
        }
        #expect(spans.allSatisfy { (500...5500).contains($0) } && spans.count > 1)
    }

    @Test func aQueryThatTheSchemasNoLongerTakeEndsWithAFault() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/t")
        _ = try stream.next()
        _ = try stream.next()
        var changed = ServeSettings.standard
        changed.isStrict = true
        server.server.reload(changed)
        let fault = try stream.next()
        #expect(fault.name == "fault" && fault.data.contains(#""code":"unknown-type""#))
        #expect(fault.data.contains(#""final":true"#))
        let bye = try stream.next()
        #expect(bye.name == "bye")
        #expect(bye.data == #"{"reason":"closed","reconnect":false,"after":0}"#)
        #expect(throws: (any Error).self) { try stream.next() }
        #expect(try server.send("GET", "/v1/t", headers: events).status == 404)
    }

    // MARK: Slow readers

    @Test func aReaderThatTakesNothingIsClosedAndLosesNothing() throws {
        let server = try TestServer { $0.limits.writeTimeout = .milliseconds(200) }
        let large = String(repeating: "x", count: 900_000)
        _ = try server.send("PUT", "/v1/t/1", #"{"n":0}"#)
        let stream = try TestStream(server, "/v1/t?live=delta")
        _ = try stream.next()
        let cursor = try #require(try stream.next().id)
        let writer = try server.connect()
        // More than the kernel's buffers take.
        for number in 1...12 {
            _ = try writer.send("PUT", "/v1/t/\(number % 3)", #"{"n":\#(number),"s":"\#(large)"}"#)
        }
        // Each request takes a little time; the server closes the stream meanwhile.
        var open = true
        for _ in 0..<200_000 where open {
            open = try !writer.send("GET", "/metrics").body.contains("freshet_streams_open 0")
        }
        #expect(!open)
        let again = try TestStream(server, "/v1/t?live=delta&fields=n", lastEventID: cursor)
        _ = try again.next()
        var event = try again.next()
        while event.id == nil { event = try again.next() }
        let answer = try server.send("GET", "/v1/t?fields=n").body
        let items = try #require(try JSONValue.parse(answer)["items"]?.text)
        #expect(event.data.contains(items))
    }

    // MARK: Bounds

    @Test func longAnswersAreNoLiveStreams() throws {
        let server = try TestServer { $0.limits.streams = 1 }
        let stream = try TestStream(server, "/v1/t")
        #expect(try stream.next().name == "hello")
        let rows = (0..<2_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let set = try server.send("POST", "/v1/t/_set", "[\(rows)]")
        #expect(set.status == 200 && set.body.hasSuffix("}\n"), "\(set.body.prefix(200))")
        #expect(try server.send("GET", "/v1/_export").status == 200)
    }

    @Test func aCallerMayWatchABoundedNumberOfQueries() throws {
        let server = try TestServer { $0.limits.liveGroups = 2 }
        let streams = try [1, 2, 2].map { try TestStream(server, "/v1/t?filter=a==\($0)") }
        for stream in streams {
            _ = try stream.next()
            _ = try stream.next()
        }
        let refused = try server.send("GET", "/v1/t?filter=a==3", headers: events)
        #expect(refused.status == 422 && refused.body.contains(#""code":"too-many-live-queries""#))
        let known = try TestStream(server, "/v1/t?filter=a==1")
        #expect(try known.next().name == "hello")
    }

    @Test func queriesThatNoIndexFindsAreBounded() throws {
        let server = try TestServer { $0.limits.residualGroups = 1 }
        let stream = try TestStream(server, "/v1/t?filter=a!=1")
        _ = try stream.next()
        let refused = try server.send("GET", "/v1/t?filter=a!=2", headers: events)
        #expect(refused.status == 422)
        #expect(refused.body.contains(#""code":"too-many-residual-queries""#))
        let indexed = try TestStream(server, "/v1/t?filter=a==2")
        #expect(try indexed.next().name == "hello")
    }

    @Test func oneCallerMayHaveHalfOfThem() throws {
        let server = try AccessScene.server { $0.limits.residualGroups = 2 }
        func watch(_ caller: String, _ filter: String) throws -> TestStream {
            try TestStream(
                server, "/v1/t?filter=\(filter)", headers: [AccessScene.bearer(caller)])
        }
        let first = try watch("reader", "a!=1")
        #expect(try first.next().name == "hello")
        let refused = try server.ask(
            "reader", "GET", "/v1/t?filter=a!=2", headers: events)
        #expect(refused.status == 422, "\(refused.body)")
        #expect(refused.body.contains(#""code":"too-many-residual-queries""#))
        let other = try watch("writer", "a!=2")
        #expect(try other.next().name == "hello")
        // A query that is watched already is nobody's more.
        let shared = try watch("reader", "a!=1")
        #expect(try shared.next().name == "hello")
    }

    @Test func aSnapshotIsBounded() throws {
        let server = try TestServer { $0.limits.snapshotBytes = 1024 }
        let text = String(repeating: "x", count: 600)
        for number in 1...2 { _ = try server.send("PUT", "/v1/t/\(number)", #"{"s":"\#(text)"}"#) }
        let queries = [
            "", "?aggregate=count&group=s", "?limit=1", "?fields=id", "?fields=id&group=id",
            "?fields=id&live=snapshot",
        ]
        for query in queries {
            let stream = try TestStream(server, "/v1/t\(query)")
            _ = try stream.next()
            let event = try stream.next()
            guard query.isEmpty else {
                #expect(event.name == "snapshot")
                continue
            }
            #expect(event.name == "fault" && event.data.contains(#""code":"snapshot-too-large""#))
            #expect(event.data.contains(#""final":true"#))
            #expect(try stream.next().data.contains(#""reconnect":false"#))
            #expect(throws: (any Error).self) { try stream.next() }
        }
    }
}
