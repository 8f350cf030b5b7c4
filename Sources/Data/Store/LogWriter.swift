import FreshetBase
import Glibc

/// Why nothing was added to the log.
enum LogFailure: Error {
    /// No space; the file was cut back; worth another try.
    case full(SystemFault)
    /// Nothing can be known of the file any more; it is closed and never touched again.
    case failed(SystemFault)
}

/// Appends frames to the newest segment and begins the next. Owned by the commit path, which calls
/// it from one thread at a time.
final class LogWriter {
    private struct Active {
        let file: FileHandle
        let firstSeq: UInt64
        let seed: SegmentSeed
        /// Behind the last whole frame.
        var offset: Int
        /// Up to here the file system has given its word.
        var allocated: Int
        /// Up to here its blocks have been written, with frames or zeros.
        var written: Int
        var nextChain: UInt32
        var frames: Int
        var rolling: UInt32
    }

    /// Behind the frames of a full segment; a block of the file system, of which a seal needs 72.
    private static let sealRoom = 4_096

    private let files: any FileSystem
    private let directory: FileHandle
    private let store: StoreID
    private let clock: any StoreClock
    private let segmentLength: Int
    /// Space is taken in steps of this size.
    private let allocationStep: Int
    /// Zeros are written behind a frame in steps of this size; 0: none.
    private let zeroStep: Int
    /// A step of them, made when it is needed first.
    private var zeros: [UInt8] = []
    private let epoch: Epoch
    private let traits: EpochTraits
    /// Of a replica: what is written ends there.
    private(set) var position: ClusterPosition?
    private var active: Active?
    /// The segment that the next one names: first seq, end, last seq.
    private var predecessor: (firstSeq: UInt64, end: Int, lastSeq: UInt64)
    private var canAllocate = true
    private var hasFailed = false
    /// A segment's name was taken back, and the directory has not been synced since.
    private var owesDirectory = false

    /// The highest logged seq that is synced.
    private(set) var durableSeq: UInt64
    /// The highest logged seq that is written.
    private(set) var writtenSeq: UInt64
    /// The durableSeq that the newest frame in the file has.
    private var toldSeq: UInt64
    /// Segments that are finished, the oldest first.
    private var finished: [Manifest.Segment] = []

    /// - Parameters:
    ///   - summary: What was read, undamaged and synced.
    ///   - epoch: In force from now on.
    ///   - traits: What ends of this session lose.
    ///   - position: Of a replica, what `summary` ends with.
    init(
        files: any FileSystem, directory: FileHandle, store: StoreID, summary: LogSummary,
        epoch: Epoch, traits: EpochTraits = EpochTraits(), position: ClusterPosition? = nil,
        clock: any StoreClock, segmentLength: Int, allocationStep: Int, zeroStep: Int = 0
    ) throws(SystemFault) {
        self.files = files
        self.directory = directory
        self.store = store
        self.clock = clock
        self.segmentLength = segmentLength
        self.allocationStep = allocationStep
        self.zeroStep = zeroStep
        self.epoch = epoch
        self.traits = traits
        self.position = position
        durableSeq = summary.lastSeq
        writtenSeq = summary.lastSeq
        toldSeq = summary.durableSeq
        let last = summary.segments.last
        predecessor =
            summary.renewed.map {
                ($0.predecessor, Int(clamping: $0.predecessorEnd), $0.predecessorSeq)
            } ?? (last?.header.firstSeq ?? 0, last?.end ?? 0, last?.lastSeq ?? 0)
        finished = summary.segments.map {
            Manifest.Segment(
                firstSeq: $0.header.firstSeq, lastSeq: $0.lastSeq, length: $0.end,
                checksum: $0.rolling, isFinished: true)
        }
        if let tail = summary.tail {
            let name = LogFormat.segmentName(tail.firstSeq)
            active = Active(
                file: try files.open(name, in: directory, .update), firstSeq: tail.firstSeq,
                seed: SegmentSeed(store: store, firstSeq: tail.firstSeq), offset: tail.offset,
                allocated: max(tail.size, tail.offset), written: tail.offset,
                nextChain: tail.nextChain, frames: tail.frames, rolling: tail.rolling)
            finished.removeLast()
        }
    }

    /// Bytes of frames and headers in all segments from `seq` on.
    func bytes(from seq: UInt64) -> Int {
        var sum = active?.offset ?? 0
        for segment in finished.reversed() {
            if segment.firstSeq < seq { break }
            sum += segment.length
        }
        return sum
    }

