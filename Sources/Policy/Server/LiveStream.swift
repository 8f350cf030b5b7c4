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

/// One client's stream of live queries (live.md sections 4 and 5): a sender that holds any number
/// of memberships, one for a search or get URL.
///
/// It keeps no queue: when the socket takes more, it asks the live set what there is for each query
/// and writes that; what came and went meanwhile is never sent. Its memory is the parts of the one
/// result a query is sending, which all subscribers of the query share.
///
/// Which event has the id: of a single query each delta and the last part of a snapshot; of several
/// only the `sync` behind which all of them are exact at one seq.
// SAFETY: `join` and `attach` run before the first event, on the stream's loop; its variables are
// touched on that loop only, but for `handle` and `wasWokenEarly`, which `lock` guards.
final class LiveStream: StreamSource, LiveSubscriber, AccessListener, @unchecked Sendable {
    /// One query of the connection.
    struct Entry {
        /// The client's name for it, nil where it is the only one there will ever be.
        let alias: String?
        /// As it was asked for; its query bears the row rule of now.
        var request: LiveRequest
        var membership: LiveMembership
        fileprivate var sending: Sending?
        /// The client holds a state of it.
        var hasState = false
        var nextEvent: MonotonicInstant
        var hasFailed = false
        /// The changed schemas do not take the query any more; told by a last fault.
        var refusal: CoreError?
        /// What goes on behind it, where its type has a remote.
        var remote: LiveRemote?

        var query: Query { request.query }
    }

    /// A snapshot on its way.
    fileprivate struct Sending {
        let result: LiveResult
        let why: LiveWhy
        var part = 0
    }

    /// Bytes of one production behind which the socket is asked first.
    private static let pieceBytes = 48 * 1024

    let core: CoreManager
    private(set) var access: StreamAccess
    private let throttle: Duration
    private let heartbeat: Duration
    private let endsAt: MonotonicInstant
    let epoch: Epoch

    var entries: [Entry] = []
    private var hasBegun = false
    private var isStopping = false
    private var hasEnded = false
    /// What the client's last event id says, or a later position that a heartbeat will tell.
    private var cursor: LiveCursor?
    /// Events of several queries were sent since the last `sync`.
    var owesSync = true
    private var nextHeartbeat: MonotonicInstant
    /// When the throttle lets the first query go that it holds back.
    private var heldUntil: MonotonicInstant?

    /// One query, without alias and for as long as the stream lives.
    let isSingle: Bool
    private let sessions: LiveSessions
    /// What it is the stream of, with the set of queries that it knows; set before it begins.
    var session: LiveSession?
    var generation: LiveCursor.Generation?
    /// Queries that were refused and whose fault is due.
    var refusals: [(alias: String, problem: Problem)] = []
    /// One of the URL's queries has ended.
    var hasLostQuery = false
    let orders = LiveOrders()
    let progress = LiveProgress()

    /// What operators see, guarded by the lock.
    struct Description {
        var queries: [(alias: String?, membership: LiveMembership)] = []
        var caller = ""
    }

    let lock = Lock()
    var description = Description()
    private var handle: StreamHandle?
    private var wasWokenEarly = false

    init(
        _ core: CoreManager, _ live: LiveParameters, _ limits: Limits, access: StreamAccess,
        _ sessions: LiveSessions, isSingle: Bool = true, at now: MonotonicInstant
    ) {
        self.core = core
        self.sessions = sessions
        self.isSingle = isSingle
        self.access = access
        throttle = live.throttle
        heartbeat = live.heartbeat ?? limits.heartbeat
        epoch = core.store.cursor.epoch
        nextHeartbeat = now + heartbeat
        // Spread, so that clients that came together do not leave together.
        let lifetime = limits.streamLifetime * Double.random(in: 0.8...1)
        endsAt = now + min(live.longest ?? lifetime, lifetime)
    }

    /// Adds a query; its first news follows by itself.
    func join(
        _ request: LiveRequest, alias: String? = nil, at now: MonotonicInstant = .now
    ) throws(CoreError) {
        var request = request
        request.owner = access.caller.name
        let remote = try LiveRemote(&request, self)
        let membership: LiveMembership
        do { membership = try core.join(request, self, for: access.caller.rights) } catch {
            remote?.refresh?.leave()
            throw error
        }
        // Before the first look, so that no change of the rights goes unseen.
        if entries.isEmpty { access.control.watch(self) }
        entries.append(
            Entry(
                alias: alias, request: request, membership: membership, nextEvent: now,
                remote: remote))
    }

