import CCurl
import FreshetBase
@testable import FreshetHTTPClient
import FreshetTestSupport
import Glibc
import Testing

@Suite("The outgoing client, against servers that mean no good")
struct HTTPClientHostileTests {
    private func outcome(
        _ method: String = "GET",
        _ script: @escaping @Sendable (ScriptedServer.Exchange) -> ScriptedServer.Next
    ) async throws -> (Collector.Answer, requests: Int) {
        let server = ScriptedServer(script)
        let client = try HTTPClient(label: "test")
        let collector = Collector()
        _ = client.submit(HTTPCall(method: method, url: server.base), collector)
        let answer = await collector.value()
        client.stop()
        server.stop()
        return (answer, server.requests.count)
    }

    private func reason(_ answer: Collector.Answer) -> HTTPFault.Reason? {
        if case .unreachable(let reason, _) = answer.fault { reason } else { nil }
    }

    @Test(
        "A connection that is reset in any phase ends the transfer, once, and a POST as lost",
        arguments: [
            "", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 E\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: b\r\n",
        ], ["GET", "POST"])
    func reset(_ text: String, _ method: String) async throws {
        for isReset in [true, false] {
            let (answer, requests) = try await outcome(method) {
                $0.send(text)
                if isReset { $0.reset() }
                return .close
            }
            #expect(
                reason(answer) == (method == "GET" ? .reset : .lost), "\(text.debugDescription)")
            #expect(requests == 1)
        }
    }

    @Test("What changes the protocol, has no status, or is no HTTP, is no answer")
    func noAnswer() async throws {
        for text in [
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{}",
            "HTTP/1.1 099 Early\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1 20 Short\r\nContent-Length: 2\r\n\r\n{}",
            "HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "220 mail.example.test ESMTP\r\n",
            "{}\r\n\r\n",
        ] {
            let (answer, _) = try await outcome {
                $0.send(text)
                return .close
            }
            #expect(answer.fault != nil, "\(text): \(String(describing: answer.head))")
        }
    }

    @Test(
        "A POST whose answer cannot be read may have been carried out",
        arguments: [
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{}",
            "HTTP/1.1 201 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
            "HTTP/1.1 201 OK\r\nContent-Length: two\r\n\r\n{}",
            "HTTP/1.1 201 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
            "220 mail.example.test ESMTP\r\n", "{}\r\n\r\n",
        ])
    func unreadable(_ text: String) async throws {
        let (answer, requests) = try await outcome("POST") {
            $0.send(text)
            return .close
        }
        #expect(reason(answer) == .lost, "\(text): \(String(describing: answer.fault))")
        #expect(requests == 1)
        let (read, _) = try await outcome {
            $0.send(text)
            return .close
        }
        #expect(read.fault != nil && reason(read) != .lost, "\(text)")
    }

    @Test("A field that looks like a status line changes no status")
    func statusLikeField() async throws {
        let (answer, _) = try await outcome {
            $0.send(
                "HTTP/1.1 503 Gone\r\nX-A: b\r\nHTTP/1.1 200: yes\r\nContent-Length: 2\r\n\r\n{}")
            return .keep
        }
        #expect(answer.fault == nil)
        #expect(answer.head?.status == 503)
        #expect(answer.head?.fields.contains { $0.name == "X-A" } == true)
    }

    @Test("A line without an end is a head that is too large")
    func endlessLine() async throws {
        let (answer, _) = try await outcome { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nX-Long: ")
            for _ in 0..<100_000 {
                guard exchange.trySend([UInt8](repeating: 0x78, count: 1_000)) else { break }
            }
            return .close
        }
        #expect(answer.fault == .headTooLarge(limit: 64 << 10, status: 200))
    }

    @Test("Chunks beside a length: the chunks hold")
    func chunksAndLength() async throws {
        let (answer, _) = try await outcome {
            $0.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\n{}\r\n0\r\n\r\n")
            return .keep
        }
        #expect(answer.fault == nil)
        #expect(answer.text == "{}")
    }

    @Test("What stands behind an answer is no answer to the next request")
    func leftover() async throws {
        let server = ScriptedServer {
            // In one piece: what comes behind the next request is its answer to anybody.
            let path = $0.request.target
            $0.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
            return .keep
        }
        let client = try HTTPClient(label: "test")
        for path in ["/1", "/2", "/3"] {
            let collector = Collector()
            _ = client.submit(HTTPCall(url: server.base + path), collector)
            #expect(await collector.value().text == path)
        }
        client.stop()
        server.stop()
    }

    @Test("An address that was refused is of no account where another has answered")
    func refusedBeside() throws {
        let client = try HTTPClient(label: "test")
        defer { client.stop() }
        var call = HTTPCall(url: "http://two.test/")
        call.route.refused = [.linkLocal, .privateUse]
        let transfer = client.transfer(call, Collector())
        func open(_ octets: [UInt8]) -> CInt {
            var address = freshet_curl_address()
            address.family = AF_INET
            address.type = CInt(SOCK_STREAM.rawValue)
            withUnsafeMutableBytes(of: &address.address) { bytes in
                for (index, octet) in octets.enumerated() { bytes[4 + index] = octet }
            }
            return transfer.open(&address)
        }
        let socket = open([192, 0, 2, 1])
        #expect(socket >= 0)
        #expect(fcntl(socket, F_GETFD) & FD_CLOEXEC != 0)
        close(socket)
        // The second of a host's addresses is tried while the first has yet to answer.
        #expect(open([10, 0, 0, 1]) == CInt(FRESHET_CURL_SOCKET_BAD))
        let library = try CurlLibrary.shared.get()
        #expect(
            transfer.fault(7, library)
                == .unreachable(.other, detail: "the host's address is private, which is refused"))
        // The first has answered, or its certificate was not right.
        let text = Array("HTTP/1.1 200 OK\r\n".utf8)
        #expect(text.withUnsafeBytes { transfer.receive(headLine: $0) })
        #expect(Array("\r\n".utf8).withUnsafeBytes { transfer.receive(headLine: $0) })
        #expect(transfer.fault(0, library) == nil)
        guard case .unreachable(.tls, _)? = transfer.fault(60, library) else {
            Issue.record("\(String(describing: transfer.fault(60, library)))")
            return
        }
    }

    @Test("Fetches beside hundreds of streams keep to their connection")
    func besideStreams() async throws {
        let streams = 256
        let server = ScriptedServer {
            guard $0.request.target == "/stream" else {
                $0.answer()
                return .keep
            }
            $0.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: quiet\n\n")
            $0.waitForHangUp()
            return .close
        }
        let client = try HTTPClient(label: "test")
        let collectors = (0..<streams).map { _ in Collector() }
        for collector in collectors {
            _ = client.submit(HTTPCall(url: server.base + "/stream"), collector)
        }
        await server.arrived(streams)
        for _ in 0..<64 {
            let collector = Collector()
            _ = client.submit(HTTPCall(url: server.base + "/fetch"), collector)
            #expect(await collector.value().fault == nil)
        }
        let fetches = server.requests.filter { $0.target == "/fetch" }
        #expect(fetches.count == 64)
        #expect(Set(fetches.map(\.connection)).count == 1)
        client.stop()
        for collector in collectors { #expect(await collector.value().fault == .cancelled) }
        server.stop()
    }

    @Test(
        "Cancelled, paused, resumed, stopped at any moment, each transfer ends once",
        arguments: 0..<6)
    func anyMoment(_ round: UInt64) async throws {
        let seed = TestSeed.number("FRESHET_SEED") ?? round
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let server = ScriptedServer { exchange in
            switch exchange.request.target {
            case "/large":
                exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n")
                _ = exchange.trySend([UInt8](repeating: 0x61, count: 400_000))
            case "/chunks":
                exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for _ in 0..<200 {
                    guard exchange.trySend(Array("1\r\na\r\n".utf8)) else { return .close }
                }
                exchange.send("0\r\n\r\n")
            case "/silent":
                exchange.waitForHangUp()
                return .close
            case "/reset":
                exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
                exchange.reset()
                return .close
            default: exchange.answer()
            }
            return .keep
        }
        let kinds = ["/large", "/chunks", "/silent", "/reset", "/plain"]
        for _ in 0..<4 {
            let client = try HTTPClient(label: "test")
            var transfers: [HTTPTransfer] = []
            var collectors: [Collector] = []
            for _ in 0..<40 {
                let kind = kinds[random.next(kinds.count)]
                let every = 1 + random.next(40_000)
                let collector = Collector(pauses: { $0 % every < 20_000 })
                let method = random.next(3) == 0 ? "POST" : "GET"
                let call = HTTPCall(method: method, url: server.base + kind)
                transfers.append(client.submit(call, collector))
                collectors.append(collector)
                for _ in 0..<random.next(40) { await Task.yield() }
                let other = transfers[random.next(transfers.count)]
                switch random.next(4) {
                case 0: other.cancel(random.next(2) == 0 ? .timeout : .cancelled)
                case 1: other.resume()
                default: transfers[transfers.count - 1].resume()
                }
            }
            // Resumed without need, some of them, and stopped in the midst of it.
            for transfer in transfers where random.next(2) == 0 { transfer.resume() }
            for _ in 0..<random.next(2_000) { await Task.yield() }
            client.stop()
            for transfer in transfers { transfer.cancel() }
            for collector in collectors { _ = await collector.value() }
        }
        server.stop()
    }

    @Test("Paused and resumed at every piece, a body is whole: plain, in chunks, with its coding")
    func everyPiece() async throws {
        let body = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for isChunked in [false, true] {
            let server = ScriptedServer { exchange in
                guard isChunked else {
                    exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                    exchange.send(body)
                    return .keep
                }
                exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for start in stride(from: 0, to: body.count, by: 1_000) {
                    exchange.send("3e8\r\n")
                    exchange.send(Array(body[start..<(start + 1_000)]))
                    exchange.send("\r\n")
                }
                exchange.send("0\r\n\r\n")
                return .keep
            }
            let client = try HTTPClient(label: "test")
            let (pieces, next) = AsyncStream<Void>.makeStream()
            let collector = Collector(pauses: { _ in true }, onBody: { _ in next.yield() })
            let transfer = client.submit(HTTPCall(url: server.base), collector)
            let resumes = Task { for await _ in pieces { transfer.resume() } }
            let answer = await collector.value()
            #expect(answer.fault == nil)
            #expect(answer.body == body)
            next.finish()
            await resumes.value
            client.stop()
            server.stop()
        }
    }
}
