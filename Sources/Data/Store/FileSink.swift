import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

/// The files that make commits durable: the log with its marks and the reserve, what follows from
/// failures, and the snapshots (FileSink+Compaction). Used by one thread at a time: the writer's.
final class FileSink {
    enum Write {
        case done, full, failed
    }

    private static let markDelay = Duration.milliseconds(2)
    private static let relaxedDelay = Duration.milliseconds(100)
    static let retryDelay = Duration.seconds(1)
    /// Until an idle store looks again whether others fill its volume.
    private static let lookDelay = Duration.seconds(10)

    let figures: StoreFigures
    let options: FileStoreOptions
    let files: any FileSystem
    let directory: DataDirectory
    let log: Log
    let clock: any StoreClock
    /// Whose frames these files keep: the next seq and the tables are its.
    let planner: BatchPlanner
    var writer: LogWriter
    /// That of `figures.status`, which is behind a lock.
    private(set) var phase = StoreStatus.Phase.ready
    private(set) var hasReserve = false
    /// It was told that none can be had, and is told again once one could.
    private var hasToldOfReserve = false
    private var hasWarned = false
    var nextSpaceCheck: MonotonicInstant
    /// Bytes of frames since the space was looked at, and after how many it is again: what is kept
    /// free must not be filled between two looks.
    private var writtenSinceCheck = 0
    private var spaceStep = 1 << 20
    private var nextSync: MonotonicInstant
    /// A frame of the shared log on its way to the file.
    private var kept = ByteBuffer(capacity: 0)
    /// What is known of snapshots (FileSink+Compaction).
    var compaction: CompactionState
    let compactor: Compactor
    /// An entity in memory was found changed. Set once, before the thread begins.
    var onMemoryError: @Sendable () -> Void = {}
    /// Through which the end of a compaction comes back to this thread.
    let queue: CommitQueue

    init(
        options: FileStoreOptions, files: any FileSystem, directory: DataDirectory,
        planner: BatchPlanner, figures: StoreFigures, log: Log, clock: any StoreClock,
        opened: OpenedLog, leftInLog: [(name: TypeName, table: Table)], queue: CommitQueue
    ) {
        self.options = options
        self.files = files
        self.directory = directory
        self.planner = planner
        self.figures = figures
        self.log = log
        self.clock = clock
        self.queue = queue
        writer = opened.writer
        compaction = CompactionState(
            opened, leftInLog: leftInLog, nextTry: clock.instant)
        compactor = Compactor(isStepped: options.isStepped)
        nextSpaceCheck = clock.instant
        nextSync = clock.instant
        // Where the directory cannot be listed there is nothing to give up either.
        hasReserve =
            (try? files.list(directory.handle))?.contains(DataDirectory.reserveName) ?? false
        figures.freeBytes.set(-1)
        publish(opened)
        publishFigures()
    }

    /// Changes the phase, and tells it to whoever asks for the status.
    func enter(_ next: StoreStatus.Phase, reason: String = "") {
        phase = next
        if next == .failed { compactor.cancel() }
        figures.status = StoreStatus(phase: next, reason: reason)
    }

    /// How long the writer may sleep.
    var patience: Duration? {
        switch phase {
        case .failed, .closed, .following, .away, .stopped: nil
        case .low, .full:
            writer.isSynced ? Self.retryDelay : min(Self.retryDelay, untilSync)
        case .ready:
            if writer.needsMark {
                Self.markDelay
            } else if !writer.isSynced {
                untilSync
            } else {
                options.lowSpace == 0 && (!compaction.isWanted || compaction.isRunning)
                    ? nil : Self.lookDelay
            }
        }
    }

    private var untilSync: Duration { max(.milliseconds(1), nextSync - clock.instant) }

    /// Nothing is queued.
    func idle() {
        guard phase != .failed, phase != .closed else { return }
        // Others fill the volume, too.
        lookForSpace()
        considerCompaction()
        if !writer.isSynced && clock.instant >= nextSync { _ = sync() }
        if phase != .failed && writer.needsMark {
            _ = attempt { () throws(LogFailure) in
                try writer.mark(nextSeq: planner.nextSeq, clean: false)
            }
        }
        publishFigures()
    }

