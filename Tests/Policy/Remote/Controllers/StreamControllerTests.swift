import FreshetBase
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import Testing

@testable import FreshetRemote

@Suite("An upstream's stream as a controller")
struct StreamControllerTests {
    private let clock = ManualOperationClock()
    private let operation = RecordedOperation()
    private let surroundings = RecordedSurroundings()

    private func host(
        _ streams: ScriptedStreams, _ change: (inout ReducedStream) -> Void = { _ in }
    ) throws -> ControllerHost {
        let settings = UpstreamSettings(
            name: "api", base: try #require(UpstreamBase("http://api.example.test")))
        let upstream = Upstream(
            settings, transport: ScriptedTransport(), streams: streams, clock: clock,
            random: { 0 })
        var source = ReducedStream(upstream: "api", path: "/todos/events")
        source.reconnect = RetryPolicy(limit: .max, hasJitter: false)
        source.rules = [
            StreamRule(on: "put", .upsert), StreamRule(on: "gone", .remove),
            StreamRule(on: "all", .set), StreamRule(on: "oops", .error),
            StreamRule(on: "resync", .rerun), StreamRule(on: "reset", .reset),
            StreamRule(on: "bye", .halt),
        ]
        change(&source)
        let type = try #require(TypeName("todo"))
        let controller = StreamController(
            source, mapping: RemoteMapping(type: type, upstream: "api"), maximumEntity: 1_000,
            upstream: upstream, surroundings: surroundings)
        var bounds = ControllerBounds()
        bounds.pace = .zero
        return ControllerHost(
            controller, kind: "sse", of: operation, clock: clock, bounds: bounds)
    }

    private func until(_ isSo: () -> Bool) async {
        while !isSo() { await Task.yield() }
    }

    /// Lets seconds pass, no more of them than it takes.
    private func passTime(until isSo: () -> Bool) async {
        while !isSo() {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
    }

    @Test("Events become values with their positions, errors, reruns and effects, in order")
    func events() async throws {
        let text = """
            event: all\nid: 1\ndata: [{"id":"a"}]\n\nevent: put\nid: 2\ndata: {"id":"b"}\n\n\
            event: gone\nid: 3\ndata: "a"\n\nevent: put\nid: 4\ndata: no JSON\n\n\
            event: oops\nid: 5\ndata: overheated\n\nevent: resync\nid: 6\ndata: -\n\n\
            event: other\nid: 7\ndata: -\n\nevent: bye\nid: 8\ndata: -\n\n
            """
        let streams = ScriptedStreams([.success(ScriptedStreams.stream(text))])
        let host = try host(streams) { $0.effects = [.init(condition: "saw", value: true)] }
        host.drive(true)
        await until { host.report.state == .halted }
        await until { operation.log.count == 6 }
        #expect(
            operation.log == [
                #"whole {"id":"a"} at 1"#, #"put {"id":"b"} remove  at 2"#, "put  remove a at 3",
                "error keep the data of 'put' is no JSON: expected true, false or null",
                "error fail overheated",
                "rerun",
            ])
        // Once for what was stored together, and for each of the others.
        await until { surroundings.effects == 4 }
        #expect(operation.commits == 1)
        // What the rerun brings may be refused, joined or failed.
        #expect(operation.invalidations == 1)
        #expect(streams.requests.first?.path == "/todos/events")
    }

    @Test("A later connection, and a later session, go on behind what is stored")
    func resume() async throws {
        let open = ScriptedStreams.stream("event: put\nid: 7\ndata: {\"id\":\"c\"}\n\n")
        let streams = ScriptedStreams([
            ScriptedStreams.closed("event: put\nid: 6\ndata: {\"id\":\"b\"}\n\n"), .success(open),
            .success(ScriptedStreams.stream()),
        ])
        surroundings.position = "5"
        let host = try host(streams)
        host.drive(true)
        await until { operation.log.count == 1 }
        await until { clock.scheduled > 0 && streams.requests.count == 1 }
        await passTime { streams.requests.count >= 2 }
        await until { operation.log.count == 2 }
        host.drive(false)
        host.drive(true)
        await until { streams.requests.count == 3 }
        #expect(streams.positions == ["5", "6", "7"])
        await until { operation.followings.count == 5 }
        host.drive(false)
        #expect(operation.followings == [true, false, true, false, true, false])
    }

    @Test("An event that is too large is told as an error, and asked for again")
    func tooLarge() async throws {
        let streams = ScriptedStreams([
            // A connection that is read too slowly is no fault of an event.
            ScriptedStreams.closed("", .tooLarge(limit: 1 << 20)),
            ScriptedStreams.closed("", .tooLarge(limit: 16 << 20)),
            .success(ScriptedStreams.stream()),
        ])
        let host = try host(streams)
        host.drive(true)
        await until { host.report.state == .running }
        await passTime { streams.requests.count >= 3 }
        #expect(operation.log == ["error keep an event has more than 16777216 bytes"])
        host.drive(false)
    }

    @Test("A value that could not be stored is asked for again from the position before it")
    func notStored() async throws {
        let put = "event: put\nid: 2\ndata: {\"id\":\"b\"}\n\n"
        let streams = ScriptedStreams([
            .success(ScriptedStreams.stream(put)), .success(ScriptedStreams.stream(put)),
        ])
        surroundings.position = "1"
        operation.answers = [.notStored("the disk is full")]
        let host = try host(streams)
        host.drive(true)
        await until { operation.log.count == 2 }
        // No longer than that, or the silence of the new connection comes to its end as well.
        await passTime { streams.requests.count >= 2 }
        await until { operation.log.count == 3 }
        #expect(streams.positions == ["1", "1"])
        #expect(operation.log.last == #"put {"id":"b"} remove  at 2"#)
        host.drive(false)
    }

    @Test("What was not stored is forgotten, so that an entity without a place goes all the same")
    func notStoredWithLimit() async throws {
        func put(_ id: String, _ position: Int) -> String {
            "event: put\nid: \(position)\ndata: {\"id\":\"\(id)\"}\n\n"
        }
        let streams = ScriptedStreams([
            .success(ScriptedStreams.stream(put("c", 4))),
            .success(ScriptedStreams.stream(put("c", 4))),
            .success(ScriptedStreams.stream(put("d", 5))),
        ])
        surroundings.position = "3"
        surroundings.value = [try document("a"), try document("b")]
        operation.answers = [.notStored("the disk is full")]
        let host = try host(streams) { $0.rules[0].limit = 2 }
        host.drive(true)
        await until { operation.log.count == 2 }
        await passTime { streams.requests.count >= 2 }
        await until { operation.log.count == 3 }
        #expect(operation.log.last == #"put {"id":"c"} remove a at 4"#)
        // A session that has ended leaves the next one what it has stored.
        host.drive(false)
        host.drive(true)
        await until { operation.log.count == 4 }
        #expect(operation.log.last == #"put {"id":"d"} remove b at 5"#)
        #expect(streams.positions == ["3", "3", "4"])
        host.drive(false)
    }

    @Test("The newest n count what is stored of a stream that has no position")
    func limitWithoutPosition() async throws {
        surroundings.value = [try document("a"), try document("b")]
        let streams = ScriptedStreams([
            .success(ScriptedStreams.stream("event: put\ndata: {\"id\":\"c\"}\n\n"))
        ])
        let host = try host(streams) {
            $0.rules[0].limit = 2
            $0.resumes = false
        }
        host.drive(true)
        await until { operation.log.count == 1 }
        #expect(operation.log == [#"put {"id":"c"} remove a at -"#])
        host.drive(false)
    }

    @Test("An initial value that could not be stored is handed over again before anything is read")
    func initialNotStored() async throws {
        let initial = try JSONValue.parse(Array(#"[{"id":"first"}]"#.utf8))
        operation.answers = [.notStored("the disk is full")]
        let streams = ScriptedStreams([.success(ScriptedStreams.stream())])
        let host = try host(streams) { $0.initial = initial }
        host.drive(true)
        await until { operation.log.count == 2 }
        #expect(streams.requests.isEmpty)
        await passTime { operation.log.count >= 3 }
        await until { streams.requests.count == 1 }
        #expect(operation.log.last == #"whole {"id":"first"} at -"#)
        host.drive(false)
    }

    private func document(_ id: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array("{\"id\":\"\(id)\"}".utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
    }

    @Test("What cannot be understood is kept, fails, or is ignored; an error event always fails")
    func policies() async throws {
        let fault = "the data of 'put' has nothing at /todo"
        for (policy, wanted) in [
            (ReducedStream.FaultPolicy.keep, ["error keep \(fault)"]),
            (.fail, ["error fail \(fault)"]), (.ignore, []),
        ] {
            let text = """
                event: put\ndata: {}\n\nevent: oops\ndata: bad\n\nevent: bye\ndata: -\n\n
                """
            let streams = ScriptedStreams([.success(ScriptedStreams.stream(text))])
            let wanted = wanted + ["error fail bad"]
            let host = try host(streams) {
                $0.onFault = policy
                $0.rules[0].data = JSONPointer(tokens: ["todo"])
            }
            host.drive(true)
            await until { host.report.state == .halted && operation.log.count >= wanted.count }
            #expect(operation.log == wanted)
            operation.clear()
        }
    }

    @Test("A burst of events is a few commits, and its positions are stored with them")
    func burst() async throws {
        let text = (1...1_200).map { "event: put\nid: \($0)\ndata: {\"id\":\"k\($0)\"}\n\n" }
        let streams = ScriptedStreams([.success(ScriptedStreams.stream(text.joined()))])
        let host = try host(streams)
        host.drive(true)
        await until { operation.log.count == 1_200 }
        #expect(operation.log.last == #"put {"id":"k1200"} remove  at 1200"#)
        #expect(operation.commits == 3)
        host.drive(false)
    }

    @Test("Whatever refuses a stream is asked again, less and less often, and the next try is told")
    func refusals() async throws {
        func refusal(_ status: Int, _ type: String = "text/plain") -> ScriptedStreams.Answer {
            let stream = ScriptedStreams.stream("no", status: status, type: type)
            stream.finish()
            return .success(stream)
        }
        let streams = ScriptedStreams([
            refusal(404), refusal(401), refusal(403), refusal(302), refusal(200, "text/html"),
            refusal(410), .success(ScriptedStreams.stream()),
        ])
        let host = try host(streams)
        host.drive(true)
        for (number, pause) in [1, 2, 4, 8, 16, 30].enumerated() {
            await until { host.report.nextTry != nil && operation.log.count == number + 1 }
            #expect(host.report.activity?.hasPrefix("interrupted: ") == true)
            await until { clock.scheduled == 1 }
            clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(streams.requests.count == number + 1)
            clock.advance(by: .milliseconds(1))
            await until { streams.requests.count == number + 2 }
        }
        await until { host.report.activity == "following" }
        #expect(host.report.nextTry == nil)
        #expect(
            operation.log.first == "error keep the upstream answers the stream with status 404")
        host.drive(false)
    }

    @Test("The initial value is stored first, unless the stream has been followed before")
    func initial() async throws {
        let initial = try JSONValue.parse(Array(#"[{"id":"first"}]"#.utf8))
        let host = try host(ScriptedStreams([.success(ScriptedStreams.stream())])) {
            $0.initial = initial
        }
        host.drive(true)
        await until { operation.log.count == 1 }
        #expect(operation.log == [#"whole {"id":"first"} at -"#])
        host.drive(false)
        operation.clear()
        surroundings.position = "9"
        let streams = ScriptedStreams([.success(ScriptedStreams.stream())])
        let later = try self.host(streams) { $0.initial = initial }
        later.drive(true)
        await until { streams.requests.count == 1 }
        #expect(operation.log == [])
        later.drive(false)
    }

    @Test("A reset brings the initial value back, and the operation forgets")
    func reset() async throws {
        let initial = try JSONValue.parse(Array(#"[{"id":"first"}]"#.utf8))
        let streams = ScriptedStreams([
            .success(
                ScriptedStreams.stream(
                    "event: put\nid: 1\ndata: {\"id\":\"b\"}\n\nevent: reset\nid: 2\ndata: -\n\n"))
        ])
        let host = try host(streams) { $0.initial = initial }
        host.drive(true)
        await until { operation.log.last == "reset" }
        // What came together with the reset is superseded by it.
        #expect(operation.log.dropFirst() == [#"whole {"id":"first"} at 2"#, "reset"])
        host.drive(false)
    }
}

// SAFETY: all mutable state is read and written under `lock`.
private final class RecordedOperation: ControlledOperation, @unchecked Sendable {
    let id = "todos"
    let takesReruns = true
    private let lock = Lock()
    private var lines: [String] = []
    private var script: [ControllerError] = []
    private var stores = 0
    private var follows: [Bool] = []
    private var stale = 0

    /// How often the value was declared out of date.
    var invalidations: Int { lock.withLock { stale } }
    /// Whether it is followed, all that was said of it.
    var followings: [Bool] { lock.withLock { follows } }

    /// How often values were handed over.
    var commits: Int { lock.withLock { stores } }
    var log: [String] { lock.withLock { lines } }
    var answers: [ControllerError] {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }

    func clear() { lock.withLock { lines = [] } }

    private func note(_ line: String) { lock.withLock { lines.append(line) } }

    func take(
        _ values: [ControlledValue],
        completion: @escaping @Sendable (_ count: Int?, ControllerError?) -> Void
    ) {
        lock.withLock { stores += 1 }
        for value in values {
            let put = value.put.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            let what =
                value.isWhole
                ? "whole \(put)" : "put \(put) remove \(value.remove.joined(separator: " "))"
            note("\(what) at \(value.position ?? "-")")
        }
        completion(nil, lock.withLock { script.isEmpty ? nil : script.removeFirst() })
    }

    func noteStored(count: Int?, isWhole: Bool) {}

    func take(error: any Error, fails: Bool) {
        let text = (error as? ControllerError)?.sentence ?? "\(error)"
        note("error \(fails ? "fail" : "keep") \(text)")
    }

    func noteFollowing(_ isFollowing: Bool) { lock.withLock { follows.append(isFollowing) } }

    func rerun() -> Bool {
        note("rerun")
        return true
    }

    func invalidate() { lock.withLock { stale += 1 } }

    func reset() { note("reset") }

    func noteShown() {}
}

// SAFETY: all mutable state is read and written under `lock`.
private final class RecordedSurroundings: StreamSurroundings, @unchecked Sendable {
    private let lock = Lock()
    private var known: String?
    private var count = 0
    private var documents: [Document] = []

    var position: String? {
        get { lock.withLock { known } }
        set { lock.withLock { known = newValue } }
    }
    /// What is stored, oldest first.
    var value: [Document] {
        get { lock.withLock { documents } }
        set { lock.withLock { documents = newValue } }
    }
    var effects: Int { lock.withLock { count } }

    func position(of operation: String) -> String? { position }

    func value(of operation: String) -> [Document] { value }

    func stored(_ id: EntityID, of operation: String) -> [UInt8]? { nil }

    func effect(_ effects: [ReducedStream.Effect]) { lock.withLock { count += effects.count } }
}
