import FreshetEngine
import FreshetLive

/// How many live groups each caller is in, so that none takes all of them.
///
/// Counted are queries, not subscriptions: a thousand watchers of one query are one group.
struct LiveQuota {
    private struct Share {
        /// How often it is in each group.
        var groups: [ObjectIdentifier: Int] = [:]
        /// Groups among them that are asked about every change.
        var residual = 0
    }

    /// Groups of one caller.
    var limit = Int.max
    /// Groups of one caller that are asked about every change: half of what there may be, where callers
    /// are told apart.
    var residualLimit = Int.max
    private var owners: [String?: Share] = [:]

    /// Counts `group` for `owner`; nil where callers are not told apart.
    ///
    /// - Throws: The limit that is passed; nothing is counted then.
    mutating func enter(_ group: LiveGroup, _ owner: String?) throws(CoreError) {
        let id = ObjectIdentifier(group)
        if owners[owner]?.groups[id] == nil {
            guard owners[owner]?.groups.count ?? 0 < limit else {
                throw .tooManyLiveQueries(limit: limit)
            }
            if group.indexClass == .residual {
                guard owner == nil || owners[owner]?.residual ?? 0 < residualLimit else {
                    throw .engine(.tooManyResidualQueries(limit: residualLimit))
                }
                owners[owner, default: Share()].residual += 1
            }
        }
        owners[owner, default: Share()].groups[id, default: 0] += 1
    }

    /// Ends what `enter` began.
    mutating func leave(_ group: LiveGroup, _ owner: String?) {
        let id = ObjectIdentifier(group)
        guard let count = owners[owner]?.groups[id] else { return }
        guard count == 1 else {
            owners[owner]?.groups[id] = count - 1
            return
        }
        owners[owner]?.groups[id] = nil
        if group.indexClass == .residual { owners[owner]?.residual -= 1 }
        if owners[owner]?.groups.isEmpty == true { owners[owner] = nil }
    }
}
