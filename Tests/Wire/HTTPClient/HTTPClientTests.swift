import FreshetBase
@testable import FreshetHTTPClient
import FreshetTestSupport
import Glibc
import Testing

/// Collects an answer; `body` may ask for pauses.
// SAFETY: all mutable state is read and written under `lock`.
final class Collector: HTTPReceiver, @unchecked Sendable {
    struct Answer: Sendable {
        var head: HTTPHead?
        var body: [UInt8] = []
        var fault: HTTPFault?
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let lock = Lock()
    private var answer = Answer()
    private var isDone = false
    private var waiters: [CheckedContinuation<Answer, Never>] = []
    /// Whether a piece is enough for now.
    private let pauses: @Sendable (Int) -> Bool
    private let onBody: @Sendable (Int) -> Void

    init(
        pauses: @escaping @Sendable (Int) -> Bool = { _ in false },
        onBody: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.pauses = pauses
        self.onBody = onBody
    }

    func head(_ head: HTTPHead) { lock.withLock { answer.head = head } }

    func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let count = lock.withLock {
            answer.body += bytes
            return answer.body.count
        }
        onBody(count)
        return !pauses(count)
    }

    func finish(_ fault: HTTPFault?) {
        let (answer, waiters) = lock.withLock {
            precondition(!isDone, "a transfer ends once")
            isDone = true
            self.answer.fault = fault
            return (self.answer, self.waiters)
        }
        for waiter in waiters { waiter.resume(returning: answer) }
    }

    var count: Int { lock.withLock { answer.body.count } }

