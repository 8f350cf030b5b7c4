import FreshetBase
import FreshetEngine
import FreshetQuery

/// What the writer thread knows of snapshots.
struct CompactionState {
    /// The newest one that was made or read.
    private(set) var snapshot: Manifest.Snapshot?
    /// Tables that nobody sees and every snapshot has (`RecoveredTables`).
    private(set) var leftInLog: [(name: TypeName, table: Table)]
    /// One is due whatever the log's length.
    private var isAsked: Bool
    /// Files that were found damaged; the next one sets them aside.
    var damaged: Set<String> = []
    /// Another one is due, however long the log is: a file is lost or damaged, or somebody waits for it.
    var isWanted: Bool { isAsked || !damaged.isEmpty }
    /// One was due and had no room.
    var isLate = false
    /// A job is under way: a compaction, or a manifest that names a segment.
    var isRunning = false
    /// First seq of the newest segment that a manifest names.
    var namedSegment: UInt64
    /// When a manifest may be written for another.
    var nextNaming: MonotonicInstant
    /// How long the writer thread was held up by the one that was begun last, and by nothing else.
    var pause = Duration.zero
    /// When the store may begin one by itself.
    var nextTry: MonotonicInstant
    /// When the older generation may be given up for space.
    var nextGivingUp: MonotonicInstant
    /// It could not be given up, and the log says so.
    var isGivingUpLate = false
    /// Those who wait for one that begins after they asked.
    var asked: [CompactionAnswer] = []
    /// Those who wait for the one that runs.
    var awaited: [CompactionAnswer] = []

    init(
        _ opened: OpenedLog, leftInLog: [(name: TypeName, table: Table)], nextTry: MonotonicInstant
    ) {
        snapshot = opened.snapshot
        self.leftInLog = leftInLog
        isAsked = !opened.fallback.isEmpty
        namedSegment = opened.namedSegment
        self.nextTry = nextTry
        nextNaming = nextTry
        nextGivingUp = nextTry
    }

    var leftInLogBytes: Int { leftInLog.reduce(0) { $0 + $1.table.byteCount } }

    /// Log segments from this seq on are behind the snapshot.
    var firstSeq: UInt64 { snapshot.map { $0.seq + 1 } ?? 0 }

    mutating func take(_ opened: OpenedLog, leftInLog: [(name: TypeName, table: Table)]) {
        snapshot = opened.snapshot
        self.leftInLog = leftInLog
        isAsked = !opened.fallback.isEmpty
        // Every file was read again.
        damaged = []
        namedSegment = opened.namedSegment
    }

    /// Takes note that `kept` is the one generation left: what it does not need is gone.
    mutating func forgetDamages(besides kept: Manifest) {
        damaged = damaged.filter { name in
            let isOfGeneration =
                SnapshotFormat.seq(ofName: name) != nil || LogFormat.firstSeq(ofName: name) != nil
            return !isOfGeneration || kept.needs([name])
        }
    }

    mutating func want() { isAsked = true }

    mutating func take(_ snapshot: Manifest.Snapshot) {
        precondition(snapshot.seq >= self.snapshot?.seq ?? 0, "snapshots only become newer")
        self.snapshot = snapshot
        isAsked = false
        isLate = false
    }
}

typealias CompactionAnswer = @Sendable (Result<CompactionReport, StoreError>) -> Void

// The writer thread's part of a compaction: when, step a, and what follows from its end.
extension FileSink {
    /// After a failure the store waits so long before it tries again by itself.
    static let compactionRetry = Duration.seconds(60)
    /// Bytes that a compaction takes beside the snapshot: the first blocks of a segment, a manifest,
    /// the declaration of snapshots.
    private static let compactionRoom = 64 << 10

    /// Begins one if it is due or asked for.
    ///
    /// One that is due waits for the end of a segment, so that writers do not wait for one more
    /// segment because of it; where few writes are taken, or a generation is lost, it does not.
    ///
    /// - Parameter beginningSegment: The next frame begins one. The batch in the making is in no
    ///   table yet, and its frame comes behind the snapshot.
    func considerCompaction(beginningSegment: Bool = false) {
        if giveUpOlderGeneration() { return }
        let takesReserve = giveUpReserveForCompaction()
        guard !compaction.isRunning, phase == .ready || phase == .low || takesReserve else {
            if phase == .failed || phase == .full { refuseCompactions() }
            return
        }
        if compaction.asked.isEmpty && !takesReserve {
            guard beginningSegment || compaction.isWanted || compaction.isLate || phase == .low,
                clock.instant >= compaction.nextTry, isCompactionDue
            else {
                nameSegment()
                return
            }
            if let free = spaceShort() {
                // Nothing was tried, and there may be space soon.
                compaction.nextTry = clock.instant + Self.retryDelay
                if !compaction.isLate {
                    log.warning(
                        "a snapshot is due and the disk has no room for it",
                        ["free": .integer(free), "needed": .integer(spaceForSnapshot)])
                }
                compaction.isLate = true
                return
            }
        }
        beginCompaction(beginningSegment: beginningSegment)
    }

