import FreshetBase
import FreshetJSON
import FreshetQuery
import Testing

@Suite struct EntityIDTests {
    @Test func textOfACanonicalInt64IsThatInteger() throws {
        let cases: [(String, Int64?)] = [
            ("0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil),
            ("-9223372036854775809", nil), ("-0", nil), ("00", nil), ("07", nil), ("+7", nil),
            ("-", nil), ("7.0", nil), ("1e1", nil), (" 7", nil), ("7a", nil), ("٧", nil),
            ("18446744073709551623", nil), ("99999999999999999999999", nil),
        ]
        for (text, value) in cases {
            #expect(try EntityID(text).integer == value, "\(text)")
        }
    }

    @Test func anIDIsTextOf1To256BytesWithoutControlCharacters() {
        let bad: [(String, EntityID.Fault)] = [
            ("", .empty), (String(repeating: "a", count: 257), .tooLong),
            ("a\u{0}", .controlCharacter), ("\u{1F}", .controlCharacter),
            ("a\u{7F}b", .controlCharacter), ("\u{80}", .controlCharacter),
            ("x\u{9F}", .controlCharacter), (String(repeating: "é", count: 129), .tooLong),
        ]
        for (text, fault) in bad {
            #expect(throws: fault, "\(text.debugDescription)") { try EntityID(text) }
        }
        for text in [
            " ", "a/b", "\u{A0}", "é", "日本", "👩‍👩‍👧", "\u{2028}",
            String(repeating: "a", count: 256),
        ] {
            #expect(throws: Never.self, "\(text)") { try EntityID(text) }
        }
    }

    @Test func bytesThatAreNoUTF8AreNoID() {
        let bad: [[UInt8]] = [
            [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0x61, 0xC3], [0x80], [0xF0, 0x9F, 0x98],
        ]
        for bytes in bad {
            bytes.withUnsafeBytes { #expect(EntityID.fault(in: $0) == .notUTF8) }
        }
    }

    @Test func equalityIsOfBytesNotOfNormalisedText() throws {
        let composed = try EntityID("\u{E9}")
        let decomposed = try EntityID("e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(try EntityID("7") == EntityID(7))
        #expect(try Set([EntityID("7"), EntityID(7)]).count == 1)
    }

    @Test func integersComeFirstByValueThenTextByBytes() throws {
        let order = [
            "-9223372036854775808", "-10", "-9", "0", "1", "2", "10", "9223372036854775807",
            "", "!", "-0", "01", "1.0", "9223372036854775808", "A", "a", "aa", "b", "é", "\u{E000}",
            "\u{10000}",
        ].filter { !$0.isEmpty }
        let ids = try order.map { try EntityID($0) }
        #expect(ids.reversed().sorted() == ids)
        for (index, left) in ids.enumerated() {
            for (other, right) in ids.enumerated() {
                left.withBytes { left in
                    right.withBytes { right in
                        let result = EntityID.compare(left, right)
                        #expect(result.signum() == (index - other).signum())
                        let (one, two) = (EntityID.orderPrefix(left), EntityID.orderPrefix(right))
                        if one < two { #expect(result < 0) }
                        if one > two { #expect(result > 0) }
                    }
                }
            }
        }
    }

    @Test func anIDInJSONIsAStringOrANumberWithTheValueOfAnInt64() throws {
        let good = [
            ("7", "7"), ("\"7\"", "7"), ("7.0", "7"), ("1e1", "10"), ("-0", "0"),
            ("9223372036854775807", "9223372036854775807"), ("120e-1", "12"),
            ("\"a\\\"b\"", "a\"b"), ("\"7.0\"", "7.0"),
        ]
        for (json, text) in good {
            #expect(try id(json).text == text, "\(json)")
        }
        let bad: [(String, EntityID.Fault)] = [
            ("7.5", .notAnInteger), ("9223372036854775808", .notAnInteger),
            ("1e400", .notAnInteger), ("null", .wrongKind), ("true", .wrongKind),
            ("[7]", .wrongKind), ("{}", .wrongKind), ("\"\"", .empty),
            ("\"\\u0001\"", .controlCharacter),
        ]
        for (json, fault) in bad {
            #expect(throws: fault, "\(json)") { try id(json) }
        }
    }

    private func id(_ json: String) throws -> EntityID {
        try Array(json.utf8).withUnsafeBytes { try EntityID(json: JSONView(canonical: $0)) }
    }
}

@Suite struct TypeNameTests {
    @Test func namesOfTheServicesOwnComeFromNoRequest() {
        let own = TypeName.internal("outbox")
        #expect(own.text == "_outbox" && own.isInternal)
        #expect(TypeName("_outbox") == nil)
        #expect(Array("_outbox".utf8).withUnsafeBytes { TypeName(bytes: $0) } == nil)
        #expect(Array("_outbox".utf8).withUnsafeBytes { TypeName(stored: $0) } == own)
        for name in ["_", "__a", "", "_a b", "_" + String(repeating: "a", count: 64)] {
            #expect(Array(name.utf8).withUnsafeBytes { TypeName(stored: $0) } == nil, "\(name)")
        }
        #expect(TypeName("tasks")?.isInternal == false)
    }

    @Test func aTypeNameBeginsWithALetterAndHasAtMost64ASCIICharacters() {
        for name in ["a", "Z9", "debian-package", "A_b-1", String(repeating: "x", count: 64)] {
            #expect(TypeName(name)?.text == name)
            #expect(Array(name.utf8).withUnsafeBytes { TypeName(bytes: $0) }?.text == name)
        }
        for name in [
            "", "_x", "1a", "-a", "a b", "a.b", "é", "aé", "a\u{0}",
            String(repeating: "x", count: 65),
        ] {
            #expect(TypeName(name) == nil, "\(name)")
            #expect(Array(name.utf8).withUnsafeBytes { TypeName(bytes: $0) } == nil)
        }
    }
}
