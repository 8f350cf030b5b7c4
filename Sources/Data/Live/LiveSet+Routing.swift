package import FreshetBase
import FreshetEngine
package import FreshetQuery

// The router's side of the live set: one caller at a time, from one serial queue.

extension LiveSet {
    /// Puts the groups that have come into the index. Before the views are taken from which they
    /// are evaluated.
    package func admit() {
        let groups = lock.withLock {
            defer { arrived = [] }
            return arrived
        }
        for group in groups { index.insert(group) }
        renewWatches()
    }

    /// Has groups that were evaluated elsewhere stand under what they depend on.
    private func renewWatches() {
        let groups = lock.withLock {
            defer { rewatched = [] }
            return rewatched
        }
        for group in groups { index.renewWatch(of: group) }
    }

    /// Takes a batch of changes in: whole commits, behind those of the batch before.
    ///
    /// - Parameter seq: The last commit through which everything is routed with this batch.
    /// - Complexity: O(changes × candidates + groups concerned).
    package func route(_ changes: some Sequence<LiveChange>, through seq: UInt64) {
        for change in changes {
            index.forEach(change) { group, wasIn, isIn in
                if group.changes.isEmpty { touched.append(group) }
                group.changes.append(group.windowChange(change, wasIn: wasIn, isIn: isIn))
            }
        }
        var mustEvaluate: [LiveGroup] = []
        for group in touched {
            let (isNews, isStale) = group.applyChanges(through: seq)
            if isNews { renewed.append(group) }
            if isStale, group.enlist() { mustEvaluate.append(group) }
        }
        touched.removeAll(keepingCapacity: true)
        if !mustEvaluate.isEmpty { lock.withLock { stale += mustEvaluate } }
    }

    /// Makes every group of `type` (of all types, if nil) look again, in place of routing changes.
    package func invalidate(_ type: TypeName?) {
        let groups = index.groups(of: type)
        for group in groups { group.invalidate(after: published) }
        let fresh = groups.filter { $0.enlist() }
        lock.withLock { stale += fresh }
    }

    /// The groups to evaluate now, each handed out to one caller until it installs.
    package func takeStale(_ choice: StaleChoice = .all) -> [LiveGroup] {
        let groups = lock.withLock {
            defer { stale = [] }
            return stale
        }
        switch choice {
        case .all: return groups.filter { $0.takeIfStale() }
        case .new:
            let known = groups.filter(\.wasEvaluated)
            lock.withLock { stale += known }
            return groups.filter { !$0.wasEvaluated && $0.takeIfStale() }
        }
    }

    /// Which groups are evaluated.
    package enum StaleChoice: Sendable {
        case all
        /// Those that never were.
        case new
    }

    /// Whether groups wait to be evaluated.
    package var hasStale: Bool { lock.withLock { !stale.isEmpty } }

    /// Takes the outcome of an evaluation in; the subscribers are told at the next publication.
    package func install(_ group: LiveGroup, _ install: (LiveGroup) -> Bool) {
        if install(group) { renewed.append(group) }
        index.renewWatch(of: group)
    }

    /// Takes the outcome of a group's first evaluation in, on any thread, and tells its subscribers.
    ///
    /// - Returns: Whether it must be evaluated again, so that the router must be called.
    package func installFirst(_ group: LiveGroup, _ install: (LiveGroup) -> Bool) -> Bool {
        if install(group) {
            var subscribers: [any LiveSubscriber] = []
            var place = Int.max
            while group.lateSubscribers(before: &place, into: &subscribers) {}
            // Ahead of what is published it makes no cut with other groups yet: whoever watches
            // several queries is told once more when it does.
            if let seq = group.seq(above: published) {
                lock.withLock { waiting += subscribers.map { (seq, $0) } }
                wake(through: published)
            }
            for subscriber in subscribers { subscriber.liveResultChanged() }
        }
        if group.include != nil { lock.withLock { rewatched.append(group) } }
        guard group.needsEvaluation else { return false }
        if group.enlist() { lock.withLock { stale.append(group) } }
        return true
    }

    /// Says that all commits through `seq` are routed, and tells the subscribers that have yet to
    /// take what is new.
    package func publish(through seq: UInt64) {
        setPublished(seq)
        var subscribers: [any LiveSubscriber] = []
        for group in renewed {
            var place = Int.max
            var isMore = true
            while isMore {
                isMore = group.lateSubscribers(before: &place, into: &subscribers)
                for subscriber in subscribers { subscriber.liveResultChanged() }
                subscribers.removeAll(keepingCapacity: true)
            }
        }
        renewed.removeAll(keepingCapacity: true)
        wake(through: seq)
    }

    /// Says that commits through `seq` concern no group. From the thread that tells of commits,
    /// while the router has nothing to do.
    package func noteRouted(through seq: UInt64) {
        setPublished(seq)
        wake(through: seq)
    }

    /// Tells those whose cursors were ahead.
    private func wake(through seq: UInt64) {
        let arrivals = lock.withLock { () -> [any LiveSubscriber] in
            guard !waiting.isEmpty else { return [] }
            let ready = waiting.filter { $0.seq <= seq }.map(\.subscriber)
            waiting.removeAll { $0.seq <= seq }
            return ready
        }
        for subscriber in arrivals { subscriber.liveResultChanged() }
    }

    /// Lets go of what was not used lately, and of groups that have lingered long enough. About
    /// once a second.
    package func tend(_ now: MonotonicInstant) {
        let groups = lock.withLock { Array(tended.values) }
        for group in groups {
            let (again, emptySince) = group.tend()
            let isOver = emptySince.map { now.nanoseconds >= $0 + Self.lingerNanoseconds } ?? false
            if isOver, end(group) {
                index.remove(group)
            } else if !again {
                lock.withLock { tended[ObjectIdentifier(group)] = nil }
            }
        }
    }

    /// Takes a group out unless somebody has come.
    private func end(_ group: LiveGroup) -> Bool {
        lock.withLock {
            guard group.memberCount == 0 else { return false }
            groups[group.key] = nil
            tended[ObjectIdentifier(group)] = nil
            countGroups(-1)
            if group.indexClass == .residual { residualCount -= 1 }
            for type in group.types {
                watchedTypes[type, default: 1] -= 1
                if watchedTypes[type] == 0 { watchedTypes[type] = nil }
            }
            return true
        }
    }
}
