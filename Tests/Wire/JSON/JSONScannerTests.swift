import Foundation
import FreshetBase
import FreshetJSON
import FreshetTestSupport
import Testing

@Suite struct JSONScannerTests {
    @Test func acceptsEveryProduction() {
        for text in JSONCorpus.accepted {
            #expect(fault(text) == nil, "\(text.debugDescription)")
        }
    }

    @Test func refusesWithReasonAndPlace() {
        for (text, reason, offset) in JSONCorpus.refused {
            let fault = fault(text)
            #expect(fault.map { "\($0.reason)" } == reason, "\(text.debugDescription)")
            #expect(fault?.offset == offset, "\(text.debugDescription)")
        }
    }

    @Test func refusesBytesThatAreNoUTF8() {
        for bytes in JSONCorpus.badUTF8 {
            for padding in 0...9 {
                let lead = [UInt8](repeating: UInt8(ascii: "a"), count: padding)
                let text = [0x22] + lead + bytes + [0x22]
                #expect(fault(text) == JSONFault(.badUTF8, at: 1 + padding), "\(bytes)")
                let named = [0x7B, 0x22] + lead + bytes + Array("\":1}".utf8)
                #expect(fault(named) == JSONFault(.badUTF8, at: 2 + padding), "\(bytes)")
                withExactBytes(lead + bytes) { #expect(!UTF8Text.isValid($0)) }
            }
        }
    }

    @Test func takesEveryScalarRawAndEscaped() throws {
        for value in stride(from: UInt32(0x20), through: 0x10FFFF, by: 7) {
            guard let scalar = Unicode.Scalar(value), value != 0x22, value != 0x5C else { continue }
            let raw = "\"\(Character(scalar))\""
            #expect(fault(raw) == nil)
            let units = String(Character(scalar)).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            #expect(try canonical("\"" + units.joined() + "\"") == canonical(raw))
        }
    }

    @Test func everyBeginningOfATextEndsTooSoon() {
        for text in JSONCorpus.accepted {
            let bytes = Array(text.utf8)
            for count in 0..<bytes.count {
                let beginning = Array(bytes[..<count])
                guard let fault = fault(beginning) else { continue }
                #expect(
                    fault == JSONFault(.endOfText, at: count), "\(text.debugDescription) \(count)")
            }
        }
    }

