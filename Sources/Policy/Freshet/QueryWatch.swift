import FreshetBase
import FreshetCore
import FreshetLive
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetStore

/// A live query of the program that the server runs in: its events, one at a time, as a client would
/// read them, each with the cursor behind it.
///
/// There is no queue: a watcher that is slow is told once of all that has happened meanwhile, as a
/// client that reads slowly is.
// SAFETY: all mutable state is read and written under `lock`.
final class QueryWatch: LiveSubscriber, @unchecked Sendable {
    private let core: CoreManager
    private let asked: Query
    private let mode: LiveRequest.Mode
    /// Whether items are asked for with `_meta`, which the program has not wanted: their revisions stand
    /// in it, so that one and the same answer has them.
    private let addsMeta: Bool
    private let lock = Lock()
    private var request: LiveRequest
    private var membership: LiveMembership?
    private var refresh: LiveRefresh?
    private var hasNews = true
    private var hasEnded = false
    /// The server has been stopped.
    private var isCutOff = false
    private var waiter: Promise<Void>?

    init(_ core: CoreManager, _ query: Query, deltas: Bool) {
        self.core = core
        mode = deltas ? .delta : .snapshot
        asked = query
        addsMeta = !query.meta && !query.sendsSnapshotsOnly
        var shown = query
        if addsMeta { shown.meta = true }
        request = LiveRequest(shown, mode)
    }

    /// Begins; called once, before `next`.
    ///
    /// - Parameter position: The cursor of the last event that is known; empty for none.
    func join(after position: String) throws(CoreError) {
        if !position.isEmpty {
            request.resume = LiveResume(position, in: core.store.cursor.epoch)
        }
        try core.watcher.follow(&request, for: nil)
        let membership = try core.watcher.join(request, self, for: nil)
        lock.withLock { self.membership = membership }
        guard core.watcher.mayFollowOperation(asked) else { return }
        let refresh = try core.watcher.refresh(behind: asked, for: nil, RemoteCaller()) {
            [weak self] in
            self?.liveResultChanged()
        }
        lock.withLock { self.refresh = refresh }
    }

    /// Leaves the query and ends `next`. Whoever has joined calls it: the live set holds a watcher
    /// until then.
    func end() {
        let (membership, refresh, waiter) = lock.withLock {
            hasEnded = true
            defer {
                self.membership = nil
                self.refresh = nil
                self.waiter = nil
            }
            return (self.membership, self.refresh, self.waiter)
        }
        if let membership { core.watcher.live.leave(membership) }
        refresh?.leave()
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
        let (refresh, membership) = lock.withLock { () -> (LiveRefresh?, LiveMembership?) in
            hasNews = false
            return (self.refresh, self.membership)
        }
        guard var membership else { return nil }
        let isFresh = refresh?.takeNews().contains { $0.state == .fresh } == true
        if refresh?.takeAnswer() == true || isFresh {
            do { membership = try follow(membership) } catch {
                throw EntityProblem(Problem(error))
            }
        }
        switch core.watcher.live.set.take(membership) {
        case .pending, .current, .sync: return nil
        case .failed(let error): throw EntityProblem(Problem(CoreError.engine(error)))
        case .delta(let delta):
            return event("delta", at: delta.to, digest: delta.digest) { $0.append(delta.members) }
        case .snapshot(let result, let why):
            let counts = membership.group.queryBesideFilter.count
            return event("snapshot", at: result.seq, digest: result.digest) { body in
                LiveEventEncoder.append(whole: result, why: why, counts: counts, to: &body)
            }
        }
    }

    /// Takes over the rows and the order that a fetch has named.
    private func follow(_ membership: LiveMembership) throws(CoreError) -> LiveMembership {
        var query = try core.watcher.following(asked, for: nil)
        if addsMeta { query.meta = true }
        guard query.canonicalKey != request.query.canonicalKey else { return membership }
        var changed = LiveRequest(query, mode)
        changed.resume = core.watcher.live.set.resume(of: membership, else: .update)
        changed.holding = core.watcher.live.set.holding(of: membership)
        let next = try core.watcher.join(changed, self, for: nil)
        core.watcher.live.leave(membership)
        lock.withLock {
            request = changed
            self.membership = next
        }
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
