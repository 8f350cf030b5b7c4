import FreshetBase
import FreshetConfig
import FreshetRefresh
import FreshetStore

extension Cluster {
    /// The longest that a server which ends waits for another to lead.
    static let handOverLimit = Duration.seconds(5)

    /// What has become of a hand-over.
    enum HandOver: Sendable {
        /// The log names the successor, who leads by now; nil: it has not been heard of yet.
        case done(ReplicaState.Leader?)
        /// This server does not lead any more.
        case notLeader
        /// The log did not take it.
        case failed
        /// The log gave no answer: it is done, or is not.
        case unknown
    }

    /// Has `successor` lead. What waits is finished or goes to it.
    ///
    /// - Parameter done: Called once, on some thread that must not be blocked.
    func handOver(to successor: String, _ done: @escaping @Sendable (HandOver) -> Void) {
        let term = replica.state.term
        replica.stepDown(to: successor) { [self] isDone in
            guard isDone == true || replica.state.term > term else {
                guard replica.state.role == .leader else { return done(.notLeader) }
                return done(isDone == nil ? .unknown : .failed)
            }
            watch.wait(past: term, within: settings.leaderWait) { [self] in
                let leader = replica.state.leader
                done(.done(replica.state.term > term ? leader : nil))
            }
        }
    }

    /// Has the clients of `streams` go on at other servers, evenly within `limit`.
    static func move(_ streams: [any MovableStream], within limit: Duration) {
        let clock = SystemOperationClock()
        let now = clock.now
        for (index, stream) in streams.shuffled().enumerated() {
            let rest = limit * index / streams.count
            _ = clock.schedule(at: now + rest) { [weak stream] in stream?.leave() }
        }
    }
}