    /// Segments of which it knows.
    var segments: Int { finished.count + (active == nil ? 0 : 1) }

    /// A frame's synced seqs have not been told to the file.
    var needsMark: Bool { durableSeq > toldSeq && !hasFailed && active != nil }

    var isSynced: Bool { writtenSeq == durableSeq }

    /// There is a segment to write to; otherwise one is due.
    var isActive: Bool { active != nil }

    /// First seq of the segment that is written to, or where there is none, of the last one.
    var activeSegment: UInt64 { active?.firstSeq ?? predecessor.firstSeq }

    // MARK: Frames

    /// Appends a frame without syncing it.
    ///
    /// - Parameters:
    ///   - frame: 48 bytes for the header, then the payload, a multiple of 8.
    ///   - firstSeq: At least the next seq to be given.
    func append(
        _ type: FrameType, flags: FrameFlags = [], firstSeq: UInt64, commitCount: Int,
        frame: inout ByteBuffer
    ) throws(LogFailure) {
        precondition(firstSeq > writtenSeq, "a frame's seqs are behind those before it")
        try makeRoom(frame.count, nextSeq: firstSeq)
        try write(type, flags: flags, firstSeq: firstSeq, commitCount: commitCount, frame: &frame)
        if commitCount > 0 { writtenSeq = firstSeq + UInt64(commitCount) - 1 }
    }

    /// Appends a frame of the shared log without syncing it.
    ///
    /// - Parameter frame: 48 bytes for the header, then the shared frame.
    func append(
        _ shared: SharedFrame, frame: inout ByteBuffer
    ) throws(LogFailure) {
        guard let position else { preconditionFailure("only a replica keeps shared frames") }
        precondition(shared.previousChain == position.chain, "a frame follows the one before")
        try append(
            .shared, firstSeq: shared.firstSeq, commitCount: Int(shared.commits), frame: &frame)
        self.position?.chain = shared.chain(of: position.cluster)
    }

    /// Makes what was appended durable. After a failure no call does anything ever again.
    func sync() throws(LogFailure) {
        guard let active, !hasFailed else { throw .failed(SystemFault("fdatasync", "log", EIO)) }
        do {
            try files.syncData(active.file)
        } catch {
            throw fail(error)
        }
        precondition(writtenSeq >= durableSeq, "a sync takes nothing back")
        durableSeq = writtenSeq
    }

    /// Tells the file what is durable, without a sync; clean: that the store is closed, with one.
    ///
    /// - Parameter nextSeq: The next seq to be given.
    func mark(nextSeq: UInt64, clean: Bool) throws(LogFailure) {
        if clean && active == nil { try makeRoom(LogFormat.frameHeaderLength, nextSeq: nextSeq) }
        guard active != nil, !hasFailed else { return }
        if clean && !isSynced { try sync() }
        var frame = Self.emptyFrame()
        try makeRoom(frame.count, nextSeq: nextSeq)
        try write(
            .mark, flags: clean ? [.clean] : [], firstSeq: nextSeq, commitCount: 0, frame: &frame)
        if clean { try sync() }
    }

    /// Writes and syncs an epoch frame: the start of a session whose commits may not all be logged.
    func tellEpoch(nextSeq: UInt64) throws(LogFailure) {
        if active == nil {
            // A new segment begins with an epoch.
            try begin(nextSeq: nextSeq)
            return
        }
        var frame = epochFrame()
        try append(.epoch, firstSeq: nextSeq, commitCount: 0, frame: &frame)
        try sync()
    }

    /// Takes space ahead; the way to find out whether there is some.
    func probe(nextSeq: UInt64) throws(LogFailure) {
        try makeRoom(min(allocationStep, segmentLength / 2), nextSeq: nextSeq)
    }

    /// What can be told outside the log now, of the generation that begins with `snapshot`.
    func manifest(snapshot: Manifest.Snapshot?) -> Manifest {
        var manifest = Manifest(
            store: store, epoch: epoch.value, durableSeq: durableSeq,
            activeSegment: activeSegment, snapshot: snapshot)
        manifest.segments = finished.filter { $0.firstSeq >= manifest.firstNeededSeq }
        if let active {
            manifest.segments.append(
                Manifest.Segment(
                    firstSeq: active.firstSeq, lastSeq: writtenSeq, length: active.offset,
                    checksum: active.rolling, isFinished: false))
        }
        return manifest
    }

