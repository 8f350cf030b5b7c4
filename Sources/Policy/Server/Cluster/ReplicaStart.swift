import Dispatch
import FreshetBase
import FreshetConfig
import FreshetStore
import Glibc

/// Opens the store of a server of a cluster, so that it has all that the log had then. What it cannot go
/// on from is moved aside, and what the log no longer has comes from another server (replication.md
/// section 8).
struct ReplicaStart {
    let join: ReplicaJoin
    let log: Log
    /// How often a backup was needed.
    let joins = Counter()

    /// How long a start waits for the log; behind it the server answers from what it has.
    private static let joinLimit = Duration.seconds(10)
    /// How long it asks others for a backup, beside the time in which another server comes to lead.
    private static let patience = Duration.seconds(30)

    private enum Opened {
        case store(ReplicaStore)
        /// The directory is empty, and somebody's backup is needed.
        case needsBackup(peer: String)
        case isSetAside
    }

    /// - Parameter open: Opens the store.
    func run(
        _ progress: (RecoveryProgress) -> Void,
        _ open: () throws(StoreError) -> ReplicaStore
    ) throws(StartFailure) -> ReplicaStore {
        let end = MonotonicInstant.now + join.settings.takeover * 2 + Self.patience
        while true {
            switch try opened(open) {
            case .store(let store): return store
            case .isSetAside: break
            case .needsBackup(let peer):
                do throws(StartFailure) {
                    let giver = try join.restore(asking: peer, progress: progress)
                    joins.add()
                    log.info("joined by a backup of another server", ["from": .string(giver)])
                } catch {
                    // Whoever leads may be this server of before, until another does.
                    guard MonotonicInstant.now < end else { throw error }
                    log.warning("no backup yet", ["reason": .string(error.sentence)])
                    sleep(1)
                }
            }
            guard MonotonicInstant.now < end + Self.patience * 20 else {
                throw StartFailure(
                    sentence: "the cluster's log is shortened faster than this server joins: raise"
                        + " cluster.log.keep")
            }
        }
    }

    private func opened(
        _ open: () throws(StoreError) -> ReplicaStore
    ) throws(StartFailure) -> Opened {
        let store: ReplicaStore
        do throws(StoreError) {
            store = try open()
        } catch {
            switch error {
            case .needsBackup(_, let peer): return .needsBackup(peer: peer)
            case .damaged:
                try setAside("it is damaged: \(error.description)")
                return .isSetAside
            default: throw StartFailure(sentence: error.description)
            }
        }
        wait(for: store)
        switch store.state.role {
        case .stopped(let stop) where stop == .truncated || stop == .recovered:
            store.close()
            try setAside(stop.reason)
            return .isSetAside
        case .stopped(.foreign):
            store.close()
            throw StartFailure(
                sentence: "\(join.directory) is the directory of a server of another cluster than"
                    + " \(join.settings.log) is the log of: choose another directory with --data, or"
                    + " its own log")
        default: return .store(store)
        }
    }

    private func setAside(_ reason: String) throws(StartFailure) {
        log.error(
            "the data directory is set aside, and this server joins anew",
            [
                "reason": .string(reason), "directory": .string(join.directory),
                "hint": .string("its folder aside has what there was, and can be removed"),
            ])
        do throws(StoreError) {
            try ReplicaDirectory.setAside(join.directory)
        } catch {
            throw StartFailure(sentence: error.description)
        }
    }

    private func wait(for store: ReplicaStore) {
        let joined = DispatchSemaphore(value: 0)
        store.whenJoined(within: Self.joinLimit) { [log, join] end in
            if case .reached = end {
            } else {
                log.warning(
                    "the cluster's log gives no answer, and reads show what is here",
                    ["log": .string(join.settings.log)])
            }
            joined.signal()
        }
        joined.wait()
    }
}
