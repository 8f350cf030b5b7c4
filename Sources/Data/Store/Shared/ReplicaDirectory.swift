import FreshetBase
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
        _ path: String, files: any FileSystem = POSIXFileSystem()
    ) throws(StoreError) {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let lock = try DataDirectory.acquire(files, handle, path, SystemClock())
        defer { files.close(lock) }
        let identity = try DataDirectory.identity(files, handle, path)
        guard identity.isReplica else { throw .notOfCluster(directory: path) }
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
}
