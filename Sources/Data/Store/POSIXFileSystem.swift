import Glibc

/// The real file system. Stateless; any thread.
package final class POSIXFileSystem: FileSystem {
    package init() {}

    package func openDirectory(path: String, creating: Bool) throws(SystemFault) -> FileHandle {
        if creating {
            let isMade = mkdir(path, 0o700) == 0
            if !isMade && errno != EEXIST { throw SystemFault("mkdir", path, errno) }
            // One that was there may be of a process that ended before its parent was synced; but
            // it may as well be a mount, whose parent is nobody's business.
            let code = syncParent(of: path)
            if isMade && code != 0 { throw SystemFault("fsync of the parent", path, code) }
        }
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemFault("open", path, errno) }
        return FileHandle(number: number)
    }

    /// Makes a directory's name durable. - Returns: 0, or an errno.
    private func syncParent(of path: String) -> CInt {
        let number = Glibc.open(path + "/..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Who may make a name in a directory need not be allowed to read it.
        guard number >= 0 else { return errno == EACCES ? 0 : errno }
        defer { _ = Glibc.close(number) }
        return fsync(number) == 0 ? 0 : errno
    }

    package func openDirectory(
        _ name: String, in directory: FileHandle
    ) throws(SystemFault) -> FileHandle {
        let number = openat(
            directory.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { throw SystemFault("openat", name, errno) }
        return FileHandle(number: number)
    }

    package func makeDirectory(_ name: String, in directory: FileHandle) throws(SystemFault) {
        guard mkdirat(directory.number, name, 0o700) == 0 else {
            throw SystemFault("mkdirat", name, errno)
        }
    }

    package func list(_ directory: FileHandle) throws(SystemFault) -> [String] {
        // A fresh descriptor: closedir closes it, and its position must start at 0.
        let number = openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemFault("openat", ".", errno) }
        guard let stream = fdopendir(number) else {
            let code = errno
            _ = Glibc.close(number)
            throw SystemFault("fdopendir", ".", code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemFault("readdir", ".", errno) }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    package func open(
        _ name: String, in directory: FileHandle, _ mode: OpenMode
    ) throws(SystemFault) -> FileHandle {
        let flags =
            switch mode {
            case .read: O_RDONLY
            case .update: O_RDWR
            case .make: O_RDWR | O_CREAT
            }
        // Without waiting: a pipe of that name would wait for its other end for ever.
        let number = openat(
            directory.number, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard number >= 0 else {
            // A directory that is opened for writing.
            throw SystemFault(errno == EISDIR ? SystemFault.noFile : "openat", name, errno)
        }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = Glibc.close(number)
            throw SystemFault(SystemFault.noFile, name, EINVAL)
        }
        return FileHandle(number: number)
    }

    package func close(_ file: FileHandle) {
        // A child process that is just begun has a copy of the descriptor until it runs its program,
        // and a lock stays while there is one: it is given back by itself.
        _ = flock(file.number, LOCK_UN)
        // Linux frees the descriptor even where close reports an error, and all that matters was
        // synced before.
        _ = Glibc.close(file.number)
    }

    package func size(_ file: FileHandle) throws(SystemFault) -> Int {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw SystemFault("fstat", "file", errno) }
        return Int(status.st_size)
    }

    package func read(
        _ file: FileHandle, into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int {
        let count = pread(file.number, bytes.baseAddress, bytes.count, off_t(offset))
        guard count >= 0 else { throw SystemFault("pread", "file", errno) }
        return count
    }

    package func write(
        _ file: FileHandle, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) throws(SystemFault) -> Int {
        let count = pwrite(file.number, bytes.baseAddress, bytes.count, off_t(offset))
        guard count >= 0 else { throw SystemFault("pwrite", "file", errno) }
        return count
    }

    package func syncData(_ file: FileHandle) throws(SystemFault) {
        guard fdatasync(file.number) == 0 else { throw SystemFault("fdatasync", "file", errno) }
    }

    package func sync(_ file: FileHandle) throws(SystemFault) {
        guard fsync(file.number) == 0 else { throw SystemFault("fsync", "file", errno) }
    }

    package func truncate(_ file: FileHandle, to size: Int) throws(SystemFault) {
        guard ftruncate(file.number, off_t(size)) == 0 else {
            throw SystemFault("ftruncate", "file", errno)
        }
    }

    package func allocate(_ file: FileHandle, offset: Int, count: Int) throws(SystemFault) {
        // posix_fallocate returns its error and leaves errno alone.
        let code = posix_fallocate(file.number, off_t(offset), off_t(count))
        guard code == 0 else { throw SystemFault("posix_fallocate", "file", code) }
    }

    package func rename(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault) {
        guard renameat(directory.number, name, newDirectory.number, newName) == 0 else {
            throw SystemFault("renameat", name, errno)
        }
    }

    package func link(
        _ name: String, in directory: FileHandle, to newName: String, in newDirectory: FileHandle
    ) throws(SystemFault) {
        guard linkat(directory.number, name, newDirectory.number, newName, 0) == 0 else {
            throw SystemFault("linkat", name, errno)
        }
    }

    package func remove(_ name: String, in directory: FileHandle) throws(SystemFault) {
        guard unlinkat(directory.number, name, 0) == 0 else {
            throw SystemFault("unlinkat", name, errno)
        }
    }

    package func removeDirectory(
        _ name: String, in directory: FileHandle
    ) throws(SystemFault) {
        guard unlinkat(directory.number, name, AT_REMOVEDIR) == 0 else {
            throw SystemFault("unlinkat", name, errno)
        }
    }

    package func lock(_ file: FileHandle, exclusive: Bool) throws(SystemFault) -> Bool {
        let kind = exclusive ? LOCK_EX : LOCK_SH
        while flock(file.number, kind | LOCK_NB) != 0 {
            switch errno {
            case EWOULDBLOCK: return false
            case EINTR: continue
            default: throw SystemFault("flock", "LOCK", errno)
            }
        }
        return true
    }

    package func lockDirectory(_ directory: FileHandle) -> Bool {
        while flock(directory.number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { return true }
        }
        return true
    }

    package func space(_ directory: FileHandle) throws(SystemFault) -> FreeSpace {
        var status = statvfs()
        guard fstatvfs(directory.number, &status) == 0 else {
            throw SystemFault("fstatvfs", "data directory", errno)
        }
        return FreeSpace(status)
    }

    package func dropCache(_ file: FileHandle) {
        // Advice: where the kernel does not take it, reads come from the cache as ever.
        _ = posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
    }

    package func stopReadingAhead(_ file: FileHandle) {
        _ = posix_fadvise(file.number, 0, 0, POSIX_FADV_RANDOM)
    }

    package func kind(of path: String) -> FileSystemKind? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        let here = String(cString: resolved)
        guard let file = fopen("/proc/self/mountinfo", "re") else { return nil }
        defer { fclose(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            text.append(contentsOf: chunk[..<count])
        }
        return MountTable.kind(of: here, mountinfo: String(decoding: text, as: UTF8.self))
    }
}

/// Reading of /proc/self/mountinfo (proc(5)): `statfs` is not in Swift's Glibc module.
enum MountTable {
    /// The kind of the file system that holds the absolute `path`, nil where no mount is found.
    static func kind(of path: String, mountinfo: String) -> FileSystemKind? {
        var best = (length: -1, kind: "")
        for line in mountinfo.split(separator: "\n") {
            // "36 35 98:0 /root /mount/point options [optional]… - kind source super-options"
            let fields = line.split(separator: " ")
            guard fields.count > 6, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
            else { continue }
            let point = decoded(fields[4])
            let holds = point == "/" || path == point || path.hasPrefix(point + "/")
            // The later of two mounts on one point covers the earlier.
            if holds && point.utf8.count >= best.length {
                best = (point.utf8.count, String(fields[dash + 1]))
            }
        }
        return best.length < 0 ? nil : FileSystemKind(name: best.kind)
    }

    /// A space, tab, newline or backslash of a path stands there as `\` and three octal digits.
    private static func decoded(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = field.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(Substring(digits)), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
