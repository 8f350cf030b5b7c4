import FreshetBase
import FreshetHTTP
package import FreshetNet
import Synchronization

/// A request whose answer comes later, from any thread.
///
/// If the last reference goes without an answer, the client gets the answer to
/// `ConnectionFault.internalError`, so that no connection hangs on a forgotten request.
package final class Exchange: Sendable {
    private let core: ExchangeCore

    init(_ core: ExchangeCore) { self.core = core }

    deinit { core.abandon() }

    /// The loop of the connection.
    package var loop: EventLoop { core.loop }

    /// Answers: `write` runs on the loop, unless the client has gone. The first call counts.
    ///
    /// - Parameter write: Ends the response or starts a stream. Where it detaches again, the client gets
    ///   the answer to `ConnectionFault.internalError`.
    package func complete(_ write: @escaping @Sendable (inout ResponseWriter) -> Void) {
        core.complete(write)
    }

    /// Gives a postponed request to the responder again, on the loop, unless the client has gone. The
    /// first call of this or of `complete` counts.
    ///
    /// - Parameter outcome: What was waited for, as `Request.resumption`.
    package func respondAgain(_ outcome: any AnyObject & Sendable) {
        core.respondAgain(outcome)
    }

    /// Whether the client has gone, so that work for it may stop.
    package var isCancelled: Bool { core.isCancelled }

    /// Runs `action` on the loop when the client goes before the answer; at once if it has gone.
    /// One action; it is dropped when the answer is given.
    ///
    /// From now on a client that shuts its sending side gets an interim answer, which tells whether
    /// it has gone or waits; one of HTTP/1.0, which knows none, is taken to wait.
    package func onCancel(_ action: @escaping @Sendable () -> Void) { core.onCancel(action) }

    /// Lets the receiver of a streamed body have more, after it has asked for a pause.
    package func resumeBody() {
        let core = core
        loop.submit { core.connection?.resumeBody(core) }
    }
}

/// The part of an exchange that the connection holds, too.
// SAFETY: `state` is atomic and decides who may write `write`: the one thread that moves it from
// pending to completed, before the loop's inbox hands it to the loop. All other variables belong to
// the loop's thread.
final class ExchangeCore: LoopTask, @unchecked Sendable {
    private static let pending: UInt8 = 0
    private static let completed: UInt8 = 1
    private static let cancelled: UInt8 = 2

    let loop: EventLoop
    let isHead: Bool
    let minorVersion: UInt8
    /// Loop only.
    var keepsAlive: Bool
    let kind: TrafficClass
    /// When the request was there.
    let start: MonotonicInstant
    /// Set by the connection, which knows what was asked. Loop only.
    var method = FreshetHTTP.Method.other
    var target = TargetCopy()
    /// Set by the connection where the request has one. Loop only.
    var trace: TraceCopy?
    /// The request is given to the responder again, and so has to be kept. Loop only.
    var isPostponed = false
    /// A postponed request. Loop only.
    var postponed: PostponedRequest?
    private let state = Atomic<UInt8>(ExchangeCore.pending)
    private var write: (@Sendable (inout ResponseWriter) -> Void)?
    /// For the request that is given again.
    private var resumption: (any AnyObject & Sendable)?
    private var cancelAction: (@Sendable () -> Void)?
    /// nil once it was answered or the client has gone. Loop only.
    private(set) var connection: HTTPConnection?

    init(
        connection: HTTPConnection?, loop: EventLoop, isHead: Bool, minorVersion: UInt8,
        keepsAlive: Bool, kind: TrafficClass
    ) {
        self.connection = connection
        self.loop = loop
        self.isHead = isHead
        self.minorVersion = minorVersion
        self.keepsAlive = keepsAlive
        self.kind = kind
        start = loop.now
    }

    /// One whose answer nobody waits for.
    static func answered(on loop: EventLoop) -> ExchangeCore {
        let core = ExchangeCore(
            connection: nil, loop: loop, isHead: false, minorVersion: 1, keepsAlive: false,
            kind: .page)
        core.state.store(Self.cancelled, ordering: .relaxed)
        return core
    }

    var isCancelled: Bool { state.load(ordering: .relaxed) == Self.cancelled }

    private func claim(_ next: UInt8) -> Bool {
        state.compareExchange(
            expected: Self.pending, desired: next, ordering: .acquiringAndReleasing
        ).exchanged
    }

    func complete(_ write: @escaping @Sendable (inout ResponseWriter) -> Void) {
        guard claim(Self.completed) else { return }
        self.write = write
        loop.submit(self)
    }

    func respondAgain(_ outcome: any AnyObject & Sendable) {
        guard claim(Self.completed) else { return }
        resumption = outcome
        loop.submit(self)
    }

    func abandon() {
        guard claim(Self.completed) else { return }
        loop.submit(self)
    }

    /// The answer has come to the loop.
    func run(on loop: EventLoop) {
        let write = write
        let connection = connection
        let resumption = resumption
        self.write = nil
        self.resumption = nil
        self.connection = nil
        cancelAction = nil
        if let resumption, let postponed {
            self.postponed = nil
            connection?.respond(to: postponed, of: self, resumption)
        } else {
            connection?.complete(self, write)
        }
    }

    func onCancel(_ action: @escaping @Sendable () -> Void) {
        guard loop.isCurrent else {
            // A loop that has ended has no clients.
            if !loop.submit({ self.onCancel(action) }) { action() }
            return
        }
        if isCancelled {
            action()
        } else if connection != nil {
            cancelAction = action
            connection?.awaitsEnd(of: self)
        }
    }

    /// Somebody wants to know when the client goes. Loop only.
    var isWatched: Bool { cancelAction != nil }

    /// The client has gone. Loop only.
    func cancel() {
        connection = nil
        let action = cancelAction
        cancelAction = nil
        _ = claim(Self.cancelled)
        // Also where an answer was on its way to the loop, which is dropped now with what it would have begun.
        action?()
    }
}
