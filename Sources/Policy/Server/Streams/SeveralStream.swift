import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTPServer
import FreshetLive
import FreshetQuery
import FreshetStore

/// The stream of several queries. Only the `sync` behind which all of them are exact at one seq has an
/// id; in a cluster also each event behind it that tells of a newer commit, which says that the client
/// holds more, and how much.
///
/// Its set of queries may change while it runs, and one of them may end while the others go on. All of
/// that happens on the stream's loop, at the beginning of a production, so that an event never belongs
/// to a set half changed.
// SAFETY: as `LiveStream`: its variables are touched on the stream's loop only; `notes` and `orders`
// are for any thread.
final class SeveralStream: LiveStream, @unchecked Sendable {
    /// Queries that have something to tell or are not known to be settled at the last cut. All others
    /// are: whoever ceases to be is noted.
    private var open: [LiveEntry] = []
    let notes = LiveNotes()
    private let orders = LiveOrders()
    /// Queries of the set that are not joined yet, in order: nothing is told meanwhile.
    private var joining: ArraySlice<(alias: String, request: LiveRequest)> = []
    /// Whether the set is another than was described.
    private var hasChanged = false
    /// A query has failed that is among the entries still.
    private var mustDrop = false
    /// The session of the stream, with the set of queries that it knows; set before the first event.
    var session: LiveSession?
    var generation: LiveCursor.Generation?
    /// Queries that were refused and whose fault is due.
    private var refusals: [(alias: String, problem: Problem)] = []
    /// The latest seq of whose state an event has told.
    private var toldThrough: UInt64 = 0
    /// Whether one of the URL's queries has ended.
    private var hasLostQuery = false

    override var isSession: Bool { session != nil }

    override func makeEntry(
        _ alias: String?, _ query: Query, _ remote: LiveRemote?, at now: MonotonicInstant
    ) -> LiveEntry {
        LiveEntry(
            alias, query, of: self, core.watcher(of: query.type), nextEvent: now, remote: remote)
    }

    /// Has a query asked until it is settled.
    override func look(at entry: LiveEntry) {
        guard !entry.isOpen else { return }
        entry.isOpen = true
        open.append(entry)
    }

    override func sourceChanged() {
        notes.noteSources()
        wake()
    }

    override func ended(_ reason: StreamEnd) {
        super.ended(reason)
        open = []
        joining = []
        notes.close()
        session?.detach(self, at: .now)
    }

    override func reached(_ told: LiveCursor) -> LiveCursor? {
        owesSync = true
        toldThrough = max(toldThrough, told.position.seq)
        guard let cursor, toldThrough > cursor.told ?? cursor.position.seq else { return nil }
        let ahead = cut(at: cursor.position.seq)
        guard ahead.told != nil else { return nil }
        self.cursor = ahead
        return ahead
    }

    override func found(_: LiveCursor) -> LiveCursor? {
        owesSync = true
        return nil
    }

    override func fail(
        _ entry: LiveEntry, _ problem: Problem, mayPass: Bool, into body: inout ByteBuffer
    ) -> StreamStep? {
        LiveEventEncoder.fault(problem, query: entry.alias, isFinal: true, into: &body)
        entry.hasFailed = true
        mustDrop = true
        return nil
    }

    override func dropForbidden() -> Bool {
        let rights = life.access.caller.rights
        let forbidden = entries.filter {
            rights.of($0.queryBesideFilter.type).read == .none
        }
        guard !forbidden.isEmpty else { return false }
        if forbidden.count == entries.count, joining.isEmpty { return true }
        drop(forbidden, Self.forbidden)
        return false
    }

    private static var forbidden: Problem {
        Problem(.forbidden, "this caller may not read this type any more")
    }

    /// A session stays with its server; the queries of a URL are all asked of another one.
    override func dropLeaders(_ problem: Problem) -> Bool {
        guard isSession else { return false }
        drop(entries.filter(\.isLeaders), problem)
        describe()
        return true
    }

    /// Ends `gone`, each with a fault.
    private func drop(_ gone: [LiveEntry], _ problem: Problem) {
        let aliases = Set(gone.map { $0.alias ?? "" })
        for entry in gone { leave(entry) }
        entries.removeAll { aliases.contains($0.alias ?? "") }
        for alias in aliases.sorted() { refuse(alias, problem) }
        owesSync = true
    }

    override func writeNews(
        from start: Int, into body: inout ByteBuffer, _ now: MonotonicInstant
    ) -> StreamStep {
        if let end = obeyOrders() {
            LiveEventEncoder.end(end, into: &body)
            return .finish
        }
        guard joinWaiting(now) else {
            // Others have their turn at the loop first.
            wake()
            return .idle
        }
        greet(again: hasChanged, into: &body)
        hasChanged = false
        tellRefusals(into: &body)
        // Before the notes, which have whoever is not settled at it: see LiveSet+Telling.
        let cut = Cut(
            entities: core.watcher.live.set.announced,
            system: core.watcher(of: SystemType.types.name).live.set.announced)
        lookAtNoted()
        // A snapshot that has begun is finished: a client could not use a part of it.
        let isSending = open.contains { $0.sending != nil && !$0.hasLeft }
        if let reason = life.reasonToEnd(at: now), !isSending { return interrupt(reason, &body) }
        heldUntil = nil
        for (index, entry) in open.enumerated() where !entry.hasLeft {
            let step = advance(entry, into: &body, now)
            guard step != nil || body.count - start >= Self.pieceBytes else { continue }
            // Whoever was told has its next turn behind the others, whatever changes meanwhile.
            if entry.sending == nil { open.append(open.remove(at: index)) }
            return step ?? .more
        }
        if mustDrop { dropFailed() }
        syncIfDue(at: cut, into: &body, now)
        life.beat(cursor, into: &body, now)
        return .idle
    }

