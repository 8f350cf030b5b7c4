import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Synchronization

// # Scrub: what is stored is read before it is needed
//
// A pass reads every live file from the disk, a few MiB a second, and every entity in memory, and
// compares them with their checksums: FRESHET, the manifests, the snapshots that they name, and the
// log from the oldest of these on. It takes no lock and asks the writer for one list of files.
//
// A file that does not verify is read again, with a new list, since a compaction may have taken
// it away meanwhile. If it is damaged then, too, and needed still, memory still holds everything: the writer
// makes a snapshot at once, before the pass goes on, and a store that closes waits for it; when
// that is on the disk, read again and named by a manifest, the damaged file goes to `aside/`.
// In this order, since what is left of a damaged file is worth more than nothing as long as
// there is no other. A generation that names a damaged file does not count as the one to fall
// back to; where there is another without it, that is kept.
//
// An entity in memory that is not what was stored is put right from the disk (`MemoryRepair`).

/// What a pass has found.
package struct ScrubReport: Sendable, Equatable {
    package var files = 0
    package var bytes = 0
    package var entities = 0
    /// Files that are damaged; they have been set aside and a new snapshot made, unless `failure`
    /// says why not.
    package var damages: [LogDamage] = []
    /// Entities in memory that had changed; those that could be were put right.
    package var memoryErrors = 0
    package var failure: String?
    package var duration = Duration.zero
}

/// Waits that can be ended at once. Any thread.
final class StopSignal: Sendable {
    private let lock = Lock()
    private let stopped = LockCondition()
    private let flag = Atomic<Bool>(false)
    // SAFETY: read and written under `lock` alone.
    nonisolated(unsafe) private var isHurried = false

    var isStopped: Bool { flag.load(ordering: .relaxed) }

    func stop() {
        lock.withLock {
            flag.store(true, ordering: .relaxed)
            stopped.broadcast()
        }
    }

    /// Ends the present wait, or the next one.
    func hurry() {
        lock.withLock {
            isHurried = true
            stopped.broadcast()
        }
    }

    /// Was there a hurry since the last time that this was asked?
    func takeHurry() -> Bool {
        lock.withLock {
            defer { isHurried = false }
            return isHurried
        }
    }

    /// Waits for so long, or until it is hurried. - Returns: false where it was stopped.
    func wait(_ duration: Duration) -> Bool {
        let deadline = MonotonicInstant.now + max(duration, .zero)
        return lock.withLock {
            while !isStopped && !isHurried {
                if !stopped.wait(lock, until: deadline) { break }
            }
            return !isStopped
        }
    }
}

/// One pass over the files. Used by one thread.
struct FileScrub {
    let source: StoreFiles
    /// The directory's, for errors.
    let path: String
    private(set) var report = ScrubReport()
    private let board: FileBoard
    private var pace: SnapshotPace
    /// Names that were looked at. A compaction makes new files meanwhile: they are not of this pass.
    private var done: Set<String> = []

    /// A file that is needed, and what is known of it.
    private struct Live {
        let name: String
        var segment: Manifest.Segment?
        var snapshot: Manifest.Snapshot?
    }

    init(
        _ source: StoreFiles, path: String, bytesPerSecond: Int, _ board: FileBoard,
        isCancelled: @escaping () -> Bool
    ) {
        self.source = source
        self.board = board
        self.path = path
        pace = SnapshotPace(bytesPerSecond: bytesPerSecond, isCancelled: isCancelled)
    }

    /// Checks files until some are damaged, which are to be healed before others are read: a pass
    /// may take hours, and until then memory may be the only place where their data is whole. The
    /// small files, which come first, are all looked at, since healing one replaces the others.
    ///
    /// - Parameter segments: What the writer knows of the log now; asked again where a file seems to
    ///   be damaged.
    /// - Returns: The names of what is damaged; none when all files have been checked.
    mutating func next(
        segments: () throws(StoreError) -> Manifest
    ) throws(StoreError) -> Set<String> {
        var damaged: Set<String> = []
        for live in try list(try segments()) where !done.contains(live.name) {
            let isSmall = !live.name.hasSuffix(".fs") && !live.name.hasSuffix(".fl")
            if !isSmall && !damaged.isEmpty { break }
            done.insert(live.name)
            board.scrub(live.name)
            guard try check(live) != nil else {
                report.files += 1
                board.record(live.name, isGood: true, at: .now)
                continue
            }
            let again = try list(try segments()).first { $0.name == live.name }
            guard let again else { continue }
            let damage = try check(again)
            // What is listed behind the reading was there while it was read.
            if damage != nil, try !list(try segments()).contains(where: { $0.name == live.name }) {
                continue
            }
            report.files += 1
            board.record(live.name, isGood: damage == nil, at: .now)
            if let damage {
                report.damages.append(damage)
                damaged.insert(live.name)
            }
        }
        return damaged
    }

