import FreshetBase
import FreshetEngine
import FreshetQuery

/// How far a history is followed.
package struct RestorePoint: Sendable, Equatable {
    /// The last commit that is taken.
    package var seq: UInt64
    /// Commits after this wall time, ms since 1970, are not taken.
    package var milliseconds: Int64

    package init(seq: UInt64 = .max, milliseconds: Int64 = .max) {
        self.seq = seq
        self.milliseconds = milliseconds
    }

    /// Everything that there is.
    package static let newest = RestorePoint()
}

/// What a restore has made.
package struct RestoreReport: Sendable, Equatable {
    /// The commit that the new directory stands at, and its wall time in ms since 1970 (0 where it
    /// has none).
    package var seq: UInt64
    package var milliseconds: Int64
    package var entities: Int
    /// The newest commit of what it was made from.
    package var newestSeq: UInt64
    /// Where that begins: no earlier commit can be asked for.
    package var oldestSeq: UInt64
    /// Of a replica's directory that was made: what it goes on from.
    var epoch: Epoch?
    var position: ClusterPosition?
}

/// What a backup holds, once it was read from its first byte to its last.
package struct BackupReport: Sendable, Equatable {
    package var seq: UInt64
    package var entities: Int
    package var commits: Int
    package var bytes: Int
    /// ms since 1970.
    package var created: Int64
}

