import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import Glibc

// # What can be proved of a damaged store
//
// A start demands that everything acknowledged is there and gives nothing otherwise. A salvage asks
// the other question: what of it can be proved, and what is lost.
//
//  1. The newest snapshot that is whole is the beginning: everything up to its seq is proved by it,
//     whatever has become of the log before it.
//  2. Of snapshots that are not whole, each block of entities is proved by its own two checksums,
//     which are seeded with the store, the snapshot and its header.
//  3. Of each segment, each frame is proved by its own two checksums. Where one does not verify, the
//     next that does is looked for, at every 8th byte; what is between them is lost.
//  4. Of all that is proved of an entity the newest counts, be it a set or a remove.
//
// A frame that stands behind a hole proves what it says, not what was said in the hole: an entity
// whose newest image is older than a lost commit may have been changed or removed by it. So the
// lost seqs are told, with files and offsets, and the entities that lost frames seem to hold.
//
// Seqs that no frame has are lost only where something is missing between two frames: where one
// follows the other in the chain, what is between their seqs was commits of types in memory.

/// A stretch of commits that cannot be read, or an entity that cannot be proved.
package struct SalvageLosses: Sendable {
    package struct Range: Sendable, Equatable {
        package let seqs: ClosedRange<UInt64>?
        package let file: String
        package let offset: Int
        package let bytes: Int
        package let finding: String
    }

    static let fileName = "lost.ndjson"

    package fileprivate(set) var ranges: [Range] = []
    /// Lines of entities that lost frames seem to hold.
    fileprivate(set) var entityLines: [[UInt8]] = []
    package fileprivate(set) var entities = 0

    /// More are counted and not kept.
    fileprivate static let maximumLines = 1_000_000

    package var isEmpty: Bool { ranges.isEmpty && entities == 0 }

    /// The file: a line for each stretch, then one for each entity.
    func encoded() -> [UInt8] {
        var body = ByteBuffer(capacity: 4_096)
        for range in ranges {
            body.append("{\"lost\":\"commits\",\"from\":")
            body.append(text: range.seqs.map { String($0.lowerBound) } ?? "null")
            body.append(",\"to\":")
            body.append(text: range.seqs.map { String($0.upperBound) } ?? "null")
            body.append(",\"file\":")
            body.append(jsonString: range.file)
            body.append(",\"offset\":")
            body.append(decimal: range.offset)
            body.append(",\"bytes\":")
            body.append(decimal: range.bytes)
            body.append(",\"finding\":")
            body.append(jsonString: range.finding)
            body.append("}\n")
        }
        for line in entityLines { body.append(line) }
        return [UInt8](body.bytes)
    }
}

/// Collects what a store's files prove. Writes nothing.
struct SalvageReader {
    let source: StoreFiles

    private(set) var losses = SalvageLosses()
    /// By the text of the id.
    private var types: [TypeName: [String: Proof]] = [:]
    /// The seq of the whole snapshot that it began with; 0 without.
    private var base: UInt64 = 0
    /// Every seq up to it is proved, or known as lost, or known as not in the log.
    private var covered: UInt64 = 0
    /// The highest seq that was certainly acknowledged.
    private var durableSeq: UInt64 = 0
    private(set) var lastTime: Int64 = 0
    private(set) var frames = 0
    private(set) var snapshotSeq: UInt64?

    private struct Proof {
        var seq: UInt64
        var document: Document?
    }

    init(_ source: StoreFiles) {
        self.source = source
    }

    /// The seq that the salvaged store stands at.
    var seq: UInt64 { max(base, covered, durableSeq) }

