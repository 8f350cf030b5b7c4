import FreshetBase
import Glibc

/// Takes what a `LogReader` finds, in log order.
protocol LogVisitor: AnyObject {
    /// Takes a verified frame.
    ///
    /// - Returns: What is wrong with its payload, nil where nothing is.
    func visit(_ frame: Frame) -> String?
    /// Called after each segment.
    func progress(bytesRead: Int, bytesTotal: Int)
}

/// What stands behind the last good frame and was never acknowledged.
package struct TornTail: Equatable, Sendable {
    package let file: String
    package let offset: Int
    /// Up to the last byte that is not zero.
    package let count: Int
}

/// One segment as it was read.
struct SegmentSummary: Equatable {
    let name: String
    let header: SegmentHeader
    var end: Int
    var frames: Int
    var lastSeq: UInt64
    var isSealed: Bool
    /// Crc of the header crcs of its frames.
    var rolling: UInt32 = 0

    /// What a walk has come to.
    init(_ header: SegmentHeader, _ scan: SegmentScan) {
        name = LogFormat.segmentName(header.firstSeq)
        self.header = header
        end = scan.position
        frames = scan.frameCount
        lastSeq = scan.lastSeq
        isSealed = scan.sealed
        rolling = scan.rolling
    }
}

/// Where a log is read from, and what is known of it from elsewhere.
struct LogStart {
    /// The seq of the snapshot before it, nil where it is read from its beginning.
    var snapshotSeq: UInt64?
    /// Segments from this seq on are left to somebody else.
    var end = UInt64.max
    /// The highest seq that a manifest knows to be durable, and the segment of then.
    var durableSeq: UInt64 = 0
    var activeSegment: UInt64 = 0
    /// Segments that a manifest knows the end of, by first seq.
    var finished: [UInt64: Manifest.Segment] = [:]
    /// Of the snapshot, where it is a replica's and known.
    var position: ClusterPosition?

    /// Behind a snapshot, with the ends of segments that a generation knows.
    init(behind snapshot: Manifest.Snapshot?, _ manifests: [Manifest] = []) {
        snapshotSeq = snapshot?.seq
        for segment in manifests.flatMap(\.segments) where segment.isFinished {
            finished[segment.firstSeq] = segment
        }
    }
}

/// All that a reader learns of a log.
struct LogSummary {
    var segments: [SegmentSummary] = []
    var lastSeq: UInt64 = 0
    var durableSeq: UInt64 = 0
    /// What a witness beside the log says of durableSeq.
    var witnessedSeq: UInt64 = 0
    var epoch: Epoch?
    /// Of the epoch that is in force at its end.
    var traits = EpochTraits()
    /// What a replica's log ends with.
    var position: ClusterPosition?
    /// The log ends with the mark of a clean close, or has never been written to.
    var endsClean = false
    var torn: TornTail?
    var damages: [LogDamage] = []
    var bytes = 0
    /// How the active segment goes on; nil where a new one is due.
    var tail: LogTail?
    /// The header of the segment whose name the one that is due has again.
    private(set) var renewed: SegmentHeader?

    /// The seq to be given next: the name of a segment that is due is a new one.
    var nextSeq: UInt64 {
        let last = tail == nil ? segments.last?.header.firstSeq ?? 0 : 0
        return max(lastSeq, last) + 1
    }

    /// Has a segment that was torn before its first commit made anew by its name. Of a replica alone: a seq
    /// is the shared log's, so that none can be passed over, and what was torn is still there.
    mutating func renewEmptyEnd() {
        guard tail == nil, torn != nil, let last = segments.last,
            lastSeq < last.header.firstSeq
        else { return }
        segments.removeLast()
        renewed = last.header
    }
}

/// Where the next frame of a segment goes.
struct LogTail: Equatable {
    var firstSeq: UInt64
    var offset: Int
    var nextChain: UInt32
    var frames: Int
    var rolling: UInt32
    var size: Int

    /// Behind the last frame of a walk.
    init(_ firstSeq: UInt64, _ scan: SegmentScan, size: Int) {
        self.firstSeq = firstSeq
        offset = scan.position
        nextChain = scan.nextChain
        frames = scan.frameCount
        rolling = scan.rolling
        self.size = size
    }
}

