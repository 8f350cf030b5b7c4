package import FreshetQuery

/// How a file store works.
package struct FileStoreOptions: Sendable {
    /// The data directory; made where absent (its parent must be there).
    package var directory: String
    package var durability = Durability.full
    /// Makes a store where there is none; otherwise that is `.notAStore`.
    package var makesDirectory = true
    package var allowsNetwork = false
    /// Types whose entities live in memory only and never reach a file.
    package var memoryTypes: Set<TypeName> = []
    /// Types whose writes are synced before they are answered where `durability` is relaxed.
    package var syncedTypes: Set<TypeName> = []
    /// The version of the program, for the file FRESHET; at most 32 bytes.
    package var writerVersion = "dev"
    /// The largest entity that a merge may make, bytes.
    package var maximumEntity = 1 << 20
    /// Entities of all types that are stored at most; more are refused, what is there stays.
    package var maximumEntities = Int.max
    /// Where a segment ends, bytes.
    package var segmentLength = LogFormat.segmentLength
    /// Space for a segment is taken in steps of this size, bytes.
    package var allocationStep = 4 << 20
    /// Zeros are written ahead of the frames in steps of this size, bytes (LogWriter).
    package var zeroStep = 128 << 10
    /// Below this many free bytes (or 1 % of the file system, whichever is more) sets are refused; 0:
    /// never. On a small volume it is less: with the reserve a tenth of it.
    package var lowSpace = 64 << 20
    /// Kept as the file `reserve` and given up so that removals go on where space is low, bytes.
    package var reserve = 16 << 20
    /// Writes that wait at most: transactions, and bytes.
    package var queueLimit = 65_536
    package var queueBytes = 256 << 20
    /// A batch older than this means that a write would wait too long.
    package var overloadAfter = Duration.seconds(2)
    /// A snapshot is due when the log behind the last one has more bytes than this and than the
    /// entities.
    package var snapshotMinimum = 64 << 20
    /// Where a segment ends: no later than a snapshot may be due, since one begins with a segment.
    var segmentEnd: Int { min(segmentLength, max(snapshotMinimum, 1_024)) }
    /// Bytes a second that a snapshot is written, and read again, with; 0: as fast as it goes.
    package var snapshotRate = 64 << 20
    /// Bytes a second that live files are read and checked with in the background; 0: never.
    package var scrubRate = 4 << 20
    /// Generations that are kept: 2, or 1 where space matters more.
    package var retain = 2
    /// Threads that load and build at a start.
    package var startThreads = Workers.standard
    /// Batches are run by `submit`'s caller and by `runQueue`, not by a thread: for simulations,
    /// where the order of system calls must repeat.
    package var isStepped = false
    /// Of the directory of a replica: the log there has frames of a shared log, which has them all.
    /// So they are synced in the background, and an unclean end loses nothing.
    var isReplica = false
    /// Where the shared log begins, for a replica's directory that is to be made.
    var origin: (epoch: Epoch, position: ClusterPosition)?

    package init(directory: String) {
        self.directory = directory
    }
}

/// A type that is kept in memory now, and what the log has of when it was not.
package struct LeftInLog: Sendable, Equatable {
    package let type: TypeName
    package let entities: Int
}

/// What a start found.
package struct RecoveryReport: Sendable, Equatable {
    package var cursor: Cursor
    package var duration = Duration.zero
    package var entities = 0
    /// Commits replayed.
    package var commits = 0
    package var segments = 0
    package var logBytes = 0
    /// The directory was made by this start.
    package var isNew = false
    /// The last process closed the store.
    package var wasClosed = false
    /// What stood behind the last good frame; where a copy is, nil where none could be made.
    package var torn: TornTail?
    package var aside: String?
    /// Types that are kept in memory now and have entities in the log of when they were not. They
    /// are not shown, and come back where the type is kept in files again.
    package var leftInLog: [LeftInLog] = []
    /// The seq of the snapshot that it began with, nil where it read the log alone.
    package var snapshotSeq: UInt64?
    /// Files of the newest generation that were of no use; the older one told the same. Empty where
    /// nothing was wrong.
    package var fallback: [LogDamage] = []
}

extension FileStoreOptions {
    /// The same for a volume of `total` bytes: on one below 1 GiB the standard reserve, and logs as
    /// long as the standard ones, would leave too little for the data.
    func fitted(to total: Int) -> FileStoreOptions {
        var fitted = self
        fitted.reserve = min(reserve, total / 50)
        fitted.allocationStep = min(allocationStep, max(total / 64, 64 << 10))
        // One that is never due stays so.
        if snapshotMinimum != .max {
            fitted.snapshotMinimum = min(snapshotMinimum, max(total / 8, 64 << 10))
        }
        return fitted
    }

    func retaining(_ generations: Int) -> FileStoreOptions {
        var options = self
        options.retain = min(retain, generations)
        return options
    }

    /// Bytes that are kept free of a volume of `total` bytes: with the reserve at most a tenth.
    func lowSpace(of total: Int) -> Int {
        lowSpace == 0 ? 0 : max(min(lowSpace, total / 10 - min(reserve, total / 50)), total / 100)
    }

    /// What is promised of a transaction as a whole: nothing beyond this process where one of its types is
    /// in memory, else the most that one asks for.
    func durability(of transaction: Transaction) -> Durability {
        let isVolatile =
            !memoryTypes.isEmpty
            && (0..<transaction.count).contains { memoryTypes.contains(transaction[$0].type) }
        return isVolatile ? .memory : logDurability(of: transaction)
    }

    /// How durable what the log has of a transaction is before it is answered.
    func logDurability(of transaction: Transaction) -> Durability {
        guard !syncedTypes.isEmpty, durability != .full else { return durability }
        let isSynced = (0..<transaction.count).contains {
            syncedTypes.contains(transaction[$0].type)
        }
        return isSynced ? .full : durability
    }
}