    /// Where space is low: has the older generation deleted, if there is one and the newest is a
    /// snapshot, which was read and found whole when it was written or loaded, and nothing of it has
    /// been found damaged since.
    ///
    /// - Returns: Was that begun? Then whoever waits for a compaction waits for its end.
    private func giveUpOlderGeneration() -> Bool {
        guard phase == .low || phase == .full, !compaction.isRunning,
            clock.instant >= compaction.nextGivingUp, let snapshot = compaction.snapshot
        else { return false }
        compaction.nextGivingUp = clock.instant + Self.compactionRetry
        guard hasOlderGeneration(than: snapshot.seq) else { return false }
        let manifest = writer.manifest(snapshot: snapshot)
        guard !manifest.needs(compaction.damaged) else { return false }
        // SAFETY: used on this thread alone, or not at all.
        nonisolated(unsafe) let path = self
        let job = CompactionJob(
            nil, manifest: manifest, files: files, directory: directory,
            options: options.retaining(1), log: log, board: figures.board
        ) { [queue] result in
            _ = queue.push(control: { path.olderGenerationGivenUp(result, keeping: manifest) })
        }
        compaction.isRunning = compactor.start(job)
        return compaction.isRunning
    }

    private func hasOlderGeneration(than seq: UInt64) -> Bool {
        // Where the directory cannot be listed, nothing can be deleted either.
        let names = (try? files.list(directory.handle)) ?? []
        return names.contains { name in
            LogFormat.firstSeq(ofName: name).map { $0 <= seq && $0 < writer.activeSegment }
                ?? SnapshotFormat.seq(ofName: name).map { $0 < seq } ?? false
        }
    }

    private func olderGenerationGivenUp(
        _ result: Result<CompactionReport, SnapshotFailure>, keeping manifest: Manifest
    ) {
        compaction.isRunning = false
        switch result {
        case .success(let report):
            compaction.isGivingUpLate = false
            compaction.forgetDamages(besides: manifest)
            writer.forgetSegments(before: report.firstKeptSeq)
            log.warning(
                "space was low: the older of the two generations is deleted",
                ["removedFiles": .integer(report.removedFiles)])
            nextSpaceCheck = clock.instant
            lookForSpace()
        case .failure(let failure):
            guard case .system(let fault) = failure else { break }
            let isRetried = fault.isFull && hasReserve
            if isRetried {
                // A manifest needs room, too.
                giveUpReserve()
                compaction.nextGivingUp = clock.instant
            } else if fault.isFull {
                compaction.nextGivingUp = clock.instant + Self.retryDelay
            }
            if !isRetried && !compaction.isGivingUpLate {
                compaction.isGivingUpLate = true
                log.warning(
                    "space is low, and the older of the two generations could not be deleted",
                    ["reason": .string(fault.description)])
            }
        }
        considerCompaction()
    }

    /// Has a snapshot made where the log behind the one that there is has more than `bytes`, whatever a
    /// snapshot takes: others can give up what is in it.
    func wantSnapshot(behind bytes: Int) {
        guard writer.bytes(from: compaction.firstSeq) > bytes else { return }
        compaction.want()
        considerCompaction()
    }

    /// Has a manifest name the segment that began last, if none does.
    private func nameSegment() {
        let segment = writer.activeSegment
        guard segment > compaction.namedSegment, clock.instant >= compaction.nextNaming else {
            return
        }
        // SAFETY: used on this thread alone.
        nonisolated(unsafe) let path = self
        let job = ManifestJob(
            writer.manifest(snapshot: compaction.snapshot), files, directory,
            retain: options.retain
        ) { [queue] fault in
            _ = queue.push(control: { path.segmentNamed(segment, fault) })
        }
        compaction.isRunning = compactor.start(job)
        if !compaction.isRunning { compaction.nextNaming = clock.instant + Self.compactionRetry }
    }

    private func segmentNamed(_ segment: UInt64, _ fault: SystemFault?) {
        compaction.isRunning = false
        if let fault {
            compaction.nextNaming = clock.instant + Self.compactionRetry
            log.warning(
                "no manifest could be written that names the newest segment",
                ["call": .string(fault.call), "file": .string(fault.name)])
        } else {
            compaction.namedSegment = max(compaction.namedSegment, segment)
        }
        considerCompaction()
    }