    /// Reads everything there is.
    mutating func read(progress: (RecoveryProgress) -> Void) throws(SystemFault) {
        let manifests = try source.manifests(passingOver: \.isNoFile)
        for entry in manifests {
            guard let manifest = entry.manifest else {
                let finding = entry.isUnread ? "cannot be read" : "is damaged"
                lose(
                    nil, file: Manifest.name(entry.number), offset: 0, bytes: 0,
                    finding: "the manifest \(finding)")
                continue
            }
            durableSeq = max(durableSeq, manifest.durableSeq, manifest.snapshot?.seq ?? 0)
        }
        try readSnapshots(source.snapshots())
        covered = base
        let segments = try source.segments()
        for (index, firstSeq) in segments.enumerated() {
            try readSegment(
                firstSeq, successor: index + 1 < segments.count ? segments[index + 1] : nil)
            progress(
                RecoveryProgress(
                    phase: .segments, bytesRead: index + 1, bytesTotal: segments.count,
                    commits: frames))
        }
        let known = try source.newestKnownSegment(manifests.compactMap(\.manifest))
        if known > segments.last ?? 0 {
            lose(
                nil, file: LogFormat.segmentName(known), offset: 0, bytes: 0,
                finding: "the segment is missing")
        }
        if durableSeq > covered {
            let last = segments.last.map(LogFormat.segmentName) ?? LogFormat.segmentName(1)
            lose(
                covered + 1...durableSeq, file: last, offset: 0, bytes: 0,
                finding: "the end of the log is missing")
            covered = durableSeq
        }
    }

    /// The tables of all that is proved. Takes it away from here.
    mutating func tables() -> [(name: TypeName, table: Table)] {
        defer { types = [:] }
        return types.map { name, proofs in
            (name, Table(loading: proofs.values.compactMap(\.document)))
        }.filter { $0.1.count > 0 }
    }

    // MARK: Evidence

    private mutating func take(
        _ type: TypeName, id: String, seq: UInt64, document: Document?
    ) {
        if let known = types[type]?[id], known.seq > seq { return }
        types[type, default: [:]][id] = Proof(seq: seq, document: document)
    }

    private mutating func take(_ type: TypeName, _ document: Document) {
        let id = String(decoding: document.idBytes, as: UTF8.self)
        take(type, id: id, seq: document.revision, document: document)
    }

    private mutating func lose(
        _ seqs: ClosedRange<UInt64>?, file: String, offset: Int, bytes: Int,
        finding: String
    ) {
        losses.ranges.append(
            SalvageLosses.Range(
                seqs: seqs, file: file, offset: offset, bytes: bytes, finding: finding))
    }

    /// Says of an entity that it may have been there.
    private mutating func loseEntity(
        type: UnsafeRawBufferPointer?, id: String?, seq: UInt64, _ entity: UnsafeRawBufferPointer
    ) {
        losses.entities += 1
        guard losses.entityLines.count < SalvageLosses.maximumLines else { return }
        var line = ByteBuffer(capacity: 256 + entity.count)
        line.append("{\"lost\":\"entity\",\"type\":")
        if let type {
            line.append(jsonString: String(decoding: type, as: UTF8.self))
        } else {
            line.append("null")
        }
        line.append(",\"id\":")
        if let id { line.append(jsonString: id) } else { line.append("null") }
        line.append(",\"revision\":")
        line.append(decimal: seq)
        line.append(",\"entity\":")
        if entity.isEmpty { line.append("null") } else { line.append(entity) }
        line.append("}\n")
        losses.entityLines.append([UInt8](line.bytes))
    }

    // MARK: Snapshots

    private mutating func readSnapshots(_ seqs: [UInt64]) throws(SystemFault) {
        var broken: [(seq: UInt64, damage: LogDamage)] = []
        for seq in seqs {
            do throws(SnapshotFault) {
                let loaded = try source.snapshot(seq).load(threads: 1)
                base = seq
                snapshotSeq = seq
                lastTime = max(lastTime, loaded.header.lastTime)
                for (name, table) in loaded.tables {
                    table.view(seq: seq).forEach { take(name, $0) }
                }
                break
            } catch {
                switch error {
                case .damaged(let damage): broken.append((seq, damage))
                case .system(let fault): throw fault
                }
            }
        }
        for (seq, damage) in broken {
            // Where it is no file, that is told instead.
            guard let bytes = try contents(damage.file) else { continue }
            lose(nil, file: damage.file, offset: damage.offset, bytes: 0, finding: damage.finding)
            readParts(of: seq, bytes)
        }
    }

