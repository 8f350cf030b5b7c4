import FreshetBase
import Glibc

// # `MANIFEST-000042`: which files make up the store, and what was durable, told outside the log
//
// A log that was cut short cannot say so itself, and a directory with two snapshots does not say
// which one counts. All numbers are little endian; offsets and lengths in bytes; crc is CRC-32C.
//
//      0  4  magic "FRM1"                 40  8  epoch, 0 in files of the first versions
//      4  4  length of this file          48  4  number of snapshots: 0 or 1
//      8 16  store id                     52  4  number of segments
//     24  8  durableSeq: every commit     56  4  zero
//            up to it was synced before   60  4  crc of 0..<60
//            this file was made
//     32  8  first seq of the segment that was active then
//
// Then, where the length is more than 64, per snapshot (32):
//      0  8  its seq, which its name has  16  8  entities
//      8  8  length of the file           24  4  crc of crcs, as in its footer
//                                         28  4  zero
// per segment (32), the oldest first, from the one behind the snapshot on:
//      0  8  first seq, as in its name    16  8  length of its frames and header
//      8  8  last seq                     24  4  crc of the header crcs of all its frames, that of
//                                               a seal too ("rolling" in LogFormat)
//                                         28  4  flags: 1 finished: the three before are final
// and at the end: crc of all bytes behind 64 (4), zero (4).
//
// The number grows. Written at each start, when snapshot and log have been read and synced; when a
// segment has begun; when a snapshot has been written, read again and found good; at each clean
// close. Under a temporary name, synced, renamed, the directory synced. Never on the way of a
// commit: a segment that has just begun is not in it for some milliseconds, and while a compaction
// runs not until that has ended. A sealed segment without a successor is no damage, since a crash may
// stand between the two; so it is this file that tells that a whole segment is lost, or a snapshot,
// which has its name once the segment behind it is there (`StoreFiles`).
//
// ## Two generations
// A manifest names one generation: a snapshot, or none where the log is there from its beginning,
// and the segments behind it. Two manifests are kept: the newest one, and the newest one of the
// generation before, or where there is none an older one of the same. Files that neither names are
// deleted when a snapshot has been made. Whatever single file of the newer generation is lost, but
// for the log behind it, the older one and its longer log give the same state.

/// The first 64 bytes of a manifest.
private struct ManifestHead: FileHeader {
    static let magic = "FRM1"
    static let length = 64

    /// Bytes of the whole file.
    var length = 0
    var store = StoreID()
    var durableSeq: UInt64 = 0
    var activeSegment: UInt64 = 0
    var epoch: UInt64 = 0
    var snapshots = 0
    var segments = 0

    mutating func layout(_ fields: inout HeaderFields) {
        fields.count(&length, as: UInt32.self, at: 4)
        fields.store(&store, at: 8)
        fields.seq(&durableSeq, at: 24)
        fields.seq(&activeSegment, at: 32)
        fields.number(&epoch, at: 40)
        fields.count(&snapshots, as: UInt32.self, at: 48)
        fields.count(&segments, as: UInt32.self, at: 52)
    }
}

/// Which files make up a store at a moment.
struct Manifest: Equatable, Sendable {
    struct Snapshot: Equatable, Sendable {
        let seq: UInt64
        let length: Int
        let entities: Int
        let checksum: UInt32
    }

    struct Segment: Equatable, Sendable {
        let firstSeq: UInt64
        var lastSeq: UInt64
        var length: Int
        var checksum: UInt32
        var isFinished: Bool
    }

    let store: StoreID
    let epoch: UInt64
    let durableSeq: UInt64
    /// First seq of the segment that was written to.
    let activeSegment: UInt64
    var snapshot: Snapshot?
    var segments: [Segment] = []

    /// Log segments before this seq are of no use to this generation.
    var firstNeededSeq: UInt64 { snapshot.map { $0.seq + 1 } ?? 0 }

    // MARK: Names

    private static let prefix = "MANIFEST-"

    /// None is ever reached; a name with a greater one is not a manifest's.
    private static let largestNumber = 1_000_000_000_000_000

    /// The number in a manifest's name.
    static func number(ofName text: String) -> Int? {
        guard text.hasPrefix(prefix), let number = Int(text.dropFirst(prefix.count)), number > 0,
            number < largestNumber, name(number) == text
        else { return nil }
        return number
    }

    static func name(_ number: Int) -> String { prefix + number.padded(to: 6) }

    // MARK: Bytes

