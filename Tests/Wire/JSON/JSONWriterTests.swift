import FreshetBase
import FreshetJSON
import Testing

@Suite struct JSONWriterTests {
    private func written(_ body: (inout ByteBuffer) -> Void) -> String {
        var buffer = ByteBuffer(capacity: 16)
        body(&buffer)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    @Test func writesStringsInCanonicalForm() throws {
        let all = (0..<0x3000).compactMap { Unicode.Scalar(UInt32($0)) }.map {
            String(Character($0))
        }
        for text in ["", "plain", "😀", "twelve bytes", all.joined()] + all {
            let json = written { $0.append(jsonString: text) }
            #expect(try canonical(json) == json)
            #expect(try JSONValue.parse(json).stringValue?.utf8.elementsEqual(text.utf8) == true)
        }
        #expect(
            written { $0.append(jsonString: "\u{7F}é\u{2027}\u{2028}") }
                == "\"\u{7F}é\u{2027}\\u2028\"")
    }

    @Test func writesNames() {
        #expect(written { $0.append(jsonName: "plain" as StaticString) } == "\"plain\":")
        #expect(written { $0.append(jsonName: String("q\"")) } == "\"q\\\"\":")
    }

    @Test func writesTheShortestDoubleThatReadsBack() {
        for (value, text) in [
            (0.0, "0"), (-0.0, "0"), (5.0, "5"), (-5.5, "-5.5"), (0.1, "0.1"), (1e22, "1e+22"),
            (9_007_199_254_740_991, "9007199254740991"), (.infinity, "null"), (.nan, "null"),
        ] {
            #expect(written { $0.append(jsonDouble: value) } == text)
        }
        for seed in UInt64(1)...500 {
            var generator = SeededGenerator(seed: seed)
            let value = Double(bitPattern: .random(in: .min ... .max, using: &generator))
            guard value.isFinite else { continue }
            let text = written { $0.append(jsonDouble: value) }
            #expect(Double(text) == value, "seed \(seed)")
            #expect(fault(text) == nil, "seed \(seed)")
        }
        #expect(written { $0.append(jsonBool: true) } == "true")
    }
}
