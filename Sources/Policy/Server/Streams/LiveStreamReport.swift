import FreshetBase
import FreshetCore
import FreshetLive
import FreshetQuery
import FreshetStore

/// What an operator is told of an open stream.
struct LiveStreamReport {
    struct Query {
        let alias: String?
        let group: LiveGroup
        let mode: LiveRequest.Mode

        var index: String { group.indexClass.rawValue }
        var modeName: String { mode == .delta ? "delta" : "snapshot" }
    }

    let queries: [Query]
    let isSession: Bool
    /// The name of the caller's token, empty where it showed none.
    let caller: String
    /// Written so far.
    let bytes: Int
    /// The client was told that it is exact at this seq of entities; nil before the first time, and
    /// where it watches none.
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
        let seq = epoch == core.store.cursor.epoch ? progress.seq : .max
        // Lag is about entities: rows that are made each second are always about to change.
        let lags = description.entries.filter { $0.watcher === core.watcher }.map {
            $0.watcher.live.set.lag(of: $0.membership)
        }
        return LiveStreamReport(
            queries: description.entries.map { entry in
                LiveStreamReport.Query(
                    alias: entry.alias, group: entry.membership.group, mode: entry.membership.mode)
            },
            isSession: isSession, caller: description.caller, bytes: progress.bytes,
            seq: seq == .max ? nil : seq,
            lag: lags.contains(nil) ? nil : lags.lazy.compactMap(\.self).max() ?? 0)
    }
}
