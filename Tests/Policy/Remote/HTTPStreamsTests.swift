import Dispatch
import FreshetRefresh
import FreshetRemote
import FreshetTestSupport
import Testing

@Suite("Streams by the outgoing client, against a raw server")
struct HTTPStreamsTests {
    private func streams(_ server: ScriptedServer, path: String = "") throws -> HTTPStreams {
        HTTPStreams(
            base: try #require(UpstreamBase(server.base + path)), clock: ManualOperationClock())
    }

    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    private func text(_ bytes: [UInt8]?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("The head comes before the body, and each part when it is sent")
    func parts() async throws {
        let goOn = DispatchSemaphore(value: 0)
        let server = ScriptedServer { exchange in
            exchange.send(Self.head)
            goOn.wait()
            exchange.send(Self.chunk("data: 1\n\n"))
            goOn.wait()
            exchange.send(Self.chunk("data: 2\n\n") + "0\r\n\r\n")
            return .keep
        }
        let stream = try await streams(server, path: "/v1").open(
            UpstreamRequest(path: "/events?a=1", headers: [("X-A", "b")]))
        #expect(stream.status == 200)
        #expect(stream.header("content-type") == "text/event-stream")
        goOn.signal()
        #expect(text(try await stream.next()) == "data: 1\n\n")
        goOn.signal()
        #expect(text(try await stream.next()) == "data: 2\n\n")
        #expect(try await stream.next() == nil)
        #expect(server.requests.first?.target == "/v1/events?a=1")
        #expect(server.requests.first?.header("X-A") == "b")
        server.stop()
    }

    @Test("A connection that breaks ends the stream behind what has come")
    func broken() async throws {
        let server = ScriptedServer { exchange in
            exchange.send(Self.head + Self.chunk("data: 1\n\n"))
            return .close
        }
        let stream = try await streams(server).open(UpstreamRequest(path: "/"))
        var text = ""
        await #expect {
            while let bytes = try await stream.next() {
                text += String(decoding: bytes, as: UTF8.self)
            }
        } throws: { error in
            guard case .unreachable(.reset, _) = error as? UpstreamError else { return false }
            return true
        }
        #expect(text == "data: 1\n\n")
        server.stop()
    }

    @Test("A consumer that takes nothing has the upstream wait, and loses nothing")
    func slowConsumer() async throws {
        let count = 2_000
        let line = "data: \(String(repeating: "x", count: 4_000))\n\n"
        let server = ScriptedServer { exchange in
            guard exchange.request.target != "/probe" else {
                exchange.answer()
                return .keep
            }
            exchange.send(Self.head)
            for _ in 0..<count { exchange.send(Self.chunk(line)) }
            exchange.send("0\r\n\r\n")
            return .close
        }
        let limit = 64 << 10
        let streams = HTTPStreams(
            base: try #require(UpstreamBase(server.base)), bufferLimit: limit,
            clock: ManualOperationClock())
        let stream = try await streams.open(UpstreamRequest(path: "/"))
        var taken = 0
        while taken < count * line.utf8.count {
            // Whoever asks another thing of the same thread meanwhile has its answer.
            let probe = try await streams.open(UpstreamRequest(path: "/probe"))
            #expect(text(try await probe.next()) == "{}")
            #expect(stream.received.count - taken <= limit + (32 << 10))
            let bytes = try #require(try await stream.next())
            taken += bytes.count
        }
        #expect(taken == count * line.utf8.count)
        #expect(try await stream.next() == nil)
        server.stop()
    }

    @Test("What comes byte by byte is held as it is")
    func byteByByte() async throws {
        let stream = ByteStream(status: 200, limit: 100)
        for byte in UInt8(0)..<99 { #expect(stream.push([byte])) }
        #expect(!stream.push([99]))
        #expect(stream.received.isFull)
        #expect(try await stream.next() == Array(0..<100))
        #expect(!stream.received.isFull)
    }

    @Test("Any status is an answer, a 401 too")
    func statuses() async throws {
        for status in [204, 400, 401, 404, 503] {
            let server = ScriptedServer { exchange in
                exchange.answer(
                    status, status == 204 ? "" : "no",
                    headers: status == 401 ? ["WWW-Authenticate: Basic realm=\"a\""] : [])
                return .keep
            }
            let stream = try await streams(server).open(UpstreamRequest(path: "/"))
            #expect(stream.status == status)
            server.stop()
        }
    }

    @Test("Leaving closes the connection, before the head and after it")
    func leaving() async throws {
        let hungUp = Gate()
        let server = ScriptedServer { exchange in
            if exchange.request.target == "/open" { exchange.send(Self.head) }
            exchange.waitForHangUp()
            Task { await hungUp.pass() }
            return .close
        }
        hungUp.open()
        let streams = try streams(server)
        let stream = try await streams.open(UpstreamRequest(path: "/open"))
        stream.cancel()
        await hungUp.arrived(1)
        let waiting = Task { try await streams.open(UpstreamRequest(path: "/closed")) }
        await server.arrived(2)
        waiting.cancel()
        let result = await waiting.result
        #expect(throws: UpstreamError.cancelled) { try result.get() }
        await hungUp.arrived(2)
        server.stop()
    }

    @Test("A redirect on the origin is followed, one elsewhere is the answer")
    func redirects() async throws {
        let server = ScriptedServer { exchange in
            switch exchange.request.target {
            case "/a": exchange.answer(307, "", headers: ["Location: /b"])
            case "/b": exchange.send(Self.head + Self.chunk("data: b\n\n"))
            default: exchange.answer(302, "", headers: ["Location: http://127.0.0.1:1/"])
            }
            return .keep
        }
        let streams = try streams(server)
        let followed = try await streams.open(UpstreamRequest(path: "/a"))
        #expect(followed.status == 200)
        #expect(text(try await followed.next()) == "data: b\n\n")
        #expect(try await streams.open(UpstreamRequest(path: "/c")).status == 302)
        server.stop()
    }

    @Test("No answer in time is a time-out; nobody there is a refusal")
    func noAnswer() async throws {
        let clock = ManualOperationClock()
        let server = ScriptedServer { exchange in
            exchange.waitForHangUp()
            return .close
        }
        let streams = HTTPStreams(
            base: try #require(UpstreamBase(server.base)), clock: clock)
        let waiting = Task { try await streams.open(UpstreamRequest(path: "/")) }
        await server.arrived(1)
        clock.advance(by: .seconds(10))
        let result = await waiting.result
        #expect(throws: UpstreamError.timeout) { try result.get() }
        server.stop()

        let nobody = try #require(UpstreamBase("http://127.0.0.1:\(ServerPort.free())"))
        await #expect {
            try await HTTPStreams(base: nobody).open(UpstreamRequest(path: "/"))
        } throws: { error in
            guard case .unreachable(.refused, _) = error as? UpstreamError else { return false }
            return true
        }
    }

    @Test("A client follows a stream over a lost connection")
    func client() async throws {
        let server = ScriptedServer { exchange in
            let last = exchange.request.header("Last-Event-ID").flatMap { Int($0) } ?? 0
            exchange.send(Self.head + Self.chunk("retry: 100\n\nid: \(last + 1)\ndata: x\n\n"))
            return .close
        }
        let streams = try streams(server)
        var settings = EventStreamSettings(UpstreamRequest(path: "/events"))
        // Nothing is too silent for a clock on which everything is due.
        settings.silence = .seconds(3_600)
        let client = EventStreamClient(
            settings, transport: streams, clock: EagerClock(), mask: .none)
        var ids: [String] = []
        let end = await client.run { signal in
            guard case .event(let event) = signal else { return .proceed }
            ids.append(event.id)
            return ids.count == 3 ? .stop : .proceed
        }
        #expect(end == .stopped)
        #expect(ids == ["1", "2", "3"])
        server.stop()
    }
}
