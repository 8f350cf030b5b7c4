import FreshetBase

// # The format of a data directory, version 1.0
//
// This comment is the specification, with those of SnapshotFormat (snapshots), Manifest (manifests)
// and BackupFormat (backups). All numbers are little endian; a "zero" field is written as zeros and
// not read; offsets and lengths are in bytes.
//
// `crc` is CRC-32C (RFC 3720: polynomial 0x1EDC6F41 reflected, first value and last exclusive-or all
// ones; of "123456789" it is 0xE3069283). "The crc of b, continuing c" is that of bytes whose crc is
// c, followed by b: it begins with ~c in the place of all ones.
//
// ## Files
//     FRESHET              what the directory is; without it there is no store
//     MANIFEST-%06d        which snapshot and segments are a generation; two are kept
//     snap-%016llu.fs      all entities at a seq, which the name has
//     log-%016llu.fl       a segment of the log
//     LOCK                 `flock`ed by its server; its text is for people: pid, host, boot id, time
//     aside/               damaged files and torn tails: never read
//     reserve              16 MiB, less on a small volume, given up when the disk is full: never read
//     tmp-*                unfinished: never read, removed by the next server
//     lost.ndjson          in a directory that was salvaged: what was not; never read
//
// ## How a store is read
//  1. FRESHET: refuse what is not known.
//  2. Of the manifests that verify, the newest one names a snapshot, or none. Where that snapshot
//     does not verify the other manifest's is read, then any other, then the log from its beginning.
//  3. The segments in the order of their first seqs, from the one whose first seq is the snapshot's
//     seq + 1; without a snapshot from the one that has no predecessor. Each names its predecessor,
//     which must be the segment before it (that of the first one behind a snapshot is not read),
//     where that one's frames end, and its last seq. All frames before that end must verify; what
//     stands behind it does not count. A seal is a frame: it is before the end.
//  4. In the newest segment frames count up to the first that does not verify, or to a seal, at
//     offset X with L the last seq. D is the highest durableSeq of all manifests, all segment
//     headers and good frames that were read, and all headers of frames that verify (by their own
//     crc; the chain is not asked) at any multiple of 8 behind X. D > L: acknowledged commits L+1…D
//     are damaged. Else what stands there was never acknowledged. Where a manifest's active segment
//     is newer than the newest one, it is missing, and acknowledged commits may be.
//     The last seq is the greatest of: the seq of the last commit, the snapshot's seq, and each
//     segment's first seq - 1. That is more than the last commit's where seqs were skipped.
//  5. A commit's entries replace what is stored under their type and id, one commit after the other.
//     The revision of an entity is the seq of the commit that set it.
//
// ## FRESHET: 4,096 bytes, written last of all at creation, and again when a feature is first used
// Two equal halves of 2,048; the first that verifies counts. Each:
//
//      0  8  magic "FRESHET\n"            48  32  version of the program that wrote it, zero padded
//      8  2  format major (1)             80   2  length of the names of required features
//     10  2  format minor (0)             82   …  their names, comma separated
//     12  4  zero                        2044  4  crc of 0..<2044
//     16 16  store id, random
//     32  8  created, ms since 1970
//     40  8  zero
//
// A reader refuses another major version and any required feature that it does not know. Known are:
//     snapshots   the log may begin behind a snapshot (SnapshotFormat); a manifest says which
//     cluster     the log has frames of a log that several servers share (frames of type 6); another
//                 log has them all, so what this one lacks at its end is read from there
//
// ## Segment: `log-%016llu.fl`, named by the first seq that it may hold; 64 MiB, then the next
// A header of 128 bytes, then frames without gaps, then zeros (space taken ahead) to the end.
//
//      0  8  magic "FRESHETL"             48  8  where the predecessor's frames end
//      8  2  format major                 56  8  the predecessor's last seq
//     10  2  format minor                 64  8  durableSeq when the segment was made
//     12  4  header length (128)          72  8  created, ms since 1970
//     16 16  store id                     80 44  zero
//     32  8  first seq (as the name)     124  4  crc of 0..<124
//     40  8  the predecessor's first seq, 0 for none
//
// The predecessor fields are how a torn tail ends: the torn file stays as it is, and its successor
// says how much of it counts. A segment is built as `tmp-…`, synced, and renamed; so under its
// name its header and its first frame, an epoch, are always whole unless they were damaged.
// After a torn tail the successor of a segment that holds no commit takes the name one higher, and
// one seq is never used: no existing file is renamed or overwritten.
//
// ## Frame: 48 bytes of header and a payload; the next frame follows at once
// The payload ends with zeros up to a multiple of 8, which its length and its crc include. So every
// frame is 8-aligned, and what a payload holds is known by its counts, not by its length.
//
//      0  4  magic "FRL1"                 24  8  durableSeq: highest logged seq known synced
//      4  4  payload length ≤ 64 MiB      32  4  chain
//      8  8  first seq                    36  4  crc of the payload
//     16  4  number of commits            40  4  crc of 0..<40, continuing the seed
//     20  2  type                         44  4  zero (must be)
//     22  2  flags
//
// Types: 1 commits, 2 mark, 3 seal, 4 epoch, 5 schema (not written yet), 6 shared.
// Flags: 1 ignorable where the type is unknown, 2 deflate (not written yet), 4 (marks only) clean:
// the store was closed and nothing is behind this frame.
//   seed  = crc of the store id (16) and the segment's first seq (8)
//   chain = crc of the previous frame's payload crc (4) and header crc (4), continuing the seed;
//           for the first frame of a segment: of 0 (4) and the segment header's crc (4), likewise
//   rolling = crc of the frame's header crc (4), continuing that of the frame before; 0 before all;
//           so it is the crc of the header crcs of all frames in order, and a manifest has it
// The seed and the chain make blocks of other stores and segments, stale blocks, and dropped,
// doubled or exchanged frames fail to verify.
//
// First seq of a frame of commits is that of its first commit, and greater than every seq before;
// a gap is commits of `memory` types, which the log does not hold, or a seq that is never used. In
// the other types it is the next seq to be given, and the number of commits is 0. A frame of a type
// that is not known is passed over where it is ignorable; else the segment cannot be read.
//
// durableSeq makes the end of the log decidable (see `SegmentScan`): a frame is written only after
// the sync of those that its durableSeq names, so a reader that finds a durableSeq above the last
// seq that it can read has found damage, not an end.
//
// ### Payload of commits: one after the other
//
//      8  seq                             per entry:
//      8  wall time, ms, never less            1  kind: 1 set, 2 remove, 3 set by a fetch
//      4  number of entries                    1  length of the type
//      2  length of the token's name           2  length of the id
//      2  length of the idempotency key        4  length of the entity, 0 for a remove
//      …  token's name                         4  crc of the entity, 0 for a remove
//      …  idempotency key                      …  type, id (unescaped text), entity as stored
//
// Ids are UTF-8 text, 1 to 256 bytes; an integer id is its decimal digits. Types are 1 to 64 bytes,
// `[A-Za-z][A-Za-z0-9_-]*`; one that begins with `_` is the service's own (`_answer`: what was
// answered to an idempotency key; `_outbox`: what a remote has not got yet). An entity is a JSON
// object with the member `id`, without space between tokens; in its strings `"`, `\`, control
// characters, U+2028 and U+2029 are escaped and nothing else; numbers are as they were written.
//
// ### Payload of a mark: none. Written without a sync when the queue runs dry, so that the
// durableSeq of the last batch reaches the file soon; a clean close syncs one.
// ### Payload of a seal, 24: frames before it (8), its own offset (8), rolling before it (4), zero
// (4). Nothing behind a seal counts.
// ### Payload of a frame of a shared log: a whole one (SharedFrame): its header of 64 bytes, then
// commits as above. First seq and number of commits are those of its header; its chain follows that
// of the one before.
// ### Payload of an epoch, 16, or 40 in the log of a replica, which continues with the cluster's id
// (16), the chain of all frames of its log before this one's first seq (4), zero (4).
// The epoch (8), traits (8; bit 0 volatile: commits that are not in
// the log may take seqs, so that an unclean end makes a new epoch; bit 1: types are kept in memory
// alone; bits 8 to 63: which ones, as `EpochTraits` computes it, 0 in logs of the first versions. A
// start with other such types than the last one had makes a new epoch). In force from that frame on;
// a cursor is epoch and seq. The next seq to be given, which frames without commits have as their
// first, counts the commits that the log does not hold: behind a clean close no seq is given twice.

