import Glibc

/// Files of authorities, under names that change with what is in them.
///
/// libcurl keeps what it has read of such a file for a day, connections that it has vouched for and TLS
/// sessions as well, and knows all of them by the file's name. So a file that has changed gets another
/// name for the same path: `/etc/ca.pem`, `/./etc/ca.pem`, `/././etc/ca.pem` …
///
/// Owned by one thread.
struct AuthorityFiles {
    private struct Identity: Equatable {
        var device: UInt64
        var number: UInt64
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        /// Nil where there is no such file.
        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
            size = Int(status.st_size)
            seconds = Int(status.st_mtim.tv_sec)
            nanoseconds = Int(status.st_mtim.tv_nsec)
        }
    }

    private var seen: [String: (identity: Identity?, changes: Int)] = [:]
    /// After as many changes the first name comes again, so that names stay short.
    private static let nameCount = 256

    /// The name of what the file at `path` holds now.
    mutating func name(of path: String) -> String {
        let identity = Identity(path)
        var changes = 0
        if let known = seen[path] {
            changes = known.identity == identity ? known.changes : known.changes + 1
        }
        seen[path] = (identity, changes)
        let step = path.hasPrefix("/") ? "/." : "./"
        return String(repeating: step, count: changes % Self.nameCount) + path
    }
}