    /// Makes everything durable and says so in the log.
    func finish() {
        if phase != .failed {
            _ = attempt { () throws(LogFailure) in
                try writer.mark(nextSeq: planner.nextSeq, clean: true)
            }
            if phase != .failed {
                // As at the start: the log says all that it must; this guards against its loss.
                try? writer.manifest(snapshot: compaction.snapshot).write(
                    files, directory, retain: options.retain)
            }
        }
        refuseCompactions()
        writer.close()
        if phase != .failed { enter(.closed, reason: "closed") }
        directory.close(files)
    }

    /// Gives the files up, of which nothing was written.
    func abandon() {
        writer.close()
        enter(.closed, reason: "closed")
        directory.close(files)
    }

    // MARK: Frames

    /// Before a batch: a look at the space, where it is due.
    func prepare() {
        if phase != .ready || clock.instant >= nextSpaceCheck { lookForSpace() }
        if phase == .ready && writtenSinceCheck > spaceStep {
            nextSpaceCheck = clock.instant
            lookForSpace()
        }
    }

    /// Behind a batch.
    func settle() {
        considerCompaction()
        publishFigures()
    }

    /// Why a transaction is not even tried now, which is another thing than that it is late.
    func refusal(of transaction: Transaction) -> WriteOutcome? {
        switch phase {
        case .ready: return nil
        case .failed: return .storageFailed(unknown: false)
        case .closed, .following, .away, .stopped: return .closed
        case .low, .full:
            for index in 0..<transaction.count {
                let operation = transaction[index]
                if !operation.isRemoval && !options.memoryTypes.contains(operation.type) {
                    return .storageFull(figures.status.reason)
                }
            }
            return nil
        }
    }

    /// The planner's frame to the disk.
    func append() -> Write {
        CommitEncoder.pad(&planner.frame, from: LogFormat.frameHeaderLength)
        if writer.beginsSegment(with: planner.frame.count, nextSeq: planner.nextSeq) {
            considerCompaction(beginningSegment: true)
        }
        let written = attempt(writing: planner.frame.count) { () throws(LogFailure) in
            try writer.append(
                .commits, firstSeq: planner.nextSeq, commitCount: planner.commits,
                frame: &planner.frame)
        }
        guard case .done = written else { return written }
        writtenSinceCheck += planner.frame.count
        figures.batches.add()
        figures.largestBatch.set(max(figures.largestBatch.value, planner.commits))
        if planner.mustSync || clock.instant >= nextSync { return sync() }
        return .done
    }

    /// Keeps a frame of the shared log, whole, without a sync: `settleKept` follows behind it.
    ///
    /// - Returns: false where it could not be kept. Then the log ends before it, and takes nothing
    ///   more: the next start reads from the shared log what this one lacks.
    func keep(_ bytes: [UInt8], _ shared: SharedFrame) -> Bool {
        prepare()
        // A frame that is left out leaves no room for the next one.
        if phase == .full { enter(.failed, reason: figures.status.reason) }
        guard phase == .ready || phase == .low else { return false }
        kept.reset(capacity: 2 * BatchPlanner.frameBytes)
        for _ in 0..<(LogFormat.frameHeaderLength / 8) { kept.append(littleEndian: UInt64(0)) }
        kept.append(bytes)
        if writer.beginsSegment(with: kept.count, nextSeq: shared.firstSeq) {
            considerCompaction(beginningSegment: true)
        }
        let written = attempt(writing: kept.count) { () throws(LogFailure) in
            try writer.append(shared, frame: &kept)
        }
        guard case .done = written else {
            if phase != .failed { enter(.failed, reason: figures.status.reason) }
            return false
        }
        writtenSinceCheck += kept.count
        figures.batches.add()
        return true
    }

    /// Syncs what is kept, where that is due.
    func settleKept() {
        guard phase != .failed else { return }
        if !writer.isSynced, clock.instant >= nextSync { _ = sync() }
        settle()
    }