    /// Segments stand in their order, of which only the newest one is written to, behind the snapshot;
    /// and no seq is greater than any that was ever written.
    private var isSound: Bool {
        (snapshot?.seq ?? 0) < LogFormat.largestSeq
            && segments.allSatisfy {
                $0.firstSeq >= firstNeededSeq && $0.firstSeq <= activeSegment
                    && $0.lastSeq < LogFormat.largestSeq
            }
            && zip(segments, segments.dropFirst()).allSatisfy {
                $0.isFinished && $0.lastSeq < $1.firstSeq
            }
    }

    private static let entryLength = 32
    /// Of 1 million segments; more is no manifest.
    private static let maximumLength = 32 << 20

    func encoded() -> [UInt8] {
        let count = (snapshot == nil ? 0 : 1) + segments.count
        precondition(isSound, "a generation names the segments behind its snapshot, in their order")
        let head = ManifestHead(
            length: ManifestHead.length + count * Self.entryLength + 8, store: store,
            durableSeq: durableSeq, activeSegment: activeSegment, epoch: epoch,
            snapshots: snapshot == nil ? 0 : 1, segments: segments.count)
        var bytes = ByteBuffer(capacity: 512)
        bytes.append(head.encoded())
        if let snapshot {
            bytes.append(littleEndian: snapshot.seq)
            bytes.append(littleEndian: UInt64(snapshot.length))
            bytes.append(littleEndian: UInt64(snapshot.entities))
            bytes.append(littleEndian: snapshot.checksum)
            bytes.append(littleEndian: UInt32(0))
        }
        for segment in segments {
            bytes.append(littleEndian: segment.firstSeq)
            bytes.append(littleEndian: segment.lastSeq)
            bytes.append(littleEndian: UInt64(segment.length))
            bytes.append(littleEndian: segment.checksum)
            bytes.append(littleEndian: UInt32(segment.isFinished ? 1 : 0))
        }
        let body = UnsafeRawBufferPointer(rebasing: bytes.bytes[ManifestHead.length...])
        bytes.append(littleEndian: CRC32C.checksum(body))
        bytes.append(littleEndian: UInt32(0))
        return [UInt8](bytes.bytes)
    }

    init(
        store: StoreID, epoch: UInt64, durableSeq: UInt64, activeSegment: UInt64,
        snapshot: Snapshot? = nil, segments: [Segment] = []
    ) {
        self.store = store
        self.epoch = epoch
        self.durableSeq = durableSeq
        self.activeSegment = activeSegment
        self.snapshot = snapshot
        self.segments = segments
    }

