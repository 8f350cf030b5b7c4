import Dispatch
import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import FreshetNet

/// A responder with one path per way of answering.
final class TestResponder: Responder {
    let lock = Lock()
    // SAFETY: the variables below are only touched under `lock`.
    nonisolated(unsafe) private var heldExchanges: [Exchange] = []
    // SAFETY: as above.
    nonisolated(unsafe) private var streamHandles: [StreamHandle] = []
    // SAFETY: as above.
    nonisolated(unsafe) private var ends: [StreamEnd] = []
    // SAFETY: as above.
    nonisolated(unsafe) private var isHolding = true
    let cancelled = DispatchSemaphore(value: 0)
    let held = DispatchSemaphore(value: 0)
    let streamEnded = DispatchSemaphore(value: 0)
    let produced = Counter()

    func takeExchanges() -> [Exchange] {
        lock.withLock {
            defer { heldExchanges = [] }
            return heldExchanges
        }
    }

    var handles: [StreamHandle] { lock.withLock { streamHandles } }
    var streamEnds: [StreamEnd] { lock.withLock { ends } }

    func noteEnd(_ reason: StreamEnd) {
        lock.withLock { ends.append(reason) }
        streamEnded.signal()
    }

    /// From now on held requests are forgotten at once, and so answered with 500.
    func stopHolding() {
        lock.withLock {
            isHolding = false
            heldExchanges = []
        }
    }

    func hold(_ exchange: Exchange) {
        lock.withLock { if isHolding { heldExchanges.append(exchange) } }
        held.signal()
    }

    func isServedWhenFull(_ request: borrowing Request) -> Bool {
        String(decoding: request.path, as: UTF8.self) == "/admin"
    }

    func bodyPlan(for request: borrowing Request) -> BodyPlan {
        switch String(decoding: request.path, as: UTF8.self) {
        case "/refuse": .respondNow(nil)
        case "/receive": .stream(CountingReceiver(self, pausing: false))
        case "/pausing": .stream(CountingReceiver(self, pausing: true))
        case "/small": .collect(maximumBytes: 10, nil)
        default: .collect(maximumBytes: 1 << 26, nil)
        }
    }

    func respond(to request: consuming Request, response: inout ResponseWriter) {
        let path = String(decoding: request.path, as: UTF8.self)
        let size = Int(String(decoding: request.query, as: UTF8.self)) ?? 0
        switch path {
        case "/echo":
            response.begin(.ok)
            response.end(bytes: request.body)
        case "/size":
            response.begin(.ok)
            response.end(text: String(request.body.count))
        case "/big":
            response.begin(.ok)
            response.beginBody()
            for number in 0..<size { response.body.append(UInt8(truncatingIfNeeded: number)) }
            response.endBody()
        case "/nothing": break
        case "/refuse":
            response.begin(.notFound)
            response.end(request.bodyIsUnread ? "unread" : "read")
        case "/later":
            let exchange = response.detach()
            DispatchQueue.global().async {
                exchange.complete { response in
                    response.begin(.ok)
                    response.end("later")
                }
            }
        case "/postponed":
            guard let waited = request.resumption as? Waited else {
                let exchange = response.postpone()
                DispatchQueue.global().async { exchange.respondAgain(Waited()) }
                return
            }
            response.begin(.ok)
            response.end(text: "\(waited.what) \(String(decoding: request.body, as: UTF8.self))")
        case "/postponed-twice":
            let rounds = (request.resumption as? Waited)?.rounds ?? 0
            guard rounds == 2 else {
                return response.postpone().respondAgain(Waited(rounds: rounds + 1))
            }
            response.begin(.ok)
            response.end("the third time")
        case "/postponed-answered":
            let exchange = response.postpone()
            DispatchQueue.global().async {
                exchange.complete { response in
                    response.begin(.accepted)
                    response.end("waited in vain")
                }
                exchange.respondAgain(Waited())
            }
        case "/forgotten": _ = response.detach()
        case "/again":
            response.detach().complete { response in
                response.detach().complete { response in
                    response.begin(.ok)
                    response.end("again")
                }
            }
        case "/both":
            let exchange = response.detach()
            response.detach().complete { response in
                response.begin(.ok)
                response.end("second")
            }
            exchange.complete { response in
                response.begin(.ok)
                response.end("first")
            }
        case "/begun":
            response.begin(.ok)
            response.header("Content-Type", "text/plain")
            response.detach().complete { response in
                response.begin(.accepted)
                response.end("begun anew")
            }
        case "/held":
            let exchange = response.detach()
            let cancelled = cancelled
            exchange.onCancel { cancelled.signal() }
            hold(exchange)
        case "/unwatched": hold(response.detach())
        case "/count":
            response.begin(.ok)
            response.startStream(CountingSource(self, until: size))
        case "/endless", "/export":
            response.begin(.ok)
            start(EndlessSource(self, isEventStream: path == "/endless"), in: &response)
        case "/ticks":
            response.begin(.ok)
            start(TickingSource(self), in: &response)
        case "/beats":
            response.begin(.ok)
            start(BeatingSource(self), in: &response)
        default:
            response.begin(.ok)
            response.header("Content-Type", "text/plain")
            response.end(text: path)
        }
    }

