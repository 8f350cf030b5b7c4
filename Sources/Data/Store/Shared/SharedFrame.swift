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
struct SharedFrame: FileHeader, Equatable, Sendable {
    static let magic = "FRS1"
    static let length = 64
    /// Of the frames that this version writes, and the highest that it reads.
    static let format: UInt16 = 1

    private(set) var format = Self.format
    private var flags: UInt16 = 0
    private(set) var firstSeq: UInt64 = 0
    private(set) var commits: UInt32 = 0
    private var payloadLength: UInt32 = 0
    private(set) var term: UInt64 = 0
    private(set) var id = StoreID(high: 0, low: 0)
    private(set) var previousChain: UInt32 = 0
    private var payloadChecksum: UInt32 = 0
    /// Records that it is put in: this one, and further ones behind it.
    private(set) var parts: UInt16 = 1
    /// Of the header itself; 0 before it was written.
    private var checksum: UInt32 = 0

    init() {}

    /// - Parameter format: That which the log's head says to be used.
    init(
        firstSeq: UInt64, commits: Int, term: UInt64, id: StoreID, behind chain: UInt32,
        payload: UnsafeRawBufferPointer, recordLimit: Int = .max, format: UInt16 = Self.format
    ) {
        self.format = format
        self.firstSeq = firstSeq
        self.commits = UInt32(commits)
        payloadLength = UInt32(payload.count)
        self.term = term
        self.id = id
        previousChain = chain
        payloadChecksum = CRC32C.checksum(payload)
        parts = UInt16((payload.count + Self.length - 1) / recordLimit + 1)
    }

    mutating func layout(_ fields: inout HeaderFields) {
        fields.number(&format, at: 4)
        fields.number(&flags, at: 6)
        fields.number(&firstSeq, at: 8)
        fields.number(&commits, at: 16)
        fields.number(&payloadLength, at: 20)
        fields.number(&term, at: 24)
        fields.store(&id, at: 32)
        fields.number(&previousChain, at: 48)
        fields.number(&payloadChecksum, at: 52)
        fields.number(&parts, at: 56)
        fields.checksum(&checksum)
    }

    /// The frame that `bytes` are, header and payload; nil where either does not verify.
    static func read(_ bytes: UnsafeRawBufferPointer) -> SharedFrame? {
        guard let frame = SharedFrame(verifying: bytes) else { return nil }
        let payload = payload(of: bytes)
        guard payload.count == Int(frame.payloadLength),
            CRC32C.checksum(payload) == frame.payloadChecksum, frame.commits > 0,
            frame.firstSeq > 0, frame.firstSeq < LogFormat.largestSeq,
            // As its own log takes them.
            payload.count % 8 == 0, bytes.count <= LogFormat.maximumPayload
        else { return nil }
        return frame
    }

    /// The records that `bytes`, a whole frame, are put in; the first one is its place in the log.
    func records(_ bytes: [UInt8], limit: Int) -> [LogRecord] {
        guard parts > 1 else { return [LogRecord(seq: firstSeq, bytes: bytes)] }
        return (0..<Int(parts)).map { number in
            let start = number * limit
            return LogRecord(
                seq: firstSeq,
                part: number == 0 ? nil : .init(record: id.description, number: number),
                bytes: Array(bytes[start..<min(start + limit, bytes.count)]))
        }
    }

    /// The whole frame whose first record is `first`; nil where `records`, which stand behind it,
    /// lack a part of it. Those of others that were never finished may be among them.
    static func whole(_ first: LogRecord, _ records: [LogRecord]) -> [UInt8]? {
        // What is no frame is told by whoever reads it.
        guard let frame = SharedFrame(verifying: first.bytes), frame.parts > 1 else {
            return first.bytes
        }
        var bytes = first.bytes
        let name = frame.id.description
        for number in 1..<Int(frame.parts) {
            let part = LogRecord.Part(record: name, number: number)
            guard let found = records.first(where: { $0.seq == first.seq && $0.part == part })
            else { return nil }
            bytes += found.bytes
        }
        return bytes
    }

    static func payload(of bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes.dropFirst(length))
    }

    /// Writes the header to the first bytes of `target`, and keeps its checksum.
    mutating func write(to target: UnsafeMutableRawBufferPointer) {
        let header = encoded()
        checksum = HeaderFields.checksum(of: header)
        target.copyBytes(from: header)
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
