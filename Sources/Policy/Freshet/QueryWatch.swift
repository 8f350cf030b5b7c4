import FreshetBase
import FreshetCore
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetStore

/// A live query of the program that the server runs in: its events, one at a time, as a client would
/// read them, each with the cursor behind it. What its source has going on behind it is that of a client's
/// stream, too (`LiveBacking`).
///
/// There is no queue: a watcher that is slow is told once of all that has happened meanwhile, as a
/// client that reads slowly is.
// SAFETY: all mutable state is read and written under `lock`.
final class QueryWatch: LiveSubscriber, @unchecked Sendable {
    private let core: CoreManager
    private let mode: LiveRequest.Mode
    /// Whether items are asked for with `_meta`, which the program has not wanted: their revisions stand
    /// in it, so that one and the same answer has them.
    private let addsMeta: Bool
    private let lock = Lock()
    /// The query as it was asked, without the rows and the order that a remote has named.
    private var asked: Query
    private var request: LiveRequest
    private var membership: LiveMembership?
    private var refresh: LiveRefresh?
    /// Tells when a remote gives one of the asked ids another name.
    private var names: NameWatch?
    /// Tells when operations get names: the query may have one then.
    private var naming: RunSubscription?
    /// The `namings` of operations by which `refresh` was looked for last.
    private var namings = 0
    private var hasNews = true
    private var hasEnded = false
    /// The server has been stopped.
    private var isCutOff = false
    private var waiter: Promise<Void>?

    init(_ core: CoreManager, _ query: Query, deltas: Bool) {
        self.core = core
        mode = deltas ? .delta : .snapshot
        addsMeta = !query.meta && !query.sendsSnapshotsOnly
        var shown = query
        if addsMeta { shown.meta = true }
        asked = shown
        request = LiveRequest(shown, mode)
    }

    /// Begins; called once, before `next`. Where it throws, `end` is to be called all the same.
    ///
    /// - Parameter position: The cursor of the last event that is known; empty for none.
    func join(after position: String) throws(CoreError) {
        let place = core.operations.namingObservers.add { [weak self] in
            self?.liveResultChanged()
        }
        var first = lock.withLock {
            naming = place
            return request
        }
        if !position.isEmpty {
            first.resume = LiveResume(position, in: core.store.cursor.epoch)
        }
        _ = try proceed(with: first)
    }

    /// Goes on with a request, whose query is as it is asked, in the place of the one before.
    private func proceed(with asking: LiveRequest) throws(CoreError) -> LiveMembership {
        let known = core.operations.namings.value
        var next = asking
        let backing = try LiveBacking(
            of: &next, in: core, for: nil, isGone: { [weak self] in self == nil },
            changed: { [weak self] in self?.liveResultChanged() })
        let joined: LiveMembership
        do throws(CoreError) {
            joined = try core.watcher.join(next, self, for: nil)
        } catch {
            backing?.refresh?.leave()
            throw error
        }
        let last = lock.withLock {
            defer {
                asked = backing?.asked ?? asking.query
                request = next
                membership = joined
                refresh = backing?.refresh
                names = backing?.names
                namings = known
            }
            return (membership: membership, refresh: refresh, names: names)
        }
        if let membership = last.membership { core.watcher.live.leave(membership) }
        last.refresh?.leave()
        withExtendedLifetime(last.names) {}
        return joined
    }

    /// Leaves the query and ends `next`. Whoever has joined calls it: the live set holds a watcher
    /// until then.
    func end() {
        let (membership, refresh, names, naming, waiter) = lock.withLock {
            hasEnded = true
            defer {
                self.membership = nil
                self.refresh = nil
                self.names = nil
                self.naming = nil
                self.waiter = nil
            }
            return (self.membership, self.refresh, self.names, self.naming, self.waiter)
        }
        if let membership { core.watcher.live.leave(membership) }
        refresh?.leave()
        withExtendedLifetime((names, naming)) {}
        waiter?.fulfil(())
    }

