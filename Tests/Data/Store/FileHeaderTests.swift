import FreshetBase
import Testing

@testable import FreshetStore

/// The bytes of each header, written down from the comments that specify the formats.
struct FileHeaderTests {
    private let store = StoreID(high: 0x0102_0304_0506_0708, low: 0x1112_1314_1516_1718)

    /// Little-endian fields at their offsets, zeros elsewhere, and the checksum at the end.
    private func bytes(
        _ length: Int, _ magic: String, _ fields: [(offset: Int, bytes: Int, value: UInt64)],
        text: (offset: Int, String)? = nil
    ) -> [UInt8] {
        var bytes = Array(magic.utf8) + [UInt8](repeating: 0, count: length - magic.utf8.count)
        for field in fields {
            for index in 0..<field.bytes {
                bytes[field.offset + index] = UInt8(truncatingIfNeeded: field.value >> (8 * index))
            }
        }
        for (index, byte) in (text?.1.utf8 ?? "".utf8).enumerated() {
            bytes[(text?.offset ?? 0) + index] = byte
        }
        let checksum = bytes.dropLast(4).withUnsafeBytes { CRC32C.checksum($0) }
        for index in 0..<4 { bytes[length - 4 + index] = UInt8(checksum >> (8 * index) & 0xFF) }
        return bytes
    }

    private func head(at offset: Int) -> [(offset: Int, bytes: Int, value: UInt64)] {
        [(offset, 8, store.high), (offset + 8, 8, store.low)]
    }

    /// Is this how the header is written, and what is read of these bytes; and does a changed bit
    /// anywhere keep it from being read?
    private func expect<Header: FileHeader & Equatable>(
        _ header: Header, is bytes: [UInt8], checksum: WritableKeyPath<Header, UInt32>? = nil
    ) {
        #expect(header.encoded() == bytes)
        var expected = header
        if let checksum { expected[keyPath: checksum] = HeaderFields.checksum(of: bytes) }
        #expect(Header(verifying: bytes) == expected)
        #expect(Header(verifying: bytes + [7]) == expected)
        #expect(Header(verifying: Array(bytes.dropLast())) == nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << (index % 8)
            #expect(Header(verifying: changed) == nil, "byte \(index)")
        }
    }

    /// A checksum says that bytes are those that were written, not that Freshet wrote them.
    @Test(arguments: [1 << 62, UInt64(Int64.max), .max]) func seqsAndCountsHaveBounds(
        _ many: UInt64
    ) {
        for place in [32, 40, 56, 64] {
            let forged = bytes(
                128, "FRESHETL", [(8, 2, 1), (12, 4, 128)] + head(at: 16) + [(place, 8, many)])
            #expect(SegmentHeader(verifying: forged) == nil, "at \(place)")
        }
        let snapshot = bytes(
            128, "FRESHETS", [(8, 2, 1), (12, 4, 128)] + head(at: 16) + [(32, 8, many)])
        #expect(SnapshotHeader(verifying: snapshot) == nil)
        #expect(LogFormat.firstSeq(ofName: LogFormat.segmentName(0)) == nil)
        #expect(LogFormat.firstSeq(ofName: LogFormat.segmentName(1)) == 1)
        // Of a store that was compacted before its first commit.
        #expect(SnapshotFormat.seq(ofName: SnapshotFormat.name(0)) == 0)
        var manifest = Manifest(store: store, epoch: 1, durableSeq: 9, activeSegment: 9)
        manifest.segments = [
            .init(firstSeq: 9, lastSeq: 0, length: 1, checksum: 2, isFinished: false)
        ]
        #expect(Manifest(verifying: manifest.encoded()) == manifest)
        // The entry of 32 bytes before the checksum.
        let place = manifest.encoded().count - 40
        for (offset, value) in [(0, many), (8, many)] {
            var forged = manifest.encoded()
            for index in 0..<8 {
                forged[place + offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
            }
            let body = forged[place..<forged.count - 8].withUnsafeBytes { CRC32C.checksum($0) }
            for index in 0..<4 {
                forged[forged.count - 8 + index] = UInt8(truncatingIfNeeded: body >> (8 * index))
            }
            #expect(Manifest(verifying: forged) == nil, "\(offset)")
        }
    }

    @Test func aSegmentsHeader() {
        expect(
            SegmentHeader(
                store: store, firstSeq: 3, predecessor: 4, predecessorEnd: 5, predecessorSeq: 6,
                durableSeq: 7, created: -8),
            is: bytes(
                128, "FRESHETL",
                [(8, 2, 1), (12, 4, 128)] + head(at: 16) + [
                    (32, 8, 3), (40, 8, 4), (48, 8, 5), (56, 8, 6), (64, 8, 7),
                    (72, 8, UInt64(bitPattern: -8)),
                ]), checksum: \.checksum)
    }

    @Test func aSnapshotsHeader() {
        expect(
            SnapshotHeader(
                store: store, seq: 1 << 40, epoch: Epoch(value: 2), lastTime: 3, created: 4,
                entities: 1 << 33, sections: 6),
            is: bytes(
                128, "FRESHETS",
                [(8, 2, 1), (12, 4, 128)] + head(at: 16) + [
                    (32, 8, 1 << 40), (40, 8, 2), (48, 8, 3), (56, 8, 4), (64, 8, 1 << 33),
                    (72, 4, 6),
                ]), checksum: \.checksum)
    }

    @Test func aBackupsHeaderMembersAndEnd() {
        expect(
            BackupHeader(
                store: store, created: 1, seq: 2, epoch: Epoch(value: 3), bytes: 4, members: 5,
                writer: "1.2.3"),
            is: bytes(
                128, "FRESHETB",
                [(8, 2, 1), (12, 4, 128)] + head(at: 16) + [
                    (48, 8, 1), (56, 8, 2), (64, 8, 3), (72, 8, 4), (80, 4, 5),
                ], text: (88, "1.2.3")))
        expect(
            BackupMember(name: "MANIFEST-000001", bytes: 9),
            is: bytes(64, "FRM2", [(8, 8, 9)], text: (16, "MANIFEST-000001")))
        expect(
            BackupEnd(bytes: 1, members: 2, checksum: 3),
            is: bytes(32, "FRESHETE", [(8, 8, 1), (16, 4, 2), (20, 4, 3)]))
    }

    @Test func theIdentityOfADirectory() {
        var identity = StoreIdentity(
            store: store, created: WallTime(milliseconds: 5), writer: "1.0")
        identity.requiredFeatures = ["a", "bc"]
        var half = bytes(
            2_048, "FRESHET\n", [(8, 2, 1)] + head(at: 16) + [(32, 8, 5), (80, 2, 4)],
            text: (48, "1.0"))
        half.replaceSubrange(82..<86, with: Array("a,bc".utf8))
        let checksum = half.dropLast(4).withUnsafeBytes { CRC32C.checksum($0) }
        for index in 0..<4 { half[2_044 + index] = UInt8(checksum >> (8 * index) & 0xFF) }
        expect(identity, is: half)
        #expect(identity.file == half + half)
    }

    @Test func aManifestsHead() {
        let manifest = Manifest(store: store, epoch: 3, durableSeq: 1, activeSegment: 2)
        let head = bytes(
            64, "FRM1",
            [(4, 4, 72)] + head(at: 8) + [(24, 8, 1), (32, 8, 2), (40, 8, 3)])
        #expect(manifest.encoded() == head + [UInt8](repeating: 0, count: 8))
        #expect(Manifest(verifying: manifest.encoded()) == manifest)
    }
}