    /// Will a frame of `count` bytes end the active segment and begin another?
    func beginsSegment(with count: Int, nextSeq: UInt64) -> Bool {
        guard let active else { return true }
        return active.offset + count > segmentLength && nextSeq > active.firstSeq
    }

    /// Finishes the active segment, so that one begins with `nextSeq`: all commits before it are
    /// in segments that nobody writes to, and durable.
    ///
    /// - Returns: What was finished, nil where there was nothing to finish.
    func rotate(nextSeq: UInt64) throws(LogFailure) -> Manifest.Segment? {
        guard !hasFailed else { throw .failed(SystemFault("pwrite", "log", EIO)) }
        // One without a commit is what is wanted.
        let isDue = active.map { nextSeq > $0.firstSeq } ?? false
        if isDue { try seal(nextSeq: nextSeq) }
        let sealed = isDue ? finished.last : nil
        if active == nil { try begin(nextSeq: nextSeq) }
        return sealed
    }

    /// Makes the active segment anew in the place of its file, which is damaged or gone: it has no commit, so
    /// that the next segment would have its name.
    func renew(nextSeq: UInt64) throws(LogFailure) {
        guard let segment = active, segment.firstSeq == nextSeq else { return }
        files.close(segment.file)
        active = nil
        try begin(nextSeq: nextSeq, renews: true)
    }

    /// Forgets the segments before `seq`, whose files are gone.
    func forgetSegments(before seq: UInt64) {
        finished.removeAll { $0.firstSeq < seq }
        assert(
            zip(finished, finished.dropFirst()).allSatisfy { $0.lastSeq < $1.firstSeq },
            "segments follow each other")
    }

    /// Closes the file. Nothing is written.
    func close() {
        if let active { files.close(active.file) }
        active = nil
        hasFailed = true
    }

    static func emptyFrame() -> ByteBuffer {
        var frame = ByteBuffer(capacity: 128)
        for _ in 0..<(LogFormat.frameHeaderLength / 8) { frame.append(littleEndian: UInt64(0)) }
        return frame
    }

    private func epochFrame() -> ByteBuffer {
        var frame = Self.emptyFrame()
        frame.append(littleEndian: epoch.value)
        frame.append(littleEndian: traits.rawValue)
        position?.append(to: &frame)
        return frame
    }

    private func write(
        _ type: FrameType, flags: FrameFlags, firstSeq: UInt64, commitCount: Int,
        frame: inout ByteBuffer
    ) throws(LogFailure) {
        guard var segment = active, !hasFailed else {
            throw .failed(SystemFault("pwrite", "log", EIO))
        }
        let length = LogFormat.frameHeaderLength
        precondition(
            frame.count >= length && frame.count % 8 == 0 && segment.offset % 8 == 0,
            "a frame is a header and whole words, and stands on one")
        precondition(
            !canAllocate || segment.offset + frame.count <= segment.allocated,
            "a frame is written where space was taken for it")
        let payload = UnsafeRawBufferPointer(rebasing: frame.bytes[length...])
        let header = FrameHeader(
            type: type, flags: flags, firstSeq: firstSeq, commitCount: UInt32(commitCount),
            durableSeq: durableSeq, chain: segment.nextChain, payload: payload)
        let target = UnsafeMutableRawBufferPointer(rebasing: frame.mutableBytes[..<length])
        guard let start = target.baseAddress else { return }
        let checksum = header.write(to: start, seed: segment.seed)
        let end = segment.offset + frame.count
        do {
            try files.writeAll(segment.file, frame.bytes, at: segment.offset)
        } catch {
            guard error.isFull else { throw fail(error) }
            try cutBack()
            try settleCut()
            throw .full(named(error))
        }
        segment.offset = end
        segment.allocated = max(segment.allocated, segment.offset)
        segment.nextChain = segment.seed.chain(payload: header.payloadChecksum, header: checksum)
        segment.frames += 1
        segment.rolling = SegmentScan.roll(segment.rolling, checksum)
        if end > segment.written {
            segment.written = end
            if type == .commits { writeZeros(behind: frame.count, &segment) }
        }
        active = segment
        toldSeq = durableSeq
    }

