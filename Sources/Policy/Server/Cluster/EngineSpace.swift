import FreshetBase
import FreshetRefresh
import FreshetStore

// The space of the log's engine (replication.md section 9). The leader looks at it, and refuses writes
// before the engine refuses everything, its heads as well.

/// The space of the engine. Each server looks at it, so that one which comes to lead knows at its first
/// write how it stands; the one that leads makes room. Any thread.
final class EngineSpace: Sendable {
    /// Shares of the engine's bound: from the first on the log is shortened and space given back, from
    /// the second on writes are refused.
    private static let high = 0.6
    private static let highest = 0.8
    private static let lookInterval = Duration.seconds(5)
    /// The share of the bound whose bytes make another look due.
    private static let much = 0.05
    /// Between two orders to give space back.
    private static let roomInterval = Duration.seconds(60)
    /// The share of the bound that a server's log may have behind its snapshot where space runs short.
    private static let mostBehind = 0.1

    private struct State {
        /// When it was looked at last, and when the engine was last told to give some back.
        var looked: Duration?
        var madeRoom: Duration?
        var isLooking = false
        /// The engine is about to give space back, or at it.
        var isMakingRoom = false
        var isFilling = false
        var hasLed = false
        /// The engine's bound in bytes, 0 for none that is known, and what this server had put when it
        /// looked.
        var quota = 0.0
        var put = 0
    }

    private let replica: ReplicaStore
    /// What was put so lately stays in the log.
    private let keep: Duration
    private let log: Log
    /// What the others have said last.
    private let posts: @Sendable (_ now: Duration) -> [ReplicaPost]
    private let state = Shared(State())
    /// Asks the engine, which may take its time.
    private let worker = PolicyWorkers(.chore)
    /// Has it give space back, which takes minutes; it is looked at meanwhile.
    private let maker = PolicyWorkers(.chore)

    init(
        _ replica: ReplicaStore, keep: Duration, _ log: Log,
        posts: @escaping @Sendable (_ now: Duration) -> [ReplicaPost]
    ) {
        self.replica = replica
        self.keep = keep
        self.log = log
        self.posts = posts
    }

    /// Looks at it and waits for that: before this server takes its first write.
    func lookFirst(at now: Duration) {
        _ = judged()
        state.update { $0.looked = now }
    }

    /// Looks at it now and then, and when this server comes to lead.
    func look(at now: Duration) {
        let leads = replica.state.role == .leader
        if case .stopped = replica.state.role { return }
        let put = replica.replicaFigures.bytes
        let isDue = state.update { state -> Bool in
            // The one before may have put much since the last look.
            if leads, !state.hasLed { state.looked = nil }
            state.hasLed = leads
            // Near the bound each second counts, and where much was put.
            let isUrgent =
                replica.engine.isFull || state.isFilling
                || Double(put - state.put) > state.quota * Self.much && state.quota > 0
            let rest = isUrgent ? .zero : Self.lookInterval
            guard !state.isLooking, state.looked.map({ now - $0 >= rest }) ?? true else {
                return false
            }
            state.looked = now
            state.put = put
            state.isLooking = true
            return true
        }
        guard isDue else { return }
        worker.perform { [self] in
            lookNow(at: now)
            state.update { $0.isLooking = false }
        }
    }

    private func lookNow(at now: Duration) {
        guard let share = judged() else { return }
        // The log gives up what is in the snapshots of two servers, so each makes its own.
        if share >= Self.high {
            replica.wantSnapshot(behind: Int(min(state.value.quota * Self.mostBehind, 1e18)))
        }
        guard replica.state.role == .leader else { return }
        let isDue = state.update { state in
            let rest = min(Self.roomInterval, keep)
            guard share >= Self.high, !state.isMakingRoom,
                state.madeRoom.map({ now - $0 >= rest }) ?? true
            else { return false }
            state.madeRoom = now
            state.isMakingRoom = true
            return true
        }
        guard isDue else { return }
        log.warning(
            "the space of the log's engine runs short",
            [
                "percent": .integer(Int(min(share, 1_000_000) * 100)),
                "hint": .string("raise etcd's quota"),
            ])
        replica.truncate(by: posts(now), isFilling: true) { [self] _ in
            // The engine answers nothing meanwhile; the applier's beats wait for that alone.
            maker.perform { [self] in
                defer { state.update { $0.isMakingRoom = false } }
                guard replica.state.role == .leader else { return }
                // The next leader begins with the first node.
                let reason = replica.makeRoom { [replica] in replica.state.role == .leader }
                if let reason {
                    log.warning("the log's engine gives no space back", ["reason": .string(reason)])
                }
                _ = judged()
            }
        }
    }

    /// Looks at it, and tells the replica how much may be put before the next look.
    ///
    /// - Returns: What of its bound the engine has used; nil where it has none or gives no answer.
    private func judged() -> Double? {
        let put = replica.replicaFigures.bytes
        let use = use
        if let use {
            state.update {
                $0.quota = use.quota
                $0.isFilling = use.share >= Self.high
            }
        }
        let room = use.map { min(max(0, (Self.highest - $0.share) * $0.quota), 1e18) }
        replica.engineHasRoom(for: room.map { Int($0) } ?? .max, behind: put)
        return use?.share
    }

    /// What of its bound the engine has used, and that bound in bytes; nil where it has none or gives no answer.
    private var use: (share: Double, quota: Double)? {
        let facts = replica.describeEngine()
        func number(_ name: String) -> Double? {
            facts.first { $0.name == name }.flatMap { Double($0.value) }
        }
        guard let bytes = number("bytes"), let quota = number("quota"), quota > 0 else {
            return nil
        }
        return (bytes / quota, quota)
    }
}
