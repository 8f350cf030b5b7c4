import FreshetQuery
import FreshetRefresh

/// Whose turn it is at each upstream, and how much may be sent there now: as many deliveries at once as it
/// has places, few in a second while it gives no answer, none for as long as it asks for none. The
/// outbox's, under its lock.
struct OutboxTurns {
    /// Deliveries to one upstream at once; the upstream's own cap may be lower.
    static let places = 16
    /// Deliveries to an upstream that gives no answer, in a second: of many lanes each would try for
    /// itself.
    private static let triesPerSecond = 16

    private struct Upstream {
        /// Lanes whose turn has come.
        var ready: [EntityKey] = []
        /// Deliveries on their way.
        var active = 0
        /// It gave no answer to the last delivery.
        var silence: Silence?
        var limit: Limit?

        var isIdle: Bool { ready.isEmpty && active == 0 && silence == nil && limit == nil }
    }

    /// What was begun since `second`.
    private struct Silence {
        var second: Duration
        var tries = 0
        var alarm: ScheduledAction?

        /// When as many may be begun again.
        var end: Duration { second + .seconds(1) }
    }

    /// Until when it asks for no request.
    private struct Limit {
        let until: Duration
        let alarm: ScheduledAction
    }

    private var upstreams: [String: Upstream] = [:]
    private let clock: any OperationClock
    private let passed: @Sendable (String) -> Void

    /// - Parameter passed: Called on any thread when an upstream may be sent more by now: `pass`, then
    ///   `start`.
    init(clock: any OperationClock, passed: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.passed = passed
    }

    /// Forgets the lanes that wait; deliveries on their way keep their places.
    mutating func clear() {
        for name in upstreams.keys { change(name) { $0.ready = [] } }
    }

    /// The turn of a lane has come; it waits until `start` begins it.
    ///
    /// - Parameter isFirst: Before all that wait.
    mutating func add(_ key: EntityKey, at name: String, isFirst: Bool) {
        change(name) { $0.ready.insert(key, at: isFirst ? 0 : $0.ready.count) }
    }

    /// Begins what is ready, as far as may be.
    ///
    /// - Parameter begin: Begins the next delivery of a lane, which `leave` follows; false: it has none that
    ///   is due any more.
    mutating func start(_ begin: (EntityKey, String) -> Bool) {
        for (name, upstream) in upstreams where !upstream.ready.isEmpty {
            let queue = upstream.ready
            var taken = 0
            while taken < queue.count, takePlace(at: name) {
                if !begin(queue[taken], name) { leave(name) }
                taken += 1
            }
            if taken > 0 { change(name) { $0.ready = Array(queue[taken...]) } }
        }
    }

    /// A delivery has ended.
    mutating func leave(_ name: String) {
        change(name) { $0.active -= 1 }
    }

    /// Takes a place for a delivery; false: none may begin now. `passed` is called once that is over.
    private mutating func takePlace(at name: String) -> Bool {
        guard var upstream = upstreams[name], upstream.active < Self.places, upstream.limit == nil
        else { return false }
        defer { upstreams[name] = upstream }
        guard var silence = upstream.silence else {
            upstream.active += 1
            return true
        }
        let now = clock.now
        if now >= silence.end {
            silence.alarm?.cancel()
            silence = Silence(second: now)
        }
        let mayTry = silence.tries < Self.triesPerSecond
        if mayTry {
            silence.tries += 1
            upstream.active += 1
        } else if silence.alarm == nil {
            silence.alarm = alarm(at: silence.end, name)
        }
        upstream.silence = silence
        return mayTry
    }

    // MARK: What upstreams say

    /// An upstream asks to be sent nothing for `span`.
    mutating func limit(_ name: String, for span: Duration) {
        let until = clock.now + span
        guard upstreams[name]?.limit.map({ $0.until < until }) ?? true else { return }
        lift(name)
        let alarm = alarm(at: until, name)
        change(name) { $0.limit = Limit(until: until, alarm: alarm) }
    }

    /// Sends to an upstream though it has asked for nothing.
    mutating func lift(_ name: String) {
        change(name) { upstream in
            upstream.limit?.alarm.cancel()
            upstream.limit = nil
        }
    }

    mutating func liftAll() {
        for name in upstreams.keys { lift(name) }
    }

    /// The upstream has answered a delivery, whatever it said, or has not.
    mutating func noteAnswer(of name: String, _ isThere: Bool) {
        let now = clock.now
        change(name) { upstream in
            if isThere {
                upstream.silence?.alarm?.cancel()
                upstream.silence = nil
            } else if upstream.silence == nil {
                upstream.silence = Silence(second: now)
            }
        }
    }

    /// Ends what has been waited for at an upstream.
    mutating func pass(_ name: String) {
        let now = clock.now
        change(name) { upstream in
            if let limit = upstream.limit, limit.until <= now { upstream.limit = nil }
            if let silence = upstream.silence, silence.end <= now { upstream.silence?.alarm = nil }
        }
    }

    private func alarm(at instant: Duration, _ name: String) -> ScheduledAction {
        clock.schedule(at: instant) { [passed] in passed(name) }
    }

    /// Changes what is known of an upstream; one of which nothing is known takes no room.
    private mutating func change(_ name: String, _ body: (inout Upstream) -> Void) {
        var upstream = upstreams.removeValue(forKey: name) ?? Upstream()
        body(&upstream)
        if !upstream.isIdle { upstreams[name] = upstream }
    }
}
