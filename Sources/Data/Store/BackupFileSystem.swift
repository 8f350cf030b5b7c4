import FreshetBase
import Glibc
import Synchronization

/// A backup as a file system with one directory, for reading: what reads a data directory reads a
/// backup. Any thread.
final class BackupFileSystem: FileSystem {
    /// Where a member's bytes are.
    struct Place: Sendable {
        let name: String
        let range: Range<Int>
        /// Its number, by which it is open.
        let number: CInt
    }

    let header: BackupHeader
    private let files: any FileSystem
    private let file: FileHandle
    private let path: String
    private let places: [Place]

    private static let isNone =
        "it is none: `freshet backup FILE` makes one; NDJSON goes in by `freshet import`"

    /// Stands for the directory.
    static let directory = FileHandle(number: 0)

    /// Opens a backup and finds its members.
    ///
    /// - Throws: Where it is none, was cut, or is of another version.
    init(_ path: String, _ files: any FileSystem) throws(StoreError) {
        let parent: FileHandle
        let (folder, name) = Self.parts(path)
        do throws(SystemFault) {
            parent = try files.openDirectory(path: folder, creating: false)
        } catch {
            throw .backup(file: path, reason: "\(error)")
        }
        defer { files.close(parent) }
        do throws(SystemFault) {
            file = try files.open(name, in: parent, .read)
        } catch {
            throw .backup(
                file: path, reason: error.code == ENOENT ? "there is no such file" : "\(error)")
        }
        self.path = path
        self.files = files
        do throws(StoreError) {
            (header, places) = try Self.map(path, files, file)
        } catch {
            files.close(file)
            throw error
        }
    }

    deinit { files.close(file) }

