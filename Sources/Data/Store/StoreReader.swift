import FreshetEngine
import Glibc

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
        // As in `StoreVerifier`: a server that writes meanwhile can make a log look damaged that
        // is not. Damage stays.
        var attempts = 5
        while true {
            do throws(StoreError) {
                return try readOnce(path, files, progress)
            } catch {
                attempts -= 1
                guard attempts > 0 else { throw error }
                switch error {
                case .damaged: continue
                // A compaction has taken a file away.
                case .system(_, let fault) where fault.code == ENOENT: continue
                default: throw error
                }
            }
        }
    }

    private static func readOnce(
        _ path: String, _ files: any FileSystem, _ progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> StoredEntities {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let found = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try DataDirectory.read(files, handle)
        }
        guard let found else { throw DataDirectory.unidentified(files, handle, path) }
        let identity = try DataDirectory.checked(found, path)
        let reader = StateReader(
            files: files, directory: handle, identity: identity, settlesTail: false, threads: 1)
        return try withoutActuallyEscaping(progress) { report throws(StoreError) in
            let replay = LogReplay(memoryTypes: [], report: report)
            let state = try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try reader.read(into: replay, report: report)
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
