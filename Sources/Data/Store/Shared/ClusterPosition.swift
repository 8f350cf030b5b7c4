import FreshetBase

/// Where the log of a cluster is: which one, and the chain of all its frames up to here. With the seq
/// and the epoch, which stand beside it in files, that says whether a file and the log are of one
/// history.
struct ClusterPosition: Equatable, Sendable {
    var cluster: StoreID
    var chain: UInt32

    init(cluster: StoreID, chain: UInt32) {
        self.cluster = cluster
        self.chain = chain
    }

    /// As a header has it: zeros where there is none.
    init?(cluster: StoreID, orNone chain: UInt32) {
        guard cluster != StoreID() else { return nil }
        self.init(cluster: cluster, chain: chain)
    }

    /// Bytes behind the epoch and its traits in a frame that tells an epoch.
    static let length = 24

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(
            cluster: StoreID(
                high: bytes.littleEndian(at: offset, as: UInt64.self),
                low: bytes.littleEndian(at: offset + 8, as: UInt64.self)),
            chain: bytes.littleEndian(at: offset + 16, as: UInt32.self))
    }

    func append(to buffer: inout ByteBuffer) {
        buffer.append(littleEndian: cluster.high)
        buffer.append(littleEndian: cluster.low)
        buffer.append(littleEndian: chain)
        buffer.append(littleEndian: UInt32(0))
    }

    /// Goes on with a frame that a segment holds.
    ///
    /// - Returns: What is wrong with it, nil where it follows.
    mutating func follow(_ frame: Frame) -> String? {
        guard let shared = SharedFrame.read(frame.payload),
            shared.firstSeq == frame.header.firstSeq, shared.commits == frame.header.commitCount
        else { return "a frame of the shared log is damaged" }
        guard shared.previousChain == chain else {
            return "a frame of the shared log does not follow the one before"
        }
        chain = shared.chain(of: cluster)
        return nil
    }
}