/// Makes a data directory from a backup, or from another data directory (a checkpoint, or one whose
/// server is stopped or running), as it was at its newest commit or an earlier one.
///
/// The new one has a store id and an epoch of its own: it is another store from here on, and what a
/// client remembers of the first one is answered with a snapshot, not with another history.
package enum StoreRestorer {
    /// - Parameters:
    ///   - source: A backup's file, or a data directory.
    ///   - target: Absent or empty.
    ///   - keepsCluster: It becomes the directory of a replica: with the epoch of the source, the
    ///     cluster's id and the chain at its newest commit.
    ///   - beginsLog: It becomes the directory of a replica at the beginning of a log: with an epoch of
    ///     its own, and of the source's cluster or, where that is of none, a new one.
    ///   - progress: Called now and then on this thread.
    /// - Complexity: O(bytes of the source); the entities are held in memory.
    package static func restore(
        _ source: String, into target: String, upTo point: RestorePoint = .newest,
        keepsCluster: Bool = false, beginsLog: Bool = false, allowsNetwork: Bool = false,
        writerVersion: String,
        files: any FileSystem = POSIXFileSystem(), clock: any StoreClock = SystemClock(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> RestoreReport {
        try StoreBuilder.refuseUnlessFree(target, files)
        let origin = try RestoreOrigin.open(source, files)
        defer { origin.close() }
        try origin.check(progress)
        let read = try origin.read(upTo: point, progress)
        var kept = keepsCluster ? read.origin : nil
        if beginsLog {
            let cluster = read.origin?.position.cluster ?? .random()
            let chain = SharedFrame.seed(of: cluster)
            kept = (.random(), ClusterPosition(cluster: cluster, chain: chain))
        }
        if keepsCluster && kept == nil {
            throw .backup(file: source, reason: "it is not that of a server of a cluster")
        }
        let builder = try StoreBuilder.begin(
            target, allowsNetwork: allowsNetwork, files, clock)
        defer { builder.close() }
        let identity = StoreIdentity(
            store: .random(), created: clock.wallTime, writer: writerVersion)
        let sections = read.tables.map {
            (name: $0.name, table: $0.table.view(seq: read.report.seq))
        }
        try builder.write(
            SnapshotSource(
                store: identity.store, seq: read.report.seq, epoch: kept?.epoch ?? .random(),
                lastTime: read.report.milliseconds, created: clock.wallTime.milliseconds,
                sections: sections.sorted { $0.name < $1.name }, position: kept?.position)
        ) { type, id in
            .notReadable(
                directory: source,
                reason: "the entity \(id) of \(type.text) changed in memory; run it again, and "
                    + "check this machine's memory")
        }
        try DataDirectory.wrapping(target) { () throws(SystemFault) in
            var identity = identity
            if read.report.seq > 0 { identity.requiredFeatures = [SnapshotFormat.feature] }
            if kept != nil { identity.requiredFeatures.append(LogFormat.clusterFeature) }
            try builder.finish(identity)
        }
        var report = read.report
        report.epoch = kept?.epoch
        report.position = kept?.position
        return report
    }

    /// Reads a backup from the disk, first byte to last, and proves every entity in it.
    package static func verify(
        backup path: String, files: any FileSystem = POSIXFileSystem(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> BackupReport {
        let origin = try RestoreOrigin.open(backup: path, files)
        defer { origin.close() }
        try origin.check(progress)
        let read = try origin.read(upTo: .newest, progress)
        guard let header = origin.header, read.report.seq <= header.seq else {
            throw .backup(file: path, reason: "it holds more than it says")
        }
        return BackupReport(
            seq: read.report.seq, entities: read.report.entities, commits: read.commits,
            bytes: header.bytes, created: header.created)
    }
}

/// What a restore reads: a backup or a directory, in one form.
private struct RestoreOrigin {
    let path: String
    let files: any FileSystem
    let handle: FileHandle
    let backup: BackupFileSystem?

    var header: BackupHeader? { backup?.header }

    static func open(
        _ path: String, _ files: any FileSystem
    ) throws(StoreError) -> RestoreOrigin {
        do throws(SystemFault) {
            let handle = try files.openDirectory(path: path, creating: false)
            return RestoreOrigin(path: path, files: files, handle: handle, backup: nil)
        } catch {
            // No directory: then it is a file, or its opening says what is wrong.
            return try open(backup: path, files)
        }
    }

    static func open(
        backup path: String, _ files: any FileSystem
    ) throws(StoreError) -> RestoreOrigin {
        let backup = try BackupFileSystem(path, files)
        return RestoreOrigin(
            path: path, files: backup, handle: BackupFileSystem.directory, backup: backup)
    }

    func close() {
        files.close(handle)
    }

    func check(_ progress: (RecoveryProgress) -> Void) throws(StoreError) {
        guard let backup else { return }
        try backup.check { done in
            progress(
                RecoveryProgress(
                    phase: .backup, bytesRead: done, bytesTotal: backup.header.bytes,
                    commits: 0))
        }
    }

    struct Read {
        var tables: [(name: TypeName, table: Table)]
        var report: RestoreReport
        var commits: Int
        /// Of a replica, at the newest commit.
        var origin: (epoch: Epoch, position: ClusterPosition)?
    }

    func read(
        upTo point: RestorePoint, _ progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> Read {
        do throws(StoreError) {
            return try StoreFiles.beside(attempts: backup == nil ? 5 : 1) {
                () throws(StoreError) in try readOnce(point, progress)
            }
        } catch {
            throw told(error)
        }
    }

    /// The error with the name of a backup in the place of a directory's.
    private func told(_ error: StoreError) -> StoreError {
        guard backup != nil, case .damaged(_, let damages) = error else { return error }
        return .backup(
            file: path, reason: damages.map(\.description).joined(separator: "; "))
    }

    private func readOnce(
        _ point: RestorePoint, _ progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> Read {
        let identity = try DataDirectory.identity(files, handle, path)
        let source = StoreFiles(files: files, directory: handle, store: identity.store)
        let oldest = try oldestSeq()
        if point.seq < oldest { throw outOfReach(oldest, nil) }
        return try withoutActuallyEscaping(progress) { report throws(StoreError) in
            let replay = LogReplay(memoryTypes: [], limit: point, report: report)
            let reader = StateReader(
                source: source, threads: Workers.standard, limit: point)
            let state = try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try reader.read(into: replay, report: report)
            }
            // A seq before the oldest was refused above.
            if state.snapshot == nil && oldest > 0 && point != .newest && point.seq == .max {
                throw outOfReach(oldest, nil)
            }
            guard state.log.damages.isEmpty else {
                throw .damaged(directory: path, state.fallback + state.log.damages)
            }
            let newest = max(state.log.lastSeq, replay.lastSeq)
            if point.seq != .max && point.seq > newest { throw outOfReach(oldest, newest) }
            if replay.lastTime > point.milliseconds { throw outOfReach(oldest, newest) }
            var restored = RestoreReport(
                seq: point.seq != .max ? point.seq : replay.isCut ? replay.lastSeq : newest,
                milliseconds: replay.lastTime, entities: 0, newestSeq: newest, oldestSeq: oldest)
            let commits = replay.commits
            let recovered = replay.finish()
            restored.entities = recovered.entityCount
            var read = Read(tables: recovered.tables, report: restored, commits: commits)
            if let epoch = state.log.epoch, let position = state.log.position,
                replay.lastSeq == newest, !replay.isCut
            {
                read.origin = (epoch, position)
            }
            return read
        }
    }

    /// The earliest commit that the files reach back to.
    private func oldestSeq() throws(StoreError) -> UInt64 {
        let names = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.list(handle)
        }
        if names.contains(LogFormat.segmentName(1)) { return 0 }
        return names.compactMap(SnapshotFormat.seq(ofName:)).min() ?? 0
    }

    private func outOfReach(_ oldest: UInt64, _ newest: UInt64?) -> StoreError {
        .backup(
            file: path,
            reason: newest.map { "it reaches from seq \(oldest) to seq \($0)" }
                ?? "it reaches back to seq \(oldest)")
    }
}
