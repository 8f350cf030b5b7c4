import FreshetBase
import FreshetConfig
import FreshetRefresh
import FreshetStore
import Glibc

/// Opens the store of a server of a cluster, so that it has all that the log had then. What it cannot go
/// on from is moved aside, and what the log no longer has comes from another server (replication.md
/// section 8).
struct ReplicaStart {
    let join: ReplicaJoin
    let log: Log
    /// For what the server before this one ended, whose directory this is: what cannot follow the log is
    /// set aside where there is something to join, and what may have more than the log on an operator's
    /// word alone.
    let order: JoiningAnew.Order?
    /// What an empty directory would need beside the log; nil: nothing.
    let need: () throws(StoreError) -> (peer: String, behind: Cursor)?
    /// Where the leader takes requests, asked of the log: a store that has stopped heard of none.
    let leader: @Sendable () -> String?
    /// Gives a log that went back behind a directory of this epoch another one, where nobody follows it.
    let renewal: (Epoch) throws(StoreError) -> LogRenewal.Outcome
    /// How often a backup was needed.
    let joins = Counter()

    /// How long a start waits for an answer of the log; behind it the server answers from what it has.
    private static let joinLimit = Duration.seconds(10)
    /// How long it asks others for a backup, beside the time in which another server comes to lead.
    private static let patience = Duration.seconds(30)

    private enum Opened {
        case store(ReplicaStore)
        /// The directory is empty, and somebody's backup is needed.
        case needsBackup(peer: String, behind: Cursor)
        case isSetAside
        /// The directory is damaged, and as it was.
        case isDamaged(String)
        /// It has stopped: whoever has passed `behind` can give a backup.
        case hasStopped(ReplicaStore, peer: String, behind: Cursor)
    }

