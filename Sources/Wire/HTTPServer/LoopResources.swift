import FreshetBase
import FreshetHTTP
import FreshetNet
import Glibc

/// What the connections of one loop share: one head, one writer, the limits.
///
/// The head and the writer stand at fixed addresses, since a request borrows both at once. Owned
/// by the loop's thread, as are its connections.
// SAFETY: made before the loop runs, then used on the loop's thread alone; the server reaches it
// by submitting to the loop.
final class LoopResources: @unchecked Sendable {
    let loop: EventLoop
    let limits: ServerLimits
    let timeouts: ConnectionTimeouts
    let reserveTimeouts: ConnectionTimeouts
    let parserLimits: HTTPLimits
    let metrics: ServerMetrics
    let traffic: LoopTraffic
    let responder: any Responder
    let addresses: AddressBook
    let head: UnsafeMutablePointer<RequestHead>
    let writer: UnsafeMutablePointer<ResponseWriter>
    private(set) var isStopping = false
    /// After a walk over all connections that has found none to shed, so long no other is made:
    /// each new client beyond the limit would pay for one.
    private static let shedPause: UInt64 = 100_000_000
    private var shedsAgainAt: UInt64 = 0
    /// The end of the second that the date of the writer names.
    private var dateEnds: UInt64 = 0
    /// Requests of the input at work that are answered, by class: the clock is read once for all of
    /// them.
    private let answered: UnsafeMutablePointer<Int>
    @exclusivity(unchecked) private var answeredCount = 0

    init(
        loop: EventLoop, limits: ServerLimits, metrics: ServerMetrics, responder: any Responder,
        addresses: AddressBook
    ) {
        self.loop = loop
        self.limits = limits
        timeouts = ConnectionTimeouts(limits)
        reserveTimeouts = .inReserve(limits)
        parserLimits = limits.http
        self.metrics = metrics
        traffic = metrics.traffic[loop.index]
        self.responder = responder
        self.addresses = addresses
        head = .allocate(capacity: 1)
        head.initialize(to: RequestHead(limits: limits.http))
        writer = .allocate(capacity: 1)
        writer.initialize(to: ResponseWriter(loop: loop))
        answered = .allocate(capacity: TrafficClass.allCases.count)
        answered.initialize(repeating: 0, count: TrafficClass.allCases.count)
    }

    deinit {
        head.deinitialize(count: 1)
        head.deallocate()
        writer.deinitialize(count: 1)
        writer.deallocate()
        answered.deallocate()
    }

    /// A request has got its answer at once.
    @inline(__always)
    func countAnswer(_ kind: TrafficClass, status: Int) {
        traffic.count(kind, status: status)
        answered[Int(kind.rawValue)] += 1
        answeredCount += 1
    }

    /// The input at work is worked off: what it has asked took from the round's beginning to now.
    @inline(__always)
    func settleAnswers() {
        if answeredCount > 0 { recordAnswers() }
    }

    private func recordAnswers() {
        let nanoseconds = MonotonicInstant.now.nanoseconds &- loop.now.nanoseconds
        answeredCount = 0
        for kind in TrafficClass.allCases where answered[Int(kind.rawValue)] > 0 {
            traffic.record(
                kind, nanoseconds: nanoseconds, times: answered[Int(kind.rawValue)])
            answered[Int(kind.rawValue)] = 0
        }
    }

    /// Renders the date anew if its second is over.
    @inline(__always)
    func refreshDate() {
        if loop.now.nanoseconds >= dateEnds { renderDate() }
    }

    private func renderDate() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        writer.pointee.date = HTTPDate(epochSeconds: Int64(time.tv_sec))
        dateEnds = loop.now.nanoseconds + 1_000_000_000 - UInt64(time.tv_nsec)
    }

    /// Closes the connections that have been idle longest, at most `most` of them.
    ///
    /// - Returns: Whether any was closed.
    /// - Complexity: O(connections of the loop); it makes room for `most` at once for that reason,
    ///   and O(1) for 100 ms behind a walk in vain.
    func shedIdle(_ most: Int) -> Bool {
        guard loop.now.nanoseconds >= shedsAgainAt else { return false }
        var idle: [(span: Duration, connection: Connection)] = []
        loop.forEachConnection { connection in
            guard let driver = connection.handler as? HTTPConnection,
                let span = driver.idleSpan, span >= limits.sheddableAfter
            else { return }
            idle.append((span, connection))
        }
        idle.sort { $0.span > $1.span }
        for entry in idle.prefix(most) {
            metrics.shed.add()
            entry.connection.close()
        }
        if idle.isEmpty { shedsAgainAt = loop.now.nanoseconds + Self.shedPause }
        return !idle.isEmpty
    }

    /// Lends the answer to a client that cannot have a connection.
    func withRefusal(_ body: (UnsafeRawBufferPointer) -> Void) {
        refreshDate()
        writer.pointee.prepare(
            for: nil, isHead: false, minorVersion: 1, keepsAlive: false, isDetachable: false)
        responder.fault(.overloaded, response: &writer.pointee)
        body(writer.pointee.body.bytes)
        writer.pointee.clear()
    }

    /// Begins to stop: idle connections close, streams are told, the others close when they have
    /// answered. The loop ends when none is left.
    func beginStop() {
        guard !isStopping else { return }
        isStopping = true
        loop.forEachConnection { ($0.handler as? HTTPConnection)?.serverStops() }
        endIfEmpty()
    }

    func endIfEmpty() {
        if isStopping, loop.connectionCount == 0 { loop.end() }
    }
}

/// Counts the connections of each client address, loopback excepted.
final class AddressBook: Sendable {
    private let lock = Lock()
    // SAFETY: only touched under `lock`.
    nonisolated(unsafe) private var counts: [UInt64: Int] = [:]

    /// Counts one more, unless `most` are open.
    func enter(_ address: SocketAddress, most: Int) -> Bool {
        if address.isLoopback { return true }
        let key = address.clientKey
        return lock.withLock {
            let count = counts[key, default: 0]
            guard count < most else { return false }
            counts[key] = count + 1
            return true
        }
    }

    func leave(_ address: SocketAddress) {
        if address.isLoopback { return }
        let key = address.clientKey
        lock.withLock {
            let count = counts[key, default: 0] - 1
            counts[key] = count > 0 ? count : nil
        }
    }
}
