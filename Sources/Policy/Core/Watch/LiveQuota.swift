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
        var askedAlways = 0
    }

    /// Groups of one caller.
    var limit = Int.max
    /// Groups of one caller that are asked about every change: half of what there may be, where callers
    /// are told apart.
    var residualLimit = Int.max
    private var owners: [String?: Share] = [:]

    /// Counts `group`, which `request` has led to, for its owner.
    ///
    /// - Throws: The limit that is passed; nothing is counted then.
    mutating func enter(_ group: LiveGroup, for request: LiveRequest) throws(CoreError) {
        try check(group, isAskedAlways: group.isAskedAlways, for: request)
        let id = ObjectIdentifier(group)
        if group.isAskedAlways, owners[request.owner]?.groups[id] == nil {
            owners[request.owner, default: Share()].askedAlways += 1
        }
        owners[request.owner, default: Share()].groups[id, default: 0] += 1
    }

    /// Whether there is a group that the owner of `request` may not enter.
    func isFull(for request: LiveRequest) -> Bool {
        guard let share = owners[request.owner] else { return limit == 0 || residualLimit == 0 }
        return !hasRoom(share, for: request, isAskedAlways: true)
    }

    /// Whether the owner of `request` may enter a group.
    ///
    /// - Parameter group: nil: it would have to be made.
    /// - Throws: The limit that is passed.
    func check(
        _ group: LiveGroup?, isAskedAlways: Bool, for request: LiveRequest
    ) throws(CoreError) {
        let share = owners[request.owner] ?? Share()
        if let group, share.groups[ObjectIdentifier(group)] != nil { return }
        guard hasRoom(share, for: request, isAskedAlways: false) else {
            throw .tooManyLiveQueries(limit: limit)
        }
        guard hasRoom(share, for: request, isAskedAlways: isAskedAlways) else {
            throw .engine(.tooManyResidualQueries(limit: residualLimit))
        }
    }

    private func hasRoom(
        _ share: Share, for request: LiveRequest, isAskedAlways: Bool
    ) -> Bool {
        guard request.hasRoom(beside: share.groups.count, of: limit) else { return false }
        return !isAskedAlways || request.owner == nil
            || request.hasRoom(beside: share.askedAlways, of: residualLimit)
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
        if group.isAskedAlways { owners[owner]?.askedAlways -= 1 }
        if owners[owner]?.groups.isEmpty == true { owners[owner] = nil }
    }
}
