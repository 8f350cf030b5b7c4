import Foundation
import FreshetBase
import FreshetJSON
import Testing

@Suite struct JSONCanonicalTests {
    @Test func dropsWhitespaceOutsideStringsOnly() throws {
        #expect(
            try canonical(" { \"a b\" : [ 1 , \" x\\ty \" ] }\r\n") == "{\"a b\":[1,\" x\\ty \"]}")
        #expect(try canonical("[\n          ]") == "[]")
        #expect(try canonical("\t-1.50E+2 ") == "-1.50E+2")
    }

    @Test func spellsEachCharacterInOneWay() throws {
        for (text, expected) in [
            ("\\/", "/"), ("\\u0041", "A"), ("\\u00e9", "é"), ("\\u6f22", "漢"),
            ("\\uD83D\\ude00", "😀"), ("\\u0022", "\\\""), ("\\u005C", "\\\\"), ("\\u0008", "\\b"),
            ("\\u0009", "\\t"), ("\\u000A", "\\n"), ("\\u000c", "\\f"), ("\\u000D", "\\r"),
            ("\\u0000", "\\u0000"), ("\\u001F", "\\u001f"), ("\\u000B", "\\u000b"),
            ("\\u007f", "\u{7F}"), ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"),
            ("\\u2028", "\\u2028"), ("\u{2027}\u{202A}", "\u{2027}\u{202A}"), ("€", "€"),
            ("a\u{2028}b\u{2029}c", "a\\u2028b\\u2029c"), ("\\ufeff", "\u{FEFF}"),
        ] {
            for padding in ["", "1234567", "twelve bytes", "\\n\\n"] {
                #expect(
                    try canonical("\"\(padding)\(text)\(padding)\"")
                        == "\"\(padding)\(expected)\(padding)\"")
                #expect(
                    try canonical("{\"\(padding)\(text)\":1}") == "{\"\(padding)\(expected)\":1}")
            }
        }
    }

    @Test func growsWhereEveryCharacterGrows() throws {
        let text = "\"" + String(repeating: "\u{2028}", count: 1000) + "\""
        #expect(
            try canonical(text) == "\"" + String(repeating: "\\u2028", count: 1000) + "\"")
    }

    @Test func keepsTheValueByFoundationsReading() throws {
        for seed in UInt64(0)..<500 {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            let bytes = Array(random.value().utf8)
            let compact = try canonical(bytes)
            let before = try JSONSerialization.jsonObject(
                with: Data(bytes), options: .fragmentsAllowed)
            let after = try JSONSerialization.jsonObject(
                with: Data(compact), options: .fragmentsAllowed)
            #expect((before as? NSObject) == (after as? NSObject), "seed \(seed)")
            let count = compact.count
            #expect(!compact.contains { $0 < 0x20 }, "seed \(seed) \(count)")
        }
    }

    private func rebuilt(
        _ text: String, dropping name: StaticString? = nil, front: String = "", back: String = ""
    ) throws -> String {
        try withExactBytes(Array(text.utf8)) { raw in
            var scanner = JSONScanner()
            let summary = try scanner.scan(raw)
            var buffer = ByteBuffer(capacity: 16)
            withExactBytes(Array(front.utf8)) { front in
                withExactBytes(Array(back.utf8)) { back in
                    JSONCanonical.compactObject(
                        raw, members: scanner.members, isCanonical: summary.isCanonical,
                        dropping: name, front: front, back: back, into: &buffer)
                }
            }
            return String(decoding: buffer.bytes, as: UTF8.self)
        }
    }

    @Test func rebuildsAnObjectWithMembersDroppedAndAdded() throws {
        #expect(try rebuilt("{}") == "{}")
        #expect(try rebuilt(" { \"a\" : [ 1 ] } ") == "{\"a\":[1]}")
        #expect(try rebuilt("{\"_meta\":{},\"a\":1}", dropping: "_meta") == "{\"a\":1}")
        #expect(try rebuilt("{\"a\":1,\"_meta\":{}}", dropping: "_meta") == "{\"a\":1}")
        #expect(try rebuilt("{\"\\u005fmeta\":0}", dropping: "_meta") == "{}")
        #expect(try rebuilt("{\"_metal\":0}", dropping: "_meta") == "{\"_metal\":0}")
        #expect(try rebuilt("{}", front: "\"id\":\"x\"") == "{\"id\":\"x\"}")
        #expect(try rebuilt("{}", front: "\"id\":1", back: "\"z\":2") == "{\"id\":1,\"z\":2}")
        #expect(
            try rebuilt(
                "{ \"_meta\": 1, \"a\\/\": \"\\u0041\" }", dropping: "_meta", front: "\"id\":1",
                back: "\"y\":2,\"z\":3") == "{\"id\":1,\"a/\":\"A\",\"y\":2,\"z\":3}")
    }
}
