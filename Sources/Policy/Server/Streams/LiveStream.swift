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

/// One client's stream of live queries (live.md sections 4 and 5), each a membership of the live set:
/// what the sender of one query (`SingleStream`) and that of several (`SeveralStream`) share.
///
/// It keeps no queue: when the socket takes more, it asks the live set what there is for each query
/// and writes that; what came and went meanwhile is never sent. Its memory is the parts of the one
/// result a query is sending, or one large event, which all subscribers of the query share and
/// `PinnedSnapshots` bounds.
// SAFETY: `join` and `attach` run before the first event, on the stream's loop; its variables are
// touched on that loop only, but for `handle`, `wasWokenEarly`, `isAskedToLeave`, `isClosed` and `isSlow`,
// which are atomic,
// and `description`, which `lock` guards.
class LiveStream: StreamSource, MovableStream, LiveSubscriber, AccessListener, @unchecked Sendable {
    /// Bytes of one production behind which the socket is asked first.
    static let pieceBytes = BodyStream.pieceBytes

    let core: CoreManager
    var life: StreamLife
    let throttle: Duration
    /// The watcher of the store that its positions are of, and the epoch of that.
    let watcher: EntityWatcher
    let epoch: Epoch
    /// The stream's name among all of this server.
    let number: Int
    /// The address of its client.
    let address: String
    let begunAt = WallTime.now

    var entries: [LiveEntry] = []
    /// The names of operations by which the queries have found theirs.
    var namings: Int
    private var hasBegun = false
    private var hasEnded = false
    /// What the client's last event id says, or a later position that a heartbeat will tell.
    var cursor: LiveCursor?
    /// Events were sent since the last `sync` of several queries.
    var owesSync = true
    /// The event that is on its way, where it is written in pieces.
    @Rare private(set) var large: LargeText? = nil
    /// What that is made of, where it is the last that is sent of it.
    private var pinned: (any AnyObject & Sendable)?
    /// When the throttle lets the first query go that it holds back.
    var heldUntil: MonotonicInstant?

    private let sessions: LiveSessions
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
    private let isAskedToLeave = Atomic<Bool>(false)
    private let isClosed = Atomic<Bool>(false)
    private let isSlow = Atomic<Bool>(false)
    /// An event was begun that has no end.
    private var isCut = false

    init(
        _ core: CoreManager, _ live: LiveParameters, _ limits: Limits, access: StreamAccess,
        _ sessions: LiveSessions, of watcher: EntityWatcher, to address: String,
        at now: MonotonicInstant
    ) {
        self.core = core
        namings = core.operations.namings.value
        self.sessions = sessions
        life = StreamLife(
            limits, access: access, heartbeat: live.heartbeat, longest: live.longest, at: now)
        throttle = live.throttle
        self.watcher = watcher
        epoch = watcher.store.cursor.epoch
        number = sessions.nextNumber()
        self.address = address
    }

    // MARK: What the two kinds do in their own way

    /// Makes the entry of a query that has not joined its group yet.
    func makeEntry(
        _ alias: String?, _ query: Query, _ remote: LiveRemote?, at now: MonotonicInstant
    ) -> LiveEntry {
        preconditionFailure("a stream is of one query or of several")
    }

    /// `entry` is among the entries from now on.
    func entered(_ entry: LiveEntry) {}

    /// Has a query asked at the next production.
    func look(at entry: LiveEntry) {}

    /// With the event that is due, the client is exact at `cursor`.
    ///
    /// - Returns: The event's id, nil where it has none.
    func reached(_ cursor: LiveCursor) -> LiveCursor? { nil }

    /// A client that comes back with nothing new to it is exact at `cursor`.
    ///
    /// - Returns: The id of the `sync` that says so, nil where none does.
    func found(_ cursor: LiveCursor) -> LiveCursor? { reached(cursor) }

    /// What the client holds of a query is exact through `seq`, without an event.
    ///
    /// - Parameter digest: nil where it is that of before.
    func hold(_ entry: LiveEntry, through seq: UInt64, digest: UInt64?) {
        entry.hasState = true
    }

