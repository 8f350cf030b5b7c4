import FreshetBase
import FreshetConfig
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
    var life: StreamLife
    let throttle: Duration
    let epoch: Epoch

    var entries: [LiveEntry] = []
    /// The entry of a single stream, in reach without the array.
    var only: LiveEntry? {
        didSet {
            onlyAddresses = only.map {
                (CacheLines.address(of: $0), CacheLines.address(of: $0.membership))
            }
        }
    }
    /// Of several queries, those that have something to tell or are not known to be settled at the
    /// last cut. All others are: whoever ceases to be is noted.
    private var open: [LiveEntry] = []
    /// What is noted of several queries; nil for a single one.
    let notes: LiveNotes?
    /// A query has failed that is among the entries still.
    var mustDrop = false
    private var onlyAddresses: (entry: UnsafeRawPointer, membership: UnsafeRawPointer)?
    private var hasBegun = false
    private var hasEnded = false
    /// What the client's last event id says, or a later position that a heartbeat will tell.
    var cursor: LiveCursor?
    /// Events of several queries were sent since the last `sync`.
    var owesSync = true
    /// When the throttle lets the first query go that it holds back.
    var heldUntil: MonotonicInstant?

    /// One query, without alias and for as long as the stream lives.
    let isSingle: Bool
    private let sessions: LiveSessions
    /// The session of the stream, with the set of queries that it knows; set before the first event.
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
        /// The queries of the stream; only the immutable fields of an entry are read here.
        var entries: [LiveEntry] = []
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
        notes = isSingle ? nil : LiveNotes()
        life = StreamLife(
            limits, access: access, heartbeat: live.heartbeat, longest: live.longest, at: now)
        throttle = live.throttle
        epoch = core.store.cursor.epoch
    }

    /// Adds a query; its first news follows by itself.
    func join(
        _ request: LiveRequest, alias: String? = nil, at now: MonotonicInstant = .now
    ) throws(CoreError) {
        var request = request
        request.owner = life.access.caller.name
        let remote = try LiveRemote(&request, self)
        let entry: LiveEntry
        do { entry = try enter(request, alias, remote, at: now) } catch {
            remote?.refresh?.leave()
            throw error
        }
        // Before the first look, so that no change of the rights goes unseen.
        if entries.isEmpty { life.access.control.watch(self) }
        entries.append(entry)
        if isSingle { only = entry }
    }

    /// Makes an entry that is in the group of its query.
    func enter(
        _ request: LiveRequest, _ alias: String?, _ remote: LiveRemote?, at now: MonotonicInstant
    ) throws(CoreError) -> LiveEntry {
        let entry = LiveEntry(
            alias, request.query, of: isSingle ? nil : self, nextEvent: now, remote: remote)
        entry.join(
            try core.watcher.join(request, isSingle ? self : entry, for: life.access.caller.rights))
        look(at: entry)
        return entry
    }

    /// Ends what a query has going on.
    func leave(_ entry: LiveEntry) {
        leaveGroup(of: entry)
        entry.remote?.refresh?.leave()
    }

    func leaveGroup(of entry: LiveEntry) {
        entry.hasLeft = true
        core.watcher.live.leave(entry.membership)
    }

    /// Has a query asked at the next production, and until it is settled.
    func look(at entry: LiveEntry) {
        guard !isSingle, !entry.isOpen else { return }
        entry.isOpen = true
        open.append(entry)
    }

    /// There are news of a fetch behind one of the queries. Any thread.
    func sourceChanged() {
        notes?.noteSources()
        wake()
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
        let rest = life.nextDeadline
        return heldUntil.map { min(rest, $0) } ?? rest
    }

    func shutdown() { life.isStopping = true }

    func ended(_ reason: StreamEnd) {
        for entry in entries { leave(entry) }
        entries = []
        only = nil
        open = []
        notes?.close()
        lock.withLock { description = Description() }
        life.access.control.unwatch(self)
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
            LiveEventEncoder.end(reason, into: &body)
            return .finish
        }
        let (hasChanged, end) = isSingle ? (false, nil) : obeyOrders(now)
        if let end {
            LiveEventEncoder.end(end, into: &body)
            return .finish
        }
        if !hasBegun || hasChanged {
            LiveEventEncoder.hello(
                entries.map { entry in
                    LiveEventEncoder.Description(
                        alias: entry.alias, mode: entry.membership.mode,
                        index: entry.membership.group.indexClass.rawValue, query: entry.query)
                }, heartbeat: life.heartbeat, isFirst: !hasBegun, into: &body)
            hasBegun = true
        }
        if !refusals.isEmpty { tellRefusals(into: &body) }
        // Before the notes, which have whoever is not settled at it: see LiveSet+Telling.
        let announced = core.watcher.live.set.announced
        lookAtNoted()
        // A snapshot that has begun is finished: a client could not use a part of it.
        if let reason = life.end(at: now), !isSending { return interrupt(reason, &body) }
        heldUntil = nil
        if let only {
            if let end = advance(only, into: &body, now) { return end }
            if body.count - start >= Self.pieceBytes { return .more }
        } else {
            for entry in open where !entry.hasLeft {
                if let end = advance(entry, into: &body, now) { return end }
                if body.count - start >= Self.pieceBytes { return .more }
            }
            if mustDrop { dropFailed() }
            syncIfDue(at: announced, into: &body, now)
        }
        life.beat(cursor, into: &body, now)
        return .idle
    }

    private var isSending: Bool {
        if let only { return only.sending != nil }
        return open.contains { $0.sending != nil && !$0.hasLeft }
    }

    // MARK: All of them

    /// Has the queries asked that were noted.
    private func lookAtNoted() {
        guard let (noted, hasSourceNews) = notes?.take() else { return }
        for entry in noted { look(at: entry) }
        guard hasSourceNews else { return }
        for entry in entries where entry.remote != nil { look(at: entry) }
    }

    /// Says that all queries are exact at `seq`, where they are and the client does not know.
    ///
    /// - Parameter seq: Announced before the notes of this production were taken.
    private func syncIfDue(at seq: UInt64, into body: inout ByteBuffer, _ now: MonotonicInstant) {
        open.removeAll { entry in
            let isDone = entry.hasLeft || isSettled(entry, at: seq)
            if isDone { entry.isOpen = false }
            return isDone
        }
        guard open.isEmpty else { return }
        cursor = cut(at: seq)
        guard owesSync, let cursor else { return }
        owesSync = false
        LiveEventEncoder.sync(cursor, into: &body)
        life.noteEvent(now)
    }

    private func isSettled(_ entry: LiveEntry, at seq: UInt64) -> Bool {
        entry.hasState && entry.sending == nil && entry.refusal == nil
            && core.watcher.live.set.settle(entry.membership, at: seq, isAwaited: owesSync)
    }

    func interrupt(_ reason: String, _ body: inout ByteBuffer) -> StreamStep {
        LiveEventEncoder.interruption(reason, into: &body)
        return .finish
    }
}
