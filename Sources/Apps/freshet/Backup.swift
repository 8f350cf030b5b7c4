import FreshetBase
import FreshetJSON
import FreshetServer
import FreshetStore
import Glibc

/// `freshet backup FILE`: takes a backup of a running server, and is content only when it has been
/// read again from the disk, every checksum of it and every entity in it, and is synced.
/// `-` is standard output.
enum BackupCommand {
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let path = arguments.positionals[0]
        let client = try ServerConnection.client(arguments)
        if client.printsOnly {
            try client.send("GET", "/v1/_backup", output: path)
            return .done
        }
        if path == "-" { return try pipe(client, arguments) }
        let target = try BackupTarget(path, replaces: arguments.has("force"))
        do throws(CommandFailure) {
            try receive(client) { bytes throws(CommandFailure) in try target.write(bytes) }
            try target.sync()
            let report = try proved(target.temporaryPath)
            try target.finish()
            try Terminal.report(
                arguments,
                [
                    "file": .string(path), "entities": .count(report.entities),
                    "seq": .count(report.seq), "bytes": .count(report.bytes),
                ],
                "\(path) holds \(Count.text(report.entities, "entity", "entities")) at seq"
                    + " \(report.seq) in \(report.bytes) bytes, verified")
        } catch {
            target.discard()
            throw error
        }
        return .done
    }

    /// `freshet backup -`: the bytes go to standard output as they come. What is written there
    /// cannot be read again, so the checksum of all proves what came, not what is kept.
    private static func pipe(
        _ client: ServerClient, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> Exit {
        guard !Terminal.outputIsTerminal else {
            throw .usage(
                "a backup is no text for a terminal; name a FILE, or pipe standard output on")
        }
        var check = BackupStreamCheck()
        try receive(client) { bytes throws(CommandFailure) in
            check.add(bytes)
            do throws(CommandFailure) {
                try Terminal.write(bytes)
            } catch {
                // Elsewhere a reader takes what it wants; of a backup all is wanted.
                guard error.exit == .done else { throw error }
                throw .failed(
                    "whoever reads standard output has left, so that what is kept is no whole backup"
                )
            }
        }
        guard let seq = check.seqOfWhole else {
            throw .failed(
                "what the server sent is no whole backup; throw it away, look at the server's log,"
                    + " and run `freshet verify` on its data directory")
        }
        let result: JSONValue = [
            "file": "-", "seq": .count(seq), "bytes": .count(check.count),
        ]
        // Standard output is the backup's.
        Terminal.note(
            arguments.has("json")
                ? result.text + "\n"
                : "a backup at seq \(seq) in \(check.count) bytes, whole as it was sent;"
                    + " `freshet verify FILE` proves what is kept of it\n")
        return .done
    }

    private static func receive(
        _ client: ServerClient,
        _ consume: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try client.send("GET", "/v1/_backup")
        var refusal: [UInt8] = []
        var progress = Progress("receiving")
        defer { progress.finish() }
        var received = 0
        let head = try client.receive { head, bytes throws(CommandFailure) in
            guard head.status == 200 else {
                refusal += bytes
                return
            }
            try consume(bytes)
            received += bytes.count
            progress.update(fraction: nil, Progress.size(received))
        }
        guard head.status == 200 else {
            throw .refused(status: head.status, body: refusal)
        }
    }

    private static func proved(_ path: String) throws(CommandFailure) -> BackupReport {
        do throws(CommandFailure) {
            return try verify(path)
        } catch {
            throw .failed(
                "what the server sent is no whole backup and was not kept: \(error.sentence); look"
                    + " at the server's log, and run `freshet verify` on its data directory")
        }
    }

    /// Reads a backup from the disk, and proves every checksum and every entity of it.
    static func verify(_ path: String) throws(CommandFailure) -> BackupReport {
        try Progress.ofStore("verifying") { progress throws(StoreError) in
            try StoreRestorer.verify(backup: path, progress: progress)
        }
    }
}

/// The file of a backup that is on its way: under another name until it is whole.
private final class BackupTarget {
    let temporaryPath: String
    private let path: String
    private let replaces: Bool
    /// -1 once it has its name, or is given up.
    private var descriptor: CInt

    /// - Parameter replaces: Whether a file of that name may be there.
    init(_ path: String, replaces: Bool) throws(CommandFailure) {
        self.path = path
        self.replaces = replaces
        try Self.check(path, replaces: replaces)
        try OutsideOfData.check(path)
        temporaryPath = path + ".unfinished"
        descriptor = try Self.begin(temporaryPath)
    }

    /// - Throws: Where the name is taken by what is not to be replaced, which a device never is.
    private static func check(_ path: String, replaces: Bool) throws(CommandFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .failed("\(path) is there and is no regular file; give another name")
        }
        guard replaces else {
            throw .failed("\(path) is there already; give another name, or --force to replace it")
        }
    }

    /// A file of this name, empty and locked; what an earlier backup has left is taken over.
    private static func begin(_ path: String) throws(CommandFailure) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        // Another one may give its file the final name between the two calls.
        for _ in 0..<10 {
            // Whoever has the backup has everything.
            let descriptor = open(path, flags, 0o600)
            guard descriptor >= 0 else {
                throw .failed("\(path) cannot be written: \(String(cString: strerror(errno)))")
            }
            var (mine, named) = (stat(), stat())
            guard fstat(descriptor, &mine) == 0, mine.st_mode & S_IFMT == S_IFREG,
                mine.st_nlink <= 1
            else {
                close(descriptor)
                throw .failed("\(path) is there and is no file of a backup; remove it")
            }
            // Where the file system has no such locks there is none to be met.
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
                close(descriptor)
                throw .failed("another backup is being written to \(path); wait for its end")
            }
            let isNamed =
                lstat(path, &named) == 0 && named.st_ino == mine.st_ino
                && named.st_dev == mine.st_dev
            guard isNamed else {
                close(descriptor)
                continue
            }
            guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
                let reason = String(cString: strerror(errno))
                close(descriptor)
                throw .failed("\(path) cannot be written: \(reason)")
            }
            return descriptor
        }
        throw .failed("\(path) cannot be written: others take it away")
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
        guard Terminal.writeAll(bytes, to: descriptor) else { throw failure() }
    }

    func sync() throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw failure() }
    }

    /// Gives it its name, durably.
    func finish() throws(CommandFailure) {
        // One that came meanwhile is no less worth than one that was there before.
        try Self.check(path, replaces: replaces)
        guard rename(temporaryPath, path) == 0 else { throw failure() }
        // What has the temporary name from now on is another's.
        defer {
            close(descriptor)
            descriptor = -1
        }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw failure() }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure() }
    }

    /// The lock is let go last: nobody else begins before the name is free.
    func discard() {
        guard descriptor >= 0 else { return }
        unlink(temporaryPath)
        close(descriptor)
        descriptor = -1
    }

    private func failure() -> CommandFailure {
        .failed("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}

/// `1 entity`, `2 entities`.
enum Count {
    static func text(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
