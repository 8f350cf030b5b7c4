package import FreshetBase
import FreshetNet

/// The time-outs of `ServerLimits` in nanoseconds, since they are added for every request.
package struct ConnectionTimeouts: Sendable {
    let head, bodyGrace, bodySilence, write, idle, linger: UInt64
    let bodyBytesPerSecond: UInt64

    package init(_ limits: ServerLimits) {
        func nanoseconds(_ span: Duration) -> UInt64 {
            UInt64(max(0, span.wholeMilliseconds)) * 1_000_000
        }
        head = nanoseconds(limits.headTimeout)
        bodyGrace = nanoseconds(limits.bodyGrace)
        bodySilence = nanoseconds(max(limits.bodyGrace, limits.bodySilence))
        write = nanoseconds(limits.writeTimeout)
        idle = nanoseconds(limits.idleTimeout)
        linger = nanoseconds(limits.lingerTimeout)
        bodyBytesPerSecond = UInt64(max(1, limits.bodyBytesPerSecond))
    }

    /// Those in the reserve of a full server, whose places nobody may keep by saying nothing.
    static func inReserve(_ limits: ServerLimits) -> ConnectionTimeouts {
        var limits = limits
        limits.headTimeout = min(limits.headTimeout, .seconds(1))
        limits.idleTimeout = min(limits.idleTimeout, .seconds(1))
        limits.bodyGrace = min(limits.bodyGrace, .seconds(1))
        limits.bodySilence = min(limits.bodySilence, .seconds(1))
        limits.bodyBytesPerSecond = max(limits.bodyBytesPerSecond, 64 << 10)
        return ConnectionTimeouts(limits)
    }
}

/// The decisions of one connection about time and phases, without socket or clock.
///
/// The driver tells what happens and when; this answers when it wants to be asked again
/// (`deadline`) and what to do then (`expired`). All instants are nanoseconds of the monotonic
/// clock.
package struct ConnectionState: Equatable {
    package enum Phase: UInt8 {
        /// No byte of a request has come.
        case idle
        /// A part of a head has come.
        case head
        /// A body is being read.
        case body
        /// A detached request has not been answered yet.
        case pending
        /// The response is a stream.
        case streaming
        /// The last answer is on its way; input is read and dropped until the client closes.
        case closing
    }

    /// What to do when the deadline has passed.
    package enum Expiry: Equatable {
        /// Nothing is due; ask again at the new deadline.
        case nothing
        /// Close without an answer.
        case close
        /// Answer 408 and close.
        case timeout
        /// The client takes nothing: close, its stream has stalled.
        case stalled
    }

    package private(set) var phase: Phase = .idle
    /// When the phase began; for a body, moved on by the spans in which reading was paused.
    private var since: UInt64
    /// Body bytes that have come.
    private var received = 0
    /// When some came last, moved on as `since`.
    private var receivedAt: UInt64 = 0
    private var pausedAt: UInt64 = 0
    /// The bytes sent at the time of `progressAt`.
    private var progressBytes: UInt64 = 0
    /// When the client took something last; 0 while nothing waits.
    private var progressAt: UInt64 = 0

    package init(now: MonotonicInstant) { since = now.nanoseconds }

    /// Enters a phase; entering the present one again changes nothing but for idle.
    package mutating func enter(_ next: Phase, now: MonotonicInstant) {
        guard phase != next || next == .idle else { return }
        phase = next
        since = now.nanoseconds
        received = 0
        receivedAt = since
        pausedAt = 0
    }

    /// Begins the phase anew: the last answer has left, now the client's closing is waited for.
    package mutating func restart(now: MonotonicInstant) { since = now.nanoseconds }

    /// Body bytes have come.
    package mutating func received(_ count: Int, now: MonotonicInstant) {
        received += count
        if count > 0 { receivedAt = now.nanoseconds }
    }

    /// Reading of the body stops or goes on at the receiver's wish, which is no fault of the
    /// client's.
    package mutating func setPaused(_ paused: Bool, now: MonotonicInstant) {
        if paused {
            if pausedAt == 0 { pausedAt = now.nanoseconds }
        } else if pausedAt != 0 {
            since += now.nanoseconds - min(pausedAt, now.nanoseconds)
            receivedAt = now.nanoseconds
            pausedAt = 0
        }
    }

    /// Notes how output goes: `sent` bytes in total so far, `waiting` bytes unsent.
    package mutating func output(sent: UInt64, waiting: Int, now: MonotonicInstant) {
        if waiting == 0 {
            progressAt = 0
        } else if progressAt == 0 || sent != progressBytes {
            progressAt = now.nanoseconds
            progressBytes = sent
        }
    }

    /// How long it has had no request or has only waited for the client to close, for shedding;
    /// nil while it is at work.
    package func idleSpan(now: MonotonicInstant) -> Duration? {
        guard phase == .idle || phase == .closing, progressAt == 0 else { return nil }
        return now - MonotonicInstant(nanoseconds: since)
    }

    /// When `expired` wants to be asked, in nanoseconds; nil for never.
    package func deadline(_ timeouts: ConnectionTimeouts) -> UInt64? {
        if progressAt != 0 {
            let write = progressAt + timeouts.write
            // While an answer goes out, the client's reading is what counts.
            if phase == .closing || phase == .idle { return write }
            return phaseDeadline(timeouts).map { min($0, write) } ?? write
        }
        return phaseDeadline(timeouts)
    }

    private func phaseDeadline(_ timeouts: ConnectionTimeouts) -> UInt64? {
        switch phase {
        case .idle: return since + timeouts.idle
        case .head: return since + timeouts.head
        case .closing: return since + timeouts.linger
        case .pending, .streaming: return nil
        case .body:
            guard pausedAt == 0 else { return nil }
            // When the average rate would fall below the least, but not within the grace; nor does a
            // fast beginning pay for a silence without an end.
            // A century at most: a body that is streamed has no bound.
            let seconds = min(UInt64(received) / timeouts.bodyBytesPerSecond, 3_000_000_000)
            let rest = UInt64(received) % timeouts.bodyBytesPerSecond
            let milliseconds = seconds * 1000 + rest * 1000 / timeouts.bodyBytesPerSecond
            let isTooSlow = since + timeouts.bodyGrace + milliseconds * 1_000_000
            return min(isTooSlow, receivedAt + timeouts.bodySilence)
        }
    }

    /// What is due at `now`.
    package func expired(now: MonotonicInstant, _ timeouts: ConnectionTimeouts) -> Expiry {
        if progressAt != 0 {
            if now.nanoseconds >= progressAt + timeouts.write { return .stalled }
            if phase == .closing || phase == .idle { return .nothing }
        }
        guard let deadline = phaseDeadline(timeouts), now.nanoseconds >= deadline else {
            return .nothing
        }
        switch phase {
        case .idle, .closing: return .close
        case .head, .body: return .timeout
        case .pending, .streaming: return .nothing
        }
    }
}
