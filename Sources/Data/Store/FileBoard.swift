package import FreshetBase

/// What was found of a store's files since the start, and what is being done with them now. Any
/// thread.
final class FileBoard: Sendable {
    /// The last whole reading of a file.
    struct Check: Sendable {
        let at: WallTime
        let isGood: Bool
    }

    private let lock = Lock()
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var checks: [String: Check] = [:]
    // SAFETY: as `checks`.
    nonisolated(unsafe) private var running: (file: String?, all: Int)?
    // SAFETY: as `checks`.
    nonisolated(unsafe) private var ended: ScrubPass?
    private let scrubbed = Counter()
    /// Bytes that the snapshot in the making will have been written and read, about; 0: none is made.
    let snapshotGoal = Counter()
    /// Of those, how many have been.
    let snapshotDone = Counter()

    /// Records that a file was read whole.
    func record(_ name: String, isGood: Bool, at time: WallTime) {
        lock.withLock { checks[name] = Check(at: time, isGood: isGood) }
    }

    /// Records what a start, or the log's reopening, has read.
    func record(_ opened: OpenedLog, at time: WallTime) {
        if let snapshot = opened.snapshot {
            record(SnapshotFormat.name(snapshot.seq), isGood: true, at: time)
        }
        for segment in opened.summary.segments {
            record(LogFormat.segmentName(segment.header.firstSeq), isGood: true, at: time)
        }
        for damage in opened.fallback { record(damage.file, isGood: false, at: time) }
    }

    /// The checks of the files that are there; those of others are forgotten.
    func checks(of names: [String]) -> [String: Check] {
        let names = Set(names)
        return lock.withLock {
            checks = checks.filter { names.contains($0.key) }
            return checks
        }
    }

    /// How far the snapshot in the making is, below 100; nil where none is made.
    var snapshotPercent: Int? {
        let goal = snapshotGoal.value
        return goal == 0 ? nil : min(99, snapshotDone.value * 100 / goal)
    }

    // MARK: Scrub

    /// A pass begins.
    ///
    /// - Parameter bytes: Of all files that it reads.
    func beginScrub(_ bytes: Int) {
        scrubbed.set(0)
        lock.withLock { running = (nil, bytes) }
    }

    /// The pass has come to a file; nil: to the entities in memory.
    func scrub(_ file: String?) { lock.withLock { running?.file = file } }

    func addScrubbed(_ count: Int) { scrubbed.add(count) }

    /// - Parameter pass: nil where it did not come to its end.
    func endScrub(_ pass: ScrubPass?) {
        lock.withLock {
            running = nil
            if let pass { ended = pass }
        }
    }

    /// The pass that is made now.
    var scrub: ScrubProgress? {
        lock.withLock {
            running.map { ScrubProgress(file: $0.file, done: scrubbed.value, all: $0.all) }
        }
    }

    /// The last pass that came to its end.
    var lastScrub: ScrubPass? { lock.withLock { ended } }
}

/// A pass over all files and entities that came to its end.
package struct ScrubPass: Sendable {
    package let endedAt: WallTime
    package let duration: Duration
    /// Bytes of files that were read.
    package let bytes: Int
}

/// How far a pass is.
package struct ScrubProgress: Sendable {
    /// The file that is read; nil where the entities in memory are.
    package let file: String?
    /// Bytes of files that were read, and of all.
    package let done: Int
    package let all: Int
}