    /// - Parameter file: All bytes of the file.
    init?(verifying file: [UInt8]) {
        let manifest = file.withUnsafeBytes { bytes -> Manifest? in
            guard let head = ManifestHead(verifying: bytes), head.length == bytes.count else {
                return nil
            }
            var manifest = Manifest(
                store: head.store, epoch: head.epoch, durableSeq: head.durableSeq,
                activeSegment: head.activeSegment)
            // The first versions wrote no more than this.
            if bytes.count == ManifestHead.length {
                return head.snapshots == 0 && head.segments == 0 ? manifest : nil
            }
            let end = ManifestHead.length + (head.snapshots + head.segments) * Self.entryLength
            guard head.snapshots <= 1, bytes.count == end + 8,
                bytes.littleEndian(at: end + 4, as: UInt32.self) == 0,
                CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes[ManifestHead.length..<end]))
                    == bytes.littleEndian(at: end, as: UInt32.self)
            else { return nil }
            for index in 0..<head.snapshots + head.segments {
                let place = ManifestHead.length + index * Self.entryLength
                let first = bytes.littleEndian(at: place, as: UInt64.self)
                let second = bytes.littleEndian(at: place + 8, as: UInt64.self)
                let third = bytes.littleEndian(at: place + 16, as: UInt64.self)
                let checksum = bytes.littleEndian(at: place + 24, as: UInt32.self)
                let flags = bytes.littleEndian(at: place + 28, as: UInt32.self)
                if index < head.snapshots {
                    manifest.snapshot = Snapshot(
                        seq: first, length: Int(clamping: second), entities: Int(clamping: third),
                        checksum: checksum)
                } else {
                    manifest.segments.append(
                        Segment(
                            firstSeq: first, lastSeq: second, length: Int(clamping: third),
                            checksum: checksum, isFinished: flags & 1 == 1))
                }
            }
            return manifest
        }
        guard let manifest, manifest.isSound else { return nil }
        self = manifest
    }

    // MARK: Files

    /// A file under a manifest's name; nil where it is none of the store, or damaged.
    struct Entry {
        let number: Int
        let manifest: Manifest?
        /// The disk did not give it: what it names is not known, and may be good.
        var isUnread = false
    }

    /// All manifests of `store`, the newest first.
    static func all(
        of store: StoreID, _ files: any FileSystem, _ directory: FileHandle,
        passingOver isPassedOver: (SystemFault) -> Bool = { _ in false }
    ) throws(SystemFault) -> [Entry] {
        var entries: [Entry] = []
        for number in try files.list(directory).compactMap(number(ofName:)).sorted(by: >) {
            do throws(SystemFault) {
                let manifest = try read(number, of: store, files, directory)
                entries.append(Entry(number: number, manifest: manifest))
            } catch {
                switch error.code {
                // Beside a server it may go between the listing and here.
                case ENOENT: continue
                case _ where isPassedOver(error) || error.isUnreadable:
                    entries.append(Entry(number: number, manifest: nil, isUnread: true))
                default: throw error
                }
            }
        }
        return entries
    }

    private static func read(
        _ number: Int, of store: StoreID, _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> Manifest? {
        let file = try files.open(name(number), in: directory, .read)
        defer { files.close(file) }
        let size = try files.size(file)
        guard size >= ManifestHead.length, size <= maximumLength else { return nil }
        let bytes = try files.readAll(file, size, at: 0)
        guard bytes.count == size, let manifest = Manifest(verifying: bytes),
            manifest.store == store
        else { return nil }
        return manifest
    }

    /// Which of `entries` stay beside this one when it is written.
    ///
    /// - Parameters:
    ///   - retain: 2: also the newest one of the generation before.
    ///   - damaged: Files without which a generation is of no use.
    func kept(among entries: [Entry], retain: Int, without damaged: Set<String> = []) -> Entry? {
        let whole = entries.filter { entry in
            entry.manifest.map { !$0.needs(damaged) } ?? false
        }
        let older = whole.first { ($0.manifest?.firstNeededSeq ?? 0) < firstNeededSeq }
        if retain > 1, let older { return older }
        return whole.first { $0.manifest?.snapshot?.seq == snapshot?.seq }
    }

    /// Does this generation need one of `files`?
    func needs(_ files: Set<String>) -> Bool {
        files.contains { name in
            if let seq = SnapshotFormat.seq(ofName: name) { return seq == snapshot?.seq }
            if let seq = LogFormat.firstSeq(ofName: name) { return seq >= firstNeededSeq }
            return false
        }
    }

    /// Puts this one into the directory, synced, and removes those that are not kept any more.
    ///
    /// A damaged one is moved to `aside/`, and one that the disk did not give where it is among
    /// `damaged`: then all that it may have named is known from elsewhere.
    func write(
        _ files: any FileSystem, _ directory: DataDirectory, retain: Int,
        without damaged: Set<String> = []
    ) throws(SystemFault) {
        let handle = directory.handle
        let known = try Self.all(of: store, files, handle)
        let name = Self.name((known.first?.number ?? 0) + 1)
        try DataDirectory.writeFile(name, bytes: encoded(), files: files, directory: handle)
        let kept = kept(among: known, retain: retain, without: damaged)
        // This one counts from here on. Another that stays only keeps what it names.
        for entry in known where entry.number != kept?.number {
            if entry.isUnread, !damaged.contains(Self.name(entry.number)) { continue }
            if entry.manifest == nil {
                try? directory.moveAside(Self.name(entry.number), files)
            } else {
                try? files.remove(Self.name(entry.number), in: handle)
            }
        }
    }
}

/// Names the segments of a log that goes on without a snapshot, so that none is lost unnoticed.
final class ManifestJob: StoreJob {
    private let manifest: Manifest
    private let files: any FileSystem
    private let directory: DataDirectory
    private let retain: Int
    private let completion: @Sendable (SystemFault?) -> Void

    init(
        _ manifest: Manifest, _ files: any FileSystem, _ directory: DataDirectory, retain: Int,
        completion: @escaping @Sendable (SystemFault?) -> Void
    ) {
        self.manifest = manifest
        self.files = files
        self.directory = directory
        self.retain = retain
        self.completion = completion
    }

    var heals: Bool { false }

    /// It is short, and whole or not there.
    func cancel() {}

    func hurry() {}

    func run(between: @escaping () -> Void) -> @Sendable () -> Void {
        var fault: SystemFault?
        do throws(SystemFault) {
            try manifest.write(files, directory, retain: retain)
        } catch {
            fault = error
        }
        return { [completion, fault] in completion(fault) }
    }
}
