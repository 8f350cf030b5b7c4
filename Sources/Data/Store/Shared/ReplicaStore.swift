package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import Glibc

/// A store that is one of several over a shared log. See `ReplicaPath`.
package final class ReplicaStore: EntityStore {
    package let settings: ReplicaSettings
    private let options: FileStoreOptions
    private let tables: EntityTables
    private let queue: CommitQueue
    private let figures: StoreFigures
    private let board: ReplicaBoard
    private let log: any SharedLog
    /// Of this process: replicas that have one name are told apart by it.
    package let instance: UInt64
    private let clock: any StoreClock
    // SAFETY: used by the applier thread alone.
    nonisolated(unsafe) private let path: ReplicaPath
    private let threads: [WriterThread]

    /// Begins to follow the log, and to lead where nobody does. Nothing is there to be read before it
    /// has joined (`whenJoined`).
    ///
    /// - Parameters:
    ///   - log: Used by this store's applier thread from here on.
    ///   - onChange: Hears of each change of the state but that of the log's end, on the applier
    ///     thread: hand over and return.
    package static func open(
        _ options: FileStoreOptions, _ settings: ReplicaSettings, log: any SharedLog,
        rules: (any EntityRules)? = nil, observer: (any CommitObserver)? = nil,
        clock: (any StoreClock)? = nil,
        onChange: @escaping @Sendable (ReplicaState) -> Void = { _ in }
    ) -> ReplicaStore {
        ReplicaStore(options, settings, log, rules, observer, clock ?? AwakeClock(), onChange)
    }

    private init(
        _ options: FileStoreOptions, _ settings: ReplicaSettings, _ log: any SharedLog,
        _ rules: (any EntityRules)?, _ observer: (any CommitObserver)?,
        _ clock: any StoreClock, _ onChange: @escaping @Sendable (ReplicaState) -> Void
    ) {
        self.options = options
        self.settings = settings
        self.log = log
        self.clock = clock
        let unknown = Epoch(value: 0)
        tables = EntityTables(cursor: Cursor(epoch: unknown, seq: 0), rules: rules)
        queue = CommitQueue(
            countLimit: options.queueLimit, byteLimit: options.queueBytes,
            overloadAfter: options.overloadAfter, batchBytes: BatchPlanner.frameBytes,
            clock: clock)
        figures = StoreFigures()
        board = ReplicaBoard(clock: clock)
        instance = .random(in: 1...UInt64.max)
        let planner = BatchPlanner(
            options: options, tables: tables, rules: rules, observer: observer, clock: clock,
            figures: figures, position: CommitPosition(epoch: unknown, nextSeq: 1, lastTime: 0),
            headRoom: LogFormat.frameHeaderLength + SharedFrame.length)
        path = ReplicaPath(
            settings, log: log, planner: planner, queue: queue, clock: clock, board: board,
            instance: instance,
            sleep: { usleep(UInt32(clamping: Int64($0 / .microseconds(1)))) },
            random: { Double.random(in: $0) })
        path.onChange = onChange
        // SAFETY: handed to the thread, which is the only one to use it from here on.
        nonisolated(unsafe) let owned = path
        let waiters = board.waiters
        threads = [
            WriterThread {
                var batch: [Submission] = []
                while owned.step(&batch, waiting: true) {}
                owned.finish()
            },
            WriterThread { [queue, figures, board] in
                var late: [Submission] = []
                while queue.takeLate(into: &late) {
                    figures.overloaded.add(late.count)
                    let isAway = board.engine.trouble != nil
                    for submission in late {
                        submission.completion(isAway ? .logAway(unknown: false) : .overloaded)
                    }
                    late.removeAll()
                }
            },
            WriterThread { waiters.run() },
        ]
    }

    // MARK: Reading

    package func document(_ type: TypeName, _ id: EntityID) -> Document? {
        tables.document(type, id)
    }

    package func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document? {
        tables.document(type, idBytes: idBytes)
    }

    package func view(_ type: TypeName) -> TableView? { tables.view(type) }

    package func views() -> StoreViews { tables.views() }

    package var cursor: Cursor { tables.cursor }

    package func indexStatus(_ type: TypeName) -> [IndexStatus] { tables.indexStatus(type) }

    package func beginFetch(_ policy: (any FetchPolicy)?) -> FetchTicket {
        tables.fetches.begin(policy) { tables.cursor.seq }
    }

    package var durability: Durability { .full }
    package func durability(of transaction: Transaction) -> Durability { .full }
    package var disk: (any DiskStore)? { nil }
    package var replica: ReplicaStore? { self }
    package var immediate: (any ImmediateStore)? { nil }

    // MARK: Writing

    package func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        let size = transaction.estimatedSize
        guard size <= LogFormat.maximumPayload else {
            completion(.rejected(operation: 0, .tooLarge))
            return
        }
        let state = board.state
        guard state.role == .leader else {
            completion(.notLeader(url: state.leader?.url))
            return
        }
        let submission = Submission(transaction: transaction, size: size, completion: completion)
        switch queue.push(submission) {
        case nil: break
        case .overloaded:
            figures.overloaded.add()
            completion(.overloaded)
        case .closed:
            completion(.closed)
        }
    }

    package func withCommitRight(
        _ body: @escaping @Sendable (EntityTablesAccess) -> Void
    ) -> Bool {
        let tables = tables
        return queue.push(control: { body(EntityTablesAccess(tables: tables)) })
    }

    // MARK: The cluster

    /// What this replica knows of its cluster.
    package var state: ReplicaState { board.state }

    /// How the engine of the log does.
    package var engine: EngineState { board.engine }

    package var replicaFigures: ReplicaFigures { board.figures }

    /// What the driver tells of the engine.
    package func describeEngine() -> [(name: String, value: String)] { log.describe() }

    /// Does this replica lead, and has the engine answered lately? What only a leader starts, it
    /// starts if this says so.
    package var mayStart: Bool { board.mayStart }

    /// How long nothing was heard of the engine, where that is longer than two beats: what is read
    /// may be so old. nil: it is of now.
    package var lag: Lag? {
        guard let silence = board.engine.silence else { return .unknown }
        return silence > settings.beat * 2 ? .known(silence) : nil
    }

    package enum Lag: Equatable, Sendable {
        case known(Duration)
        /// Nothing was ever heard.
        case unknown
    }

    /// Waits until everything is applied that the log had when this replica looked at it first.
    package func whenJoined(
        within limit: Duration, _ completion: @escaping @Sendable (SeqWait) -> Void
    ) {
        board.waiters.add(0, needsJoin: true, until: clock.instant + limit, completion)
    }

    /// Waits until the commit `seq` is applied here. No thread waits meanwhile.
    ///
    /// - Parameter completion: Called once, maybe before this returns, maybe on the applier thread:
    ///   hand over and return.
    package func wait(
        for seq: UInt64, within limit: Duration,
        _ completion: @escaping @Sendable (SeqWait) -> Void
    ) {
        board.waiters.add(seq, until: clock.instant + limit, completion)
    }

    /// Waits until everything is applied here that any replica has acknowledged up to now: reads the
    /// engine's head, and waits for its seq.
    ///
    /// - Parameter completion: As in `wait`.
    package func waitForHead(
        within limit: Duration, _ completion: @escaping @Sendable (SeqWait) -> Void
    ) {
        board.waiters.add(nil, needsJoin: true, until: clock.instant + limit, completion)
        // SAFETY: the closure runs on the applier thread, which owns the path.
        nonisolated(unsafe) let owned = path
        _ = queue.push(control: { owned.readHead() })
    }

    /// Hands the lead over to `successor`. What waits in the queue is answered `notLeader`.
    ///
    /// - Parameter completion: Called on the applier thread, with whether the log has it.
    package func stepDown(
        to successor: String, _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        // SAFETY: as in `waitForHead`.
        nonisolated(unsafe) let owned = path
        if !queue.push(control: { completion(owned.handOver(to: successor)) }) {
            completion(false)
        }
    }

    // MARK: States

    package var status: StoreStatus {
        if figures.status.phase == .closed { return figures.status }
        let state = board.state
        if case .stopped(let stop) = state.role {
            return StoreStatus(phase: .stopped, reason: "\(stop.rawValue): \(stop.reason)")
        }
        if let trouble = board.engine.trouble {
            return StoreStatus(
                phase: .away, reason: "the shared log gives no answer: \(trouble.error)")
        }
        guard state.role != .leader else { return StoreStatus(phase: .ready) }
        return StoreStatus(
            phase: .following,
            reason: state.leader.map { "the replica \($0.name) leads" } ?? "no replica leads")
    }

    package var metrics: StoreMetrics {
        var metrics = figures.metrics
        metrics.queued = queue.count
        return metrics
    }

    package func reopen() throws(StoreError) {
        if figures.status.phase == .closed { throw .closed }
    }

    /// Waits for the applier; must not be called from a completion or an observer. The lead is not
    /// handed over: that is `stepDown`, before.
    package func close() {
        queue.close()
        board.waiters.close()
        for thread in threads { thread.join() }
        figures.status = StoreStatus(phase: .closed, reason: "the store is closed")
    }
}
