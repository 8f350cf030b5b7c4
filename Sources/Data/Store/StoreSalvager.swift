import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

/// What a salvage has made.
package struct SalvageReport: Sendable {
    /// The commit that the new directory stands at: the highest that the old one knew of.
    package var seq: UInt64
    package var entities: Int
    /// The whole snapshot that it began with.
    package var snapshotSeq: UInt64?
    /// Frames of the log that verified.
    package var frames: Int
    package var losses: SalvageLosses
    /// The file with the losses, in the new directory.
    package var file: String
}

/// Makes a new data directory of everything that a damaged one proves (`SalvageReader`), and says in
/// `lost.ndjson` what it does not. The damaged one is not touched.
package enum StoreSalvager {
    /// - Parameter target: Absent or empty.
    /// - Throws: `.locked` where a server has the damaged directory.
    /// - Complexity: O(bytes of the directory); the entities are held in memory.
    package static func salvage(
        _ source: String, into target: String, allowsNetwork: Bool = false, writerVersion: String,
        files: any FileSystem = POSIXFileSystem(), clock: any StoreClock = SystemClock(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> SalvageReport {
        let handle = try DataDirectory.wrapping(source) { () throws(SystemFault) in
            try files.openDirectory(path: source, creating: false)
        }
        defer { files.close(handle) }
        let lock = try DataDirectory.shareOrRefuse(files, handle, at: source)
        defer { if let lock { files.close(lock) } }
        let store = try identity(source, handle, files)
        try StoreBuilder.refuseUnlessFree(target, files)
        var reader = SalvageReader(
            StoreFiles(files: files, directory: handle, store: store))
        try DataDirectory.wrapping(source) { () throws(SystemFault) in
            try reader.read(progress: progress)
        }
        let tables = reader.tables()
        let builder = try StoreBuilder.begin(target, allowsNetwork: allowsNetwork, files, clock)
        defer { builder.close() }
        var fresh = StoreIdentity(
            store: .random(), created: clock.wallTime, writer: writerVersion)
        let seq = reader.seq
        try builder.write(
            SnapshotSource(
                store: fresh.store, seq: seq, epoch: .random(), lastTime: reader.lastTime,
                created: clock.wallTime.milliseconds,
                sections: tables.map { ($0.name, $0.table.view(seq: seq)) }
                    .sorted { $0.0 < $1.0 }.map { (name: $0.0, table: $0.1) })
        ) { type, id in
            .notReadable(
                directory: source,
                reason: "the entity \(id) of \(type.text) changed in memory; run it again, and "
                    + "check this machine's memory")
        }
        if seq > 0 { fresh.requiredFeatures = [SnapshotFormat.feature] }
        let losses = reader.losses
        try DataDirectory.wrapping(target) { () throws(SystemFault) in
            try DataDirectory.writeFile(
                SalvageLosses.fileName, bytes: losses.encoded(), files: files,
                directory: builder.handle)
            try builder.finish(fresh)
        }
        return SalvageReport(
            seq: seq, entities: tables.reduce(0) { $0 + $1.table.count },
            snapshotSeq: reader.snapshotSeq, frames: reader.frames, losses: losses,
            file: "\(target)/\(SalvageLosses.fileName)")
    }

    /// The store's id, from FRESHET, or where that is lost from most of the files that tell one.
    private static func identity(
        _ path: String, _ handle: FileHandle, _ files: any FileSystem
    ) throws(StoreError) -> StoreID {
        let found = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            do throws(SystemFault) {
                return try DataDirectory.read(files, handle)
            } catch {
                if error.isLoss { return .none }
                throw error
            }
        }
        if let known = found ?? nil { return try DataDirectory.checked(known, path).store }
        // What is whole there is not what lies about.
        if found == nil, (try? DirectoryReplacement.isWhole(files, handle)) == true {
            throw .unfinished(directory: path)
        }
        var votes: [StoreID: Int] = [:]
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            for name in try files.list(handle) {
                let isSegment = LogFormat.firstSeq(ofName: name) != nil
                guard isSegment || SnapshotFormat.seq(ofName: name) != nil else { continue }
                // One that cannot be read has no vote.
                guard let head = try? files.contents(of: name, in: handle, atMost: 128) else {
                    continue
                }
                let store = head.withUnsafeBytes { bytes in
                    isSegment
                        ? SegmentHeader(verifying: bytes)?.store
                        : SnapshotHeader(verifying: bytes)?.store
                }
                if let store { votes[store, default: 0] += 1 }
            }
        }
        guard let most = votes.max(by: { $0.value < $1.value }) else {
            throw .notAStore(directory: path)
        }
        return most.key
    }
}
