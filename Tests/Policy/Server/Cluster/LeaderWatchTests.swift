import FreshetBase
import FreshetRefresh
import Synchronization
import Testing

@testable import FreshetServer
@testable import FreshetStore

/// Requests that wait until some server of a cluster leads.
@Suite struct LeaderWatchTests {
    private final class Calls: Sendable {
        private let made = Atomic<Int>(0)
        var count: Int { made.load(ordering: .acquiring) }
        func add() { made.add(1, ordering: .acquiringAndReleasing) }
    }

    private func state(_ term: UInt64, leads: Bool) -> ReplicaState {
        var state = ReplicaState()
        state.term = term
        if leads {
            state.leader = ReplicaState.Leader(name: "b", url: "http://b", instance: 7)
        }
        return state
    }

    @Test func whoeverLeadsByALaterTermIsWaitedForAndNoLonger() {
        let clock = ManualOperationClock()
        let watch = LeaderWatch(clock: clock)
        let (any, later, past) = (Calls(), Calls(), Calls())
        watch.wait(past: 0, within: .seconds(2)) { any.add() }
        watch.wait(past: 3, within: .seconds(2)) { later.add() }
        watch.changed(to: state(3, leads: false))
        #expect((any.count, later.count) == (0, 0))
        watch.changed(to: state(3, leads: true))
        #expect((any.count, later.count) == (1, 0))
        // Who comes when one leads does not wait.
        watch.wait(past: 2, within: .seconds(2)) { past.add() }
        #expect(past.count == 1)
        clock.advance(by: .seconds(2))
        #expect((any.count, later.count, past.count) == (1, 1, 1))
        watch.changed(to: state(4, leads: true))
        clock.advance(by: .seconds(5))
        #expect((any.count, later.count, past.count) == (1, 1, 1))
    }

    @Test func aWaitOfNoTimeEndsAtOnce() {
        let clock = ManualOperationClock()
        let watch = LeaderWatch(clock: clock)
        let calls = Calls()
        watch.wait(past: 0, within: .zero) { calls.add() }
        clock.advance(by: .zero)
        #expect(calls.count == 1)
    }
}
