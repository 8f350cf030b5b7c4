import Dispatch
import FreshetBase
import FreshetRefresh
import FreshetRemote
import FreshetTestSupport
import Glibc
import Testing

@Suite("The transport by the outgoing client, against a raw server")
struct HTTPTransportTests {
    private func transport(
        _ server: ScriptedServer, path: String = "",
        // It stands still: no test fails because the machine is busy.
        clock: any OperationClock = ManualOperationClock()
    ) throws -> HTTPTransport {
        HTTPTransport(
            base: try #require(UpstreamBase(server.base + path)), clock: clock)
    }

    /// What `send` comes to against `script`.
    private func outcome(
        _ request: UpstreamRequest = UpstreamRequest(path: "/a"),
        _ script: @escaping @Sendable (ScriptedServer.Exchange) -> ScriptedServer.Next
    ) async throws -> (Result<UpstreamResponse, UpstreamError>, [ScriptedServer.Request]) {
        let server = ScriptedServer(script)
        let transport = try transport(server)
        let result: Result<UpstreamResponse, UpstreamError>
        do throws(UpstreamError) {
            result = .success(try await transport.send(request))
        } catch {
            result = .failure(error)
        }
        server.stop()
        return (result, server.requests)
    }

    /// The error without its text.
    private func reach(_ result: Result<UpstreamResponse, UpstreamError>) -> UpstreamError.Reach? {
        guard case .failure(.unreachable(let reach, _)) = result else { return nil }
        return reach
    }

    @Test("Method, path, header fields and body arrive as they are")
    func request() async throws {
        let (result, requests) = try await outcome(
            UpstreamRequest(
                method: "PUT", path: "/a%2Fb/c%3F?q=%26&x=1",
                headers: [("X-Key", "k1"), ("Content-Type", "application/json")],
                body: Array("{\"a\":1}".utf8))
        ) {
            $0.answer(201, "{\"b\":2}", headers: ["ETag: \"7\"", "X-A: b"])
            return .keep
        }
        let response = try result.get()
        #expect(response.status == 201)
        #expect(String(decoding: response.body, as: UTF8.self) == "{\"b\":2}")
        #expect(response.header("etag") == "\"7\"")
        let request = try #require(requests.first)
        #expect(request.method == "PUT")
        #expect(request.target == "/a%2Fb/c%3F?q=%26&x=1")
        #expect(request.header("X-Key") == "k1")
        #expect(request.body == Array("{\"a\":1}".utf8))
        #expect(request.header("Cookie") == nil)
    }

    @Test("An answer of any status is an answer")
    func statuses() async throws {
        for status in [204, 304, 400, 404, 407, 429, 500, 503] {
            let hasBody = status != 204 && status != 304
            let (result, _) = try await outcome {
                $0.send(
                    "HTTP/1.1 \(status) X\r\n" + (hasBody ? "Content-Length: 2\r\n\r\nhi" : "\r\n"))
                return .keep
            }
            let response = try result.get()
            #expect(response.status == status)
            #expect(response.body == (hasBody ? Array("hi".utf8) : []), "\(status)")
        }
    }

    @Test(
        "A 401 is an answer, whatever it asks for",
        arguments: ["Basic realm=\"a\"", "Bearer error=\"invalid_token\"", "Digest x", "Negotiate"])
    func challenges(_ challenge: String) async throws {
        let (result, requests) = try await outcome(
            UpstreamRequest(path: "/a", headers: [("Authorization", "Bearer x")])
        ) {
            $0.answer(401, "{\"code\":1}", headers: ["WWW-Authenticate: \(challenge)"])
            return .keep
        }
        let response = try result.get()
        #expect(response.status == 401)
        #expect(response.body == Array("{\"code\":1}".utf8))
        #expect(requests.count == 1)
    }

    @Test("Nobody listens: refused")
    func refused() async throws {
        let base = try #require(UpstreamBase("http://127.0.0.1:\(ServerPort.free())"))
        let transport = HTTPTransport(base: base, clock: ManualOperationClock())
        await #expect {
            try await transport.send(UpstreamRequest(path: "/a", timeout: .seconds(3_600)))
        } throws: { error in
            guard case .unreachable(.refused, _) = error as? UpstreamError else { return false }
            return true
        }
    }

