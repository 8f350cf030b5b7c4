import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc

/// All that a snapshot says: tables as they were at one commit, for any thread.
struct SnapshotSource: Sendable {
    let store: StoreID
    let seq: UInt64
    let epoch: Epoch
    /// Wall time of the newest commit, ms.
    let lastTime: Int64
    /// ms since 1970.
    let created: Int64
    let sections: [(name: TypeName, table: TableView)]
    /// Of a replica.
    var position: ClusterPosition?

    var entities: Int { sections.reduce(0) { $0 + $1.table.count } }
}

/// Why no snapshot was made. What was there before is still there.
enum SnapshotFailure: Error {
    case system(SystemFault)
    /// The store closes, or cannot be written any more.
    case cancelled
    /// An entity in memory is not what it was when it was stored.
    case memory(type: TypeName, id: EntityID)
    /// What was written reads as something else.
    case damaged(LogDamage)
}

/// How fast a snapshot is written and read again, and whether it goes on.
struct SnapshotPace {
    /// 0: as fast as the disk takes it.
    let bytesPerSecond: Int
    let isCancelled: () -> Bool
    /// From then on it waits no more.
    var isHurried: () -> Bool = { false }
    /// Called after each block, in tests.
    var between: () -> Void = {}
    /// Bytes that have passed are added to it.
    var progress: Counter?
    private let start = MonotonicInstant.now
    private var bytes = 0

    init(bytesPerSecond: Int, isCancelled: @escaping () -> Bool) {
        self.bytesPerSecond = bytesPerSecond
        self.isCancelled = isCancelled
    }

    /// Waits until `count` more bytes are due.
    mutating func pass(_ count: Int) throws(SnapshotFailure) {
        between()
        bytes += count
        progress?.add(count)
        while true {
            if isCancelled() { throw .cancelled }
            guard bytesPerSecond > 0, !isHurried() else { return }
            let due = UInt64(Double(bytes) / Double(bytesPerSecond) * 1e9)
            let passed = MonotonicInstant.now.nanoseconds - start.nanoseconds
            guard passed < due else { return }
            // In small pieces, so that a store that closes does not wait for this.
            var time = timespec(tv_sec: 0, tv_nsec: Int(min(due - passed, 10_000_000)))
            nanosleep(&time, nil)
        }
    }
}

/// Writes one snapshot to a file, block by block, and syncs it.
struct SnapshotWriter: ~Copyable {
    private let files: any FileSystem
    private let file: FileHandle
    private var buffer = ByteBuffer(capacity: SnapshotFormat.blockLength + (64 << 10))
    private var seed: UInt32 = 0
    private var offset = 0
    private var blocks = 0
    private var rolling: UInt32 = 0
    /// Written and not synced.
    private var unsynced = 0
    private let syncStep: Int

    /// - Parameters:
    ///   - file: Empty; stays open.
    ///   - syncStep: Bytes behind which it is synced. Few, so that no sync of a log beside it waits
    ///     for much: behind 128 KiB it waits for a third of a millisecond.
    init(_ files: any FileSystem, _ file: FileHandle, syncStep: Int = 128 << 10) {
        self.syncStep = syncStep
        self.files = files
        self.file = file
    }

    /// Writes all of `source`.
    ///
    /// - Returns: What a manifest says of it.
    mutating func write(
        _ source: SnapshotSource, _ pace: inout SnapshotPace
    ) throws(SnapshotFailure) -> Manifest.Snapshot {
        var header = SnapshotHeader(
            store: source.store, seq: source.seq, epoch: source.epoch, lastTime: source.lastTime,
            created: source.created, entities: source.entities, sections: source.sections.count,
            cluster: source.position?.cluster ?? StoreID(), chain: source.position?.chain ?? 0)
        let bytes = header.encoded()
        header.checksum = HeaderFields.checksum(of: bytes)
        seed = header.seed
        buffer.append(bytes)
        try put()
        for (index, section) in source.sections.enumerated() {
            try write(section: index + 1, section.name, section.table, &pace)
        }
        let footer = SnapshotFooter(
            blocks: UInt64(blocks), entities: UInt64(source.entities), seq: source.seq,
            rolling: rolling)
        begin()
        buffer.append(footer.encoded())
        try end(.footer, section: 0, entities: 0)
        do throws(SystemFault) {
            try files.sync(file)
        } catch {
            throw .system(error)
        }
        return Manifest.Snapshot(
            seq: source.seq, length: offset, entities: source.entities, checksum: footer.rolling)
    }

    private mutating func write(
        section: Int, _ name: TypeName, _ table: TableView, _ pace: inout SnapshotPace
    ) throws(SnapshotFailure) {
        begin()
        name.withBytes { name in
            buffer.append(littleEndian: UInt64(table.count))
            buffer.append(littleEndian: UInt16(name.count))
            buffer.append(littleEndian: UInt16(0))
            buffer.append(littleEndian: UInt32(0))
            buffer.append(name)
        }
        try end(.section, section: section, entities: 0)
        begin()
        var count = 0
        var written = 0
        var cursor = table.makeCursor()
        while let document = cursor.next() {
            let json = document.json
            let size = SnapshotFormat.entityHeadLength + json.count
            if count > 0
                && buffer.count - SnapshotFormat.blockHeaderLength + size
                    > SnapshotFormat.blockLength
            {
                let length = buffer.count
                try end(.entities, section: section, entities: count)
                try pace.pass(length)
                begin()
                count = 0
            }
            // A flipped bit in memory must not become durable.
            guard CRC32C.checksum(json) == document.checksum else {
                throw .memory(type: name, id: document.id)
            }
            buffer.append(littleEndian: document.revision)
            buffer.append(littleEndian: UInt32(json.count))
            buffer.append(littleEndian: document.checksum)
            buffer.append(littleEndian: UInt32(SnapshotEntityFlags.of(document)))
            buffer.append(json)
            count += 1
            written += 1
        }
        precondition(written == table.count, "a section has as many entities as its head says")
        guard count > 0 else {
            buffer.removeAll()
            return
        }
        let length = buffer.count
        try end(.entities, section: section, entities: count)
        try pace.pass(length)
    }

    /// Leaves room for a block's header.
    private mutating func begin() {
        buffer.reset(capacity: 4 * SnapshotFormat.blockLength)
        for _ in 0..<(SnapshotFormat.blockHeaderLength / 8) {
            buffer.append(littleEndian: UInt64(0))
        }
    }

    /// Completes and writes the block in the buffer.
    private mutating func end(
        _ type: SnapshotBlockType, section: Int, entities: Int
    ) throws(SnapshotFailure) {
        let length = SnapshotFormat.blockHeaderLength
        CommitEncoder.pad(&buffer, from: length)
        var block = SnapshotBlock(
            type: type, section: section, entities: entities, number: blocks,
            payload: UnsafeRawBufferPointer(rebasing: buffer.bytes[length...]))
        block.write(
            to: UnsafeMutableRawBufferPointer(rebasing: buffer.mutableBytes[..<length]), seed: seed)
        try put()
        blocks += 1
        rolling = SegmentScan.roll(rolling, block.headerChecksum)
    }

    private mutating func put() throws(SnapshotFailure) {
        do throws(SystemFault) {
            var rest = buffer.bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(syncStep - unsynced)
                try files.writeAll(file, UnsafeRawBufferPointer(rebasing: piece), at: offset)
                offset += piece.count
                unsynced += piece.count
                rest = rest.dropFirst(piece.count)
                if unsynced == syncStep {
                    try files.syncData(file)
                    unsynced = 0
                }
            }
            buffer.removeAll()
        } catch {
            throw .system(error)
        }
    }
}
