import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery
import FreshetStore

// What a stream of several queries does beside sending: its set of queries may change while it runs,
// and one of them may end while the others go on. All of it happens on the stream's loop, at the
// beginning of a production, so that an event never belongs to a set half changed.

/// What an operator is told of an open stream.
struct LiveStreamReport {
    struct Query {
        let alias: String?
        let type: String
        let mode: LiveRequest.Mode
        let index: String
    }

    let queries: [Query]
    let isSession: Bool
    /// The name of the caller's token, empty where it showed none.
    let caller: String
    /// Written so far.
    let bytes: Int
    /// The client was told that it is exact at this seq; nil before the first time.
    let seq: UInt64?
    /// Commits that concern the query which is furthest behind and that the stream has yet to take;
    /// nil before each query has a state.
    let lag: Int?
}

extension LiveStream {
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

    /// Carries out what others asked for.
    ///
    /// - Returns: Whether the set of queries has changed, and why the stream ends, or nil.
    func obeyOrders(_ now: MonotonicInstant) -> (hasChanged: Bool, end: String?) {
        let (changes, end) = orders.take()
        for change in changes {
            let gone = Set(change.removed).union(change.added.map(\.alias))
            for entry in entries where gone.contains(entry.alias ?? "") {
                leave(entry)
            }
            entries.removeAll { gone.contains($0.alias ?? "") }
            generation = change.generation
            for (alias, request) in change.added {
                do { try join(request, alias: alias, at: now) } catch {
                    refuse(alias, Problem(error))
                }
            }
            owesSync = true
        }
        if !changes.isEmpty { describe() }
        return (!changes.isEmpty, end)
    }

    /// Writes the faults of queries that could not be joined.
    func tellRefusals(into body: inout ByteBuffer) {
        for (alias, problem) in refusals {
            LiveEventEncoder.fault(problem, query: alias, isFinal: true, into: &body)
        }
        refusals = []
    }

    /// Ends the queries whose last fault was told.
    func dropFailed() {
        mustDrop = false
        guard !isSingle, entries.contains(where: \.hasFailed) else { return }
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

    /// Where all queries are exact at `seq`.
    func cut(at seq: UInt64) -> LiveCursor {
        LiveCursor(
            position: Cursor(epoch: epoch, seq: seq), generation: generation,
            isSpoilt: hasLostQuery)
    }

    /// Keeps what an operator may ask for on another thread.
    func describe() {
        let entries = entries
        let caller = life.access.caller.name
        lock.withLock { description = Description(entries: entries, caller: caller) }
    }

    /// Any thread.
    var report: LiveStreamReport {
        let description = lock.withLock { self.description }
        let seq = progress.seq
        let lags = description.entries.map { core.watcher.live.set.lag(of: $0.membership) }
        return LiveStreamReport(
            queries: description.entries.map { entry in
                let membership = entry.membership
                return LiveStreamReport.Query(
                    alias: entry.alias, type: membership.group.query.type.text,
                    mode: membership.mode, index: membership.group.indexClass.rawValue)
            },
            isSession: session != nil, caller: description.caller, bytes: progress.bytes,
            seq: seq == .max ? nil : seq,
            lag: lags.contains(nil) ? nil : lags.lazy.compactMap(\.self).max() ?? 0)
    }
}
