package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import Glibc

/// A store whose commits are in a synced log before anyone sees them. See `CommitPath`.
package final class FileStore: EntityStore, DiskStore {
    let options: FileStoreOptions
    let tables: EntityTables
    private let queue: CommitQueue
    private let figures: StoreFigures
    let keeper: StoreKeeper
    // SAFETY: used by the writer thread alone; in a stepped store by whoever steps it, one caller
    // at a time.
    nonisolated(unsafe) private let path: CommitPath
    /// The writer, and what refuses what has waited too long while that is busy; none in a stepped
    /// store.
    private let threads: [WriterThread]

    private init(_ opened: OpenedStore) throws(SystemFault) {
        keeper = StoreKeeper(opened)
        options = keeper.options
        tables = opened.tables
        queue = opened.queue
        figures = keeper.figures
        path = CommitPath(opened.planner, opened.sink, queue: queue)
        // SAFETY: handed to the thread, which is the only one to use it from here on.
        nonisolated(unsafe) let owned = path
        let late: @Sendable () -> Void = { [figures, queue] in
            var late: [Submission] = []
            while queue.takeLate(into: &late) {
                figures.overloaded.add(late.count)
                for submission in late { submission.completion(.overloaded) }
                late.removeAll()
            }
        }
        threads = options.isStepped ? [] : try WriterThread.start([{ owned.run() }, late])
        guard options.isStepped else { return }
        keeper.run = { [unowned self] between in
            if let between { runQueue(between: between) } else { stepQueue() }
        }
    }

    /// Opens or makes a data directory, replays its log, and starts the writer.
    ///
    /// - Parameter progress: Called on this thread after each segment.
    /// - Throws: What keeps the directory from being used; nothing was changed then, but for an
    ///   unfinished creation.
    /// - Complexity: O(bytes of the log); about 1 s for 1 M entities of 300 bytes.
    package static func open(
        _ options: FileStoreOptions, files: any FileSystem = POSIXFileSystem(),
        rules: (any EntityRules)? = nil, observer: (any CommitObserver)? = nil, log: Log = Log(),
        clock: any StoreClock = SystemClock(), progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> FileStore {
        let opened = try OpenedStore.open(
            options,
            StoreParts(files: files, rules: rules, observer: observer, log: log, clock: clock),
            progress: progress)
        do throws(SystemFault) {
            let store = try FileStore(opened)
            store.keeper.beginScrubbing()
            return store
        } catch {
            opened.sink.abandon()
            throw .system(directory: options.directory, error)
        }
    }

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

    package func beginFetch(_ policy: (any FetchPolicy)?) -> FetchTicket {
        tables.fetches.begin(policy) { tables.cursor.seq }
    }

    package var durability: Durability { options.durability }
    package var disk: (any DiskStore)? { self }
    package var immediate: (any ImmediateStore)? { nil }
    package func durability(of transaction: Transaction) -> Durability {
        options.durability(of: transaction)
    }

    package var status: StoreStatus { figures.status }

    package func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        let size = transaction.estimatedSize
        guard size <= Transaction.mostBytes else {
            completion(.rejected(operation: 0, .tooLarge))
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

    /// Is it driven by its caller?
    var isStepped: Bool { options.isStepped }

    /// Does what is due when nothing is queued, in a stepped store.
    func idle() {
        precondition(options.isStepped, "only a stepped store is stepped")
        path.sink.idle()
    }

    /// Runs all that is queued, in a stepped store.
    func runQueue(between: @escaping () -> Void = {}) {
        precondition(options.isStepped, "only a stepped store is stepped")
        repeat {
            while path.step(waiting: false) {}
        } while path.sink.compactor.runPending(between: between)
    }

    package var metrics: StoreMetrics {
        var metrics = figures.metrics
        metrics.queued = queue.count
        return metrics
    }

    package func indexStatus(_ type: TypeName) -> [IndexStatus] { tables.indexStatus(type) }

    package func withCommitRight(
        _ body: @escaping @Sendable (EntityTablesAccess) -> Void
    ) -> Bool {
        keeper.withCommitRight { [tables] in body(EntityTablesAccess(tables: tables)) }
    }

    /// Waits for the writer; must not be called from a completion or an observer.
    package func reopen(
        taken: @escaping @Sendable () -> Void = {}
    ) throws(StoreError) {
        try keeper.ask({}) { sink, give in
            give(Result { () throws(StoreError) in if try sink.reopen() { taken() } })
        }
    }

    /// Runs what is queued and no compaction, in a stepped store.
    func stepQueue() {
        precondition(options.isStepped, "only a stepped store is stepped")
        while path.step(waiting: false) {}
    }

    // MARK: Its files

    package var recovery: RecoveryReport { keeper.recovery }
    package func compact() throws(StoreError) -> CompactionReport { try keeper.compact() }
    package func scrub() -> ScrubReport { keeper.scrub() }
    package func backup() throws(StoreError) -> BackupSource { try keeper.backup() }
    package func report() throws(StoreError) -> DiskReport { try keeper.report() }

    /// Waits for the writer; must not be called from a completion or an observer.
    package func close() {
        keeper.close()
        queue.close()
        for thread in threads { thread.join() }
        if options.isStepped {
            runQueue()
            path.sink.finish()
        }
    }
}
