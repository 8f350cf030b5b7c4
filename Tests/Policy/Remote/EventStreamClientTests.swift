import FreshetBase
import FreshetRefresh
import FreshetTestSupport
import Testing

@testable import FreshetRemote

@Suite("The client of event streams")
struct EventStreamClientTests {
    private let clock = EagerClock()

    private func client(
        _ streams: ScriptedStreams, random: Double = 1,
        _ change: (inout EventStreamSettings) -> Void = { _ in }
    ) -> EventStreamClient {
        var settings = EventStreamSettings(UpstreamRequest(path: "/events"))
        settings.silence = .seconds(3_600)
        change(&settings)
        return EventStreamClient(
            settings, transport: streams, clock: clock, random: { random }, mask: .none)
    }

    /// Everything that the client tells until it ends.
    private func signals(
        _ client: EventStreamClient,
        _ verdict: (EventStreamSignal) -> EventStreamVerdict = { _ in .proceed }
    ) async -> (signals: [EventStreamSignal], end: EventStreamEnd) {
        var signals: [EventStreamSignal] = []
        let end = await client.run { signal in
            signals.append(signal)
            return verdict(signal)
        }
        return (signals, end)
    }

    private func event(_ data: String, id: String = "", name: String = "message") -> StreamEvent {
        StreamEvent(name: name, data: data, id: id)
    }

