import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Synchronization

// # Compaction: from a log to a snapshot and a short log
//
//  a  the writer thread, between two batches: finish the segment, begin the next, take views of the
//     tables (FileSink+Compaction). This is all that writers wait for; mostly the segment would
//     have ended there anyway, and what is left is some 50 µs.
//  b  a thread of its own, all that follows: the finished segment is cut behind its seal (the zeros
//     there do no harm, but take some MiB); the views to `tmp-snap-…`, some MiB a second, synced
//     now and then so that no sync of the log finds much to do; sync, rename, sync the directory
//  c  read it again from the disk and verify it
//  d  the manifest that names it: written whole, synced, renamed, the directory synced
//  e  delete the manifests that are not kept, sync the directory, then delete the files that none
//     of the two kept manifests names, and sync again
//
// A crash before d leaves the manifests of before with all their files, and a file more. A crash
// after d leaves the new manifest with all its files. Manifests go before the files that only they
// name, so none names what is not there. What is left over goes at the next e.
//
// Whatever fails, the store goes on as it was, and another try is made a minute later.

/// What a compaction has come to.
package struct CompactionReport: Sendable, Equatable {
    /// The seq that the newest snapshot stands at.
    package var seq: UInt64
    /// Entities in it, and its bytes.
    package var entities: Int
    package var bytes: Int
    package var duration: Duration
    /// Files deleted: segments, snapshots.
    package var removedFiles: Int
    var snapshot: Manifest.Snapshot
    /// Segments before this seq are gone.
    var firstKeptSeq: UInt64
}

/// One compaction, steps b to e. Runs on one thread; cancelled from any.
final class CompactionJob: StoreJob {
    typealias Completion = @Sendable (Result<CompactionReport, SnapshotFailure>) -> Void

    private let files: any FileSystem
    private let directory: DataDirectory
    private let options: FileStoreOptions
    private let log: Log
    private let board: FileBoard
    /// nil: the newest snapshot says all, and only what is not needed has to go.
    private let source: SnapshotSource?
    /// As it was at step a; with the newest snapshot of then where there is no source.
    private let manifest: Manifest
    /// The segment that was finished in step a.
    private let finished: Manifest.Segment?
    /// Files that were found damaged, to be set aside.
    private let damaged: Set<String>
    private let completion: Completion
    private let cancelled = Atomic<Bool>(false)
    private let hurried = Atomic<Bool>(false)

