import FreshetBase
import FreshetJSON
import Testing

@Suite struct JSONNumberTests {
    private func with<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
    {
        withExactBytes(Array(text.utf8), body)
    }

    private func compare(_ left: String, _ right: String) -> Int {
        with(left) { left in with(right) { JSONNumber.compare(left, $0) } }
    }

    /// Each line ascends; texts in one group are equal.
    @Test func ordersByValue() {
        let groups: [[String]] = [
            ["-1e100000000000000000000000000000000000001"],
            ["-1e100000000000000000000000000000000000000"],
            ["-1e401"], ["-1e400", "-10E399"], ["-9007199254740993"],
            ["-9007199254740992", "-9007199254740992.0"], ["-1.5", "-15e-1"],
            ["-1", "-1.0", "-10e-1"],
            ["-0.1", "-1e-1"], ["-1e-400"], ["-1e-99999999999999999999999"],
            [
                "0", "-0", "0.0", "0e5", "-0.000e-999999999999999999999999",
                "0e99999999999999999999999",
            ],
            ["1e-99999999999999999999999"], ["1e-400", "0.1e-399", "10e-401"],
            ["0.001", "1e-3", "1E-03"],
            ["0.01"], ["0.1", "1e-1", "100e-3", "0.100"],
            ["0.10000000000000000000000000000000000001"],
            ["1", "1.0", "1e0", "10e-1", "0.1e1", "1.000e+0", "1e-0", "1E00"],
            ["1.0000000000000000000001"],
            ["2"], ["9.99"], ["10", "1e1", "1E+1", "1e01", "100e-1"], ["99"], ["100", "1e2"],
            ["9007199254740992"],
            ["9007199254740993", "9007199254740993.0", "9007199254740.993e3"],
            ["123456789012345678"], ["1234567890123456789"], ["12345678901234567890"],
            ["12345678901234567891"], ["1e399"], ["1e400", "0.0001e404"], ["1.1e400"],
            ["1e99999999999999999999998"],
            [
                "1e99999999999999999999999", "10e99999999999999999999998",
                "0.01e100000000000000000000001",
            ],
            ["1e100000000000000000000000"],
        ]
        let all = groups.enumerated().flatMap { rank, group in group.map { (rank, $0) } }
        for (rank, text) in all {
            for (otherRank, other) in all {
                let expected = rank < otherRank ? -1 : rank > otherRank ? 1 : 0
                #expect(compare(text, other) == expected, "\(text) \(other)")
            }
        }
    }

    /// An integer of any size as decimal digits, most significant first, for the reference.
    private struct Naive {
        let isNegative: Bool
        let digits: [UInt8]

        /// The value × 10^80, written out. Exponents lie within ±40.
        init(_ text: String) {
            var mantissa = Substring(text)
            isNegative = mantissa.first == "-"
            if isNegative { mantissa.removeFirst() }
            var exponent = 0
            if let place = mantissa.firstIndex(where: { $0 == "e" || $0 == "E" }) {
                exponent = Int(mantissa[mantissa.index(after: place)...]) ?? 0
                mantissa = mantissa[..<place]
            }
            let parts = mantissa.split(separator: ".")
            let fraction = parts.count > 1 ? parts[1] : ""
            let shift = 80 + exponent - fraction.count
            var all = (parts[0] + fraction).utf8.map { $0 - 0x30 }
            all += [UInt8](repeating: 0, count: shift)
            digits = Array(all.drop { $0 == 0 })
        }

        func compare(_ other: Naive) -> Int {
            if digits.isEmpty, other.digits.isEmpty { return 0 }
            if digits.isEmpty { return other.isNegative ? 1 : -1 }
            if other.digits.isEmpty { return isNegative ? -1 : 1 }
            if isNegative != other.isNegative { return isNegative ? -1 : 1 }
            let sign = isNegative ? -1 : 1
            if digits.count != other.digits.count {
                return digits.count < other.digits.count ? -sign : sign
            }
            for (digit, second) in zip(digits, other.digits) where digit != second {
                return digit < second ? -sign : sign
            }
            return 0
        }
    }

    private func randomNumber(_ generator: inout SeededGenerator) -> String {
        func digits(_ count: Int, _ choices: ClosedRange<Int>) -> String {
            (0..<count).map { _ in String(Int.random(in: choices, using: &generator)) }.joined()
        }
        var text = Bool.random(using: &generator) ? "-" : ""
        let length = Int.random(in: 0...12, using: &generator)
        text += length == 0 ? "0" : "1" + digits(length - 1, 0...1)
        if Bool.random(using: &generator) {
            text += "." + digits(Int.random(in: 1...12, using: &generator), 0...1)
        }
        if Bool.random(using: &generator) {
            text += "e" + String(Int.random(in: -20...20, using: &generator))
        }
        return text
    }

