import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

// # The commit path of the file store
//
// All writes of a process go through one thread, one batch at a time:
//
//     take the whole queue → judge each transaction against what is stored and what the batch will
//     store → encode the accepted ones as one frame → pwrite → fdatasync → apply to the tables →
//     observer → answers
//
// so that nothing is visible before it is durable, and nothing is answered before it is visible.
// Batches form by themselves: while a sync runs, the next batch gathers in the queue. There is no
// timer that waits for more.
//
// Who owns what. The queue is shared and bounded (`CommitQueue`). The tables belong to readers and
// this thread (`EntityTables`): it alone changes them, under their lock, for each commit by itself.
// Everything in `CommitPath` belongs to the writer thread, but for `shared`, which is what status
// and metrics read.
//
// Failures. The log writer knows two (`LogFailure`):
//  * full: nothing of the batch is in the log, the file ends where it ended before. Sets get
//    `.storageFull`; removals are tried once more after the reserve file is given up. From then on
//    only removals are tried until, a second later at the earliest, space can be taken ahead again.
//  * failed: whether the batch is on the disk cannot be known, and a second sync would lie (the
//    kernel reports a lost page once). Its transactions get `.storageFailed(unknown: true)`, all
//    others `.storageFailed(unknown: false)`; the file is closed and not touched again; reads go
//    on at the last durable seq. `reopen` reads the log from the disk, takes over what it holds
//    beyond that seq, and begins anew.
//
// What this rests on: a sync that answers success has written all that was written before it. A device
// that takes part of a write for the whole of it cannot be found out by any call (a loop device on a
// sparse file whose file system is full: cases_disk.py has the evidence).
//
// Answers that depend on the batch (a failed condition that shows a document of it) wait for the
// batch and share its fate, because they would show what is not durable yet.
//
// A mark follows when the queue has been dry for 2 ms: it tells the file which seq is synced, which
// is what lets the next start tell a damaged last frame from an unfinished one.

/// The writer's side of a file store. Used by one thread at a time.
final class CommitPath {
    /// What status and metrics show; any thread.
    final class Shared: Sendable {
        private let lock = Lock()
        // SAFETY: touched under `lock` alone.
        nonisolated(unsafe) private var currentStatus = StoreStatus(phase: .ready)
        let commits = Counter()
        let batches = Counter()
        let largestBatch = Counter()
        let syncs = Counter()
        let syncDurations = Histogram()
        let commitDurations = Histogram()
        let logBytes = Counter()
        let segments = Counter()
        let freeBytes = Counter()
        let overloaded = Counter()
        let snapshots = Counter()
        let snapshotFailures = Counter()
        let snapshotSeq = Counter()
        let snapshotBytes = Counter()
        let snapshotNanoseconds = Counter()
        /// ms since 1970.
        let snapshotTime = Counter()
        let memoryErrors = Counter()
        let scrubs = Counter()
        let scrubBytes = Counter()
        let scrubDamages = Counter()
        let scrubNanoseconds = Counter()
        /// ms since 1970.
        let scrubTime = Counter()

        var status: StoreStatus {
            get { lock.withLock { currentStatus } }
            set { lock.withLock { currentStatus = newValue } }
        }
    }

    private struct Planned {
        let submission: Submission
        var outcome: WriteOutcome
        /// The end of its changes among the batch's; 0 where it has none.
        var end = 0
        var seq: UInt64 = 0
    }

    enum Write {
        case done, full, failed
    }

    static let batchBytes = 8 << 20
    /// Bytes of entities that the transactions of a batch make the writer rewrite, beside one that
    /// makes it rewrite more: those behind it are answered first.
    static let batchWork = 16 << 20
    static let markDelay = Duration.milliseconds(2)
    static let relaxedDelay = Duration.milliseconds(100)
    static let retryDelay = Duration.seconds(1)

