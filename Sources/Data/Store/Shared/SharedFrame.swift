import FreshetBase

/// The header of a frame of a shared log: 64 bytes before the payload of a frame of commits, which is
/// the file's (LogFormat). Little endian.
///
///      0  4  magic "FRS1"              32 16  frame id, random
///      4  2  format                    48  4  chain of the frame before
///      6  2  flags                     52  4  crc of the payload
///      8  8  first seq                 56  2  parts that the frame is put in, 1 = whole
///     16  4  number of commits         58  2  zero
///     20  4  payload length            60  4  crc of 0..<60
///     24  8  term
///
/// chain = crc of the previous chain (4), the header's crc (4) and the payload's (4), continuing that
/// of the cluster's id; of the log's beginning it is that of the cluster's id alone. So a chain says
/// that all frames before are the same.
struct SharedFrame: Equatable, Sendable {
    static let headerLength = 64
    static let magic: UInt32 = 0x3153_5246  // "FRS1"
    /// Of the frames that this version writes, and the highest that it reads.
    static let format: UInt16 = 1

    var format = Self.format
    var flags: UInt16 = 0
    let firstSeq: UInt64
    let commits: UInt32
    let payloadLength: UInt32
    let term: UInt64
    let id: StoreID
    let previousChain: UInt32
    let payloadChecksum: UInt32
    var parts: UInt16 = 1
    /// Of the header itself; 0 before it was written.
    private(set) var checksum: UInt32 = 0

    init(
        firstSeq: UInt64, commits: Int, term: UInt64, id: StoreID, behind chain: UInt32,
        payload: UnsafeRawBufferPointer
    ) {
        self.firstSeq = firstSeq
        self.commits = UInt32(commits)
        payloadLength = UInt32(payload.count)
        self.term = term
        self.id = id
        previousChain = chain
        payloadChecksum = CRC32C.checksum(payload)
    }

    /// The frame that `bytes` are, header and payload; nil where either does not verify.
    init?(verifying bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.headerLength,
            bytes.littleEndian(at: 0, as: UInt32.self) == Self.magic
        else { return nil }
        let sum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[..<60]))
        guard bytes.littleEndian(at: 60, as: UInt32.self) == sum else { return nil }
        format = bytes.littleEndian(at: 4, as: UInt16.self)
        flags = bytes.littleEndian(at: 6, as: UInt16.self)
        firstSeq = bytes.littleEndian(at: 8, as: UInt64.self)
        commits = bytes.littleEndian(at: 16, as: UInt32.self)
        payloadLength = bytes.littleEndian(at: 20, as: UInt32.self)
        term = bytes.littleEndian(at: 24, as: UInt64.self)
        id = StoreID(
            high: bytes.littleEndian(at: 32, as: UInt64.self),
            low: bytes.littleEndian(at: 40, as: UInt64.self))
        previousChain = bytes.littleEndian(at: 48, as: UInt32.self)
        payloadChecksum = bytes.littleEndian(at: 52, as: UInt32.self)
        parts = bytes.littleEndian(at: 56, as: UInt16.self)
        checksum = sum
        let payload = UnsafeRawBufferPointer(rebasing: bytes[Self.headerLength...])
        guard payload.count == Int(payloadLength), CRC32C.checksum(payload) == payloadChecksum,
            commits > 0, firstSeq > 0, firstSeq < LogFormat.largestSeq
        else { return nil }
    }

    /// Writes the header to the 64 bytes of `target`, and keeps its checksum.
    mutating func write(to target: UnsafeMutableRawBufferPointer) {
        target.store(Self.magic, at: 0)
        target.store(format, at: 4)
        target.store(flags, at: 6)
        target.store(firstSeq, at: 8)
        target.store(commits, at: 16)
        target.store(payloadLength, at: 20)
        target.store(term, at: 24)
        target.store(id.high, at: 32)
        target.store(id.low, at: 40)
        target.store(previousChain, at: 48)
        target.store(payloadChecksum, at: 52)
        target.store(parts, at: 56)
        target.store(UInt16(0), at: 58)
        checksum = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: target[..<60]))
        target.store(checksum, at: 60)
    }

    /// Of its last commit.
    var lastSeq: UInt64 { firstSeq + UInt64(commits) - 1 }

    /// That of the log up to this frame, which was written or read.
    func chain(of cluster: StoreID) -> UInt32 {
        let words = [
            previousChain.littleEndian, checksum.littleEndian, payloadChecksum.littleEndian,
        ]
        return words.withUnsafeBytes { CRC32C.checksum($0, continuing: Self.seed(of: cluster)) }
    }

    /// The chain of a log without a frame.
    static func seed(of cluster: StoreID) -> UInt32 {
        [cluster.high.littleEndian, cluster.low.littleEndian].withUnsafeBytes {
            CRC32C.checksum($0)
        }
    }
}