/// Reads the segments of a directory in order, from the beginning or from a snapshot on. Writes
/// nothing.
struct LogReader {
    let source: StoreFiles
    /// Sync and reread the last segment from the disk, not from memory: what a sync that failed
    /// in an earlier process left in the kernel's cache is not on the disk.
    var settlesTail = false

    private var files: any FileSystem { source.files }

    /// More than any segment holds: one that ends with the largest frame.
    static let maximumSegment = LogFormat.segmentLength + LogFormat.maximumPayload + (8 << 20)

    func read(
        _ start: LogStart, into visitor: any LogVisitor
    ) throws(SystemFault) -> LogSummary {
        let first = start.snapshotSeq.map { $0 + 1 }
        let firstSeqs = try source.segments().filter { $0 >= first ?? 0 }
        var summary = LogSummary()
        summary.lastSeq = start.snapshotSeq ?? 0
        summary.durableSeq = summary.lastSeq
        summary.witnessedSeq = start.durableSeq
        summary.position = start.position
        guard !firstSeqs.isEmpty, first == nil || firstSeqs.first == first else {
            damage(
                &summary, file: LogFormat.segmentName(first ?? 1), offset: 0,
                through: max(start.durableSeq, firstSeqs.last.map { $0 - 1 } ?? 0),
                finding: first == nil
                    ? "the log is missing" : "the segment behind the snapshot is missing")
            return summary
        }
        var sizes: [Int] = []
        let due = firstSeqs.prefix { $0 < start.end }
        for firstSeq in due { sizes.append(try size(of: firstSeq)) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(sizes.max() ?? 0, LogFormat.segmentHeaderLength), alignment: 1 << 21)
        defer { buffer.deallocate() }
        // In pages of 2 MiB where there are such: faults of small ones took a third of a scan. It
        // is advice, and does no harm where it is not taken.
        madvise(buffer.baseAddress, buffer.count, MADV_HUGEPAGE)
        let total = sizes.reduce(0, +)
        var readBytes = 0
        for (index, firstSeq) in due.enumerated() {
            let isLast = index == firstSeqs.count - 1
            let found = try load(firstSeq, settling: isLast && settlesTail, into: buffer)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<found.count])
            let successor =
                isLast ? nil : try source.header(ofSegment: firstSeqs[index + 1], .report)
            let goesOn = readSegment(
                firstSeq, whole: bytes, fault: found.fault, isLast: isLast, successor: successor,
                start: start,
                into: visitor,
                summary: &summary)
            readBytes += sizes[index]
            visitor.progress(bytesRead: readBytes, bytesTotal: total)
            if goesOn { continue }
            if !isLast, successor == nil {
                // What this one lacks is what the next one would have said of it.
                let next = firstSeqs[index + 1]
                let found = try load(next, settling: false, into: buffer)
                let known = SegmentScan.highestDurableSeq(
                    in: UnsafeRawBufferPointer(rebasing: buffer[..<found.count]), from: 0,
                    seed: source.seed(ofSegment: next))
                damage(
                    &summary, file: LogFormat.segmentName(next), offset: 0,
                    through: max(summary.durableSeq, start.durableSeq, known),
                    finding: found.fault?.finding ?? "the segment's header is damaged")
            }
            break
        }
        // Each that was named had its name synced before, be there a commit in it or not.
        let isMissing = start.activeSegment > firstSeqs.last ?? 0
        if summary.damages.isEmpty, isMissing || start.durableSeq > summary.lastSeq {
            // What is left is sound; what was behind it is gone.
            let last = summary.segments.last
            damage(
                &summary,
                file: LogFormat.segmentName(
                    isMissing ? start.activeSegment : last?.header.firstSeq ?? 1),
                offset: isMissing ? 0 : last?.end ?? 0, through: start.durableSeq,
                finding: isMissing ? "the segment is missing" : "the end of the log is missing")
        }
        return summary
    }

    /// - Parameter fault: Why `whole` has zeros in the place of some bytes, or is empty.
    /// - Returns: false where what follows cannot be joined to what was read.
    private func readSegment(
        _ firstSeq: UInt64, whole: UnsafeRawBufferPointer, fault: SystemFault?, isLast: Bool,
        successor: SegmentHeader?, start: LogStart, into visitor: any LogVisitor,
        summary: inout LogSummary
    ) -> Bool {
        let name = LogFormat.segmentName(firstSeq)
        guard let header = source.header(ofSegment: firstSeq, in: whole),
            header.major == LogFormat.major
        else {
            let seed = source.seed(ofSegment: firstSeq)
            let known = max(
                summary.durableSeq, successor?.predecessorSeq ?? (isLast ? start.durableSeq : 0),
                SegmentScan.highestDurableSeq(in: whole, from: 0, seed: seed))
            damage(
                &summary, file: name, offset: 0, through: known,
                finding: fault?.finding ?? "the segment's header is damaged")
            return false
        }
        guard joins(header, to: summary, start) else {
            let missing = max(header.predecessorSeq, summary.lastSeq)
            guard header.predecessor > 0 else {
                damage(
                    &summary, file: SnapshotFormat.name(header.firstSeq - 1), offset: 0,
                    through: max(missing, header.firstSeq - 1),
                    finding: "\(name) begins behind this snapshot, which is missing or damaged")
                return false
            }
            damage(
                &summary, file: LogFormat.segmentName(header.predecessor), offset: 0,
                through: missing,
                finding: "\(name) does not follow \(summary.segments.last?.name ?? "nothing"): "
                    + "a segment is missing or damaged")
            return false
        }
        // A successor that does not name this one is reported when it is read.
        let follows = successor?.predecessor == firstSeq
        let limit = follows ? Int(clamping: successor?.predecessorEnd ?? 0) : whole.count
        let bytes = UnsafeRawBufferPointer(rebasing: whole[..<min(limit, whole.count)])
        var scan = SegmentScan(
            bytes: bytes, header: header, lastSeq: max(summary.lastSeq, firstSeq - 1),
            durableSeq: summary.durableSeq)
        let isSound = readFrames(&scan, name, into: visitor, &summary)
        summary.segments.append(SegmentSummary(header, scan))
        summary.bytes += scan.position
        summary.endsClean = scan.endsClean
        let previousSeq = summary.lastSeq
        if scan.frameCount > 0 { summary.lastSeq = max(previousSeq, scan.lastSeq) }
        summary.durableSeq = scan.durableSeq
        guard isSound else { return false }
        if let known = start.finished[firstSeq],
            known.length != scan.position || known.checksum != scan.rolling
                || known.lastSeq != scan.lastSeq
        {
            damage(
                &summary, file: name, offset: min(known.length, scan.position),
                through: known.lastSeq,
                finding: fault?.finding ?? "the segment is not the one that the manifest names")
            return false
        }
        if isLast {
            return judgeTail(
                scan, name: name, firstSeq: firstSeq, size: whole.count, fault: fault,
                summary: &summary)
        }
        if follows, let successor {
            guard scan.position == limit, scan.lastSeq == successor.predecessorSeq else {
                damage(
                    &summary, file: name, offset: scan.position, through: successor.predecessorSeq,
                    finding: fault?.finding ?? "a frame of a finished segment is damaged")
                return false
            }
            return true
        }
        if !scan.sealed {
            damage(
                &summary, file: name, offset: scan.position, through: scan.durableSeq,
                finding: fault?.finding ?? "the segment has no end that its successor confirms")
            return false
        }
        return true
    }

    private func joins(
        _ header: SegmentHeader, to summary: LogSummary, _ start: LogStart
    ) -> Bool {
        guard let last = summary.segments.last else {
            // What is made of a backup begins behind its snapshot, without a segment before it.
            guard let snapshot = start.snapshotSeq else {
                return header.predecessor == 0 && header.firstSeq == 1
            }
            return header.predecessorSeq <= snapshot
        }
        return header.predecessor == last.header.firstSeq
            && header.predecessorEnd == UInt64(last.end)
            && header.predecessorSeq == last.lastSeq
    }

    /// - Returns: false where a payload is no such thing although its checksum is right.
    private func readFrames(
        _ scan: inout SegmentScan, _ name: String, into visitor: any LogVisitor,
        _ summary: inout LogSummary
    ) -> Bool {
        while let frame = scan.next() {
            let known = FrameType(rawValue: frame.header.type)
            var finding: String?
            switch known {
            case .commits where frame.header.flags.contains(.deflate), .schema, nil:
                if !frame.header.flags.contains(.ignorable) {
                    finding = "a frame of a kind that this version does not know"
                }
            case .epoch:
                finding = readEpoch(frame.payload, &summary)
            case .commits:
                finding = visitor.visit(frame)
            case .shared:
                finding =
                    summary.position == nil
                    ? "a frame of a shared log that is not known"
                    : summary.position?.follow(frame) ?? visitor.visit(frame)
            case .mark, .seal:
                break
            }
            if let finding {
                let last = max(frame.lastSeq, frame.header.firstSeq)
                summary.damages.append(
                    LogDamage(
                        file: name, offset: frame.offset, lost: frame.header.firstSeq...last,
                        finding: finding))
                return false
            }
        }
        return true
    }

    /// - Returns: What is wrong with it.
    private func readEpoch(
        _ payload: UnsafeRawBufferPointer, _ summary: inout LogSummary
    ) -> String? {
        guard payload.count == 16 || payload.count == 16 + ClusterPosition.length else {
            return "an epoch of a wrong length"
        }
        summary.epoch = Epoch(value: payload.littleEndian(at: 0, as: UInt64.self))
        summary.traits = EpochTraits(rawValue: payload.littleEndian(at: 8, as: UInt64.self))
        guard payload.count > 16 else { return nil }
        let position = ClusterPosition(payload, at: 16)
        defer { summary.position = position }
        return position == summary.position ?? position
            ? nil : "the shared log is another one than before"
    }

    private func judgeTail(
        _ scan: SegmentScan, name: String, firstSeq: UInt64, size: Int,
        fault: SystemFault?, summary: inout LogSummary
    ) -> Bool {
        let end = scan.end(known: summary.witnessedSeq)
        if let fault, end != .sealed {
            // There may be frames where it cannot be read: nobody knows where the log ends.
            var through = max(scan.durableSeq, summary.witnessedSeq)
            if case .damaged(let known) = end { through = known }
            damage(
                &summary, file: name, offset: scan.position, through: through,
                finding: fault.finding)
            return false
        }
        switch end {
        case .sealed:
            break
        case .clean:
            // Every segment is born with a frame, so one without has lost it.
            guard scan.frameCount > 0 else {
                damage(
                    &summary, file: name, offset: scan.position, through: 0,
                    finding: "the first frame is damaged")
                return false
            }
            summary.tail = LogTail(firstSeq, scan, size: size)
        case .torn:
            guard scan.frameCount > 0 else {
                damage(
                    &summary, file: name, offset: scan.position, through: 0,
                    finding: "the first frame is damaged")
                return false
            }
            summary.endsClean = false
            summary.torn = TornTail(
                file: name, offset: scan.position, count: scan.usedEnd - scan.position)
        case .damaged(let through):
            damage(
                &summary, file: name, offset: scan.position, through: through,
                finding: "a frame is damaged")
            return false
        }
        return true
    }

    private func damage(
        _ summary: inout LogSummary, file: String, offset: Int, through: UInt64,
        finding: String
    ) {
        let first = summary.lastSeq + 1
        summary.damages.append(
            LogDamage(
                file: file, offset: offset, lost: through >= first ? first...through : nil,
                finding: finding))
    }

    // MARK: Files

    private func size(of firstSeq: UInt64) throws(SystemFault) -> Int {
        let name = LogFormat.segmentName(firstSeq)
        do throws(SystemFault) {
            let file = try files.open(name, in: source.directory, .read)
            defer { files.close(file) }
            return min(try files.size(file), Self.maximumSegment)
        } catch {
            if error.isLoss { return 0 }
            throw error.named(name)
        }
    }

    /// Reads a segment as far as the disk gives it; where its name is no file's, nothing.
    private func load(
        _ firstSeq: UInt64, settling: Bool, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemFault) -> StoreFiles.Bytes {
        let name = LogFormat.segmentName(firstSeq)
        let file: FileHandle
        do throws(SystemFault) {
            file = try files.open(name, in: source.directory, settling ? .update : .read)
        } catch {
            if error.isLoss { return StoreFiles.Bytes(count: 0, fault: error) }
            throw error
        }
        defer { files.close(file) }
        if settling {
            do throws(SystemFault) { try files.syncData(file) } catch { throw error.named(name) }
            files.dropCache(file)
        }
        return try source.read(file, name, into: buffer, .report)
    }
}