    /// Ends what a query has going on.
    func leave(_ entry: Entry) {
        core.live.leave(entry.membership)
        entry.remote?.refresh?.leave()
    }

    func attach(_ handle: StreamHandle) {
        describe()
        // An answer to HEAD, or one stream too many, has ended by now.
        if !hasEnded { sessions.began(self) }
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

    func wake() {
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
        return heldUntil.map { min(rest, $0) } ?? rest
    }

    func shutdown() {
        isStopping = true
    }

    func ended(_ reason: StreamEnd) {
        for entry in entries { leave(entry) }
        entries = []
        access.control.unwatch(self)
        hasEnded = true
        session?.detach(self, at: .now)
        sessions.ended(self)
    }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        guard !isSingle || !entries.isEmpty else { return .finish }
        let start = body.count
        defer { progress.note(bytes: body.count - start, seq: cursor?.position.seq) }
        if let reason = refreshAccess(now) {
            LiveEvents.bye(reason, reconnects: false, after: 0, into: &body)
            return .finish
        }
        let (hasChanged, end) = isSingle ? (false, nil) : obeyOrders(now)
        if let end {
            LiveEvents.bye(end, reconnects: false, after: 0, into: &body)
            return .finish
        }
        if !hasBegun || hasChanged {
            hasBegun = true
            LiveEvents.hello(
                entries.map { entry in
                    LiveEvents.Description(
                        alias: entry.alias, mode: entry.membership.mode,
                        index: entry.membership.group.indexClass.rawValue, query: entry.query)
                }, heartbeat: heartbeat, into: &body)
        }
        if !refusals.isEmpty { tellRefusals(into: &body) }
        let isSending = entries.contains { $0.sending != nil }
        // A snapshot that has begun is finished: a client could not use a part of it.
        if !isSending, isStopping { return bye("shutdown", &body) }
        if !isSending, now >= endsAt { return bye("max-age", &body) }
        heldUntil = nil
        for index in entries.indices {
            if let end = advance(index, into: &body, now) { return end }
            if body.count - start >= Self.pieceBytes { return .more }
        }
        dropFailed()
        syncIfDue(into: &body, now)
        if now >= nextHeartbeat {
            LiveEvents.heartbeat(cursor, into: &body)
            nextHeartbeat = now + heartbeat
        }
        return .idle
    }

    /// Asks whether the caller may go on, and takes changed row rules over.
    ///
    /// - Returns: Why the stream ends, or nil.
    private func refreshAccess(_ now: MonotonicInstant) -> String? {
        // Of several queries each is judged by itself.
        switch access.verdict(types: entries.prefix(isSingle ? 1 : 0).lazy.map(\.query.type)) {
        case .holds: return nil
        case .ended(let reason): return reason
        case .changed: break
        }
        if dropForbidden() { return "access" }
        for index in entries.indices where !entries[index].hasFailed {
            var request = entries[index].request
            do { try core.check(request.query.type) } catch {
                entries[index].refusal = error
                continue
            }
            let rule = access.rule(of: request.query.type)
            // Included types may have other rules by now.
            guard rule != request.query.rule || request.query.include != nil else { continue }
            request.query.restrict(to: rule)
            entries[index].remote?.asked.restrict(to: rule)
            do {
                try rejoin(index, as: request, now)
            } catch  where request.query.include != nil {
                entries[index].refusal = error
            } catch {
                // The query was good under the other rule: what is wrong is the rule.
                return "access"
            }
        }
        describe()
        return nil
    }

    /// Goes on with another query in the place of one, from what the client holds of that.
    func rejoin(
        _ index: Int, as changed: LiveRequest, _ now: MonotonicInstant
    ) throws(CoreError) {
        var request = changed
        request.resume = .nothing
        // A client that has a part of a snapshot holds nothing that could be gone on from.
        if entries[index].sending == nil, entries[index].hasState {
            request.holding = core.live.set.holding(of: entries[index].membership)
        }
        let membership = try core.join(request, self, for: access.caller.rights)
        core.live.leave(entries[index].membership)
        request.holding = nil
        entries[index] = Entry(
            alias: entries[index].alias, request: request, membership: membership,
            nextEvent: now, remote: entries[index].remote)
    }

