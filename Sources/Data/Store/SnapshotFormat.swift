import FreshetBase
import FreshetQuery

// # Snapshot: `snap-%016llu.fs`, every entity as it was after the commit whose seq is its name
//
// This comment is the specification, beside that of the log (LogFormat). All numbers are little
// endian; `crc` is CRC-32C; a "zero" field is written as zeros and not read, but every checksum
// covers it. Offsets and lengths are in bytes.
//
// A header of 128 bytes, then blocks without gaps. The last block is the footer, and the file ends
// where it ends: a file that is longer or shorter is damaged.
//
//      0  8  magic "FRESHETS"             48  8  wall time of the newest commit, ms, 0 for none
//      8  2  format major                 56  8  created, ms since 1970
//     10  2  format minor                 64  8  number of entities
//     12  4  header length (128)          72  4  number of sections
//     16 16  store id                     76  4  zero
//     32  8  seq (as the name)            80 16  of a replica: the cluster's id, else zero
//     40  8  epoch                        96  4  of a replica: the chain of the shared log at seq
//                                        100 24  zero
//                                        124  4  crc of 0..<124
//
// ## Block: 40 bytes of header and a payload
// The payload ends with zeros up to a multiple of 8, which its length and its crc include. So every
// block is 8-aligned, and where its entities end is known by their number.
//
//      0  4  magic "FRB1"                 20  4  number of the block, from 0
//      4  4  payload length ≤ 64 MiB      24  4  crc of the payload
//      8  2  type                         28  4  zero
//     10  2  flags                        32  4  crc of 0..<32, continuing the seed
//     12  4  number of the section, from 1;  36  4  zero (must be)
//            0 in the footer
//     16  4  number of entities in it; 0 in the other types
//
// Types: 1 section, 2 entities, 3 footer. Flags: 1 ignorable where the type is unknown.
//   seed = crc of the store id (16), the seq (8) and the crc of the file's header (4)
// The seed and the numbers make blocks of other files, and dropped, doubled or exchanged blocks
// fail to verify.
//
// ### Payload of a section: a type begins; its blocks of entities follow, in the order of ids
//      0  8  number of entities           10  6  zero
//      8  2  length of the type's name    16  …  the type's name
//
// ### Payload of entities: one after the other; as many bytes as fit, one entity at least
//      0  8  revision                     16  1  flags: 1 set by a fetch from a remote; a reader
//      8  4  length of the entity                refuses those that it does not know
//     12  4  crc of the entity            17  3  zero
//                                         20  …  the entity as it was stored: canonical JSON
// The id is the entity's own member `id`.
//
// ### Payload of the footer, 32
//      0  8  blocks before it             24  4  crc of the header crcs of all blocks before it, in
//      8  8  entities                            order: the crc of crcs that a manifest repeats
//     16  8  seq                          28  4  zero
//
// A type that was written once and has no entity any more has a section of none. Entities of types
// that are kept in memory are not in a snapshot, but for those that older commits left in the log.
//
// A directory with a snapshot names the required feature `snapshots` in FRESHET, synced before the
// first one has its name: a reader that looks for a log from its beginning must not try.

/// Constants of the format.
enum SnapshotFormat {
    static let headerLength = SnapshotHeader.length
    static let blockHeaderLength = 40
    static let entityHeadLength = 20
    static let sectionHeadLength = 16
    static let footerLength = 32
    /// A longer payload is refused before memory is taken for it.
    static let maximumPayload = LogFormat.maximumPayload
    /// A block of entities ends once it has so many bytes.
    static let blockLength = 256 << 10
    /// The required feature of a directory that has, or had, a snapshot.
    static let feature = "snapshots"

    static let blockMagic: UInt32 = 0x3142_5246  // "FRB1"

    /// `snap-0000000000000042.fs`
    static func name(_ seq: UInt64) -> String { "snap-\(seq.padded(to: 16)).fs" }

    /// The seq that a snapshot's name tells, nil for other names.
    static func seq(ofName text: String) -> UInt64? {
        guard text.hasPrefix("snap-"), text.hasSuffix(".fs"),
            let seq = UInt64(text.dropFirst(5).dropLast(3)), seq < LogFormat.largestSeq,
            name(seq) == text
        else { return nil }
        return seq
    }
}

/// What a snapshot keeps of an entity beside its JSON and revision: one byte.
enum SnapshotEntityFlags {
    /// It came from a remote and nobody has changed it here since.
    static let fetched: UInt8 = 1
    /// The bits that a reader of this version takes.
    static let known = fetched

    static func of(_ document: Document) -> UInt8 { document.isFetched ? fetched : 0 }

    /// Gives a document that nobody else has seen yet what its byte says.
    static func apply(_ flags: UInt8, to document: Document) {
        if flags & fetched != 0 { document.markFetched() }
    }
}

enum SnapshotBlockType: UInt16 {
    case section = 1
    case entities = 2
    case footer = 3
}

/// The 128 bytes at the start of a snapshot.
struct SnapshotHeader: FileHeader, Equatable, Sendable {
    static let magic = "FRESHETS"
    static let length = 128

