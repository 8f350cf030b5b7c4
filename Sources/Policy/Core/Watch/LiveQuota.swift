import FreshetLive

/// How many live groups each caller is in, so that none takes all of them.
///
/// Counted are queries, not subscriptions: a thousand watchers of one query are one group.
struct LiveQuota {
    /// Groups of one caller.
    var limit = Int.max
    private var owners: [String: [ObjectIdentifier: Int]] = [:]

    /// Counts `group` for `owner`.
    ///
    /// - Returns: The limit where it is passed; nothing is counted then.
    mutating func enter(_ group: LiveGroup, _ owner: String) -> Int? {
        let id = ObjectIdentifier(group)
        guard owners[owner]?[id] != nil || (owners[owner]?.count ?? 0) < limit else {
            return limit
        }
        owners[owner, default: [:]][id, default: 0] += 1
        return nil
    }

    /// Ends what `enter` began.
    mutating func leave(_ group: LiveGroup, _ owner: String) {
        let id = ObjectIdentifier(group)
        guard let count = owners[owner]?[id] else { return }
        owners[owner]?[id] = count > 1 ? count - 1 : nil
        if owners[owner]?.isEmpty == true { owners[owner] = nil }
    }
}
