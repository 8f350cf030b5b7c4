package import FreshetBase
import Glibc

/// A store as it was at one seq, byte by byte as a backup.
///
/// It holds its files open, so nothing that the store does meanwhile changes it: finished files are
/// never written to, the active segment is only appended to, and a file that a compaction deletes
/// stays as long as it is open here. The store's writer thread is not asked again.
// SAFETY: everything that changes is used by one thread at a time, the one that reads; `length` and
// the rest are constants.
package final class BackupSource: @unchecked Sendable {
    private enum Content {
        case bytes([UInt8])
        case file(FileHandle)
    }

    private struct Member {
        let head: BackupMember
        let content: Content
    }

    /// The newest commit that it has.
    package let cursor: Cursor
    /// Bytes of the whole backup.
    package let length: Int
    private let files: any FileSystem
    private var members: [Member]
    /// Bytes that are due before anything else.
    private var due: [UInt8]
    private var index = 0
    /// Bytes of the present member that were read.
    private var offset = 0
    private var isInside = false
    private var memberChecksum: UInt32 = 0
    private var checksum: UInt32 = 0
    private var told = 0
    private var isAtEnd = false

    /// Opens the files that were pinned.
    ///
    /// - Throws: ENOENT where a compaction was faster; then a newer manifest names others.
    init(
        _ pinned: PinnedFiles, created: WallTime, writer: String, _ files: any FileSystem,
        _ directory: FileHandle
    ) throws(SystemFault) {
        let manifest = pinned.manifest
        self.files = files
        cursor = pinned.cursor
        members = []
        due = []
        var names: [BackupMember] = []
        if let snapshot = manifest.snapshot {
            names.append(
                BackupMember(name: SnapshotFormat.name(snapshot.seq), bytes: snapshot.length))
        }
        for segment in manifest.segments {
            names.append(
                BackupMember(
                    name: LogFormat.segmentName(segment.firstSeq), bytes: segment.length))
        }
        guard
            let identity = try files.contents(
                of: DataDirectory.identityName, in: directory, atMost: LogFormat.identityLength)
        else { throw SystemFault("openat", DataDirectory.identityName, ENOENT) }
        var all = [
            Member(
                head: BackupMember(name: DataDirectory.identityName, bytes: identity.count),
                content: .bytes(identity)),
            Member(
                head: BackupMember(name: Manifest.name(1), bytes: manifest.encoded().count),
                content: .bytes(manifest.encoded())),
        ]
        do throws(SystemFault) {
            for head in names {
                let file = try files.open(head.name, in: directory, .read)
                all.append(Member(head: head, content: .file(file)))
            }
        } catch {
            Self.close(all, files)
            length = 0
            throw error
        }
        let members = all
        self.members = members
        length =
            BackupHeader.length + BackupEnd.length
            + members.reduce(0) { $0 + BackupFormat.memberBytes($1.head.bytes) }
        due = BackupHeader(
            store: manifest.store, created: created.milliseconds, seq: cursor.seq,
            epoch: cursor.epoch, bytes: length, members: members.count, writer: writer,
            cluster: pinned.position?.cluster ?? StoreID(),
            chain: pinned.position?.chain ?? 0
        ).encoded()
    }

    deinit { close() }

    /// Gives the files up. What was not read cannot be read any more.
    package func close() {
        Self.close(members, files)
        members = []
        isAtEnd = true
    }

    private static func close(_ members: [Member], _ files: any FileSystem) {
        for member in members {
            if case .file(let file) = member.content { files.close(file) }
        }
    }

    /// Appends the next bytes, `limit` at most; nothing at the end.
    ///
    /// - Throws: Where a file cannot be read, or is shorter than it must be. The backup is of no use
    ///   then, and has no end to say that it is whole.
    package func read(
        into buffer: inout ByteBuffer, atMost limit: Int
    ) throws(SystemFault) {
        var room = limit
        while room > 0, !isAtEnd {
            if !due.isEmpty {
                let count = min(room, due.count)
                due.withUnsafeBytes {
                    tell(UnsafeRawBufferPointer(rebasing: $0[..<count]), &buffer)
                }
                due.removeFirst(count)
                room -= count
            } else if isInside {
                room -= try readMember(&buffer, room)
            } else if index < members.count {
                due = members[index].head.encoded()
                isInside = true
                offset = 0
                memberChecksum = 0
            } else if told + BackupEnd.length == length {
                due = BackupEnd(bytes: told, members: members.count, checksum: checksum).encoded()
            } else {
                isAtEnd = true
            }
        }
    }

    private func tell(_ bytes: UnsafeRawBufferPointer, _ buffer: inout ByteBuffer) {
        checksum = CRC32C.checksum(bytes, continuing: checksum)
        buffer.append(bytes)
        told += bytes.count
    }

    /// - Returns: How many bytes of the member were appended.
    private func readMember(_ buffer: inout ByteBuffer, _ room: Int) throws(SystemFault) -> Int {
        let member = members[index]
        let count = min(room, member.head.bytes - offset)
        guard count > 0 else {
            let padding = BackupFormat.padded(offset) - offset
            var end = ByteBuffer(capacity: 16)
            for _ in 0..<padding { end.append(UInt8(0)) }
            end.append(littleEndian: memberChecksum)
            end.append(littleEndian: UInt32(0))
            due = [UInt8](end.bytes)
            isInside = false
            index += 1
            return 0
        }
        let start = buffer.count
        switch member.content {
        case .bytes(let bytes): buffer.append(Array(bytes[offset..<offset + count]))
        case .file(let file):
            let target = UnsafeMutableRawBufferPointer(start: buffer.reserve(count), count: count)
            let done = try files.readAll(file, into: target, at: offset)
            guard done == count else { throw SystemFault("read", member.head.name, EIO) }
            buffer.advance(by: count)
        }
        let part = UnsafeRawBufferPointer(rebasing: buffer.bytes[start...])
        memberChecksum = CRC32C.checksum(part, continuing: memberChecksum)
        checksum = CRC32C.checksum(part, continuing: checksum)
        told += count
        offset += count
        return count
    }
}

/// Files that are a store at a moment.
struct PinnedFiles {
    let manifest: Manifest
    /// What they stand at.
    let cursor: Cursor
    /// Of a replica.
    let position: ClusterPosition?
}

extension FileSink {
    /// What a backup of now consists of, and what it stands at. The writer thread's.
    func pinned() throws(StoreError) -> PinnedFiles {
        switch phase {
        case .failed:
            throw .notReadable(
                directory: directory.path,
                reason: "its log cannot be written, and how much of it is on the disk is not known;"
                    + " restart the server, or POST /v1/_store/reopen")
        case .closed, .following, .away, .stopped: throw .closed
        case .ready, .low, .full: break
        }
        return PinnedFiles(
            manifest: writer.manifest(snapshot: compaction.snapshot),
            cursor: Cursor(epoch: planner.epoch, seq: planner.nextSeq - 1),
            position: writer.position)
    }
}