/// Constants of the format.
package enum LogFormat {
    package static let major: UInt16 = 1
    package static let minor: UInt16 = 0
    /// Required features that this version knows.
    static let features: Set<String> = [SnapshotFormat.feature, clusterFeature]
    /// Of the directory of a replica.
    static let clusterFeature = "cluster"
    package static let frameHeaderLength = 48
    package static let segmentHeaderLength = SegmentHeader.length
    package static let identityLength = 4_096
    /// A longer payload is refused before memory is taken for it.
    package static let maximumPayload = 64 << 20
    package static let segmentLength = 64 << 20

    static let frameMagic: UInt32 = 0x314C_5246  // "FRL1"

    /// None is ever reached; a name with a greater one is not a file's of a store.
    static let largestSeq = LogRecord.seqLimit

    /// `log-0000000000000001.fl`
    package static func segmentName(_ firstSeq: UInt64) -> String {
        "log-\(firstSeq.padded(to: 16)).fl"
    }

    /// The first seq that a segment's name tells, nil for other names.
    package static func firstSeq(ofName name: String) -> UInt64? {
        guard name.hasPrefix("log-"), name.hasSuffix(".fl") else { return nil }
        let digits = name.dropFirst(4).dropLast(3)
        guard digits.utf8.count >= 16, let seq = UInt64(digits), seq > 0, seq < largestSeq,
            segmentName(seq) == name
        else { return nil }
        return seq
    }
}

