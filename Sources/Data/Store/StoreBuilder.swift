import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

/// Makes a data directory that did not exist or was empty: for restore, checkpoint and salvage.
///
/// The marker comes first and FRESHET last, each synced; so a directory is either whole, or has no
/// FRESHET and is refused by a server, and whoever began it may begin it anew.
struct StoreBuilder {
    let path: String
    let files: any FileSystem
    let clock: any StoreClock
    let handle: FileHandle
    private let lock: FileHandle

    /// Stands in a directory that is being made.
    static let markerName = "tmp-unfinished"

    /// - Throws: `.notEmpty` where the directory holds anything but what an unfinished making left.
    static func begin(
        _ path: String, allowsNetwork: Bool, _ files: any FileSystem, _ clock: any StoreClock
    ) throws(StoreError) -> StoreBuilder {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: true)
        }
        var lock: FileHandle?
        do throws(StoreError) {
            if !allowsNetwork, let kind = files.kind(of: path), kind.isNetwork {
                throw .network(directory: path, kind: kind.name)
            }
            let names = try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try files.list(handle)
            }
            guard isFree(names) else { throw .notEmpty(directory: path) }
            let held = try DataDirectory.acquire(files, directory: handle, path: path, clock: clock)
            lock = held
            let builder = StoreBuilder(
                path: path, files: files, clock: clock, handle: handle, lock: held)
            try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try builder.clean()
            }
            return builder
        } catch {
            if let lock { files.close(lock) }
            files.close(handle)
            throw error
        }
    }

    /// Says at once what `begin` would say after long work.
    static func refuseUnlessFree(_ path: String, _ files: any FileSystem) throws(StoreError) {
        do throws(SystemFault) {
            let handle = try files.openDirectory(path: path, creating: false)
            defer { files.close(handle) }
            if isFree(try files.list(handle)) { return }
        } catch {
            if error.code == ENOENT { return }
            throw .system(directory: path, error)
        }
        throw .notEmpty(directory: path)
    }

    private static func isFree(_ names: [String]) -> Bool {
        let kept: Set<String> = [
            "lost+found", DataDirectory.lockName, DataDirectory.asideName,
            DataDirectory.reserveName,
        ]
        // The only whole copy of what was there, until it is in its place.
        if names.contains(DirectoryReplacement.folderName) { return false }
        // Another name than these comes only behind the marker.
        if names.allSatisfy({ kept.contains($0) || $0.hasPrefix("tmp-") }) { return true }
        return names.contains(markerName) && !names.contains(DataDirectory.identityName)
            && names.allSatisfy { kept.contains($0) || isOwn($0) }
    }

    /// Is it what a making puts there?
    private static func isOwn(_ name: String) -> Bool {
        name.hasPrefix("tmp-") || name == DataDirectory.asideName
            || LogFormat.firstSeq(ofName: name) != nil || SnapshotFormat.seq(ofName: name) != nil
            || Manifest.number(ofName: name) != nil || name == SalvageLosses.fileName
    }

    /// Sets the marker and removes what an earlier try has left.
    private func clean() throws(SystemFault) {
        try DataDirectory.writeFile(Self.markerName, bytes: [], files: files, directory: handle)
        let names = try files.list(handle)
        for name in names
        where Self.isOwn(name) && name != Self.markerName && name != DataDirectory.asideName {
            try files.remove(name, in: handle)
        }
        if !names.contains(DataDirectory.asideName) {
            try files.makeDirectory(DataDirectory.asideName, in: handle)
        }
        try files.sync(handle)
    }

    /// Removes what there is, so that another try can be made.
    func startOver() throws(SystemFault) {
        try clean()
    }

    /// Writes what `source` has as a snapshot and a log behind it that is empty.
    func write(
        _ source: SnapshotSource, memory: (TypeName, EntityID) -> StoreError
    ) throws(StoreError) {
        var summary = LogSummary()
        summary.lastSeq = source.seq
        summary.durableSeq = source.seq
        let snapshot = source.seq > 0 ? try writeSnapshot(source, memory) : nil
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try endLog(
                summary, store: source.store, epoch: source.epoch, snapshot: snapshot,
                position: source.position)
        }
    }

    private func writeSnapshot(
        _ source: SnapshotSource, _ memory: (TypeName, EntityID) -> StoreError
    ) throws(StoreError) -> Manifest.Snapshot {
        let name = SnapshotFormat.name(source.seq)
        var pace = SnapshotPace(bytesPerSecond: 0) { false }
        do throws(SnapshotFailure) {
            let written = try writeFile(source, "tmp-" + name, &pace)
            do throws(SystemFault) {
                try files.rename("tmp-" + name, in: handle, to: name, in: handle)
                try files.sync(handle)
            } catch {
                throw .system(error)
            }
            let found = try StoreFiles(files: files, directory: handle, store: source.store)
                .snapshot(source.seq).verify()
            guard found == written else {
                throw .damaged(
                    LogDamage(
                        file: name, offset: 0, lost: nil,
                        finding: "it reads as another than was written"))
            }
            return written
        } catch {
            switch error {
            case .system(let fault): throw .system(directory: path, fault)
            case .damaged(let damage): throw .damaged(directory: path, [damage])
            case .memory(let type, let id): throw memory(type, id)
            case .cancelled: throw .closed
            }
        }
    }

    private func writeFile(
        _ source: SnapshotSource, _ name: String, _ pace: inout SnapshotPace
    ) throws(SnapshotFailure) -> Manifest.Snapshot {
        let file: FileHandle
        do throws(SystemFault) {
            file = try files.open(name, in: handle, .make)
            try files.truncate(file, to: 0)
        } catch {
            throw .system(error.named(name))
        }
        defer { files.close(file) }
        // No log is written beside it.
        var writer = SnapshotWriter(files, file, syncStep: 64 << 20)
        return try writer.write(source, &pace)
    }

    /// Ends the log with an epoch of its own and the mark of a clean close, synced.
    ///
    /// - Parameter snapshot: Named by a manifest that is written; nil and `seq` 0 alone write none.
    func endLog(
        _ summary: LogSummary, store: StoreID, epoch: Epoch, snapshot: Manifest.Snapshot?,
        position: ClusterPosition? = nil, writesManifest: Bool = true
    ) throws(SystemFault) {
        let writer = try LogWriter(
            files: files, directory: handle, store: store, summary: summary, epoch: epoch,
            position: position, clock: clock, segmentLength: LogFormat.segmentLength,
            allocationStep: 64 << 10)
        defer { writer.close() }
        do throws(LogFailure) {
            try writer.tellEpoch(nextSeq: summary.nextSeq)
            try writer.mark(nextSeq: summary.nextSeq, clean: true)
        } catch {
            switch error {
            case .full(let fault), .failed(let fault): throw fault
            }
        }
        guard writesManifest else { return }
        try DataDirectory.writeFile(
            Manifest.name(1), bytes: writer.manifest(snapshot: snapshot).encoded(), files: files,
            directory: handle)
    }

    /// Makes it a data directory. From here on a server takes it.
    func finish(_ identity: StoreIdentity) throws(SystemFault) {
        try DataDirectory.writeFile(
            DataDirectory.identityName, bytes: identity.file, files: files, directory: handle)
        try files.remove(Self.markerName, in: handle)
        try files.sync(handle)
        // The name of a directory that is new is in its parent. A file system without parents (of
        // a test) has nothing to sync.
        if let parent = try? files.openDirectory(path: path + "/..", creating: false) {
            defer { files.close(parent) }
            try files.sync(parent)
        }
    }

    func close() {
        files.close(lock)
        files.close(handle)
    }
}
