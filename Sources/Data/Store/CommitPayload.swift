import FreshetBase
import FreshetQuery

/// Kind of an entry in a logged commit.
enum EntryKind: UInt8 {
    case set = 1
    case remove = 2
    /// As set, by a fetch from the type's remote.
    case setFetched = 3
}

/// One entry of a logged commit; its bytes lie in the payload.
struct LoggedEntry {
    let kind: EntryKind
    let type: UnsafeRawBufferPointer
    let id: UnsafeRawBufferPointer
    let entity: UnsafeRawBufferPointer
    let checksum: UInt32

    /// What it sets; not for a remove.
    @inline(__always)
    func document(
        revision: UInt64, using builder: inout DocumentBuilder
    ) throws(DocumentFault) -> Document {
        let document = try builder.build(stored: entity, revision: revision, checksum: checksum)
        if kind == .setFetched { document.markFetched() }
        return document
    }
}

/// The head of one logged commit.
struct LoggedCommit {
    let seq: UInt64
    let time: Int64
    let entryCount: Int
    let tokenName: UnsafeRawBufferPointer
    let idempotencyKey: UnsafeRawBufferPointer
}

/// Writes commits as the payload of a frame.
enum CommitEncoder {
    static let commitHeadLength = 24
    static let entryHeadLength = 12

    static func appendHead(
        seq: UInt64, time: Int64, entryCount: Int, tokenName: String, idempotencyKey: [UInt8],
        to buffer: inout ByteBuffer
    ) {
        var tokenName = tokenName
        tokenName.withUTF8 { name in
            // Names and keys are bounded far below by the server; the field cannot hold more.
            let name = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(name).prefix(65_535))
            buffer.append(littleEndian: seq)
            buffer.append(littleEndian: time)
            buffer.append(littleEndian: UInt32(entryCount))
            buffer.append(littleEndian: UInt16(name.count))
            buffer.append(littleEndian: UInt16(min(idempotencyKey.count, 65_535)))
            buffer.append(name)
        }
        idempotencyKey.withUnsafeBytes {
            buffer.append(UnsafeRawBufferPointer(rebasing: $0.prefix(65_535)))
        }
    }

    /// Appends one entry. - Parameter document: nil for a remove.
    static func appendEntry(
        type: TypeName, id: UnsafeRawBufferPointer, document: Document?,
        to buffer: inout ByteBuffer
    ) {
        type.withBytes { name in
            let kind: EntryKind =
                document.map { $0.isFetched ? .setFetched : .set } ?? .remove
            buffer.append(kind.rawValue)
            buffer.append(UInt8(name.count))
            buffer.append(littleEndian: UInt16(id.count))
            buffer.append(littleEndian: UInt32(document?.json.count ?? 0))
            buffer.append(littleEndian: document?.checksum ?? 0)
            buffer.append(name)
        }
        buffer.append(id)
        if let document { buffer.append(document.json) }
    }

    /// Pads the payload that began at `start` with zeros to a multiple of 8.
    static func pad(_ buffer: inout ByteBuffer, from start: Int) {
        while (buffer.count - start) % 8 != 0 { buffer.append(UInt8(0)) }
    }
}

/// Reads commits back, in order. Every length is checked; nil is a payload that is no such thing.
struct CommitDecoder {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ payload: UnsafeRawBufferPointer) {
        bytes = payload
    }

    /// Decodes the commits of a frame: each commit, and each of its entries, in their order.
    ///
    /// - Parameters:
    ///   - commit: Called before the commit's entries.
    ///   - entry: false for one that is no such thing, which ends the reading.
    ///   - end: Called behind them.
    /// - Returns: What is wrong with the payload, nil where nothing is.
    @inline(__always)
    static func read(
        _ payload: UnsafeRawBufferPointer, from firstSeq: UInt64, count: UInt32,
        commit: (LoggedCommit) -> Void = { _ in }, entry: (LoggedCommit, LoggedEntry) -> Bool,
        end: (LoggedCommit) -> Void = { _ in }
    ) -> String? {
        var decoder = CommitDecoder(payload)
        for index in 0..<UInt64(count) {
            guard let logged = decoder.commit(), logged.seq == firstSeq &+ index else {
                return "a commit cannot be read"
            }
            commit(logged)
            for _ in 0..<logged.entryCount {
                guard let found = decoder.entry(), entry(logged, found) else {
                    return "an entity of seq \(logged.seq) cannot be read"
                }
            }
            end(logged)
        }
        return decoder.isAtEnd ? nil : "a frame holds more than its commits"
    }

    mutating func commit() -> LoggedCommit? {
        guard bytes.count - offset >= CommitEncoder.commitHeadLength else { return nil }
        let seq = bytes.littleEndian(at: offset, as: UInt64.self)
        let time = bytes.littleEndian(at: offset + 8, as: Int64.self)
        let count = Int(bytes.littleEndian(at: offset + 16, as: UInt32.self))
        let nameLength = Int(bytes.littleEndian(at: offset + 20, as: UInt16.self))
        let keyLength = Int(bytes.littleEndian(at: offset + 22, as: UInt16.self))
        offset += CommitEncoder.commitHeadLength
        guard let name = take(nameLength), let key = take(keyLength) else { return nil }
        return LoggedCommit(
            seq: seq, time: time, entryCount: count, tokenName: name, idempotencyKey: key)
    }

    mutating func entry() -> LoggedEntry? {
        guard bytes.count - offset >= CommitEncoder.entryHeadLength,
            let kind = EntryKind(rawValue: bytes[offset])
        else { return nil }
        let typeLength = Int(bytes[offset + 1])
        let idLength = Int(bytes.littleEndian(at: offset + 2, as: UInt16.self))
        let entityLength = Int(bytes.littleEndian(at: offset + 4, as: UInt32.self))
        let checksum = bytes.littleEndian(at: offset + 8, as: UInt32.self)
        offset += CommitEncoder.entryHeadLength
        guard let type = take(typeLength), let id = take(idLength), let entity = take(entityLength)
        else { return nil }
        return LoggedEntry(kind: kind, type: type, id: id, entity: entity, checksum: checksum)
    }

    /// Is all read, but for the zeros that pad it?
    var isAtEnd: Bool {
        bytes.count - offset < 8 && bytes[offset...].allSatisfy { $0 == 0 }
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard bytes.count - offset >= count else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}
