package import FreshetBase
import Glibc

/// What is done with the directory of a replica that cannot go on from it.
package enum ReplicaDirectory {
    /// Whether the directory is a server's; where not, one is to be made in it.
    ///
    /// - Throws: where it was one, so that nothing is fetched for what is refused then.
    static func isOwned(_ path: String, _ files: any FileSystem) throws(StoreError) -> Bool {
        let fault: StoreError
        do throws(SystemFault) {
            let handle = try files.openDirectory(path: path, creating: false)
            defer { files.close(handle) }
            if try files.list(handle).contains(DataDirectory.identityName) { return true }
            fault = DataDirectory.unidentified(files, handle, at: path)
        } catch {
            if error.code == ENOENT { return false }
            throw .system(directory: path, error)
        }
        // An empty one too, which is told from others when it is made.
        if fault == .notAStore(directory: path) { return false }
        throw fault
    }

    /// Moves the files of a replica that nobody runs into its folder `aside`: then the directory is
    /// empty. If it is interrupted it is still a replica's, of which the oldest files are missing: what
    /// that cannot go on from is set aside again.
    package static func setAside(
        _ path: String, files: any FileSystem = POSIXFileSystem()
    ) throws(StoreError) {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let identity = try DataDirectory.identity(files, handle, path)
        guard identity.isReplica else { throw .notOfCluster(directory: path) }
        let lock = try DataDirectory.acquire(
            files, directory: handle, path: path, clock: SystemClock())
        defer { files.close(lock) }
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try DataDirectory.moveLogAside(in: handle, files)
            // What the directory is comes last: without it nobody would know what the rest is.
            try DataDirectory.moveAside(DataDirectory.identityName, in: handle, files)
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

    /// Makes a log where there is none, which begins with what the directory holds, and makes the
    /// directory that of its first replica. What there was lies in the folder `aside` afterwards. Where
    /// an earlier call was interrupted this one goes on (`DirectoryReplacement`).
    ///
    /// - Parameter isRecovery: The directory is a replica's, whose log was lost; else it is that of a
    ///   server that stood alone.
    /// - Throws: `.logExists`, `.logAway`, `.ofCluster`, `.notOfCluster` before anything is changed.
    package static func beginLog(
        _ log: any SharedLog, from path: String, isRecovery: Bool, writerVersion: String,
        files: any FileSystem = POSIXFileSystem(), clock: any StoreClock = SystemClock(),
        progress: (RecoveryProgress) -> Void = { _ in }
    ) throws(StoreError) -> RestoreReport {
        try refuseExisting(log)
        let replacement = try DirectoryReplacement.open(path, files, clock: clock)
        defer { replacement.close() }
        // What stands there then is a replica's that no log follows.
        let isRecovery = try replacement.resume() || isRecovery
        let identity = try DataDirectory.identity(files, replacement.handle, path)
        guard identity.isReplica == isRecovery else {
            throw isRecovery ? .notOfCluster(directory: path) : .ofCluster(directory: path)
        }
        try replacement.discard()
        let report = try StoreRestorer.restore(
            path, into: replacement.folder, beginsLog: true, writerVersion: writerVersion,
            files: files, clock: clock, progress: progress)
        guard let epoch = report.epoch, let position = report.position else {
            throw .notReadable(directory: path, reason: "it has no beginning of a log")
        }
        // Another may have made one meanwhile.
        try refuseExisting(log)
        try replacement.replace()
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
}
