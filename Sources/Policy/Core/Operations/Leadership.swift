import FreshetBase
import FreshetRefresh
package import FreshetStore

/// Has what only the leader does begin and end with its lead (replication.md section 7): one end or
/// beginning after the other, and none left out, so that each lead begins as a start does. Any thread.
package final class Leadership: Sendable {
    package struct Duties: Sendable {
        /// Called on the applier's thread, before it judges or applies anything in the new role.
        let changed: @Sendable (_ leads: Bool) -> Void
        let begin: @Sendable () -> Void
        /// Returns when nothing is on its way any more.
        let end: @Sendable () async -> Void

        package init(
            changed: @escaping @Sendable (_ leads: Bool) -> Void = { _ in },
            begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () async -> Void
        ) {
            self.changed = changed
            self.begin = begin
            self.end = end
        }
    }

    private enum Step { case begin, end }

    private struct State {
        var replica: ReplicaStore?
        var duties: [Duties] = []
        /// The term in which this server leads; nil: it does not.
        var term: UInt64?
        /// Leads so far: one may end and the next begin within a term.
        var count = 0
        /// The lead of which the duties have begun.
        var begun: Int?
        var isTurning = false
        var isStopped = false
    }

    private let state = Shared(State())

    package init() {}

    /// Adds what begins behind all that was added before, and ends before it.
    package func add(_ duties: Duties) { state.update { $0.duties.append(duties) } }

    /// Begins the duties where `replica` leads, now or later: its applier's thread is asked to tell.
    package func start(with replica: ReplicaStore) {
        state.update { $0.replica = replica }
        replica.announce()
    }

    /// The replica has changed. On the applier's thread alone: what is told one after the other needs no
    /// lock that is held meanwhile.
    package func changed() {
        let known = state.value
        guard let now = known.replica?.state else { return }
        let term = now.role == .leader ? now.term : nil
        guard term != known.term else { return }
        for duties in known.duties {
            if known.term != nil { duties.changed(false) }
            if term != nil { duties.changed(true) }
        }
        // Behind what was told, since a turn that is under way begins by it.
        let isFirst = state.update { state in
            state.term = term
            if term != nil { state.count += 1 }
            defer { state.isTurning = true }
            return !state.isTurning
        }
        if isFirst { turn() }
    }

    package var isStopped: Bool { state.value.isStopped }

    /// Begins nothing any more.
    package func stop() { state.update { $0.isStopped = true } }

    /// Lets go of the replica and of the duties, which have this object: behind `stop`, once the store is
    /// closed.
    package func forget() {
        let held = state.update { state in
            defer { (state.replica, state.duties) = (nil, []) }
            return (state.replica, state.duties)
        }
        withExtendedLifetime(held) {}
    }

    private func turn() {
        Task(executorPreference: PolicyWorkers.fetches) {
            let duties = self.state.value.duties
            while let step = self.next() {
                switch step {
                case .begin: for one in duties { one.begin() }
                case .end: for one in duties.reversed() { await one.end() }
                }
            }
        }
    }

    /// What is to be done next; nil: it is as it should be.
    private func next() -> Step? {
        state.update { state in
            let wanted = state.term == nil ? nil : state.count
            guard !state.isStopped, state.begun != wanted else {
                state.isTurning = false
                return nil
            }
            defer { state.begun = state.begun == nil ? wanted : nil }
            return state.begun == nil ? .begin : .end
        }
    }
}
