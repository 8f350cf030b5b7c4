import FreshetBase
import Glibc

/// What a reader makes of bytes that the disk does not give.
enum ReadPolicy {
    /// It fails.
    case strict
    /// It goes on with zeros in their place, a MiB at a time from the first of them, and says why.
    case report
    /// It goes on with zeros in their place, in sectors: as much as can be had is read.
    case salvage
}

/// The files of one store, in its directory or in a backup, as all that read them see them.
struct StoreFiles {
    let files: any FileSystem
    let directory: FileHandle
    let store: StoreID

    /// What was read of a file.
    struct Bytes {
        let count: Int
        /// There are zeros in the place of these, since the disk cannot read them.
        var unread: [Range<Int>] = []
        /// Why not.
        var fault: SystemFault?
    }

    // MARK: Opening

    /// Opens the directory of a store that nobody may be running, hands it to `body` and closes it.
    static func read<Value>(
        at path: String, _ files: any FileSystem,
        _ body: (StoreFiles, StoreIdentity) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let handle = try DataDirectory.wrapping(path) { () throws(SystemFault) in
            try files.openDirectory(path: path, creating: false)
        }
        defer { files.close(handle) }
        let identity = try DataDirectory.identity(files, handle, path)
        return try body(
            StoreFiles(files: files, directory: handle, store: identity.store), identity)
    }

    /// Reads beside a server that may write: what it appends between two reads can make a sound log
    /// look damaged, and its compaction takes files away. Damage stays.
    static func beside<Value>(
        attempts: Int = 5, _ body: () throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        for _ in 1..<attempts {
            do throws(StoreError) {
                return try body()
            } catch {
                switch error {
                case .damaged: continue
                case .system(_, let fault) where fault.code == ENOENT: continue
                default: throw error
                }
            }
        }
        return try body()
    }

    // MARK: What is there

    /// The first seqs of the segments, in their order.
    func segments() throws(SystemFault) -> [UInt64] {
        try files.list(directory).compactMap(LogFormat.firstSeq(ofName:)).sorted()
    }

    /// The seqs of the snapshots, the newest first.
    func snapshots() throws(SystemFault) -> [UInt64] {
        try files.list(directory).compactMap(SnapshotFormat.seq(ofName:)).sorted(by: >)
    }

    func snapshot(_ seq: UInt64) -> SnapshotReader { SnapshotReader(source: self, seq: seq) }

    /// The newest segment that the files know of, 0 for none: what a manifest names, and what is behind
    /// the newest snapshot, which has its name once that is there.
    func newestKnownSegment(_ manifests: [Manifest]) throws(SystemFault) -> UInt64 {
        let named = manifests.map(\.activeSegment).max() ?? 0
        for seq in try snapshots() where seq >= named {
            // One that cannot be read tells nothing.
            let bytes = try? files.contents(
                of: SnapshotFormat.name(seq), in: directory, atMost: SnapshotHeader.length)
            if let bytes, let header = SnapshotHeader(verifying: bytes), header.store == store,
                header.seq == seq
            {
                return seq + 1
            }
        }
        return named
    }

    func manifests(
        passingOver isPassedOver: (SystemFault) -> Bool = { _ in false }
    ) throws(SystemFault) -> [Manifest.Entry] {
        try Manifest.all(of: store, files, directory, passingOver: isPassedOver)
    }

    /// The header of a segment of this store; nil where it does not verify, and, but for a strict
    /// reader, where the file is lost: then that is told when its turn comes.
    func header(
        ofSegment firstSeq: UInt64, _ policy: ReadPolicy
    ) throws(SystemFault) -> SegmentHeader? {
        do throws(SystemFault) {
            return try files.contents(
                of: LogFormat.segmentName(firstSeq), in: directory, atMost: SegmentHeader.length
            ).flatMap(SegmentHeader.init(verifying:))
        } catch {
            if policy != .strict, error.isLoss { return nil }
            throw error
        }
    }

    /// The header that begins `bytes`, if it is that of this segment of this store.
    func header(
        ofSegment firstSeq: UInt64, in bytes: UnsafeRawBufferPointer
    ) -> SegmentHeader? {
        guard let header = SegmentHeader(verifying: bytes), header.store == store,
            header.firstSeq == firstSeq
        else { return nil }
        return header
    }

    func seed(ofSegment firstSeq: UInt64) -> SegmentSeed {
        SegmentSeed(store: store, firstSeq: firstSeq)
    }

    // MARK: Bytes

    /// Reads an open file from its beginning, until `buffer` is full or the file ends.
    func read(
        _ file: FileHandle, _ name: String, into buffer: UnsafeMutableRawBufferPointer,
        _ policy: ReadPolicy
    ) throws(SystemFault) -> Bytes {
        do throws(SystemFault) {
            var fault: SystemFault?
            if policy != .salvage {
                do throws(SystemFault) {
                    return Bytes(count: try files.readAll(file, into: buffer, at: 0))
                } catch {
                    guard policy == .report, error.isUnreadable else { throw error }
                    fault = error.named(name)
                }
            }
            let count = min(try files.size(file), buffer.count)
            let unread = files.readAround(
                file, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]),
                eachSector: policy == .salvage)
            // One that was read this time is whole.
            return Bytes(count: count, unread: unread, fault: unread.isEmpty ? nil : fault)
        } catch {
            throw error.named(name)
        }
    }
}

extension Frame {
    /// Are there commits in it?
    var holdsCommits: Bool {
        header.type == FrameType.commits.rawValue || isShared
    }

    private var isShared: Bool { header.type == FrameType.shared.rawValue }

    /// Decodes a frame of commits; see `CommitDecoder.read`.
    @inline(__always)
    func read(
        commit: (LoggedCommit) -> Void = { _ in }, entry: (LoggedCommit, LoggedEntry) -> Bool
    ) -> String? {
        CommitDecoder.read(
            isShared ? SharedFrame.payload(of: payload) : payload, from: header.firstSeq,
            count: header.commitCount, commit: commit, entry: entry)
    }
}
