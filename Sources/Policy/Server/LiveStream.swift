import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetLive
import FreshetNet
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
// touched on that loop only, but for `handle` and `wasWokenEarly`, which are atomic,
// and `description`, which `lock` guards.
final class LiveStream: StreamSource, LiveSubscriber, AccessListener, @unchecked Sendable {
    /// Bytes of one production behind which the socket is asked first.
    private static let pieceBytes = 48 * 1024

    let core: CoreManager
    private(set) var access: StreamAccess
    private let throttle: Duration
    private let heartbeat: Duration
    private let endsAt: MonotonicInstant
    let epoch: Epoch

    var entries: [LiveEntry] = []
    /// The entry of a single stream, in reach without the array.
    private var only: LiveEntry? {
        didSet {
            onlyAddresses = only.map {
                (CacheLines.address(of: $0), CacheLines.address(of: $0.membership))
            }
        }
    }
    private var onlyAddresses: (entry: UnsafeRawPointer, membership: UnsafeRawPointer)?
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
    /// Set once, by `attach`; what other threads read is `handle`.
    private var attached: StreamHandle?
    private let handle = Atomic<Unmanaged<StreamHandle>?>(nil)
    private let wasWokenEarly = Atomic<Bool>(false)

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
            LiveEntry(
                alias: alias, request: request, membership: membership, nextEvent: now,
                remote: remote))
        if isSingle { only = entries.first }
    }

    /// Ends what a query has going on.
    func leave(_ entry: LiveEntry) {
        core.live.leave(entry.membership)
        entry.remote?.refresh?.leave()
    }

    func attach(_ handle: StreamHandle) {
        describe()
        // An answer to HEAD, or one stream too many, has ended by now.
        if !hasEnded { sessions.began(self) }
        attached = handle
        self.handle.store(.passUnretained(handle), ordering: .sequentiallyConsistent)
        if wasWokenEarly.load(ordering: .sequentiallyConsistent) { handle.wake() }
    }

    // MARK: LiveSubscriber, on the router's thread

    func liveResultChanged() { wake() }

    // MARK: AccessListener, on the thread that reads the configuration

    func accessChanged() { wake() }

    func wake() {
        // SAFETY: `attached` keeps the handle for as long as there is this object.
        if let handle = handle.load(ordering: .sequentiallyConsistent) {
            return handle._withUnsafeGuaranteedRef { $0.wake() }
        }
        wasWokenEarly.store(true, ordering: .sequentiallyConsistent)
        // It may have been attached meanwhile, and have looked before.
        handle.load(ordering: .sequentiallyConsistent)?._withUnsafeGuaranteedRef { $0.wake() }
    }

    // MARK: StreamSource, on the loop

    let isEventStream = true

    var nextDeadline: MonotonicInstant? {
        var rest = min(nextHeartbeat, endsAt)
        if access.mayExpire, let expiry = access.nextDeadline(.now) { rest = min(rest, expiry) }
        return heldUntil.map { min(rest, $0) } ?? rest
    }

    func shutdown() {
        isStopping = true
    }

    func ended(_ reason: StreamEnd) {
        for entry in entries { leave(entry) }
        entries = []
        only = nil
        access.control.unwatch(self)
        hasEnded = true
        session?.detach(self, at: .now)
        sessions.ended(self)
    }

    func approach() {
        guard let onlyAddresses else { return }
        CacheLines.fetch(onlyAddresses.entry, 2)
        CacheLines.fetch(onlyAddresses.membership, 2)
        CacheLines.fetch(CacheLines.address(of: progress), 1)
    }

    func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        guard !isSingle || only != nil else { return .finish }
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
        let isSending = isSending
        // A snapshot that has begun is finished: a client could not use a part of it.
        if !isSending, isStopping { return bye("shutdown", &body) }
        if !isSending, now >= endsAt { return bye("max-age", &body) }
        heldUntil = nil
        if let only {
            if let end = advance(only, into: &body, now) { return end }
            if body.count - start >= Self.pieceBytes { return .more }
        } else {
            for entry in entries {
                if let end = advance(entry, into: &body, now) { return end }
                if body.count - start >= Self.pieceBytes { return .more }
            }
            dropFailed()
            syncIfDue(into: &body, now)
        }
        if now >= nextHeartbeat {
            LiveEvents.heartbeat(cursor, into: &body)
            nextHeartbeat = now + heartbeat
        }
        return .idle
    }

    private var isSending: Bool {
        if let only { return only.sending != nil }
        return entries.contains { $0.sending != nil }
    }

    /// Asks whether the caller may go on, and takes changed row rules over.
    ///
    /// - Returns: Why the stream ends, or nil.
    private func refreshAccess(_ now: MonotonicInstant) -> String? {
        if access.holds { return nil }
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
            } catch  where !isSingle || request.query.include != nil {
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
        entries[index] = LiveEntry(
            alias: entries[index].alias, request: request, membership: membership,
            nextEvent: now, remote: entries[index].remote)
        if isSingle { only = entries[index] }
    }

    // MARK: One query

    /// Writes what there is for a query.
    ///
    /// - Returns: What ends the production, nil to go on with the next query.
    private func advance(
        _ entry: LiveEntry, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep? {
        if entry.sending != nil {
            appendPart(entry, into: &body, now)
            return .more
        }
        if entry.hasFailed { return nil }
        if let refusal = entry.refusal {
            LiveEvents.fault(
                Problem(refusal), query: entry.alias, isFinal: true, into: &body)
            entry.hasFailed = true
            return isSingle ? .finish : nil
        }
        if entry.remote != nil, tellSource(of: entry, into: &body, now) { return .more }
        if entry.hasState, now < entry.nextEvent {
            heldUntil = min(heldUntil ?? entry.nextEvent, entry.nextEvent)
            return nil
        }
        switch core.live.set.take(entry.membership) {
        case .snapshot(let result, let why):
            entry.sending = LiveEntry.Sending(result: result, why: why)
            appendPart(entry, into: &body, now)
            return .more
        case .delta(let delta):
            let id = LiveCursor(
                position: Cursor(epoch: epoch, seq: delta.to), digest: delta.digest)
            if let alias = entry.alias {
                LiveEvents.delta(delta, query: alias, id: nil, into: &body)
            } else {
                body.append(LiveEvents.shared(delta, id: id))
                cursor = id
            }
            entry.hasState = true
            hasSent(entry, now)
        case .sync(let seq, let digest):
            entry.hasState = true
            owesSync = true
            if isSingle {
                let id = LiveCursor(position: Cursor(epoch: epoch, seq: seq), digest: digest)
                LiveEvents.sync(id, into: &body)
                nextHeartbeat = now + heartbeat
                cursor = id
            }
        case .current(let seq):
            entry.hasState = true
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
                Problem(CoreError.engine(error)), query: entry.alias, isFinal: isFinal,
                into: &body)
            entry.hasFailed = true
            if isSingle { return isFinal ? .finish : bye("overloaded", &body) }
        }
        return nil
    }

    private func appendPart(
        _ entry: LiveEntry, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) {
        guard let sending = entry.sending else { return }
        let isLast = sending.part + 1 == sending.result.parts.count
        let id = LiveCursor(
            position: Cursor(epoch: epoch, seq: sending.result.seq), digest: sending.result.digest)
        LiveEvents.snapshot(
            sending.result, part: sending.part, why: sending.why, query: entry.alias,
            counts: entry.query.count, id: isLast && isSingle ? id : nil, into: &body)
        entry.sending?.part += 1
        hasSent(entry, now)
        if isLast {
            entry.sending = nil
            entry.hasState = true
            if isSingle { cursor = id }
        }
    }

    private func hasSent(_ entry: LiveEntry, _ now: MonotonicInstant) {
        entry.nextEvent = now + throttle
        nextHeartbeat = now + heartbeat
        owesSync = true
    }

    // MARK: All of them

    /// Says that all queries are exact at one seq, where they are and the client does not know.
    private func syncIfDue(into body: inout ByteBuffer, _ now: MonotonicInstant) {
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