    /// The log behind the snapshot is longer than it is worth. Where space is low, what can be given
    /// back is wanted sooner.
    private var isCompactionDue: Bool {
        isLogLonger(
            than: phase == .ready ? options.snapshotMinimum : options.snapshotMinimum / 16)
    }

    private func isLogLonger(than minimum: Int) -> Bool {
        if compaction.isWanted { return true }
        // With the frame at hand, which ends a segment that is as long as the minimum.
        let bytes = writer.bytes(from: compaction.firstSeq) + planner.frame.count
        // Asked in this order, since the second looks at every table.
        return bytes > minimum && bytes > liveBytes
    }

    /// About the bytes of a snapshot.
    private var liveBytes: Int {
        planner.tables.storedBytes(without: options.memoryTypes)
            + compaction.leftInLogBytes
    }

    /// Bytes that must be free for a compaction that is due whether space is low or not; 0 where none
    /// is, or one is being made.
    var spaceForCompaction: Int {
        !compaction.isRunning && isLogLonger(than: options.snapshotMinimum) ? spaceForSnapshot : 0
    }

    private var spaceForSnapshot: Int { liveBytes / 5 * 6 }

    /// What is free where that is not enough, nil where it is or nobody knows.
    private func spaceShort() -> Int? {
        guard options.lowSpace > 0, let space = try? files.space(directory.handle),
            space.free < spaceForSnapshot
        else { return nil }
        return space.free
    }

    /// Where space is low: gives the reserve up for a compaction that is due or asked for, which has
    /// room with it and not without.
    ///
    /// - Returns: Was it given up? Then the compaction begins, whatever is free now.
    private func giveUpReserveForCompaction() -> Bool {
        guard phase == .low || phase == .full, hasReserve, !compaction.isRunning,
            !compaction.asked.isEmpty || clock.instant >= compaction.nextTry && isCompactionDue,
            let space = try? files.space(directory.handle)
        else { return false }
        let needed = spaceForSnapshot + Self.compactionRoom
        guard phase == .full || space.free < needed, space.free + options.reserve >= needed else {
            return false
        }
        giveUpReserve()
        return true
    }

    /// For whoever asks; answered when one is done that has all that was committed before.
    ///
    /// - Parameter damaged: Files that were found damaged.
    func requestCompaction(
        without damaged: Set<String> = [], _ answer: @escaping CompactionAnswer
    ) {
        compaction.damaged.formUnion(damaged)
        compaction.asked.append(answer)
        // What is known of the space is a second old.
        nextSpaceCheck = clock.instant
        lookForSpace()
        if phase == .full {
            // The reserve is for what gives space back.
            giveUpReserve()
            nextSpaceCheck = clock.instant
            lookForSpace()
        }
        compaction.nextGivingUp = clock.instant
        considerCompaction()
    }

    /// Step a.
    private func beginCompaction(beginningSegment: Bool) {
        precondition(!compaction.isRunning, "one compaction at a time")
        var start = MonotonicInstant.now
        defer { compaction.pause = MonotonicInstant.now - start }
        var finished: Manifest.Segment?
        let rotated = attempt { () throws(LogFailure) in
            finished = try writer.rotate(nextSeq: planner.nextSeq)
            let active = LogFormat.segmentName(writer.activeSegment)
            if compaction.damaged.contains(active) {
                try writer.renew(nextSeq: planner.nextSeq)
                compaction.damaged.remove(active)
            }
        }
        guard case .done = rotated else {
            refuseCompactions()
            return
        }
        publishFigures()
        // The writer would have begun it without a snapshot, too.
        if beginningSegment { start = .now }
        var source: SnapshotSource?
        let newest = compaction.snapshot?.seq
        if newest != planner.nextSeq - 1
            || compaction.damaged.contains(SnapshotFormat.name(planner.nextSeq - 1))
        {
            var sections = planner.tables.views().types.filter {
                !options.memoryTypes.contains($0.name)
            }
            sections += compaction.leftInLog.map {
                ($0.name, $0.table.view(seq: planner.nextSeq - 1))
            }
            source = SnapshotSource(
                store: directory.identity.store, seq: planner.nextSeq - 1, epoch: planner.epoch,
                lastTime: planner.appliedTime, created: clock.wallTime.milliseconds,
                sections: sections.sorted { $0.name < $1.name }, position: writer.position)
        }
        // SAFETY: used on this thread alone, or where its queue is closed and the answers only are
        // given.
        nonisolated(unsafe) let path = self
        let awaited = compaction.asked
        // The new snapshot's generation; the job puts it in.
        var manifest = writer.manifest(snapshot: compaction.snapshot)
        if source != nil { manifest.segments.removeAll { $0.firstSeq < planner.nextSeq } }
        let damaged = compaction.damaged
        let segment = manifest.activeSegment
        let job = CompactionJob(
            source, manifest: manifest, behind: finished, without: damaged, files: files,
            directory: directory,
            options:  // Space is given back at once, and not by the compaction after the next.
                phase == .ready ? options : options.retaining(1), log: log, board: figures.board
        ) { [queue] result in
            let control: @Sendable () -> Void = {
                path.compactionEnded(result, without: damaged, naming: segment)
            }
            guard !queue.push(control: control) else { return }
            for answer in awaited { answer(.failure(.closed)) }
        }
        guard compactor.start(job) else {
            compaction.nextTry = clock.instant + Self.compactionRetry
            refuseCompactions(because: compactor.hasClosed ? nil : "there is no thread for it")
            return
        }
        compaction.asked = []
        compaction.awaited = awaited
        compaction.isRunning = true
    }

