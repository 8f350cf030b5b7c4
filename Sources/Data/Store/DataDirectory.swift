import FreshetBase
import Glibc

/// An owned data directory: opened, locked, identified; made where it is new.
///
/// Creation: the first segment, then FRESHET, each synced under a temporary name before the rename,
/// and the directory synced after it. FRESHET comes last, so a directory without it was never in
/// use: where it holds nothing but what an unfinished creation leaves, it counts as new.
struct DataDirectory {
    let path: String
    let handle: FileHandle
    let lock: FileHandle
    let identity: StoreIdentity
    let isNew: Bool
    /// See `FileSystemKind`.
    let overwritesInPlace: Bool

    static let identityName = "FRESHET"
    static let lockName = "LOCK"
    static let asideName = "aside"
    static let reserveName = "reserve"

    static func open(
        _ options: FileStoreOptions, files: any FileSystem, clock: any StoreClock
    ) throws(StoreError) -> DataDirectory {
        let path = options.directory
        let handle: FileHandle
        do {
            handle = try files.openDirectory(path: path, creating: options.makesDirectory)
        } catch {
            throw .system(directory: path, error)
        }
        var lock: FileHandle?
        do throws(StoreError) {
            let kind = files.kind(of: path)
            if !options.allowsNetwork, let kind, kind.isNetwork {
                throw .network(directory: path, kind: kind.name)
            }
            try inspect(files, handle, at: path)
            if !options.makesDirectory, try found(files, handle, path) == nil {
                throw unidentified(files, handle, at: path)
            }
            let held = try acquire(files, directory: handle, path: path, clock: clock)
            lock = held
            let (identity, isNew) = try identify(
                options, files: files, directory: handle, clock: clock)
            return DataDirectory(
                path: path, handle: handle, lock: held, identity: identity, isNew: isNew,
                overwritesInPlace: kind?.overwritesInPlace ?? true)
        } catch {
            if let lock { files.close(lock) }
            files.close(handle)
            throw error
        }
    }

    func close(_ files: any FileSystem) {
        files.close(lock)
        files.close(handle)
    }

    // MARK: Lock

    static func acquire(
        _ files: any FileSystem, directory: FileHandle, path: String, clock: any StoreClock
    ) throws(StoreError) -> FileHandle {
        do throws(SystemFault) {
            let file = try files.open(lockName, in: directory, .make)
            do throws(SystemFault) {
                try take(file, of: directory, files, clock: clock)
                return file
            } catch {
                files.close(file)
                throw error
            }
        } catch {
            if error.call == "flock" && error.code == EWOULDBLOCK {
                throw .locked(directory: path, holder: error.name)
            }
            throw .system(directory: path, error)
        }
    }

    private static func take(
        _ file: FileHandle, of directory: FileHandle, _ files: any FileSystem,
        clock: any StoreClock
    ) throws(SystemFault) {
        guard try files.lock(file, exclusive: true) else {
            // Where this one can be had, no server has the directory.
            if try files.lock(file, exclusive: false) {
                throw SystemFault("flock", StoreError.reader, EWOULDBLOCK)
            }
            let text = try files.contents(of: lockName, in: directory, atMost: 512) ?? []
            throw SystemFault("flock", holder(text), EWOULDBLOCK)
        }
        // Whoever removes the file LOCK has not removed the lock.
        guard files.lockDirectory(directory) else {
            throw SystemFault("flock", holder([]), EWOULDBLOCK)
        }
        let lines = [
            "pid \(getpid())", "host \(HostName.current)", "boot \(bootID)",
            "started \(clock.wallTime.rfc3339)", "",
        ]
        try files.truncate(file, to: 0)
        do throws(SystemFault) {
            try files.writeAll(file, Array(lines.joined(separator: "\n").utf8), at: 0)
        } catch {
            // The text is for a message only: a full disk must not keep the store from opening.
            if !error.isFull { throw error }
        }
    }

