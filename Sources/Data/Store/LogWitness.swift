import FreshetBase

// What was durable, told outside the log: a log that was cut short cannot say so itself.
//
// MANIFEST-000042, 64 bytes, little endian; the number grows, the two newest are kept:
//
//     0–3    magic `FRM1`
//     4–7    length of this file, 64
//     8–23   store id
//     24–31  durableSeq: every commit up to it was synced before this file was made
//     32–39  first seq of the segment that was active then
//     40–59  0
//     60–63  CRC-32C over bytes 0–59
//
// Written at each start, when the log has been read and synced, and at each clean close: under a
// temporary name, synced, renamed, the directory synced. Never on the way of a commit. A directory
// without one, or with damaged ones, is read as if nobody had told anything. Snapshots will extend
// it; a reader takes what the length covers.

/// The highest seq that is known to have been durable.
struct LogWitness: Equatable {
    let store: StoreID
    let durableSeq: UInt64
    let activeSegment: UInt64

    private static let prefix = "MANIFEST-"
    private static let magic = Array("FRM1".utf8)
    private static let length = 64

    /// The number in a witness's name.
    static func number(ofName name: String) -> Int? {
        guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 6 else { return nil }
        return Int(name.dropFirst(prefix.count))
    }

    private static func name(_ number: Int) -> String {
        let digits = String(number)
        return prefix + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    private static func numbers(
        _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> [Int] {
        try files.list(directory).compactMap { number(ofName: $0) }.sorted()
    }

    /// The newest whole one of `store`, nil where there is none.
    static func newest(
        of store: StoreID, _ files: any FileSystem, _ directory: FileHandle
    ) throws(SystemFault) -> LogWitness? {
        for number in try numbers(files, directory).reversed() {
            guard
                let bytes = try files.contents(
                    of: name(number), in: directory, atMost: length),
                let witness = LogWitness(verifying: bytes), witness.store == store
            else { continue }
            return witness
        }
        return nil
    }

    /// Puts this one beside the log and drops all but the newest before it.
    func write(_ files: any FileSystem, _ directory: FileHandle) throws(SystemFault) {
        let known = try Self.numbers(files, directory)
        let name = Self.name((known.last ?? 0) % 999_999 + 1)
        let temporary = "tmp-" + name
        let file = try files.open(temporary, in: directory, .make)
        var fault: SystemFault?
        encoded().withUnsafeBytes { bytes in
            do throws(SystemFault) {
                try files.truncate(file, to: 0)
                try files.writeAll(file, bytes, at: 0)
                try files.sync(file)
            } catch {
                fault = error
            }
        }
        files.close(file)
        if let fault { throw fault }
        try files.rename(temporary, in: directory, to: name, in: directory)
        try files.sync(directory)
        for number in known.dropLast() { try files.remove(Self.name(number), in: directory) }
    }

    private func encoded() -> [UInt8] {
        var bytes = ByteBuffer(capacity: Self.length)
        bytes.append(Self.magic)
        bytes.append(littleEndian: UInt32(Self.length))
        bytes.append(littleEndian: store.high)
        bytes.append(littleEndian: store.low)
        bytes.append(littleEndian: durableSeq)
        bytes.append(littleEndian: activeSegment)
        while bytes.count < Self.length - 4 { bytes.append(0) }
        bytes.append(littleEndian: CRC32C.checksum(bytes.bytes))
        return [UInt8](bytes.bytes)
    }

    init(store: StoreID, durableSeq: UInt64, activeSegment: UInt64) {
        self.store = store
        self.durableSeq = durableSeq
        self.activeSegment = activeSegment
    }

    private init?(verifying bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else { return nil }
        let witness = bytes.withUnsafeBytes { raw -> LogWitness? in
            let covered = UnsafeRawBufferPointer(rebasing: raw[..<(Self.length - 4)])
            let checksum = raw.littleEndian(at: Self.length - 4, as: UInt32.self)
            guard CRC32C.checksum(covered) == checksum else { return nil }
            return LogWitness(
                store: StoreID(
                    high: raw.littleEndian(at: 8, as: UInt64.self),
                    low: raw.littleEndian(at: 16, as: UInt64.self)),
                durableSeq: raw.littleEndian(at: 24, as: UInt64.self),
                activeSegment: raw.littleEndian(at: 32, as: UInt64.self))
        }
        guard let witness else { return nil }
        self = witness
    }
}
