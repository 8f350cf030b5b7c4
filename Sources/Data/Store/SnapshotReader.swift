import FreshetBase
import FreshetEngine
import FreshetQuery
import Glibc
import Synchronization

/// Why a snapshot cannot be read.
enum SnapshotFault: Error {
    case damaged(LogDamage)
    case system(SystemFault)
}

/// What a snapshot holds, in tables.
struct LoadedSnapshot: Sendable {
    let header: SnapshotHeader
    let length: Int
    let checksum: UInt32
    let tables: [(name: TypeName, table: Table)]
}

/// A file under a snapshot's name, read whole and judged byte by byte.
///
/// The blocks' headers are read first: they say where everything is, and whether the file is whole.
/// Then the blocks are read, checked and made into documents by several threads, in parts of some
/// MiB, and the types' tables built by several, too.
struct SnapshotReader {
    let source: StoreFiles
    let seq: UInt64

    private var files: any FileSystem { source.files }

    var name: String { SnapshotFormat.name(seq) }

    /// Bytes that one thread reads at a time; beside a store that is written to, a block.
    private static let partLength = 4 << 20

    /// One type's blocks.
    private struct Section {
        let name: TypeName
        let entities: Int
        var parts: Range<Int>
    }

    /// Blocks of one section that follow each other in the file.
    struct Part: Sendable {
        var range: Range<Int>
        var firstBlock: Int
        var entities: Int
    }

    /// Where everything is.
    private struct Map {
        let header: SnapshotHeader
        var sections: [Section] = []
        var parts: [Part] = []
        var length = 0
        var checksum: UInt32 = 0
    }

    // MARK: What a file is