    /// Ends a query with a fault.
    ///
    /// - Parameter mayPass: It may be good another time.
    /// - Returns: What ends the production, nil to go on with the next query.
    func fail(
        _ entry: LiveEntry, _ problem: Problem, mayPass: Bool, into body: inout ByteBuffer
    ) -> StreamStep? {
        entry.hasFailed = true
        return nil
    }

    /// Types whose rights are the stream's own: without one of them it ends.
    var neededTypes: [TypeName] { [] }

    /// Ends the queries whose type the caller may not read any more.
    ///
    /// - Returns: Whether there were queries, and none is left.
    func dropForbidden() -> Bool { false }

    /// Ends the queries of rows that the leader alone has, because of `problem`.
    ///
    /// - Returns: false where the stream's client is to go on at another server instead.
    func dropLeaders(_ problem: Problem) -> Bool { false }

    /// Can a query end while the stream goes on, which a changed row rule has spoilt?
    func outlives(_ query: Query) -> Bool { true }

    /// Writes what there is to tell, `start` being where the production began in `body`.
    func writeNews(
        from start: Int, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep { .finish }

    /// It is a session's.
    var isSession: Bool { false }

    /// There are news of a fetch behind one of the queries. Any thread.
    func sourceChanged() { wake() }

    /// Before a production: has the memory fetched that it will touch.
    func approach() {}

    // MARK: Queries

    /// Adds a query; its first news follows by itself.
    func join(
        _ request: LiveRequest, alias: String? = nil, at now: MonotonicInstant = .now
    ) throws(CoreError) {
        var request = request
        request.owner = life.access.control.isOn ? life.access.caller.name : nil
        let remote = try LiveRemote(&request, self)
        let entry: LiveEntry
        do { entry = try enter(request, alias: alias, remote: remote, at: now) } catch {
            remote?.refresh?.leave()
            throw error
        }
        // Before the first look, so that no change of the rights goes unseen.
        if entries.isEmpty { life.access.control.watch(self) }
        entries.append(entry)
        if entry.isLeaders { life.leadersProblem = sessions.leadersProblem }
        entered(entry)
    }

    /// Makes an entry that is in the group of its query.
    func enter(
        _ request: LiveRequest, alias: String?, remote: LiveRemote?, at now: MonotonicInstant
    ) throws(CoreError) -> LiveEntry {
        let entry = makeEntry(alias, request.query, remote, at: now)
        entry.join(
            try entry.watcher.join(
                request, entry.subscriber ?? self, for: life.access.caller.rights)
        )
        look(at: entry)
        return entry
    }

    /// Ends what a query has going on.
    func leave(_ entry: LiveEntry) {
        leaveGroup(of: entry)
        entry.remote?.refresh?.leave()
    }

    func leaveGroup(of entry: LiveEntry) {
        endSnapshot(of: entry)
        entry.hasLeft = true
        entry.watcher.live.leave(entry.membership)
    }

    /// A snapshot that was begun has no more parts; clients keep those that they have aside.
    func endSnapshot(of entry: LiveEntry) {
        guard let sending = entry.sending else { return }
        unpin(sending.result.encoded)
        entry.sending = nil
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
        // The stream may have been attached meanwhile, and have looked before.
        handle.load(ordering: .sequentiallyConsistent)?._withUnsafeGuaranteedRef { $0.wake() }
    }

    // MARK: StreamSource, on the loop

    let isEventStream = true

    var isWithinEvent: Bool { large != nil || isCut }

    var nextDeadline: MonotonicInstant? {
        let rest = life.nextDeadline
        return heldUntil.map { min(rest, $0) } ?? rest
    }

    func shutdown() { life.isStopping = true }

    func ended(_ reason: StreamEnd) {
        for entry in entries { leave(entry) }
        entries = []
        lock.withLock { description = Description() }
        life.access.control.unwatch(self)
        hasEnded = true
        sessions.ended(self)
    }

    final func produce(into body: inout ByteBuffer, now: MonotonicInstant) -> StreamStep {
        let start = body.count
        defer { progress.record(bytes: body.count - start, seq: cursor?.position.seq) }
        if let reason = refreshAccess(now) {
            // Amid an event nothing can be said: the client passes over what has no end.
            if !isWithinEvent { LiveEventEncoder.end(reason, into: &body) }
            return .finish
        }
        followNamings()
        if isSlow.load(ordering: .relaxed) {
            return isWithinEvent ? .finish : interrupt("slow", &body)
        }
        if let large {
            goOn(large, into: &body, now)
            return .more
        }
        if isClosed.load(ordering: .relaxed) {
            LiveEventEncoder.end("closed", into: &body)
            return .finish
        }
        if isAskedToLeave.load(ordering: .relaxed) { life.isLeaving = true }
        if let problem = life.leadersProblem?(), dropLeaders(problem) { life.leadersProblem = nil }
        return writeNews(from: start, into: &body, now)
    }

    /// Ends it; its client is not to come back. Any thread.
    final func close() {
        isClosed.store(true, ordering: .relaxed)
        wake()
    }

    /// Ends it for what it keeps, which it lets go at once, whether its client takes anything or not;
    /// the client is to come back. Any thread.
    final func endAsSlow() {
        guard !isSlow.exchange(true, ordering: .sequentiallyConsistent) else { return }
        handle.load(ordering: .sequentiallyConsistent)?._withUnsafeGuaranteedRef {
            // Where the loop has ended, so has the stream.
            _ = $0.loop.submit { self.letGo() }
        }
        wake()
    }

    /// Forgets what is being sent, behind which nothing is written any more.
    func letGo() {
        isCut = isWithinEvent
        large = nil
        pinned = nil
        for entry in entries {
            if let sending = entry.sending.take() {
                entry.membership.group.letGo(of: sending.result.encoded)
            }
        }
        sessions.unpinAll(by: self)
    }

    /// Has its client go on at another server. Any thread.
    final func leave() {
        isAskedToLeave.store(true, ordering: .relaxed)
        wake()
    }

    /// Writes `hello` at the beginning, and where the set of queries has changed.
    final func greet(again: Bool = false, into body: inout ByteBuffer) {
        guard !hasBegun || again else { return }
        LiveEventEncoder.hello(
            entries.map { entry in
                LiveEventEncoder.Description(
                    alias: entry.alias, mode: entry.membership.mode,
                    index: entry.membership.group.indexClass.rawValue,
                    query: entry.queryBesideFilter)
            }, heartbeat: life.heartbeat, isFirst: !hasBegun, into: &body)
        hasBegun = true
    }

    /// Has `event` written at the next productions, before anything else is.
    ///
    /// - Parameter pinned: What is to be unpinned behind it.
    final func sendInPieces(_ event: LargeText, of pinned: (any AnyObject & Sendable)?) {
        large = event
        self.pinned = pinned
    }

    /// Counts `object` until `unpin`, or the end of the stream.
    final func pin(
        _ object: any AnyObject & Sendable, bytes: Int, isCurrent: @escaping @Sendable () -> Bool
    ) {
        guard bytes > LargeText.mostAtOnce else { return }
        sessions.pin(.init(object: object, bytes: bytes, isCurrent: isCurrent), by: self)
    }

    final func unpin(_ object: AnyObject) { sessions.unpin(object, by: self) }

    /// Writes the next piece of `event`, behind which the socket is asked first.
    private func goOn(
        _ event: LargeText, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) {
        var event = event
        life.noteEvent(now)
        let isOver = event.write(atMost: Self.pieceBytes, into: &body)
        large = isOver ? nil : event
        if isOver, let pinned {
            unpin(pinned)
            self.pinned = nil
        }
    }

    final func interrupt(_ reason: String, _ body: inout ByteBuffer) -> StreamStep {
        LiveEventEncoder.interruption(reason, into: &body)
        return .finish
    }
}
