import FreshetBase
import FreshetJSON
import FreshetOperations
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
                "error keep overheated",
                "rerun",
            ])
        await until { surroundings.effects == 6 }
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
        while streams.requests.count < 2 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        await until { operation.log.count == 2 }
        host.drive(false)
        host.drive(true)
        await until { streams.requests.count == 3 }
        #expect(streams.positions == ["5", "6", "7"])
        host.drive(false)
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
        while streams.requests.count < 3 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
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
        while streams.requests.count < 2 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        await until { operation.log.count == 3 }
        #expect(streams.positions == ["1", "1"])
        #expect(operation.log.last == #"put {"id":"b"} remove  at 2"#)
        host.drive(false)
    }

    @Test("Faults set the error, or fail the operation, or are ignored, as configured")
    func policies() async throws {
        for (policy, wanted) in [
            (ReducedStream.FaultPolicy.keep, ["error keep bad"]), (.fail, ["error fail bad"]),
            (.ignore, []),
        ] {
            let streams = ScriptedStreams([
                .success(
                    ScriptedStreams.stream("event: oops\ndata: bad\n\nevent: bye\ndata: -\n\n"))
            ])
            let host = try host(streams) { $0.onFault = policy }
            host.drive(true)
            await until { host.report.state == .halted && operation.log.count >= wanted.count }
            #expect(operation.log == wanted)
            operation.clear()
        }
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
        #expect(operation.log.dropFirst(2) == [#"whole {"id":"first"} at 2"#, "reset"])
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
        for value in values {
            let put = value.put.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            let what =
                value.isWhole
                ? "whole \(put)" : "put \(put) remove \(value.remove.joined(separator: " "))"
            note("\(what) at \(value.position ?? "-")")
        }
        completion(nil, lock.withLock { script.isEmpty ? nil : script.removeFirst() })
    }

    func noteStored(count: Int?) {}

    func take(error: any Error, fails: Bool) {
        let text = (error as? ControllerError)?.sentence ?? "\(error)"
        note("error \(fails ? "fail" : "keep") \(text)")
    }

    func rerun() -> Bool {
        note("rerun")
        return true
    }

    func reset() { note("reset") }
}

// SAFETY: all mutable state is read and written under `lock`.
private final class RecordedSurroundings: StreamSurroundings, @unchecked Sendable {
    private let lock = Lock()
    private var known: String?
    private var count = 0

    var position: String? {
        get { lock.withLock { known } }
        set { lock.withLock { known = newValue } }
    }
    var effects: Int { lock.withLock { count } }

    func position(of operation: String) -> String? { position }

    func stored(_ id: EntityID, of operation: String) -> [UInt8]? { nil }

    func effect(_ effects: [ReducedStream.Effect]) { lock.withLock { count += effects.count } }
}
