import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

/// Looks after the files of a store beside its commits: snapshots on demand, backups, scrubs. Any
/// thread, but for completions and observers.
final class StoreKeeper: DiskStore {
    let recovery: RecoveryReport
    let options: FileStoreOptions
    let tables: EntityTables
    let figures: StoreFigures
    let files: any FileSystem
    /// Closed when the store is.
    let directory: FileHandle
    let identity: StoreIdentity
    let log: Log
    let scrubber = Scrubber()
    private let queue: CommitQueue
    // SAFETY: used by the holder of the commit right alone, but for the compactor, which has a lock.
    nonisolated(unsafe) private let sink: FileSink
    /// In a stepped store: runs what is queued, compactions too where it is given what to do between
    /// their blocks. Set once before the store is used.
    // SAFETY: as said.
    nonisolated(unsafe) var run: ((() -> Void)?) -> Void = { _ in }
    /// Held while files are opened beside the writer.
    private let opening = Lock()
    // SAFETY: touched under `opening` alone.
    nonisolated(unsafe) private var hasClosed = false

    init(_ opened: OpenedStore) {
        recovery = opened.report
        options = opened.sink.options
        tables = opened.tables
        figures = opened.sink.figures
        files = opened.sink.files
        directory = opened.sink.directory.handle
        identity = opened.sink.directory.identity
        log = opened.sink.log
        queue = opened.queue
        sink = opened.sink
        sink.onMemoryError = { [scrubber] in scrubber.stop.hurry() }
    }

    deinit {
        // One that was not closed.
        scrubber.stop.stop()
    }

    func withCommitRight(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard queue.push(control: body) else { return false }
        if options.isStepped { run {} }
        return true
    }

    /// Has the writer do `work`, and waits for what it gives.
    ///
    /// - Parameter between: In a stepped store, as `run` takes it.
    func ask<Value: Sendable>(
        _ between: (() -> Void)?,
        _ work:
            @escaping @Sendable (
                FileSink, @escaping @Sendable (Result<Value, StoreError>) -> Void
            ) -> Void
    ) throws(StoreError) -> Value {
        let reply = AwaitedValue<Result<Value, StoreError>>()
        // SAFETY: the closure runs on the writer thread, which owns the sink.
        nonisolated(unsafe) let owned = sink
        guard queue.push(control: { work(owned) { reply.give($0) } }) else { throw .closed }
        if options.isStepped { run(between) }
        return try reply.wait().get()
    }

    /// Writes a snapshot of everything and deletes the files that it makes needless; waits for
    /// that. Writes go on meanwhile.
    func compact() throws(StoreError) -> CompactionReport { try compact {} }

    /// As `compact`, and sets `damaged` files aside; no generation that needs one counts any more.
    ///
    /// - Parameter between: In a stepped store, called after each block that is written or read.
    func compact(
        without damaged: Set<String> = [], between: @escaping () -> Void
    ) throws(StoreError) -> CompactionReport {
        try ask(between) { sink, give in
            sink.requestCompaction(without: damaged) { give($0) }
        }
    }

    /// A backup of everything that is committed now. The writer is asked for a list of files between
    /// two batches, which takes some µs; nothing waits for the backup itself.
    ///
    /// - Throws: `.notReadable` where the log cannot be written.
    func backup() throws(StoreError) -> BackupSource {
        var attempts = 20
        while true {
            attempts -= 1
            let pinned = try pinned()
            do throws(SystemFault) {
                return try source(of: pinned)
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

    func source(of pinned: PinnedFiles) throws(SystemFault) -> BackupSource {
        try withDirectory { () throws(SystemFault) in
            try BackupSource(
                pinned, created: .now, writer: options.writerVersion, files, directory)
        }
    }

    /// Runs `body` while the directory stays open.
    ///
    /// - Throws: EBADF where it is closed.
    func withDirectory<Value>(
        _ body: () throws(SystemFault) -> Value
    ) throws(SystemFault) -> Value {
        try opening.withLock { () throws(SystemFault) in
            if hasClosed { throw SystemFault("openat", "store", EBADF) }
            return try body()
        }
    }

    /// What the files of now are, for the thread that has the commit right.
    func pinnedHere() throws(StoreError) -> PinnedFiles { try sink.pinned() }

    /// What the files of now are.
    func pinned() throws(StoreError) -> PinnedFiles {
        try ask(nil) { sink, give in
            give(Result { () throws(StoreError) in try sink.pinned() })
        }
    }

    /// The store is about to close: its queue takes what is in it, and nothing of this class more.
    func close() {
        opening.withLock { hasClosed = true }
        scrubber.stop.stop()
        // A snapshot's file would be of no use: what it says is in the log. But where it takes the
        // place of a damaged file the scrub waits for it, and so does this.
        sink.compactor.hurry()
        scrubber.close()
        sink.compactor.close()
    }
}
