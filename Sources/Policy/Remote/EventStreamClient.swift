// The client of event streams (WHATWG HTML 9.2): what a browser's EventSource is, with bounds.
//
//     open ── 200, an event stream ──→ read ── events, one after the other, to the consumer
//       │                               │
//       │ 204: the end                  │ closed, broken, silent, too much unread
//       │ refused: the end, or a pause  ↓
//       └── anything else ────────→ pause (ReconnectRule) ──→ open with Last-Event-ID
//
// What a refusal is (404, 401, no event stream), a later try may find repaired: a browser's
// EventSource ends there, and so does a client that is to tell somebody; a controller goes on.
//
// The position is that of the last event that the consumer has handled. So what was read and not
// handled when a connection ends is asked for again, and what was handled is not.
//
// A task keeps the memory that its calls have once taken, and a stream is quiet for days. So the frames
// on the way to a connection and to its next bytes are small: what needs much, and waits for nothing, is
// in functions of its own, which the compiler is told to leave that way.
//
// The consumer is awaited: while it works nothing is read, and what arrives waits in the
// `ByteStream`, which is bounded: behind that the upstream waits.

import FreshetBase
import FreshetHTTP
package import FreshetRefresh

/// What an event stream is asked for, and how patiently.
package struct EventStreamSettings: Sendable {
    /// `Accept` and `Last-Event-ID` are added; the time-out is that of the wait for an answer.
    package var request: UpstreamRequest
    /// Where to resume; empty for the beginning.
    package var lastID = ""
    /// Whether a later connection says where the one before has ended.
    package var resumes = true
    /// Pauses between connections; `limit` bounds those in a row that bring nothing.
    package var reconnect = RetryPolicy(limit: .max)
    /// Whether an answer that another try would hardly change ends the stream.
    var endsOnRefusal = true
    /// A connection on which nothing arrives for this long is lost; noticed at twice the time at the
    /// latest. Servers are expected to say something once a minute.
    package var silence = Duration.seconds(70)
    /// Bytes of one event at most.
    package var eventLimit = 16 << 20

    package init(_ request: UpstreamRequest) {
        self.request = request
    }
}

/// What a consumer is told, in order.
package enum EventStreamSignal: Sendable, Equatable {
    /// An answer has come, and it is an event stream.
    case opened
    case event(StreamEvent)
    /// All events that have arrived so far were told: what is handled together is handled now.
    case caughtUp
    /// The connection is over and another one follows; nil: it was closed in order.
    case interrupted(UpstreamError?, retryIn: Duration)
}

/// What a consumer wants next.
package enum EventStreamVerdict: Sendable, Equatable {
    case proceed
    /// Ends this connection and makes another one, after the given pause or the usual one.
    case reconnect(after: Duration?)
    /// Ends this connection and makes another one after the usual pause, from the beginning of the
    /// stream.
    case restart
    /// Ends the stream.
    case stop
}

/// Why there are no more events.
package enum EventStreamEnd: Sendable, Equatable {
    /// The consumer wanted it.
    case stopped
    /// The task was cancelled.
    case cancelled
    /// 204: the server says that there will never be any more.
    case exhausted
    /// No later try would do any better.
    case refused(UpstreamError)
}

