import Dispatch
package import FreshetBase
package import FreshetNet
import Synchronization

/// An HTTP server: listens, runs its loops and hands requests to the responder.
package final class HTTPServer: Sendable {
    package let metrics: ServerMetrics
    private let configuration: ServerConfiguration
    private let responder: any Responder
    private let log: Log
    // SAFETY: `lifecycle` is only touched under `lock`.
    nonisolated(unsafe) private var lifecycle = Lifecycle()
    private let lock = Lock()

    private struct Lifecycle {
        var group: EventLoopGroup?
        var contexts: [LoopResources] = []
        var isStopping = false
    }

    /// Makes a server that does nothing yet.
    package init(_ configuration: ServerConfiguration, responder: any Responder, log: Log) {
        self.configuration = configuration
        metrics = ServerMetrics(loops: configuration.loops)
        self.responder = responder
        self.log = log
    }

    /// Binds, listens and starts the loops; once per server.
    ///
    /// - Returns: Where it listens; port 0 is resolved.
    /// - Throws: `.addressInUse`, `.noListener` or `.system`.
    package func start() throws(NetError) -> SocketAddress {
        let descriptors = raiseDescriptorLimit()
        if descriptors < configuration.limits.connections + 64 {
            log.warning(
                "the limit of open descriptors is below that of connections",
                ["descriptors": .integer(descriptors)])
        }
        let group = try EventLoopGroup(
            count: configuration.loops, largestRest: configuration.limits.largestRest)
        let addresses = AddressBook()
        let contexts = group.loops.map { loop in
            LoopResources(
                loop: loop, limits: configuration.limits, metrics: metrics, responder: responder,
                addresses: addresses)
        }
        for loop in group.loops {
            loop.onRoundEnd = { [metrics] bytesIn, bytesOut in
                if bytesIn > 0 { metrics.bytesIn.add(bytesIn) }
                if bytesOut > 0 { metrics.bytesOut.add(bytesOut) }
            }
        }
        let acceptor = ServerAcceptor(
            limits: configuration.limits, metrics: metrics, contexts: contexts,
            addresses: addresses, log: log)
        let address = try group.start(at: configuration.place, acceptor: acceptor)
        lock.withLock {
            lifecycle.group = group
            lifecycle.contexts = contexts
        }
        return address
    }

    /// Calls `done` on a background queue once every loop has had a turn; never for a server that
    /// does not run.
    package func whenAllAnswer(_ done: @escaping @Sendable () -> Void) {
        lock.withLock { lifecycle.group }?.whenAllAnswer(done)
    }

    /// Stops: accepts no more, tells the streams, lets requests at work be answered, closes what
    /// is idle, and ends the loops at the latest when `grace` is over. A second call only waits.
    ///
    /// - Parameter done: Called on a background queue when nothing runs any more; at once for a
    ///   server that was never started.
    package func stop(grace: Duration, then done: @escaping @Sendable () -> Void) {
        let (group, contexts, isFirst) = lock.withLock {
            let isFirst = !lifecycle.isStopping
            lifecycle.isStopping = true
            return (lifecycle.group, lifecycle.contexts, isFirst)
        }
        guard let group else {
            DispatchQueue.global().async(execute: done)
            return
        }
        // The contexts must outlive the connections, which do not hold them.
        group.whenEnded { withExtendedLifetime(contexts) { done() } }
        guard isFirst else { return }
        group.stopListening()
        for context in contexts {
            let loop = context.loop
            loop.submit {
                loop.schedule(after: grace) { loop.end() }
                context.beginStop()
            }
        }
    }

    /// The same, returning when nothing runs any more. Not on a loop.
    package func stop(grace: Duration) {
        let ended = DispatchSemaphore(value: 0)
        stop(grace: grace) { ended.signal() }
        ended.wait()
    }
}

/// Decides about new connections by the limits.
private final class ServerAcceptor: Acceptor {
    /// So many clients at a time are told that there are too many; more are dropped.
    private static let refusals = 256
    /// So many idle connections are given up at once: looking for them costs a walk over all.
    private static let shedBatch = 32

    private let limits: ServerLimits
    private let metrics: ServerMetrics
    private let contexts: [LoopResources]
    private let addresses: AddressBook
    private let log: Log

    init(
        limits: ServerLimits, metrics: ServerMetrics, contexts: [LoopResources],
        addresses: AddressBook, log: Log
    ) {
        self.limits = limits
        self.metrics = metrics
        self.contexts = contexts
        self.addresses = addresses
        self.log = log
    }

    func admit(_ remote: SocketAddress) -> ConnectionAdmission {
        metrics.accepted.add()
        guard metrics.open.value < limits.connections + Self.refusals else {
            metrics.refused.add()
            return .dropped
        }
        return addresses.enter(remote, most: limits.connectionsPerAddress) ? .served : .refused
    }

    func makeHandler(
        for connection: Connection, admission: ConnectionAdmission
    ) -> any ConnectionHandler {
        let context = contexts[connection.loop.index]
        var isCounted = true
        if case .refused = admission { isCounted = false }
        let isFull =
            metrics.open.value >= limits.connections && !context.shedIdle(Self.shedBatch)
        let isReserved =
            isFull && isCounted && metrics.reserved.value < limits.reservedConnections
        let handler = HTTPConnection(
            connection, context: context, isCounted: isCounted, isReserved: isReserved)
        if context.isStopping {
            // It was accepted just before the listener was closed.
            handler.refuseAtOnce(.shuttingDown)
        } else if isFull && !isReserved || !isCounted {
            metrics.refused.add()
            handler.refuseAtOnce(.overloaded)
        }
        return handler
    }

    func withRefusal(on loop: EventLoop, _ body: (UnsafeRawBufferPointer) -> Void) {
        let context = contexts[loop.index]
        context.withRefusal(body)
    }

    func acceptFailed(errno: CInt) {
        metrics.acceptFailures.add()
        metrics.refused.add()
        // Ten of these come a second while descriptors are short.
        if metrics.acceptFailures.value % 100 == 1 {
            log.warning(
                "accept failed",
                [
                    "errno": .integer(Int(errno)),
                    "times": .integer(metrics.acceptFailures.value),
                ])
        }
        for context in contexts {
            context.loop.submit { [shedBatch = Self.shedBatch] in _ = context.shedIdle(shedBatch) }
        }
    }
}