    init(
        _ source: SnapshotSource?, manifest: Manifest, behind finished: Manifest.Segment? = nil,
        without damaged: Set<String> = [], files: any FileSystem, directory: DataDirectory,
        options: FileStoreOptions, log: Log, board: FileBoard, completion: @escaping Completion
    ) {
        self.source = source
        self.manifest = manifest
        self.finished = finished
        self.damaged = damaged
        self.files = files
        self.directory = directory
        self.options = options
        self.log = log
        self.board = board
        self.completion = completion
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Does it replace damaged files? Then memory may be the only place where their data is whole.
    var heals: Bool { !damaged.isEmpty }

    /// Ends it soon, because the store closes: one that heals by doing it as fast as the disk takes
    /// it, another by giving it up.
    func hurry() {
        if heals { hurried.store(true, ordering: .relaxed) } else { cancel() }
    }

    func run(between: @escaping () -> Void) -> @Sendable () -> Void {
        let result = Result { () throws(SnapshotFailure) in try compact(between) }
        return { [completion] in completion(result) }
    }

    private func compact(
        _ between: @escaping () -> Void
    ) throws(SnapshotFailure) -> CompactionReport {
        let start = MonotonicInstant.now
        trim()
        var next = manifest
        if let source {
            next.snapshot = try write(source, between)
        }
        guard let snapshot = next.snapshot else { throw .cancelled }
        if cancelled.load(ordering: .relaxed) { throw .cancelled }
        do throws(SystemFault) {
            try next.write(files, directory, retain: options.retain, without: damaged)
            try setAside(next)
        } catch {
            throw .system(error)
        }
        var report = CompactionReport(
            seq: snapshot.seq, entities: snapshot.entities, bytes: snapshot.length,
            duration: .zero, removedFiles: 0, snapshot: snapshot, firstKeptSeq: 0)
        do throws(SystemFault) {
            try clean(next, &report)
        } catch {
            // The snapshot counts. What was not deleted goes with the next one.
            log.warning(
                "files that are not needed any more could not be deleted",
                ["call": .string(error.call), "file": .string(error.name)])
        }
        report.duration = MonotonicInstant.now - start
        return report
    }

    /// Cuts the finished segment's file behind its seal. Where that cannot be done it is only longer.
    private func trim() {
        guard let finished,
            let file = try? files.open(
                LogFormat.segmentName(finished.firstSeq), in: directory.handle, .update)
        else { return }
        defer { files.close(file) }
        if let size = try? files.size(file), size > finished.length {
            try? files.truncate(file, to: finished.length)
        }
    }

    // MARK: The snapshot

    private func write(
        _ source: SnapshotSource, _ between: @escaping () -> Void
    ) throws(SnapshotFailure) -> Manifest.Snapshot {
        var pace = SnapshotPace(bytesPerSecond: options.snapshotRate) { [self] in
            cancelled.load(ordering: .relaxed)
        }
        pace.isHurried = { [self] in hurried.load(ordering: .relaxed) }
        pace.between = between
        // It is written once and read once.
        board.snapshotDone.set(0)
        board.snapshotGoal.set(max(1, 2 * source.sections.reduce(0) { $0 + $1.table.byteCount }))
        pace.progress = board.snapshotDone
        defer { board.snapshotGoal.set(0) }
        let name = SnapshotFormat.name(source.seq)
        let temporary = "tmp-" + name
        let written: Manifest.Snapshot
        do throws(SnapshotFailure) {
            try declare()
            written = try write(source, temporary, &pace)
            try rename(temporary, name)
        } catch {
            // Where it cannot be removed the next start does it.
            try? files.remove(temporary, in: directory.handle)
            throw error
        }
        let reader = StoreFiles(files: files, directory: directory.handle, store: source.store)
            .snapshot(source.seq)
        do throws(SnapshotFailure) {
            let found = try reader.verify(beside: true) { count throws(SnapshotFailure) in
                try pace.pass(count)
            }
            guard found == written else {
                throw .damaged(
                    LogDamage(
                        file: name, offset: 0, lost: nil,
                        finding: "it reads as another than was written"))
            }
            board.record(name, isGood: true, at: .now)
        } catch {
            // Memory has all that it has. Set aside, one a minute would fill the disk that damages them; where
            // it cannot be removed it does no harm.
            if case .damaged = error { try? files.remove(name, in: directory.handle) }
            throw error
        }
        return written
    }

    private func write(
        _ source: SnapshotSource, _ temporary: String, _ pace: inout SnapshotPace
    ) throws(SnapshotFailure) -> Manifest.Snapshot {
        let file: FileHandle
        do throws(SystemFault) {
            file = try files.open(temporary, in: directory.handle, .make)
        } catch {
            throw .system(error)
        }
        defer { files.close(file) }
        do throws(SystemFault) {
            try files.truncate(file, to: 0)
        } catch {
            throw .system(error.named(temporary))
        }
        var writer = SnapshotWriter(files, file)
        do throws(SnapshotFailure) {
            return try writer.write(source, &pace)
        } catch {
            if case .system(let fault) = error { throw .system(fault.named(temporary)) }
            throw error
        }
    }

    private func rename(_ temporary: String, _ name: String) throws(SnapshotFailure) {
        do throws(SystemFault) {
            if damaged.contains(name) { try directory.linkAside(name, files) }
            try files.rename(temporary, in: directory.handle, to: name, in: directory.handle)
            try files.sync(directory.handle)
        } catch {
            throw .system(error)
        }
    }

    /// Older versions must not open a directory whose log does not begin at its beginning.
    private func declare() throws(SnapshotFailure) {
        do throws(SystemFault) {
            let isNew = try directory.require(
                SnapshotFormat.feature, writer: options.writerVersion, files)
            if isNew {
                log.info(
                    "the data directory has snapshots from now on, which older versions cannot read",
                    ["directory": .string(directory.path)])
            }
        } catch {
            throw .system(error)
        }
    }

    // MARK: What is damaged

    /// Moves damaged files to `aside/`, now that nothing needs them.
    private func setAside(_ newest: Manifest) throws(SystemFault) {
        guard !damaged.isEmpty else { return }
        let names = try files.list(directory.handle)
        for name in names.sorted() where damaged.contains(name) {
            if name == DataDirectory.identityName {
                try directory.mend(writer: options.writerVersion, files)
                continue
            }
            // One that was written in its place is not the one that was found.
            if name == newest.snapshot.map({ SnapshotFormat.name($0.seq) }) { continue }
            // Nor is one moved away that is written to.
            if name == LogFormat.segmentName(newest.activeSegment) { continue }
            if Manifest.number(ofName: name) != nil { continue }
            try directory.moveAside(name, files)
        }
        try files.sync(directory.handle)
    }

    // MARK: What is not needed any more

    /// Deletes what no manifest names. Nothing where a manifest cannot be read: it may name it.
    private func clean(
        _ newest: Manifest, _ report: inout CompactionReport
    ) throws(SystemFault) {
        let handle = directory.handle
        try files.sync(handle)
        let entries = try Manifest.all(of: newest.store, files, handle)
        let kept = entries.compactMap(\.manifest)
        guard kept.count == entries.count, kept.first == newest else {
            throw SystemFault("read", "MANIFEST", EIO)
        }
        let first = kept.map(\.firstNeededSeq).min() ?? 0
        let snapshots = Set(kept.compactMap { $0.snapshot?.seq })
        for name in try files.list(handle) {
            let isNeeded =
                if let seq = LogFormat.firstSeq(ofName: name) {
                    seq >= first
                } else if let seq = SnapshotFormat.seq(ofName: name) {
                    snapshots.contains(seq)
                } else {
                    true
                }
            if !isNeeded {
                try files.remove(name, in: handle)
                report.removedFiles += 1
            }
        }
        report.firstKeptSeq = first
        if report.removedFiles > 0 { try files.sync(handle) }
    }
}