/// Follows one event stream over as many connections as it takes.
package final class EventStreamClient: Sendable {
    package typealias Open =
        @Sendable (UpstreamRequest) async throws(UpstreamError) -> ByteStream

    private let settings: EventStreamSettings
    private let open: Open
    private let clock: any OperationClock
    private let random: @Sendable () -> Double
    /// How far the stream was handled, over all its connections.
    private let position: Shared<String>
    private let mask: @Sendable () -> SecretMask

    /// - Parameters:
    ///   - open: Makes a connection and returns with the head of its answer.
    ///   - random: Numbers from 0 to below 1, for the jitter of pauses.
    ///   - mask: What requests have in them that must not be shown.
    package init(
        _ settings: EventStreamSettings, clock: any OperationClock = SystemOperationClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        mask: @escaping @Sendable () -> SecretMask, open: @escaping Open
    ) {
        self.settings = settings
        self.open = open
        self.clock = clock
        self.random = random
        self.mask = mask
        position = Shared(settings.lastID)
    }

    /// Over a transport of its own.
    package convenience init(
        _ settings: EventStreamSettings, transport: any StreamTransport,
        clock: any OperationClock = SystemOperationClock(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }, mask: SecretMask
    ) {
        self.init(settings, clock: clock, random: random, mask: { mask }) {
            (request) async throws(UpstreamError) -> ByteStream in
            try await transport.open(request)
        }
    }

    /// The id of the last event that was handled: where the next connection resumes.
    package var lastID: String { position.value }

    /// Follows the stream until the consumer stops it, its task is cancelled, or the server refuses
    /// it for good. May be called again, one call at a time: it goes on where the last has ended.
    ///
    /// - Parameter receive: Is told of everything in order, one call after the other.
    nonisolated(nonsending) package func run(
        _ receive: (EventStreamSignal) async -> EventStreamVerdict
    ) async -> EventStreamEnd {
        var rule = ReconnectRule(settings.reconnect, endsOnRefusal: settings.endsOnRefusal)
        while true {
            rule.begin()
            var verdict = EventStreamVerdict.proceed
            var error: UpstreamError?
            do throws(UpstreamError) {
                guard let next = try await connection(&rule, receive) else { return .exhausted }
                verdict = next
            } catch let failure {
                error = failure
            }
            if verdict == .stop { return .stopped }
            if Task.isCancelled { return .cancelled }
            // A connection that the consumer had no use for is as one that brought nothing.
            if verdict == .restart || verdict == .reconnect(after: nil) { rule.wasOfNoUse() }
            if verdict == .restart { position.set("") }
            guard var pause = rule.pause(after: error, random: random()) else {
                return .refused(error ?? .timeout)
            }
            if case .reconnect(let wanted?) = verdict { pause = ReconnectRule.bounded(wanted) }
            switch await receive(.interrupted(error, retryIn: pause)) {
            case .stop: return .stopped
            case .reconnect(let wanted?): pause = ReconnectRule.bounded(wanted)
            case .restart: position.set("")
            case .reconnect(nil), .proceed: break
            }
            guard await clock.rest(until: clock.now + pause) else { return .cancelled }
        }
    }

    /// One connection, until it ends.
    ///
    /// - Returns: What the consumer wants; nil for a 204.
    nonisolated(nonsending) private func connection(
        _ rule: inout ReconnectRule, _ receive: (EventStreamSignal) async -> EventStreamVerdict
    ) async throws(UpstreamError) -> EventStreamVerdict? {
        let stream = try await open(request())
        let watch = SilenceWatch(stream, clock, settings.silence)
        defer {
            watch.stop()
            stream.cancel()
        }
        guard stream.status != 204 else { return nil }
        if let refusal = await refusal(of: stream) { throw refusal }
        var verdict = await receive(.opened)
        let parser = EventStreamReader(lastID: position.value, limit: settings.eventLimit)
        while verdict == .proceed, let bytes = try await stream.next() {
            verdict = try await take(bytes, parser: parser, rule: &rule, receive: receive)
        }
        return verdict
    }

    @inline(never)
    nonisolated(nonsending) private func take(
        _ bytes: [UInt8], parser: EventStreamReader, rule: inout ReconnectRule,
        receive: (EventStreamSignal) async -> EventStreamVerdict
    ) async throws(UpstreamError) -> EventStreamVerdict {
        var verdict = EventStreamVerdict.proceed
        let events = try parser.take(bytes)
        rule.hint = parser.retry ?? rule.hint
        for event in events where verdict == .proceed {
            rule.arrived()
            verdict = await receive(.event(event))
            position.set(event.id)
        }
        if verdict == .proceed, !events.isEmpty { verdict = await receive(.caughtUp) }
        // An id without data counts where everything before it was handled.
        if verdict == .proceed { position.set(parser.lastID) }
        return verdict
    }

    /// What is wrong with the head of an answer.
    @inline(never)
    nonisolated(nonsending) private func refusal(of stream: ByteStream) async -> UpstreamError? {
        guard stream.status == 200 else { return await stream.refusal(masking: mask()) }
        // Nothing has asked for a coding: its bytes would be events that nobody can read.
        let coding = stream.header("Content-Encoding") ?? "identity"
        let isPlain = coding.lowercased() == "identity"
        guard !stream.isEventStream || !isPlain else { return nil }
        let seen =
            stream.isEventStream
            ? "Content-Encoding: \(coding)" : stream.header("Content-Type") ?? ""
        return .shape(
            endpoint: "stream", pointer: "",
            detail: Excerpt(
                own:
                    "the answer is no event stream: \(Excerpt(of: Array(seen.utf8), masking: mask()))"
            ))
    }

    /// Bytes of an id that is sent back; servers take heads of 8 KiB at least.
    private static let longestID = 8_000

    @inline(never)
    private func request() -> UpstreamRequest {
        var request = settings.request
        request.set("Accept", "text/event-stream")
        request.set("Cache-Control", "no-store")
        let lastID = position.value
        // As browsers send it (WHATWG HTML, 9.2.4). A control character cannot be resumed at, nor can what
        // is too long for a header.
        if settings.resumes, !lastID.isEmpty, lastID.utf8.count <= Self.longestID,
            Array(lastID.utf8).withUnsafeBytes(HeaderText.isSafeValue)
        {
            request.set("Last-Event-ID", lastID)
        }
        return request
    }
}
