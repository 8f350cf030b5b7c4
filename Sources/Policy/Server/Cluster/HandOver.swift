import FreshetBase
import FreshetConfig
import FreshetHTTPClient
import FreshetRefresh
import FreshetStore

extension Cluster {
    /// The longest that a server which ends waits for another to lead.
    static let handOverLimit = Duration.seconds(5)

    /// What has become of a hand-over.
    enum HandOver: Sendable {
        /// The log names the successor, who leads by now; nil: it has not been heard of yet.
        case done(to: String, ReplicaState.Leader?)
        /// None of those who could lead answers that it is ready: what was heard of them holds no more.
        case nobody
        /// This server does not lead any more.
        case notLeader
        /// The log did not take it.
        case failed
        /// The log gave no answer: it is done, or is not.
        case unknown
    }

    /// The longest that one of them is waited for, to say that it is ready.
    private static let readiness = Duration.milliseconds(500)

    /// Has the first of `successors` lead that answers that it is ready: one that was heard of a moment ago
    /// may have ended since. What waits is finished or goes to it.
    ///
    /// - Parameter done: Called once, on some thread that must not be blocked.
    func handOver(
        to successors: [(name: String, url: String)], _ done: @escaping @Sendable (HandOver) -> Void
    ) {
        guard let (name, url) = successors.first else { return done(.nobody) }
        var call = HTTPCall(url: "\(url)/readyz", fields: [])
        call.route.connectMilliseconds = 500
        client.ask(call, within: Self.readiness, by: SystemOperationClock()) { [self] _, answer in
            if answer != nil { return handOver(to: name, done) }
            handOver(to: Array(successors.dropFirst()), done)
        }
    }

    private func handOver(to successor: String, _ done: @escaping @Sendable (HandOver) -> Void) {
        let term = replica.state.term
        replica.stepDown(to: successor) { [self] isDone in
            guard isDone == true || replica.state.term > term else {
                guard replica.state.role == .leader else { return done(.notLeader) }
                return done(isDone == nil ? .unknown : .failed)
            }
            watch.wait(past: term, within: settings.leaderWait) { [self] in
                let leader = replica.state.leader
                done(.done(to: successor, replica.state.term > term ? leader : nil))
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
