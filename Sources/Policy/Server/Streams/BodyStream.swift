import FreshetBase
import FreshetHTTPServer
import FreshetNet
import Synchronization

/// A long body that is made while it is sent, from what it keeps as it was when it began.
protocol BodySource {
    /// Appends what comes next, about 48 KiB.
    mutating func write(into body: inout ByteBuffer) -> StreamStep
}

/// Sends such a body, each piece when the client has taken the one before. What it keeps counts among
/// `PinnedBodies` until it has ended.
// SAFETY: `source` is touched on the loop alone; `handle` is set once, before others know of the body.
final class BodyStream: StreamSource, PinnedBody, @unchecked Sendable {
    /// Bytes of one production behind which the socket is asked first.
    static let pieceBytes = 48 << 10

    private var source: (any BodySource)?
    private let bodies: PinnedBodies
    private let isCut = Atomic<Bool>(false)
    private var handle: StreamHandle?

    private init(_ source: any BodySource, among bodies: PinnedBodies) {
        self.source = source
        self.bodies = bodies
    }

    /// Begins the body of `response`, whose head is written.
    ///
    /// - Parameter pins: What `source` keeps.
    static func start(
        _ source: any BodySource, keeping pins: [PinnedBodies.Pin], among bodies: PinnedBodies,
        _ response: inout ResponseWriter
    ) {
        let stream = BodyStream(source, among: bodies)
        stream.handle = response.startStream(stream)
        bodies.add(stream, pins)
    }

    func cut() {
        guard !isCut.exchange(true, ordering: .relaxed), let handle else { return }
        handle.loop.submit { self.source = nil }
        handle.wake()
    }

    var nextDeadline: MonotonicInstant? { nil }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        if isCut.load(ordering: .relaxed) { return .cut }
        return source?.write(into: &body) ?? .cut
    }

    func shutdown() {}

    func ended(_ reason: StreamEnd) {
        source = nil
        bodies.remove(self)
    }
}