    /// The folder and the name of `path`.
    static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = path[..<slash]
        return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
    }

    private static func map(
        _ path: String, _ files: any FileSystem, _ file: FileHandle
    ) throws(StoreError) -> (BackupHeader, [Place]) {
        func read(_ count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
            let bytes: [UInt8]
            do throws(SystemFault) {
                bytes = try files.readAll(file, count, at: offset)
            } catch {
                throw .backup(file: path, reason: "\(error)")
            }
            guard bytes.count == count else {
                throw .backup(
                    file: path,
                    reason: offset == 0
                        ? Self.isNone : "it is cut off before offset \(offset + count)")
            }
            return bytes
        }
        let head = try read(BackupHeader.length, at: 0)
        guard let header = BackupHeader(verifying: head) else {
            throw .backup(file: path, reason: Self.isNone)
        }
        guard header.major == BackupFormat.major else {
            throw .backup(
                file: path,
                reason: "it has format \(header.major), made by Freshet \(header.writer); this "
                    + "version reads \(BackupFormat.major): use the one that made it, or a newer one"
            )
        }
        guard header.members <= BackupFormat.maximumMembers else {
            throw .backup(file: path, reason: "it says that it has \(header.members) members")
        }
        var places: [Place] = []
        var offset = BackupHeader.length
        for number in 0..<header.members {
            let bytes = try read(BackupMember.length, at: offset)
            guard let member = BackupMember(verifying: bytes), member.isOfStore,
                member.bytes <= header.bytes - offset
            else { throw .backup(file: path, reason: "a member at offset \(offset) is damaged") }
            let start = offset + BackupMember.length
            places.append(
                Place(
                    name: member.name, range: start..<start + member.bytes,
                    number: CInt(number + 1)))
            offset += BackupFormat.memberBytes(member.bytes)
        }
        let last = try read(BackupEnd.length, at: offset)
        guard let end = BackupEnd(verifying: last), end.bytes == offset,
            end.members == header.members, offset + BackupEnd.length == header.bytes
        else { throw .backup(file: path, reason: "its end at offset \(offset) is damaged") }
        let size: Int
        do throws(SystemFault) {
            size = try files.size(file)
        } catch {
            throw .backup(file: path, reason: "\(error)")
        }
        guard size == header.bytes else {
            throw .backup(
                file: path,
                reason: "it goes on behind its end at offset \(header.bytes), which none does")
        }
        return (header, places)
    }

    /// Reads everything once, from the disk, and compares it with the checksums of the members and
    /// of all.
    ///
    /// - Parameter progress: Called now and then with the bytes read.
    func check(_ progress: (Int) -> Void = { _ in }) throws(StoreError) {
        files.dropCache(file)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var whole: UInt32 = 0
        var offset = 0
        func pass(_ end: Int) throws(StoreError) -> UInt32 {
            var checksum: UInt32 = 0
            while offset < end {
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<min(buffer.count, end - offset)])
                let count: Int
                do throws(SystemFault) {
                    count = try files.readAll(file, into: part, at: offset)
                } catch {
                    throw .backup(file: path, reason: "\(error)")
                }
                guard count == part.count else {
                    throw .backup(file: path, reason: "it ends at offset \(offset + count)")
                }
                let bytes = UnsafeRawBufferPointer(part)
                checksum = CRC32C.checksum(bytes, continuing: checksum)
                whole = CRC32C.checksum(bytes, continuing: whole)
                offset += count
                progress(offset)
            }
            return checksum
        }
        for place in places {
            _ = try pass(place.range.lowerBound)
            let found = try pass(place.range.upperBound)
            _ = try pass(
                place.range.lowerBound + BackupFormat.padded(place.range.count)
                    + BackupFormat.trailerLength)
            let told = try number(at: offset - BackupFormat.trailerLength)
            guard told == found else {
                throw .backup(
                    file: path,
                    reason: "\(place.name) in it, at offset \(place.range.lowerBound), is damaged")
            }
        }
        guard try number(at: offset + 20) == whole else {
            throw .backup(file: path, reason: "a byte before offset \(offset) is damaged")
        }
    }

    private func number(at offset: Int) throws(StoreError) -> UInt32 {
        var value: UInt32 = 0
        let count: Int
        do throws(SystemFault) {
            count = try withUnsafeMutableBytes(of: &value) { target throws(SystemFault) in
                try files.readAll(file, into: target, at: offset)
            }
        } catch {
            throw .backup(file: path, reason: "\(error)")
        }
        guard count == 4 else { throw .backup(file: path, reason: "it ends at offset \(offset)") }
        return UInt32(littleEndian: value)
    }

    // MARK: Reading

    func list(_ directory: FileHandle) throws(SystemFault) -> [String] { places.map(\.name) }

    func open(
        _ name: String, in directory: FileHandle, _ mode: OpenMode
    ) throws(SystemFault) -> FileHandle {
        guard case .read = mode else { throw SystemFault("openat", name, EROFS) }
        guard let place = places.first(where: { $0.name == name }) else {
            throw SystemFault("openat", name, ENOENT)
        }
        return FileHandle(number: place.number)
    }

    func close(_ file: FileHandle) {}

    func size(_ file: FileHandle) throws(SystemFault) -> Int { try place(file).range.count }

    func read(
        _ file: FileHandle, into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int {
        let place = try place(file)
        guard offset < place.range.count else { return 0 }
        let count = min(bytes.count, place.range.count - offset)
        return try files.read(
            self.file, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]),
            at: place.range.lowerBound + offset)
    }

    private func place(_ file: FileHandle) throws(SystemFault) -> Place {
        guard places.indices.contains(Int(file.number) - 1) else {
            throw SystemFault("read", "file", EBADF)
        }
        return places[Int(file.number) - 1]
    }

    func dropCache(_ file: FileHandle) {}
    func stopReadingAhead(_ file: FileHandle) {}
    func kind(of path: String) -> FileSystemKind? { nil }
    func lock(_ file: FileHandle, exclusive: Bool) throws(SystemFault) -> Bool { true }
    func lockDirectory(_ directory: FileHandle) -> Bool { true }

    func openDirectory(path: String, creating: Bool) throws(SystemFault) -> FileHandle {
        Self.directory
    }

    // MARK: What a backup does not do

    private func refused(_ call: String) -> SystemFault { SystemFault(call, "backup", EROFS) }

    func openDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) -> FileHandle {
        throw SystemFault("openat", name, ENOENT)
    }
    func makeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) {
        throw refused("mkdirat")
    }
    func write(
        _ file: FileHandle, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int { throw refused("pwrite") }
    func syncData(_ file: FileHandle) throws(SystemFault) { throw refused("fdatasync") }
    func sync(_ file: FileHandle) throws(SystemFault) { throw refused("fsync") }
    func truncate(_ file: FileHandle, to size: Int) throws(SystemFault) {
        throw refused("ftruncate")
    }
    func allocate(_ file: FileHandle, offset: Int, count: Int) throws(SystemFault) {
        throw refused("posix_fallocate")
    }
    func rename(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault) { throw refused("renameat") }
    func link(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault) { throw refused("linkat") }
    func remove(_ name: String, in directory: FileHandle) throws(SystemFault) {
        throw refused("unlinkat")
    }
    func removeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) {
        throw refused("unlinkat")
    }
    func space(_ directory: FileHandle) throws(SystemFault) -> FreeSpace {
        throw refused("fstatvfs")
    }
}