    func value() async -> Answer {
        await withCheckedContinuation { continuation in
            let answer: Answer? = lock.withLock {
                if isDone { return self.answer }
                waiters.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}

@Suite("The outgoing client, against a raw server")
struct HTTPClientTests {
    /// What `call` comes to against `script`, and what the server has seen.
    private func outcome(
        _ call: (String) -> HTTPCall = { HTTPCall(url: $0 + "/a") },
        _ script: @escaping @Sendable (ScriptedServer.Exchange) -> ScriptedServer.Next
    ) async throws -> (Collector.Answer, [ScriptedServer.Request]) {
        let server = ScriptedServer(script)
        let client = try HTTPClient(label: "test")
        let collector = Collector()
        _ = client.submit(call(server.base), collector)
        let answer = await collector.value()
        client.stop()
        server.stop()
        return (answer, server.requests)
    }

    private func reason(_ answer: Collector.Answer) -> HTTPFault.Reason? {
        if case .unreachable(let reason, _) = answer.fault { reason } else { nil }
    }

    @Test("A transfer that has ended lets go of its receiver, which may hold it")
    func receiverIsLetGo() async throws {
        let server = ScriptedServer {
            $0.answer(200, "{}")
            return .keep
        }
        let client = try HTTPClient(label: "test")
        var collector: Collector? = Collector()
        weak let held = collector
        let transfer = try client.submit(HTTPCall(url: server.base), #require(collector))
        _ = await collector?.value()
        collector = nil
        // The client's thread has it until it has come back from telling it.
        while held != nil { try await Task.sleep(for: .milliseconds(1)) }
        withExtendedLifetime(transfer) {}
        client.stop()
        server.stop()
    }

    @Test("Method, path, header fields and body arrive as they are, and nothing that was not said")
    func request() async throws {
        let (answer, requests) = try await outcome({
            HTTPCall(
                method: "PATCH", url: $0 + "/a%2Fb/../c%3F?q=%26&x=1",
                fields: [("X-Key", "k1"), ("X-Empty", "")], body: Array("{\"a\":1}".utf8))
        }) {
            $0.answer(201, "{\"b\":2}", headers: ["ETag: \"7\"", "X-A: b"])
            return .keep
        }
        #expect(answer.fault == nil)
        #expect(answer.head?.status == 201)
        #expect(answer.text == "{\"b\":2}")
        #expect(answer.head?.fields.contains { $0.name == "ETag" && $0.value == "\"7\"" } == true)
        let request = try #require(requests.first)
        #expect(request.method == "PATCH")
        #expect(request.target == "/a%2Fb/../c%3F?q=%26&x=1")
        #expect(request.header("X-Key") == "k1")
        #expect(request.header("X-Empty") == "")
        #expect(request.header("Content-Type") == nil)
        #expect(request.header("Expect") == nil)
        #expect(String(decoding: request.body, as: UTF8.self) == "{\"a\":1}")
    }

    @Test(
        "A write without a body says so, a body of no bytes, too; HEAD has none",
        arguments: [
            ("POST", "0"), ("PUT", "0"), ("DELETE", nil), ("GET", nil), ("HEAD", nil),
        ] as [(String, String?)])
    func emptyBody(method: String, length: String?) async throws {
        let (answer, requests) = try await outcome({ HTTPCall(method: method, url: $0) }) {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            return .keep
        }
        #expect(answer.fault == nil)
        #expect(requests.first?.method == method)
        #expect(requests.first?.header("Content-Length") == length)
    }

    @Test("Redirects and refusals are answers")
    func redirect() async throws {
        for status in [302, 401, 404, 503] {
            let (answer, requests) = try await outcome {
                $0.answer(status, "x", headers: ["Location: /b", "WWW-Authenticate: Basic"])
                return .keep
            }
            #expect(answer.head?.status == status)
            #expect(answer.text == "x")
            #expect(requests.count == 1)
        }
    }

    @Test("An interim answer is passed over; its fields are none of the answer's")
    func interim() async throws {
        let (answer, _) = try await outcome {
            $0.send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
            $0.answer(200, "ok")
            return .keep
        }
        #expect(answer.head?.status == 200)
        #expect(answer.head?.fields.contains { $0.name == "Link" } == false)
        #expect(answer.text == "ok")
    }

    @Test("Heads without an end are cut at the limit: fields, interim answers, trailers")
    func headLimit() async throws {
        let field = "X-Long: \(String(repeating: "x", count: 1_000))\r\n"
        for (start, piece) in [
            ("HTTP/1.1 200 OK\r\n", field), ("", "HTTP/1.1 103 E\r\n\(field)\r\n"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", field),
        ] {
            let (answer, _) = try await outcome { exchange in
                exchange.send(start)
                for _ in 0..<100_000 {
                    guard exchange.trySend(Array(piece.utf8)) else { break }
                }
                return .close
            }
            guard case .headTooLarge = answer.fault else {
                Issue.record("\(start): \(String(describing: answer.fault))")
                continue
            }
        }
    }

    @Test("A body over the limit is cut there, also one that grows by its coding")
    func bodyLimit() async throws {
        func limited(_ url: String) -> HTTPCall {
            var call = HTTPCall(url: url)
            call.bodyLimit = 10_000
            return call
        }
        let (plain, _) = try await outcome(limited) { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            for _ in 0..<1_000 {
                let piece = [UInt8](repeating: 0x20, count: 10_000)
                guard exchange.trySend(piece) else { break }
            }
            return .close
        }
        #expect(plain.fault == .bodyTooLarge(limit: 10_000))
        #expect(plain.body.count <= 10_000)
        // 1 MB of zeros in about 1 KB.
        let (bomb, requests) = try await outcome(limited) { exchange in
            exchange.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                    + "Content-Length: \(Self.bomb.count)\r\n\r\n")
            exchange.send(Self.bomb)
            return .keep
        }
        #expect(requests.first?.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(bomb.fault == .bodyTooLarge(limit: 10_000))
    }

    /// A gzip member of stored-free deflate: one block of a zero byte repeated 258 at a time.
    private static let bomb: [UInt8] = {
        // Fixed Huffman: literal 0, then matches of length 258 at distance 1, then end of block.
        var bits: [UInt8] = []
        func put(_ value: Int, _ count: Int) {
            for index in 0..<count { bits.append(UInt8(value >> index & 1)) }
        }
        func code(_ value: Int, _ count: Int) {
            for index in (0..<count).reversed() { bits.append(UInt8(value >> index & 1)) }
        }
        put(1, 1)
        put(1, 2)
        code(0x30, 8)
        for _ in 0..<4_000 {
            code(0xC5, 8)
            code(0, 5)
        }
        code(0, 7)
        while bits.count % 8 != 0 { bits.append(0) }
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        for start in stride(from: 0, to: bits.count, by: 8) {
            bytes.append((0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) })
        }
        return bytes + [UInt8](repeating: 0, count: 8)
    }()

    @Test("An answer that is cut short, or has two lengths, is none")
    func wrongLength() async throws {
        let (short, _) = try await outcome {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{")
            return .close
        }
        #expect(reason(short) == .reset)
        let (two, _) = try await outcome {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x")
            return .close
        }
        #expect(reason(two) == .other)
    }

    @Test("A POST whose kept connection dies unanswered is lost, and was sent once; a GET goes on")
    func dyingConnection() async throws {
        let (small, large) = ([UInt8]("{}".utf8), [UInt8](repeating: 0x20, count: 1 << 20))
        for (method, body) in [
            ("POST", small), ("PATCH", small), ("GET", small), ("PUT", small), ("DELETE", small),
            ("POST", large), ("PUT", large),
        ] {
            // A busy client may not have its connection back yet, and take another.
            let deadline = TestDeadline("\(method) takes the kept connection")
            while try await !dies(method, body) { try deadline.check() }
        }
    }

    /// Asks over a connection that dies.
    ///
    /// - Returns: false where the request took another one.
    private func dies(_ method: String, _ body: [UInt8]) async throws -> Bool {
        let server = ScriptedServer { exchange in
            if exchange.request.target == "/dies", exchange.request.connection == 1 {
                return .close
            }
            exchange.answer()
            return .keep
        }
        let client = try HTTPClient(label: "test")
        let first = Collector()
        _ = client.submit(HTTPCall(url: server.base + "/first"), first)
        #expect(await first.value().fault == nil)
        let second = Collector()
        _ = client.submit(
            HTTPCall(method: method, url: server.base + "/dies", body: body), second)
        let answer = await second.value()
        let requests = server.requests.filter { $0.target == "/dies" }
        let seen = requests.count
        defer {
            client.stop()
            server.stop()
        }
        guard requests.first?.connection == 1 else { return false }
        #expect(requests.allSatisfy { $0.body == body }, "\(method)")
        if ["POST", "PATCH"].contains(method) {
            #expect(reason(answer) == .lost, "\(method)")
            #expect(seen == 1, "\(method)")
        } else {
            #expect(answer.fault == nil, "\(method)")
            #expect(seen == 2, "\(method)")
        }
        return true
    }

    @Test(
        "What was sent over a kept connection that died is not refused, though nobody listens since"
    )
    func dyingServer() async throws {
        for (method, wanted) in [("POST", HTTPFault.Reason.lost), ("GET", .reset)] {
            let running = Running()
            let server = ScriptedServer { exchange in
                if exchange.request.target == "/dies" {
                    running.server?.stop()
                    return .close
                }
                exchange.answer()
                return .keep
            }
            running.server = server
            let client = try HTTPClient(label: "test")
            let first = Collector()
            _ = client.submit(HTTPCall(url: server.base + "/first"), first)
            #expect(await first.value().fault == nil)
            let second = Collector()
            _ = client.submit(HTTPCall(method: method, url: server.base + "/dies"), second)
            #expect(reason(await second.value()) == wanted, "\(method)")
            #expect(server.requests.filter { $0.target == "/dies" }.count == 1)
            let third = Collector()
            _ = client.submit(HTTPCall(method: method, url: server.base + "/third"), third)
            #expect(reason(await third.value()) == .refused, "\(method)")
            client.stop()
        }
    }

    // SAFETY: set before the first request is sent.
    private final class Running: @unchecked Sendable {
        weak var server: ScriptedServer?
    }

    @Test("A kept connection is judged by the rules of each call that would use it")
    func keptConnectionRefused() async throws {
        let server = ScriptedServer {
            $0.answer()
            return .keep
        }
        let client = try HTTPClient(label: "test")
        func outcome(of method: String, refusing classes: HTTPAddressClass) async
            -> Collector.Answer
        {
            let collector = Collector()
            var call = HTTPCall(method: method, url: server.base + "/\(method)")
            call.route.refused = classes
            _ = client.submit(call, collector)
            return await collector.value()
        }
        for method in ["GET", "POST"] {
            #expect(await outcome(of: method, refusing: .linkLocal).fault == nil)
            let refused = await outcome(of: method, refusing: [.linkLocal, .privateUse])
            let detail = "the host's address is private, which is refused"
            #expect(refused.fault == .unreachable(.other, detail: detail))
        }
        #expect(server.requests.map(\.method) == ["GET", "POST"])
        client.stop()
        server.stop()
    }

    @Test("A reader that has enough is left alone until it asks for more")
    func pause() async throws {
        let total = 8 << 20
        let server = ScriptedServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let piece = [UInt8](repeating: 0x61, count: 1 << 16)
            for _ in 0..<(total >> 16) {
                guard exchange.trySend(piece) else { break }
            }
            return .close
        }
        let client = try HTTPClient(label: "test")
        let box = TransferBox()
        let paused = Gate()
        let collector = Collector(
            pauses: { _ in true },
            onBody: { _ in Task { await paused.pass() } })
        box.transfer = client.submit(HTTPCall(url: server.base), collector)
        var pieces = 0
        while collector.count < total {
            pieces += 1
            await paused.arrived(pieces)
            let held = collector.count
            // Nothing comes unasked, however much the server has sent.
            let other = Collector()
            let probe = ScriptedServer {
                $0.answer()
                return .close
            }
            _ = client.submit(HTTPCall(url: probe.base), other)
            #expect(await other.value().fault == nil)
            probe.stop()
            #expect(collector.count == held)
            box.transfer?.resume()
            if pieces > 3 { break }
        }
        box.transfer?.cancel()
        #expect(await collector.value().fault == .cancelled)
        #expect(collector.count < total)
        paused.open()
        client.stop()
        server.stop()
    }

    @Test("A cancelled transfer ends once, with the reason that was given")
    func cancel() async throws {
        let server = ScriptedServer {
            $0.waitForHangUp()
            return .close
        }
        let client = try HTTPClient(label: "test")
        let collector = Collector()
        let transfer = client.submit(HTTPCall(url: server.base), collector)
        await server.arrived(1)
        transfer.cancel(.timeout)
        transfer.cancel()
        #expect(await collector.value().fault == .timeout)
        client.stop()
        server.stop()
    }

    @Test("Stopping ends what is under way, and what comes later")
    func stop() async throws {
        let server = ScriptedServer {
            $0.waitForHangUp()
            return .close
        }
        let client = try HTTPClient(label: "test")
        let early = Collector()
        _ = client.submit(HTTPCall(url: server.base), early)
        await server.arrived(1)
        client.stop()
        let late = Collector()
        _ = client.submit(HTTPCall(url: server.base), late)
        #expect(await early.value().fault == .cancelled)
        #expect(await late.value().fault == .cancelled)
        server.stop()
    }

    @Test("What cannot be reached is told by its kind")
    func unreachable() async throws {
        let client = try HTTPClient(label: "test")
        for (url, reason): (String, HTTPFault.Reason) in [
            ("http://127.0.0.1:\(ServerPort.free())/", .refused),
            ("http://name.invalid/", .dns), ("http://169.254.169.254/", .other),
            ("http://[fe80::1]/", .other), ("ftp://127.0.0.1/", .other),
            ("file:///etc/passwd", .other), ("http://user:word@127.0.0.1/", .other),
            ("http://127.0.0.1/a b", .other), ("nothing", .other),
        ] {
            let collector = Collector()
            _ = client.submit(HTTPCall(url: url), collector)
            let answer = await collector.value()
            #expect(self.reason(answer) == reason, "\(url): \(String(describing: answer.fault))")
        }
        client.stop()
    }

    @Test("Private addresses are refused where that is asked for, whatever name leads there")
    func privateAddresses() async throws {
        let (answer, requests) = try await outcome({
            var call = HTTPCall(url: $0.replacing("127.0.0.1", with: "localhost"))
            call.route.refused = [.linkLocal, .privateUse]
            return call
        }) {
            $0.answer()
            return .keep
        }
        #expect(reason(answer) == .other)
        #expect(requests.isEmpty)
    }

    @Test("A header field that would forge another, and a method that is none, are refused")
    func forged() async throws {
        for (method, field) in [
            ("GET", ("X", "a\r\nY: b")), ("GET", ("X: y", "a")), ("GE T", ("X", "a")),
            ("POST", ("Content-Length", "5")), ("GET", ("transfer-encoding", "chunked")),
        ] {
            let (answer, requests) = try await outcome({
                HTTPCall(method: method, url: $0, fields: [field])
            }) {
                $0.answer()
                return .keep
            }
            #expect(reason(answer) == .other)
            #expect(requests.isEmpty)
        }
    }

    @Test("Two hundred calls over one client, each its own answer, a few connections")
    func many() async throws {
        let server = ScriptedServer {
            $0.answer(200, $0.request.target)
            return .keep
        }
        let client = try HTTPClient(label: "test")
        for batch in 0..<20 {
            let calls = (0..<10).map { index in
                let collector = Collector()
                let path = "/\(batch)/\(index)"
                _ = client.submit(HTTPCall(url: server.base + path), collector)
                return (path, collector)
            }
            for (path, collector) in calls { #expect(await collector.value().text == path) }
        }
        #expect(Set(server.requests.map(\.connection)).count <= 20)
        client.stop()
        server.stop()
    }

    @Test("A library that is not there, or is none, is told in one sentence")
    func missing() throws {
        for name in ["libnothing.so.4", "libm.so.6"] {
            guard case .failure(let missing) = CurlLibrary.load([name]) else {
                Issue.record("\(name) is no libcurl")
                continue
            }
            #expect(missing.description.hasPrefix("outgoing HTTP needs libcurl 7.80 or newer"))
        }
        let library = try CurlLibrary.shared.get()
        #expect(library.version.contains("."))
        let old = CurlLibrary(
            table: library.table, version: "7.81.0 OpenSSL/3.0.2", endsQuickly: false,
            authorities: nil)
        #expect(old.weakness?.contains("7.81.0 OpenSSL/3.0.2: below 7.87") == true)
        #expect(
            CurlLibrary(
                table: library.table, version: "8.14.1", endsQuickly: true, authorities: nil
            )
            .weakness == nil)
    }
}

// SAFETY: set by the test before it is read there.
private final class TransferBox: @unchecked Sendable {
    var transfer: HTTPTransfer?
}
