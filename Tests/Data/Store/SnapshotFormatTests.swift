import FreshetBase
import FreshetEngine
import FreshetQuery
import Testing

@testable import FreshetStore

@Suite struct SnapshotFormatTests {
    /// A snapshot of two types at seq 3; see SnapshotFormat for what each byte is.
    private static let golden = """
        4652455348455453010000008000000008070605040302011817161514131211
        030000000000000007000000000000000068e5cf8b0100000168e5cf8b010000
        0200000000000000020000000000000000000000000000000000000000000000
        000000000000000000000000000000000000000000000000000000000d61613f
        4652423118000000010000000100000000000000000000008f37efb500000000
        8a3821bb00000000020000000000000001000000000000007400000000000000
        465242314000000002000000010000000200000001000000c66ed03f00000000
        df5490190000000003000000000000000e000000fe1c8c5c000000007b226964
        223a372c226e223a317d01000000000000000a0000002b904aa8000000007b22
        6964223a2261227d465242311800000001000000020000000000000002000000
        45b9a08d00000000452447090000000000000000000000000100000000000000
        7500000000000000465242312000000003000000000000000000000003000000
        26dbc9e700000000cce2c3ed0000000003000000000000000200000000000000
        0300000000000000e3e6837900000000
        """

    private static func source() throws -> SnapshotSource {
        var table = Table()
        for (revision, json) in [(1, #"{"id":"a"}"#), (3, #"{"id":7,"n":1}"#)] as [(UInt64, String)]
        {
            let document = try Make.document(json)
            document.seal(revision: revision)
            _ = table.insert(document)
        }
        return SnapshotSource(
            store: StoreID(high: 0x0102_0304_0506_0708, low: 0x1112_1314_1516_1718), seq: 3,
            epoch: Epoch(value: 7), lastTime: 1_700_000_000_000, created: 1_700_000_000_001,
            sections: [
                (Make.type("t"), table.view(seq: 3)), (Make.type("u"), Table().view(seq: 3)),
            ])
    }

    private static func written(
        _ source: SnapshotSource, _ files: SimulatedFileSystem
    ) throws -> (Manifest.Snapshot, [UInt8], FileHandle) {
        let handle = try files.openDirectory(path: "data", creating: true)
        let file = try files.open(SnapshotFormat.name(source.seq), in: handle, .make)
        var pace = SnapshotPace(bytesPerSecond: 0, isCancelled: { false })
        var writer = SnapshotWriter(files, file)
        let snapshot = try writer.write(source, &pace)
        return (
            snapshot, try #require(files.content(of: SnapshotFormat.name(source.seq))), handle
        )
    }

    @Test func aSnapshotIsWrittenAsItsSpecificationSays() throws {
        let (snapshot, bytes, _) = try Self.written(try Self.source(), SimulatedFileSystem(seed: 1))
        let expected = Self.golden.filter { !$0.isWhitespace }
        let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(text == expected)
        #expect(snapshot.length == bytes.count && snapshot.entities == 2)
    }

    @Test func whatIsWrittenIsReadByAnyNumberOfThreads() throws {
        let seed = UInt64.random(in: 0..<1_000)
        var random = Seeded(seed)
        var tables: [(name: TypeName, table: TableView)] = []
        for name in ["a", "b", "c"] {
            var table = Table()
            for index in 0..<Int.random(in: 0...400, using: &random) {
                let text = String(
                    repeating: "x",
                    count: Int.random(in: 0...60_000, using: &random) / (index % 9 + 1))
                let document = try Make.document(
                    "{\"id\":\"\(index * 7 % 401)\",\"text\":\"\(text)\"}")
                document.seal(revision: UInt64(index + 1))
                if index % 3 == 0 { document.markFetched() }
                _ = table.insert(document)
            }
            tables.append((Make.type(name), table.view(seq: 500)))
        }
        let source = SnapshotSource(
            store: .random(), seq: 500, epoch: Epoch(value: 7), lastTime: 0, created: 0,
            sections: tables)
        let files = SimulatedFileSystem(seed: seed)
        let (snapshot, _, handle) = try Self.written(source, files)
        let reader = StoreFiles(files: files, directory: handle, store: source.store)
            .snapshot(500)
        #expect(try reader.verify() == snapshot, "seed \(seed)")
        for threads in [1, 2, 5] {
            let loaded = try reader.load(threads: threads)
            #expect(loaded.checksum == snapshot.checksum && loaded.length == snapshot.length)
            #expect(loaded.tables.map(\.name) == tables.map(\.name))
            for (found, expected) in zip(loaded.tables, tables) {
                #expect(found.table.count == expected.table.count, "seed \(seed)")
                expected.table.forEach { document in
                    let other = found.table.document(document.idBytes)
                    #expect(
                        other?.text == document.text && other?.revision == document.revision
                            && other?.isFetched == document.isFetched
                            && other?.checksum == document.checksum, "seed \(seed)")
                }
            }
        }
    }

    @Test func entitiesWithFlagsOfALaterVersionAreRefused() throws {
        let files = SimulatedFileSystem(seed: 1)
        let source = try Self.source()
        let (_, bytes, handle) = try Self.written(source, files)
        // Set a flag of the first entity, and make every checksum right again.
        var changed = bytes
        let header = try #require(bytes.withUnsafeBytes { SnapshotHeader(verifying: $0) })
        var rolling: UInt32 = 0
        try changed.withUnsafeMutableBytes { target in
            var offset = SnapshotFormat.headerLength
            while true {
                let place = UnsafeRawBufferPointer(target)
                var block = try #require(
                    SnapshotBlock(verifying: place, at: offset, seed: header.seed))
                let start = offset + SnapshotFormat.blockHeaderLength
                let end = start + Int(block.payloadLength)
                if block.type == SnapshotBlockType.entities.rawValue { target[start + 16] = 0x80 }
                if block.type == SnapshotBlockType.footer.rawValue {
                    target.store(rolling, at: start + 24)
                }
                block.payloadChecksum = CRC32C.checksum(
                    UnsafeRawBufferPointer(rebasing: place[start..<end]))
                block.write(
                    to: UnsafeMutableRawBufferPointer(rebasing: target[offset..<start]),
                    seed: header.seed)
                if block.type == SnapshotBlockType.footer.rawValue { break }
                rolling = SegmentScan.roll(rolling, block.headerChecksum)
                offset = end
            }
        }
        files.replace(SnapshotFormat.name(3), with: changed)
        let reader = StoreFiles(files: files, directory: handle, store: source.store).snapshot(3)
        #expect(throws: SnapshotFault.self) { _ = try reader.load(threads: 1) }
        files.replace(SnapshotFormat.name(3), with: bytes)
        #expect(try reader.load(threads: 1).tables.count == 2)
    }

