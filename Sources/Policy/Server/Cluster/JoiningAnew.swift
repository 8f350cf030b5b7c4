import FreshetBase
import FreshetRefresh
import FreshetStore

/// How a server of this process gives its place to another, which joins its cluster anew: the part of the
/// program that starts one server after the other.
package struct JoiningAnew: Sendable {
    /// On whose word a directory is given up for what the cluster has.
    package enum Order: Sendable {
        /// It lacks what the log does not have any more, and nothing beside: no word is needed.
        case byItself
        /// It may have what the log has lost, which an operator gives up.
        case byOperator
    }

    /// For what the server before this one ended; nil where there was none.
    package var order: Order?
    /// How often servers of this process have ended for that.
    package var count = 0
    /// Begins to stop this server and to start one in its place; nil where the process is another
    /// program's.
    package var begin: (@Sendable (Order) -> Void)?

    package init() {}
}

/// Has a server that runs, and lacks what its log does not have any more, join anew by itself as soon as
/// another one gives what it lacks (replication.md sections 8 and 9). Any thread.
///
/// It answers reads until then. What it does meanwhile is to ask the others whether they would give a
/// backup; between two times passes a rest, which is the longer the more often this process has joined
/// anew: a server that falls behind again and again is no load for the others.
final class ReplicaReturn: Sendable {
    private static let shortestRest = Duration.seconds(10)
    private static let mostDoublings = 6

    private let replica: ReplicaStore
    private let join: ReplicaJoin
    /// Where the leader takes requests, asked of the log: a replica that has stopped hears of none. nil where
    /// that is not known.
    private let leader: @Sendable () -> String?
    private let begin: @Sendable (JoiningAnew.Order) -> Void
    /// Looks that have found it stopped, one after the other.
    private let looks = Counter()
    private let asking = WorkCount()
    private let rest: Duration
    private let clock: any OperationClock

    init(
        _ replica: ReplicaStore, _ join: ReplicaJoin, after count: Int,
        clock: any OperationClock = SystemOperationClock(),
        leader: @escaping @Sendable () -> String?,
        begin: @escaping @Sendable (JoiningAnew.Order) -> Void
    ) {
        self.replica = replica
        self.join = join
        self.leader = leader
        self.begin = begin
        self.clock = clock
        rest = Self.shortestRest * (1 << min(count, Self.mostDoublings))
    }

    /// Looks now and then, until what is returned is cancelled or let go of.
    func start() -> Rhythm {
        Rhythm(every: rest, on: clock) { [weak self] in
            self?.look()
            return self != nil
        }
    }

    private func look() {
        guard let floor = replica.state.backupFloor else { return looks.set(0) }
        looks.add()
        // A whole rest has passed since it stopped.
        guard looks.value > 1, let permit = asking.permit(atMost: 1) else { return }
        // Who is asked takes its time.
        PolicyWorkers.performAlone { [self] in
            withExtendedLifetime(permit) {
                let behind = Cursor(epoch: replica.cursor.epoch, seq: floor)
                if join.isOffered(asking: leader() ?? "", behind: behind) { begin(.byItself) }
            }
        }
    }
}