    /// Writes zeros behind a frame of `count` bytes that has reached blocks which were only taken so
    /// far.
    ///
    /// The first write to such a block changes what the file system knows of the file, and the sync
    /// after it writes that as well; the next writes to it change bytes alone. So blocks are made
    /// written many at a time, with one sync: on ext4 a sync behind 12 KiB takes 150 µs then in
    /// place of 320, and half the CPU. A frame as large as a step gains nothing.
    ///
    /// Never in one call with the frame, of which the frame alone might succeed; and where it fails,
    /// the next frames only take longer.
    private func writeZeros(behind count: Int, _ segment: inout Active) {
        let room = min(zeroStep, segment.allocated - segment.offset)
        guard count < zeroStep, room > 0 else { return }
        if zeros.isEmpty { zeros = [UInt8](repeating: 0, count: zeroStep) }
        let file = segment.file
        let offset = segment.offset
        let isDone = zeros.withUnsafeBytes {
            (try? files.writeAll(file, UnsafeRawBufferPointer(rebasing: $0[..<room]), at: offset))
                != nil
        }
        if isDone { segment.written = offset + room }
    }

    // MARK: Space

    /// Makes sure that `count` bytes fit into a segment, in one that has room for them.
    private func makeRoom(_ count: Int, nextSeq: UInt64) throws(LogFailure) {
        guard !hasFailed else { throw .failed(SystemFault("pwrite", "log", EIO)) }
        // A segment without a commit goes on, whatever its size: its successor would have its name.
        if active != nil && beginsSegment(with: count, nextSeq: nextSeq) {
            try seal(nextSeq: nextSeq)
        }
        if active == nil { try begin(nextSeq: nextSeq) }
        try allocate(count)
    }

    private func allocate(_ count: Int) throws(LogFailure) {
        guard canAllocate, let segment = active, segment.offset + count > segment.allocated else {
            return
        }
        // Not beyond the segment's end and its seal: what is left over stays until a compaction.
        let end = segmentLength + Self.sealRoom
        var start = segment.allocated
        var needed = segment.offset + count - start
        var wanted = max(needed, min(allocationStep, end - start))
        while true {
            do {
                try files.allocate(segment.file, offset: start, count: wanted)
                active?.allocated = start + wanted
                return
            } catch {
                switch error.code {
                case EINTR:
                    continue
                case EOPNOTSUPP, EINVAL, ENOSYS:
                    canAllocate = false
                    return
                default:
                    guard error.isFull else { throw fail(error) }
                    try cutBack()
                    // A limit on files is the same for a smaller step, and soon met again.
                    guard wanted > needed, error.code != EFBIG else {
                        throw .full(named(error))
                    }
                    // What is at hand may still fit, behind the cut.
                    start = segment.offset
                    needed = count
                    wanted = count
                }
            }
        }
    }

    /// Ends the file behind the last whole frame.
    private func cutBack() throws(LogFailure) {
        guard let segment = active else { return }
        do {
            try files.truncate(segment.file, to: segment.offset)
            active?.allocated = segment.offset
            active?.written = segment.offset
        } catch {
            throw unborn(error)
        }
    }

    /// The failure of a call on the active segment: a full disk as long as it holds no frame, since
    /// its file is made anew then.
    private func unborn(_ fault: SystemFault) -> LogFailure {
        if fault.isFull, active?.frames == 0 { return .full(named(fault)) }
        return fail(fault)
    }

    /// Makes a cut durable before anybody is told that nothing was written: what a frame lacked may
    /// have been zeros, which stand behind it anyway, and after a power loss it would be whole.
    private func settleCut() throws(LogFailure) {
        guard let active else { return }
        do {
            try files.sync(active.file)
        } catch {
            throw unborn(error)
        }
    }

    // MARK: Segments

    /// Finishes the active segment: seal, sync. What space is left over is the compaction's matter,
    /// for which nobody waits.
    private func seal(nextSeq: UInt64) throws(LogFailure) {
        guard let segment = active else { return }
        precondition(nextSeq > segment.firstSeq, "a segment that ends holds a seq")
        var frame = Self.emptyFrame()
        frame.append(littleEndian: UInt64(segment.frames))
        frame.append(littleEndian: UInt64(segment.offset))
        frame.append(littleEndian: segment.rolling)
        frame.append(littleEndian: UInt32(0))
        try allocate(frame.count)
        try write(.seal, flags: [], firstSeq: nextSeq, commitCount: 0, frame: &frame)
        try sync()
        let end = active?.offset ?? segment.offset
        files.close(segment.file)
        let rolling = active?.rolling ?? 0
        active = nil
        predecessor = (segment.firstSeq, end, nextSeq - 1)
        finished.append(
            Manifest.Segment(
                firstSeq: segment.firstSeq, lastSeq: nextSeq - 1, length: end, checksum: rolling,
                isFinished: true))
    }

