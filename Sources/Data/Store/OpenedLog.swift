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
        let reader = StateReader(
            files: files, directory: directory.handle, identity: directory.identity,
            settlesTail: true, threads: options.isStepped ? 1 : options.startThreads)
        let path = directory.path
        let state = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try reader.read(into: replay, report: report)
        }
        let summary = state.log
        guard summary.damages.isEmpty else {
            throw .damaged(directory: path, state.fallback + summary.damages)
        }
        var aside: String?
        if let torn = summary.torn {
            do throws(SystemFault) {
                aside = try directory.setAside(torn, files, time: clock.wallTime)
            } catch {
                // The bytes stay where they are, too: a full disk must not keep the store closed.
                if !error.isFull { throw .system(directory: path, error) }
            }
        }
        let traits = EpochTraits(
            memoryTypes: options.memoryTypes, isRelaxed: options.durability != .full)
        let lastSegment = summary.segments.last?.header.firstSeq ?? 0
        let nextSeq =
            summary.tail == nil
            ? max(summary.lastSeq + 1, lastSegment + 1) : summary.lastSeq + 1
        // Seqs of the last session that the log does not know are given again, to other commits.
        let losesSeqs = summary.traits.isVolatile && !summary.endsClean
        // What a client holds of a type that has moved to memory is not loaded, and of one that has
        // left it is older than it was: no cursor of then says what it lacks. Of a type that stays
        // in memory everybody knows that it begins anew (`CommitObserver.forgot`).
        let isOther = losesSeqs || !summary.traits.hasSameTypes(as: traits)
        let epoch = isOther ? Epoch.random() : summary.epoch ?? .random()
        // They make syncs cheaper, which a relaxed store has ten a second of.
        let syncsBatches = options.durability == .full || !options.syncedTypes.isEmpty
        let zeroStep = directory.overwritesInPlace && syncsBatches ? options.zeroStep : 0
        let writer = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            // The names that were read may be in the cache alone: a process that ended, or met a
            // failed sync, between a rename and the sync of the directory has left them there.
            // What is appended to a file without a durable name would be lost with it.
            try files.sync(directory.handle)
            return try LogWriter(
                files: files, directory: directory.handle, store: directory.identity.store,
                summary: summary, epoch: epoch, traits: traits, clock: clock,
                segmentLength: options.segmentEnd, allocationStep: options.allocationStep,
                zeroStep: zeroStep)
        }
        var isFull = false
        if summary.tail == nil || traits.isVolatile || summary.traits.isVolatile
            || summary.epoch != epoch
        {
            do throws(LogFailure) {
                try writer.tellEpoch(nextSeq: nextSeq)
            } catch {
                // A segment that is due begins with an epoch once there is space; an epoch that
                // must be told in the active one cannot wait.
                switch error {
                case .full where summary.tail == nil:
                    isFull = true
                case .full(let fault), .failed(let fault):
                    writer.close()
                    throw .system(directory: path, fault)
                }
            }
        }
        // Snapshot and log are whole and synced: where no manifest can be written, a later start
        // only knows less.
        let isNamed =
            (try? writer.manifest(snapshot: state.snapshot).write(
                files, directory, retain: options.retain)) != nil
        // No manifest names them any more; where they cannot be moved they do no harm.
        for damage in state.fallback
        where isNamed && SnapshotFormat.seq(ofName: damage.file) != nil {
            try? directory.moveAside(damage.file, files)
        }
        return OpenedLog(
            summary: summary, snapshot: state.snapshot, fallback: state.fallback, writer: writer,
            epoch: epoch, nextSeq: nextSeq, lastTime: replay.lastTime, aside: aside,
            isFull: isFull, namedSegment: isNamed ? writer.activeSegment : 0)
    }
}