/// What a frame is for.
package enum FrameType: UInt16, Sendable {
    case commits = 1
    case mark = 2
    case seal = 3
    case epoch = 4
    case schema = 5
    /// A frame of a shared log.
    case shared = 6
}

package struct FrameFlags: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let ignorable = FrameFlags(rawValue: 1)
    package static let deflate = FrameFlags(rawValue: 2)
    package static let clean = FrameFlags(rawValue: 4)
}

/// 16 random bytes that every segment of a store repeats.
package struct StoreID: Hashable, Sendable, CustomStringConvertible {
    var high: UInt64
    var low: UInt64

    init(high: UInt64 = 0, low: UInt64 = 0) {
        self.high = high
        self.low = low
    }

    static func random() -> StoreID {
        StoreID(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
    }

    /// 32 hexadecimal digits.
    package var description: String {
        high.padded(to: 16, radix: 16) + low.padded(to: 16, radix: 16)
    }
}

/// The keyed start of every checksum in one segment.
struct SegmentSeed: Equatable, Sendable {
    let value: UInt32

    init(store: StoreID, firstSeq: UInt64) {
        let words = [store.high.littleEndian, store.low.littleEndian, firstSeq.littleEndian]
        value = words.withUnsafeBytes { CRC32C.checksum($0) }
    }

    /// The chain of the frame behind one with these two checksums.
    func chain(payload: UInt32, header: UInt32) -> UInt32 {
        let words = [payload.littleEndian, header.littleEndian]
        return words.withUnsafeBytes { CRC32C.checksum($0, continuing: value) }
    }
}

/// The 48 bytes before a payload.
struct FrameHeader: Equatable, Sendable {
    var payloadLength: UInt32
    var firstSeq: UInt64
    var commitCount: UInt32
    var type: UInt16
    var flags: FrameFlags
    var durableSeq: UInt64
    var chain: UInt32
    var payloadChecksum: UInt32
    var headerChecksum: UInt32 = 0

    /// Writes the header with its own checksum at `target`.
    ///
    /// - Returns: The header's checksum, which the next frame's chain covers.
    func write(to target: UnsafeMutableRawPointer, seed: SegmentSeed) -> UInt32 {
        target.storeBytes(of: LogFormat.frameMagic.littleEndian, as: UInt32.self)
        target.storeBytes(of: payloadLength.littleEndian, toByteOffset: 4, as: UInt32.self)
        target.storeBytes(of: firstSeq.littleEndian, toByteOffset: 8, as: UInt64.self)
        target.storeBytes(of: commitCount.littleEndian, toByteOffset: 16, as: UInt32.self)
        target.storeBytes(of: type.littleEndian, toByteOffset: 20, as: UInt16.self)
        target.storeBytes(of: flags.rawValue.littleEndian, toByteOffset: 22, as: UInt16.self)
        target.storeBytes(of: durableSeq.littleEndian, toByteOffset: 24, as: UInt64.self)
        target.storeBytes(of: chain.littleEndian, toByteOffset: 32, as: UInt32.self)
        target.storeBytes(of: payloadChecksum.littleEndian, toByteOffset: 36, as: UInt32.self)
        let checksum = CRC32C.checksum(
            UnsafeRawBufferPointer(start: target, count: 40), continuing: seed.value)
        target.storeBytes(of: checksum.littleEndian, toByteOffset: 40, as: UInt32.self)
        target.storeBytes(of: 0, toByteOffset: 44, as: UInt32.self)
        return checksum
    }

    /// The header at `offset` if its magic and its checksum are right; its chain is not judged.
    init?(verifying bytes: UnsafeRawBufferPointer, at offset: Int, seed: SegmentSeed) {
        guard offset >= 0, bytes.count - offset >= LogFormat.frameHeaderLength,
            bytes.littleEndian(at: offset, as: UInt32.self) == LogFormat.frameMagic
        else { return nil }
        let covered = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 40])
        let checksum = CRC32C.checksum(covered, continuing: seed.value)
        guard bytes.littleEndian(at: offset + 40, as: UInt32.self) == checksum,
            bytes.littleEndian(at: offset + 44, as: UInt32.self) == 0
        else { return nil }
        payloadLength = bytes.littleEndian(at: offset + 4, as: UInt32.self)
        firstSeq = bytes.littleEndian(at: offset + 8, as: UInt64.self)
        commitCount = bytes.littleEndian(at: offset + 16, as: UInt32.self)
        type = bytes.littleEndian(at: offset + 20, as: UInt16.self)
        flags = FrameFlags(rawValue: bytes.littleEndian(at: offset + 22, as: UInt16.self))
        durableSeq = bytes.littleEndian(at: offset + 24, as: UInt64.self)
        chain = bytes.littleEndian(at: offset + 32, as: UInt32.self)
        payloadChecksum = bytes.littleEndian(at: offset + 36, as: UInt32.self)
        headerChecksum = checksum
        guard max(firstSeq, durableSeq) < LogFormat.largestSeq else { return nil }
    }

    init(
        type: FrameType, flags: FrameFlags = [], firstSeq: UInt64, commitCount: UInt32 = 0,
        durableSeq: UInt64, chain: UInt32, payload: UnsafeRawBufferPointer
    ) {
        self.payloadLength = UInt32(payload.count)
        self.firstSeq = firstSeq
        self.commitCount = commitCount
        self.type = type.rawValue
        self.flags = flags
        self.durableSeq = durableSeq
        self.chain = chain
        self.payloadChecksum = CRC32C.checksum(payload)
    }
}