    // MARK: One query

    /// Writes what there is for a query.
    ///
    /// - Returns: What ends the production, nil to go on with the next query.
    private func advance(
        _ index: Int, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep? {
        if entries[index].sending != nil {
            appendPart(index, into: &body, now)
            return .more
        }
        if entries[index].hasFailed { return nil }
        if let refusal = entries[index].refusal {
            LiveEvents.fault(
                Problem(refusal), query: entries[index].alias, isFinal: true, into: &body)
            entries[index].hasFailed = true
            return isSingle ? .finish : nil
        }
        if entries[index].remote != nil { tellSource(of: index, into: &body, now) }
        if entries[index].hasState, now < entries[index].nextEvent {
            heldUntil = min(heldUntil ?? entries[index].nextEvent, entries[index].nextEvent)
            return nil
        }
        switch core.live.set.take(entries[index].membership) {
        case .snapshot(let result, let why):
            entries[index].sending = Sending(result: result, why: why)
            appendPart(index, into: &body, now)
            return .more
        case .delta(let delta):
            let id = LiveCursor(
                position: Cursor(epoch: epoch, seq: delta.to), digest: delta.digest)
            LiveEvents.delta(
                delta, query: entries[index].alias, id: isSingle ? id : nil, into: &body)
            entries[index].hasState = true
            hasSent(index, now)
            if isSingle { cursor = id }
        case .sync(let seq, let digest):
            entries[index].hasState = true
            owesSync = true
            if isSingle {
                let id = LiveCursor(position: Cursor(epoch: epoch, seq: seq), digest: digest)
                LiveEvents.sync(id, into: &body)
                nextHeartbeat = now + heartbeat
                cursor = id
            }
        case .current(let seq):
            entries[index].hasState = true
            if isSingle, let cursor, cursor.position.seq < seq {
                self.cursor = LiveCursor(
                    position: Cursor(epoch: epoch, seq: seq), digest: cursor.digest)
            }
        case .pending: break
        case .failed(let error):
            // A search that took too long may be quick another time.
            var isFinal = true
            if case .timeout = error { isFinal = !isSingle }
            LiveEvents.fault(
                Problem(CoreError.engine(error)), query: entries[index].alias, isFinal: isFinal,
                into: &body)
            entries[index].hasFailed = true
            if isSingle { return isFinal ? .finish : bye("overloaded", &body) }
        }
        return nil
    }

    private func appendPart(_ index: Int, into body: inout ByteBuffer, _ now: MonotonicInstant) {
        guard let sending = entries[index].sending else { return }
        let isLast = sending.part + 1 == sending.result.parts.count
        let id = LiveCursor(
            position: Cursor(epoch: epoch, seq: sending.result.seq), digest: sending.result.digest)
        LiveEvents.snapshot(
            sending.result, part: sending.part, why: sending.why, query: entries[index].alias,
            counts: entries[index].query.count, id: isLast && isSingle ? id : nil, into: &body)
        entries[index].sending?.part += 1
        hasSent(index, now)
        if isLast {
            entries[index].sending = nil
            entries[index].hasState = true
            if isSingle { cursor = id }
        }
    }

    private func hasSent(_ index: Int, _ now: MonotonicInstant) {
        entries[index].nextEvent = now + throttle
        nextHeartbeat = now + heartbeat
        owesSync = true
    }

    // MARK: All of them

    /// Says that all queries are exact at one seq, where they are and the client does not know.
    private func syncIfDue(into body: inout ByteBuffer, _ now: MonotonicInstant) {
        guard !isSingle else { return }
        let seq = core.live.set.published
        let isCut = entries.allSatisfy { entry in
            entry.hasFailed
                || entry.hasState && core.live.set.isSettled(entry.membership, at: seq)
        }
        guard isCut else { return }
        cursor = cut(at: seq)
        guard owesSync, let cursor else { return }
        owesSync = false
        LiveEvents.sync(cursor, into: &body)
        nextHeartbeat = now + heartbeat
    }

    private func bye(_ reason: String, _ body: inout ByteBuffer) -> StreamStep {
        // A stopping server's clients come back over five seconds, not all at once.
        LiveEvents.bye(
            reason, reconnects: true, after: Int.random(in: 500...5500), into: &body)
        return .finish
    }
}