    private func sync() -> Write {
        let start = MonotonicInstant.now
        let result = attempt { () throws(LogFailure) in try writer.sync() }
        figures.syncs.add()
        figures.syncDurations.record(since: start, until: .now)
        if options.durability != .full || options.isReplica {
            nextSync = clock.instant + Self.relaxedDelay
        }
        return result
    }

    // MARK: States

    /// Runs a step of the log writer and draws the consequences of its failure.
    ///
    /// - Parameter count: Bytes of the frame that it writes.
    func attempt(writing count: Int = 0, _ body: () throws(LogFailure) -> Void) -> Write {
        do throws(LogFailure) {
            try body()
            return .done
        } catch {
            switch error {
            case .full(let fault):
                if phase == .ready || phase == .low {
                    let space = spaceSentence(
                        for: fault, wanted: max(count, options.allocationStep))
                    enter(.full, reason: "no space for the log (\(fault)); \(space)")
                    log.error(
                        "the disk is full: writes are refused until there is space",
                        [
                            "call": .string(fault.call),
                            "file": .string("\(directory.path)/\(fault.name)"),
                        ])
                }
                nextSpaceCheck = clock.instant + Self.retryDelay
                return .full
            case .failed(let fault):
                // What failed first is what is told: the rest is its consequence.
                if phase == .failed { return .failed }
                enter(.failed, reason: "the log cannot be written: \(fault)")
                log.error(
                    "the log cannot be written: no more writes, reads go on",
                    [
                        "call": .string(fault.call), "errno": .integer(Int(fault.code)),
                        "file": .string("\(directory.path)/\(fault.name)"),
                        "seq": .integer(Int(planner.nextSeq) - 1),
                    ])
                return .failed
            }
        }
    }

    /// Asks how much space is left and whether the log can grow, once a second at most.
    func lookForSpace() {
        guard phase != .failed, phase != .closed, clock.instant >= nextSpaceCheck else { return }
        nextSpaceCheck = clock.instant + Self.retryDelay
        if phase == .full {
            let probe = attempt { () throws(LogFailure) in
                try writer.probe(nextSeq: planner.nextSeq)
            }
            guard case .done = probe else { return }
        }
        // Where the file system cannot tell, the log finds out by itself.
        guard let space = try? files.space(directory.handle) else {
            if phase == .full { enter(.ready) }
            return
        }
        figures.freeBytes.set(space.free)
        writtenSinceCheck = 0
        spaceStep = options.lowSpace == 0 ? .max : options.lowSpace(of: space.total) / 4
        let limit = spaceWanted(of: space.total)
        figures.spaceWanted.set(limit)
        if space.free < limit {
            if phase != .low {
                log.warning(
                    "the disk is nearly full: only removals are accepted",
                    ["free": .integer(space.free), "limit": .integer(limit)])
            }
            enter(.low, reason: Self.sentence(free: space.free, wanted: limit))
            return
        }
        if phase != .ready {
            enter(.ready)
            log.info("there is space again", ["free": .integer(space.free)])
        }
        if space.free < 2 * limit && !hasWarned {
            log.warning("the disk is filling up", ["free": .integer(space.free)])
        }
        hasWarned = space.free < 2 * limit
        if space.free - options.reserve >= limit { keepReserve() }
    }

    /// Bytes that must be free on a volume of `total` bytes for sets to be taken.
    private func spaceWanted(of total: Int) -> Int {
        options.lowSpace == 0 ? 0 : max(options.lowSpace(of: total), spaceForCompaction)
    }

    /// How much is free and how much is wanted, now; or what else than space has run out.
    ///
    /// - Parameter count: Bytes that what has failed takes.
    func spaceSentence(for fault: SystemFault, wanted count: Int) -> String {
        guard let space = try? files.space(directory.handle) else {
            return "how much is free is not known"
        }
        let wanted = max(spaceWanted(of: space.total), count)
        guard space.free >= wanted else { return Self.sentence(free: space.free, wanted: wanted) }
        let reason =
            switch fault.code {
            case EDQUOT: "a quota is used up"
            case EFBIG: "files may not be larger (ulimit -f)"
            default: "files or blocks that only others may use have run out"
            }
        return "\(reason), while the volume has \(Self.mebibytes(space.free)) MiB free"
    }

