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
//     16 16  store id                     84  4  of a replica: the chain of its shared log
//     32 16  of a replica: the cluster's  88 32  version of the program, zero padded
//            id, else zero               120  4  zero
//     48  8  created, ms since 1970
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
    static let major: UInt16 = 1
    static let trailerLength = 8
    /// A log of 64 TiB; more is no backup.
    static let maximumMembers = 1 << 20

    static func padded(_ length: Int) -> Int { (length + 7) & ~7 }

    /// Bytes that a member of `length` takes.
    static func memberBytes(_ length: Int) -> Int {
        BackupMember.length + padded(length) + trailerLength
    }
}

/// The first 128 bytes of a backup.
struct BackupHeader: FileHeader, Equatable, Sendable {
    static let magic = "FRESHETB"
    static let length = 128

    var store = StoreID()
    var created: Int64 = 0
    var seq: UInt64 = 0
    var epoch = Epoch(value: 0)
    /// Bytes of the whole backup.
    var bytes = 0
    var members = 0
    var writer = ""
    var cluster = StoreID()
    var chain: UInt32 = 0
    var major = BackupFormat.major

    mutating func layout(_ fields: inout HeaderFields) {
        fields.file(major: &major, store: &store)
        fields.store(&cluster, at: 32)
        fields.number(&created, at: 48)
        fields.seq(&seq, at: 56)
        fields.epoch(&epoch, at: 64)
        fields.count(&bytes, as: UInt64.self, at: 72)
        fields.count(&members, as: UInt32.self, at: 80)
        fields.number(&chain, at: 84)
        fields.text(&writer, in: 88..<120)
    }
}

/// The 64 bytes before a member.
struct BackupMember: FileHeader, Equatable, Sendable {
    static let magic = "FRM2"
    static let length = 64

    var name = ""
    /// Bytes of the member.
    var bytes = 0

    mutating func layout(_ fields: inout HeaderFields) {
        fields.count(&bytes, as: UInt64.self, at: 8)
        fields.text(&name, in: 16..<56)
    }

    /// Can a data directory have a file of this name?
    var isOfStore: Bool {
        name == DataDirectory.identityName || Manifest.number(ofName: name) != nil
            || SnapshotFormat.seq(ofName: name) != nil || LogFormat.firstSeq(ofName: name) != nil
    }
}

/// The last 32 bytes of a backup.
struct BackupEnd: FileHeader, Equatable, Sendable {
    static let magic = "FRESHETE"
    static let length = 32

    /// Bytes of all before it.
    var bytes = 0
    var members = 0
    /// Crc of everything before it.
    var checksum: UInt32 = 0

    mutating func layout(_ fields: inout HeaderFields) {
        fields.count(&bytes, as: UInt64.self, at: 8)
        fields.count(&members, as: UInt32.self, at: 16)
        fields.number(&checksum, at: 20)
    }
}
