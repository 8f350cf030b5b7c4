import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetStore
import Synchronization

/// One client's stream of one live query (live.md sections 4 and 5).
///
/// It keeps no queue: when the socket takes more, it asks the live set for the newest result and
/// writes that, part by part; what came and went meanwhile is never sent. Its memory is the parts
/// of the one result that it is sending, which all subscribers of the query share.
// SAFETY: `join` and `attach` run before the first event, on the stream's loop; its variables are
// touched on that loop only, but for `handle` and `wasWokenEarly`, which `lock` guards.
final class LiveStream: StreamSource, LiveSubscriber, AccessListener, @unchecked Sendable {
    private let core: CoreManager
    private var query: Query
    private var access: StreamAccess
    private let throttle: Duration
    private let heartbeat: Duration
    private let resume: String?
    private let endsAt: MonotonicInstant

    private var membership: LiveMembership?
    private var hasBegun = false
    private var hasShown = false
    private var isStopping = false
    private var sending: LiveResult?
    private var part = 0
    /// What the client holds: the rows' digest, and the seq through which that is exact.
    private var shown: LiveCursor?
    private var nextHeartbeat: MonotonicInstant
    private var nextEvent: MonotonicInstant
    /// The throttle kept it from looking for news.
    private var isHeldBack = false
    private var reason: StaticString = "initial"
    private let epoch: Epoch

    private let lock = Lock()
    private var handle: StreamHandle?
    private var wasWokenEarly = false

    init(
        _ core: CoreManager, _ query: Query, _ live: LiveParameters, _ limits: Limits,
        access: StreamAccess, resume: String?, at now: MonotonicInstant
    ) {
        self.core = core
        self.query = query
        self.access = access
        self.resume = resume
        throttle = live.throttle
        heartbeat = live.heartbeat ?? limits.heartbeat
        epoch = core.store.cursor.epoch
        nextHeartbeat = now + heartbeat
        nextEvent = now
        // Spread, so that clients that came together do not leave together.
        let lifetime = limits.streamLifetime * Double.random(in: 0.8...1)
        endsAt = now + min(live.longest ?? lifetime, lifetime)
    }

    /// Registers with the live set; the first result follows by itself.
    func join() throws(CoreError) {
        membership = try core.join(query, self, for: access.caller.rights)
        // Before the first look, so that no change of the rights goes unseen.
        access.control.watch(self)
    }

    func attach(_ handle: StreamHandle) {
        let mustWake = lock.withLock {
            self.handle = handle
            return wasWokenEarly
        }
        if mustWake { handle.wake() }
    }

    // MARK: LiveSubscriber, on the router's thread

    func liveResultChanged() { wake() }

    // MARK: AccessListener, on the thread that reads the configuration

    func accessChanged() { wake() }

    private func wake() {
        let handle = lock.withLock {
            wasWokenEarly = self.handle == nil
            return self.handle
        }
        handle?.wake()
    }

    // MARK: StreamSource, on the loop

    let isEventStream = true

    var nextDeadline: MonotonicInstant? {
        var rest = min(nextHeartbeat, endsAt)
        if let expiry = access.nextDeadline(.now) { rest = min(rest, expiry) }
        return isHeldBack ? min(rest, nextEvent) : rest
    }

    func shutdown() {
        isStopping = true
    }