    /// Has the queries asked that were noted.
    private func lookAtNoted() {
        let (noted, hasSourceNews) = notes.drain()
        for entry in noted { look(at: entry) }
        guard hasSourceNews else { return }
        for entry in entries where entry.remote != nil { look(at: entry) }
    }

    /// What was announced of both stores at one moment.
    private struct Cut {
        let entities: UInt64
        let system: UInt64
    }

    /// Says that all queries are exact at `seen`, where they are and the client does not know.
    ///
    /// - Parameter seen: Announced before the notes of this production were taken.
    private func syncIfDue(at seen: Cut, into body: inout ByteBuffer, _ now: MonotonicInstant) {
        open.removeAll { entry in
            let isDone = entry.hasLeft || isSettled(entry, at: seen)
            if isDone { entry.isOpen = false }
            return isDone
        }
        guard open.isEmpty else { return }
        // System types have no part in the position: a client that comes back has them told anew.
        cursor = cut(at: seen.entities)
        guard owesSync, let cursor else { return }
        owesSync = false
        LiveEventEncoder.sync(cursor, into: &body)
        life.noteEvent(now)
    }

    private func isSettled(_ entry: LiveEntry, at seen: Cut) -> Bool {
        entry.hasState && entry.sending == nil && entry.refusal == nil
            && entry.watcher.live.set.settle(
                entry.membership,
                at: entry.watcher === core.watcher ? seen.entities : seen.system,
                isAwaited: owesSync)
    }

    /// Ends the stream with a `bye` after which the client is not to come back. Any thread.
    func end(_ reason: String) {
        orders.end(reason)
        wake()
    }

    /// Adds and removes queries. Any thread; calls that follow each other are obeyed in their order.
    func change(_ change: LiveOrders.Change) {
        orders.change(change)
        wake()
    }

    /// A query that could not be joined, told as a fault when the stream begins. On the loop.
    func refuse(_ alias: String, _ problem: Problem) {
        refusals.append((alias, problem))
        losesQuery(alias)
    }

    /// Has a query joined before anything is told, a few at a time: compiling many takes long. On the
    /// loop.
    func joinLater(_ request: LiveRequest, alias: String) {
        // Before the first look, so that no change of the rights goes unseen.
        if joining.isEmpty { life.access.control.watch(self) }
        joining.append((alias, request))
    }

    /// How long queries are joined before others have their turn at the loop.
    private static let longestJoining = Duration.milliseconds(2)

    /// Takes over what others asked for.
    ///
    /// - Returns: Why the stream ends, or nil.
    private func obeyOrders() -> String? {
        let (change, end) = orders.drain()
        guard let change else { return end }
        // One that has ended may be there still, or its fault be due, when another has its name.
        let gone = change.removed.union(change.added.map(\.alias))
        for entry in entries where gone.contains(entry.alias ?? "") { leave(entry) }
        entries.removeAll { gone.contains($0.alias ?? "") }
        joining.removeAll { gone.contains($0.alias) }
        refusals.removeAll { gone.contains($0.alias) }
        joining += change.added
        generation = change.generation
        hasChanged = true
        owesSync = true
        return end
    }

    /// Joins queries of the set that wait for it.
    ///
    /// - Returns: Whether none is left.
    private func joinWaiting(_ now: MonotonicInstant) -> Bool {
        guard !joining.isEmpty || hasChanged else { return true }
        let began = MonotonicInstant.now
        while let (alias, request) = joining.popFirst() {
            if life.access.caller.rights.of(request.query.type).read == .none {
                refuse(alias, Self.forbidden)
            } else {
                // It was read by the rules of another moment.
                var request = request
                do throws(CoreError) {
                    try renew(&request.query)
                    try join(request, alias: alias, at: now)
                } catch {
                    refuse(alias, Problem(error))
                }
            }
            guard joining.isEmpty || MonotonicInstant.now - began < Self.longestJoining else {
                return false
            }
        }
        joining = []
        describe()
        return true
    }

    /// Writes the faults of queries that could not be joined.
    private func tellRefusals(into body: inout ByteBuffer) {
        for (alias, problem) in refusals {
            LiveEventEncoder.fault(problem, query: alias, isFinal: true, into: &body)
        }
        refusals = []
    }

    /// Ends the queries whose last fault was told.
    private func dropFailed() {
        mustDrop = false
        guard entries.contains(where: \.hasFailed) else { return }
        for entry in entries where entry.hasFailed {
            leave(entry)
            losesQuery(entry.alias ?? "")
        }
        entries.removeAll(where: \.hasFailed)
        owesSync = true
        describe()
    }

    /// A session forgets the query; a URL names it still, so that no cursor of it can be resumed.
    private func losesQuery(_ alias: String) {
        guard let session else {
            hasLostQuery = true
            return
        }
        session.forget(alias, self, through: generation?.number ?? 0)
    }

    /// The cursor at which all queries are exact, at `seq`.
    private func cut(at seq: UInt64) -> LiveCursor {
        // A session stays with its server, and whoever has told all knows what.
        let mayMove = core.store.replica != nil && !isSession
        return LiveCursor(
            position: Cursor(epoch: epoch, seq: seq), generation: generation,
            isSpoilt: hasLostQuery, told: mayMove && toldThrough > seq ? toldThrough : nil)
    }
}
