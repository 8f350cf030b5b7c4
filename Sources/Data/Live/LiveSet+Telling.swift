import FreshetBase

// When the subscribers are told, and what makes a cut.
//
// A subscriber of one query is told when there is something to take, and takes it. A client of
// several is told besides, by a `sync`, at which seq all of them are exact, and asking each of its
// queries at each change would cost as much as all of them together. So its queries are *parts of a
// cut*, told in two steps:
//
//     a group shows something new, or is stale ──▶ its late parts are noted ──▶ `announced` = seq
//                                                                      ──▶ they are told to look
//
// The client reads `announced` first, and then takes what was noted. Whoever was settled at an
// earlier cut and is not among the noted ones is settled at this one, unasked: what would unsettle
// it at this seq or before was noted before the seq could be read.
//
// Those that are noted are asked (`settle`) until they are settled. Where the answer is no, somebody
// tells the client when it is worth to ask again: the publication of what is newer than it has
// taken; that of the evaluation of its group, even where this finds nothing new; or the
// announcement of the seq that its group is ahead at. Else the last `sync` of a burst would be
// lost.

extension LiveSet {
    /// Says that all commits through `seq` are routed, and tells the subscribers that have yet to
    /// take what is new. Router's queue only.
    package func publish(through seq: UInt64) {
        setPublished(seq)
        var late: [any LiveSubscriber] = []
        var parts: [any LiveSubscriber] = []
        for group in renewed {
            var place = Int.max
            var isMore = true
            while isMore {
                isMore = group.lateSubscribers(before: &place, into: &late)
                for subscriber in late {
                    guard subscriber.isPartOfCut else {
                        subscriber.liveResultChanged()
                        continue
                    }
                    subscriber.liveResultNoted()
                    parts.append(subscriber)
                }
                late.removeAll(keepingCapacity: true)
            }
        }
        renewed.removeAll(keepingCapacity: true)
        setAnnounced(seq)
        // All are noted by now: those of one client make one cut.
        for subscriber in parts { subscriber.liveResultChanged() }
        wake(through: seq)
    }

    /// Says that commits through `seq` concern no group. From the thread that tells of commits,
    /// while the router has nothing to do.
    package func noteRouted(through seq: UInt64) {
        setPublished(seq)
        setAnnounced(seq)
        wake(through: seq)
    }

    /// Notes the members of a group that has become stale: they are exact no longer. Router's queue
    /// only, before what has made it stale is published.
    func noteStale(_ group: LiveGroup) {
        for subscriber in group.partsOfCuts() { subscriber.liveResultNoted() }
    }

    /// Tells those who wait for a seq that is announced now.
    private func wake(through seq: UInt64) {
        let arrivals = lock.withLock { () -> [any LiveSubscriber] in
            guard !waiting.isEmpty else { return [] }
            let ready = waiting.filter { $0.seq <= seq }.map(\.subscriber)
            waiting.removeAll { $0.seq <= seq }
            return ready
        }
        for subscriber in arrivals { subscriber.liveResultChanged() }
    }

    /// Has the subscriber told once `seq` is announced. Any thread.
    func tell(_ subscriber: any LiveSubscriber, at seq: UInt64) {
        lock.withLock { waiting.append((seq, subscriber)) }
        // It may have come meanwhile.
        if announced >= seq { subscriber.liveResultChanged() }
    }

    /// Whether the subscriber holds what is exact at `seq`, a value of `announced` read before, and
    /// nothing newer. Where that is so for several, they hold one consistent cut. Any thread.
    ///
    /// - Parameter isAwaited: It is told when it is worth to ask again.
    package func settle(
        _ membership: LiveMembership, at seq: UInt64, isAwaited: Bool = false
    ) -> Bool {
        switch membership.group.settle(membership, at: seq, isAwaited: isAwaited) {
        case .settled: return true
        case .late: return false
        case .ahead(let exact):
            if isAwaited { tell(membership.subscriber, at: exact) }
            return false
        }
    }
}