    /// - Parameter open: Opens the store.
    func run(
        _ progress: (RecoveryProgress) -> Void,
        _ open: () throws(StoreError) -> ReplicaStore
    ) throws(StartFailure) -> ReplicaStore {
        let end = MonotonicInstant.now + join.settings.takeover * 2 + Self.patience
        var order = order
        while true {
            let found = try opened(by: order, open)
            // What was joined once is what there is.
            order = nil
            switch found {
            case .store(let store): return store
            case .isSetAside: break
            case .isDamaged(let reason):
                do throws(StartFailure) {
                    try replace(damaged: reason, progress)
                } catch {
                    guard MonotonicInstant.now < end else { throw error }
                    log.warning("no backup yet", ["reason": .string(error.sentence)])
                    sleep(5)
                }
            case .hasStopped(let store, let peer, let next):
                let reason = store.state.stopText ?? "it has stopped"
                do throws(StartFailure) {
                    try restore(asking: peer, behind: next, progress) { () throws(StartFailure) in
                        store.close()
                        try setAside(reason)
                    }
                } catch {
                    guard store.status.phase != .closed else { throw error }
                    // What is here is read, and may be what a log can be made of.
                    log.error(
                        "this server does not follow the cluster's log, and cannot join anew",
                        ["reason": .string(reason), "join": .string(error.sentence)])
                    return store
                }
            case .needsBackup(let peer, let floor):
                do throws(StartFailure) {
                    try restore(asking: peer, behind: floor, progress)
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
        by order: JoiningAnew.Order?, _ open: () throws(StoreError) -> ReplicaStore
    ) throws(StartFailure) -> Opened {
        let store: ReplicaStore
        do throws(StoreError) {
            store = try open()
        } catch {
            switch error {
            case .needsBackup(_, let peer, let floor):
                return .needsBackup(peer: peer, behind: floor)
            case .damaged: return .isDamaged("it is damaged: \(error.description)")
            default: throw StartFailure(sentence: error.description)
            }
        }
        wait(for: store)
        let state = store.state
        // Who has ended for it has reads to go on with: a start has none, and waits for a backup.
        if let floor = state.backupFloor, order != nil || state.role == .stopped(.damaged) {
            return .hasStopped(
                store, peer: leader() ?? "",
                behind: Cursor(epoch: store.cursor.epoch, seq: floor))
        }
        switch state.role {
        case .stopped(let stop) where stop == .truncated || stop == .recovered:
            let reason = store.state.stopText ?? stop.reason
            store.close()
            try setAside(reason)
            return .isSetAside
        case .stopped(let stop) where order == .byOperator && (stop == .rewound || stop == .forked):
            return try joiningAnew(store)
        // Who is ordered to join anew has reads to go on with: it stays stopped, and says why.
        case .stopped(.foreign) where order == nil:
            store.close()
            throw StartFailure(
                sentence: "\(join.directory) is the directory of a server of another cluster than"
                    + " \(join.settings.log) is the log of: choose another directory with --data, or"
                    + " its own log")
        default: return .store(store)
        }
    }

    /// Makes the directory of another server's backup; `prepare` is called once that is here.
    private func restore(
        asking peer: String, behind floor: Cursor, _ progress: (RecoveryProgress) -> Void,
        prepare: () throws(StartFailure) -> Void = { () throws(StartFailure) in }
    ) throws(StartFailure) {
        let giver = try join.restore(
            asking: peer, behind: floor, progress: progress, prepare: prepare)
        joins.add()
        log.info("joined by a backup of another server", ["from": .string(giver)])
    }

    /// Sets a damaged directory aside once what takes its place is here: a backup of another server, or the
    /// log, which has everything.
    private func replace(
        damaged reason: String, _ progress: (RecoveryProgress) -> Void
    ) throws(StartFailure) {
        let needed: (peer: String, behind: Cursor)?
        do throws(StoreError) {
            needed = try need()
        } catch {
            throw StartFailure(sentence: "\(reason); it stays as it is, since \(error.description)")
        }
        guard let needed else { return try setAside(reason) }
        var isSetAside = false
        do throws(StartFailure) {
            try restore(asking: needed.peer, behind: needed.behind, progress) {
                () throws(StartFailure) in
                try setAside(reason)
                isSetAside = true
            }
        } catch {
            guard !isSetAside else { throw error }
            throw StartFailure(sentence: "\(reason); it stays as it is, since \(error.sentence)")
        }
    }

    /// What an operator has ordered for a directory whose log is another one by now: nothing is set
    /// aside before what takes its place is here.
    private func joiningAnew(_ store: ReplicaStore) throws(StartFailure) -> Opened {
        let reason = store.state.stopText ?? "it has stopped"
        do throws(StoreError) {
            switch try renewal(store.cursor.epoch) {
            case .renewed:
                log.warning(
                    "the cluster's log has lost commits, and has a new epoch",
                    [
                        "reason": .string(reason),
                        "hint": .string(
                            "clients that come with a cursor of before are sent a snapshot"),
                    ])
            case .isFollowed(let first, let leader) where first.seq > 1:
                return .hasStopped(store, peer: leader, behind: first)
            case .isFollowed: break
            case .lacksBeginning(let first):
                log.error(
                    "this server cannot join anew: no other follows the log, which has no beginning",
                    [
                        "reason": .string(reason), "begins": .integer(Int(clamping: first.seq)),
                        "hint": .string(
                            "stop all servers, remove the log from its engine, and make it anew from"
                                + " the directory that has most: freshet cluster recover --cluster-log"
                                + " \(join.settings.log) --data \(join.directory)"),
                    ])
                return .store(store)
            }
        } catch {
            log.error(
                "this server cannot join anew, since the log does not answer",
                ["reason": .string(error.description)])
            return .store(store)
        }
        store.close()
        try setAside(reason)
        return .isSetAside
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

    /// Waits until the store has all that the log had; without an end while the log answers.
    private func wait(for store: ReplicaStore) {
        while true {
            let joined = AwaitedValue<SeqWait>()
            store.whenJoined(within: Self.joinLimit) { joined.give($0) }
            switch joined.wait() {
            case .reached, .closed: return
            case .late, .away: break
            }
            if case .stopped = store.state.role { return }
            guard let silence = store.engine.silence, silence < Self.joinLimit else { break }
            log.info(
                "this server is still behind the cluster's log",
                ["applied": .integer(Int(clamping: store.seq))])
        }
        log.warning(
            "the cluster's log gives no answer, and reads show what is here",
            ["log": .string(join.settings.log)])
    }
}