    /// Takes the lock shared, so that no server begins to change what is being read; nil where one
    /// runs already, or there is no lock. Closing it gives it back.
    static func share(
        _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> FileHandle? {
        do throws(SystemFault) {
            let file = try files.open(lockName, in: directory, .read)
            do throws(SystemFault) {
                if try files.lock(file, exclusive: false) { return file }
            } catch {
                files.close(file)
                throw error
            }
            files.close(file)
            return nil
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// As `share`, and `.locked` where a server has the directory.
    static func shareOrRefuse(
        _ files: any FileSystem, _ directory: FileHandle, at path: String
    ) throws(StoreError) -> FileHandle? {
        let shared = try wrapping(path) { () throws(SystemFault) in try share(files, directory) }
        if let shared { return shared }
        let text = try wrapping(path) { () throws(SystemFault) -> [UInt8]? in
            do throws(SystemFault) {
                return try files.contents(of: lockName, in: directory, atMost: 512)
            } catch {
                // It is held all the same.
                if error.isUnreadable { return [] }
                throw error
            }
        }
        guard let text else { return nil }
        throw .locked(directory: path, holder: holder(text))
    }

    /// The pid in a lock's text.
    private static func holder(_ text: [UInt8]) -> String {
        let line = String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
        guard line.hasPrefix("pid "), let pid = Int(line.dropFirst(4)) else { return "unknown" }
        return String(pid)
    }

    private static var bootID: String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "unknown" }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }

    // MARK: Identity

    private static func identify(
        _ options: FileStoreOptions, files: any FileSystem, directory: FileHandle,
        clock: any StoreClock
    ) throws(StoreError) -> (StoreIdentity, isNew: Bool) {
        let path = options.directory
        if let identity = try found(files, directory, path) {
            let checked = try checked(identity, path)
            guard checked.isReplica == options.isReplica else {
                throw options.isReplica
                    ? .notOfCluster(directory: path) : .ofCluster(directory: path)
            }
            try wrapping(path) { () throws(SystemFault) in try clean(files, directory) }
            return (checked, false)
        }
        let unused = try wrapping(path) { () throws(SystemFault) in
            try isUnused(files, directory)
        }
        // It was before the lock was had (`inspect`).
        guard unused else { throw .notAStore(directory: path) }
        var identity = StoreIdentity(
            store: .random(), created: clock.wallTime, writer: options.writerVersion)
        if options.isReplica { identity.requiredFeatures = [LogFormat.clusterFeature] }
        try wrapping(path) { () throws(SystemFault) in
            try clean(files, directory)
            try create(identity, options: options, files: files, directory: directory, clock: clock)
        }
        return (identity, true)
    }

    /// Refuses a directory of other things before anything is put into it.
    private static func inspect(
        _ files: any FileSystem, _ directory: FileHandle, at path: String
    ) throws(StoreError) {
        if try found(files, directory, path) != nil { return }
        let unused = try wrapping(path) { () throws(SystemFault) in
            try isUnused(files, directory)
        }
        guard unused else { throw unidentified(files, directory, at: path) }
    }

    private static func found(
        _ files: any FileSystem, _ directory: FileHandle, _ path: String
    ) throws(StoreError) -> StoreIdentity?? {
        try wrapping(path) { () throws(SystemFault) in try read(files, directory) }
    }

    static func wrapping<Value>(
        _ path: String, _ body: () throws(SystemFault) -> Value
    ) throws(StoreError) -> Value {
        do throws(SystemFault) {
            return try body()
        } catch {
            throw StoreError(error, directory: path)
        }
    }

    /// Reads FRESHET, nil where there is none.
    static func read(
        _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> StoreIdentity?? {
        guard
            let bytes = try files.contents(
                of: identityName, in: directory, atMost: LogFormat.identityLength)
        else { return .none }
        return .some(StoreIdentity(file: bytes))
    }

    /// The identity of a store's directory.
    ///
    /// - Throws: where it is none, is damaged, or another version's.
    static func identity(
        _ files: any FileSystem, _ directory: FileHandle, _ path: String
    ) throws(StoreError) -> StoreIdentity {
        guard let found = try found(files, directory, path) else {
            throw unidentified(files, directory, at: path)
        }
        return try checked(found, path)
    }

    /// What is wrong with a directory without FRESHET, which the caller has no lock of: somebody is
    /// about to put another in its place, or was interrupted; it is a store's that has lost it; or it
    /// holds other things.
    static func unidentified(
        _ files: any FileSystem, _ directory: FileHandle, at path: String
    ) -> StoreError {
        guard let names = try? files.list(directory) else { return .notAStore(directory: path) }
        if (try? DirectoryReplacement.isWhole(files, directory)) == true {
            do throws(StoreError) {
                let lock = try shareOrRefuse(files, directory, at: path)
                if let lock { files.close(lock) }
            } catch {
                return error
            }
            return .unfinished(directory: path)
        }
        guard !names.contains(StoreBuilder.markerName),
            (try? isUnused(files, directory)) == false,
            names.contains(where: {
                LogFormat.firstSeq(ofName: $0) != nil || SnapshotFormat.seq(ofName: $0) != nil
                    || Manifest.number(ofName: $0) != nil
            })
        else { return .notAStore(directory: path) }
        return .damaged(
            directory: path,
            [LogDamage(file: identityName, offset: 0, lost: nil, finding: "the file is missing")])
    }

    /// - Throws: where the file is damaged, or another version's.
    static func checked(
        _ identity: StoreIdentity?, _ path: String
    ) throws(StoreError) -> StoreIdentity {
        guard let identity else {
            throw .damaged(
                directory: path,
                [
                    LogDamage(
                        file: identityName, offset: 0, lost: nil, finding: "both halves are damaged"
                    )
                ])
        }
        let unknown = identity.requiredFeatures.filter { !LogFormat.features.contains($0) }
        guard identity.major == LogFormat.major, unknown.isEmpty else {
            throw .incompatible(
                directory: path,
                format: "\(identity.major).\(identity.minor)"
                    + unknown.map { " with \($0)" }.joined(),
                writer: identity.writer)
        }
        return identity
    }

    /// Removes what an earlier process left unfinished.
    private static func clean(
        _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) {
        try DirectoryReplacement.disown(files, directory)
        // What stays of the folder is in nobody's way.
        try? DirectoryReplacement.discard(files, directory)
        for name in try files.list(directory)
        where name.hasPrefix("tmp-") && name != DirectoryReplacement.folderName {
            try files.remove(name, in: directory)
        }
    }

    /// Is there nothing but what an unfinished creation leaves: the lock, the reserve, the folder
    /// for damaged files, and a first segment without commits?
    fileprivate static func isUnused(
        _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> Bool {
        for name in try files.list(directory) {
            switch name {
            // Whoever made it may go on, and nobody else.
            case StoreBuilder.markerName, DirectoryReplacement.folderName: return false
            case lockName, asideName, reserveName, "lost+found", LogFormat.segmentName(1): continue
            case _ where name.hasPrefix("tmp-"): continue
            default:
                let file: FileHandle
                do throws(SystemFault) {
                    file = try files.open(name, in: directory, .read)
                } catch {
                    // A folder, or what may not be read, is somebody else's.
                    if error.isNoFile || error.code == EACCES { return false }
                    throw error
                }
                defer { files.close(file) }
                guard try files.size(file) == 0 else { return false }
            }
        }
        return try hasNoCommits(files, directory)
    }

    /// A first segment that was born before FRESHET is 128 bytes, an epoch and zeros.
    private static func hasNoCommits(
        _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> Bool {
        let born =
            LogFormat.segmentHeaderLength + LogFormat.frameHeaderLength + 16
            + ClusterPosition.length
        guard
            let bytes = try files.contents(
                of: LogFormat.segmentName(1), in: directory, atMost: born + 4_096)
        else { return true }
        return bytes.dropFirst(born).allSatisfy { $0 == 0 }
    }

    private static func create(
        _ identity: StoreIdentity, options: FileStoreOptions, files: any FileSystem,
        directory: FileHandle, clock: any StoreClock
    ) throws(SystemFault) {
        let options = (try? files.space(directory)).map { options.fitted(to: $0.total) } ?? options
        let names = try files.list(directory)
        if !names.contains(asideName) { try files.makeDirectory(asideName, in: directory) }
        if names.contains(LogFormat.segmentName(1)) {
            // Of an unfinished creation: it has another store's id, and no commit.
            try files.remove(LogFormat.segmentName(1), in: directory)
        }
        let writer = try LogWriter(
            files: files, directory: directory, store: identity.store, summary: LogSummary(),
            epoch: options.origin?.epoch ?? .random(), position: options.origin?.position,
            clock: clock, segmentLength: options.segmentEnd,
            allocationStep: options.allocationStep)
        do throws(LogFailure) {
            try writer.tellEpoch(nextSeq: 1)
        } catch {
            writer.close()
            switch error {
            case .full(let fault), .failed(let fault): throw fault
            }
        }
        writer.close()
        try writeFile(identityName, bytes: identity.file, files: files, directory: directory)
    }

    /// Makes a small file, or another in its place, whole or not at all: under a temporary name,
    /// synced, renamed, the directory synced.
    static func writeFile(
        _ name: String, bytes: [UInt8], files: any FileSystem, directory: FileHandle
    ) throws(SystemFault) {
        let temporary = "tmp-" + name
        let file = try files.open(temporary, in: directory, .make)
        do throws(SystemFault) {
            try files.truncate(file, to: 0)
            try files.writeAll(file, bytes, at: 0)
            try files.sync(file)
        } catch {
            files.close(file)
            throw error
        }
        files.close(file)
        try files.rename(temporary, in: directory, to: name, in: directory)
        try files.sync(directory)
    }

    /// Tells older versions, by FRESHET, that they must not open the directory. Where a half of it
    /// is damaged it is written anew.
    ///
    /// - Returns: false where it has been told already.
    func require(
        _ feature: String, writer: String, _ files: any FileSystem
    ) throws(SystemFault) -> Bool {
        // As it is on the disk: an earlier call may have added it.
        let bytes = try identityBytes(files)
        var changed = StoreIdentity(file: bytes) ?? identity
        let isTold = changed.requiredFeatures.contains(feature)
        // One half alone tells the same, but should not stay alone.
        if isTold && StoreIdentity.damagedHalf(of: bytes) == nil { return false }
        if !isTold {
            changed.requiredFeatures.append(feature)
            changed.writer = writer
        }
        try Self.writeFile(Self.identityName, bytes: changed.file, files: files, directory: handle)
        return !isTold
    }

    /// FRESHET as it is on the disk; none where it is lost or the disk cannot read it, since it was
    /// read when the directory was opened.
    private func identityBytes(_ files: any FileSystem) throws(SystemFault) -> [UInt8] {
        do throws(SystemFault) {
            return try files.contents(
                of: Self.identityName, in: handle, atMost: LogFormat.identityLength) ?? []
        } catch {
            if error.isUnreadable { return [] }
            throw error
        }
    }

    /// Writes FRESHET anew where one of its halves is damaged.
    func mend(writer: String, _ files: any FileSystem) throws(SystemFault) {
        var whole = StoreIdentity(file: try identityBytes(files)) ?? identity
        let hasSnapshots = try files.list(handle).contains {
            SnapshotFormat.seq(ofName: $0) != nil
        }
        if hasSnapshots, !whole.requiredFeatures.contains(SnapshotFormat.feature) {
            whole.requiredFeatures.append(SnapshotFormat.feature)
            whole.writer = writer
        }
        try Self.writeFile(Self.identityName, bytes: whole.file, files: files, directory: handle)
    }

    // MARK: What is set aside

    /// Copies a torn tail to `aside/`.
    ///
    /// - Returns: The copy's name, relative to the data directory.
    func setAside(
        _ torn: TornTail, _ files: any FileSystem, time: WallTime
    ) throws(SystemFault) -> String {
        let aside = try Self.openAside(in: handle, files)
        defer { files.close(aside) }
        let name = "\(torn.file).\(torn.offset).\(time.milliseconds)"
        let source = try files.open(torn.file, in: handle, .read)
        defer { files.close(source) }
        let target = try files.open(name, in: aside, .make)
        defer { files.close(target) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var done = 0
        while done < torn.count {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<min(buffer.count, torn.count - done)])
            let count = try files.readAll(source, into: part, at: torn.offset + done)
            if count == 0 { break }
            try files.writeAll(target, UnsafeRawBufferPointer(rebasing: part[..<count]), at: done)
            done += count
        }
        try files.sync(target)
        try files.sync(aside)
        try files.sync(handle)
        return "\(Self.asideName)/\(name)"
    }

    private static func openAside(
        in handle: FileHandle, _ files: any FileSystem
    ) throws(SystemFault) -> FileHandle {
        if !(try files.list(handle).contains(asideName)) {
            try files.makeDirectory(asideName, in: handle)
        }
        return try files.openDirectory(asideName, in: handle)
    }

    /// Moves a damaged file to `aside/`, under its name or, where that is taken, with a number.
    func moveAside(_ name: String, _ files: any FileSystem) throws(SystemFault) {
        try Self.moveAside(name, in: handle, files)
    }

    /// Keeps a damaged file in `aside/` which another is about to replace: it never lacks in its place. Nine
    /// of a name at most, however often that is tried; on a file system without links it is not kept.
    func linkAside(_ name: String, _ files: any FileSystem) throws(SystemFault) {
        try Self.withAside(name, in: handle, files: files) { free, aside throws(SystemFault) in
            if free.utf8.count <= name.utf8.count + 2 {
                try? files.link(name, in: handle, to: free, in: aside)
            }
        }
    }

    static func moveAside(
        _ name: String, in handle: FileHandle, _ files: any FileSystem
    ) throws(SystemFault) {
        try withAside(name, in: handle, files: files) { free, aside throws(SystemFault) in
            try files.rename(name, in: handle, to: free, in: aside)
        }
    }

    /// Has `body` put a file in `aside/`, under a name that is free there.
    private static func withAside(
        _ name: String, in handle: FileHandle, files: any FileSystem,
        _ body: (String, FileHandle) throws(SystemFault) -> Void
    ) throws(SystemFault) {
        let aside = try openAside(in: handle, files)
        defer { files.close(aside) }
        let taken = Set(try files.list(aside))
        var free = name
        var number = 1
        while taken.contains(free) {
            number += 1
            free = "\(name).\(number)"
        }
        try body(free, aside)
        try files.sync(aside)
    }

    /// Moves all files of the log aside, the oldest first: what is left meanwhile is never a beginning
    /// of what there was.
    static func moveLogAside(
        in handle: FileHandle, _ files: any FileSystem
    ) throws(SystemFault) {
        let names = try files.list(handle).filter {
            LogFormat.firstSeq(ofName: $0) != nil || SnapshotFormat.seq(ofName: $0) != nil
                || Manifest.number(ofName: $0) != nil
        }
        for name in names.sorted() { try moveAside(name, in: handle, files) }
        try files.sync(handle)
    }
}

/// What can be told of a data directory without being its server.
package enum StoreDirectory {
    /// Whether the directory is a server's: it has the file that every data directory has.
    package static func isOwned(_ path: String) -> Bool {
        access("\(path)/\(DataDirectory.identityName)", F_OK) == 0
    }

    /// Whether something else is in the directory, which keeps a server from using it.
    package static func isForeign(_ path: String) -> Bool {
        let files = POSIXFileSystem()
        // What is not there, or cannot be read, is told of by others.
        guard let directory = try? files.openDirectory(path: path, creating: false) else {
            return false
        }
        defer { files.close(directory) }
        guard let names = try? files.list(directory) else { return false }
        return !names.contains(DataDirectory.identityName)
            && (try? DataDirectory.isUnused(files, directory)) == false
    }
}