    private func compactionEnded(
        _ result: Result<CompactionReport, SnapshotFailure>, without damaged: Set<String>,
        naming segment: UInt64
    ) {
        let awaited = compaction.awaited
        compaction.awaited = []
        compaction.isRunning = false
        switch result {
        case .success(let report):
            compaction.take(report.snapshot)
            compaction.namedSegment = max(compaction.namedSegment, segment)
            compaction.damaged.subtract(damaged)
            writer.forgetSegments(before: report.firstKeptSeq)
            note(report)
            if phase != .ready {
                nextSpaceCheck = clock.instant
                lookForSpace()
            }
            for answer in awaited { answer(.success(report)) }
        case .failure(let failure):
            let reason = told(failure)
            var error = StoreError.notCompacted(directory: directory.path, reason: reason)
            var isFull = false
            if case .system(let fault) = failure, fault.isFull {
                isFull = true
                let space = spaceSentence(for: fault, wanted: spaceForSnapshot)
                error = .noSpace(directory: directory.path, reason: "\(reason); \(space)")
            }
            // One that was asked for is tried without the room that others wait for.
            if !isFull || awaited.isEmpty {
                compaction.nextTry = clock.instant + Self.compactionRetry
            }
            for answer in awaited { answer(.failure(error)) }
        }
        considerCompaction()
    }

    private func note(_ report: CompactionReport) {
        let milliseconds = report.duration.wholeMilliseconds
        figures.snapshots.add()
        figures.snapshotSeq.set(Int(report.seq))
        figures.snapshotBytes.set(report.bytes)
        figures.snapshotNanoseconds.set(Int(report.duration / .nanoseconds(1)))
        figures.snapshotTime.set(Int(clock.wallTime.milliseconds))
        log.info(
            "a snapshot is written and verified",
            [
                "seq": .integer(Int(report.seq)), "entities": .integer(report.entities),
                "bytes": .integer(report.bytes), "milliseconds": .integer(milliseconds),
                "removedFiles": .integer(report.removedFiles),
                "pauseMicroseconds": .integer(Int(compaction.pause / .microseconds(1))),
            ])
    }

    /// Says in the log why there is no snapshot. - Returns: The same in a sentence.
    private func told(_ failure: SnapshotFailure) -> String {
        let reason: String
        switch failure {
        case .cancelled: return "the store closes, or its log cannot be written"
        case .system(let fault): reason = fault.description
        case .damaged(let damage): reason = "what was written is damaged: \(damage)"
        case .memory(let type, let id):
            figures.memoryErrors.add()
            reason =
                "the entity \(id) of \(type.text) is not in memory what it was when it was stored; "
                + "it is put right from the disk now"
            onMemoryError()
        }
        figures.snapshotFailures.add()
        log.error("no snapshot could be written; the store goes on", ["reason": .string(reason)])
        return reason
    }

    /// Answers those who asked and cannot be served.
    func refuseCompactions(because other: String? = nil) {
        let reason = other ?? figures.status.reason
        let error: StoreError =
            switch phase {
            case .full: .noSpace(directory: directory.path, reason: reason)
            case .failed: .notCompacted(directory: directory.path, reason: reason)
            default:
                other == nil ? .closed : .notCompacted(directory: directory.path, reason: reason)
            }
        for answer in compaction.asked { answer(.failure(error)) }
        compaction.asked = []
    }
}
