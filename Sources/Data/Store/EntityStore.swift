package import FreshetBase
package import FreshetEngine
package import FreshetQuery

/// Where entities live. One serial order of commits; reads never wait for a disk.
package protocol EntityStore: AnyObject, Sendable {
    /// The stored entity. About 100 ns.
    func document(_ type: TypeName, _ id: EntityID) -> Document?
    /// The same by the id's text, unescaped, without making a value of it.
    func document(_ type: TypeName, idBytes: UnsafeRawBufferPointer) -> Document?
    /// All entities of a type as they are now, nil where the type was never written. O(1).
    func view(_ type: TypeName) -> TableView?
    /// All types at one seq, or these. O(types log types).
    func views(of types: Set<TypeName>?) -> StoreViews
    /// Some types that were ever written, `most` at most, in the order in which they came. O(most).
    func firstTypes(_ most: Int) -> [TypeName]
    /// The newest commit that readers see.
    var cursor: Cursor { get }
    /// What `full` stores promise at most: the server's setting.
    var durability: Durability { get }
    /// What is promised of a transaction that reaches a file: no less than `durability`.
    func durability(of transaction: Transaction) -> Durability
    /// Does what `transaction` says, all or nothing.
    ///
    /// - Parameter completion: Called exactly once, off every lock, after the commit is as durable
    ///   as its receipt says. Memory store: before `submit` returns. File store: mostly on the
    ///   writer thread, which every other write waits for; hand over and return.
    func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void)
    /// Finds out whether what is read here is the newest that anybody was acknowledged, as an answer
    /// has to be that needs no commit: a refusal, an order that changes nothing.
    ///
    /// - Parameter completion: Called exactly once, like that of `submit`, with the reason why it may
    ///   not be; nil: it is, or was since `confirm` was called. A store alone says so at once.
    func confirm(_ completion: @escaping @Sendable (WriteOutcome?) -> Void)
    /// Begins a fetch from a remote, whose outcome `refresh` and `retire` take.
    func beginFetch(_ policy: (any FetchPolicy)?) -> FetchTicket

    /// What it does with its files; nil where it has none.
    var disk: (any DiskStore)? { get }
    /// Itself, where it is one of several over a shared log; nil where it stands alone.
    var replica: ReplicaStore? { get }
    /// Itself, where a commit needs no thread but the caller's; nil where it waits for a disk.
    var immediate: (any ImmediateStore)? { get }
    var status: StoreStatus { get }
    var metrics: StoreMetrics { get }
    /// What the indexes of a type are doing. O(nodes of its indexes).
    func indexStatus(_ type: TypeName) -> [IndexStatus]
    /// Runs `body` as the one thread that may change tables, between two commits: at once, or on the
    /// writer's thread before what is queued.
    ///
    /// - Returns: false where the store is closed; then it is not run.
    func withCommitRight(_ body: @escaping @Sendable (EntityTablesAccess) -> Void) -> Bool
    /// Verifies the log from disk and takes writes again, after `failed`; otherwise does nothing.
    ///
    /// - Parameter taken: Called where the log was read, which may have commits that nobody was told of:
    ///   on the writer's thread, before it judges anything behind them.
    func reopen(taken: @escaping @Sendable () -> Void) throws(StoreError)
    /// Finishes what waits, makes all of it durable, gives the directory up. Reads go on.
    func close()
}

extension EntityStore {
    /// The seq of the newest commit that readers see.
    package var seq: UInt64 { cursor.seq }
    package var replica: ReplicaStore? { nil }
    package func confirm(_ completion: @escaping @Sendable (WriteOutcome?) -> Void) {
        completion(nil)
    }
}

/// What a store can do that keeps its entities in files.
package protocol DiskStore: AnyObject, Sendable {
    /// What the start has found.
    var recovery: RecoveryReport { get }
    /// Writes a snapshot now, verifies it, and deletes the files that no kept generation needs.
    func compact() throws(StoreError) -> CompactionReport
    /// Reads every live file and every entity once, and replaces what is damaged.
    func scrub() -> ScrubReport
    /// All of it at the newest commit, as one file.
    func backup() throws(StoreError) -> BackupSource
    /// How its files are now. Waits for the disk, and not for the writer.
    func report() throws(StoreError) -> DiskReport
}

/// What a store can do that waits for no disk.
package protocol ImmediateStore: AnyObject, Sendable {
    func commit(_ transaction: Transaction) -> WriteOutcome
}

extension EntityStore {
    /// All types at one seq. O(types log types): not on the way of a request or of a change.
    package func views() -> StoreViews { views(of: nil) }
}

/// Types of a store at one seq.
package struct StoreViews: Sendable {
    package let cursor: Cursor
    /// Types that were ever written, by name.
    package let types: [(name: TypeName, table: TableView)]

    package subscript(name: TypeName) -> TableView? {
        types.first { $0.name == name }?.table
    }
}

/// Can it be written to, and why not.
package struct StoreStatus: Equatable, Sendable {
    package enum Phase: String, Sendable {
        case ready, low, full, failed, closed
        /// Of a replica: another leads, or none does; the engine gives no answer; it applies nothing
        /// any more.
        case following, away, stopped
    }

    package let phase: Phase
    /// One sentence, empty where ready.
    package let reason: String

    package init(phase: Phase, reason: String = "") {
        self.phase = phase
        self.reason = reason
    }

    package var acceptsSets: Bool { phase == .ready }
}

/// Figures for the metrics page. Counts since start unless said.
package struct StoreMetrics: Equatable, Sendable {
    package var commits = 0
    /// Frames of commits that were written.
    package var batches = 0
    /// Commits in the largest of them.
    package var largestBatch = 0
    package var syncs = 0
    package var syncDurations = Histogram.Figures()
    /// From the log to the answer, of each commit of the batch.
    package var commitDurations = Histogram.Figures()
    /// Bytes of frames in all segments, now.
    package var logBytes = 0
    /// Now.
    package var segments = 0
    /// Of the file system, when last asked; -1 where unknown.
    package var freeBytes = -1
    /// Space that must be free for all writes to be taken; 0 where unknown.
    package var wantedBytes = 0
    /// Transactions that wait, now.
    package var queued = 0
    package var overloaded = 0
    /// Snapshots made, and tries that failed.
    package var snapshots = 0
    package var snapshotFailures = 0
    /// Of the newest snapshot that was made or read: its seq, its bytes; when it was made in ms
    /// since 1970, 0 where it was read, and how long that took.
    package var snapshotSeq = 0
    package var snapshotBytes = 0
    package var snapshotTime = 0
    package var snapshotNanoseconds = 0
    /// Entities in memory that were not what had been stored.
    package var memoryErrors = 0
    /// Passes over all files and entities, bytes read by them, files found damaged; when the last one
    /// ended in ms since 1970, and how long it took.
    package var scrubs = 0
    package var scrubBytes = 0
    package var scrubDamages = 0
    package var scrubTime = 0
    package var scrubNanoseconds = 0

    package init() {}
}
