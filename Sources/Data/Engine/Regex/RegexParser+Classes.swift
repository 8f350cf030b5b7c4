/// What an escape stands for.
enum RegexEscape {
    case scalar(UInt32)
    case set(ScalarSet)
    case assertion(RegexAssertion)
}

extension RegexParser {
    private static let escapes =
        "an escape: \\d \\w \\s \\b \\D \\W \\S \\B \\n \\t \\r \\f \\v \\xHH \\uHHHH \\u{H…} "
        + "or one of punctuation"

    /// Behind the backslash at `start`.
    mutating func escape(from start: Int) throws(RegexFault) -> RegexEscape {
        guard !isAtEnd else { throw fault(Self.escapes, at: start) }
        let letter = next
        position += 1
        switch letter {
        case UInt8(ascii: "d"): return .set(.digits)
        case UInt8(ascii: "D"): return .set(ScalarSet.digits.inverted)
        case UInt8(ascii: "w"): return .set(.word)
        case UInt8(ascii: "W"): return .set(ScalarSet.word.inverted)
        case UInt8(ascii: "s"): return .set(.space)
        case UInt8(ascii: "S"): return .set(ScalarSet.space.inverted)
        case UInt8(ascii: "b"): return .assertion(.wordBoundary)
        case UInt8(ascii: "B"): return .assertion(.noWordBoundary)
        case UInt8(ascii: "n"): return .scalar(0x0A)
        case UInt8(ascii: "t"): return .scalar(0x09)
        case UInt8(ascii: "r"): return .scalar(0x0D)
        case UInt8(ascii: "f"): return .scalar(0x0C)
        case UInt8(ascii: "v"): return .scalar(0x0B)
        case UInt8(ascii: "x"):
            guard let value = hexadecimal(digits: 2) else {
                throw fault("two hexadecimal digits after \\x", at: start)
            }
            return .scalar(value)
        case UInt8(ascii: "u"):
            return .scalar(try unicode(from: start))
        case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "k"):
            throw fault(
                "no back-reference, which could not be matched in linear time", at: start)
        case 0x20...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E:
            return .scalar(UInt32(letter))
        default:
            throw fault(Self.escapes, at: start)
        }
    }

    private mutating func hexadecimal(digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = hexadecimalDigit() else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private mutating func hexadecimalDigit() -> UInt32? {
        let byte = next
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: return nil
        }
        position += 1
        return UInt32(digit)
    }

    /// Behind `\u`: four digits (two such escapes for a surrogate pair), or braces.
    private mutating func unicode(from start: Int) throws(RegexFault) -> UInt32 {
        let expected = "a Unicode scalar: \\uHHHH or \\u{H…}"
        var value: UInt32 = 0
        if take("{") {
            var digits = 0
            while let digit = hexadecimalDigit() {
                value = value << 4 | digit
                digits += 1
                guard digits <= 8 else { throw fault(expected, at: start) }
            }
            guard digits > 0, take("}") else { throw fault(expected, at: start) }
        } else {
            guard let first = hexadecimal(digits: 4) else { throw fault(expected, at: start) }
            value = first
            if first & 0xFC00 == 0xD800, take("\\"), take("u") {
                guard let second = hexadecimal(digits: 4), second & 0xFC00 == 0xDC00 else {
                    throw fault(expected, at: start)
                }
                value = 0x10000 + (first & 0x3FF) << 10 + (second & 0x3FF)
            }
        }
        guard Unicode.Scalar(value) != nil else { throw fault(expected, at: start) }
        return value
    }

    /// Behind the bracket at `start`.
    mutating func characterClass(from start: Int) throws(RegexFault) -> ScalarSet {
        let isNegated = take("^")
        guard next != UInt8(ascii: "]") || isAtEnd else {
            throw fault("a member of the class; \\] stands for the bracket")
        }
        var ranges: [ScalarRange] = []
        // What \d and its kin name is ASCII and stays so under (?i).
        var named: [ScalarRange] = []
        while !take("]") {
            let place = position
            switch try member(of: start) {
            case .set(let set):
                named += set.ranges
                guard !isRange else {
                    throw fault("no range that begins with a class; \\- stands for the hyphen")
                }
            case .scalar(let low):
                var high = low
                if isRange {
                    position += 1
                    guard case .scalar(let last) = try member(of: start) else {
                        throw fault("a range that ends with a character", at: place)
                    }
                    high = last
                }
                guard low <= high else {
                    throw fault("a range whose last character is not before its first", at: place)
                }
                ranges.append(ScalarRange(low: low, high: high))
            case .assertion:
                throw fault("a character or one of \\d \\w \\s in the class", at: place)
            }
        }
        let spelled = ScalarSet(ranges)
        let set = (ignoresCase ? spelled.folded : spelled).union(ScalarSet(named))
        return isNegated ? set.inverted : set
    }
    /// Whether a hyphen follows that is not the class's last character.
    private var isRange: Bool {
        next == UInt8(ascii: "-") && position + 1 < bytes.count
            && bytes[position + 1] != UInt8(ascii: "]")
    }

    /// One member of the class that began at `start`.
    private mutating func member(of start: Int) throws(RegexFault) -> RegexEscape {
        guard !isAtEnd else { throw fault("a ] for the [ at byte \(start)") }
        let place = position
        if take("\\") { return try escape(from: place) }
        if next == UInt8(ascii: "["), position + 1 < bytes.count {
            switch bytes[position + 1] {
            case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "="):
                throw fault("no class by name; \\[ stands for the bracket", at: place)
            default: break
            }
        }
        return .scalar(scalar())
    }
}
