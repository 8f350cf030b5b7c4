import Glibc

/// Numbers as texts of any length and exponent: exact order, and conversion where it is asked for.
///
/// A number is taken apart into sign, significant digits and a decimal exponent, none of which is
/// materialised: digits stay where they are in the text, and an exponent too long for an `Int` is
/// compared as text. So every function is linear in the text, whatever the exponent says.
package enum JSONNumber {
    /// Orders two number texts by value.
    ///
    /// - Returns: -1, 0 or 1. Exact: 2^53 + 1 is greater than 2^53, 1.0 equals 1, -0 equals 0.
    package static func compare(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        if let first = shortInteger(left), let second = shortInteger(right) {
            return first < second ? -1 : first > second ? 1 : 0
        }
        let first = Parts(left)
        let second = Parts(right)
        guard first.sign == second.sign else { return first.sign < second.sign ? -1 : 1 }
        guard first.sign != 0 else { return 0 }
        return first.sign * compareMagnitudes(first, second)
    }

    /// Whether two number texts have the same value.
    package static func equal(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        compare(left, right) == 0
    }

    /// -1, 0 or 1.
    package static func sign(_ text: UnsafeRawBufferPointer) -> Int {
        Parts(text).sign
    }

    /// Whether the value is an integer: `7.0` and `1e3` are, `0.5` is not.
    package static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
        if shortInteger(text) != nil { return true }
        let parts = Parts(text)
        return parts.sign == 0 || parts.magnitude >= parts.significant
    }

    /// The value if it is an integer and fits.
    package static func int64(_ text: UnsafeRawBufferPointer) -> Int64? {
        if let value = shortInteger(text) { return value }
        let parts = Parts(text)
        guard parts.sign != 0 else { return 0 }
        guard parts.magnitude >= parts.significant, parts.magnitude <= 19 else { return nil }
        var value: UInt64 = 0
        var cursor = parts.cursor
        for _ in 0..<parts.magnitude {
            // Nineteen digits always fit in 64 bits.
            value = value &* 10 &+ UInt64(cursor.next())
        }
        if parts.sign < 0 {
            return value <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- value) : nil
        }
        return Int64(exactly: value)
    }

    /// The nearest double; infinite past the range, 0 below it.
    package static func double(_ text: UnsafeRawBufferPointer) -> Double {
        if let value = shortInteger(text), value != 0, value.magnitude < 1 << 53 {
            return Double(value)
        }
        let parts = Parts(text)
        guard parts.sign != 0 else { return text.first == UInt8(ascii: "-") ? -0.0 : 0 }
        let sign = Double(parts.sign)
        // value = 0.digits × 10^magnitude. The largest double has magnitude 309, the least -323.
        guard parts.magnitude <= 310 else { return sign * .infinity }
        guard parts.magnitude >= -330 else { return sign * 0 }
        let exponent = parts.magnitude - parts.significant
        if parts.significant <= 15, exponent.magnitude <= 22 {
            // Both factors are exact doubles, so one rounding gives the nearest one.
            var cursor = parts.cursor
            var digits: UInt64 = 0
            for _ in 0..<parts.significant { digits = digits &* 10 &+ UInt64(cursor.next()) }
            let power = exactPowers[Int(exponent.magnitude)]
            return sign * (exponent < 0 ? Double(digits) / power : Double(digits) * power)
        }
        return sign * nearest(parts)
    }

    /// 10^0 to 10^22, all exact.
    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Digits that can matter for the nearest double: a point half way between two has at most
    /// 767 significant ones; one more that is not 0 says that there were others.
    private static let digitsThatMatter = 800

    private static func nearest(_ parts: Parts) -> Double {
        let kept = min(parts.significant, digitsThatMatter)
        var digits = [UInt8]()
        digits.reserveCapacity(kept + 24)
        var cursor = parts.cursor
        for _ in 0..<kept { digits.append(0x30 + cursor.next()) }
        var exponent = parts.magnitude - kept
        if kept < parts.significant {
            digits.append(UInt8(ascii: "1"))
            exponent -= 1
        }
        digits.append(UInt8(ascii: "e"))
        digits.append(contentsOf: "\(exponent)".utf8)
        return Double(String(decoding: digits, as: UTF8.self)) ?? 0
    }

    /// Whether the text is one whole number of RFC 8259.
    package static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let base = text.baseAddress, let first = text.first else { return false }
        guard first == UInt8(ascii: "-") || first &- 0x30 <= 9 else { return false }
        do throws(JSONFault) {
            return try JSONScanner.number(base, 0, text.count) == text.count
        } catch {
            return false
        }
    }

    /// The value of at most 18 digits with nothing but a sign.
    @inline(__always)
    private static func shortInteger(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard let base = text.baseAddress, text.count > 0 else { return nil }
        let isNegative = base.load(as: UInt8.self) == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        guard text.count - start <= 18, text.count > start else { return nil }
        var value: Int64 = 0
        for offset in start..<text.count {
            let digit = base.load(fromByteOffset: offset, as: UInt8.self) &- 0x30
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return isNegative ? -value : value
    }

    /// Compares the magnitudes of two numbers that are not 0.
    private static func compareMagnitudes(_ left: Parts, _ right: Parts) -> Int {
        let difference = exponentDifference(left, right) + left.point - right.point
        guard difference == 0 else { return difference < 0 ? -1 : 1 }
        var first = left.cursor
        var second = right.cursor
        for _ in 0..<max(left.significant, right.significant) {
            let digit = first.next()
            let other = second.next()
            if digit != other { return digit < other ? -1 : 1 }
        }
        return 0
    }

    /// The written exponent of `left` less that of `right`, exact up to 10^17, of the right sign
    /// and beyond 10^16 where it is greater.
    ///
    /// Digit by digit from the front: once the difference so far is above 10^16, what follows can
    /// neither turn its sign nor bring it back, and the points differ by less than 2^33.
    private static func exponentDifference(_ left: Parts, _ right: Parts) -> Int {
        let length = max(left.exponent.count, right.exponent.count)
        var difference = 0
        for place in stride(from: length, to: 0, by: -1) {
            let first = left.exponentDigit(place) * left.exponentSign
            let second = right.exponentDigit(place) * right.exponentSign
            difference = difference * 10 + first - second
            if difference.magnitude > 10_000_000_000_000_000 { return difference }
        }
        return difference
    }
}