    @Test("A name that nobody has: dns, in libcurl's words but for what is secret")
    func unknownName() async throws {
        let base = try #require(UpstreamBase("http://tenant-4711.nobody.invalid"))
        let transport = HTTPTransport(base: base, clock: ManualOperationClock())
        var request = UpstreamRequest(path: "/a", timeout: .seconds(3_600))
        request.mask = { SecretMask([Secret("tenant-4711")]) }
        await #expect {
            try await transport.send(request)
        } throws: { error in
            guard case .unreachable(.dns, let detail) = error as? UpstreamError else {
                return false
            }
            return detail.text.contains("***.nobody.invalid") && !detail.text.contains("4711")
        }
    }

    @Test("No TLS where TLS was expected: tls")
    func noTLS() async throws {
        let server = ScriptedServer(readsRequests: false) {
            $0.send("HTTP/1.1 400 Plain\r\nContent-Length: 0\r\n\r\n")
            return .close
        }
        let base = try #require(UpstreamBase("https://127.0.0.1:\(server.port)"))
        let transport = HTTPTransport(base: base, clock: ManualOperationClock())
        await #expect {
            try await transport.send(UpstreamRequest(path: "/a", timeout: .seconds(3_600)))
        } throws: { error in
            guard case .unreachable(.tls, _) = error as? UpstreamError else { return false }
            return true
        }
        server.stop()
    }

    @Test("A connection that breaks before the answer: reset")
    func reset() async throws {
        let (result, _) = try await outcome {
            $0.reset()
            return .close
        }
        #expect(reach(result) == .reset, "\(result)")
    }

    @Test("A connection that ends without an answer: reset")
    func closed() async throws {
        let (result, _) = try await outcome { _ in .close }
        #expect(reach(result) == .reset, "\(result)")
    }

    @Test("A body shorter than its length is no answer")
    func truncated() async throws {
        let (result, _) = try await outcome {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"a\":1}")
            return .close
        }
        #expect(reach(result) == .reset, "\(result)")
    }

    @Test("Chunks without their end are no answer")
    func truncatedChunks() async throws {
        let (result, _) = try await outcome {
            $0.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n")
            return .close
        }
        #expect(reach(result) == .reset, "\(result)")
    }

    @Test("What is no HTTP is no answer")
    func noHTTP() async throws {
        let (result, _) = try await outcome {
            $0.send("220 mail.example.test ESMTP\r\n\r\n")
            return .close
        }
        #expect(reach(result) != nil, "\(result)")
    }

    @Test("A body behind its length is cut there")
    func tooLong() async throws {
        let (result, _) = try await outcome {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}{}")
            return .close
        }
        #expect(try result.get().body == Array("{}".utf8))
    }

    @Test("An endless body ends at the cap, and the connection with it")
    func endless() async throws {
        let hungUp = DispatchSemaphore(value: 0)
        let (result, _) = try await outcome(UpstreamRequest(path: "/a", maxBody: 1 << 20)) {
            $0.send("HTTP/1.1 200 OK\r\n\r\n")
            while $0.trySend(Array(repeating: UInt8(ascii: "["), count: 64 << 10)) {}
            hungUp.signal()
            return .close
        }
        guard case .failure(.tooLarge(limit: 1 << 20)) = result else {
            Issue.record("\(result)")
            return
        }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "wait").async {
                hungUp.wait()
                continuation.resume()
            }
        }
    }

    @Test(
        "Heads without an answer are too large to a question, and leave a change unknown",
        arguments: [("GET", true), ("POST", false)])
    func interimHeadsWithoutAnEnd(method: String, isQuestion: Bool) async throws {
        let request = UpstreamRequest(method: method, path: "/a", body: isQuestion ? nil : [])
        let (result, _) = try await outcome(request) {
            let interim = "HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n"
            while $0.trySend(Array(String(repeating: interim, count: 1_000).utf8)) {}
            return .close
        }
        switch result {
        case .failure(.tooLarge): #expect(isQuestion)
        case .failure(.unreachable(.lost, detail: _)): #expect(!isQuestion)
        default: Issue.record("\(result)")
        }
    }

    @Test("A body of exactly the cap passes, one byte more does not")
    func cap() async throws {
        for (count, passes) in [(1000, true), (1001, false)] {
            let (result, _) = try await outcome(UpstreamRequest(path: "/a", maxBody: 1000)) {
                $0.answer(200, String(repeating: "1", count: count))
                return .keep
            }
            switch result {
            case .success: #expect(passes)
            case .failure(let error): #expect(!passes && error == .tooLarge(limit: 1000))
            }
        }
    }

    @Test("Compressed content is capped by what it decodes to")
    func bomb() async throws {
        let bomb = GzipBomb.bytes(zeroes: 8 << 20)
        #expect(bomb.count < 64 << 10)
        let (result, requests) = try await outcome(UpstreamRequest(path: "/a", maxBody: 1 << 20)) {
            $0.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                    + "Content-Length: \(bomb.count)\r\n\r\n")
            $0.send(bomb)
            return .keep
        }
        #expect(requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
        guard case .failure(.tooLarge) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("A silent upstream is left when the time is up, on the injected clock")
    func deadline() async throws {
        let clock = ManualOperationClock()
        let server = ScriptedServer {
            $0.waitForHangUp()
            return .close
        }
        let transport = try transport(server, clock: clock)
        let task = Task {
            try await transport.send(UpstreamRequest(path: "/a", timeout: .seconds(3)))
        }
        await server.arrived(1)
        clock.advance(by: .seconds(3))
        await #expect(throws: UpstreamError.timeout) { try await task.value }
        server.stop()
    }

    @Test("A body that drips ends with the deadline too")
    func drip() async throws {
        let clock = ManualOperationClock()
        let server = ScriptedServer {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            $0.waitForHangUp()
            return .close
        }
        let transport = try transport(server, clock: clock)
        let task = Task {
            try await transport.send(UpstreamRequest(path: "/a", timeout: .seconds(3)))
        }
        await server.arrived(1)
        clock.advance(by: .seconds(2))
        clock.advance(by: .seconds(1))
        await #expect(throws: UpstreamError.timeout) { try await task.value }
        server.stop()
    }

    @Test("Cancelling the task ends the exchange at once and the connection with it")
    func cancellation() async throws {
        let hungUp = AsyncStream<Void>.makeStream()
        let server = ScriptedServer {
            $0.waitForHangUp()
            hungUp.continuation.yield()
            return .close
        }
        let transport = try transport(server)
        let task = Task { try await transport.send(UpstreamRequest(path: "/a")) }
        await server.arrived(1)
        task.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        for await _ in hungUp.stream { break }
        server.stop()
    }

    @Test("Forty held answers hold up no forty-first")
    func held() async throws {
        let server = ScriptedServer {
            guard $0.request.target == "/quick" else {
                $0.waitForHangUp()
                return .close
            }
            $0.answer()
            return .keep
        }
        let transport = HTTPTransport(
            base: try #require(UpstreamBase(server.base)))
        let held = (0..<40).map { _ in
            Task { try await transport.send(UpstreamRequest(path: "/held")) }
        }
        await server.arrived(40)
        #expect(try await transport.send(UpstreamRequest(path: "/quick")).status == 200)
        for task in held { task.cancel() }
        for task in held { _ = await task.result }
        server.stop()
    }

    // MARK: Redirects

    @Test("A redirect within the origin is followed with the header fields")
    func redirect() async throws {
        let (result, requests) = try await outcome(
            UpstreamRequest(path: "/a", headers: [("Authorization", "Bearer x")])
        ) {
            if $0.request.target == "/a" {
                $0.answer(302, headers: ["Location: b/c?d=1"])
            } else {
                $0.answer(200, "[1]")
            }
            return .keep
        }
        #expect(try result.get().body == Array("[1]".utf8))
        #expect(requests.map(\.target) == ["/a", "/b/c?d=1"])
        #expect(requests.last?.header("Authorization") == "Bearer x")
    }

    @Test("A redirect to another origin is not followed: nothing arrives there")
    func foreignRedirect() async throws {
        let other = ScriptedServer {
            $0.answer()
            return .keep
        }
        for location in [
            "\(other.base)/steal", "//127.0.0.1:\(other.port)/x", "file:///etc/passwd",
        ] {
            let (result, _) = try await outcome(
                UpstreamRequest(path: "/a", headers: [("Authorization", "Bearer x")])
            ) {
                $0.answer(307, headers: ["Location: \(location)"])
                return .keep
            }
            #expect(try result.get().status == 307, "\(location)")
        }
        #expect(other.requests.isEmpty)
        other.stop()
    }

    @Test("A redirect that says nowhere is an answer")
    func redirectWithoutPlace() async throws {
        let (result, _) = try await outcome {
            $0.answer(302)
            return .keep
        }
        #expect(try result.get().status == 302)
    }

    @Test("Redirects end after three; writes are never redirected")
    func redirectLimits() async throws {
        let (result, requests) = try await outcome {
            $0.answer(302, headers: ["Location: /a"])
            return .keep
        }
        #expect(try result.get().status == 302)
        #expect(requests.count == 4)
        let (written, writes) = try await outcome(
            UpstreamRequest(method: "POST", path: "/a", body: [])
        ) {
            $0.answer(307, headers: ["Location: /b"])
            return .keep
        }
        #expect(try written.get().status == 307)
        #expect(writes.count == 1)
    }
}

