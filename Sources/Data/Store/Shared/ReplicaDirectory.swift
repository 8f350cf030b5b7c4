package import FreshetBase
import Glibc

/// What is done with the directory of a replica that cannot go on from it.
package enum ReplicaDirectory {
    static func isOwned(_ path: String, _ files: any FileSystem) throws(StoreError) -> Bool {
        do throws(SystemFault) {
            let handle = try files.openDirectory(path: path, creating: false)
            defer { files.close(handle) }
            return try files.list(handle).contains(DataDirectory.identityName)
        } catch {
            if error.code == ENOENT { return false }
            throw .system(directory: path, error)
        }
    }

    /// Moves the files of a replica that nobody runs into its folder `aside`: then the directory is
    /// empty. If it is interrupted the directory is damaged, and this is done again.
    package static func setAside(
        _ path: String, isReplicas: Bool = true, files: any FileSystem = POSIXFileSystem()
    ) throws(StoreError) {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let lock = try DataDirectory.acquire(
            files, directory: handle, path: path, clock: SystemClock())
        defer { files.close(lock) }
        let identity = try DataDirectory.identity(files, handle, path)
        guard identity.isReplica || !isReplicas else { throw .notOfCluster(directory: path) }
        let directory = DataDirectory(
            path: path, handle: handle, lock: lock, identity: identity, isNew: false,
            overwritesInPlace: true)
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            let names = try files.list(handle).filter {
                LogFormat.firstSeq(ofName: $0) != nil || SnapshotFormat.seq(ofName: $0) != nil
                    || Manifest.number(ofName: $0) != nil
            }
            for name in names { try directory.moveAside(name, files) }
            try files.sync(handle)
            // What the directory is comes last: without it nobody would know what the rest is.
            try directory.moveAside(DataDirectory.identityName, files)
            try files.sync(handle)
        }
    }

    /// Makes the directory of a replica from the backup of another one of the same cluster: from its
    /// seq on the shared log has the rest.
    package static func restore(
        _ backup: String, into path: String, writerVersion: String,
        files: any FileSystem = POSIXFileSystem(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> RestoreReport {
        try StoreRestorer.restore(
            backup, into: path, keepsCluster: true, writerVersion: writerVersion, files: files,
            progress: progress)
    }

    // MARK: The beginning of a log

    /// Where the directory is made anew, in the one that it replaces.
    private static let workName = "tmp-cluster"

    /// Makes a log where there is none, which begins with what the directory holds, and makes the
    /// directory that of its first replica. What there was lies in the folder `aside` afterwards.
    ///
    /// - Parameter isRecovery: The directory is a replica's, whose log was lost; else it is that of a
    ///   server that stood alone.
    /// - Throws: `.logExists`, `.logAway`, `.ofCluster`, `.notOfCluster` before anything is changed.
    package static func beginLog(
        _ log: any SharedLog, from path: String, isRecovery: Bool, writerVersion: String,
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> RestoreReport {
        try refuseExisting(log)
        let work = "\(path)/\(workName)"
        let report = try copy(
            path, to: work, isRecovery: isRecovery, writerVersion: writerVersion, progress: progress
        )
        guard let epoch = report.epoch, let position = report.position else {
            throw .notReadable(directory: path, reason: "it has no beginning of a log")
        }
        // Another may have made one meanwhile.
        try refuseExisting(log)
        try setAside(path, isReplicas: isRecovery)
        try moveUp(from: work, to: path)
        var head = LogHead(cluster: position.cluster, epoch: epoch, chain: position.chain)
        head.seq = report.seq
        head.floor = report.seq + 1
        let bytes = head.encoded()
        do throws(LogTrouble) {
            _ = try log.append(nil, head: bytes, expecting: nil)
        } catch {
            guard (try? log.head())?.bytes == bytes else {
                throw .logAway(
                    reason: "\(error.text); the directory is ready, run freshet cluster recover")
            }
        }
        return report
    }

    private static func refuseExisting(_ log: any SharedLog) throws(StoreError) {
        let found: LogValue?
        do throws(LogTrouble) { found = try log.head() } catch {
            throw .logAway(reason: error.text)
        }
        guard let found else { return }
        throw .logExists(
            cluster: LogHead(found.bytes)?.cluster.description ?? "of a later version")
    }

    /// Reads the directory, which nobody runs, and makes another one of it.
    private static func copy(
        _ path: String, to work: String, isRecovery: Bool, writerVersion: String,
        progress: (RecoveryProgress) -> Void
    ) throws(StoreError) -> RestoreReport {
        let files = POSIXFileSystem()
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let lock = try DataDirectory.acquire(
            files, directory: handle, path: path, clock: SystemClock())
        defer { files.close(lock) }
        let identity = try DataDirectory.identity(files, handle, path)
        guard identity.isReplica == isRecovery else {
            throw isRecovery ? .notOfCluster(directory: path) : .ofCluster(directory: path)
        }
        // An earlier try may have been interrupted.
        removeWork(work)
        return try StoreRestorer.restore(
            path, into: work, beginsLog: true, writerVersion: writerVersion, progress: progress)
    }

    /// Moves the files of a directory that was made into the one that it stands in.
    private static func moveUp(from work: String, to path: String) throws(StoreError) {
        let files = POSIXFileSystem()
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            let source = try files.openDirectory(path: work, creating: false)
            defer { files.close(source) }
            let target = try files.openDirectory(path: path, creating: false)
            defer { files.close(target) }
            let kept = [DataDirectory.lockName, DataDirectory.asideName]
            let names = try files.list(source).filter { !kept.contains($0) }
            for name in names where name != DataDirectory.identityName {
                try files.rename(name, in: source, to: name, in: target)
            }
            try files.sync(target)
            try files.rename(
                DataDirectory.identityName, in: source, to: DataDirectory.identityName, in: target)
            try files.sync(target)
        }
        removeWork(work)
    }

    private static func removeWork(_ work: String) {
        let files = POSIXFileSystem()
        // What is not there need not be removed, and what stays is in nobody's way.
        if let handle = try? files.openDirectory(path: work, creating: false) {
            for name in (try? files.list(handle)) ?? [] { try? files.remove(name, in: handle) }
            files.close(handle)
        }
        rmdir("\(work)/\(DataDirectory.asideName)")
        rmdir(work)
    }
}
