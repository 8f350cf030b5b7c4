import FreshetJSON
import FreshetQuery
import Testing

/// Random objects, once in a loose spelling and once in the canonical one.
private struct ObjectMaker {
    var numbers: SeededNumbers

    static let strings = [
        (#""""#, #""""#), (#""a""#, #""a""#), (#""\u0061\/""#, #""a/""#), ("\"é\"", "\"é\""),
        (#""\u00e9\n\"""#, "\"é\\n\\\"\""), (#""\ud83d\ude00""#, "\"😀\""),
        ("\"\u{2028}\"", #""\u2028""#),
        (#""\u001F\b""#, #""\u001f\b""#),
    ]
    static let scalars = [
        "0", "-0", "1.50", "1e400", "123456789012345678901234567890", "true", "false", "null",
    ]

    mutating func space() -> String {
        ["", "", " ", "\n\t", "\r\n  "].randomElement(using: &numbers) ?? ""
    }

    mutating func value(depth: Int) -> (String, String) {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &numbers) {
        case 0, 1: return Self.strings.randomElement(using: &numbers) ?? ("1", "1")
        case 2, 3:
            let text = Self.scalars.randomElement(using: &numbers) ?? "0"
            return (text, text)
        case 4:
            let parts = (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
                value(depth: depth - 1)
            }
            return joined(parts, "[", "]")
        default:
            let parts = (0..<Int.random(in: 0...3, using: &numbers)).map {
                member("n\($0)", depth: depth - 1)
            }
            return joined(parts, "{", "}")
        }
    }

    mutating func member(_ name: String, depth: Int) -> (String, String) {
        let value = value(depth: depth)
        let isPlain = Bool.random(using: &numbers)
        let spelled =
            isPlain
            ? name : name.unicodeScalars.map { "\\u00\(String($0.value, radix: 16))" }.joined()
        return ("\"\(spelled)\"\(space()):\(space())\(value.0)", "\"\(name)\":\(value.1)")
    }

    mutating func joined(
        _ parts: [(String, String)], _ open: String, _ close: String
    ) -> (String, String) {
        let loose = parts.map { space() + $0.0 + space() }.joined(separator: ",")
        return (
            open + loose + space() + close, open + parts.map(\.1).joined(separator: ",") + close
        )
    }
}

@Suite struct DocumentRandomTests {
    @Test func everySpellingBecomesTheCanonicalFormWithItsMembersIndexed() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of everySpellingBecomesTheCanonicalForm: \(seed)")
        var maker = ObjectMaker(numbers: SeededNumbers(state: seed))
        for _ in 0..<1_000 {
            var parts = (0..<Int.random(in: 0...9, using: &maker.numbers)).map {
                maker.member("m\($0)", depth: 3)
            }
            let place = Int.random(in: 0...parts.count, using: &maker.numbers)
            parts.insert((#""id" : "\u0069d""#, #""id":"id""#), at: place)
            var spelled = parts
            if Bool.random(using: &maker.numbers) {
                let meta = (#""_meta":{"x":[1]}"#, "")
                spelled.insert(meta, at: Int.random(in: 0...parts.count, using: &maker.numbers))
            }
            let loose = maker.joined(spelled, "{", "}").0
            let canonical = maker.joined(parts, "{", "}").1
            let document = try makeDocument(loose)
            #expect(document.jsonText == canonical, "seed \(seed)")
            #expect(document.idText == "id" && document.memberCount == parts.count)
            for (index, member) in JSONView(canonical: document.json).members.enumerated() {
                #expect(text(document.memberName(at: index)) == text(member.name), "seed \(seed)")
                #expect(
                    text(document.memberValue(at: index).bytes) == text(member.value.bytes),
                    "seed \(seed)")
                #expect(document.member(named: member.name) != nil)
            }
            let shuffled = maker.joined(parts.shuffled(using: &maker.numbers), "{", "}").0
            #expect(
                try makeDocument(shuffled).hasSameContent(as: document), "seed \(seed): \(shuffled)"
            )
        }
    }
}
