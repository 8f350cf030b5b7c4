import FreshetBase
import FreshetQuery
import Testing

@testable import FreshetStore

@Suite struct LogFormatTests {
    /// Made by another program from the specification at the top of LogFormat.swift: a segment's
    /// header, an epoch, one commit (synced), a mark.
    private static let golden = """
        465245534845544c0100000080000000efcdab89674523011032547698badcfe
        0100000000000000000000000000000000000000000000000000000000000000
        00000000000000000068e5cf8b01000000000000000000000000000000000000
        0000000000000000000000000000000000000000000000000000000075180631
        46524c3110000000010000000000000000000000040000000000000000000000
        594cd424f2568c9791a4e1bb0000000007000000000000000000000000000000
        46524c3138000000010000000000000001000000010000000000000000000000
        dc19b504c61c77d5621bc3a50000000001000000000000000068e5cf8b010000
        010000000200010063696b010101000a0000002b904aa874617b226964223a22
        61227d000000000046524c310000000002000000000000000000000002000000
        01000000000000001a42921b00000000e222719a00000000
        """

    @Test func aSegmentIsByteForByteAsSpecified() throws {
        let files = SimulatedFileSystem(seed: 1)
        let directory = try files.openDirectory(path: "data", creating: true)
        let writer = try LogWriter(
            files: files, directory: directory,
            store: StoreID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210),
            summary: LogSummary(), epoch: Epoch(value: 7),
            clock: ManualClock(), segmentLength: 1 << 20, allocationStep: 4_096)
        let document = try Make.document(#"{"id":"a"}"#)
        var frame = LogWriter.emptyFrame()
        CommitEncoder.appendHead(
            seq: 1, time: 1_700_000_000_000, entryCount: 1, tokenName: "ci",
            idempotencyKey: Array("k".utf8), to: &frame)
        CommitEncoder.appendEntry(
            type: Make.type("t"), id: document.idBytes, document: document, to: &frame)
        CommitEncoder.pad(&frame, from: LogFormat.frameHeaderLength)
        try writer.append(.commits, firstSeq: 1, commitCount: 1, frame: &frame)
        try writer.sync()
        try writer.mark(nextSeq: 2, clean: false)
        let content = try #require(files.content(of: LogFormat.segmentName(1)))
        let expected = Self.golden.filter { !$0.isWhitespace }
        let text = content[..<writer.bytes(from: 0)].map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        #expect(text == expected)
        #expect(content[writer.bytes(from: 0)...].allSatisfy { $0 == 0 })
    }

    @Test func segmentsAreNamedByTheirFirstSeqInSixteenDigits() {
        #expect(LogFormat.segmentName(104_001) == "log-0000000000104001.fl")
        #expect(LogFormat.firstSeq(ofName: "log-0000000000104001.fl") == 104_001)
        for name in ["log-1.fl", "log-000000000010400x.fl", "log-0000000000104001.fs", "LOCK"] {
            #expect(LogFormat.firstSeq(ofName: name) == nil)
        }
    }

    @Test func aPayloadOfNonsenseIsRefusedNotTrusted() {
        var random = Seeded(3)
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<80, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...3, using: &random) }
            bytes.withUnsafeBytes { bytes in
                var decoder = CommitDecoder(bytes)
                while let commit = decoder.commit() {
                    #expect(commit.tokenName.count <= count)
                    while let entry = decoder.entry() { #expect(entry.entity.count <= count) }
                }
            }
        }
    }
}