    /// The blocks of a snapshot that verify by themselves.
    private mutating func readParts(of seq: UInt64, _ bytes: [UInt8]) {
        guard bytes.count > SnapshotFormat.headerLength else { return }
        bytes.withUnsafeBytes { whole in
            // The seed needs the header's checksum, whatever else of the header is damaged.
            let header = SnapshotHeader(
                store: source.store, seq: seq,
                checksum: whole.littleEndian(at: 124, as: UInt32.self))
            if let known = SnapshotHeader(verifying: whole), known.store == source.store,
                known.seq == seq
            {
                // Its name alone would prove nothing.
                durableSeq = max(durableSeq, seq)
                lastTime = max(lastTime, known.lastTime)
            }
            let seed = header.seed
            var blocks: [(block: SnapshotBlock, payload: UnsafeRawBufferPointer)] = []
            var offset = SnapshotFormat.headerLength
            while offset + SnapshotFormat.blockHeaderLength <= whole.count {
                let start = offset + SnapshotFormat.blockHeaderLength
                guard let block = SnapshotBlock(verifying: whole, at: offset, seed: seed),
                    Int(block.payloadLength) <= whole.count - start
                else {
                    offset += 8
                    continue
                }
                let end = start + Int(block.payloadLength)
                let payload = UnsafeRawBufferPointer(rebasing: whole[start..<end])
                if CRC32C.checksum(payload) == block.payloadChecksum {
                    blocks.append((block, payload))
                }
                offset = end
            }
            // Each bears the store's id, the seq and the checksum of the header.
            if !blocks.isEmpty { durableSeq = max(durableSeq, seq) }
            var names: [UInt32: TypeName] = [:]
            for (block, payload) in blocks where block.type == SnapshotBlockType.section.rawValue {
                let head = SnapshotFormat.sectionHeadLength
                guard payload.count >= head else { continue }
                let length = Int(payload.littleEndian(at: 8, as: UInt16.self))
                guard payload.count - head >= length else { continue }
                names[block.section] = TypeName(
                    stored: UnsafeRawBufferPointer(rebasing: payload[head..<head + length]))
            }
            for (block, payload) in blocks where block.type == SnapshotBlockType.entities.rawValue {
                takeEntities(block, in: payload, of: names[block.section])
            }
        }
    }

    private mutating func takeEntities(
        _ block: SnapshotBlock, in payload: UnsafeRawBufferPointer, of name: TypeName?
    ) {
        let head = SnapshotFormat.entityHeadLength
        var builder = DocumentBuilder()
        var position = 0
        for _ in 0..<block.entities {
            guard payload.count - position >= head else { return }
            let revision = payload.littleEndian(at: position, as: UInt64.self)
            let length = Int(payload.littleEndian(at: position + 8, as: UInt32.self))
            let checksum = payload.littleEndian(at: position + 12, as: UInt32.self)
            let flags = payload[position + 16]
            position += head
            guard payload.count - position >= length, flags & ~SnapshotEntityFlags.known == 0 else {
                return
            }
            let json = UnsafeRawBufferPointer(rebasing: payload[position..<position + length])
            position += length
            guard CRC32C.checksum(json) == checksum,
                let document = built(&builder, json: json, revision: revision, checksum: checksum)
            else { continue }
            SnapshotEntityFlags.apply(flags, to: document)
            if let name {
                if revision > base { take(name, document) }
            } else {
                loseEntity(type: nil, id: document.id.description, seq: revision, json)
            }
        }
    }

    private func built(
        _ builder: inout DocumentBuilder, json: UnsafeRawBufferPointer, revision: UInt64,
        checksum: UInt32
    ) -> Document? {
        do throws(DocumentFault) {
            return try builder.build(stored: json, revision: revision, checksum: checksum)
        } catch {
            return nil
        }
    }

    // MARK: The log