    let shared = Shared()
    let options: FileStoreOptions
    let files: any FileSystem
    let directory: DataDirectory
    let tables: EntityTables
    private let observer: (any CommitObserver)?
    let log: Log
    let clock: any StoreClock
    private var evaluator: CommitEvaluator
    var writer: LogWriter
    private(set) var epoch: Epoch
    private(set) var nextSeq: UInt64
    private(set) var lastTime: Int64
    private var frame = ByteBuffer(capacity: 64 << 10)
    /// What came from the queue; empty between two batches.
    private var batch: [Submission] = []
    private var planned: [Planned] = []
    /// When the batch in the making was begun, or its last heavy transaction done.
    private var planningTime: MonotonicInstant
    /// That of `shared.status`, which is behind a lock.
    private(set) var phase = StoreStatus.Phase.ready
    /// One of the batch's commits touches a type that the log holds.
    private var isLogged = false
    /// A commit of the batch in the making promises to be on the disk when it is answered.
    private var mustSync = false
    private var hasReserve = false
    private var hasWarned = false
    var nextSpaceCheck: MonotonicInstant
    /// Bytes of frames since the space was looked at, and after how many it is again: what is kept
    /// free must not be filled between two looks.
    private var writtenSinceCheck = 0
    private var spaceStep = 1 << 20
    private var nextSync: MonotonicInstant
    /// What is known of snapshots (CommitPath+Compaction).
    var compaction: CompactionState
    let compactor: Compactor
    /// An entity in memory was found changed. Set once, before the thread begins.
    var onMemoryError: @Sendable () -> Void = {}
    /// Through which the end of a compaction comes back to this thread.
    let queue: CommitQueue

    init(
        options: FileStoreOptions, files: any FileSystem, directory: DataDirectory,
        tables: EntityTables, rules: (any EntityRules)?, observer: (any CommitObserver)?,
        log: Log, clock: any StoreClock, opened: OpenedLog,
        leftInLog: [(name: TypeName, table: Table)], queue: CommitQueue
    ) {
        self.options = options
        self.files = files
        self.directory = directory
        self.tables = tables
        self.observer = observer
        self.log = log
        self.clock = clock
        self.queue = queue
        writer = opened.writer
        epoch = opened.epoch
        nextSeq = opened.nextSeq
        lastTime = opened.lastTime
        compaction = CompactionState(
            opened, leftInLog: leftInLog, nextTry: clock.instant)
        compactor = Compactor(isStepped: options.isStepped)
        evaluator = CommitEvaluator(
            tables: tables, rules: rules, maximumEntity: options.maximumEntity,
            maximumEntities: options.maximumEntities)
        nextSpaceCheck = clock.instant
        nextSync = clock.instant
        planningTime = clock.instant
        // Where the directory cannot be listed there is nothing to give up either.
        hasReserve =
            (try? files.list(directory.handle))?.contains(DataDirectory.reserveName) ?? false
        shared.freeBytes.set(-1)
        publishFigures()
    }

    /// Changes the phase, and tells it to whoever asks for the status.
    func enter(_ next: StoreStatus.Phase, reason: String = "") {
        phase = next
        if next == .failed { compactor.cancel() }
        shared.status = StoreStatus(phase: next, reason: reason)
    }

    // MARK: The loop

    /// Runs until the queue is closed and empty.
    func run() {
        considerCompaction()
        while step(waiting: true) {}
        finish()
    }

    /// Does the next thing that is due.
    ///
    /// - Returns: false where the queue is closed and empty, or, not waiting, where nothing is due.
    func step(waiting: Bool) -> Bool {
        switch queue.take(into: &batch, waitingAtMost: waiting ? patience : .zero) {
        case .batch:
            write(batch)
            batch.removeAll(keepingCapacity: batch.capacity <= 4_096)
            return true
        case .control(let control):
            control()
            return true
        case .timeout:
            if waiting { idle() }
            return waiting
        case .closed:
            return false
        }
    }

    /// How long the writer may sleep.
    private var patience: Duration? {
        switch phase {
        case .failed, .closed: nil
        case .low, .full: Self.retryDelay
        case .ready:
            if writer.needsMark {
                Self.markDelay
            } else if !writer.isSynced {
                max(.zero + .milliseconds(1), nextSync - clock.instant)
            } else {
                nil
            }
        }
    }

    /// Nothing is queued.
    func idle() {
        guard phase != .failed, phase != .closed else { return }
        if phase != .ready { lookForSpace() }
        considerCompaction()
        if !writer.isSynced && clock.instant >= nextSync { _ = sync() }
        if phase != .failed && writer.needsMark {
            _ = attempt { () throws(LogFailure) in
                try writer.mark(nextSeq: nextSeq, clean: false)
            }
        }
        publishFigures()
    }

