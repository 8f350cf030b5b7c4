package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import Glibc

/// A store that is one of several over a shared log. See `ReplicaPath`.
package final class ReplicaStore: EntityStore {
    /// What a replica does otherwise in a simulation.
    struct Drive {
        /// Of this process: replicas that have one name are told apart by it.
        var instance = UInt64.random(in: 1...UInt64.max)
        var sleep: (Duration) -> Void = { usleep(UInt32(clamping: Int64($0 / .microseconds(1)))) }
        var random: (ClosedRange<Double>) -> Double = { Double.random(in: $0) }
    }

    package let settings: ReplicaSettings
    package var instance: UInt64 { path.instance }
    let options: FileStoreOptions
    let tables: EntityTables
    let queue: CommitQueue
    let keeper: StoreKeeper
    private let figures: StoreFigures
    private let board: ReplicaBoard
    private let log: any SharedLog
    private let clock: any StoreClock
    // SAFETY: used by the applier thread alone; in a stepped store by whoever steps it.
    nonisolated(unsafe) let path: ReplicaPath
    private let threads: [WriterThread]
    private let hasClosed = Counter()
    private let hasHeard = Counter()

    /// Reads what the directory has, then begins to follow the log from there on, and to lead where
    /// nobody does. What is read before it has joined (`whenJoined`) may be older than what was shown
    /// before.
    ///
    /// - Parameters:
    ///   - options: Of these the durability and types in memory are not looked at: everything is in
    ///     the log.
    ///   - log: Used by this call and by the store's applier thread alone.
    ///   - progress: As in `FileStore.open`.
    ///   - onChange: Hears of each change of the state but that of the log's end, on the applier
    ///     thread: hand over and return.
    /// - Throws: `.logAway` where the directory is empty and the engine gives no answer; `.damaged`
    ///   and `.needsBackup` where it has to be restored from another replica: ReplicaDirectory.
    package static func open(
        _ options: FileStoreOptions, _ settings: ReplicaSettings, log: any SharedLog,
        rules: (any EntityRules)? = nil, observer: (any CommitObserver)? = nil,
        logger: Log = Log(), progress: (RecoveryProgress) -> Void = { _ in },
        onChange: @escaping @Sendable (ReplicaState) -> Void = { _ in }
    ) throws(StoreError) -> ReplicaStore {
        let parts = StoreParts(
            files: POSIXFileSystem(), rules: rules, observer: observer, log: logger,
            clock: AwakeClock())
        return try open(
            options, settings: settings, log: log, parts: parts, drive: Drive(), progress: progress,
            onChange: onChange)
    }

    static func open(
        _ options: FileStoreOptions, settings: ReplicaSettings, log: any SharedLog,
        parts: StoreParts, drive: Drive, progress: (RecoveryProgress) -> Void = { _ in },
        onChange: @escaping @Sendable (ReplicaState) -> Void = { _ in }
    ) throws(StoreError) -> ReplicaStore {
        var options = options
        options.isReplica = true
        options.durability = .full
        options.memoryTypes = []
        options.syncedTypes = []
        if try !ReplicaDirectory.isOwned(options.directory, parts.files) {
            options.origin = try origin(options.directory, log, drive.instance)
        }
        let opened = try OpenedStore.open(
            options, parts, headRoom: LogFormat.frameHeaderLength + SharedFrame.length,
            // With one more transaction it is mostly one record.
            frameLimit: log.recordLimit / 2,
            progress: progress)
        guard let position = opened.position, opened.isWhole else {
            opened.sink.abandon()
            let damage = LogDamage(
                file: LogFormat.segmentName(opened.planner.nextSeq), offset: 0, lost: nil,
                finding: "the log skips a seq of the shared log")
            throw .damaged(directory: options.directory, [damage])
        }
        do throws(SystemFault) {
            let store = try ReplicaStore(
                settings, log: log, opened: opened, position: position, clock: parts.clock,
                drive: drive, onChange: onChange)
            store.keeper.beginScrubbing()
            return store
        } catch {
            opened.sink.abandon()
            throw .system(directory: options.directory, error)
        }
    }

    /// What a server whose directory is empty needs of another one: a backup that has all before a commit,
    /// and who leads; nil where `log` has everything.
    ///
    /// - Throws: `.logAway`, also where there is no log.
    package static func lack(
        of log: any SharedLog
    ) throws(StoreError) -> (peer: String, behind: Cursor)? {
        let (_, head) = try LogRenewal.read(log)
        return head.floor == 1 ? nil : (head.url, head.first)
    }

    /// Where the leader that `log` names takes requests; nil where that is not known. Waits for the engine.
    package static func leader(of log: any SharedLog) -> String? {
        (try? LogRenewal.read(log))?.head.url
    }

    /// Where the log begins, for a directory that is to be made.
    private static func origin(
        _ directory: String, _ log: any SharedLog, _ instance: UInt64
    ) throws(StoreError) -> (epoch: Epoch, position: ClusterPosition) {
        let found: LogHead?
        do throws(LogTrouble) {
            found = try ReplicaPath.find(log, instance: instance)
        } catch {
            throw .logAway(reason: error.text)
        }
        guard let head = found else { throw .logAway(reason: ReplicaStop.tooOld.reason) }
        guard head.floor == 1 else {
            throw .needsBackup(directory: directory, peer: head.url, behind: head.first)
        }
        let position = ClusterPosition(
            cluster: head.cluster, chain: SharedFrame.seed(of: head.cluster))
        return (head.epoch, position)
    }

    private init(
        _ settings: ReplicaSettings, log: any SharedLog, opened: OpenedStore,
        position: ClusterPosition, clock: any StoreClock, drive: Drive,
        onChange: @escaping @Sendable (ReplicaState) -> Void
    ) throws(SystemFault) {
        self.settings = settings
        self.log = log
        self.clock = clock
        keeper = StoreKeeper(opened)
        options = keeper.options
        tables = opened.tables
        queue = opened.queue
        figures = keeper.figures
        board = ReplicaBoard(clock: clock)
        board.waiters.advance(to: opened.planner.nextSeq - 1)
        board.applied.set(Int(opened.planner.nextSeq) - 1)
        path = ReplicaPath(
            settings, log: log, opened: opened, position: position, clock: clock, board: board,
            instance: drive.instance, sleep: drive.sleep, random: drive.random)
        path.onChange = onChange
        threads =
            options.isStepped
            ? [] : try Self.threads(path, queue: queue, figures: figures, board: board)
    }

    private static func threads(
        _ path: ReplicaPath, queue: CommitQueue, figures: StoreFigures, board: ReplicaBoard
    ) throws(SystemFault) -> [WriterThread] {
        // SAFETY: handed to the thread, which is the only one to use it from here on.
        nonisolated(unsafe) let owned = path
        return try WriterThread.start([
            {
                var batch: [Submission] = []
                while owned.step(&batch, waiting: true) {}
                owned.finish()
            },
            {
                var late: [Submission] = []
                while queue.takeLate(into: &late) {
                    figures.overloaded.add(late.count)
                    let isAway = !board.mayStart
                    for submission in late {
                        submission.completion(isAway ? .logAway(unknown: false) : .overloaded)
                    }
                    late.removeAll()
                }
            },
            { board.waiters.run() },
        ])
    }

    /// Does the next thing that is due, in a stepped store. - Returns: Was there one?
    func step() -> Bool {
        precondition(options.isStepped, "only a stepped store is stepped")
        var batch: [Submission] = []
        let isBusy = path.step(&batch, waiting: false)
        _ = path.cache.compactor.runPending()
        return isBusy
    }

    // MARK: Reading

    package func document(_ type: TypeName, _ id: EntityID) -> Document? {
        tables.document(type, id)
    }

    package func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document? {
        tables.document(type, idBytes: idBytes)
    }

    package func view(_ type: TypeName) -> TableView? { tables.view(type) }

    package func views(of types: Set<TypeName>?) -> StoreViews { tables.views(of: types) }
    package func firstTypes(_ most: Int) -> [TypeName] { tables.firstTypes(most) }

    package var cursor: Cursor { tables.cursor }

    package func indexStatus(_ type: TypeName) -> [IndexStatus] { tables.indexStatus(type) }

    package func beginFetch(_ policy: (any FetchPolicy)?) -> FetchTicket {
        tables.fetches.begin(policy) { tables.cursor.seq }
    }

    package var durability: Durability { .full }
    package func durability(of transaction: Transaction) -> Durability { .full }
    package var disk: (any DiskStore)? { keeper }
    package var replica: ReplicaStore? { self }
    package var immediate: (any ImmediateStore)? { nil }

    // MARK: Writing

    package func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        let size = transaction.estimatedSize
        guard size <= Transaction.mostBytes else {
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

    /// Asks as a write that changes nothing does: with those of its batch, by their step or by one
    /// read of the head.
    package func confirm(_ completion: @escaping @Sendable (WriteOutcome?) -> Void) {
        submit(.question) { outcome in
            if case .done = outcome { completion(nil) } else { completion(outcome) }
        }
    }

    package func withCommitRight(
        _ body: @escaping @Sendable (EntityTablesAccess) -> Void
    ) -> Bool {
        keeper.withCommitRight { [tables] in body(EntityTablesAccess(tables: tables)) }
    }

    // MARK: The cluster

    /// What this replica knows of its cluster.
    package var state: ReplicaState { board.state }

    /// How the engine of the log does.
    package var engine: EngineState { board.engine }

    /// The highest format of frames that this version reads.
    package static var format: UInt16 { SharedFrame.format }

    package var replicaFigures: ReplicaFigures { board.figures }

    /// What the driver tells of the engine.
    package func describeEngine() -> [(name: String, value: String)] { log.describe() }

    /// Does this replica lead, and has the engine answered lately? What only a leader starts, it
    /// starts if this says so.
    package var mayStart: Bool { board.mayStart }

    /// How long nothing was heard of the engine, or what was heard of is not applied yet, where that
    /// is longer than two beats: what is read may be so old. nil: it is of now.
    package var lag: Lag? {
        guard board.hasJoined, let age = board.age else { return .unknown }
        return age > settings.beat * 2 ? .known(age) : nil
    }

    /// Whether what is read here may be older than is allowed.
    package var isTooOld: Bool {
        guard let most = settings.maxLag, let lag else { return false }
        guard case .known(let age) = lag else { return true }
        return age > most
    }

    /// Tells how the server's configuration stands to the log's.
    package func note(_ standing: ConfigurationStanding) { board.note(standing) }

    /// Whether the log has noted another configuration than that of this server.
    package var configurationDiffers: Bool { board.differingFor != nil }

    /// Whether it has done so for longer than reads are answered.
    package var isOutlived: Bool {
        board.differingFor.map { $0 > settings.configurationGrace } ?? false
    }

    package enum Lag: Equatable, Sendable {
        case known(Duration)
        /// Nothing was ever heard, or not all of what the log had at the start is here.
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
        // However many ask, one reading waits in the queue.
        guard board.waiters.add(nil, needsJoin: true, until: clock.instant + limit, completion)
        else { return }
        // SAFETY: the closure runs on the applier thread, which owns the path.
        nonisolated(unsafe) let owned = path
        _ = queue.push(control: { owned.readHead() })
    }

    /// Hands the lead over to `successor`. What waits in the queue is answered `notLeader`.
    ///
    /// - Parameter completion: Called on the applier thread, with whether the log has it; nil: nobody
    ///   knows yet.
    package func stepDown(
        to successor: String, _ completion: @escaping @Sendable (Bool?) -> Void
    ) {
        // SAFETY: as in `waitForHead`.
        nonisolated(unsafe) let owned = path
        if !queue.push(control: { completion(owned.handOver(to: successor)) }) {
            completion(false)
        }
    }

    /// Another server takes part: the log is told, so that whoever leads knows of it for ever. Any
    /// thread.
    package func heardOfOthers() {
        guard hasHeard.value == 0 else { return }
        hasHeard.set(1)
        // SAFETY: as in `waitForHead`.
        nonisolated(unsafe) let owned = path
        _ = queue.push(control: { owned.heardOfOthers() })
    }

    /// Has the log give up what it need not have any more, and frames be of a newer format where all
    /// replicas read it. Once a minute, where this replica leads.
    ///
    /// - Parameters:
    ///   - posts: What the other replicas have said of themselves last: `replicaFigures.applied` and
    ///     `metrics.snapshotSeq` there.
    ///   - isFilling: The engine's space runs short: less is kept.
    ///   - completion: Called on the applier thread, with whether all that is due is done.
    package func truncate(
        by posts: [ReplicaPost], isFilling: Bool = false,
        _ completion: @escaping @Sendable (Bool) -> Void
    ) {
        // SAFETY: as in `waitForHead`.
        nonisolated(unsafe) let owned = path
        let isQueued = queue.push(control: {
            owned.raiseFormat(by: posts)
            completion(owned.truncate(by: posts, isFilling: isFilling))
        })
        if !isQueued { completion(false) }
    }

    /// Has `onChange` hear of the state as it is, on the applier's thread; not where that has ended. Any
    /// thread.
    package func announce() {
        // SAFETY: as in `waitForHead`.
        nonisolated(unsafe) let owned = path
        _ = queue.push(control: { owned.announce() })
    }

    /// Writes are refused from when on this replica, which leads, has put `room` bytes more than `put`: what it
    /// had when the engine was looked at, which had so much room before its space is nearly used up. However
    /// much is put before the next look, the engine's own bound is not reached. Any thread.
    ///
    /// - Parameter room: `.max` where it is not known.
    package func engineHasRoom(for room: Int, behind put: Int) {
        board.fills(at: put + min(room, .max - put))
    }

    /// Has this replica make a snapshot where more than `bytes` of its log are in none: what the shared
    /// log gives up is what is in snapshots. Any thread.
    package func wantSnapshot(behind bytes: Int) {
        // SAFETY: as in `waitForHead`.
        nonisolated(unsafe) let owned = path
        _ = queue.push(control: { owned.cache.wantSnapshot(behind: bytes) })
    }

    /// Has the engine give back what truncation has freed. Waits for it; any thread.
    package func makeRoom(while goesOn: () -> Bool) -> String? {
        do throws(LogTrouble) {
            try log.makeRoom(while: goesOn)
            return nil
        } catch {
            return error.text
        }
    }

    // MARK: States

    package var status: StoreStatus {
        if hasClosed.value > 0 { return StoreStatus(phase: .closed, reason: "the store is closed") }
        let state = board.state
        if case .stopped(let stop) = state.role {
            return StoreStatus(
                phase: .stopped,
                reason: "\(stop.rawValue): \(state.stopText ?? stop.reason); \(stop.advice)")
        }
        if board.isFull {
            return StoreStatus(
                phase: .full,
                reason:
                    "the space of the shared log's engine is used up, or nearly: writes go on by"
                    + " themselves once there is room. Give it more (etcd: --quota-backend-bytes), or"
                    + " compact, defragment and, where it has an alarm, disarm it")
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

    /// How its files do: where they have failed it goes on in memory, and others lead.
    package var cacheStatus: StoreStatus { figures.status }

    package var metrics: StoreMetrics {
        var metrics = figures.metrics
        metrics.queued = queue.count
        return metrics
    }

    package func reopen(taken: @escaping @Sendable () -> Void) throws(StoreError) {
        if hasClosed.value > 0 { throw .closed }
    }

    /// Waits for the applier; must not be called from a completion or an observer. The lead is not
    /// handed over: that is `stepDown`, before.
    package func close() {
        hasClosed.set(1)
        keeper.close()
        queue.close()
        board.waiters.close()
        for thread in threads { thread.join() }
    }
}