    @Test func countsDepthFromTheOutermostBracket() {
        for limit in [1, 2, 63, 64, 65, 512] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                func nested(_ depth: Int) -> String {
                    let middle = open == "[" ? "" : "0"
                    return String(repeating: open, count: depth) + middle
                        + String(repeating: close, count: depth)
                }
                #expect(fault(nested(limit), depthLimit: limit) == nil)
                #expect(
                    fault(nested(limit + 1), depthLimit: limit)
                        == JSONFault(.tooDeep, at: limit * open.utf8.count))
            }
        }
        #expect(fault("1", depthLimit: 0) == nil)
        #expect(fault(String(repeating: "[", count: 1_000_000))?.reason == .tooDeep)
    }

    @Test func findsADuplicateAmongAnyNumberOfNames() {
        for count in [2, 7, 8, 9, 10, 100, 5000] {
            for suffix in ["", " of a member with quite a long name", "\\u0041", "é"] {
                let names = (0..<count).map { "\"\($0)\(suffix)\":0" }
                #expect(fault("{" + names.joined(separator: ",") + "}") == nil)
                for (original, copy) in [(0, count - 1), (count / 2 - 1, count - 1), (0, 1)]
                where original != copy {
                    var faulty = names
                    faulty[copy] = names[original]
                    let before = faulty[..<copy].reduce(0) { $0 + $1.utf8.count + 1 }
                    #expect(
                        fault("{" + faulty.joined(separator: ",") + "}")
                            == JSONFault(.duplicateName, at: 1 + before), "\(count) \(suffix)")
                }
            }
        }
    }

    @Test func namesOfOtherObjectsAreNoDuplicates() {
        let inner = "{\"a\":0,\"b\":0}"
        #expect(fault("{\"a\":\(inner),\"b\":[\(inner),\(inner)],\"c\":{\"a\":\(inner)}}") == nil)
        #expect(fault("{\"a\":\(inner),\"b\":\(inner),\"a\":1}")?.reason == .duplicateName)
        let escaped = "{\"\\u0061\":{\"\\u0061\":0,\"b\":{\"\\u0062\":1}},\"b\":0}"
        #expect(fault(escaped) == nil)
    }

    @Test func indexesTheRootsMembers() throws {
        let text =
            " {\"id\" : 7, \"n\\u0061me\":\"x\\ny\",\"list\":[1,{\"id\":2}],\"o\":{\"p\":null} ,"
            + "\"t\":true,\"z\":null}\n"
        let bytes = Array(text.utf8)
        try withExactBytes(bytes) { raw in
            var scanner = JSONScanner()
            let summary = try scanner.scan(raw)
            #expect(summary.kind == .object)
            #expect(summary.start == 1 && summary.end == bytes.count - 1)
            #expect(!summary.isCanonical)
            func slice(_ start: UInt32, _ end: UInt32) -> String {
                String(decoding: bytes[Int(start)..<Int(end)], as: UTF8.self)
            }
            let members = Array(scanner.members)
            #expect(
                members.map { slice($0.nameStart, $0.nameEnd) }
                    == ["id", "n\\u0061me", "list", "o", "t", "z"])
            #expect(
                members.map { slice($0.valueStart, $0.valueEnd) }
                    == ["7", "\"x\\ny\"", "[1,{\"id\":2}]", "{\"p\":null}", "true", "null"])
            #expect(
                members.map(\.valueKind) == [.number, .string, .array, .object, .bool, .null])
            #expect(members.map(\.nameHasEscapes) == [false, true, false, false, false, false])
            #expect(members[1].isNamed("name", in: raw))
            #expect(!members[0].isNamed("name", in: raw))
        }
    }

    @Test func hasNoMembersAfterAnythingElse() throws {
        var scanner = JSONScanner()
        func scan(_ text: String, _ scanner: inout JSONScanner) -> Int {
            withExactBytes(Array(text.utf8)) { raw in
                _ = try? scanner.scan(raw)  // only what is left behind matters
                return scanner.members.count
            }
        }
        #expect(scan("{\"a\":1}", &scanner) == 1)
        #expect(scan("[{\"a\":1}]", &scanner) == 0)
        #expect(scan("{\"a\":1", &scanner) == 0)
        #expect(scan("{\"a\":1} x", &scanner) == 0)
        #expect(scan("{\"a\":1,\"b\":{\"c\":1,\"d\":2}}", &scanner) == 2)
        #expect(scan("{}", &scanner) == 0)
    }

    @Test func saysWhetherATextIsCanonical() throws {
        var scanner = JSONScanner()
        for seed in UInt64(0)..<400 {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            let bytes = Array(random.value().utf8)
            let compact = try canonical(bytes)
            let summary = try withExactBytes(bytes) { try scanner.scan($0) }
            #expect(summary.isCanonical == (compact == bytes), "seed \(seed)")
            let again = try withExactBytes(compact) { try scanner.scan($0) }
            #expect(again.isCanonical, "seed \(seed)")
            #expect(try canonical(compact) == compact, "seed \(seed)")
        }
    }

    @Test func reportsWhereAValueInABiggerBufferEnds() throws {
        let bytes = Array("xx {\"a\":[1]} , 12,\"b\"]".utf8)
        try withExactBytes(bytes) { raw in
            var scanner = JSONScanner()
            let first = try scanner.scanValue(in: raw, at: 2)
            #expect(first.start == 3 && first.end == 12)
            #expect(scanner.members.count == 1)
            let second = try scanner.scanValue(in: raw, at: 14)
            #expect(second.start == 15 && second.end == 17)
            #expect(throws: JSONFault(.endOfText, at: bytes.count)) {
                try scanner.scanValue(in: raw, at: bytes.count)
            }
        }
    }

    @Test func streamsTheElementsOfAnArray() throws {
        func elements(_ text: String) throws -> [String] {
            let bytes = Array(text.utf8)
            return try withExactBytes(bytes) { raw in
                var scanner = JSONScanner()
                var stream = try JSONArrayStream(raw)
                var list: [String] = []
                while let summary = try stream.next(&scanner) {
                    list.append(
                        String(decoding: bytes[summary.start..<summary.end], as: UTF8.self)
                            + "/\(scanner.members.count)")
                }
                return list
            }
        }
        #expect(try elements(" [ ] ") == [])
        #expect(try elements("[{\"a\":1}, {} ,3]\n") == ["{\"a\":1}/1", "{}/0", "3/0"])
        for (text, reason, offset): (String, JSONFault.Reason, Int) in [
            ("", .endOfText, 0), (" {}", .expectedValue, 1), ("[1", .endOfText, 2),
            ("[1,]", .expectedValue, 3), ("[,1]", .expectedValueOrBracket, 1),
            ("[1 2]", .expectedCommaOrBracket, 3), ("[1]x", .expectedEnd, 3),
            ("[{\"a\":1,\"a\":1}]", .duplicateName, 8), ("\u{FEFF}[]", .byteOrderMark, 0),
        ] {
            #expect(throws: JSONFault(reason, at: offset), "\(text)") { try elements(text) }
        }
    }

    /// Foundation takes what it wants beyond the RFC only where named here.
    @Test func agreesWithFoundationOnDamagedTexts() {
        let alphabet = Array("[]{}:,\"\\ \ntfn0123456789-+.eEua".utf8)
        for seed in FuzzRounds(3_000).lazy.map({ UInt64($0 + 1) }) {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            var bytes = Array(random.value().utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random.generator) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random.generator)
                switch Int.random(in: 0..<3, using: &random.generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(random.pick(alphabet), at: place)
                default: bytes[place] = random.pick(alphabet)
                }
            }
            let fault = fault(bytes)
            let isTaken =
                (try? JSONSerialization.jsonObject(
                    with: Data(bytes), options: .fragmentsAllowed)) != nil  // refusal is an answer
            switch fault?.reason {
            case .duplicateName, .loneSurrogate, .badUTF8: continue
            case .expectedValue, .expectedName:
                // It takes one comma before a closing bracket.
                let isAfterComma = fault.map { isClosing(bytes[$0.offset]) } ?? false
                #expect(!isTaken || isAfterComma, "seed \(seed)")
            case nil:
                #expect(
                    isTaken || hasLongExponent(bytes),
                    "seed \(seed) \(String(decoding: bytes, as: UTF8.self))")
            default:
                #expect(!isTaken, "seed \(seed) \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    private func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
    }

    /// Foundation refuses numbers past the range of its own number types.
    private func hasLongExponent(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return text.contains(/e[+-]?\d\d\d/) || text.contains(/\d{20}/)
    }

    @Test func survivesAnyBytes() {
        for seed in UInt64(1)...2000 {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 0...40, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if let fault = fault(bytes) { #expect(0...count ~= fault.offset, "seed \(seed)") }
            let quoted = fault([0x22] + bytes)
            #expect(quoted == nil || 0...count + 1 ~= quoted?.offset ?? -1, "seed \(seed)")
        }
    }

    @Test func worstCasesAreJudgedRightAtSize() {
        func list(_ item: String, _ count: Int) -> String {
            "[" + Array(repeating: item, count: count).joined(separator: ",") + "]"
        }
        let deep = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
        #expect(fault(list(deep, 1000)) == nil)
        #expect(fault(list("[\(deep)]", 1000))?.reason == .tooDeep)
        #expect(fault(list("{}", 100_000)) == nil)
        #expect(fault(list("\"\"", 100_000)) == nil)
        #expect(fault("\"" + String(repeating: "\\u00e9\\n", count: 50_000) + "\"") == nil)
        #expect(fault("[" + String(repeating: "1234567890", count: 50_000) + "]") == nil)
        #expect(fault("1" + String(repeating: "0", count: 99_999) + "x")?.offset == 100_000)
        let names = (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(fault("{\(names)}") == nil)
        #expect(fault("{\(names),\"0\":1}")?.reason == .duplicateName)
        let same = (0..<50_000).map { "\"12345678\($0)87654321\":0" }.joined(separator: ",")
        #expect(fault("{\(same)}") == nil)
    }

    @Test func saysWhatWasExpected() {
        let words = JSONFault.Reason.allCases.map { JSONFault($0, at: 0).expectation }
        #expect(Set(words).count == words.count)
        #expect(words.allSatisfy { $0.hasPrefix("expected ") && !$0.hasSuffix(".") })
        #expect(fault("{\"a\":1]")?.expectation == "expected ',' or '}'")
    }
}
