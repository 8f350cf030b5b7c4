import FreshetBase
import Glibc

/// A data directory that nobody runs, and another one, made of it, that takes its place.
///
/// The new one is made whole in the folder `tmp-cluster`. FRESHET goes aside first and the new one's
/// comes last, each synced, so that no server takes what lies between (`DataDirectory.unidentified`):
/// FRESHET aside, the other files aside, the mark in the folder, the folder's files into their place,
/// FRESHET. Where that was interrupted `resume` goes on; before it, nothing has changed.
struct DirectoryReplacement {
    let path: String
    let handle: FileHandle
    private let files: any FileSystem
    private let lock: FileHandle

    static let folderName = "tmp-cluster"
    /// Stands in the folder once nothing of the old directory is in its place.
    private static let markName = "tmp-moving"

    var folder: String { "\(path)/\(Self.folderName)" }

    /// Takes the directory until `close`.
    static func open(
        _ path: String, _ files: any FileSystem, clock: any StoreClock
    ) throws(StoreError) -> DirectoryReplacement {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        do throws(StoreError) {
            let names = try DataDirectory.wrapping(path) { () throws(SystemFault) in
                try files.list(handle)
            }
            // A lock is left in no directory but a store's.
            if !names.contains(DataDirectory.identityName), !names.contains(folderName) {
                throw DataDirectory.unidentified(files, handle, at: path)
            }
            let lock = try DataDirectory.acquire(
                files, directory: handle, path: path, clock: clock)
            return DirectoryReplacement(path: path, handle: handle, files: files, lock: lock)
        } catch {
            files.close(handle)
            throw error
        }
    }

    func close() {
        files.close(lock)
        files.close(handle)
    }

    /// Goes on with what was interrupted.
    ///
    /// - Returns: Whether there was something to go on with: then the new directory stands there.
    func resume() throws(StoreError) -> Bool {
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            guard try !files.list(handle).contains(DataDirectory.identityName),
                try Self.isWhole(files, handle),
                let folder = try Self.openFolder(files, handle)
            else { return false }
            defer { files.close(folder) }
            try moveAll(folder)
            return true
        }
    }

    /// Whether the directory of `handle` has a new one in it that was made to its end.
    static func isWhole(_ files: any FileSystem, _ handle: FileHandle) throws(SystemFault) -> Bool {
        guard let folder = try openFolder(files, handle) else { return false }
        defer { files.close(folder) }
        let made = try files.list(folder)
        return made.contains(DataDirectory.identityName) && !made.contains(StoreBuilder.markerName)
    }

    /// Puts the new directory, which is whole, in the place of the one that there is.
    func replace() throws(StoreError) {
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            let folder = try files.openDirectory(Self.folderName, in: handle)
            defer { files.close(folder) }
            try files.sync(handle)
            try DataDirectory.moveAside(DataDirectory.identityName, in: handle, files)
            try files.sync(handle)
            try moveAll(folder)
        }
    }

    private func moveAll(_ folder: FileHandle) throws(SystemFault) {
        if try !files.list(folder).contains(Self.markName) {
            try DataDirectory.moveLogAside(in: handle, files)
            try DataDirectory.writeFile(Self.markName, bytes: [], files: files, directory: folder)
        }
        let kept = [
            DataDirectory.lockName, DataDirectory.asideName, DataDirectory.identityName,
            Self.markName,
        ]
        for name in try files.list(folder) where !kept.contains(name) {
            try files.rename(name, in: folder, to: name, in: handle)
        }
        try files.sync(handle)
        let last = DataDirectory.identityName
        try files.rename(last, in: folder, to: last, in: handle)
        try files.sync(handle)
        // It is in its place, whatever stays in the folder.
        try? Self.discard(files, handle)
    }

    /// Removes what an earlier try has made and not put in its place.
    func discard() throws(StoreError) {
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try Self.discard(files, handle)
        }
    }

    /// As above, in the directory of `handle`, which has its FRESHET.
    static func discard(_ files: any FileSystem, _ handle: FileHandle) throws(SystemFault) {
        try disown(files, handle)
        guard let folder = try openFolder(files, handle) else { return }
        do {
            defer { files.close(folder) }
            for name in try files.list(folder) {
                if name == DataDirectory.asideName {
                    try files.removeDirectory(name, in: folder)
                } else {
                    try files.remove(name, in: folder)
                }
            }
        }
        try files.removeDirectory(folderName, in: handle)
    }

    /// Removes the folder's FRESHET: what stays of it then is taken up by nobody, also where the
    /// directory loses its own later.
    static func disown(_ files: any FileSystem, _ handle: FileHandle) throws(SystemFault) {
        guard let folder = try openFolder(files, handle) else { return }
        defer { files.close(folder) }
        guard try files.list(folder).contains(DataDirectory.identityName) else { return }
        try files.remove(DataDirectory.identityName, in: folder)
        try files.sync(folder)
    }

    /// The folder, nil where there is none.
    private static func openFolder(
        _ files: any FileSystem, _ handle: FileHandle
    ) throws(SystemFault) -> FileHandle? {
        do throws(SystemFault) {
            return try files.openDirectory(folderName, in: handle)
        } catch {
            // A file or a link under its name is somebody else's.
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
            throw error
        }
    }
}
