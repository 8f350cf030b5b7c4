import FreshetBase
import FreshetEngine
package import FreshetQuery

// The router's side of the live set: one caller at a time, from one serial queue.

extension LiveSet {
    /// Changes of a batch that one group follows.
    private static let mostChanges = 10_000
    /// Changes that all groups together follow, about 50 MiB.
    private static let mostSteps = 1_000_000
    /// What the filters of all groups may take for the long values of a batch, in steps of about 5 ns: a
    /// second. Whom a change may concern that cannot be told within it looks again, in its turn.
    private static let patience = 200_000_000

    /// Puts the groups that have come into the index. Before the views are taken from which they
    /// are evaluated.
    package func admit() {
        let groups = lock.withLock {
            defer { arrived = [] }
            return arrived.filter { !$0.hasEnded }
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
    /// - Complexity: O(changes × candidates + groups concerned). What is kept meanwhile is bounded: a
    ///   group that more changes of a batch concern looks again in place of following them.
    package func route(_ changes: some Sequence<Change>, through seq: UInt64) {
        var steps = 0
        var patience = Self.patience
        for change in changes {
            index.forEach(change, patience: &patience) { group, rows in
                guard !group.isOverrun else { return }
                if group.changes.isEmpty { touched.append(group) }
                guard let rows, steps < Self.mostSteps, group.changes.count < Self.mostChanges
                else {
                    group.isOverrun = true
                    group.changes = []
                    return
                }
                steps += 1
                group.changes.append(
                    group.windowChange(change, wasIn: rows.wasIn, isIn: rows.isIn))
            }
        }
        var mustEvaluate: [LiveGroup] = []
        for group in touched {
            let (isNews, isStale) =
                group.isOverrun
                ? (false, group.passOver(through: seq, after: published))
                : group.applyChanges(through: seq)
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
    ///
    /// - Parameter most: How many; the others wait for the next call, but for parts of cuts, of which
    ///   those of one cut must be exact at one seq.
    package func takeStale(_ choice: StaleChoice = .all, most: Int = .max) -> [LiveGroup] {
        let groups = lock.withLock {
            defer { stale = [] }
            return stale
        }
        var taken: [LiveGroup] = []
        var others: [LiveGroup] = []
        var late: [LiveGroup] = []
        var singles = 0
        for group in groups {
            // Asked once: a first evaluation that ends meanwhile must not have its group forgotten.
            let isChosen = choice == .all || group.wasEvaluated == (choice == .known)
            if isChosen, choice == .known, group.isSearchedBeside {
                late.append(group)
                continue
            }
            let isPart = group.isPartOfCut
            guard isChosen, singles < most || isPart else {
                others.append(group)
                continue
            }
            guard group.takeIfStale() else { continue }
            taken.append(group)
            if !isPart { singles += 1 }
        }
        // In front of those that have come meanwhile.
        if !others.isEmpty { lock.withLock { stale = others + stale } }
        if !late.isEmpty { lock.withLock { slow += late } }
        return taken
    }

    /// The next of the groups to evaluate beside the router since their last search took long; who is given
    /// it ends by `installInBackground`.
    package func takeSlow() -> LiveGroup? {
        while let group = lock.withLock({ slow.isEmpty ? nil : slow.removeFirst() }) {
            if group.takeIfStale() { return group }
        }
        return nil
    }

    /// Takes groups back that were handed out and not evaluated: they come first at the next call.
    package func putBack(_ groups: [LiveGroup]) {
        let late = groups.filter { $0.putBack() }
        lock.withLock { stale = late + stale }
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

    /// Takes the outcome of an evaluation beside the router in, on any thread, and tells the subscribers.
    ///
    /// - Returns: Whether it must be evaluated again, so that the router must be called.
    package func installInBackground(_ group: LiveGroup, _ install: (LiveGroup) -> Bool) -> Bool {
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
