import FreshetStore
import Glibc

/// Keeps files and directories that a command makes out of data directories: a server takes what is
/// in its own for its own, and a copy of a directory that lies in it is lost with it.
enum OutsideOfData {
    /// - Throws: `.failed` where `path`, which need not exist yet, is inside of a data directory.
    static func check(_ path: String) throws(CommandFailure) {
        var place = parent(of: path)
        while realPath(place) == nil, errno == ENOENT, place != "/", place != "." {
            place = parent(of: place)
        }
        // Where the place cannot be looked at, making the file says why.
        guard var folder = realPath(place) else { return }
        while true {
            guard !StoreDirectory.isOwned(folder) else {
                throw .failed(
                    "\(path) would be inside of the data directory \(folder), all of which is the"
                        + " server's; name a place outside of it")
            }
            guard folder != "/" else { return }
            folder = parent(of: folder)
        }
    }

    /// The path of the folder, as `dirname` has it: `.` for `a`, `/` for `/`.
    private static func parent(of path: String) -> String {
        var rest = Substring(path)
        while rest.count > 1, rest.hasSuffix("/") { rest.removeLast() }
        guard let slash = rest.lastIndex(of: "/") else { return "." }
        return slash == rest.startIndex ? "/" : String(rest[..<slash])
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}

/// What stands at a path.
enum PathForm {
    /// Whether `path` is a directory; nil where nothing is there, or where it cannot be looked at.
    static func isDirectory(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
