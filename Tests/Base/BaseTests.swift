import FreshetBase
import Glibc
import Testing

@Suite struct ByteBufferTests {
    @Test func decimalsAreWrittenWithoutLossAtTheEdges() {
        var buffer = ByteBuffer(capacity: 0)
        buffer.append(decimal: Int.min)
        buffer.append(" ")
        buffer.append(decimal: UInt64.max)
        buffer.append(" ")
        buffer.append(decimal: 0)
        #expect(
            String(decoding: buffer.bytes, as: UTF8.self)
                == "-9223372036854775808 18446744073709551615 0")
    }

    @Test func bytesSurviveGrowthAndRemoval() {
        var buffer = ByteBuffer(capacity: 0)
        let wanted = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for byte in wanted { buffer.append(byte) }
        buffer.removeFirst(77)
        buffer.truncate(to: 5_000)
        #expect(Array(buffer.bytes) == Array(wanted[77..<5_077]))
        buffer.reset(capacity: 16)
        #expect(buffer.isEmpty && buffer.capacity == 16)
    }
}

@Suite struct DecimalTests {
    @Test(
        arguments: [
            ("", nil), ("0", 0), ("18446744073709551615", UInt64.max),
            ("18446744073709551616", nil),
            ("99999999999999999999", nil), ("1a", nil), ("+5", nil), (" 5", nil),
        ] as [(String, UInt64?)])
    func parsesDigitsAndNothingElse(text: String, value: UInt64?) {
        #expect(Array(text.utf8).withUnsafeBytes { Decimal.parse($0) } == value)
    }
}

@Suite struct ChecksumTests {
    /// Vectors of RFC 3720, appendix B.4.
    @Test func agreesWithThePublishedVectors() {
        func checksum(_ bytes: [UInt8]) -> UInt32 {
            bytes.withUnsafeBytes { CRC32C.checksum($0) }
        }
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
    }

    @Test func anyProcessorComesToTheSame() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 7) }
        bytes.withUnsafeBytes { all in
            for start in 0..<9 {
                for end in start..<all.count {
                    let part = UnsafeRawBufferPointer(rebasing: all[start..<end])
                    #expect(
                        CRC32C.checksumByTables(part, continuing: UInt32(end))
                            == CRC32C.checksum(part, continuing: UInt32(end)))
                }
            }
        }
    }

    @Test func continuesWhereAPartEnded() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        bytes.withUnsafeBytes { all in
            let whole = CRC32C.checksum(all)
            for cut in [0, 1, 7, 8, 9, 500, 999, 1_000] {
                let first = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: all[..<cut]))
                let rest = UnsafeRawBufferPointer(rebasing: all[cut...])
                #expect(CRC32C.checksum(rest, continuing: first) == whole)
            }
        }
    }
}

@Suite struct ClockTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_123, "2000-02-29T00:00:00.123Z"),
        ] as [(Int64, String)])
    func wallTimeIsWrittenAsRFC3339(milliseconds: Int64, text: String) {
        #expect(WallTime(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func monotonicSpansAddUp() {
        let start = MonotonicInstant(nanoseconds: 5_000_000_000)
        #expect((start + .milliseconds(1500)) - start == .milliseconds(1500))
        #expect(start + .seconds(-10) == MonotonicInstant(nanoseconds: 0))
    }
}

@Suite struct LogTests {
    @Test(arguments: [Log.Format.text, .json])
    func valuesCannotForgeALine(format: Log.Format) throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let log = Log(level: .info, format: format, descriptor: ends[1])
        log.debug("not written")
        log.info(
            "request",
            ["path": .string("/v1/\r\n2026 error \u{1B}[31m\u{2028}\""), "n": 7, "no": .absent])
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        let line = String(decoding: bytes[..<count], as: UTF8.self)
        #expect(line.filter(\.isNewline) == "\n" && line.hasSuffix("\n"))
        #expect(line.contains(#"\u000d\u000a2026 error \u001b[31m\u2028\u0022"#))
        #expect(!line.contains("no"))
    }
}

@Suite struct LockTests {
    @Test func excludesOtherThreads() async {
        final class Shared: @unchecked Sendable {
            // SAFETY: `number` is touched under `lock` only.
            let lock = Lock()
            var number = 0
        }
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10_000 { shared.lock.withLock { shared.number += 1 } }
                }
            }
        }
        #expect(shared.lock.withLock { shared.number } == 40_000)
    }
}

@Suite struct BytesTests {
    @Test func comparesRunsOfBytes() {
        func order(_ left: String, _ right: String) -> (Bool, Int) {
            Array(left.utf8).withUnsafeBytes { left in
                Array(right.utf8).withUnsafeBytes { right in
                    (Bytes.equal(left, right), Bytes.compare(left, right))
                }
            }
        }
        #expect(order("", "") == (true, 0))
        #expect(order("abc", "abc") == (true, 0))
        #expect(order("ab", "abc") == (false, -1))
        #expect(order("b", "abc") == (false, 1))
        #expect(order("", "a") == (false, -1))
        #expect(order("\u{7F}", "\u{80}") == (false, -1), "bytes, not signed numbers")
    }

    @Test func findsTheFirstSequenceThatIsNoUTF8() {
        func fault(_ bytes: [UInt8]) -> Int? {
            bytes.withUnsafeBytes { UTF8Text.firstFault(in: $0) }
        }
        #expect(fault([]) == nil)
        #expect(fault(Array("0123456789 é € 😀 \u{10FFFF}\u{D7FF}\u{E000}".utf8)) == nil)
        let bad: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF],
            [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98, 0x41],
        ]
        for sequence in bad {
            for lead in [0, 3, 8, 13] {
                let text = [UInt8](repeating: 0x61, count: lead) + sequence
                #expect(fault(text) == lead, "\(sequence) behind \(lead)")
                #expect(fault(text + Array("abcdefgh".utf8)) == lead)
            }
        }
    }

    @Test func agreesWithTheStandardLibraryOnRandomBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("UTF-8 seed \(seed)")
        var state = seed | 1
        for _ in 0..<20_000 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            // Mostly leads and trails, so that whole sequences come about.
            let bytes = (0..<4).map { shift -> UInt8 in
                let byte = UInt8(truncatingIfNeeded: state >> (shift * 8))
                return shift == 0 ? byte | 0xC0 : byte & 0xBF
            }
            let isValid = bytes.withUnsafeBytes { UTF8Text.isValid($0) }
            #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }
}

@Suite struct DividedTextTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a.b", ["a", "b"]), (".", ["", ""]),
        ("a..b.", ["a", "", "b", ""]),
        ("a.\u{301}b", ["a", "\u{301}b"]), ("é.\u{1F3FB}", ["é", "\u{1F3FB}"]),
    ])
    func signsDivideWhateverIsBehindThem(text: String, parts: [String]) {
        #expect(text.divided(at: ".").map { Array($0.utf8) } == parts.map { Array($0.utf8) })
    }
}

@Suite struct PercentEncodingTests {
    /// With a mark behind it a comma is no character of its own.
    @Test(arguments: [
        ("a,b", "a,b"), ("a/b,c d", "a%2Fb,c%20d"), ("1,\u{301}x", "1,%CC%81x"), ("", ""),
    ])
    func commasOfListsStayWhateverIsBehindThem(list: String, written: String) {
        #expect(PercentEncoding.list(list) == written)
    }
}
