import FreshetBase

// # A backup: one file that holds a store at one seq
//
// It carries the files of a data directory as they are, so that whoever can read a directory can
// read a backup: FRESHET, a manifest, the snapshot that it names, and the segments behind it, the
// last one cut behind its last frame. All numbers are little endian; `crc` is CRC-32C; offsets and
// lengths are in bytes; everything begins at a multiple of 8.
//
// ## Header, 128 bytes
//      0  8  magic "FRESHETB"             56  8  seq of the newest commit
//      8  2  format major (1)             64  8  epoch
//     10  2  format minor (0)             72  8  length of the whole backup
//     12  4  header length (128)          80  4  number of members
//     16 16  store id                     84  4  zero
//     32 16  zero                         88 32  version of the program, zero padded
//     48  8  created, ms since 1970      120  4  zero
//                                        124  4  crc of 0..<124
//
// ## Then the members, one behind the other: a head of 64 bytes
//      0  4  magic "FRM2"                 16 40  its name in a data directory, zero padded
//      4  4  zero                         56  4  zero
//      8  8  length                       60  4  crc of 0..<60
// its bytes, zeros up to a multiple of 8, and 8 bytes of end: crc of its bytes (4), zero (4).
//
// ## End, 32 bytes
//      0  8  magic "FRESHETE"             16  4  number of members
//      8  8  length of all before it      20  4  crc of all before it
//                                         24  4  zero
//                                         28  4  crc of 0..<28 of the end
//
// The crc of all is what a copy over a network or a disk is checked by: it guards against accidents,
// not against forgery. What the members hold has its own checksums besides, seeded with the store's
// id, so a reader proves every entity once more.

/// Constants of the format of a backup.
enum BackupFormat {
    static let magic: UInt64 = 0x4254_4548_5345_5246  // "FRESHETB"
    static let endMagic: UInt64 = 0x4554_4548_5345_5246  // "FRESHETE"
    static let memberMagic: UInt32 = 0x324D_5246  // "FRM2"
    static let major: UInt16 = 1
    static let headerLength = 128
    static let memberLength = 64
    static let trailerLength = 8
    static let endLength = 32
    static let nameLength = 40
    /// A log of 64 TiB; more is no backup.
    static let maximumMembers = 1 << 20

    static func padded(_ length: Int) -> Int { (length + 7) & ~7 }

    /// Bytes that a member of `length` takes.
    static func memberBytes(_ length: Int) -> Int {
        memberLength + padded(length) + trailerLength
    }
}

/// The first 128 bytes of a backup.
struct BackupHeader: Equatable, Sendable {
    var store: StoreID
    var created: Int64
    var seq: UInt64
    var epoch: Epoch
    var length: Int
    var members: Int
    var writer: String
    var major = BackupFormat.major

    init(
        store: StoreID, created: Int64, seq: UInt64, epoch: Epoch, length: Int, members: Int,
        writer: String
    ) {
        self.store = store
        self.created = created
        self.seq = seq
        self.epoch = epoch
        self.length = length
        self.members = members
        self.writer = writer
    }

    func encoded() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BackupFormat.headerLength)
        bytes.withUnsafeMutableBytes { target in
            target.store(BackupFormat.magic, at: 0)
            target.store(BackupFormat.major, at: 8)
            target.store(UInt32(BackupFormat.headerLength), at: 12)
            target.store(store.high, at: 16)
            target.store(store.low, at: 24)
            target.store(created, at: 48)
            target.store(seq, at: 56)
            target.store(epoch.value, at: 64)
            target.store(UInt64(length), at: 72)
            target.store(UInt32(members), at: 80)
            for (index, byte) in writer.utf8.prefix(32).enumerated() { target[88 + index] = byte }
            target.store(CRC32C.checksum(UnsafeRawBufferPointer(rebasing: target[..<124])), at: 124)
        }
        return bytes
    }

    init?(verifying bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= BackupFormat.headerLength,
            bytes.littleEndian(at: 0, as: UInt64.self) == BackupFormat.magic,
            bytes.littleEndian(at: 124, as: UInt32.self)
                == CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<124]))
        else { return nil }
        major = bytes.littleEndian(at: 8, as: UInt16.self)
        store = StoreID(
            high: bytes.littleEndian(at: 16, as: UInt64.self),
            low: bytes.littleEndian(at: 24, as: UInt64.self))
        created = bytes.littleEndian(at: 48, as: Int64.self)
        seq = bytes.littleEndian(at: 56, as: UInt64.self)
        epoch = Epoch(value: bytes.littleEndian(at: 64, as: UInt64.self))
        length = Int(clamping: bytes.littleEndian(at: 72, as: UInt64.self))
        members = Int(bytes.littleEndian(at: 80, as: UInt32.self))
        writer = String(decoding: bytes[88..<120].prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// The 64 bytes before a member.
struct BackupMember: Equatable, Sendable {
    var name: String
    var length: Int

    func encoded() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BackupFormat.memberLength)
        bytes.withUnsafeMutableBytes { target in
            target.store(BackupFormat.memberMagic, at: 0)
            target.store(UInt64(length), at: 8)
            for (index, byte) in name.utf8.prefix(BackupFormat.nameLength).enumerated() {
                target[16 + index] = byte
            }
            target.store(CRC32C.checksum(UnsafeRawBufferPointer(rebasing: target[..<60])), at: 60)
        }
        return bytes
    }

    init(name: String, length: Int) {
        self.name = name
        self.length = length
    }

    /// nil for bytes that are no head of a member, or one of a name that a directory cannot have.
    init?(verifying bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= BackupFormat.memberLength,
            bytes.littleEndian(at: 0, as: UInt32.self) == BackupFormat.memberMagic,
            bytes.littleEndian(at: 60, as: UInt32.self)
                == CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<60]))
        else { return nil }
        length = Int(clamping: bytes.littleEndian(at: 8, as: UInt64.self))
        let end = 16 + BackupFormat.nameLength
        name = String(decoding: bytes[16..<end].prefix { $0 != 0 }, as: UTF8.self)
        let isKnown =
            name == DataDirectory.identityName || Manifest.number(ofName: name) != nil
            || SnapshotFormat.seq(ofName: name) != nil || LogFormat.firstSeq(ofName: name) != nil
        guard isKnown else { return nil }
    }
}

/// The last 32 bytes of a backup.
struct BackupEnd: Equatable, Sendable {
    var length: Int
    var members: Int
    /// Crc of everything before it.
    var checksum: UInt32

    func encoded() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BackupFormat.endLength)
        bytes.withUnsafeMutableBytes { target in
            target.store(BackupFormat.endMagic, at: 0)
            target.store(UInt64(length), at: 8)
            target.store(UInt32(members), at: 16)
            target.store(checksum, at: 20)
            target.store(CRC32C.checksum(UnsafeRawBufferPointer(rebasing: target[..<28])), at: 28)
        }
        return bytes
    }

    init(length: Int, members: Int, checksum: UInt32) {
        self.length = length
        self.members = members
        self.checksum = checksum
    }

    init?(verifying bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= BackupFormat.endLength,
            bytes.littleEndian(at: 0, as: UInt64.self) == BackupFormat.endMagic,
            bytes.littleEndian(at: 28, as: UInt32.self)
                == CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<28]))
        else { return nil }
        length = Int(clamping: bytes.littleEndian(at: 8, as: UInt64.self))
        members = Int(bytes.littleEndian(at: 16, as: UInt32.self))
        checksum = bytes.littleEndian(at: 20, as: UInt32.self)
    }
}
