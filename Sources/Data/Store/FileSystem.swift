package import Glibc

/// A system call that failed: which one, on what, and its errno.
package struct SystemFault: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let name: String
    package let code: CInt

    /// The call of a fault that tells of something else than a file under a file's name.
    static let noFile = "openat of what is no regular file"

    /// What stands under the name is no file: a link, a directory.
    var isNoFile: Bool { code == ELOOP || call == Self.noFile }

    /// The disk's own word that bytes are gone.
    var isUnreadable: Bool {
        code == EIO || code == EBADMSG || code == EUCLEAN || code == ENODATA
    }

    /// No bytes of the file can be had, now or later: what it held has to be proved by others.
    var isLoss: Bool { isNoFile || isUnreadable }

    /// What is wrong with a file whose reading met this.
    var finding: String { isNoFile ? description : "the disk cannot read it: \(self)" }

    package init(_ call: String, _ name: String, _ code: CInt) {
        self.call = call
        self.name = name
        self.code = code
    }

    /// No space, no quota, or no larger file allowed: the failures of a write that heal by
    /// themselves or by a setting, with all that was written before still good.
    package var isFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

    /// The same about a file whose name the failing call was not told.
    func named(_ file: String) -> SystemFault {
        name == "file" ? SystemFault(call, file, code) : self
    }

    /// `pwrite of log-0000000000000001.fl: Input/output error (errno 5)`.
    package var description: String {
        // Names in a directory are opened without following links, which the kernel reports as too
        // many of them.
        if code == ELOOP && call == "openat" {
            return
                "\(name) is a symbolic link; the files of a data directory are regular files, so "
                + "that a link cannot lead a write elsewhere: put the file itself there"
        }
        if call == Self.noFile {
            return
                "\(name) is no regular file but a directory, a pipe or a device: move it away, and "
                + "restore a backup or salvage what the other files prove"
        }
        return "\(call) of \(name): \(String(cString: strerror(code))) (errno \(code))"
    }
}

/// An open file or directory of a `FileSystem`; closed by `close(_:)`, not by itself.
package struct FileHandle: Equatable, Sendable {
    package let number: CInt

    package init(number: CInt) {
        self.number = number
    }
}

/// How a file is opened. Files are made with mode 0600.
package enum OpenMode: Sendable {
    /// For reading; fails where absent.
    case read
    /// For reading and writing; fails where absent.
    case update
    /// For reading and writing; made where absent.
    case make
}

/// Bytes free for this process, and bytes in all, of the file system that holds a directory.
package struct FreeSpace: Equatable, Sendable {
    package let free: Int
    package let total: Int

    package init(free: Int, total: Int) {
        self.free = free
        self.total = total
    }

    /// What a file system tells, which may be anything: what is more than an `Int` is as much as one.
    package init(_ status: statvfs) {
        func bytes(_ blocks: UInt) -> Int {
            let (product, isTooLarge) = blocks.multipliedReportingOverflow(by: status.f_frsize)
            return isTooLarge ? .max : Int(clamping: product)
        }
        self.init(free: bytes(status.f_bavail), total: bytes(status.f_blocks))
    }
}

/// All that the store asks of an operating system: the seam at which tests crash, tear and fill.
///
/// Names are relative to a directory handle, so that a directory that is moved or replaced by a
/// link while the server runs cannot redirect a write. Each method is one system call and reports
/// its errno; short transfers and EINTR are the caller's to handle, as with the calls themselves.
package protocol FileSystem: AnyObject, Sendable {
    /// Opens the directory at `path`; makes it with mode 0700 where `creating`.
    func openDirectory(path: String, creating: Bool) throws(SystemFault) -> FileHandle
    /// Opens the directory `name` in `directory`.
    func openDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) -> FileHandle
    /// Makes the directory `name` with mode 0700.
    func makeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault)
    /// Names in `directory`, without `.` and `..`, in no order.
    func list(_ directory: FileHandle) throws(SystemFault) -> [String]
    func open(
        _ name: String, in directory: FileHandle, _ mode: OpenMode
    ) throws(SystemFault) -> FileHandle
    func close(_ file: FileHandle)
    func size(_ file: FileHandle) throws(SystemFault) -> Int
    /// Reads at `offset`; 0 at the end of the file.
    func read(
        _ file: FileHandle, into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int
    /// Writes at `offset`; may write fewer bytes than given.
    func write(
        _ file: FileHandle, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int
    /// `fdatasync`.
    func syncData(_ file: FileHandle) throws(SystemFault)
    /// `fsync`, also of directories.
    func sync(_ file: FileHandle) throws(SystemFault)
    func truncate(_ file: FileHandle, to size: Int) throws(SystemFault)
    /// `posix_fallocate`: space for the range, zeros where nothing was, the size raised.
    func allocate(_ file: FileHandle, offset: Int, count: Int) throws(SystemFault)
    func rename(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault)
    /// Gives a file a second name, on the same file system; fails where that name is taken.
    func link(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault)
    func remove(_ name: String, in directory: FileHandle) throws(SystemFault)
    /// Removes a directory that is empty.
    func removeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault)
    /// `flock` without waiting. - Returns: false where another process holds it.
    func lock(_ file: FileHandle, exclusive: Bool) throws(SystemFault) -> Bool
    /// Takes a directory for one process, until its handle is closed.
    ///
    /// - Returns: false where another has it; true also where the file system has no such locks.
    func lockDirectory(_ directory: FileHandle) -> Bool
    func space(_ directory: FileHandle) throws(SystemFault) -> FreeSpace
    /// Forgets cached pages that are not dirty, so that the next read comes from the disk.
    func dropCache(_ file: FileHandle)
    /// From now on no more is read from the disk than is asked for. Nobody's sync beside it then
    /// waits for megabytes that the kernel fetches ahead.
    func stopReadingAhead(_ file: FileHandle)
    /// The kind of the file system that holds `path` (`ext4`), nil where that is not known.
    func kind(of path: String) -> FileSystemKind?
}

