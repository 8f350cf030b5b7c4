import FreshetBase

/// What status and metrics show of a store with files; any thread.
final class StoreFigures: Sendable {
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
    /// Of those what is behind the newest snapshot.
    let logBytesBehind = Counter()
    /// First seq of the segment that is written to; 0: none is.
    let activeSegment = Counter()
    /// Every commit up to it is synced, or of types in memory.
    let durableSeq = Counter()
    /// Bytes of entities that nobody sees and every snapshot has (`RecoveredTables`).
    let leftInLogBytes = Counter()
    let segments = Counter()
    let freeBytes = Counter()
    /// Bytes that had to be free when that was looked at last.
    let spaceWanted = Counter()
    let overloaded = Counter()
    let snapshots = Counter()
    let snapshotFailures = Counter()
    let snapshotSeq = Counter()
    let snapshotBytes = Counter()
    let snapshotNanoseconds = Counter()
    /// ms since 1970.
    let snapshotTime = Counter()
    let memoryErrors = Counter()
    let board = FileBoard()
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

    /// All of them but what is queued.
    var metrics: StoreMetrics {
        var metrics = StoreMetrics()
        metrics.commits = commits.value
        metrics.batches = batches.value
        metrics.largestBatch = largestBatch.value
        metrics.syncs = syncs.value
        metrics.syncDurations = syncDurations.figures
        metrics.commitDurations = commitDurations.figures
        metrics.logBytes = logBytes.value
        metrics.segments = segments.value
        metrics.freeBytes = freeBytes.value
        metrics.wantedBytes = spaceWanted.value
        metrics.overloaded = overloaded.value
        metrics.snapshots = snapshots.value
        metrics.snapshotFailures = snapshotFailures.value
        metrics.snapshotSeq = snapshotSeq.value
        metrics.snapshotBytes = snapshotBytes.value
        metrics.snapshotNanoseconds = snapshotNanoseconds.value
        metrics.snapshotTime = snapshotTime.value
        metrics.memoryErrors = memoryErrors.value
        metrics.scrubs = scrubs.value
        metrics.scrubBytes = scrubBytes.value
        metrics.scrubDamages = scrubDamages.value
        metrics.scrubTime = scrubTime.value
        metrics.scrubNanoseconds = scrubNanoseconds.value
        return metrics
    }
}