    private func start(_ source: any StreamSource, in response: inout ResponseWriter) {
        let handle = response.startStream(source)
        lock.withLock { streamHandles.append(handle) }
    }

    func fault(_ fault: ConnectionFault, response: inout ResponseWriter) {
        response.begin(fault.status)
        response.header("Content-Type", "application/problem+json")
        response.end(text: "{\"detail\":\"\(fault.detail)\"}")
    }
}

/// Counts body bytes and answers with their number.
private final class CountingReceiver: BodyReceiver {
    private let responder: TestResponder
    private let pausing: Bool
    private var exchange: Exchange?
    private var count = 0

    init(_ responder: TestResponder, pausing: Bool) {
        self.responder = responder
        self.pausing = pausing
    }

    func begin(_ exchange: Exchange) { self.exchange = exchange }

    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyFlow {
        count += bytes.count
        guard pausing, let exchange else { return .more }
        DispatchQueue.global().async { exchange.resumeBody() }
        return .pause
    }

    func finish() {
        let count = count
        exchange?.complete { response in
            response.begin(.ok)
            response.end(text: String(count))
        }
        exchange = nil
    }

    var heldBytes: Int { 0 }

    func waitForRoom() -> Bool { false }

    func fail(_ fault: ConnectionFault) {
        let responder = responder
        exchange?.complete { responder.fault(fault, response: &$0) }
        exchange = nil
    }

    func abort(_ reason: StreamEnd) {
        exchange = nil
        responder.noteEnd(reason)
    }
}

/// Says the numbers below a bound, one a production.
private final class CountingSource: StreamSource {
    private let responder: TestResponder
    private let end: Int
    private var next = 0

    init(_ responder: TestResponder, until end: Int) {
        self.responder = responder
        self.end = end
    }

    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        guard next < end else { return .finish }
        body.append(decimal: next)
        body.append("\n")
        next += 1
        return .more
    }

    func shutdown() {}
    func ended(_ reason: StreamEnd) { responder.noteEnd(reason) }
}

/// Always has 16 KiB more.
private final class EndlessSource: StreamSource {
    let isEventStream: Bool
    private let responder: TestResponder
    private var isStopping = false

    init(_ responder: TestResponder, isEventStream: Bool) {
        self.responder = responder
        self.isEventStream = isEventStream
    }

    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        if isStopping { return .finish }
        responder.produced.add(16_384)
        body.append([UInt8](repeating: UInt8(ascii: "x"), count: 16_384))
        return .more
    }

    func shutdown() { isStopping = true }
    func ended(_ reason: StreamEnd) { responder.noteEnd(reason) }
}

/// Says "tick" when it is woken, "bye" at the shutdown.
private final class TickingSource: StreamSource {
    let isEventStream = true
    private let responder: TestResponder
    private var isStopping = false
    private var isFirst = true

    init(_ responder: TestResponder) { self.responder = responder }

    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        if isStopping {
            body.append("bye\n")
            return .finish
        }
        body.append(isFirst ? "hello\n" : "tick\n")
        isFirst = false
        return .idle
    }

    func shutdown() { isStopping = true }
    func ended(_ reason: StreamEnd) { responder.noteEnd(reason) }
}

/// Says "beat" by its deadline.
private final class BeatingSource: StreamSource {
    let isEventStream = true
    private let responder: TestResponder
    private var isEnding = false
    private(set) var nextDeadline: MonotonicInstant?

    init(_ responder: TestResponder) { self.responder = responder }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        body.append(isEnding ? "bye\n" : "beat\n")
        nextDeadline = now + .milliseconds(20)
        return isEnding ? .finish : .idle
    }

    func shutdown() { isEnding = true }
    func ended(_ reason: StreamEnd) { responder.noteEnd(reason) }
}

/// A server on a free port with the responder above.
struct TestServer {
    let server: HTTPServer
    let responder = TestResponder()
    let address: SocketAddress

    init(loops: Int = 2, _ change: (inout ServerLimits) -> Void = { _ in }) throws {
        var limits = ServerLimits()
        change(&limits)
        let configuration = ServerConfiguration(
            at: .address(try SocketAddress(host: "127.0.0.1", port: 0)), loops: loops,
            limits: limits)
        server = HTTPServer(configuration, responder: responder, log: Log(level: .error))
        address = try server.start()
    }

    func client(receiveBuffer: CInt? = nil) throws -> Client {
        try Client(address, receiveBuffer: receiveBuffer)
    }

    func stop() { server.stop(grace: .seconds(5)) }
}

/// What a postponed request waited for.
final class Waited: Sendable {
    let what = "waited for"
    let rounds: Int

    init(rounds: Int = 1) { self.rounds = rounds }
}
