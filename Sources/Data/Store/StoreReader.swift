import FreshetEngine

/// The entities of a data directory as its log has them.
package struct StoredEntities: Sendable {
    /// Every type of the log, those that a server would leave out of memory included.
    package let views: StoreViews
    /// The tail of a commit that was never acknowledged; not among the entities.
    package let torn: TornTail?
}

/// Reads the entities of a data directory and changes nothing. Takes no lock, so it may run beside
/// a server, and then shows what was synced by the time that it came to the end of the log.
package enum StoreReader {
    /// - Parameter progress: Called now and then on this thread.
    /// - Throws: `.notAStore` where there is none, `.damaged` where acknowledged data cannot be
    ///   read.
    /// - Complexity: O(bytes of the log); the entities are held in memory.
    package static func read(
        directory path: String, files: any FileSystem = POSIXFileSystem(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> StoredEntities {
        try StoreFiles.beside { () throws(StoreError) in
            try StoreFiles.read(at: path, files) { source, _ throws(StoreError) in
                try read(source, path, progress)
            }
        }
    }

    private static func read(
        _ source: StoreFiles, _ path: String, _ progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> StoredEntities {
        try withoutActuallyEscaping(progress) { report throws(StoreError) in
            let replay = LogReplay(memoryTypes: [], report: report)
            let state = try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try StateReader(source: source).read(into: replay, report: report)
            }
            let summary = state.log
            guard summary.damages.isEmpty else {
                throw .damaged(directory: path, state.fallback + summary.damages)
            }
            let cursor = Cursor(epoch: summary.epoch ?? .random(), seq: summary.lastSeq)
            let types = replay.finish().tables.map {
                (name: $0.name, table: $0.table.view(seq: cursor.seq))
            }
            return StoredEntities(
                views: StoreViews(cursor: cursor, types: types.sorted { $0.name < $1.name }),
                torn: summary.torn)
        }
    }
}