    /// The server stops: `next` throws from now on.
    func cutOff() {
        let waiter = lock.withLock {
            isCutOff = true
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.fulfil(())
    }

    package func liveResultChanged() {
        let waiter = lock.withLock {
            hasNews = true
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.fulfil(())
    }

    /// The next event; nil once it has ended or the task is cancelled.
    ///
    /// - Throws: Why the query cannot be watched any more: `shutting-down` once the server has been
    ///   stopped.
    func next() async throws(EntityProblem) -> StreamEvent? {
        while true {
            if Task.isCancelled { return nil }
            if lock.withLock({ isCutOff }) { throw .stopped }
            if let event = try nextEvent() { return event }
            guard await wait() else { return nil }
        }
    }

    /// What there is now.
    private func nextEvent() throws(EntityProblem) -> StreamEvent? {
        let joined = lock.withLock { () -> LiveMembership? in
            hasNews = false
            return membership
        }
        guard let joined else { return nil }
        followNamings()
        let current: LiveMembership
        do throws(CoreError) { current = try follow(joined) } catch {
            throw EntityProblem(Problem(error))
        }
        switch core.watcher.live.set.take(current) {
        case .pending, .current, .sync: return nil
        case .failed(let error): throw EntityProblem(Problem(CoreError.engine(error)))
        case .delta(let delta):
            return event("delta", at: delta.to, digest: delta.digest) { $0.append(delta.members) }
        case .snapshot(let result, let why):
            let counts = current.group.queryBesideFilter.count
            return event("snapshot", at: result.seq, digest: result.digest) { body in
                LiveEventEncoder.append(whole: result, why: why, counts: counts, to: &body)
            }
        }
    }

    /// Finds the operation of a query that had none where operations were named since. One that had an
    /// operation finds its next by itself.
    private func followNamings() {
        let now = core.operations.namings.value
        let asked = lock.withLock { () -> Query? in
            guard namings != now else { return nil }
            namings = now
            return refresh == nil ? self.asked : nil
        }
        guard let asked, core.watcher.mayFollowOperation(asked) else { return }
        // A context that the type does not have was refused when the query began.
        let found = try? core.watcher.refresh(behind: asked, for: nil, RemoteCaller()) {
            [weak self] in
            self?.liveResultChanged()
        }
        lock.withLock { refresh = found }
    }

    /// Goes on with the ids by which the entities are known now, and with the rows and the order that a
    /// fetch has named.
    private func follow(_ membership: LiveMembership) throws(CoreError) -> LiveMembership {
        let (asked, request, refresh, names) = lock.withLock {
            (self.asked, self.request, self.refresh, self.names)
        }
        if let names, names.takeNews(), names.ids != asked.ids {
            var renamed = asked
            renamed.ids = names.ids
            return try proceed(with: behind(membership, renamed, like: request))
        }
        let hasOtherAnswer = refresh?.takeAnswer() == true
        let isFresh = refresh?.takeNews().contains { $0.state == .fresh } == true
        if isFresh {
            core.watcher.fetchIncluded(by: asked, for: nil, RemoteCaller()) { [weak self] in
                self == nil
            }
        }
        guard hasOtherAnswer || isFresh else { return membership }
        let query = try core.watcher.following(asked, for: nil)
        guard query.canonicalKey != request.query.canonicalKey else { return membership }
        let changed = behind(membership, query, like: request)
        let next = try core.watcher.join(changed, self, for: nil)
        core.watcher.live.leave(membership)
        lock.withLock {
            self.request = changed
            self.membership = next
        }
        return next
    }

    /// A request for `query` that goes on from what `membership` has shown.
    private func behind(
        _ membership: LiveMembership, _ query: Query, like request: LiveRequest
    ) -> LiveRequest {
        var next = LiveRequest(query, mode)
        next.followsRemote = request.followsRemote
        next.resume = core.watcher.live.set.resume(of: membership, else: .update)
        next.holding = core.watcher.live.set.holding(of: membership)
        return next
    }

    private func event(
        _ name: String, at seq: UInt64, digest: UInt64, _ write: (inout ByteBuffer) -> Void
    ) -> StreamEvent {
        var data = ByteBuffer(capacity: 1024)
        data.append("{")
        write(&data)
        let cursor = LiveCursor(
            position: Cursor(epoch: core.store.cursor.epoch, seq: seq), digest: digest)
        var event = StreamEvent(name: name, data: Array(data.bytes), id: cursor.text)
        event.bearsMeta = addsMeta
        return event
    }

    /// - Returns: false where it has ended.
    private func wait() async -> Bool {
        let news = lock.withLock { () -> Promise<Void>? in
            guard !hasNews, !hasEnded, !isCutOff else { return nil }
            waiter = Promise()
            return waiter
        }
        await news?.value(orLeaving: ())
        return lock.withLock { !hasEnded }
    }
}