/// A gzip stream of zeroes, made without a library: blocks of fixed codes that repeat one byte.
enum GzipBomb {
    static func bytes(zeroes: Int) -> [UInt8] {
        var bits = BitWriter()
        var left = zeroes
        bits.write(1, 1)
        bits.write(1, 2)
        // A literal 0, then matches of 258 bytes at distance 1.
        bits.writeCode(0x30, 8)
        left -= 1
        while left >= 258 {
            bits.writeCode(0b1100_0101, 8)
            bits.writeCode(0, 5)
            left -= 258
        }
        while left > 0 {
            bits.writeCode(0x30, 8)
            left -= 1
        }
        bits.writeCode(0, 7)
        let body = bits.finish()
        // The checksum would be looked at behind the cap.
        let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + body + trailer
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var pending: UInt32 = 0
        private var count = 0

        /// Lowest bit first.
        mutating func write(_ value: UInt32, _ width: Int) {
            pending |= value << UInt32(count)
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }

        /// Highest bit first, as Huffman codes go.
        mutating func writeCode(_ code: UInt32, _ width: Int) {
            for place in (0..<width).reversed() { write(code >> UInt32(place) & 1, 1) }
        }

        mutating func finish() -> [UInt8] {
            if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
            return bytes
        }
    }
}
