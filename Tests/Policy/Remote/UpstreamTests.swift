import FreshetBase
import FreshetRefresh
import FreshetTestSupport
import Testing

@testable import FreshetRemote

@Suite("Calls to an upstream")
struct UpstreamTests {
    private let clock = ManualOperationClock()

    private func upstream(
        _ transport: ScriptedTransport, credential: (any UpstreamCredential)? = nil,
        _ change: (inout UpstreamSettings) -> Void = { _ in }
    ) throws -> Upstream {
        var settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase("https://api.example.test")))
        settings.retry = RetryPolicy(
            limit: 2, base: .seconds(1), longest: .seconds(30), hasJitter: false)
        change(&settings)
        return Upstream(
            settings, transport: transport, credential: credential, clock: clock,
            userAgent: "freshet/1", random: { 0 })
    }

    /// Moves the clock each time somebody waits for it, until `task` is over.
    private func outcome<Value: Sendable>(
        of task: Task<Value, any Error>, steps: [Duration] = []
    ) async -> Result<Value, any Error> {
        for step in steps {
            await clock.scheduled(atLeast: 1)
            clock.advance(by: step)
        }
        return await task.result
    }

    @Test("Configured, own and the caller's header fields go along; the caller's win")
    func headers() async throws {
        let transport = ScriptedTransport([ScriptedTransport.json("{}")])
        let upstream = try upstream(transport) {
            $0.headers = [
                .init(name: "X-Key", value: Secret("k")),
                .init(name: "accept", value: Secret("text/json")),
            ]
            $0.timeout = .seconds(3)
            $0.maxBody = 77
        }
        var request = UpstreamRequest(path: "/a")
        request.set("x-key", "mine")
        _ = try await upstream.perform(
            request, call: RemoteCall(requestID: "r1", traceparent: "00-1-2-01"))
        let sent = try #require(transport.requests.first)
        let fields = Dictionary(
            uniqueKeysWithValues: sent.headers.map { ($0.0.lowercased(), $0.1) })
        #expect(
            fields == [
                "user-agent": "freshet/1", "accept": "text/json", "x-key": "mine",
                "x-request-id": "r1", "traceparent": "00-1-2-01",
            ])
        #expect(sent.timeout == .seconds(3))
        #expect(sent.maxBody == 77)
    }

    @Test("A request id that could end a line is not sent")
    func forgedHeader() async throws {
        let transport = ScriptedTransport([ScriptedTransport.json("{}")])
        _ = try await upstream(transport).perform(
            UpstreamRequest(path: "/a"), call: RemoteCall(requestID: "a\r\nX-Key: b"))
        #expect(transport.requests[0].headers.allSatisfy { $0.0 != "X-Request-Id" })
    }

    @Test("What may succeed is tried again after growing pauses, and then succeeds")
    func repeats() async throws {
        let transport = ScriptedTransport([
            failing(.unreachable(.refused, detail: "")), ScriptedTransport.status(503),
            ScriptedTransport.json("[]"),
        ])
        let upstream = try upstream(transport)
        let task = Task { try await upstream.perform(UpstreamRequest(path: "/a")) }
        await transport.arrived(1)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .milliseconds(999))
        #expect(transport.requests.count == 1)
        clock.advance(by: .milliseconds(1))
        await transport.arrived(2)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .seconds(2))
        #expect(try await task.value.body == Array("[]".utf8))
        #expect(upstream.counters.retries.value == 2)
        #expect(upstream.counters.exchanges.value == 3)
    }

    @Test("The last error is the answer when the repeats are used up")
    func usedUp() async throws {
        let transport = ScriptedTransport { _ in
            .success(
                UpstreamResponse(
                    status: 502, body: Array("<b>no\u{7}</b>".utf8)))
        }
        let upstream = try upstream(transport) { $0.retry.limit = 1 }
        let task = Task { try await upstream.perform(UpstreamRequest(path: "/a")) }
        let result = await outcome(of: task, steps: [.seconds(1)])
        #expect(throws: UpstreamError.status(502, retryAfter: nil, excerpt: "<b>no?</b>")) {
            try result.get()
        }
        #expect(transport.requests.count == 2)
    }

    @Test("Retry-After is waited for, as seconds and as a date in the past")
    func retryAfter() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(429, [("Retry-After", "5")]),
            ScriptedTransport.status(
                503, [("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")]),
            ScriptedTransport.json("{}"),
        ])
        let upstream = try upstream(transport)
        let task = Task { try await upstream.perform(UpstreamRequest(path: "/a")) }
        await transport.arrived(1)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .seconds(4))
        #expect(transport.requests.count == 1)
        clock.advance(by: .seconds(1))
        await transport.arrived(2)
        await clock.scheduled(atLeast: 1)
        clock.advance(by: .seconds(2))
        _ = try await task.value
    }

    @Test("A cancelled pause ends the call at once")
    func cancelledPause() async throws {
        let transport = ScriptedTransport { _ in failing(.timeout) }
        let upstream = try upstream(transport)
        let task = Task { try await upstream.perform(UpstreamRequest(path: "/a")) }
        await transport.arrived(1)
        await clock.scheduled(atLeast: 1)
        task.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        #expect(transport.requests.count == 1)
    }

    @Test("No pause goes past the caller's deadline")
    func deadline() async throws {
        let transport = ScriptedTransport { _ in failing(.unreachable(.reset, detail: "x")) }
        let upstream = try upstream(transport)
        await #expect(throws: UpstreamError.unreachable(.reset, detail: "x")) {
            try await upstream.perform(
                UpstreamRequest(path: "/a"), call: RemoteCall(deadline: .milliseconds(900)))
        }
        #expect(transport.requests.count == 1)
        #expect(transport.requests[0].timeout == .milliseconds(900))
    }

    // MARK: Places

    @Test("No more than maxConcurrent are under way; the others come in their order")
    func places() async throws {
        let transport = ScriptedTransport()
        let upstream = try upstream(transport) { $0.maxConcurrent = 2 }
        var tasks: [Task<UpstreamResponse, any Error>] = []
        for index in 0..<5 {
            tasks.append(Task { try await upstream.perform(UpstreamRequest(path: "/\(index)")) })
            while upstream.load.active + upstream.load.waiting <= index { await Task.yield() }
        }
        await transport.arrived(2)
        #expect(upstream.load == (2, 3))
        for count in 3...5 {
            transport.release(ScriptedTransport.json("{}"))
            await transport.arrived(count)
        }
        transport.release(ScriptedTransport.json("{}"))
        transport.release(ScriptedTransport.json("{}"))
        for task in tasks { _ = try await task.value }
        #expect(transport.paths == ["/0", "/1", "/2", "/3", "/4"])
        #expect(upstream.load == (0, 0))
    }

    @Test("Whoever finds the queue full is turned away at once")
    func saturated() async throws {
        let transport = ScriptedTransport()
        let upstream = try upstream(transport) {
            $0.maxConcurrent = 1
            $0.maxWaiting = 1
        }
        let tasks = (0..<2).map { _ in
            Task { try await upstream.perform(UpstreamRequest(path: "/a")) }
        }
        while upstream.load != (1, 1) { await Task.yield() }
        await #expect(throws: UpstreamError.saturated(limit: 1)) {
            try await upstream.perform(UpstreamRequest(path: "/b"))
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        #expect(upstream.load == (0, 0))
    }

    @Test("A waiting leaver makes room, and never gets a place")
    func leaver() async throws {
        let transport = ScriptedTransport()
        let upstream = try upstream(transport) { $0.maxConcurrent = 1 }
        let first = Task { try await upstream.perform(UpstreamRequest(path: "/1")) }
        await transport.arrived(1)
        let second = Task { try await upstream.perform(UpstreamRequest(path: "/2")) }
        while upstream.load.waiting < 1 { await Task.yield() }
        let third = Task { try await upstream.perform(UpstreamRequest(path: "/3")) }
        while upstream.load.waiting < 2 { await Task.yield() }
        second.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await second.value }
        transport.release(ScriptedTransport.json("{}"))
        _ = try await first.value
        await transport.arrived(2)
        transport.release(ScriptedTransport.json("{}"))
        _ = try await third.value
        #expect(transport.paths == ["/1", "/3"])
    }

    @Test("The wait for a place counts against the time-out, and is no failure of the upstream")
    func waitingTimeout() async throws {
        let transport = ScriptedTransport()
        let upstream = try upstream(transport) {
            $0.maxConcurrent = 1
            $0.timeout = .seconds(4)
            $0.retry = .none
        }
        let failures = Counter()
        upstream.observe { if case .failed = $0 { failures.add() } }
        let first = Task { try await upstream.perform(UpstreamRequest(path: "/1")) }
        await transport.arrived(1)
        let second = Task { try await upstream.perform(UpstreamRequest(path: "/2")) }
        while upstream.load.waiting < 1 { await Task.yield() }
        clock.advance(by: .seconds(4))
        await #expect(throws: UpstreamError.timeout) { try await second.value }
        first.cancel()
        _ = await first.result
        #expect(transport.paths == ["/1"])
        #expect(failures.value == 0)
    }

    @Test("No leaver and no time-out ever loses a place", arguments: 0..<8)
    func placesRandomly(_ seed: UInt64) async throws {
        print("seed \(seed)")
        let places = UpstreamPlaces(limit: 3, queueLimit: 40, clock: clock)
        var random = SplitMix(seed: seed)
        var tasks: [Task<Void, Never>] = []
        for _ in 0..<200 {
            let yields = random.next(8)
            let task = Task { [clock] in
                do throws(UpstreamError) {
                    try await places.take(until: clock.now + .seconds(1))
                    for _ in 0..<yields { await Task.yield() }
                    places.giveBack()
                } catch {}
            }
            tasks.append(task)
            if random.next(3) == 0 { tasks[random.next(tasks.count)].cancel() }
            if random.next(10) == 0 { clock.advance(by: .milliseconds(600)) }
            if random.next(4) == 0 { await Task.yield() }
        }
        for task in tasks { await task.value }
        #expect(places.load == (0, 0))
    }

    // MARK: Credentials and listeners

    private struct TwoTries: UpstreamCredential {
        var mask: SecretMask { .none }

        func perform(
            _ send: @Sendable ((String, String)) async throws(UpstreamError) -> UpstreamResponse
        ) async throws(UpstreamError) -> UpstreamResponse {
            let first = try await send(("Authorization", "Bearer 1"))
            guard first.status == 401 else { return first }
            return try await send(("Authorization", "Bearer 2"))
        }
    }

    @Test("The credential stands around each exchange and may have it made again")
    func credential() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(401), ScriptedTransport.json("{}"),
        ])
        let upstream = try upstream(transport, credential: TwoTries())
        _ = try await upstream.perform(UpstreamRequest(path: "/a"))
        let sent = transport.requests.map { request in
            request.headers.filter { $0.0 == "Authorization" }.map(\.1)
        }
        #expect(sent == [["Bearer 1"], ["Bearer 2"]])
        #expect(upstream.counters.retries.value == 0)
    }

    @Test("What an upstream repeats of header fields and credential is masked before it is cut")
    func echo() async throws {
        struct Token: UpstreamCredential {
            let mask = SecretMask([Secret("tokentokentoken")])

            func perform(
                _ send: @Sendable ((String, String)) async throws(UpstreamError) -> UpstreamResponse
            ) async throws(UpstreamError) -> UpstreamResponse {
                try await send(("Authorization", "Bearer tokentokentoken"))
            }
        }
        let filling = String(repeating: "-", count: 195)
        for (body, wanted) in [
            ("got keykeykey, Bearer tokentokentoken, en", "got ***, Bearer ***, en"),
            (filling + "keykeykey", filling + "***"), (filling + "keyke", filling + "***"),
        ] {
            let transport = ScriptedTransport([
                .success(UpstreamResponse(status: 403, body: Array(body.utf8)))
            ])
            let upstream = try upstream(transport, credential: Token()) {
                $0.headers = [
                    .init(name: "X-Key", value: Secret("keykeykey")),
                    .init(name: "Accept-Language", value: Secret("en"), isSecret: false),
                ]
            }
            let error = await #expect(throws: UpstreamError.self) {
                try await upstream.perform(UpstreamRequest(path: "/a"))
            }
            guard case .status(403, _, let excerpt)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(excerpt.text == wanted)
        }
    }

    @Test("Listeners hear of every answer, and of a failure with the last try only")
    func listeners() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.status(503, [("Retry-After", "2")]), failing(.timeout),
            failing(.timeout),
        ])
        let upstream = try upstream(transport)
        let heard = AsyncStream<UpstreamOutcome>.makeStream()
        upstream.observe { heard.continuation.yield($0) }
        let task = Task { try await upstream.perform(UpstreamRequest(path: "/a")) }
        _ = await outcome(of: task, steps: [.seconds(2), .seconds(2)])
        heard.continuation.finish()
        var outcomes: [UpstreamOutcome] = []
        for await outcome in heard.stream { outcomes.append(outcome) }
        #expect(
            outcomes == [.answered(status: 503, retryAfter: .seconds(2)), .failed(.timeout)])
    }

    // MARK: Retry-After

    @Test(
        "Retry-After in seconds and in all forms of dates, an hour at most",
        arguments: [
            ("120", Duration.seconds(120)), (" 7", .seconds(7)), ("0", .zero),
            ("99999999999999999999", .seconds(3_600)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
            ("Sunday, 06-Nov-94 08:49:47 GMT", .seconds(10)),
            ("Tuesday, 06-Nov-69 08:49:37 GMT", .seconds(3_600)),
            ("Sun Nov  6 08:49:47 1994", .seconds(10)),
            ("Sunday, 06-Nov-1994 08:49:47 GMT", nil), ("Sun Nov  6 08:49:47 94", nil),
            ("Mon, 01 Jan 1996 00:00:00 GMT", .seconds(3_600)),
            ("-1", nil), ("soon", nil), ("", nil), ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Duration?)])
    func retryAfterForms(_ text: String, _ span: Duration?) {
        let now = WallTime(milliseconds: 784_111_777_000)
        #expect(RetryAfter.span(text, now: now) == span)
    }
}