    /// Makes everything durable and says so in the log.
    func finish() {
        if phase != .failed {
            _ = attempt { () throws(LogFailure) in
                try writer.mark(nextSeq: nextSeq, clean: true)
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

    // MARK: Batches

    func write(_ submissions: [Submission]) {
        if phase != .ready || clock.instant >= nextSpaceCheck { lookForSpace() }
        if phase == .ready && writtenSinceCheck > spaceStep {
            nextSpaceCheck = clock.instant
            lookForSpace()
        }
        commit(submissions, retriesRemovals: true)
        considerCompaction()
        publishFigures()
    }

    /// Plans, writes and answers `submissions` in as many batches as they take.
    private func commit(_ submissions: [Submission], retriesRemovals: Bool) {
        let isAlone = submissions.count == 1
        var index = 0
        while index < submissions.count {
            beginBatch()
            while index < submissions.count
                && (planned.isEmpty
                    || frame.count < Self.batchBytes && evaluator.batchWork < Self.batchWork)
                && plan(submissions[index], alone: isAlone)
            {
                index += 1
            }
            endBatch(retriesRemovals: retriesRemovals)
        }
    }

    private func beginBatch() {
        precondition(
            planned.isEmpty && commitsPlanned == 0, "the batch before was answered, all of it")
        evaluator.reset()
        planned.removeAll(keepingCapacity: true)
        frame.reset(capacity: 2 * Self.batchBytes)
        LogWriter.beginFrame(&frame)
        isLogged = false
        mustSync = false
        planningTime = clock.instant
    }

    /// Judges a transaction and encodes what comes of it.
    ///
    /// - Returns: false where the frame has no room for it beside the others: nothing was done, and
    ///   it has to be the first of the next batch.
    private func plan(_ submission: Submission, alone: Bool) -> Bool {
        if let refusal = refusal(of: submission) {
            planned.append(Planned(submission: submission, outcome: refusal))
            return true
        }
        let seq = nextSeq + UInt64(commitsPlanned)
        let workBefore = evaluator.batchWork
        defer {
            if evaluator.batchWork - workBefore > 1 << 20 { planningTime = clock.instant }
        }
        switch evaluator.evaluate(submission.transaction, seq: seq, alone: alone) {
        case .rejected(let operation, let rejection):
            let outcome = WriteOutcome.rejected(operation: operation, rejection)
            planned.append(Planned(submission: submission, outcome: outcome))
        case .idle(let first, let rest):
            let receipt = WriteReceipt(
                cursor: Cursor(epoch: epoch, seq: seq - 1), changed: false,
                durability: options.durability(of: submission.transaction), first: first,
                rest: rest)
            planned.append(Planned(submission: submission, outcome: .done(receipt)))
        case .commit(let firstChange, let isChanged, let first, let rest):
            let start = frame.count
            let logged = encode(submission.transaction, from: firstChange, seq: seq)
            if frame.count - LogFormat.frameHeaderLength > LogFormat.maximumPayload - 8 {
                frame.truncate(to: start)
                evaluator.undo(to: firstChange)
                guard commitsPlanned == 0 else { return false }
                planned.append(
                    Planned(
                        submission: submission,
                        outcome: .rejected(operation: 0, .tooLarge)))
                return true
            }
            isLogged = isLogged || logged
            let durability = options.durability(of: submission.transaction)
            mustSync = mustSync || logged && durability == .full
            let receipt = WriteReceipt(
                cursor: Cursor(epoch: epoch, seq: seq), changed: isChanged,
                durability: logged || !isChanged ? durability : .memory, first: first,
                rest: rest)
            planned.append(
                Planned(
                    submission: submission, outcome: .done(receipt),
                    end: evaluator.changes.count, seq: seq))
            commitsPlanned += 1
        }
        return true
    }

    /// Bytes of the frame in the making.
    var frameLength: Int { frame.count }

    /// Commits of the batch in the making.
    private var commitsPlanned: Int = 0

    /// Why a transaction is not even tried now.
    private func refusal(of submission: Submission) -> WriteOutcome? {
        let transaction = submission.transaction
        switch phase {
        case .ready:
            guard planningTime - submission.since > queue.overloadAfter else { return nil }
            shared.overloaded.add()
            return .overloaded
        case .failed: return .storageFailed(unknown: false)
        case .closed: return .closed
        case .low, .full:
            for index in 0..<transaction.count {
                let operation = transaction[index]
                if !operation.isRemoval && !options.memoryTypes.contains(operation.type) {
                    return .storageFull(shared.status.reason)
                }
            }
            return nil
        }
    }

    /// Appends a commit to the frame. - Returns: Does the log hold any of it?
    private func encode(_ transaction: Transaction, from firstChange: Int, seq: UInt64) -> Bool {
        let changes = evaluator.changes[firstChange...]
        var count = changes.count
        if !options.memoryTypes.isEmpty {
            count = changes.reduce(0) { $0 + (options.memoryTypes.contains($1.type) ? 0 : 1) }
        }
        lastTime = max(lastTime, clock.wallTime.milliseconds)
        CommitEncoder.appendHead(
            seq: seq, time: lastTime, entryCount: count, tokenName: transaction.tokenName,
            idempotencyKey: transaction.idempotencyKey, to: &frame)
        for change in changes where count == changes.count || isDurable(change.type) {
            guard let image = change.new ?? change.old else { continue }
            CommitEncoder.appendEntry(
                type: change.type, id: image.idBytes, document: change.new, to: &frame)
        }
        return count > 0
    }

    private func isDurable(_ type: TypeName) -> Bool {
        !options.memoryTypes.contains(type)
    }

    /// Writes, syncs, applies and answers the batch.
    private func endBatch(retriesRemovals: Bool) {
        defer { commitsPlanned = 0 }
        guard commitsPlanned > 0 else {
            answer()
            return
        }
        let start = MonotonicInstant.now
        if isLogged {
            switch store() {
            case .done: break
            case .full:
                refuseFull(retriesRemovals: retriesRemovals)
                return
            case .failed:
                for index in planned.indices {
                    planned[index].outcome = .storageFailed(unknown: planned[index].end > 0)
                }
                answer()
                return
            }
        }
        apply()
        answer()
        shared.commitDurations.record(
            MonotonicInstant.now.nanoseconds &- start.nanoseconds, times: commitsPlanned)
    }

    /// The batch's frame to the disk.
    private func store() -> Write {
        CommitEncoder.pad(&frame, from: LogFormat.frameHeaderLength)
        if writer.beginsSegment(with: frame.count, nextSeq: nextSeq) {
            considerCompaction(beginningSegment: true)
        }
        let written = attempt { () throws(LogFailure) in
            try writer.append(
                .commits, firstSeq: nextSeq, commitCount: commitsPlanned, frame: &frame)
        }
        guard case .done = written else { return written }
        writtenSinceCheck += frame.count
        shared.batches.add()
        shared.largestBatch.set(max(shared.largestBatch.value, commitsPlanned))
        if mustSync || clock.instant >= nextSync { return sync() }
        return .done
    }

    private func sync() -> Write {
        let start = MonotonicInstant.now
        let result = attempt { () throws(LogFailure) in try writer.sync() }
        shared.syncs.add()
        shared.syncDurations.record(since: start, until: .now)
        if options.durability != .full { nextSync = clock.instant + Self.relaxedDelay }
        return result
    }

    private func apply() {
        var start = 0
        var next = nextSeq
        // By index: a copy of a plan is a dozen counted references.
        for index in planned.indices where planned[index].end > 0 {
            let end = planned[index].end
            let seq = planned[index].seq
            precondition(seq == next && end > start, "commits have one seq after the other")
            next += 1
            if end - start == 1 {
                let change = evaluator.changes[start]
                tables.apply(evaluator.places[start], old: change.old, new: change.new, seq: seq)
            } else {
                tables.apply(
                    evaluator.changes[start..<end], evaluator.places[start..<end], seq: seq)
            }
            start = end
        }
        precondition(
            next == nextSeq + UInt64(commitsPlanned) && start == evaluator.changes.count,
            "what was planned is applied, and nothing else")
        nextSeq = next
        shared.commits.add(commitsPlanned)
        observer?.committed(evaluator.changes)
    }

    private func answer() {
        for index in planned.indices {
            planned[index].submission.completion(planned[index].outcome)
        }
        planned.removeAll(keepingCapacity: true)
    }

    /// No space: removals get another try with the reserve given up, all else is refused.
    private func refuseFull(retriesRemovals: Bool) {
        var removals: [Submission] = []
        for plan in planned {
            let transaction = plan.submission.transaction
            let isRemoval = (0..<transaction.count).allSatisfy { transaction[$0].isRemoval }
            if retriesRemovals && isRemoval && hasReserve {
                removals.append(plan.submission)
            } else {
                plan.submission.completion(.storageFull(shared.status.reason))
            }
        }
        planned.removeAll(keepingCapacity: true)
        commitsPlanned = 0
        guard !removals.isEmpty else { return }
        giveUpReserve()
        commit(removals, retriesRemovals: false)
    }

    // MARK: States

    /// Runs a step of the log writer and draws the consequences of its failure.
    func attempt(_ body: () throws(LogFailure) -> Void) -> Write {
        do throws(LogFailure) {
            try body()
            return .done
        } catch {
            switch error {
            case .full(let fault):
                if phase == .ready || phase == .low {
                    enter(
                        .full,
                        reason: "no space for the log (\(fault)); \(spaceSentence(for: fault))")
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
                        "seq": .integer(Int(nextSeq) - 1),
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
            let probe = attempt { () throws(LogFailure) in try writer.probe(nextSeq: nextSeq) }
            guard case .done = probe else { return }
        }
        // Where the file system cannot tell, the log finds out by itself.
        guard let space = try? files.space(directory.handle) else {
            if phase == .full { enter(.ready) }
            return
        }
        shared.freeBytes.set(space.free)
        writtenSinceCheck = 0
        spaceStep = options.lowSpace == 0 ? .max : options.lowSpace(of: space.total) / 4
        let limit = spaceWanted(of: space.total)
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
    private func spaceSentence(for fault: SystemFault) -> String {
        guard let space = try? files.space(directory.handle) else {
            return "how much is free is not known"
        }
        let wanted = max(spaceWanted(of: space.total), options.allocationStep)
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
        let tenths = (bytes * 10) >> 20
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
        } catch {
            log.warning("no space could be reserved", ["call": .string(error.call)])
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

    private func publishFigures() {
        // A writer that has failed knows its segments no more; the last figures stand.
        guard phase != .failed else { return }
        shared.logBytes.set(writer.bytes(from: 0))
        shared.segments.set(writer.segments)
    }

    // MARK: Reopening

    /// Reads the log from the disk, takes over what it holds beyond what is served, writes again.
    func reopen() throws(StoreError) {
        guard phase == .failed else { return }
        // It must not delete what is being read.
        compactor.cancelAndWait()
        let replay = LogReplay(memoryTypes: options.memoryTypes) { _ in }
        let opened = try OpenedLog.open(
            options, files: files, directory: directory, clock: clock, replay: replay)
        let served = tables.cursor
        guard
            opened.nextSeq > served.seq || !options.memoryTypes.isEmpty
                || options.durability != .full
        else {
            opened.writer.close()
            throw .behind(
                directory: directory.path, disk: opened.nextSeq - 1, served: served.seq)
        }
        let recovered = replay.finish()
        // Seqs that were shown are never given again, be they in the log or not: streams and tables
        // go on behind them.
        let firstSeq = max(nextSeq, opened.nextSeq)
        nextSeq = firstSeq
        takeOver(recovered.tables, opened)
        precondition(nextSeq >= firstSeq, "no seq is given twice in one process")
        compaction.take(opened, leftInLog: recovered.leftInLog)
        writer = opened.writer
        epoch = opened.epoch
        lastTime = max(lastTime, opened.lastTime)
        enter(.ready)
        nextSpaceCheck = clock.instant
        lookForSpace()
        publishFigures()
        log.info("the log is verified and written again", ["seq": .integer(Int(nextSeq) - 1)])
    }

    /// Replaces the durable types' tables by those read, and tells the observer what differs. What
    /// was shown and is not on the disk is taken back by a commit of its own: it comes behind all
    /// that was shown.
    private func takeOver(_ loaded: [(name: TypeName, table: Table)], _ opened: OpenedLog) {
        let before = tables.views()
        let served = before.cursor.seq
        let takenBack = nextSeq
        var changes: [Change] = []
        for (name, table) in loaded {
            let old = before[name] ?? .empty
            let new = table.view(seq: opened.nextSeq - 1)
            new.forEach { document in
                let stored = old.document(document.idBytes)
                if stored?.revision != document.revision {
                    changes.append(
                        Change(
                            seq: document.revision > served ? document.revision : takenBack,
                            type: name, old: stored, new: document))
                }
            }
            old.forEach { document in
                if new.document(document.idBytes) == nil {
                    changes.append(
                        Change(seq: takenBack, type: name, old: document, new: nil))
                }
            }
        }
        if changes.contains(where: { $0.seq == takenBack }) { nextSeq += 1 }
        tables.load(loaded, cursor: Cursor(epoch: opened.epoch, seq: nextSeq - 1))
        changes.sort { $0.seq < $1.seq }
        if !changes.isEmpty { observer?.committed(changes) }
    }
}
