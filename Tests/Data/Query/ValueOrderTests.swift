import FreshetJSON
import FreshetQuery
import Testing

private func compare(_ left: String?, _ right: String?, caseInsensitive: Bool = false) -> Int {
    let one = (left ?? "").utf8.map { $0 }
    let two = (right ?? "").utf8.map { $0 }
    return one.withUnsafeBytes { one in
        two.withUnsafeBytes { two in
            ValueOrder.compare(
                left == nil ? nil : JSONView(canonical: one),
                right == nil ? nil : JSONView(canonical: two), caseInsensitive: caseInsensitive)
        }
    }
}

@Suite struct ValueOrderTests {
    /// Each stands for one place; values on one line are equal.
    private static let ladder: [[String?]] = [
        ["false"], ["true"],
        ["-1e400"], ["-1.5"], ["-1"], ["0", "-0", "0.0e9"], ["1e-400"], ["1", "1.0", "10e-1"],
        ["9007199254740992"], ["9007199254740993", "9007199254740993.0"], ["1e400"],
        [#""""#], [#""\u0000""#], [#""\t""#], [#""\n""#], ["\" \""], ["\"!\""], [#""\"""#],
        ["\"#\""], ["\"A\""],
        [#""\\""#], ["\"]\""], ["\"a\""], [#""a\n""#], ["\"a \""], [#""a\"""#], [#""a\"b""#],
        [#""a\\""#], ["\"aa\""],
        ["\"\u{7F}\""], ["\"é\""], [#""\u2028""#], ["\"\u{202A}\""], ["\"\u{FFFD}\""], ["\"😀\""],
        ["[]"], ["[false]"], ["[1]", "[1.0]"], ["[1,null]"], ["[2]"], ["[\"a\"]"],
        ["[[]]"], ["[[],1]"], ["[[1]]", "[[1.0]]"], ["[[1],[]]"], ["[[1,[2]],3]"], ["[[1,[2],4]]"],
        ["[[1,{}]]"],
        ["[null]"],
        ["{}"].map { $0 },
        ["null", nil],
    ]

    @Test func kindsAndValuesHaveOneTotalOrder() {
        for (index, values) in Self.ladder.enumerated() {
            for (other, others) in Self.ladder.enumerated() {
                for left in values {
                    for right in others {
                        let expected = (index - other).signum()
                        #expect(
                            compare(left, right).signum() == expected,
                            "\(left ?? "absent") and \(right ?? "absent")")
                    }
                }
            }
        }
    }

    @Test func caseIsIgnoredByScalarAlsoInsideArrays() {
        for (left, right) in [
            ("\"ABC\"", "\"abc\""), ("\"É\"", "\"é\""), ("\"Σ\"", "\"ς\""),
            ("\"K\u{212A}\"", "\"kk\""),
            ("[\"A\"]", "[\"a\"]"), (#""A\n""#, #""a\n""#), ("\"ẞ\"", "\"ß\""),
        ] {
            #expect(compare(left, right, caseInsensitive: true) == 0, "\(left) \(right)")
            #expect(compare(left, right) != 0)
        }
        for (left, right) in [
            ("\"a\"", "\"B\""), ("\"A\"", "\"aa\""), ("\"\"", "\"A\""), ("\"ss\"", "\"ß\""),
            ("\"Z\"", "\"ä\""),
        ] {
            #expect(compare(left, right, caseInsensitive: true) < 0, "\(left) \(right)")
            #expect(compare(right, left, caseInsensitive: true) > 0, "\(left) \(right)")
        }
    }

    @Test(
        arguments: [
            (0x41, 0x61), (0x5B, 0x5B), (0x61, 0x61), (0xB5, 0x3BC), (0xC0, 0xE0), (0xDF, 0xDF),
            (0x130, 0x130), (0x131, 0x131), (0x149, 0x149), (0x17F, 0x73), (0x1C5, 0x1C6),
            (0x345, 0x3B9),
            (0x390, 0x390), (0x3C2, 0x3C3), (0x3F4, 0x3B8), (0x13A0, 0x13A0), (0x13F8, 0x13F0),
            (0xAB70, 0x13A0), (0x10A0, 0x2D00), (0x1C80, 0x432), (0x1C90, 0x10D0), (0x1E9B, 0x1E61),
            (0x1E9E, 0xDF), (0x1F88, 0x1F80), (0x1FBE, 0x3B9), (0x1FD3, 0x390), (0x2126, 0x3C9),
            (0x212A, 0x6B), (0xFB05, 0xFB06), (0x10400, 0x10428), (0x1E900, 0x1E922),
            (0xD800, 0xD800),
            (0x110000, 0x110000),
        ] as [(UInt32, UInt32)])
    func aScalarFoldsAsUnicodeSays(scalar: UInt32, folded: UInt32) {
        #expect(CaseFolding.simple(scalar) == folded)
    }
}