    private mutating func readSegment(
        _ firstSeq: UInt64, successor: UInt64?
    ) throws(SystemFault) {
        let name = LogFormat.segmentName(firstSeq)
        // What is longer is zeros, or no segment of any version.
        guard let bytes = try contents(name, atMost: LogReader.maximumSegment) else { return }
        var limit = bytes.count
        // Behind the end that the successor tells stands what was never acknowledged.
        if let successor, let header = try source.header(ofSegment: successor, .salvage),
            header.store == source.store, header.predecessor == firstSeq
        {
            limit = min(limit, Int(clamping: header.predecessorEnd))
        }
        bytes.withUnsafeBytes { whole in
            readFrames(name, from: firstSeq, in: UnsafeRawBufferPointer(rebasing: whole[..<limit]))
        }
    }

    private mutating func readFrames(
        _ name: String, from firstSeq: UInt64, in bytes: UnsafeRawBufferPointer
    ) {
        let seed = source.seed(ofSegment: firstSeq)
        // What the next frame's chain must be; nil where that is not known.
        var chain: UInt32?
        if let header = source.header(ofSegment: firstSeq, in: bytes) {
            durableSeq = max(durableSeq, header.durableSeq)
            chain = seed.chain(payload: 0, header: header.checksum)
            if header.predecessorSeq > covered {
                lose(
                    covered + 1...header.predecessorSeq,
                    file: LogFormat.segmentName(header.predecessor), offset: 0, bytes: 0,
                    finding: "the segment, or the end of it, is missing")
                covered = header.predecessorSeq
            }
            if header.predecessor == 0, firstSeq > covered + 1 {
                lose(
                    covered + 1...firstSeq - 1, file: SnapshotFormat.name(firstSeq - 1), offset: 0,
                    bytes: 0,
                    finding: "the snapshot that \(name) begins behind is missing or damaged")
                covered = firstSeq - 1
            }
        } else {
            lose(
                nil, file: name, offset: 0, bytes: LogFormat.segmentHeaderLength,
                finding: "the segment's header is damaged")
        }
        var position = LogFormat.segmentHeaderLength
        while position < bytes.count {
            guard let header = FrameHeader(verifying: bytes, at: position, seed: seed),
                Int(header.payloadLength) <= bytes.count - position - LogFormat.frameHeaderLength
            else {
                guard let next = hole(name, bytes: bytes, start: position, seed: seed) else {
                    return
                }
                position = next
                chain = nil
                continue
            }
            durableSeq = max(durableSeq, header.durableSeq)
            let start = position + LogFormat.frameHeaderLength
            let frame = Frame(
                offset: position, header: header,
                payload: UnsafeRawBufferPointer(
                    rebasing: bytes[start..<start + Int(header.payloadLength)]))
            let follows = chain == header.chain
            if CRC32C.checksum(frame.payload) == header.payloadChecksum {
                take(frame, follows: follows, name)
            } else {
                loseFrame(frame, follows: follows, name)
            }
            chain = seed.chain(payload: header.payloadChecksum, header: header.headerChecksum)
            position = frame.end
            if header.type == FrameType.seal.rawValue && follows { return }
        }
    }

    /// Looks for the next frame behind bytes that are none.
    ///
    /// - Returns: Where it begins; nil where there is none.
    private mutating func hole(
        _ name: String, bytes: UnsafeRawBufferPointer, start: Int, seed: SegmentSeed
    ) -> Int? {
        var offset = start + 8
        while offset + LogFormat.frameHeaderLength <= bytes.count {
            if bytes.littleEndian(at: offset, as: UInt32.self) == LogFormat.frameMagic,
                FrameHeader(verifying: bytes, at: offset, seed: seed) != nil
            {
                lose(
                    nil, file: name, offset: start, bytes: offset - start,
                    finding: "bytes that are no frame")
                return offset
            }
            offset += 8
        }
        if !SegmentScan.isZero(bytes, from: start) {
            lose(
                nil, file: name, offset: start, bytes: bytes.count - start,
                finding: "bytes that are no frame, up to the end")
        }
        return nil
    }

