import FreshetRefresh
import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetRemote
import FreshetTestSupport

/// The whole way from a source to bytes on a socket, against an upstream that lies.
@Suite("A source over a real socket")
struct RESTSourceLoopbackTests {
    private func source(
        _ server: ScriptedServer, _ change: (inout UpstreamSettings) -> Void = { _ in }
    ) throws -> RESTSource {
        var settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase(server.base + "/v1")))
        settings.retry = .none
        settings.headers = [.init(name: "X-Key", value: Secret("k"))]
        settings.maxBody = 1 << 20
        settings.timeout = .seconds(300)
        change(&settings)
        let type = try #require(TypeName("todo"))
        var mapping = RemoteMapping(type: type, upstream: "api")
        mapping.get = .init(method: "GET", request: try template("/todos/{id}"))
        mapping.search = .init(request: try template("/todos", ["s": "{filter.s}"]))
        let catalog = RemoteCatalog(
            [settings], [mapping], maximumEntity: 1 << 20, userAgent: "freshet/1",
            log: Log(level: .error))
        return try #require(catalog.sources[type])
    }

    private func search(_ source: RESTSource) async throws -> RemoteAnswer {
        let query = Query(type: try #require(TypeName("todo")))
        return try await source.search(
            RemoteSearch(query: query), conditions: nil, call: RemoteCall(requestID: "r"))
    }

    @Test("A hostile id arrives as one segment behind the base")
    func hostileID() async throws {
        let server = ScriptedServer {
            $0.answer(200, "{\"id\":\"../x?y=/%2e#z\"}")
            return .keep
        }
        let source = try source(server)
        let answer = try await source.get(
            EntityID("../x?y=/%2e#z"), conditions: nil, call: RemoteCall(requestID: "r"))
        #expect(answer.entities.ids == ["../x?y=/%2e#z"])
        let request = try #require(server.requests.first)
        #expect(request.target == "/v1/todos/..%2Fx%3Fy%3D%2F%252e%23z")
        #expect(request.header("X-Key") == "k")
        #expect(request.header("X-Request-Id") == "r")
        #expect(request.header("Accept") == "application/json")
        #expect(request.header("User-Agent") == "freshet/1")
        server.stop()
    }

    @Test("An ETag is kept and sent, and a 304 is no content")
    func conditional() async throws {
        let server = ScriptedServer {
            if $0.request.header("If-None-Match") == "\"a\"" {
                $0.send("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")
            } else {
                $0.answer(200, "[{\"id\":1}]", headers: ["ETag: \"a\""])
            }
            return .keep
        }
        let source = try source(server)
        let query = RemoteSearch(query: Query(type: try #require(TypeName("todo"))))
        let first = try await source.search(query, conditions: nil, call: RemoteCall())
        #expect(first.validators?.etag == "\"a\"")
        let second = try await source.search(
            query, conditions: first.validators, call: RemoteCall())
        #expect(second.isNotModified && second.entities.isEmpty)
        server.stop()
    }

    @Test("Half an answer, whatever its form, is none")
    func halves() async throws {
        let whole = "[{\"id\":1},{\"id\":2}]"
        for cut in [0, 1, 9, 10, 18] {
            let half = whole.prefix(cut)
            for head in [
                "Content-Length: \(whole.utf8.count)\r\n\r\n\(half)",
                "Transfer-Encoding: chunked\r\n\r\n\(String(cut + 1, radix: 16))\r\n\(half) \r\n",
                "Connection: close\r\n\r\n\(half)", "Content-Length: \(cut)\r\n\r\n\(half)",
            ] {
                let server = ScriptedServer {
                    $0.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(head)")
                    return .close
                }
                let source = try source(server)
                await #expect("\(cut) \(head)") {
                    try await search(source)
                } throws: {
                    switch $0 as? UpstreamError {
                    case .unreachable, .shape("search", "", _): true
                    default: false
                    }
                }
                server.stop()
            }
        }
    }

    @Test("429 with Retry-After is told with it")
    func tooMany() async throws {
        let server = ScriptedServer {
            $0.answer(429, "slow down", headers: ["Retry-After: 17"])
            return .keep
        }
        let source = try source(server)
        await #expect(
            throws: UpstreamError.status(
                429, retryAfter: .seconds(17), excerpt: "slow down")
        ) { try await search(source) }
        server.stop()
    }

    @Test("A failed try is made again and then succeeds")
    func repeated() async throws {
        let count = Counter()
        let server = ScriptedServer {
            count.add()
            if count.value == 1 {
                $0.reset()
                return .close
            }
            if count.value == 2 { $0.answer(503) } else { $0.answer(200, "[{\"id\":1}]") }
            return .keep
        }
        let source = try source(server) {
            $0.retry = RetryPolicy(limit: 2, base: .zero, longest: .zero)
        }
        #expect(try await search(source).entities.ids == ["1"])
        #expect(server.requests.count == 3)
        server.stop()
    }

    @Test("A hanging upstream holds up no other")
    func hanging() async throws {
        let hanging = ScriptedServer {
            $0.waitForHangUp()
            return .close
        }
        let sound = ScriptedServer {
            $0.answer(200, "[{\"id\":1}]")
            return .keep
        }
        let slow = try source(hanging) { $0.maxConcurrent = 2 }
        let quick = try source(sound)
        let tasks = (0..<20).map { index in
            Task { try await slow.get(EntityID(Int64(index)), conditions: nil, call: RemoteCall()) }
        }
        await hanging.arrived(2)
        #expect(try await search(quick).entities.ids == ["1"])
        // Whoever leaves gives his place to the next, who may send before he leaves, too.
        #expect(hanging.requests.count == 2)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        hanging.stop()
        sound.stop()
    }
}
