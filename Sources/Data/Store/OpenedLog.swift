import FreshetBase
import FreshetQuery

/// A log that was read whole, undamaged, synced, and can be written to.
struct OpenedLog {
    let summary: LogSummary
    /// The snapshot that the log follows.
    let snapshot: Manifest.Snapshot?
    /// What could not be used, and where it is now.
    let fallback: [LogDamage]
    let writer: LogWriter
    let epoch: Epoch
    let nextSeq: UInt64
    let lastTime: Int64
    /// Of a replica.
    let position: ClusterPosition?
    let aside: String?
    /// There was no space for the segment that is due.
    let isFull: Bool
    /// First seq of the newest segment that a manifest names; 0 where none could be written.
    let namedSegment: UInt64

    /// Reads the log into `replay` and readies it for writing. No whole frame of an existing file
    /// is changed (P4): an epoch may follow the last good one in the active segment, over a torn
    /// tail, which was copied aside before where there is space.
    static func open(
        _ options: FileStoreOptions, files: any FileSystem, directory: DataDirectory,
        clock: any StoreClock, replay: LogReplay,
        report: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> OpenedLog {
        let opening = LogOpening(
            options: options, files: files, directory: directory, clock: clock)
        let state = try opening.read(into: replay, report)
        let summary = state.log
        let aside = try opening.setAside(summary.torn)
        let epoch = opening.epoch(behind: summary)
        let writer = try opening.writer(behind: summary, epoch)
        let isFull = try opening.tell(epoch, behind: summary, writer)
        let isNamed = opening.name(state, writer)
        return OpenedLog(
            summary: summary, snapshot: state.snapshot, fallback: state.fallback, writer: writer,
            epoch: epoch, nextSeq: summary.nextSeq, lastTime: replay.lastTime,
            position: summary.position, aside: aside,
            isFull: isFull, namedSegment: isNamed ? writer.activeSegment : 0)
    }
}

/// The steps of a start, in their order.
private struct LogOpening {
    let options: FileStoreOptions
    let files: any FileSystem
    let directory: DataDirectory
    let clock: any StoreClock

    private var path: String { directory.path }

    private var traits: EpochTraits {
        EpochTraits(memoryTypes: options.memoryTypes, isRelaxed: options.durability != .full)
    }

    /// - Throws: `.damaged` where something acknowledged cannot be read.
    func read(
        into replay: LogReplay, _ report: (RecoveryProgress) -> Void
    ) throws(StoreError) -> StoredState {
        let reader = StateReader(
            source: StoreFiles(
                files: files, directory: directory.handle, store: directory.identity.store),
            settlesTail: true, threads: options.isStepped ? 1 : options.startThreads)
        var state = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try reader.read(into: replay, report: report)
        }
        guard state.log.damages.isEmpty else {
            throw .damaged(directory: path, state.fallback + state.log.damages)
        }
        if options.isReplica { state.log.renewEmptyEnd() }
        return state
    }

    /// - Returns: Where the copy of a torn tail is.
    func setAside(_ torn: TornTail?) throws(StoreError) -> String? {
        guard let torn else { return nil }
        do throws(SystemFault) {
            return try directory.setAside(torn, files, time: clock.wallTime)
        } catch {
            // The bytes stay where they are, too, or are a replica's, whose log has them: a full disk must
            // not keep the store closed.
            if error.isFull { return nil }
            throw .system(directory: path, error)
        }
    }

    /// The epoch of the log, or a new one where cursors of before would not say what is lacking.
    func epoch(behind summary: LogSummary) -> Epoch {
        // Seqs of the last session that the log does not know are given again, to other commits.
        let losesSeqs = summary.traits.isVolatile && !summary.endsClean
        // What a client holds of a type that has moved to memory is not loaded, and of one that has
        // left it is older than it was: no cursor of then says what it lacks. Of a type that stays
        // in memory everybody knows that it begins anew (`CommitObserver.forgot`).
        let isOther = losesSeqs || !summary.traits.hasSameTypes(as: traits)
        return isOther ? .random() : summary.epoch ?? .random()
    }

    func writer(behind summary: LogSummary, _ epoch: Epoch) throws(StoreError) -> LogWriter {
        // They make syncs cheaper, which a relaxed store has ten a second of.
        let syncsBatches =
            !options.isReplica && (options.durability == .full || !options.syncedTypes.isEmpty)
        let zeroStep = directory.overwritesInPlace && syncsBatches ? options.zeroStep : 0
        return try DataDirectory.wrapping(path) { () throws(SystemFault) in
            // The names that were read may be in the cache alone: a process that ended, or met a
            // failed sync, between a rename and the sync of the directory has left them there.
            // What is appended to a file without a durable name would be lost with it.
            try files.sync(directory.handle)
            return try LogWriter(
                files: files, directory: directory.handle, store: directory.identity.store,
                summary: summary, epoch: epoch, traits: traits, position: summary.position,
                clock: clock,
                segmentLength: options.segmentEnd, allocationStep: options.allocationStep,
                zeroStep: zeroStep)
        }
    }

    /// Writes the epoch where the log does not end with it.
    ///
    /// - Returns: Whether there was no space for the segment that is due.
    func tell(
        _ epoch: Epoch, behind summary: LogSummary, _ writer: LogWriter
    ) throws(StoreError) -> Bool {
        let isTold =
            summary.tail != nil && summary.epoch == epoch && !traits.isVolatile
            && !summary.traits.isVolatile
        if isTold { return false }
        var hasReserve = true
        while true {
            do throws(LogFailure) {
                try writer.tellEpoch(nextSeq: summary.nextSeq)
                return false
            } catch {
                // A segment that is due begins with an epoch once there is space; an epoch that must be
                // told in the active one cannot wait, and is what the reserve is for.
                switch error {
                case .full where summary.tail == nil: return true
                case .full where hasReserve && giveUpReserve(): hasReserve = false
                case .full(let fault), .failed(let fault):
                    writer.close()
                    throw .system(directory: path, fault)
                }
            }
        }
    }

    private func giveUpReserve() -> Bool {
        (try? files.remove(DataDirectory.reserveName, in: directory.handle)) != nil
    }

    /// Names what was read by a manifest, and sets aside the snapshots that could not be used.
    /// Snapshot and log are whole and synced: where no manifest can be written, a later start only
    /// knows less.
    func name(_ state: StoredState, _ writer: LogWriter) -> Bool {
        do throws(SystemFault) {
            try writer.manifest(snapshot: state.snapshot).write(
                files, directory, retain: options.retain)
        } catch {
            return false
        }
        // No manifest names them any more; where they cannot be moved they do no harm.
        for damage in state.fallback where SnapshotFormat.seq(ofName: damage.file) != nil {
            try? directory.moveAside(damage.file, files)
        }
        return true
    }
}
