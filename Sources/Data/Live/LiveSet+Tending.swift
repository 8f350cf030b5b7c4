package import FreshetBase

// What is let go of. On the router's queue.

extension LiveSet {
    /// Lets go of what was not used lately, and of groups that have lingered long enough. About
    /// once a second.
    package func tend(_ now: MonotonicInstant) {
        let groups = lock.withLock { Array(tended.values) }
        var lingering: [(since: UInt64, group: LiveGroup)] = []
        for group in groups {
            if let emptySince = group.tend() {
                lingering.append((emptySince, group))
            } else {
                // Who leaves meanwhile, or looks, wants it looked after.
                lock.withLock { if !group.isTended { tended[ObjectIdentifier(group)] = nil } }
            }
        }
        // The latest first: they have the room.
        lingering.sort { $0.since > $1.since }
        var room = Self.lingeringBytes
        for (since, group) in lingering {
            room -= group.weight
            // One that is asked about each change has its price, whether it is watched or not.
            let mayLinger =
                room >= 0 && !group.isAskedAlways
                && now.nanoseconds < since + Self.lingerNanoseconds
            if !mayLinger, end(group) { index.remove(group) }
        }
        // Of many queries that have come at once it would keep the room.
        lock.withLock { if tended.isEmpty { tended = [:] } }
    }

    /// Takes a group out unless somebody has come.
    private func end(_ group: LiveGroup) -> Bool {
        lock.withLock {
            guard !group.hasEnded, group.memberCount == 0 else { return false }
            group.hasEnded = true
            let key = group.key
            groups[key] = nil
            templates[key.template]?.groups -= 1
            if templates[key.template]?.groups == 0 { templates[key.template] = nil }
            tended[ObjectIdentifier(group)] = nil
            countGroups(-1)
            uncount(group)
            for type in group.types {
                watchedTypes[type, default: 1] -= 1
                if watchedTypes[type] == 0 { watchedTypes[type] = nil }
            }
            return true
        }
    }
}