    func ended(_ reason: StreamEnd) {
        if let membership { core.live.set.leave(membership) }
        membership = nil
        access.control.unwatch(self)
    }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        guard membership != nil else { return .finish }
        if let reason = refreshAccess() {
            return appendBye(reason, reconnect: false, to: &body)
        }
        guard let membership else { return .finish }
        if !hasBegun {
            hasBegun = true
            appendHello(to: &body)
        }
        if sending != nil { return appendPart(to: &body, now) }
        if isStopping { return appendBye("shutdown", to: &body) }
        if now >= endsAt { return appendBye("max-age", to: &body) }
        isHeldBack = now < nextEvent && hasShown
        if !isHeldBack {
            switch core.live.set.take(membership) {
            case .result(let result):
                return begin(result, to: &body, now)
            case .current(let seq):
                if let shown {
                    self.shown = LiveCursor(
                        position: Cursor(epoch: epoch, seq: max(shown.position.seq, seq)),
                        digest: shown.digest)
                }
            case .pending: break
            case .failed(let error):
                appendFault(Problem(CoreError.engine(error)), to: &body)
                return appendBye("overloaded", to: &body)
            }
        }
        if now >= nextHeartbeat { appendHeartbeat(to: &body, now) }
        return .idle
    }

    /// Asks whether the caller may go on, and takes a changed row rule over.
    ///
    /// - Returns: Why the stream ends, or nil.
    private func refreshAccess() -> String? {
        switch access.verdict(types: CollectionOfOne(query.type)) {
        case .holds: return nil
        case .ended(let reason): return reason
        case .changed:
            let rule = access.rule(of: query.type)
            // Included types may have other rules by now.
            guard rule != query.rule || query.include != nil else { return nil }
            query.restrict(to: rule)
            if let membership { core.live.set.leave(membership) }
            membership = nil
            sending = nil
            do { membership = try core.join(query, self, for: access.caller.rights) } catch {
                // The query was good under the other rule: what is wrong is the rule.
                return "access"
            }
            return nil
        }
    }

    // MARK: Events

    private func begin(
        _ result: LiveResult, to body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep {
        let cursor = LiveCursor(
            position: Cursor(epoch: epoch, seq: result.seq), digest: result.digest)
        let why = why(result)
        hasShown = true
        shown = cursor
        nextEvent = now + throttle
        guard let why else {
            append("sync", id: cursor, to: &body) { $0.append(text: "{\"at\":\"\(cursor.text)\"}") }
            nextHeartbeat = now + heartbeat
            return .idle
        }
        reason = why
        sending = result
        part = 0
        return appendPart(to: &body, now)
    }

    /// Why the client must take a snapshot, or nil where what it holds is what the query shows.
    private func why(_ result: LiveResult) -> StaticString? {
        if hasShown { return "update" }
        guard let resume else { return "initial" }
        guard let cursor = LiveCursor(resume), cursor.position.epoch == epoch else {
            return "epoch"
        }
        if cursor.position.seq > result.seq { return "rewind" }
        return cursor.digest == result.digest ? nil : "retention"
    }

    private func appendPart(to body: inout ByteBuffer, _ now: MonotonicInstant) -> StreamStep {
        guard let result = sending, let cursor = shown else { return .idle }
        let hasMore = part + 1 < result.parts.count
        append("snapshot", id: hasMore ? nil : cursor, to: &body) { body in
            body.append("{\"v\":")
            body.append(decimal: result.seq)
            body.append(",\"why\":\"")
            body.append(reason)
            body.append("\",\"items\":[")
            body.append(result.parts[part])
            body.append("]")
            if let included = result.included[part] {
                body.append(",\"included\":")
                body.append(included)
            }
            if query.count, let total = result.total {
                body.append(",\"total\":")
                body.append(decimal: total)
            }
            body.append(",\"part\":")
            body.append(decimal: part)
            body.append(",\"more\":")
            body.append(hasMore ? "true" : "false")
            body.append(",\"source\":\"local\",\"stale\":false}")
        }
        nextHeartbeat = now + heartbeat
        part += 1
        guard !hasMore else { return .more }
        sending = nil
        // A newer result may have come while this one was on its way.
        return .more
    }

    private func appendHello(to body: inout ByteBuffer) {
        EventStreamEncoder.retry(milliseconds: Int.random(in: 1000...3000), into: &body)
        append("hello", id: nil, to: &body) { body in
            body.append("{\"protocol\":1,\"heartbeat\":")
            body.append(decimal: Int(heartbeat / .seconds(1)))
            body.append(",\"queries\":{\"\":{\"mode\":\"snapshot\",\"index\":\"residual\"")
            body.append(",\"window\":{\"offset\":")
            body.append(decimal: query.offset)
            body.append(",\"limit\":")
            if let limit = query.limit {
                body.append(decimal: limit)
            } else {
                body.append("null")
            }
            body.append("}}}}")
        }
    }

    private func appendHeartbeat(to body: inout ByteBuffer, _ now: MonotonicInstant) {
        nextHeartbeat = now + heartbeat
        let id = Array((shown?.text ?? "").utf8)
        id.withUnsafeBytes { EventStreamEncoder.heartbeat(id: $0, into: &body) }
    }

    private func appendFault(_ problem: Problem, to body: inout ByteBuffer) {
        append("fault", id: nil, to: &body) { body in
            var text = ByteBuffer(capacity: 512)
            problem.encode(requestId: "", into: &text)
            // The problem is one object and a line feed; `final` becomes its last member.
            text.truncate(to: text.count - 2)
            body.append(text.bytes)
            body.append(",\"final\":true}")
        }
    }

    private func appendBye(
        _ reason: String, reconnect: Bool = true, to body: inout ByteBuffer
    ) -> StreamStep {
        append("bye", id: nil, to: &body) { body in
            body.append("{\"reason\":\"")
            body.append(text: reason)
            body.append("\",\"reconnect\":")
            body.append(jsonBool: reconnect)
            body.append(",\"after\":")
            // A stopping server's clients come back over five seconds, not all at once.
            body.append(decimal: Int.random(in: 500...5500))
            body.append("}")
        }
        return .finish
    }

    private func append(
        _ event: StaticString, id: LiveCursor?, to body: inout ByteBuffer,
        _ data: (inout ByteBuffer) -> Void
    ) {
        let id = Array((id?.text ?? "").utf8)
        let mark = id.withUnsafeBytes {
            EventStreamEncoder.open(event: event, id: $0, into: &body)
        }
        data(&body)
        EventStreamEncoder.close(mark, in: &body)
    }
}