    private mutating func take(_ frame: Frame, follows: Bool, _ name: String) {
        frames += 1
        meet(frame.header.firstSeq, follows: follows, name, frame.offset)
        // One of no commits is none that a server writes.
        guard frame.holdsCommits, frame.header.firstSeq > 0, frame.header.commitCount > 0,
            frame.lastSeq >= covered || follows
        else { return }
        var builder = DocumentBuilder()
        // Commits that cannot be decoded although their checksum is right prove nothing.
        _ = frame.read { commit in
            lastTime = max(lastTime, commit.time)
        } entry: { commit, entry in
            if commit.seq > base, let type = TypeName(stored: entry.type) {
                take(entry, type: type, seq: commit.seq, builder: &builder)
            }
            return true
        }
        covered = max(covered, frame.lastSeq)
    }

    private mutating func take(
        _ entry: LoggedEntry, type: TypeName, seq: UInt64, builder: inout DocumentBuilder
    ) {
        guard entry.kind != .remove else {
            take(type, id: String(decoding: entry.id, as: UTF8.self), seq: seq, document: nil)
            return
        }
        guard
            let document = built(
                &builder, json: entry.entity, revision: seq, checksum: entry.checksum)
        else {
            return
        }
        if entry.kind == .setFetched { document.markFetched() }
        take(type, document)
    }

    /// A frame says what the next seq is: what is between is not in the log, or lost.
    private mutating func meet(
        _ firstSeq: UInt64, follows: Bool, _ name: String, _ offset: Int
    ) {
        guard firstSeq > covered + 1 else { return }
        if !follows {
            lose(
                covered + 1...firstSeq - 1, file: name, offset: offset, bytes: 0,
                finding: "the commits before this frame cannot be read")
        }
        covered = firstSeq - 1
    }

    /// A frame whose header is whole and whose commits are not.
    private mutating func loseFrame(_ frame: Frame, follows: Bool, _ name: String) {
        let header = frame.header
        meet(header.firstSeq, follows: follows, name, frame.offset)
        guard frame.holdsCommits, header.commitCount > 0 else {
            lose(
                nil, file: name, offset: frame.offset, bytes: frame.payload.count,
                finding: "a frame without commits is damaged")
            return
        }
        guard frame.lastSeq > covered else { return }
        let isAcknowledged = frame.lastSeq <= durableSeq
        lose(
            header.firstSeq...frame.lastSeq, file: name, offset: frame.offset,
            bytes: frame.end - frame.offset,
            finding: isAcknowledged
                ? "the commits are damaged" : "the commits are damaged or unfinished")
        covered = frame.lastSeq
        // As far as there are commits to be seen in it.
        _ = frame.read { commit, entry in
            if entry.kind == .remove || CRC32C.checksum(entry.entity) == entry.checksum {
                loseEntity(
                    type: entry.type, id: String(decoding: entry.id, as: UTF8.self),
                    seq: commit.seq, entry.entity)
            }
            return true
        }
    }

    // MARK: Files

    /// A longer file is read so far: half of this machine's memory, and 1 GiB at least.
    private static var largestFile: Int {
        max(1 << 30, sysconf(CInt(_SC_PHYS_PAGES)) / 2 * sysconf(CInt(_SC_PAGESIZE)))
    }

    /// All that the disk gives of a file; zeros in the place of what it cannot read.
    private mutating func contents(
        _ name: String, atMost limit: Int = Self.largestFile
    ) throws(SystemFault) -> [UInt8]? {
        let files = source.files
        let file: FileHandle
        do throws(SystemFault) {
            file = try files.open(name, in: source.directory, .read)
        } catch {
            // What may not be read, or not now, is not lost.
            guard error.isLoss else { throw error }
            lose(nil, file: name, offset: 0, bytes: 0, finding: "\(error)")
            return nil
        }
        defer { files.close(file) }
        let whole = try files.size(file)
        let size = min(whole, limit)
        if whole > size, limit > LogReader.maximumSegment {
            lose(
                nil, file: name, offset: size, bytes: whole - size,
                finding: "the file is too large for this machine's memory")
        }
        var bytes = [UInt8](repeating: 0, count: size)
        let found = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemFault) in
            try source.read(file, name, into: UnsafeMutableRawBufferPointer(bytes), .salvage)
        }
        for range in found.unread {
            lose(
                nil, file: name, offset: range.lowerBound, bytes: range.count,
                finding: "the disk cannot read these bytes")
        }
        return bytes
    }
}