    @Test func namesOfSnapshotsAndManifestsAreReadAsTheyAreWritten() {
        #expect(SnapshotFormat.name(104_000) == "snap-0000000000104000.fs")
        #expect(SnapshotFormat.seq(ofName: "snap-0000000000104000.fs") == 104_000)
        for name in ["snap-1.fs", "snap-000000000010400x.fs", "snap-0000000000104000.fl", "tmp-"] {
            #expect(SnapshotFormat.seq(ofName: name) == nil)
        }
        #expect(
            Manifest.name(42) == "MANIFEST-000042" && Manifest.name(1_000_000) == "MANIFEST-1000000"
        )
        #expect(Manifest.number(ofName: "MANIFEST-1000000") == 1_000_000)
        for name in ["MANIFEST-42", "MANIFEST-000000", "MANIFEST--00001", "MANIFEST-0000042"] {
            #expect(Manifest.number(ofName: name) == nil)
        }
    }

    @Test func aManifestIsReadAsItIsWritten() {
        var manifest = Manifest(
            store: StoreID(high: 1, low: 2), epoch: 3, durableSeq: 40, activeSegment: 31,
            snapshot: Manifest.Snapshot(seq: 30, length: 4_000, entities: 5, checksum: 6))
        manifest.segments = [
            Manifest.Segment(
                firstSeq: 31, lastSeq: 40, length: 700, checksum: 8, isFinished: false)
        ]
        #expect(Manifest(verifying: manifest.encoded()) == manifest)
        #expect(manifest.firstNeededSeq == 31)
        manifest.snapshot = nil
        #expect(Manifest(verifying: manifest.encoded()) == manifest)
        #expect(manifest.firstNeededSeq == 0)
    }
}
