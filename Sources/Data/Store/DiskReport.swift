package import FreshetBase
import FreshetEngine
import Glibc

/// What a store does with its files, as it is now.
package struct DiskReport: Sendable {
    package struct File: Sendable {
        package enum Kind: String, Sendable {
            case snapshot, segment, manifest
            /// It was set aside, in a folder of its own: damaged, or a copy of a log's torn end.
            case aside
        }

        package enum State: String, Sendable {
            case good, damaged
            /// Nobody has read it whole since the start.
            case unread
        }

        /// Relative to the data directory.
        package let name: String
        package let kind: Kind
        package let bytes: Int
        /// The first commit of a segment.
        package var firstSeq: UInt64?
        /// The newest commit of a snapshot; of a segment the last one before the next segment's, or
        /// that the store has. nil where there is none.
        package var lastSeq: UInt64?
        /// The log is written to it now.
        package var isActive = false
        package var verifiedAt: WallTime?
        package var state = State.unread
    }

    package struct Snapshot: Sendable {
        package let seq: UInt64
        package let bytes: Int
        package let writtenAt: WallTime?
        /// nil where it was read by the start.
        package let duration: Duration?
    }

    package struct Space: Sendable {
        /// Bytes that are free now.
        package let free: Int
        /// Bytes that had to be free for writes to be taken, when that was looked at last.
        package let wanted: Int
        /// Of `wanted` what does not depend on a snapshot that is due.
        package let lowBelow: Int
    }

    package let directory: String
    /// Of the files: `MAJOR.MINOR`.
    package let format: String
    /// Every commit up to it is on the disk.
    package let durableSeq: UInt64
    package let files: [File]
    package let snapshot: Snapshot?
    package let snapshotPercent: Int?
    /// Bytes of the log behind the snapshot.
    package let logBytes: Int
    /// A snapshot is due where there are more; nil: never.
    package let dueLogBytes: Int?
    package let scrubRate: Int
    package let scrub: ScrubProgress?
    package let lastScrub: ScrubPass?
    /// nil where the file system cannot tell.
    package let space: Space?
}

extension StoreKeeper {
    /// Looks at the directory: names and sizes. Asks nothing of the writer, so that a disk which keeps
    /// the writer waiting is told of all the same.
    package func report() throws(StoreError) -> DiskReport {
        do throws(SystemFault) {
            return try withDirectory { () throws(SystemFault) in
                try DiskReport(
                    directory: options.directory, format: "\(identity.major).\(identity.minor)",
                    durableSeq: durableSeq, files: listed(), snapshot: newestSnapshot,
                    snapshotPercent: figures.board.snapshotPercent,
                    logBytes: figures.logBytesBehind.value, dueLogBytes: dueLogBytes,
                    scrubRate: options.scrubRate, scrub: figures.board.scrub,
                    lastScrub: figures.board.lastScrub, space: space)
            }
        } catch {
            throw error.code == EBADF ? .closed : .system(directory: options.directory, error)
        }
    }

    /// A full store shows nothing that is not synced; of a replica's commits the shared log has each.
    private var durableSeq: UInt64 {
        let shown = tables.cursor.seq
        guard options.durability != .full else { return shown }
        return min(shown, UInt64(clamping: figures.durableSeq.value))
    }

    private var dueLogBytes: Int? {
        guard options.snapshotMinimum != .max else { return nil }
        var live = figures.leftInLogBytes.value
        for (name, table) in tables.views().types where !options.memoryTypes.contains(name) {
            live += table.byteCount + table.count * SnapshotFormat.entityHeadLength
        }
        return max(options.snapshotMinimum, live)
    }

    private var space: DiskReport.Space? {
        // Where the file system cannot tell, nobody knows.
        guard let space = try? files.space(directory) else { return nil }
        return DiskReport.Space(
            free: space.free, wanted: figures.spaceWanted.value,
            lowBelow: options.lowSpace(of: space.total))
    }

    private var newestSnapshot: DiskReport.Snapshot? {
        let seq = figures.snapshotSeq.value
        guard seq > 0 else { return nil }
        let isMade = figures.snapshotTime.value > 0
        let made = WallTime(milliseconds: Int64(figures.snapshotTime.value))
        return DiskReport.Snapshot(
            seq: UInt64(seq), bytes: figures.snapshotBytes.value,
            writtenAt: isMade ? made : created(snapshot: UInt64(seq)),
            duration: isMade ? .nanoseconds(figures.snapshotNanoseconds.value) : nil)
    }

    /// When a snapshot of an earlier process was begun; nil where its head cannot be read.
    private func created(snapshot seq: UInt64) -> WallTime? {
        let bytes = try? files.contents(
            of: SnapshotFormat.name(seq), in: directory, atMost: SnapshotHeader.length)
        return bytes.flatMap(SnapshotHeader.init(verifying:)).map {
            WallTime(milliseconds: $0.created)
        }
    }

    // MARK: Files

    /// Snapshots, segments, manifests, then what is set aside; each kind in its order.
    private func listed() throws(SystemFault) -> [DiskReport.File] {
        let names = try files.list(directory)
        let checks = figures.board.checks(of: names)
        var listed: [DiskReport.File] = []
        func add(_ name: String, _ kind: DiskReport.File.Kind, first: UInt64?, last: UInt64?)
            throws(SystemFault)
        {
            guard let bytes = try size(of: name, in: directory) else { return }
            var file = DiskReport.File(
                name: name, kind: kind, bytes: bytes, firstSeq: first, lastSeq: last)
            if let check = checks[name] {
                file.verifiedAt = check.at
                file.state = check.isGood ? .good : .damaged
            }
            file.isActive = kind == .segment && first == activeSegment
            listed.append(file)
        }
        for seq in names.compactMap(SnapshotFormat.seq(ofName:)).sorted() {
            try add(SnapshotFormat.name(seq), .snapshot, first: nil, last: seq)
        }
        let segments = names.compactMap(LogFormat.firstSeq(ofName:)).sorted()
        for (index, first) in segments.enumerated() {
            let isNewest = index == segments.count - 1
            let last = isNewest ? tables.cursor.seq : segments[index + 1] - 1
            try add(
                LogFormat.segmentName(first), .segment, first: first,
                last: last < first ? nil : last)
        }
        for number in names.compactMap(Manifest.number(ofName:)).sorted() {
            try add(Manifest.name(number), .manifest, first: nil, last: nil)
        }
        return try listed + setAside(names)
    }

    private func setAside(_ names: [String]) throws(SystemFault) -> [DiskReport.File] {
        guard names.contains(DataDirectory.asideName) else { return [] }
        let aside = try files.openDirectory(DataDirectory.asideName, in: directory)
        defer { files.close(aside) }
        var found: [DiskReport.File] = []
        for name in try files.list(aside).sorted() {
            guard let bytes = try size(of: name, in: aside) else { continue }
            found.append(
                DiskReport.File(
                    name: "\(DataDirectory.asideName)/\(name)", kind: .aside, bytes: bytes))
        }
        return found
    }

    private var activeSegment: UInt64? {
        switch figures.status.phase {
        case .failed, .closed: nil
        default: UInt64(exactly: figures.activeSegment.value).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// nil where the file has gone since it was listed, or is none.
    private func size(of name: String, in folder: FileHandle) throws(SystemFault) -> Int? {
        do throws(SystemFault) {
            let file = try files.open(name, in: folder, .read)
            defer { files.close(file) }
            return try files.size(file)
        } catch {
            if error.code == ENOENT || error.isNoFile { return nil }
            throw error.named(name)
        }
    }
}