    /// Begins a segment whose first seq is `nextSeq`: header and epoch, synced before it has its
    /// name.
    ///
    /// Where any of its calls finds no space the disk is full, and nothing of the segment stays:
    /// another one is made from the beginning. So no sync is believed that follows a failed one.
    ///
    /// - Parameter renews: There is a file of this name, which manifests name.
    private func begin(nextSeq: UInt64, renews: Bool = false) throws(LogFailure) {
        precondition(active == nil, "one segment at a time is written to")
        precondition(nextSeq > predecessor.firstSeq, "a segment must be newer than the last")
        precondition(nextSeq > writtenSeq, "a segment begins behind all that is written")
        try settleDirectory()
        let name = LogFormat.segmentName(nextSeq)
        let temporary = "tmp-" + name
        var header = SegmentHeader(
            store: store, firstSeq: nextSeq, predecessor: predecessor.firstSeq,
            predecessorEnd: UInt64(predecessor.end), predecessorSeq: predecessor.lastSeq,
            durableSeq: durableSeq, created: clock.wallTime.milliseconds)
        let bytes = header.encoded()
        header.checksum = HeaderFields.checksum(of: bytes)
        let seed = SegmentSeed(store: store, firstSeq: nextSeq)
        var file: FileHandle?
        do throws(SystemFault) {
            let made = try files.open(temporary, in: directory, .make)
            file = made
            try files.truncate(made, to: 0)
            try files.writeAll(made, bytes, at: 0)
        } catch {
            if let file { files.close(file) }
            guard error.isFull else { throw fail(error.named(temporary)) }
            discard(temporary)
            throw .full(error.named(temporary))
        }
        guard let file else { return }
        active = Active(
            file: file, firstSeq: nextSeq, seed: seed, offset: bytes.count, allocated: bytes.count,
            written: bytes.count, nextChain: seed.chain(payload: 0, header: header.checksum),
            frames: 0, rolling: 0)
        do throws(LogFailure) {
            var frame = epochFrame()
            try allocate(frame.count)
            try write(.epoch, flags: [], firstSeq: nextSeq, commitCount: 0, frame: &frame)
        } catch {
            if case .full = error { abandon(file, temporary) }
            throw error
        }
        do throws(SystemFault) {
            try files.sync(file)
            try files.rename(temporary, in: directory, to: name, in: directory)
        } catch {
            guard error.isFull else { throw fail(error) }
            abandon(file, temporary)
            throw .full(error.named(temporary))
        }
        do throws(SystemFault) {
            try files.sync(directory)
        } catch {
            // Without a file of that name no start is possible.
            guard error.isFull, !renews else { throw fail(error) }
            do throws(SystemFault) {
                try files.remove(name, in: directory)
            } catch {
                throw fail(error)
            }
            owesDirectory = true
            abandon(file, temporary)
            throw .full(error)
        }
    }

    /// Gives up the segment in the making.
    private func abandon(_ file: FileHandle, _ temporary: String) {
        files.close(file)
        active = nil
        discard(temporary)
    }

    /// Makes sure that a name taken back is gone before another segment may follow the same one.
    private func settleDirectory() throws(LogFailure) {
        guard owesDirectory else { return }
        do throws(SystemFault) {
            try files.sync(directory)
        } catch {
            guard error.isFull else { throw fail(error) }
            throw .full(error)
        }
        owesDirectory = false
    }

    /// Removes an unfinished file; where that fails the next start does it.
    private func discard(_ name: String) {
        try? files.remove(name, in: directory)
    }

    /// The fault with the name of the segment that is being written.
    private func named(_ fault: SystemFault) -> SystemFault {
        guard let active else { return fault }
        return fault.named(LogFormat.segmentName(active.firstSeq))
    }

    private func fail(_ fault: SystemFault) -> LogFailure {
        let fault = named(fault)
        hasFailed = true
        if let active { files.close(active.file) }
        active = nil
        return .failed(fault)
    }
}
