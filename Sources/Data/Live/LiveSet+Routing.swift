import FreshetBase
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
    package func route(_ changes: some Sequence<Change>, through seq: UInt64) {
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
            if isStale {
                noteStale(group)
                if group.enlist() { mustEvaluate.append(group) }
            }
        }
        touched.removeAll(keepingCapacity: true)
        if !mustEvaluate.isEmpty { lock.withLock { stale += mustEvaluate } }
    }

    /// Makes every group of `type` (of all types, if nil) look again, in place of routing changes.
    package func invalidate(_ type: TypeName?) {
        let groups = index.groups(of: type)
        for group in groups {
            group.invalidate(after: published)
            noteStale(group)
        }
        let fresh = groups.filter { $0.enlist() }
        lock.withLock { stale += fresh }
    }

    /// The groups to evaluate now, each handed out to one caller until it installs.
    package func takeStale(_ choice: StaleChoice = .all) -> [LiveGroup] {
        var groups = lock.withLock {
            defer { stale = [] }
            return stale
        }
        if choice != .all {
            // Asked once: a first evaluation that ends meanwhile must not have its group forgotten.
            let chosen = groups.partition { $0.wasEvaluated != (choice == .known) }
            lock.withLock { stale += groups[chosen...] }
            groups.removeSubrange(chosen...)
        }
        return groups.filter { $0.takeIfStale() }
    }

    /// Which groups are evaluated.
    package enum StaleChoice: Sendable {
        case all
        /// Those that never were.
        case new
        /// Those that were.
        case known
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
            for subscriber in subscribers { subscriber.liveResultChanged() }
        }
        if group.include != nil { lock.withLock { rewatched.append(group) } }
        guard group.needsEvaluation else { return false }
        if group.enlist() { lock.withLock { stale.append(group) } }
        return true
    }
}