    var store = StoreID()
    var seq: UInt64 = 0
    var epoch = Epoch(value: 0)
    var lastTime: Int64 = 0
    var created: Int64 = 0
    var entities = 0
    var sections = 0
    var cluster = StoreID()
    var chain: UInt32 = 0
    var checksum: UInt32 = 0
    var major = LogFormat.major

    /// Of a replica's.
    var position: ClusterPosition? { ClusterPosition(cluster: cluster, orNone: chain) }

    mutating func layout(_ fields: inout HeaderFields) {
        fields.file(major: &major, store: &store)
        fields.seq(&seq, at: 32)
        fields.epoch(&epoch, at: 40)
        fields.number(&lastTime, at: 48)
        fields.number(&created, at: 56)
        fields.count(&entities, as: UInt64.self, at: 64)
        fields.count(&sections, as: UInt32.self, at: 72)
        fields.store(&cluster, at: 80)
        fields.number(&chain, at: 96)
        fields.checksum(&checksum)
    }

    /// The keyed start of every checksum of a block.
    var seed: UInt32 {
        var bytes = ByteBuffer(capacity: 32)
        bytes.append(littleEndian: store.high)
        bytes.append(littleEndian: store.low)
        bytes.append(littleEndian: seq)
        bytes.append(littleEndian: checksum)
        return CRC32C.checksum(bytes.bytes)
    }
}

/// The 40 bytes before a payload.
struct SnapshotBlock: Equatable, Sendable {
    var type: UInt16
    var flags: UInt16 = 0
    var section: UInt32
    var entities: UInt32
    var number: UInt32
    var payloadLength: UInt32
    var payloadChecksum: UInt32
    var headerChecksum: UInt32 = 0

    init(
        type: SnapshotBlockType, section: Int, entities: Int, number: Int,
        payload: UnsafeRawBufferPointer
    ) {
        self.type = type.rawValue
        self.section = UInt32(section)
        self.entities = UInt32(entities)
        self.number = UInt32(truncatingIfNeeded: number)
        payloadLength = UInt32(payload.count)
        payloadChecksum = CRC32C.checksum(payload)
    }

    /// Writes the header at the start of `target`; sets its checksum.
    mutating func write(to target: UnsafeMutableRawBufferPointer, seed: UInt32) {
        target.store(SnapshotFormat.blockMagic, at: 0)
        target.store(payloadLength, at: 4)
        target.store(type, at: 8)
        target.store(flags, at: 10)
        target.store(section, at: 12)
        target.store(entities, at: 16)
        target.store(number, at: 20)
        target.store(payloadChecksum, at: 24)
        target.store(UInt32(0), at: 28)
        headerChecksum = CRC32C.checksum(
            UnsafeRawBufferPointer(rebasing: target[..<32]), continuing: seed)
        target.store(headerChecksum, at: 32)
        target.store(UInt32(0), at: 36)
    }

    /// The header at `offset` if it is one of this snapshot, and within bounds.
    init?(verifying bytes: UnsafeRawBufferPointer, at offset: Int = 0, seed: UInt32) {
        guard bytes.count - offset >= SnapshotFormat.blockHeaderLength,
            bytes.littleEndian(at: offset, as: UInt32.self) == SnapshotFormat.blockMagic
        else { return nil }
        headerChecksum = CRC32C.checksum(
            UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 32]), continuing: seed)
        guard bytes.littleEndian(at: offset + 32, as: UInt32.self) == headerChecksum,
            bytes.littleEndian(at: offset + 36, as: UInt32.self) == 0
        else { return nil }
        payloadLength = bytes.littleEndian(at: offset + 4, as: UInt32.self)
        type = bytes.littleEndian(at: offset + 8, as: UInt16.self)
        flags = bytes.littleEndian(at: offset + 10, as: UInt16.self)
        section = bytes.littleEndian(at: offset + 12, as: UInt32.self)
        entities = bytes.littleEndian(at: offset + 16, as: UInt32.self)
        number = bytes.littleEndian(at: offset + 20, as: UInt32.self)
        payloadChecksum = bytes.littleEndian(at: offset + 24, as: UInt32.self)
        guard payloadLength % 8 == 0, payloadLength <= SnapshotFormat.maximumPayload else {
            return nil
        }
    }
}

/// The last block's payload.
struct SnapshotFooter: Equatable, Sendable {
    var blocks: UInt64
    var entities: UInt64
    var seq: UInt64
    /// The crc of crcs.
    var rolling: UInt32

    func encoded() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: SnapshotFormat.footerLength)
        bytes.withUnsafeMutableBytes { target in
            target.store(blocks, at: 0)
            target.store(entities, at: 8)
            target.store(seq, at: 16)
            target.store(rolling, at: 24)
        }
        return bytes
    }

    init(blocks: UInt64, entities: UInt64, seq: UInt64, rolling: UInt32) {
        self.blocks = blocks
        self.entities = entities
        self.seq = seq
        self.rolling = rolling
    }

    init?(_ payload: UnsafeRawBufferPointer) {
        guard payload.count == SnapshotFormat.footerLength else { return nil }
        blocks = payload.littleEndian(at: 0, as: UInt64.self)
        entities = payload.littleEndian(at: 8, as: UInt64.self)
        seq = payload.littleEndian(at: 16, as: UInt64.self)
        rolling = payload.littleEndian(at: 24, as: UInt32.self)
    }
}
