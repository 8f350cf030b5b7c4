import FreshetBase

/// One frame that verified.
struct Frame {
    let offset: Int
    let header: FrameHeader
    /// Inside the segment's bytes.
    let payload: UnsafeRawBufferPointer

    var end: Int { offset + LogFormat.frameHeaderLength + payload.count }
    /// The highest seq that is known given once this frame is read.
    var lastSeq: UInt64 {
        header.firstSeq &+ UInt64(header.commitCount) &- 1
    }
}

/// What ended the frames of a segment.
enum SegmentEnd: Equatable {
    /// A seal that agrees with what was read.
    case sealed
    /// Zeros up to the end of the file.
    case clean
    /// Bytes that are no frame, and nothing says that they were ever acknowledged.
    case torn
    /// Bytes that should be frames: `through` is the highest seq known to have been synced.
    case damaged(through: UInt64)
}

/// A walk over one segment's bytes: pure, no file, no state beyond it.
///
/// The tail rule (storage.md section 4). At the first frame that does not verify, at offset X with
/// L the last good seq:
///  1. zeros to the end: the end.
///  2. otherwise every 8-aligned position behind X is tried as a header of this store and segment.
///     D is the highest durableSeq of all good frames, of those headers, and of what the caller
///     knows (other segments).
///  3. D > L: a frame that was synced cannot be read, which is damage.
///  4. else the tail is torn: written and never synced, so never acknowledged. A later frame that
///     reached the disk before an earlier one of the same unsynced stretch has a durableSeq ≤ L,
///     so the order in which the kernel wrote cannot fool this rule.
struct SegmentScan {
    let bytes: UnsafeRawBufferPointer
    let seed: SegmentSeed
    /// Offset behind the last good frame.
    private(set) var position = LogFormat.segmentHeaderLength
    /// The last good seq: L.
    private(set) var lastSeq: UInt64
    /// The highest durableSeq seen: D, as far as it is known.
    private(set) var durableSeq: UInt64
    private(set) var frameCount = 0
    /// What the next frame's `chain` must be.
    private(set) var nextChain: UInt32
    /// Checksum of all header checksums so far, as a seal has it.
    private(set) var rolling: UInt32 = 0
    private(set) var sealed = false
    /// The last frame was a mark of a clean close.
    private(set) var endsClean = false

    /// - Parameters:
    ///   - header: The segment's header, verified by the caller.
    ///   - lastSeq: The last seq of the segments before.
    ///   - durableSeq: The highest durableSeq that is known from them.
    init(bytes: UnsafeRawBufferPointer, header: SegmentHeader, lastSeq: UInt64, durableSeq: UInt64)
    {
        self.bytes = bytes
        self.lastSeq = lastSeq
        self.durableSeq = max(durableSeq, header.durableSeq)
        seed = SegmentSeed(store: header.store, firstSeq: header.firstSeq)
        nextChain = seed.chain(payload: 0, header: header.checksum)
    }

    /// The next frame, nil at the first that does not verify and behind a seal.
    mutating func next() -> Frame? {
        guard !sealed, let header = FrameHeader(verifying: bytes, at: position, seed: seed),
            header.chain == nextChain, header.payloadLength <= LogFormat.maximumPayload,
            header.payloadLength % 8 == 0,
            Int(header.payloadLength) <= bytes.count - position - LogFormat.frameHeaderLength
        else { return nil }
        let start = position + LogFormat.frameHeaderLength
        let payload = UnsafeRawBufferPointer(
            rebasing: bytes[start..<start + Int(header.payloadLength)])
        guard CRC32C.checksum(payload) == header.payloadChecksum,
            header.firstSeq > lastSeq, header.firstSeq < .max - UInt64(header.commitCount)
        else { return nil }
        if header.type == FrameType.seal.rawValue && !agrees(seal: payload) { return nil }
        let frame = Frame(offset: position, header: header, payload: payload)
        position = frame.end
        lastSeq = max(lastSeq, frame.lastSeq)
        durableSeq = max(durableSeq, header.durableSeq)
        frameCount += 1
        nextChain = seed.chain(payload: header.payloadChecksum, header: header.headerChecksum)
        rolling = Self.roll(rolling, header.headerChecksum)
        sealed = header.type == FrameType.seal.rawValue
        endsClean = header.type == FrameType.mark.rawValue && header.flags.contains(.clean)
        return frame
    }

    private func agrees(seal: UnsafeRawBufferPointer) -> Bool {
        seal.count == 24
            && seal.littleEndian(at: 0, as: UInt64.self) == UInt64(frameCount)
            && seal.littleEndian(at: 8, as: UInt64.self) == UInt64(position)
            && seal.littleEndian(at: 16, as: UInt32.self) == rolling
    }

    static func roll(_ rolling: UInt32, _ headerChecksum: UInt32) -> UInt32 {
        withUnsafeBytes(of: headerChecksum.littleEndian) {
            CRC32C.checksum($0, continuing: rolling)
        }
    }

    /// Judges what stands at `position`, after `next()` gave nil.
    ///
    /// - Parameter known: A durableSeq that is known from elsewhere.
    /// - Complexity: O(bytes left), and a checksum of 40 bytes for each magic found in them.
    func end(known: UInt64 = 0) -> SegmentEnd {
        if sealed { return .sealed }
        if Self.isZero(bytes, from: position) {
            return known > lastSeq ? .damaged(through: known) : .clean
        }
        let durable = max(
            durableSeq, known, Self.highestDurableSeq(in: bytes, from: position, seed: seed))
        return durable > lastSeq ? .damaged(through: durable) : .torn
    }

    /// The highest durableSeq of all headers at 8-aligned offsets from `start`.
    static func highestDurableSeq(
        in bytes: UnsafeRawBufferPointer, from start: Int, seed: SegmentSeed
    ) -> UInt64 {
        var highest: UInt64 = 0
        var offset = (start + 7) & ~7
        while offset <= bytes.count - LogFormat.frameHeaderLength {
            if let header = FrameHeader(verifying: bytes, at: offset, seed: seed) {
                highest = max(highest, header.durableSeq)
            }
            offset += 8
        }
        return highest
    }

    static func isZero(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
        firstNonzero(bytes, from: start) == nil
    }

    private static func firstNonzero(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var offset = start
        while offset < bytes.count && offset % 8 != 0 {
            if bytes[offset] != 0 { return offset }
            offset += 1
        }
        while offset + 8 <= bytes.count {
            if bytes.littleEndian(at: offset, as: UInt64.self) != 0 { break }
            offset += 8
        }
        while offset < bytes.count {
            if bytes[offset] != 0 { return offset }
            offset += 1
        }
        return nil
    }

    /// Where the last byte that is not zero ends, `position` where all are.
    var usedEnd: Int {
        var end = bytes.count
        while end > position && bytes[end - 1] == 0 { end -= 1 }
        return end
    }
}
