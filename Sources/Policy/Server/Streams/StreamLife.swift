import FreshetBase
import FreshetConfig
import FreshetHTTP
import FreshetHTTPServer

/// The life of one event stream, whatever it tells: with whose rights, how long, and the signs of life
/// between its events. Touched on the stream's loop only.
struct StreamLife {
    var access: StreamAccess
    let heartbeat: Duration
    private let endsAt: MonotonicInstant
    private var nextHeartbeat: MonotonicInstant
    /// The server ends.
    var isStopping = false
    /// Its client is to go on at another server.
    var isLeaving = false
    /// Why the server has not any more what is told, where the leader of a cluster alone has that; nil
    /// while it has.
    var leadersProblem: (@Sendable () -> Problem?)?
    /// Whether what is told is still there; whoever comes again learns what is in its place.
    var isThere: @Sendable () -> Bool = { true }

    /// - Parameters:
    ///   - heartbeat: What the client asks for.
    ///   - longest: The same of the stream's age.
    init(
        _ limits: Limits, access: StreamAccess, heartbeat: Duration? = nil,
        longest: Duration? = nil, at now: MonotonicInstant
    ) {
        self.access = access
        self.heartbeat = heartbeat ?? limits.heartbeat
        nextHeartbeat = now + self.heartbeat
        // Spread, so that clients that came together do not leave together.
        let lifetime = limits.streamLifetime * Double.random(in: 0.8...1)
        endsAt = now + min(longest ?? lifetime, lifetime)
    }

    /// When it has something to do though nothing happens.
    var nextDeadline: MonotonicInstant {
        let rest = min(nextHeartbeat, endsAt)
        guard access.mayExpire, let expiry = access.nextDeadline(.now) else { return rest }
        return min(rest, expiry)
    }

    /// Why it ends, after which its client may come back; nil while it goes on.
    func reasonToEnd(at now: MonotonicInstant) -> String? {
        if isStopping { return "shutdown" }
        if isLeaving || leadersProblem?() != nil { return "moved" }
        if !isThere() { return "closed" }
        return now >= endsAt ? "max-age" : nil
    }

    /// An event was written: the next sign of life is that much later.
    mutating func noteEvent(_ now: MonotonicInstant) {
        nextHeartbeat = now + heartbeat
    }

    /// Writes a heartbeat where one is due.
    ///
    /// - Parameter cursor: How far the client's state is exact.
    mutating func beat(
        _ cursor: LiveCursor?, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) {
        guard now >= nextHeartbeat else { return }
        LiveEventEncoder.heartbeat(cursor, into: &body)
        nextHeartbeat = now + heartbeat
    }
}

extension Reply {
    /// Begins an answer of events.
    func beginEvents(_ response: inout ResponseWriter) {
        begin(200, &response)
        response.header("Content-Type", "text/event-stream")
        response.header("Cache-Control", "no-store")
        response.header("X-Accel-Buffering", "no")
        response.header("Vary", "Accept")
    }
}