    /// The bytes of the live files.
    mutating func liveBytes(_ manifest: Manifest) throws(StoreError) -> Int {
        var sum = 0
        for live in try list(manifest) {
            do throws(SystemFault) {
                let file = try source.files.open(live.name, in: source.directory, .read)
                defer { source.files.close(file) }
                sum += try source.files.size(file)
            } catch {
                // It is checked, and then told of.
                continue
            }
        }
        return sum
    }

    private func list(_ now: Manifest) throws(StoreError) -> [Live] {
        try DataDirectory.wrapping(path) { () throws(SystemFault) in
            let entries = try source.manifests()
            let manifests = entries.compactMap(\.manifest)
            var known: [UInt64: Manifest.Segment] = [:]
            for segment in now.segments { known[segment.firstSeq] = segment }
            for manifest in manifests {
                // One that was not finished then has grown.
                for segment in manifest.segments where segment.isFinished {
                    known[segment.firstSeq] = segment
                }
            }
            var live = [Live(name: DataDirectory.identityName)]
            live += entries.map { Live(name: Manifest.name($0.number)) }
            for manifest in manifests {
                guard let snapshot = manifest.snapshot else { continue }
                live.append(Live(name: SnapshotFormat.name(snapshot.seq), snapshot: snapshot))
            }
            let first = (manifests + [now]).map(\.firstNeededSeq).min() ?? 0
            var present = Set(try source.segments())
            // One that the writer knows is needed, be it there or not.
            present.formUnion(now.segments.map(\.firstSeq))
            // As is each that its successor names.
            for seq in present.sorted() where seq > first {
                guard let before = try predecessor(of: seq), before >= first else { continue }
                present.insert(before)
            }
            for seq in present.sorted() where seq >= first {
                // Begun since the writer was asked; it is of the next pass.
                guard seq <= now.activeSegment else { continue }
                live.append(Live(name: LogFormat.segmentName(seq), segment: known[seq]))
            }
            return live
        }
    }

    /// The first seq of the segment before, nil where that cannot be told here.
    private func predecessor(of firstSeq: UInt64) throws(SystemFault) -> UInt64? {
        // What is wrong with it is found when it is read.
        guard let header = try source.header(ofSegment: firstSeq, .report),
            header.store == source.store, header.predecessor > 0
        else { return nil }
        return header.predecessor
    }

    /// - Returns: What is wrong with it.
    private mutating func check(_ live: Live) throws(StoreError) -> LogDamage? {
        var finding: (offset: Int, text: String)?
        do throws(SystemFault) {
            if let seq = SnapshotFormat.seq(ofName: live.name) {
                return try check(snapshot: seq, live)
            } else if let seq = LogFormat.firstSeq(ofName: live.name) {
                finding = try check(segment: seq, live)
            } else if live.name == DataDirectory.identityName {
                finding = try checkIdentity()
            } else if let number = Manifest.number(ofName: live.name) {
                let entry = try source.manifests().first { $0.number == number }
                if let entry, entry.manifest == nil { finding = (0, "the manifest is damaged") }
                try pass(256)
            }
        } catch {
            switch error.code {
            case ECANCELED: throw .closed
            case ENOENT: finding = (0, "it is missing")
            case _ where error.isLoss: finding = (0, error.named(live.name).finding)
            default: throw .system(directory: path, error.named(live.name))
            }
        }
        return finding.map {
            LogDamage(file: live.name, offset: $0.offset, lost: nil, finding: $0.text)
        }
    }

    /// Waits until so many bytes are due.
    private mutating func pass(_ count: Int) throws(SystemFault) {
        report.bytes += count
        board.addScrubbed(count)
        do throws(SnapshotFailure) {
            try pace.pass(count)
        } catch {
            throw SystemFault("scrub", "file", ECANCELED)
        }
    }

    private mutating func checkIdentity() throws(SystemFault) -> (Int, String)? {
        guard
            let bytes = try source.files.contents(
                of: DataDirectory.identityName, in: source.directory,
                atMost: LogFormat.identityLength)
        else { return (0, "it is missing") }
        try pass(bytes.count)
        return StoreIdentity.damagedHalf(of: bytes).map { ($0, "this half is damaged") }
    }

