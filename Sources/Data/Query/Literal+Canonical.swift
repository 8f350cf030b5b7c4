import FreshetBase
import FreshetJSON

extension Literal {
    /// The literal whose bytes stand for the value: equal numbers get one spelling.
    func normalised() -> Literal {
        switch kind {
        case .number: Literal(canonical: NumberSpelling.normalised(bytes))
        case .array:
            withView { view in
                var output = ByteBuffer(capacity: bytes.count + 16)
                Self.writeNormalised(view, into: &output)
                return Literal(canonical: Array(output.bytes))
            }
        default: self
        }
    }

    /// Whether each literal of this value has these bytes, once both are normalised: all but numbers whose
    /// exponent has more than 15 digits.
    var hasOneSpelling: Bool {
        switch kind {
        // What is short has no such exponent.
        case .number where bytes.count > 17: NumberSpelling.isUnique(bytes)
        case .array where bytes.count > 17: withView(Self.hasOneSpelling)
        default: true
        }
    }

    private static func hasOneSpelling(_ view: JSONView) -> Bool {
        switch view.kind {
        case .array: view.elements.allSatisfy(hasOneSpelling)
        case .number: NumberSpelling.isUnique(Array(view.bytes))
        default: true
        }
    }

    /// Recursion ends with the 64 levels that a literal may have.
    private static func writeNormalised(_ view: JSONView, into output: inout ByteBuffer) {
        switch view.kind {
        case .array:
            var isFirst = true
            output.append(UInt8(ascii: "["))
            for element in view.elements {
                if !isFirst { output.append(UInt8(ascii: ",")) }
                isFirst = false
                writeNormalised(element, into: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .number: output.append(NumberSpelling.normalised(Array(view.bytes)))
        default: output.append(view.bytes)
        }
    }
}

/// One spelling per number.
package enum NumberSpelling {
    /// Digits without the zeros at either end, and where the decimal point stands.
    private struct Parts {
        var isNegative = false
        var digits: [UInt8] = []
        /// The value is 0.digits × 10^point.
        var point = 0
    }

    /// The same number spelled so that equal numbers are equal text: `1.50`, `15e-1` → `1.5`.
    ///
    /// A number whose exponent has more than 15 digits stays as it is.
    static func normalised(_ text: [UInt8]) -> [UInt8] {
        guard let parts = parts(of: text) else { return text }
        guard !parts.digits.isEmpty else { return [UInt8(ascii: "0")] }
        let count = parts.digits.count
        if parts.point > -6, parts.point < count || parts.point <= 21 { return plain(parts) }
        return sign(of: parts) + parts.digits + Array("e\(parts.point - count)".utf8)
    }

    /// Whether equal numbers have the text that this one has.
    fileprivate static func isUnique(_ text: [UInt8]) -> Bool { parts(of: text) != nil }

    /// The number in digits without an exponent, as services compare numbers that are text to them; nil
    /// where that has more than `mostPlain` digits.
    package static func plain(_ text: [UInt8]) -> [UInt8]? {
        guard let parts = parts(of: text) else { return nil }
        guard !parts.digits.isEmpty else { return [UInt8(ascii: "0")] }
        guard abs(parts.point) <= mostPlain, parts.digits.count <= mostPlain else { return nil }
        return plain(parts)
    }

    private static func plain(_ parts: Parts) -> [UInt8] {
        let zero = UInt8(ascii: "0")
        let (digits, point) = (parts.digits, parts.point)
        if point <= 0 {
            return sign(of: parts) + [zero, UInt8(ascii: ".")]
                + Array(repeating: zero, count: -point) + digits
        }
        if point < digits.count {
            return sign(of: parts) + digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        }
        return sign(of: parts) + digits + Array(repeating: zero, count: point - digits.count)
    }

    private static func sign(of parts: Parts) -> [UInt8] {
        parts.isNegative ? [UInt8(ascii: "-")] : []
    }

    private static let mostPlain = 400

    private static func parts(of text: [UInt8]) -> Parts? {
        var parts = Parts()
        var index = 0
        if text.first == UInt8(ascii: "-") {
            parts.isNegative = true
            index = 1
        }
        var integerDigits = 0
        var isFraction = false
        while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
            if text[index] == UInt8(ascii: ".") {
                isFraction = true
            } else {
                parts.digits.append(text[index])
                if !isFraction { integerDigits += 1 }
            }
            index += 1
        }
        let zero = UInt8(ascii: "0")
        let leading = parts.digits.prefix { $0 == zero }.count
        let trailing = parts.digits.reversed().prefix { $0 == zero }.count
        guard leading < parts.digits.count else {
            parts.digits = []
            return parts
        }
        parts.digits = Array(parts.digits[leading..<parts.digits.count - trailing])
        parts.point = integerDigits - leading
        if index < text.count {
            let isNegative = text[index + 1] == UInt8(ascii: "-")
            let exponent = text[(index + 1)...].drop {
                $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == zero
            }
            guard exponent.count <= 15 else { return nil }
            let value = exponent.reduce(0) { $0 * 10 + Int($1 - zero) }
            parts.point += isNegative ? -value : value
        }
        return parts
    }
}
