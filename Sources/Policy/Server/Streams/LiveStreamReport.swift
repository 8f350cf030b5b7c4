import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery

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
            isSession: isSession, caller: description.caller, bytes: progress.bytes,
            seq: seq == .max ? nil : seq,
            lag: lags.contains(nil) ? nil : lags.lazy.compactMap(\.self).max() ?? 0)
    }
}
