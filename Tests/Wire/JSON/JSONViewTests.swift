import FreshetBase
import FreshetJSON
import Testing

extension JSONMemberView {
    fileprivate var nameText: String {
        guard nameHasEscapes else { return String(decoding: name, as: UTF8.self) }
        var buffer = ByteBuffer(capacity: name.count)
        JSONText.unescape(name, into: &buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }
}

extension JSONView {
    fileprivate var stringHasEscapes: Bool {
        stringContents.map { JSONText.hasEscapes($0) } ?? false
    }
}

@Suite struct JSONViewTests {
    @Test func tellsWhatAValueIs() throws {
        for (text, kind): (String, JSONKind) in [
            ("null", .null), ("true", .bool), ("false", .bool), ("0", .number), ("-1", .number),
            ("\"\"", .string), ("[]", .array), ("{}", .object),
        ] {
            try withView(text) { view in
                #expect(view.kind == kind)
                #expect(view.isNull == (kind == .null))
                #expect((view.bool != nil) == (kind == .bool))
                #expect((view.numberText != nil) == (kind == .number))
                #expect((view.string != nil) == (kind == .string))
                #expect(Array(view.members).isEmpty)
                #expect(Array(view.elements).isEmpty)
            }
        }
        try withView("true") { #expect($0.bool == true) }
        try withView("false") { #expect($0.bool == false) }
        #expect(JSONView(canonical: UnsafeRawBufferPointer(start: nil, count: 0)).isNull)
    }

    @Test func findsMembersByTheirUnescapedName() throws {
        let text =
            #"{"a":1,"nest":{"a":2,"b":[{"a":3},"}"]},"q\"u":4,"":5,"é":6,"\u0000":7,"z":"end"}"#
        try withView(text) { view in
            #expect(view.member(named: "a")?.int64 == 1)
            #expect(view.member(named: "nest")?.member(named: "a")?.int64 == 2)
            #expect(view.member(named: "q\"u")?.int64 == 4)
            #expect(view.member(named: "")?.int64 == 5)
            #expect(view.member(named: String("é"))?.int64 == 6)
            #expect(view.member(named: String("\0"))?.int64 == 7)
            #expect(view.member(named: "z")?.string == "end")
            #expect(view.member(named: "b") == nil)
            #expect(view.member(named: "q\\\"u") == nil)
            #expect(view.member(named: "z")?.member(named: "a") == nil)
            #expect(view.members.map(\.nameText) == ["a", "nest", "q\"u", "", "é", "\0", "z"])
        }
    }

    @Test func walksElements() throws {
        try withView(#"[1,"a,]",[2,[3]],{"x":[4]},null,-5.5,true]"#) { view in
            #expect(
                view.elements.map { String(decoding: $0.bytes, as: UTF8.self) }
                    == ["1", "\"a,]\"", "[2,[3]]", "{\"x\":[4]}", "null", "-5.5", "true"])
        }
    }

    @Test func decodesStrings() throws {
        try withView(#""plain""#) { view in
            #expect(!view.stringHasEscapes)
            #expect(view.string == "plain")
        }
        try withView(#""a\n\u0001\"\\é😀\u2028""#) { view in
            #expect(view.stringHasEscapes)
            #expect(view.string == "a\n\u{1}\"\\é😀\u{2028}")
            var buffer = ByteBuffer()
            let isString = view.appendString(to: &buffer)
            #expect(isString)
            #expect(buffer.bytes.elementsEqual("a\n\u{1}\"\\é😀\u{2028}".utf8))
        }
        try withView("5") { view in
            var buffer = ByteBuffer()
            let isString = view.appendString(to: &buffer)
            #expect(!isString)
            let count = buffer.count
            #expect(count == 0)
        }
    }

    @Test func comparesSpelledStringsWithPlainBytes() {
        for (escaped, plain, isEqual) in [
            ("", "", true), ("a", "a", true), ("a", "b", false), ("\\u0061", "a", true),
            ("\\ud83d\\ude00x", "😀x", true), ("\\n", "n", false), ("ab", "a", false),
            ("a", "ab", false), ("\\u00e9", "é", true), ("\\\\n", "\\n", true),
            ("a\\/b", "a/b", true),
            ("a\\/", "a", false), ("", "a", false), ("\\u0000", "\0", true),
        ] {
            withExactBytes(Array(escaped.utf8)) { escaped in
                withExactBytes(Array(plain.utf8)) { plain in
                    #expect(JSONText.equals(escaped: escaped, plain: plain) == isEqual)
                    var buffer = ByteBuffer()
                    JSONText.unescape(escaped, into: &buffer)
                    #expect(buffer.bytes.elementsEqual(plain) == isEqual)
                }
            }
        }
    }

    @Test func readsWhatTheTreeReads() throws {
        for seed in UInt64(0)..<200 {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            let text = random.value()
            try withView(text) { view in
                let tree = JSONValue(view)
                #expect(tree.bytes == Array(view.bytes), "seed \(seed)")
                for member in tree.objectValue ?? [] {
                    let found = view.member(named: member.name).map { JSONValue($0) }
                    #expect(found == member.value, "seed \(seed)")
                }
            }
        }
    }

    @Test func readsNothingOutsideOfBytesThatAreNotValid() {
        for seed in UInt64(1)...3000 {
            var random = RandomJSON(generator: SeededGenerator(seed: seed))
            var bytes = Array(random.value().utf8)
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random.generator))
            if !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random.generator)] = random.pick(
                    Array("[]{}:,\"\\u".utf8))
            }
            withExactBytes(bytes) { raw in
                let view = JSONView(canonical: raw)
                var seen = view.elements.reduce(0) { $0 + $1.bytes.count }
                seen += view.members.reduce(0) { $0 + $1.name.count + $1.value.bytes.count }
                #expect(seen <= bytes.count, "seed \(seed)")
                _ = JSONEquality.equal(
                    view, JSONView(canonical: UnsafeRawBufferPointer(rebasing: raw.dropLast())))
                _ = JSONValue(view)
                var buffer = ByteBuffer()
                JSONCanonical.compact(raw, into: &buffer)
            }
        }
    }
}
