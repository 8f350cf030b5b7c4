import FreshetBase
import FreshetHTTP
import Testing

@Suite struct TargetTests {
    private func segments(_ path: [UInt8]) throws -> [String] {
        var segments = PathSegments()
        return try path.withUnsafeBytes { bytes in
            // Twice, since the value is used again and again.
            try segments.parse(bytes)
            try segments.parse(bytes)
            var all: [String] = []
            for index in 0..<segments.count { all.append(text(segments[index])) }
            return all
        }
    }

    private func pairs(_ query: [UInt8]) throws -> [String] {
        var parameters = QueryParameters()
        return try query.withUnsafeBytes { bytes in
            try parameters.parse(bytes)
            try parameters.parse(bytes)
            var all: [String] = []
            for index in 0..<parameters.count {
                all.append(text(parameters.name(index)) + "→" + text(parameters.value(index)))
            }
            return all
        }
    }

    @Test(arguments: [
        ("", []), ("/", []), ("/v1", ["v1"]), ("/v1/", ["v1", ""]), ("//", ["", ""]),
        ("/v1/tasks/7", ["v1", "tasks", "7"]), ("/a%2Fb/c", ["a/b", "c"]),
        ("/%2e%2e/..", ["..", ".."]), ("/a+b", ["a+b"]), ("/%252F", ["%2F"]),
        ("/%C3%A9/é", ["é", "é"]), ("/a\\b", ["a\\b"]), ("/%61%62%63/x/%64", ["abc", "x", "d"]),
        ("/%F0%9F%98%80", ["😀"]), ("/%0a", ["\n"]),
    ])
    func pathsAreSplitAndThenDecodedOnce(path: String, expected: [String]) throws {
        #expect(try segments(Array(path.utf8)) == expected)
    }

    @Test(arguments: [
        ("/%", RequestFault.malformedEscape), ("/%4", .malformedEscape),
        ("/%4/1", .malformedEscape),
        ("/%zz", .malformedEscape), ("/%+1", .malformedEscape), ("/a%00b", .nulInTarget),
        ("/%C3", .malformedUTF8), ("/%C0%AF", .malformedUTF8), ("/%ED%A0%80", .malformedUTF8),
        ("/%F4%90%80%80", .malformedUTF8), ("/%FF", .malformedUTF8), ("/%E2%82", .malformedUTF8),
        ("/%80", .malformedUTF8), ("/%C3/%A9", .malformedUTF8), ("a", .malformedTarget),
        ("*", .malformedTarget), ("/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", .tooManySegments),
    ])
    func malformedPathsAreRefused(path: String, fault: RequestFault) {
        #expect(throws: fault) { try segments(Array(path.utf8)) }
    }

    @Test func rawBytesThatAreNotUTF8AreRefused() {
        for bytes: [UInt8] in [
            [0xff], [0xc3], [0xc0, 0xaf], [0xe0, 0x80, 0x80], [0xed, 0xbf, 0xbf],
        ] {
            #expect(throws: RequestFault.malformedUTF8) { try segments([0x2f] + bytes) }
            #expect(throws: RequestFault.malformedUTF8) { try pairs([0x61, 0x3d] + bytes) }
            #expect(throws: RequestFault.malformedUTF8) { try pairs(bytes) }
        }
    }

    @Test func utf8IsJudgedAsTheStandardLibraryDoes() {
        let seed = UInt64.random(in: .min ... .max)
        print("utf-8: seed \(seed)")
        var random = SeededGenerator(state: seed)
        let leads: [UInt8] = [
            0x41, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4, 0xf5,
        ]
        let tails: [UInt8] = [0x7e, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0]
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes.append(leads[Int.random(in: 0..<leads.count, using: &random)])
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    bytes.append(tails[Int.random(in: 0..<tails.count, using: &random)])
                }
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            let found = (try? segments([0x2f] + bytes)) != nil
            #expect(found == isValid, "\(bytes), seed \(seed)")
        }
    }

    @Test(arguments: [
        ("", []), ("a=b", ["a→b"]), ("a=b&c=d", ["a→b", "c→d"]), ("a", ["a→"]), ("a=", ["a→"]),
        ("a=b=c", ["a→b=c"]), ("&a=1&&b=2&", ["a→1", "b→2"]), ("=x", ["→x"]),
        ("a+b=c+d", ["a b→c d"]), ("a%2Bb=%26%3D", ["a+b→&="]), ("a=%252B", ["a→%2B"]),
        ("filter=done==false+and+priority>2", ["filter→done==false and priority>2"]),
        ("f=\"a\"<b>|^{c}[d]`e`\\?/é", ["f→\"a\"<b>|^{c}[d]`e`\\?/é"]), ("a=%C3%A9", ["a→é"]),
        ("a=1&a=2", ["a→1", "a→2"]), ("a=%0A", ["a→\n"]),
    ])
    func queriesAreSplitAndThenDecoded(query: String, expected: [String]) throws {
        #expect(try pairs(Array(query.utf8)) == expected)
    }

    @Test(arguments: [
        ("a=%", RequestFault.malformedEscape), ("a=%4", .malformedEscape),
        ("%4=a", .malformedEscape), ("a=%4&1", .malformedEscape), ("a=%%41", .malformedEscape),
        ("a=%00", .nulInTarget), ("%00", .nulInTarget), ("a=%C3", .malformedUTF8),
        ("a=%C3&b=%A9", .malformedUTF8),
        (String(repeating: "a&", count: 513), .tooManyParameters),
    ])
    func malformedQueriesAreRefused(query: String, fault: RequestFault) {
        #expect(throws: fault) { try pairs(Array(query.utf8)) }
    }

    @Test func decodedPiecesStayWhereTheyAreWhileLaterOnesAreDecoded() throws {
        let query = (0..<60).map { "n%6F\($0)=v%61\($0)+\(String(repeating: "x", count: 90))" }
            .joined(separator: "&")
        let expected = (0..<60).map { "no\($0)→va\($0) \(String(repeating: "x", count: 90))" }
        #expect(try pairs(Array(query.utf8)) == expected)
    }

    @Test func encodingAndDecodingGiveTheSameBytes() throws {
        let value = "/ %é\u{1}😀?#+&=a-Z_0.~\""
        var buffer = ByteBuffer()
        withBytes(value) { PercentEncoding.append($0, to: &buffer) }
        #expect(
            text(buffer.bytes)
                == "%2F%20%25%C3%A9%01%F0%9F%98%80%3F%23%2B%26%3Da-Z_0.~%22")
        #expect(try segments([0x2f] + Array(buffer.bytes)) == [value])
    }

    @Test func anAddressKeepsAllThatMayStandInOne() {
        let sent = "/v1/t/é%2Fa?filter=a==\"ü\"&x=1+2"
        #expect(
            withBytes(sent) { PercentEncoding.address($0) }
                == "/v1/t/%C3%A9%2Fa?filter=a==\"%C3%BC\"&x=1+2")
    }
}
