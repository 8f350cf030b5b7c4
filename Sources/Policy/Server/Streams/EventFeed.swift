import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetNet

/// One client's stream of events that tell what happens, not what a query shows: of an operation, of
/// conditions.
///
/// Every event counts here, so that there is a queue, and it has a bound: past it what waits is
/// dropped, and one event tells how things stand now (`restate`). A client that is behind loses
/// steps and never the present state.
// SAFETY: `lock` guards the queue and the handle; all else is touched on the stream's loop only.
final class EventFeed: StreamSource, AccessListener, @unchecked Sendable {
    /// Events that wait for one client.
    static let mostEvents = 256

    struct Event: Sendable {
        let name: StaticString
        /// One line of JSON.
        let data: [UInt8]
    }

    private let restate: @Sendable () -> [Event]
    private var life: StreamLife
    /// No event was sent yet that tells when to come back.
    private var owesRetry = true

    private let lock = Lock()
    private var waiting: [Event] = []
    private var hasOverflowed = false
    private var isOver = false
    private var handle: StreamHandle?
    private let ends = EndActions()

    /// - Parameters:
    ///   - leadersProblem: `StreamLife.leadersProblem`.
    ///   - isThere: `StreamLife.isThere`.
    ///   - restate: Events that tell how things stand now.
    init(
        _ limits: Limits, access: StreamAccess, at now: MonotonicInstant,
        leadersProblem: (@Sendable () -> Problem?)? = nil,
        isThere: @escaping @Sendable () -> Bool,
        restate: @escaping @Sendable () -> [Event]
    ) {
        self.restate = restate
        life = StreamLife(limits, access: access, at: now)
        life.leadersProblem = leadersProblem
        life.isThere = isThere
    }

    /// Tells the client; any thread.
    func send(_ name: StaticString, _ data: [UInt8]) {
        let handle = lock.withLock { () -> StreamHandle? in
            guard !isOver, !hasOverflowed else { return nil }
            if waiting.count >= Self.mostEvents {
                waiting = []
                hasOverflowed = true
            } else {
                waiting.append(Event(name: name, data: data))
            }
            return self.handle
        }
        handle?.wake()
    }

    /// Has `action` called when the client has gone; at once where it has.
    func atEnd(_ action: @escaping @Sendable () -> Void) {
        ends.add(action)
    }

    /// Begins the answer.
    func begin(_ reply: Reply, _ response: inout ResponseWriter) {
        reply.beginEvents(&response)
        life.access.control.watch(self)
        let handle = response.startStream(self)
        let isLate = lock.withLock {
            self.handle = isOver ? nil : handle
            return isOver
        }
        if !isLate { handle.wake() }
    }

    // MARK: AccessListener

    func accessChanged() {
        lock.withLock { handle }?.wake()
    }

    // MARK: StreamSource, on the loop

    let isEventStream = true

    var nextDeadline: MonotonicInstant? { life.nextDeadline }

    func shutdown() { life.isStopping = true }

    func ended(_ reason: StreamEnd) {
        life.access.control.unwatch(self)
        lock.withLock {
            isOver = true
            waiting = []
            handle = nil
        }
        ends.run()
    }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        if let reason = life.access.administrationEnd() {
            LiveEventEncoder.end(reason, into: &body)
            return .finish
        }
        if let reason = life.reasonToEnd(at: now) {
            LiveEventEncoder.interruption(reason, into: &body)
            return .finish
        }
        let start = body.count
        var hasMore = false
        let (events, overflowed) = lock.withLock { () -> ([Event], Bool) in
            defer {
                waiting = []
                hasOverflowed = false
            }
            return (waiting, hasOverflowed)
        }
        let told = overflowed ? restate() : events
        for (index, event) in told.enumerated() {
            guard body.count - start < BodyStream.pieceBytes else {
                let rest = told[index...]
                lock.withLock { waiting.insert(contentsOf: rest, at: 0) }
                hasMore = true
                break
            }
            if owesRetry {
                owesRetry = false
                LiveEventEncoder.retry(into: &body)
            }
            LiveEventEncoder.event(event.name, id: nil, into: &body) { $0.append(event.data) }
        }
        if body.count > start { life.noteEvent(now) }
        life.beat(nil, into: &body, now)
        return hasMore ? .more : .idle
    }
}
