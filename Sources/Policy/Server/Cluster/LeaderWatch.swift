import FreshetBase
import FreshetHTTPClient
import FreshetRefresh
import FreshetStore

/// Requests that wait until some server leads, and those that the one that does is answering. Any
/// thread.
///
/// A forward under way when a new term is heard of is ended at once: its leader is one no more, and
/// may be a process that sleeps and will never say so. So is one to a leader that beats and answers none
/// of this server's posts: the way to it is cut, and nothing says so on a connection that stands.
final class LeaderWatch: Sendable {
    private struct Wait {
        /// A leader of a later term is waited for.
        let term: UInt64
        let go: @Sendable () -> Void
    }

    private struct State {
        var term: UInt64 = 0
        var leads = false
        var number: UInt64 = 0
        var waits: [UInt64: Wait] = [:]
        var forwards: [ObjectIdentifier: (term: UInt64, begun: Duration, transfer: HTTPTransfer)] =
            [:]

        mutating func next() -> UInt64 {
            number += 1
            return number
        }
    }

    private let clock: any OperationClock
    private let state = Shared(State())

    init(clock: any OperationClock = SystemOperationClock()) { self.clock = clock }

    /// The replica has changed; on its applier thread.
    func changed(to replica: ReplicaState) {
        let (late, woken) = state.update { state -> ([HTTPTransfer], [Wait]) in
            var late: [HTTPTransfer] = []
            var woken: [Wait] = []
            state.leads = replica.leader != nil
            if replica.term > state.term {
                state.term = replica.term
                for (key, forward) in state.forwards where forward.term < state.term {
                    late.append(forward.transfer)
                    state.forwards[key] = nil
                }
            }
            if state.leads {
                for (key, wait) in state.waits where wait.term < state.term {
                    woken.append(wait)
                    state.waits[key] = nil
                }
            }
            return (late, woken)
        }
        for transfer in late { transfer.cancel() }
        for wait in woken { wait.go() }
    }

    /// Calls `go` once: when some server leads by a later term than `past`, or after `limit`.
    func wait(
        past: UInt64, within limit: Duration, _ go: @escaping @Sendable () -> Void
    ) {
        let own = state.update { state -> UInt64? in
            guard !state.leads || state.term <= past else { return nil }
            let own = state.next()
            state.waits[own] = Wait(term: past, go: go)
            return own
        }
        guard let own else { return go() }
        // Where a leader comes first, this finds nobody.
        _ = clock.schedule(at: clock.now + limit) { [state] in
            if state.update({ $0.waits.removeValue(forKey: own) }) != nil { go() }
        }
    }

    /// Has `transfer` ended once a later term than `term` is heard of.
    ///
    /// - Returns: false where one was heard of already; then it is not to be submitted.
    func begin(_ transfer: HTTPTransfer, in term: UInt64) -> Bool {
        let now = clock.now
        return state.update { state in
            guard term >= state.term else { return false }
            state.forwards[ObjectIdentifier(transfer)] = (term, now, transfer)
            return true
        }
    }

    /// Ends those that were begun before `instant`: their leader answers nothing.
    func cancelForwards(begunBefore instant: Duration) {
        let late = state.update { state in
            let late = state.forwards.filter { $0.value.begun < instant }
            for key in late.keys { state.forwards[key] = nil }
            return late.values.map { $0.transfer }
        }
        for transfer in late { transfer.cancel() }
    }

    func ended(_ transfer: HTTPTransfer) {
        state.update { $0.forwards[ObjectIdentifier(transfer)] = nil }
    }
}
