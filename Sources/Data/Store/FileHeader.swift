import FreshetBase

/// A record of a fixed length at a known place of a file: its magic first, the crc of all before it
/// in its last four bytes, and between them fields that `layout` names once, for both directions.
protocol FileHeader {
    static var magic: String { get }
    static var length: Int { get }

    /// A header whose fields are about to be read.
    init()

    /// Reads or writes each field at its offset. What no field covers is written as zeros.
    mutating func layout(_ fields: inout HeaderFields)
}

extension FileHeader {
    func encoded() -> [UInt8] {
        var header = self
        var fields = HeaderFields(writing: Self.magic, length: Self.length)
        header.layout(&fields)
        return fields.sealed()
    }

    /// The header at the beginning of `bytes` if its magic and checksum are right, and no number in it
    /// is greater than any that was ever written.
    init?(verifying bytes: UnsafeRawBufferPointer) {
        guard var fields = HeaderFields(verifying: bytes, Self.magic, length: Self.length) else {
            return nil
        }
        self.init()
        layout(&fields)
        guard fields.isSound else { return nil }
    }

    init?(verifying bytes: [UInt8]) {
        guard let header = bytes.withUnsafeBytes({ Self(verifying: $0) }) else { return nil }
        self = header
    }
}

/// The bytes of a header whose fields are being read or written. Numbers are little endian.
struct HeaderFields {
    private var bytes: [UInt8]
    private let isReading: Bool
    /// Whether all seqs and counts are within their bounds: so that whoever adds to one, or takes a
    /// range of it, need not ask.
    fileprivate private(set) var isSound = true

    private static let mostOfACount = 1 << 60

    fileprivate init(writing magic: String, length: Int) {
        bytes = Array(magic.utf8) + [UInt8](repeating: 0, count: length - magic.utf8.count)
        isReading = false
    }

    fileprivate init?(verifying source: UnsafeRawBufferPointer, _ magic: String, length: Int) {
        guard source.count >= length, source.prefix(magic.utf8.count).elementsEqual(magic.utf8)
        else { return nil }
        bytes = Array(source.prefix(length))
        isReading = true
        guard Self.checksum(of: bytes) == computed else { return nil }
    }

    /// The checksum that the last bytes of a header tell.
    static func checksum(of header: [UInt8]) -> UInt32 {
        header.withUnsafeBytes { $0.littleEndian(at: $0.count - 4, as: UInt32.self) }
    }

    private var computed: UInt32 {
        bytes.withUnsafeBytes {
            CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0.dropLast(4)))
        }
    }

    fileprivate mutating func sealed() -> [UInt8] {
        var checksum = computed
        number(&checksum, at: bytes.count - 4)
        return bytes
    }

    mutating func number<Number: FixedWidthInteger>(_ value: inout Number, at offset: Int) {
        if isReading {
            value = bytes.withUnsafeBytes { $0.littleEndian(at: offset, as: Number.self) }
        } else {
            bytes.withUnsafeMutableBytes { [value] in $0.store(value, at: offset) }
        }
    }

    /// The number of a commit.
    mutating func seq(_ value: inout UInt64, at offset: Int) {
        number(&value, at: offset)
        if value >= LogFormat.largestSeq { isSound = false }
    }

    /// A number of things, which the header has as a `Stored`.
    mutating func count<Stored: FixedWidthInteger>(
        _ value: inout Int, as type: Stored.Type, at offset: Int
    ) {
        var stored = isReading ? 0 : Stored(value)
        number(&stored, at: offset)
        value = Int(clamping: stored)
        if value > Self.mostOfACount { isSound = false }
    }

    mutating func store(_ id: inout StoreID, at offset: Int) {
        number(&id.high, at: offset)
        number(&id.low, at: offset + 8)
    }

    mutating func epoch(_ epoch: inout Epoch, at offset: Int) {
        var value = epoch.value
        number(&value, at: offset)
        epoch = Epoch(value: value)
    }

    /// Text with zeros behind it; what is too long is cut.
    mutating func text(_ value: inout String, in range: Range<Int>) {
        if isReading {
            value = String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
        } else {
            let text = value.utf8.prefix(range.count)
            bytes.replaceSubrange(range.prefix(text.count), with: text)
        }
    }

    /// What the files that begin with a header of 128 bytes have in common.
    mutating func file(major: inout UInt16, store id: inout StoreID) {
        var (minor, length) = (LogFormat.minor, UInt32(bytes.count))
        number(&major, at: 8)
        number(&minor, at: 10)
        number(&length, at: 12)
        store(&id, at: 16)
    }

    /// The header's own, which what follows it is chained to; set when it is read.
    func checksum(_ value: inout UInt32) {
        if isReading { value = Self.checksum(of: bytes) }
    }
}