    private static func sentence(free: Int, wanted: Int) -> String {
        "\(mebibytes(free)) MiB are free and \(mebibytes(wanted)) MiB are wanted"
    }

    /// With one decimal.
    private static func mebibytes(_ bytes: Int) -> String {
        // What file systems tell may be as much as there are numbers.
        let tenths = (bytes >> 20) * 10 + ((bytes & 0xF_FFFF) * 10) >> 20
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Makes the reserve file where it is missing; a store without one works as well.
    private func keepReserve() {
        guard !hasReserve, options.reserve > 0 else { return }
        do throws(SystemFault) {
            let file = try files.open(DataDirectory.reserveName, in: directory.handle, .make)
            defer { files.close(file) }
            if try files.size(file) < options.reserve {
                try files.allocate(file, offset: 0, count: options.reserve)
            }
            hasReserve = true
            hasToldOfReserve = false
        } catch {
            if !hasToldOfReserve {
                log.warning("no space could be reserved", ["call": .string(error.call)])
            }
            hasToldOfReserve = true
            // Part of a reserve is of no use; if it cannot be removed, the next start completes it.
            try? files.remove(DataDirectory.reserveName, in: directory.handle)
        }
    }

    func giveUpReserve() {
        guard hasReserve else { return }
        hasReserve = false
        do throws(SystemFault) {
            try files.remove(DataDirectory.reserveName, in: directory.handle)
        } catch {
            log.warning("the reserve could not be given up", ["call": .string(error.call)])
        }
    }

    func publishFigures() {
        // A writer that has failed knows its segments no more; the last figures stand.
        guard phase != .failed else { return }
        figures.logBytes.set(writer.bytes(from: 0))
        figures.segments.set(writer.segments)
        figures.logBytesBehind.set(writer.bytes(from: compaction.firstSeq))
        figures.activeSegment.set(writer.isActive ? Int(writer.activeSegment) : 0)
        figures.durableSeq.set(Int(writer.isSynced ? planner.nextSeq - 1 : writer.durableSeq))
    }

    /// Tells what a start, or the log's reopening, has read.
    private func publish(_ opened: OpenedLog) {
        figures.snapshotSeq.set(Int(opened.snapshot?.seq ?? 0))
        figures.snapshotBytes.set(opened.snapshot?.length ?? 0)
        figures.leftInLogBytes.set(compaction.leftInLogBytes)
        figures.board.record(opened, at: clock.wallTime)
    }

    // MARK: Reopening

    /// Reads the log from the disk, takes over what it holds beyond what is served, writes again. A
    /// full disk is looked at without the wait for the next look.
    ///
    /// - Returns: Whether the log was read.
    func reopen() throws(StoreError) -> Bool {
        nextSpaceCheck = clock.instant
        lookForSpace()
        guard phase == .failed else { return false }
        // It must not delete what is being read.
        compactor.cancelAndWait()
        let replay = LogReplay(memoryTypes: options.memoryTypes) { _ in }
        let opened = try OpenedLog.open(
            options, files: files, directory: directory, clock: clock, replay: replay)
        // Commits that are not logged, or not synced yet, are served and not promised.
        let isPromised = options.memoryTypes.isEmpty && options.durability == .full
        let promised = isPromised ? planner.tables.cursor.seq : writer.durableSeq
        guard opened.nextSeq > promised else {
            opened.writer.close()
            throw .behind(directory: directory.path, disk: opened.nextSeq - 1, served: promised)
        }
        let recovered = replay.finish()
        planner.resume(behind: opened, recovered.tables)
        compaction.take(opened, leftInLog: recovered.leftInLog)
        publish(opened)
        writer = opened.writer
        enter(.ready)
        lookForSpace()
        publishFigures()
        log.info(
            "the log is verified and written again", ["seq": .integer(Int(planner.nextSeq) - 1)])
        return true
    }
}