    @Test func agreesWithWrittenOutDecimals() {
        for seed in UInt64(1)...40 {
            var generator = SeededGenerator(seed: seed)
            let texts = (0..<40).map { _ in randomNumber(&generator) }
            for left in texts {
                let reference = Naive(left)
                for right in texts {
                    #expect(
                        compare(left, right) == reference.compare(Naive(right)),
                        "seed \(seed): \(left) \(right)")
                }
            }
        }
    }

    @Test func findsIntegers() {
        for (text, value): (String, Int64?) in [
            ("0", 0), ("-0", 0), ("0.0", 0), ("0e999999999999999999999", 0), ("7", 7), ("7.0", 7),
            ("1e3", 1000), ("1.5e1", 15), ("70e-1", 7), ("-12.50e1", -125),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775807.000", .max), ("9.223372036854775807e18", .max),
            ("922337203685477580700e-2", .max), ("1e18", 1_000_000_000_000_000_000),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e19", nil),
            ("9999999999999999999", nil), ("18446744073709551616", nil),
            ("1e999999999999999999", nil),
            ("0.5", nil), ("1e-1", nil), ("7.01", nil), ("1e-99999999999999999999", nil),
            ("00000", 0), ("123456789012345678", 123_456_789_012_345_678),
        ] {
            #expect(with(text) { JSONNumber.int64($0) } == value, "\(text)")
        }
        for (text, isInteger) in [
            ("1e400", true), ("-1e99999999999999999999", true), ("123456789.000", true),
            ("0.0e-9", true),
            ("1.5", false), ("15e-1", false), ("1e-99999999999999999999", false), ("-2.5e1", true),
            ("12345678901234567890123.5", false), ("100e-2", true), ("100e-3", false),
        ] {
            #expect(with(text) { JSONNumber.isInteger($0) } == isInteger, "\(text)")
        }
        #expect(with("-0.0") { JSONNumber.sign($0) } == 0)
        #expect(with("-1e-9") { JSONNumber.sign($0) } == -1)
        #expect(with("3") { JSONNumber.sign($0) } == 1)
    }

    @Test func givesTheNearestDouble() {
        for text in [
            "0", "1", "-1", "0.1", "1e22", "1e23", "123456789012345680000", "9007199254740993",
            "1.7976931348623157e308", "5e-324", "4.9e-324", "2.2250738585072011e-308", "-0.3",
            "8.41e21", "1e-22", "179769313486231580793728971405301e276",
            "3.141592653589793238462643",
            "0.000001", "123.456e-7", "999999999999999e22", "1e-330", "123456789012345e-22",
        ] {
            #expect(with(text) { JSONNumber.double($0) } == Double(text), "\(text)")
        }
        for seed in UInt64(1)...2000 {
            var generator = SeededGenerator(seed: seed)
            let value = Double(bitPattern: .random(in: .min ... .max, using: &generator))
            guard value.isFinite else { continue }
            #expect(with("\(value)") { JSONNumber.double($0) } == value, "seed \(seed)")
        }
        #expect(with("1e309") { JSONNumber.double($0) } == .infinity)
        #expect(with("-1e99999999999999999999") { JSONNumber.double($0) } == -.infinity)
        #expect(with("1e-99999999999999999999") { JSONNumber.double($0) } == 0)
        #expect(with("-0") { JSONNumber.double($0) }.sign == .minus)
        // Half way between two doubles but for a last digit far away.
        let half = "9007199254740993." + String(repeating: "0", count: 2000)
        #expect(with(half + "1") { JSONNumber.double($0) } == 9_007_199_254_740_994)
        #expect(with(half + "0") { JSONNumber.double($0) } == 9_007_199_254_740_992)
    }

    @Test func longTextsAreComparedExactly() {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(compare("1" + zeros, "1e100000") == 0)
        #expect(compare("1" + zeros + ".5", "1e100000") == 1)
        #expect(compare("0." + zeros + "1", "1e-100001") == 0)
        #expect(compare("1e" + zeros + "1", "10") == 0)
        #expect(compare("1e1" + zeros, "1e1" + zeros + "0") == -1)
        #expect(compare("1e-1" + zeros, "1e1" + zeros) == -1)
        #expect(compare("0." + zeros + "1e100001", "1") == 0)
    }

    @Test func knowsANumberText() {
        for text in ["0", "-0", "1.5e+3", "10", "1E400"] {
            #expect(with(text) { JSONNumber.isValid($0) }, "\(text)")
        }
        for text in [
            "", "-", "01", "+1", "1.", ".5", "1e", "1 ", " 1", "true", "0x1", "NaN", "1e5.2",
        ] {
            #expect(!with(text) { JSONNumber.isValid($0) }, "\(text)")
        }
    }
}
