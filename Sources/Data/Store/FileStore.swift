package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import Glibc

/// A store whose commits are in a synced log before anyone sees them. See `CommitPath`.
package final class FileStore: EntityStore, DiskStore {
    /// What the start found.
    package let recovery: RecoveryReport
    let options: FileStoreOptions
    let tables: EntityTables
    private let queue: CommitQueue
    let figures: StoreFigures
    // SAFETY: used by the writer thread alone; in a stepped store by whoever steps it, one caller
    // at a time.
    nonisolated(unsafe) private let path: CommitPath
    private let thread: WriterThread?
    /// Refuses what has waited too long while the writer is busy.
    private let watch: WriterThread?
    let files: any FileSystem
    /// Closed when the store is.
    let directory: FileHandle
    let identity: StoreIdentity
    let log: Log
    let scrubber = Scrubber()
    /// Held while files are opened beside the writer.
    private let opening = Lock()
    // SAFETY: touched under `opening` alone.
    nonisolated(unsafe) private var hasClosed = false

    private init(
        recovery: RecoveryReport, options: FileStoreOptions, tables: EntityTables,
        queue: CommitQueue, path: CommitPath
    ) {
        self.recovery = recovery
        self.options = options
        self.tables = tables
        self.queue = queue
        self.path = path
        figures = path.sink.figures
        files = path.sink.files
        directory = path.sink.directory.handle
        identity = path.sink.directory.identity
        log = path.sink.log
        path.sink.onMemoryError = { [scrubber] in scrubber.stop.hurry() }
        // SAFETY: handed to the thread, which is the only one to use it from here on.
        nonisolated(unsafe) let owned = path
        thread = options.isStepped ? nil : WriterThread { owned.run() }
        watch =
            options.isStepped
            ? nil
            : WriterThread { [figures] in
                var late: [Submission] = []
                while queue.takeLate(into: &late) {
                    figures.overloaded.add(late.count)
                    for submission in late { submission.completion(.overloaded) }
                    late.removeAll()
                }
            }
    }

    deinit {
        // One that was not closed.
        scrubber.stop.stop()
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
        let start = MonotonicInstant.now
        let directory = try DataDirectory.open(options, files: files, clock: clock)
        do throws(StoreError) {
            var options = options
            // Where the file system cannot tell, it is a large one.
            if let space = try? files.space(directory.handle) {
                options = options.fitted(to: space.total)
            }
            return try withoutActuallyEscaping(progress) { [options] report throws(StoreError) in
                let replay = LogReplay(
                    memoryTypes: options.memoryTypes, observer: observer, report: report)
                let opened = try OpenedLog.open(
                    options, files: files, directory: directory, clock: clock, replay: replay,
                    report: report)
                return assemble(
                    options, files, directory, opened, replay, rules, observer, log, clock, start,
                    report)
            }
        } catch {
            directory.close(files)
            throw error
        }
    }

    private static func assemble(
        _ options: FileStoreOptions, _ files: any FileSystem, _ directory: DataDirectory,
        _ opened: OpenedLog, _ replay: LogReplay, _ rules: (any EntityRules)?,
        _ observer: (any CommitObserver)?, _ log: Log, _ clock: any StoreClock,
        _ start: MonotonicInstant, _ report: (RecoveryProgress) -> Void
    ) -> FileStore {
        let cursor = Cursor(epoch: opened.epoch, seq: opened.nextSeq - 1)
        let tables = EntityTables(cursor: cursor, rules: rules)
        let commits = replay.commits
        let recovered = replay.finish()
        tables.load(
            recovered.tables, cursor: cursor, threads: options.isStepped ? 1 : options.startThreads
        ) { done, all in
            report(
                RecoveryProgress(
                    phase: .indexes, bytesRead: done, bytesTotal: all, commits: commits))
        }
        if !options.memoryTypes.isEmpty {
            observer?.forgot(options.memoryTypes, through: cursor.seq)
        }
        let queue = CommitQueue(
            countLimit: options.queueLimit, byteLimit: options.queueBytes,
            overloadAfter: options.overloadAfter, batchBytes: BatchPlanner.frameBytes,
            clock: clock)
        let figures = StoreFigures()
        let planner = BatchPlanner(
            options: options, tables: tables, rules: rules, observer: observer, clock: clock,
            figures: figures,
            position: CommitPosition(
                epoch: opened.epoch, nextSeq: opened.nextSeq, lastTime: opened.lastTime))
        let sink = FileSink(
            options: options, files: files, directory: directory, planner: planner,
            figures: figures, log: log, clock: clock, opened: opened,
            leftInLog: recovered.leftInLog, queue: queue)
        if opened.isFull {
            sink.enter(.full, reason: "no space for a new segment")
        } else {
            sink.lookForSpace()
        }
        let path = CommitPath(planner, sink, queue: queue)
        var report = RecoveryReport(cursor: cursor)
        report.duration = MonotonicInstant.now - start
        report.entities = recovered.tables.reduce(0) { $0 + $1.table.count }
        report.commits = commits
        report.segments = opened.summary.segments.count
        report.logBytes = opened.summary.bytes
        report.isNew = directory.isNew
        report.wasClosed = directory.isNew || opened.summary.endsClean
        report.torn = opened.summary.torn
        report.aside = opened.aside
        report.leftInLog = recovered.leftInLog.map {
            LeftInLog(type: $0.name, entities: $0.table.count)
        }
        report.snapshotSeq = opened.snapshot?.seq
        report.fallback = opened.fallback
        let store = FileStore(
            recovery: report, options: options, tables: tables, queue: queue, path: path)
        store.beginScrubbing()
        return store
    }

    package func document(_ type: TypeName, _ id: EntityID) -> Document? {
        tables.document(type, id)
    }

    package func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document? {
        tables.document(type, idBytes: idBytes)
    }

    package func view(_ type: TypeName) -> TableView? { tables.view(type) }

    package func views() -> StoreViews { tables.views() }

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
        guard size <= LogFormat.maximumPayload else {
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
        let tables = tables
        guard queue.push(control: { body(EntityTablesAccess(tables: tables)) }) else {
            return false
        }
        if options.isStepped { runQueue() }
        return true
    }

    /// Waits for the writer; must not be called from a completion or an observer.
    package func reopen() throws(StoreError) {
        let reply = AwaitedValue<StoreError?>()
        // SAFETY: the closure runs on the writer thread, which owns the path.
        nonisolated(unsafe) let owned = path
        let accepted = queue.push(control: {
            do throws(StoreError) {
                try owned.sink.reopen()
                reply.give(nil)
            } catch {
                reply.give(error)
            }
        })
        guard accepted else { throw .closed }
        if options.isStepped { runQueue() }
        if let error = reply.wait() { throw error }
    }

    /// Runs what is queued and no compaction, in a stepped store.
    func stepQueue() {
        precondition(options.isStepped, "only a stepped store is stepped")
        while path.step(waiting: false) {}
    }

    /// Writes a snapshot of everything and deletes the files that it makes needless; waits for
    /// that. Writes go on meanwhile. Must not be called from a completion or an observer.
    package func compact() throws(StoreError) -> CompactionReport {
        try compact {}
    }

    /// As `compact`, and sets `damaged` files aside; no generation that needs one counts any more.
    func compact(without damaged: Set<String>) throws(StoreError) -> CompactionReport {
        try compact(without: damaged) {}
    }

    /// - Parameter between: In a stepped store, called after each block that is written or read.
    func compact(
        without damaged: Set<String> = [], between: @escaping () -> Void
    ) throws(StoreError) -> CompactionReport {
        let reply = AwaitedValue<Result<CompactionReport, StoreError>>()
        // SAFETY: the closure runs on the writer thread, which owns the path.
        nonisolated(unsafe) let owned = path
        guard
            queue.push(control: {
                owned.sink.requestCompaction(without: damaged) { reply.give($0) }
            })
        else {
            throw .closed
        }
        if options.isStepped { runQueue(between: between) }
        return try reply.wait().get()
    }

    /// A backup of everything that is committed now. The writer is asked for a list of files between
    /// two batches, which takes some µs; nothing waits for the backup itself. Must not be called from
    /// a completion or an observer.
    ///
    /// - Throws: `.notReadable` where the log cannot be written.
    package func backup() throws(StoreError) -> BackupSource {
        var attempts = 20
        while true {
            attempts -= 1
            let (manifest, cursor) = try pinned()
            do throws(SystemFault) {
                return try opening.withLock { () throws(SystemFault) in
                    if hasClosed { throw SystemFault("openat", "store", EBADF) }
                    return try BackupSource(
                        manifest, cursor, created: .now, writer: options.writerVersion, files,
                        directory)
                }
            } catch {
                if error.code == EBADF { throw .closed }
                // A compaction deletes its files before the writer hears of its end.
                guard error.code == ENOENT, attempts > 0 else {
                    throw .system(directory: options.directory, error)
                }
                usleep(20_000)
            }
        }
    }

    /// What the files of now are.
    func pinned() throws(StoreError) -> (manifest: Manifest, cursor: Cursor) {
        let reply = AwaitedValue<Result<(manifest: Manifest, cursor: Cursor), StoreError>>()
        // SAFETY: the closure runs on the writer thread, which owns the path.
        nonisolated(unsafe) let owned = path
        let accepted = queue.push(control: {
            reply.give(Result { () throws(StoreError) in try owned.sink.pinned() })
        })
        guard accepted else { throw .closed }
        if options.isStepped { stepQueue() }
        return try reply.wait().get()
    }

    /// Waits for the writer; must not be called from a completion or an observer.
    package func close() {
        opening.withLock { hasClosed = true }
        scrubber.stop.stop()
        // A snapshot's file would be of no use: what it says is in the log. But where it takes the
        // place of a damaged file the scrub waits for it, and so does this.
        path.sink.compactor.hurry()
        scrubber.close()
        path.sink.compactor.close()
        queue.close()
        if let thread {
            thread.join()
            watch?.join()
        } else {
            runQueue()
            path.sink.finish()
        }
    }
}