    @Test("Events come in order, and a later connection resumes behind the last")
    func resume() async {
        let streams = ScriptedStreams([
            ScriptedStreams.closed(
                "event: a\nid: 1\ndata: x\n\nid: 2\ndata: y\n\nid: 3\ndata: cut"),
            ScriptedStreams.closed(": hb\nid: 4\n\n", .unreachable(.reset, detail: "")),
        ])
        let client = client(streams)
        let (signals, end) = await signals(client)
        #expect(
            signals == [
                .opened, .event(event("x", id: "1", name: "a")), .event(event("y", id: "2")),
                .caughtUp, .interrupted(nil, retryIn: .seconds(1)), .opened,
                .interrupted(.unreachable(.reset, detail: ""), retryIn: .seconds(1)),
            ])
        #expect(streams.positions == [nil, "2", "4"])
        #expect(end == .refused(.status(410, retryAfter: nil, excerpt: "")))
        #expect(client.lastID == "4")
    }

    @Test("What is asked for is an event stream, from the position that was given")
    func request() async throws {
        let streams = ScriptedStreams([])
        _ = await signals(client(streams) { $0.lastID = "e.7" })
        let request = try #require(streams.requests.first)
        #expect(request.path == "/events")
        #expect(request.headers.contains { $0 == ("Accept", "text/event-stream") })
        #expect(streams.positions == ["e.7"])
    }

    @Test("An id that no header field can have is not sent, and none where nothing is resumed")
    func unsafeIDs() async {
        let streams = ScriptedStreams([ScriptedStreams.closed("id: a\u{1}\ndata: x\n\n")])
        _ = await signals(client(streams))
        #expect(streams.positions == [nil, nil])
        let foreign = ScriptedStreams([ScriptedStreams.closed("id: é 7\ndata: x\n\n")])
        _ = await signals(client(foreign))
        #expect(foreign.positions == [nil, "é 7"])
        let fresh = ScriptedStreams([ScriptedStreams.closed("id: 1\ndata: x\n\n")])
        _ = await signals(client(fresh) { $0.resumes = false })
        #expect(fresh.positions == [nil, nil])
    }

    @Test("An event that the consumer did not handle is asked for again")
    func unhandled() async {
        let streams = ScriptedStreams([
            .success(ScriptedStreams.stream("id: 1\ndata: x\n\nid: 2\ndata: y\n\nid: 3\n\n")),
            .success(ScriptedStreams.stream("id: 2\ndata: y\n\n")),
        ])
        var seen = 0
        let client = client(streams)
        let (_, end) = await signals(client) { signal in
            guard case .event = signal else { return .proceed }
            seen += 1
            return seen == 1 ? .reconnect(after: .seconds(5)) : .stop
        }
        #expect(end == .stopped)
        #expect(streams.positions == [nil, "1"])
        #expect(clock.pauses == [.seconds(5)])
        #expect(client.lastID == "2")
    }

    @Test("The end is final on 204, on a refusal, and on what is no event stream")
    func finalEnds() async {
        #expect(
            await signals(
                client(
                    ScriptedStreams([
                        .success(ScriptedStreams.stream(status: 204))
                    ]))
            ).end == .exhausted)
        let refusal = ScriptedStreams.stream("no\nsuch", status: 404, type: "text/plain")
        refusal.finish()
        #expect(
            await signals(client(ScriptedStreams([.success(refusal)]))).end
                == .refused(.status(404, retryAfter: nil, excerpt: "no?such")))
        let page = ScriptedStreams([.success(ScriptedStreams.stream("<p>", type: "text/html"))])
        let (_, end) = await signals(client(page))
        guard case .refused(.shape) = end else {
            Issue.record("\(end)")
            return
        }
        let upper = ScriptedStreams.stream(type: "Text/Event-Stream; charset=utf-8")
        #expect(upper.isEventStream)
    }

    @Test("Where no refusal is the end, each is followed by another try, as the policy says")
    func goesOn() async {
        func answer(_ status: Int, _ type: String) -> ScriptedStreams.Answer {
            let stream = ScriptedStreams.stream("no", status: status, type: type)
            stream.finish()
            return .success(stream)
        }
        let streams = ScriptedStreams([
            answer(404, "text/plain"), answer(401, "text/plain"), answer(302, "text/plain"),
            answer(200, "text/html"), .success(ScriptedStreams.stream(status: 204)),
        ])
        let (_, end) = await signals(client(streams) { $0.endsOnRefusal = false })
        #expect(end == .exhausted)
        #expect(clock.pauses == [1, 2, 4, 8].map { .seconds($0) })
    }

    @Test("A stream that the consumer has no use for is asked for anew, less and less often")
    func restarts() async {
        let streams = ScriptedStreams([
            ScriptedStreams.closed("id: 1\ndata: x\n\n"),
            ScriptedStreams.closed("id: 2\ndata: y\n\n"),
            .success(ScriptedStreams.stream(status: 204)),
        ])
        let (_, end) = await signals(client(streams) { $0.lastID = "0" }) { signal in
            if case .event = signal { .restart } else { .proceed }
        }
        #expect(end == .exhausted)
        #expect(streams.positions == ["0", nil, nil])
        #expect(clock.pauses == [1, 2].map { .seconds($0) })
    }

    @Test("Failures in a row wait longer and longer; the server's own pauses hold")
    func pauses() async {
        let busy = ScriptedStreams.stream(status: 503, headers: [("Retry-After", "90")])
        busy.finish()
        let failure = ScriptedStreams.Answer.failure(.unreachable(.refused, detail: ""))
        let streams = ScriptedStreams([
            failure, failure, .success(busy), ScriptedStreams.closed("retry: 4000\n\n"),
            ScriptedStreams.closed("data: x\n\n"), failure,
        ])
        _ = await signals(client(streams))
        #expect(
            clock.pauses == [
                .seconds(1), .seconds(2), .seconds(90), .seconds(30), .seconds(4), .seconds(4),
            ])
    }

    @Test("A pause is at least half as long as it could be, and in a row only so many are made")
    func jitterAndLimit() async {
        let failure = ScriptedStreams.Answer.failure(.timeout)
        let streams = ScriptedStreams([failure, failure, failure])
        let (_, end) = await signals(client(streams, random: 0) { $0.reconnect.limit = 2 })
        #expect(clock.pauses == [.milliseconds(500), .seconds(1)])
        #expect(end == .refused(.timeout))
        #expect(streams.requests.count == 3)
    }

    @Test("A connection on which nothing arrives is given up")
    func silence() async {
        let manual = ManualOperationClock()
        let silent = ScriptedStreams.stream("data: x\n\n")
        let streams = ScriptedStreams([.success(silent)])
        var settings = EventStreamSettings(UpstreamRequest(path: "/"))
        settings.silence = .seconds(70)
        let client = EventStreamClient(
            settings, transport: streams, clock: manual, random: { 1 }, mask: .none)
        var signals: [EventStreamSignal] = []
        let end = await client.run { signal in
            signals.append(signal)
            if case .event = signal {
                // Something has arrived since the connection was made, then nothing more.
                manual.advance(by: .seconds(70))
                silent.push(Array(": hb\n".utf8))
                manual.advance(by: .seconds(70))
                manual.advance(by: .seconds(70))
            }
            if case .interrupted = signal { return .stop }
            return .proceed
        }
        #expect(end == .stopped)
        #expect(signals.last == .interrupted(.timeout, retryIn: .seconds(1)))
    }

    @Test("A consumer that falls behind has its transport wait, and misses nothing")
    func fallingBehind() async {
        let drained = Counter()
        let slow = ScriptedStreams.stream(
            "id: 1\ndata: x\n\n", limit: 40, onDrain: { drained.add() })
        let streams = ScriptedStreams([.success(slow)])
        let (signals, _) = await signals(client(streams)) { signal in
            switch signal {
            case .event(self.event("x", id: "1")):
                #expect(slow.push(Array("id: 2\ndata: y\n\n".utf8)))
                #expect(!slow.push(Array("id: 3\ndata: \(String(repeating: "z", count: 40))".utf8)))
                #expect(slow.received.isFull && drained.value == 0)
            case .event(self.event("y", id: "2")):
                #expect(!slow.received.isFull && drained.value == 1)
                #expect(slow.push(Array("z\n\n".utf8)))
            case .event: return .stop
            default: break
            }
            return .proceed
        }
        #expect(signals.last == .event(event(String(repeating: "z", count: 41), id: "3")))
        #expect(drained.value == 1 && streams.positions == [nil])
    }

    @Test("An event over the limit ends its connection, not the stream")
    func hugeEvent() async {
        let streams = ScriptedStreams([
            ScriptedStreams.closed("data: \(String(repeating: "x", count: 200))\n\n"),
            ScriptedStreams.closed("data: y\n\n"),
        ])
        let (signals, _) = await signals(client(streams) { $0.eventLimit = 100 })
        #expect(signals.contains(.interrupted(.tooLarge(limit: 100), retryIn: .seconds(1))))
        #expect(signals.contains(.event(event("y"))))
    }

    @Test("A cancelled task ends a stream that waits, reads or rests")
    func cancelled() async {
        let opened = Gate()
        let dropped = Counter()
        let stream = ScriptedStreams.stream(onCancel: { dropped.add() })
        let client = client(ScriptedStreams([.success(stream)]))
        let reading = Task {
            await client.run { _ in
                await opened.pass()
                return .proceed
            }
        }
        opened.open()
        await opened.arrived(1)
        reading.cancel()
        #expect(await reading.value == .cancelled)
        #expect(dropped.value == 1)

        let resting = EventStreamClient(
            EventStreamSettings(UpstreamRequest(path: "/")),
            transport: ScriptedStreams([.failure(.timeout)]), clock: ManualOperationClock(),
            mask: .none)
        let told = Gate()
        let task = Task {
            await resting.run { _ in
                await told.pass()
                return .proceed
            }
        }
        told.open()
        await told.arrived(1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("A connection is dropped with the stream that nobody holds any more")
    func dropped() async {
        let dropped = Counter()
        do { _ = ScriptedStreams.stream(onCancel: { dropped.add() }) }
        #expect(dropped.value == 1)
        let done = ScriptedStreams.stream("x", onCancel: { dropped.add() })
        done.finish()
        done.cancel()
        #expect(dropped.value == 1)
        await #expect(throws: UpstreamError.cancelled) { try await done.next() }
    }
}