    /// Reads and checks every byte; makes nothing of it.
    ///
    /// - Parameters:
    ///   - isBeside: A store is written to on the same disk: little is read at a time.
    ///   - each: Called with the bytes of what was read last.
    /// - Returns: What a manifest says of it.
    func verify(
        beside isBeside: Bool = false, each: (Int) throws(SnapshotFailure) -> Void = { _ in }
    ) throws(SnapshotFailure) -> Manifest.Snapshot {
        let file: FileHandle
        let map: Map
        do throws(SnapshotFault) {
            file = try wrapping { () throws(SystemFault) in
                try files.open(name, in: source.directory, .read)
            }
        } catch {
            throw Self.failure(error)
        }
        defer { files.close(file) }
        // What counts is on the disk.
        files.dropCache(file)
        if isBeside { files.stopReadingAhead(file) }
        let partLength = isBeside ? SnapshotFormat.blockLength : Self.partLength
        do throws(SnapshotFault) {
            map = try self.map(file, partLength: partLength)
        } catch {
            throw Self.failure(error)
        }
        var buffer = ByteBuffer(capacity: partLength)
        for part in map.parts {
            do throws(SnapshotFault) {
                let count = try read(file, part, &buffer)
                try check(
                    UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]), part: part,
                    header: map.header
                ) {
                    _, _ throws(SnapshotFault) in
                }
            } catch {
                throw Self.failure(error)
            }
            try each(part.range.count)
        }
        return Manifest.Snapshot(
            seq: seq, length: map.length, entities: map.header.entities, checksum: map.checksum)
    }

    private static func failure(_ fault: SnapshotFault) -> SnapshotFailure {
        switch fault {
        case .damaged(let damage): .damaged(damage)
        case .system(let fault): .system(fault)
        }
    }

    // MARK: Loading

    /// Reads everything into tables.
    ///
    /// - Parameters:
    ///   - threads: At most so many, the caller's included.
    ///   - progress: Called on the caller's thread with bytes done and bytes in all.
    func load(
        threads: Int, progress: (Int, Int) -> Void = { _, _ in }
    ) throws(SnapshotFault) -> LoadedSnapshot {
        let file = try wrapping { () throws(SystemFault) in
            try files.open(name, in: source.directory, .read)
        }
        defer { files.close(file) }
        let map = try map(file)
        let header = map.header
        let parts = map.parts
        let results = ResultSlots<Result<[Document], SnapshotFault>>(count: parts.count)
        let done = Counter()
        Workers.run(
            parts.count, threads: threads, each: { progress(done.value, map.length) }
        ) { [self] index in
            results[index] = Result { () throws(SnapshotFault) in
                try documents(of: parts[index], file, header)
            }
            done.add(parts[index].range.count)
        }
        let tables = ResultSlots<Table>(count: map.sections.count)
        let collected = ResultSlots<[Document]>(count: map.sections.count)
        for (index, section) in map.sections.enumerated() {
            guard section.entities == parts[section.parts].reduce(0, { $0 + $1.entities }) else {
                throw damage(0, "the type \(section.name) has not as many entities as it says")
            }
            var documents: [Document] = []
            documents.reserveCapacity(section.entities)
            for part in section.parts {
                guard let result = results[part] else { continue }
                documents += try result.get()
                results[part] = nil
            }
            collected[index] = documents
        }
        Workers.run(map.sections.count, threads: threads) { index in
            tables[index] = Table(loading: collected[index] ?? [])
            collected[index] = nil
        }
        progress(map.length, map.length)
        var loaded: [(name: TypeName, table: Table)] = []
        for (index, section) in map.sections.enumerated() {
            guard let table = tables[index], table.count == section.entities else {
                throw damage(0, "the type \(section.name) has not as many entities as it says")
            }
            loaded.append((section.name, table))
        }
        return LoadedSnapshot(
            header: header, length: map.length, checksum: map.checksum, tables: loaded)
    }

    /// The document of a type with this revision and checksum, nil where there is none.
    func find(
        _ type: TypeName, revision: UInt64, checksum: UInt32
    ) throws(SnapshotFault) -> Document? {
        let file = try wrapping { () throws(SystemFault) in
            try files.open(name, in: source.directory, .read)
        }
        defer { files.close(file) }
        let map = try map(file)
        for section in map.sections where section.name == type {
            for part in map.parts[section.parts] {
                for document in try documents(of: part, file, map.header)
                where document.revision == revision && document.checksum == checksum {
                    return CRC32C.checksum(document.json) == checksum ? document : nil
                }
            }
        }
        return nil
    }

    private func documents(
        of part: Part, _ file: FileHandle, _ header: SnapshotHeader
    ) throws(SnapshotFault) -> [Document] {
        var buffer = ByteBuffer(capacity: part.range.count)
        let count = try read(file, part, &buffer)
        var documents: [Document] = []
        documents.reserveCapacity(part.entities)
        var builder = DocumentBuilder()
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
        try check(bytes, part: part, header: header) { payload, place throws(SnapshotFault) in
            let revision = payload.littleEndian(at: 0, as: UInt64.self)
            let checksum = payload.littleEndian(at: 12, as: UInt32.self)
            let json = UnsafeRawBufferPointer(
                rebasing: payload[SnapshotFormat.entityHeadLength...])
            do throws(DocumentFault) {
                let document = try builder.build(
                    stored: json, revision: revision, checksum: checksum)
                SnapshotEntityFlags.apply(payload[16], to: document)
                documents.append(document)
            } catch {
                throw damage(place, "an entity is no such thing")
            }
        }
        return documents
    }

    // MARK: Blocks

    /// Checks the blocks of a part, and calls `body` with each entity, head and JSON, and its offset.
    private func check(
        _ bytes: UnsafeRawBufferPointer, part: Part, header: SnapshotHeader,
        body: (UnsafeRawBufferPointer, Int) throws(SnapshotFault) -> Void
    ) throws(SnapshotFault) {
        let seed = header.seed
        let head = SnapshotFormat.entityHeadLength
        var offset = 0
        var number = part.firstBlock
        var found = 0
        while offset < bytes.count {
            let place = part.range.lowerBound + offset
            guard let block = SnapshotBlock(verifying: bytes, at: offset, seed: seed),
                block.number == UInt32(truncatingIfNeeded: number)
            else { throw damage(place, "a block is damaged") }
            let start = offset + SnapshotFormat.blockHeaderLength
            guard bytes.count - start >= Int(block.payloadLength) else {
                throw damage(place, "a block is cut")
            }
            let payload = UnsafeRawBufferPointer(
                rebasing: bytes[start..<start + Int(block.payloadLength)])
            guard CRC32C.checksum(payload) == block.payloadChecksum else {
                throw damage(place, "a block of entities is damaged")
            }
            var position = 0
            for _ in 0..<block.entities {
                guard payload.count - position >= head else {
                    throw damage(place, "a block has not as many entities as it says")
                }
                let length = Int(payload.littleEndian(at: position + 8, as: UInt32.self))
                let revision = payload.littleEndian(at: position, as: UInt64.self)
                guard payload.count - position - head >= length, revision > 0,
                    revision <= header.seq,
                    payload[position + 16] & ~SnapshotEntityFlags.known == 0
                else { throw damage(place, "an entity is of a kind that is not known") }
                try body(
                    UnsafeRawBufferPointer(
                        rebasing: payload[position..<position + head + length]),
                    place)
                position += head + length
                found += 1
            }
            guard payload.count - position < 8 else {
                throw damage(place, "a block holds more than its entities")
            }
            offset = start + payload.count
            number += 1
        }
        guard found == part.entities else {
            throw damage(part.range.lowerBound, "entities are missing")
        }
    }

    private func read(
        _ file: FileHandle, _ part: Part, _ buffer: inout ByteBuffer
    ) throws(SnapshotFault) -> Int {
        buffer.removeAll()
        let target = UnsafeMutableRawBufferPointer(
            start: buffer.reserve(part.range.count), count: part.range.count)
        let count = try wrapping { () throws(SystemFault) in
            try files.readAll(file, into: target, at: part.range.lowerBound)
        }
        guard count == part.range.count else {
            throw damage(part.range.lowerBound + count, "the file ends too soon")
        }
        buffer.advance(by: count)
        return count
    }

    // MARK: The map

    /// - Parameter partLength: Blocks are joined to parts of at most so many bytes.
    private func map(
        _ file: FileHandle, partLength: Int = Self.partLength
    ) throws(SnapshotFault) -> Map {
        let size = try wrapping { () throws(SystemFault) in try files.size(file) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(SnapshotFormat.headerLength, 1_024), alignment: 16)
        defer { buffer.deallocate() }
        let head = try fill(file, buffer, SnapshotFormat.headerLength, at: 0)
        guard let header = SnapshotHeader(verifying: head), header.store == source.store,
            header.seq == seq, header.major == LogFormat.major
        else { throw damage(0, "the snapshot's header is damaged") }
        var map = Map(header: header)
        let seed = header.seed
        var offset = SnapshotFormat.headerLength
        var number = 0
        var entities = 0
        while true {
            let bytes = try fill(file, buffer, SnapshotFormat.blockHeaderLength, at: offset)
            let end = offset + SnapshotFormat.blockHeaderLength
            guard let block = SnapshotBlock(verifying: bytes, seed: seed),
                block.number == UInt32(truncatingIfNeeded: number),
                Int(block.payloadLength) <= size - end
            else { throw damage(offset, "a block's header is damaged") }
            let next = end + Int(block.payloadLength)
            switch SnapshotBlockType(rawValue: block.type) {
            case .section:
                map.sections.append(
                    try section(file, buffer: buffer, block: block, offset: end, map: map))
            case .entities:
                guard Int(block.section) == map.sections.count, !map.sections.isEmpty else {
                    throw damage(offset, "a block is of no section")
                }
                // Memory is taken for as many.
                guard
                    Int(block.entities)
                        <= Int(block.payloadLength) / SnapshotFormat.entityHeadLength
                else { throw damage(offset, "a block has not as many entities as it says") }
                entities += Int(block.entities)
                add(block, range: offset..<next, number: number, partLength: partLength, map: &map)
            case .footer:
                let payload = try fill(file, buffer, Int(block.payloadLength), at: end)
                let footer = SnapshotFooter(payload)
                guard block.payloadChecksum == CRC32C.checksum(payload),
                    footer
                        == SnapshotFooter(
                            blocks: UInt64(number), entities: UInt64(entities), seq: seq,
                            rolling: map.checksum),
                    entities == header.entities, map.sections.count == header.sections
                else { throw damage(offset, "the snapshot's end is damaged") }
                guard next == size else {
                    throw damage(next, "the file is longer than the snapshot")
                }
                map.length = size
                return map
            case nil:
                guard block.flags & 1 == 1 else {
                    throw damage(offset, "a block of a kind that this version does not know")
                }
            }
            map.checksum = SegmentScan.roll(map.checksum, block.headerChecksum)
            offset = next
            number += 1
        }
    }

    private func section(
        _ file: FileHandle, buffer: UnsafeMutableRawBufferPointer, block: SnapshotBlock,
        offset: Int, map: Map
    ) throws(SnapshotFault) -> Section {
        let head = SnapshotFormat.sectionHeadLength
        let count = Int(block.payloadLength)
        guard count >= head, count <= buffer.count,
            Int(block.section) == map.sections.count + 1
        else { throw damage(offset, "a section is damaged") }
        let payload = try fill(file, buffer, count, at: offset)
        let length = Int(payload.littleEndian(at: 8, as: UInt16.self))
        guard CRC32C.checksum(payload) == block.payloadChecksum, count - head >= length,
            let name = TypeName(
                stored: UnsafeRawBufferPointer(rebasing: payload[head..<head + length]))
        else { throw damage(offset, "a section is damaged") }
        return Section(
            name: name, entities: Int(clamping: payload.littleEndian(at: 0, as: UInt64.self)),
            parts: map.parts.count..<map.parts.count)
    }

    /// Joins a block to the last part of its section, or begins one.
    private func add(
        _ block: SnapshotBlock, range: Range<Int>, number: Int, partLength: Int,
        map: inout Map
    ) {
        let section = map.sections.count - 1
        if let last = map.parts.last, !map.sections[section].parts.isEmpty,
            last.range.upperBound == range.lowerBound,
            range.upperBound - last.range.lowerBound <= partLength
        {
            map.parts[map.parts.count - 1].range = last.range.lowerBound..<range.upperBound
            map.parts[map.parts.count - 1].entities += Int(block.entities)
            return
        }
        map.parts.append(
            Part(range: range, firstBlock: number, entities: Int(block.entities)))
        map.sections[section].parts = map.sections[section].parts.lowerBound..<map.parts.count
    }

    // MARK: Files

    private func fill(
        _ file: FileHandle, _ buffer: UnsafeMutableRawBufferPointer, _ count: Int, at offset: Int
    ) throws(SnapshotFault) -> UnsafeRawBufferPointer {
        guard count <= buffer.count else { throw damage(offset, "a block is too long") }
        let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        let done = try wrapping { () throws(SystemFault) in
            try files.readAll(file, into: target, at: offset)
        }
        guard done == count else { throw damage(offset + done, "the file ends too soon") }
        return UnsafeRawBufferPointer(target)
    }

    private func wrapping<Value>(
        _ body: () throws(SystemFault) -> Value
    ) throws(SnapshotFault) -> Value {
        do throws(SystemFault) {
            return try body()
        } catch {
            let error = error.named(name)
            if error.isLoss { throw damage(0, error.finding) }
            if error.code == ENOENT { throw damage(0, "the snapshot is missing") }
            throw .system(error)
        }
    }

    private func damage(_ offset: Int, _ finding: String) -> SnapshotFault {
        .damaged(LogDamage(file: name, offset: offset, lost: nil, finding: finding))
    }
}
