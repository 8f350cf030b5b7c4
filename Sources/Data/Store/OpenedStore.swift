import FreshetBase
import FreshetEngine
import FreshetQuery

/// What a store is given beside its options.
struct StoreParts {
    var files: any FileSystem
    var rules: (any EntityRules)?
    var observer: (any CommitObserver)?
    var log: Log
    var clock: any StoreClock
    /// That of the queue, which looks at it under its lock; nil: `clock`.
    var queueClock: (any StoreClock)?
}

/// A data directory that was read, and what writes to it: the beginning of a store.
struct OpenedStore {
    let report: RecoveryReport
    let tables: EntityTables
    let queue: CommitQueue
    let planner: BatchPlanner
    let sink: FileSink
    /// Of a replica.
    let position: ClusterPosition?
    /// The log's last seq is that of a commit which was read: none was skipped.
    let isWhole: Bool

    /// Opens or makes a data directory and replays its log.
    ///
    /// - Parameters:
    ///   - headRoom: Bytes before the commits of a frame.
    ///   - frameLimit: Bytes at which one takes no more commits.
    static func open(
        _ options: FileStoreOptions, _ parts: StoreParts,
        headRoom: Int = LogFormat.frameHeaderLength,
        frameLimit: Int = BatchPlanner.frameBytes, progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> OpenedStore {
        let start = MonotonicInstant.now
        let directory = try DataDirectory.open(options, files: parts.files, clock: parts.clock)
        do throws(StoreError) {
            var options = options
            // Where the file system cannot tell, it is a large one.
            if let space = try? parts.files.space(directory.handle) {
                options = options.fitted(to: space.total)
            }
            return try withoutActuallyEscaping(progress) { [options] report throws(StoreError) in
                let replay = LogReplay(
                    memoryTypes: options.memoryTypes, observer: parts.observer, report: report)
                let opened = try OpenedLog.open(
                    options, files: parts.files, directory: directory, clock: parts.clock,
                    replay: replay, report: report)
                return assemble(
                    options, parts: parts, directory: directory, opened: opened, replay: replay,
                    start: start, headRoom: headRoom, frameLimit: frameLimit,
                    report: report)
            }
        } catch {
            directory.close(parts.files)
            throw error
        }
    }

    private static func assemble(
        _ options: FileStoreOptions, parts: StoreParts, directory: DataDirectory,
        opened: OpenedLog, replay: LogReplay, start: MonotonicInstant, headRoom: Int,
        frameLimit: Int, report: (RecoveryProgress) -> Void
    ) -> OpenedStore {
        let cursor = Cursor(epoch: opened.epoch, seq: opened.nextSeq - 1)
        let tables = EntityTables(cursor: cursor, rules: parts.rules)
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
            parts.observer?.forgot(options.memoryTypes, through: cursor.seq)
        }
        let queue = CommitQueue(
            countLimit: options.queueLimit, byteLimit: options.queueBytes,
            overloadAfter: options.overloadAfter, batchBytes: BatchPlanner.frameBytes,
            clock: parts.queueClock ?? parts.clock)
        let figures = StoreFigures()
        let planner = BatchPlanner(
            options: options, tables: tables, rules: parts.rules, observer: parts.observer,
            clock: parts.clock,
            figures: figures,
            position: CommitPosition(
                epoch: opened.epoch, nextSeq: opened.nextSeq, lastTime: opened.lastTime),
            headRoom: headRoom, frameLimit: frameLimit)
        let sink = FileSink(
            options: options, files: parts.files, directory: directory, planner: planner,
            figures: figures, log: parts.log, clock: parts.clock, opened: opened,
            leftInLog: recovered.leftInLog, queue: queue)
        if opened.isFull {
            sink.enter(.full, reason: "no space for a new segment")
        } else {
            sink.lookForSpace()
        }
        var report = RecoveryReport(cursor: cursor)
        report.duration = MonotonicInstant.now - start
        report.entities = recovered.entityCount
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
        return OpenedStore(
            report: report, tables: tables, queue: queue, planner: planner, sink: sink,
            position: opened.position, isWhole: replay.lastSeq == opened.nextSeq - 1)
    }
}