/// The 128 bytes at the start of a segment.
struct SegmentHeader: FileHeader, Equatable, Sendable {
    static let magic = "FRESHETL"
    static let length = 128

    var store = StoreID()
    var firstSeq: UInt64 = 0
    /// First seq of the segment before, 0 for none.
    var predecessor: UInt64 = 0
    /// Where that segment's frames end.
    var predecessorEnd: UInt64 = 0
    /// Its last seq.
    var predecessorSeq: UInt64 = 0
    var durableSeq: UInt64 = 0
    var created: Int64 = 0
    var checksum: UInt32 = 0
    var major = LogFormat.major

    mutating func layout(_ fields: inout HeaderFields) {
        fields.file(major: &major, store: &store)
        fields.seq(&firstSeq, at: 32)
        fields.seq(&predecessor, at: 40)
        fields.number(&predecessorEnd, at: 48)
        fields.seq(&predecessorSeq, at: 56)
        fields.seq(&durableSeq, at: 64)
        fields.number(&created, at: 72)
        fields.checksum(&checksum)
    }
}

extension UnsafeRawBufferPointer {
    /// The little-endian number at `offset`, all of which lies inside.
    func littleEndian<Value: FixedWidthInteger>(at offset: Int, as type: Value.Type) -> Value {
        Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Stores `value` in little-endian order.
    func store<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
    }
}