/// A kind of file system, as mount tables name it.
package struct FileSystemKind: Sendable, Equatable {
    package let name: String

    /// Over a network, where locks and syncs do not mean what the store needs.
    package var isNetwork: Bool { Self.network.contains(name) }

    /// Whether bytes written over others of a file take their place on the disk, as they do not
    /// where each write goes to a new place, or to none.
    var overwritesInPlace: Bool { !Self.elsewhere.contains(name) }

    private static let network: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs", "glusterfs",
        "fuse.glusterfs", "lustre", "ocfs2", "gfs2", "davfs", "fuse.davfs2", "beegfs",
    ]
    private static let elsewhere: Set<String> = [
        "btrfs", "zfs", "bcachefs", "f2fs", "nilfs2", "tmpfs", "ramfs",
    ]
}

extension FileSystem {
    /// Writes all of `bytes` at `offset`: short writes and EINTR are continued.
    func writeAll(
        _ file: FileHandle, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemFault) {
        var done = 0
        while done < bytes.count {
            do throws(SystemFault) {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = try write(file, rest, at: offset + done)
                // A regular file never writes 0 bytes of some; if one does, it has no more room.
                guard count > 0 else { throw SystemFault("pwrite", "file", ENOSPC) }
                done += count
            } catch {
                if error.code != EINTR { throw error }
            }
        }
    }

    func writeAll(_ file: FileHandle, _ bytes: [UInt8], at offset: Int) throws(SystemFault) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemFault) in
            try writeAll(file, UnsafeRawBufferPointer(bytes), at: offset)
        }
    }

    /// Bytes of a file: `count`, or fewer where it ends before.
    func readAll(_ file: FileHandle, _ count: Int, at offset: Int) throws(SystemFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let done = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemFault) in
            try readAll(file, into: UnsafeMutableRawBufferPointer(bytes), at: offset)
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Reads until `bytes` is full or the file ends. - Returns: How many bytes were read.
    func readAll(
        _ file: FileHandle, into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int {
        var done = 0
        while done < bytes.count {
            do throws(SystemFault) {
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
                let count = try read(file, into: rest, at: offset + done)
                if count == 0 { break }
                done += count
            } catch {
                if error.code != EINTR { throw error }
            }
        }
        return done
    }

    /// Reads the first bytes of a file that the disk does not give as a whole, in pieces. One that
    /// fails is tried in sectors: each, or those before the first that fails too, since a disk may
    /// think about each of them for seconds.
    ///
    /// - Returns: What was not read, in order; there are zeros in its place.
    func readAround(
        _ file: FileHandle, into bytes: UnsafeMutableRawBufferPointer, eachSector: Bool
    ) -> [Range<Int>] {
        var unread: [Range<Int>] = []
        func isRead(_ range: Range<Int>) -> Bool {
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
            part.initializeMemory(as: UInt8.self, repeating: 0)
            do throws(SystemFault) {
                _ = try readAll(file, into: part, at: range.lowerBound)
                return true
            } catch {
                return false
            }
        }
        func miss(_ range: Range<Int>) {
            if let last = unread.last, last.upperBound == range.lowerBound {
                unread[unread.count - 1] = last.lowerBound..<range.upperBound
            } else {
                unread.append(range)
            }
        }
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let piece = start..<min(bytes.count, start + (1 << 20))
            if isRead(piece) { continue }
            for sector in stride(from: start, to: piece.upperBound, by: 4_096) {
                let range = sector..<min(piece.upperBound, sector + 4_096)
                if isRead(range) { continue }
                miss(eachSector ? range : sector..<piece.upperBound)
                if !eachSector { break }
            }
        }
        return unread
    }

    /// The whole of a small file, nil where it is absent.
    func contents(
        of name: String, in directory: FileHandle, atMost limit: Int
    ) throws(SystemFault) -> [UInt8]? {
        let file: FileHandle
        do {
            file = try open(name, in: directory, .read)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
        defer { close(file) }
        do throws(SystemFault) {
            return try readAll(file, limit, at: 0)
        } catch {
            throw error.named(name)
        }
    }
}