    private mutating func check(snapshot seq: UInt64, _ live: Live) throws(SystemFault)
        -> LogDamage?
    {
        let reader = source.snapshot(seq)
        var read = 0
        var damage: LogDamage?
        do throws(SnapshotFailure) {
            let found = try reader.verify(beside: true) { count throws(SnapshotFailure) in
                read += count
                board.addScrubbed(count)
                try pace.pass(count)
            }
            if let named = live.snapshot, named != found {
                damage = LogDamage(
                    file: live.name, offset: 0, lost: nil,
                    finding: "the snapshot is not the one that the manifest names")
            }
        } catch {
            switch error {
            case .damaged(let found): damage = found
            case .system(let fault): throw fault
            case .cancelled, .memory: throw SystemFault("scrub", "file", ECANCELED)
            }
        }
        report.bytes += read
        return damage
    }

    /// Reads a segment's frames one after the other, in pieces.
    private mutating func check(
        segment firstSeq: UInt64, _ live: Live
    ) throws(SystemFault) -> (Int, String)? {
        let file = try source.files.open(live.name, in: source.directory, .read)
        defer { source.files.close(file) }
        source.files.dropCache(file)
        source.files.stopReadingAhead(file)
        let size = try source.files.size(file)
        let end = live.segment?.length ?? size
        var window = Window(end)
        defer { window.close() }
        let head = try bytes(LogFormat.segmentHeaderLength, at: 0, of: file, &window)
        guard let head, let header = source.header(ofSegment: firstSeq, in: head) else {
            return (0, "the segment's header is damaged")
        }
        let seed = source.seed(ofSegment: firstSeq)
        var chain = seed.chain(payload: 0, header: header.checksum)
        var rolling: UInt32 = 0
        var position = LogFormat.segmentHeaderLength
        try pass(position)
        while position < end {
            let header = try bytes(LogFormat.frameHeaderLength, at: position, of: file, &window)
            guard let header, let frame = FrameHeader(verifying: header, at: 0, seed: seed),
                frame.chain == chain
            else {
                // Of an older generation nothing but the file itself says where it ends.
                if live.segment == nil, try isOver(firstSeq, position) { return nil }
                return (position, "a frame is damaged")
            }
            let start = position + LogFormat.frameHeaderLength
            let stop = start + Int(frame.payloadLength)
            guard stop <= size else { return (position, "a frame is cut") }
            var checksum: UInt32 = 0
            var offset = start
            while offset < stop {
                let count = min(Window.capacity, stop - offset)
                guard let part = try bytes(count, at: offset, of: file, &window) else {
                    return (position, "a frame is cut")
                }
                checksum = CRC32C.checksum(part, continuing: checksum)
                offset += count
                try pass(count)
            }
            guard checksum == frame.payloadChecksum else {
                return (position, "the commits of a frame are damaged")
            }
            chain = seed.chain(payload: frame.payloadChecksum, header: frame.headerChecksum)
            rolling = SegmentScan.roll(rolling, frame.headerChecksum)
            position = stop
            try pass(LogFormat.frameHeaderLength)
            if live.segment == nil, frame.type == FrameType.seal.rawValue { return nil }
        }
        if let known = live.segment, known.checksum != rolling {
            return (position, "the segment is not the one that was written")
        }
        return nil
    }

    /// Says the successor that the segment ends there?
    private func isOver(_ firstSeq: UInt64, _ position: Int) throws(SystemFault) -> Bool {
        guard let next = try source.segments().first(where: { $0 > firstSeq }) else { return false }
        let header = try source.header(ofSegment: next, .strict)
        return header?.predecessor == firstSeq && header?.predecessorEnd == UInt64(position)
    }

    /// What was read last of a file.
    private struct Window {
        /// Few bytes, so that no sync beside it waits for long; and one system call for many frames.
        static let capacity = 128 << 10
        /// Nothing behind it is read ahead of its need.
        let end: Int
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
        /// Where in the file the buffer's bytes are.
        var range = 0..<0

        init(_ end: Int) { self.end = end }

        func close() { buffer.deallocate() }
    }

    /// Bytes of a file, valid until the next call; nil where it ends before.
    ///
    /// - Parameter count: At most the window's capacity.
    private func bytes(
        _ count: Int, at offset: Int, of file: FileHandle, _ window: inout Window
    ) throws(SystemFault) -> UnsafeRawBufferPointer? {
        let wanted = offset..<offset + count
        if wanted.lowerBound < window.range.lowerBound
            || wanted.upperBound > window.range.upperBound
        {
            let most = max(count, min(Window.capacity, window.end - offset))
            let target = UnsafeMutableRawBufferPointer(rebasing: window.buffer[..<most])
            window.range = 0..<0
            let done = try source.files.readAll(file, into: target, at: offset)
            window.range = offset..<offset + done
        }
        guard wanted.upperBound <= window.range.upperBound else { return nil }
        let start = offset - window.range.lowerBound
        return UnsafeRawBufferPointer(rebasing: window.buffer[start..<start + count])
    }
}
