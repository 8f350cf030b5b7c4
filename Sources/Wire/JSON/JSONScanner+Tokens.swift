/// The scanner's tokens: each takes the place of its first byte and gives the place behind it.
extension JSONScanner {
    @inline(__always)
    static func kind(of first: UInt8) -> JSONKind {
        switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    @inline(__always)
    static func startsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "t"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "-"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Skips whitespace; any at all means that the text is not canonical.
    @inline(__always)
    static func skip(
        _ base: UnsafeRawPointer, offset: Int, end: Int, isCanonical: inout Bool
    ) -> Int {
        guard offset < end, base.load(fromByteOffset: offset, as: UInt8.self) <= 0x20 else {
            return offset
        }
        let next = JSONLexis.whitespaceEnd(base, from: offset, to: end)
        if next != offset { isCanonical = false }
        return next
    }

    /// - Parameter word: The literal's first four bytes, little-endian.
    @inline(__always)
    static func literal(
        _ base: UnsafeRawPointer, offset: Int, end: Int, word: UInt32, length: Int
    ) throws(JSONFault) -> Int {
        if end - offset >= length,
            UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                == word,
            length == 4
                || base.load(fromByteOffset: offset + 4, as: UInt8.self) == UInt8(ascii: "e")
        {
            return offset + length
        }
        throw badLiteral(base, offset: offset, end: end, word: word)
    }

    @inline(never)
    private static func badLiteral(
        _ base: UnsafeRawPointer, offset: Int, end: Int, word: UInt32
    ) -> JSONFault {
        for index in 0..<4 {
            guard offset + index < end else { return JSONFault(.endOfText, at: end) }
            let expected = UInt8(truncatingIfNeeded: word >> UInt32(8 * index))
            if base.load(fromByteOffset: offset + index, as: UInt8.self) != expected {
                return JSONFault(.badLiteral, at: offset + index)
            }
        }
        guard offset + 4 < end else { return JSONFault(.endOfText, at: end) }
        return JSONFault(.badLiteral, at: offset + 4)
    }

    /// A number (RFC 8259 section 6).
    @inline(__always)
    static func number(
        _ base: UnsafeRawPointer, _ start: Int, _ end: Int
    ) throws(JSONFault) -> Int {
        var offset = start
        if base.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: "-") {
            offset += 1
            guard offset < end else { throw JSONFault(.endOfText, at: end) }
        }
        let first = base.load(fromByteOffset: offset, as: UInt8.self) &- 0x30
        guard first <= 9 else { throw JSONFault(.badNumber, at: offset) }
        if first == 0 {
            offset += 1
            if offset < end, base.load(fromByteOffset: offset, as: UInt8.self) &- 0x30 <= 9 {
                throw JSONFault(.leadingZero, at: offset)
            }
        } else {
            offset = JSONLexis.digitsEnd(base, from: offset + 1, to: end)
        }
        guard offset < end else { return offset }
        let byte = base.load(fromByteOffset: offset, as: UInt8.self)
        guard byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") else { return offset }
        return try fractionAndExponent(base, from: offset, to: end)
    }

    @inline(never)
    private static func fractionAndExponent(
        _ base: UnsafeRawPointer, from start: Int, to end: Int
    ) throws(JSONFault) -> Int {
        var offset = start
        if base.load(fromByteOffset: offset, as: UInt8.self) == UInt8(ascii: ".") {
            offset = try digits(base, offset + 1, end)
        }
        if offset < end,
            base.load(fromByteOffset: offset, as: UInt8.self) | 0x20 == UInt8(ascii: "e")
        {
            offset += 1
            if offset < end {
                let sign = base.load(fromByteOffset: offset, as: UInt8.self)
                if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            }
            offset = try digits(base, offset, end)
        }
        return offset
    }

    /// One or more digits.
    @inline(__always)
    private static func digits(
        _ base: UnsafeRawPointer, _ start: Int, _ end: Int
    ) throws(JSONFault) -> Int {
        let offset = JSONLexis.digitsEnd(base, from: start, to: end)
        guard offset > start else {
            throw JSONFault(start < end ? .badNumber : .endOfText, at: start)
        }
        return offset
    }

    /// The contents of a string that start at `start`; `end` of the result is the closing quote.
    @inline(__always)
    static func string(
        _ base: UnsafeRawPointer, start: Int, end: Int, isCanonical: inout Bool
    ) throws(JSONFault) -> (end: Int, hasEscapes: Bool) {
        let offset = JSONLexis.plainEnd(base, from: start, to: end)
        if offset < end, base.load(fromByteOffset: offset, as: UInt8.self) == JSONLexis.quote {
            return (offset, false)
        }
        return try specialString(base, start: offset, end: end, isCanonical: &isCanonical)
    }

    /// The rest of a string, from its first byte that is not plain.
    @inline(never)
    private static func specialString(
        _ base: UnsafeRawPointer, start: Int, end: Int, isCanonical: inout Bool
    ) throws(JSONFault) -> (end: Int, hasEscapes: Bool) {
        var offset = start
        var hasEscapes = false
        while offset < end {
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            if byte >= 0x80 {
                switch JSONLexis.sequence(base, offset, end) {
                case .valid(let length):
                    if byte == 0xE2, isLineSeparator(base, offset) { isCanonical = false }
                    offset += length
                case .invalid: throw JSONFault(.badUTF8, at: offset)
                case .cut: throw JSONFault(.endOfText, at: end)
                }
            } else if byte == JSONLexis.quote {
                return (offset, hasEscapes)
            } else if byte == JSONLexis.backslash {
                hasEscapes = true
                offset = try escape(base, start: offset, end: end, isCanonical: &isCanonical)
            } else if byte < 0x20 {
                throw JSONFault(.controlCharacter, at: offset)
            } else {
                offset = JSONLexis.plainEnd(base, from: offset, to: end)
            }
        }
        throw JSONFault(.endOfText, at: end)
    }

    /// Whether the three bytes of the valid sequence at `offset` are U+2028 or U+2029.
    @inline(__always)
    private static func isLineSeparator(_ base: UnsafeRawPointer, _ offset: Int) -> Bool {
        base.load(fromByteOffset: offset + 1, as: UInt8.self) == 0x80
            && base.load(fromByteOffset: offset + 2, as: UInt8.self) & 0xFE == 0xA8
    }

    /// Behind the escape, or the pair of surrogate escapes, at `start`.
    @inline(__always)
    private static func escape(
        _ base: UnsafeRawPointer, start: Int, end: Int, isCanonical: inout Bool
    ) throws(JSONFault) -> Int {
        guard start + 1 < end else { throw JSONFault(.endOfText, at: end) }
        switch base.load(fromByteOffset: start + 1, as: UInt8.self) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "/"):
            isCanonical = false
            return start + 2
        case UInt8(ascii: "u"):
            return try unicodeEscape(base, start: start, end: end, isCanonical: &isCanonical)
        default:
            throw JSONFault(.badEscape, at: start + 1)
        }
    }

    @inline(never)
    private static func unicodeEscape(
        _ base: UnsafeRawPointer, start: Int, end: Int, isCanonical: inout Bool
    ) throws(JSONFault) -> Int {
        let unit = try codeUnit(base, at: start + 2, to: end)
        if unit & 0xF800 == 0xD800 {
            isCanonical = false
            guard unit < 0xDC00 else { throw JSONFault(.loneSurrogate, at: start) }
            guard start + 6 < end else { throw JSONFault(.endOfText, at: end) }
            guard base.load(fromByteOffset: start + 6, as: UInt8.self) == JSONLexis.backslash
            else { throw JSONFault(.loneSurrogate, at: start) }
            guard start + 7 < end else { throw JSONFault(.endOfText, at: end) }
            guard base.load(fromByteOffset: start + 7, as: UInt8.self) == UInt8(ascii: "u")
            else { throw JSONFault(.loneSurrogate, at: start) }
            guard try codeUnit(base, at: start + 8, to: end) & 0xFC00 == 0xDC00 else {
                throw JSONFault(.loneSurrogate, at: start)
            }
            return start + 12
        }
        if !isCanonicalEscape(unit, in: base, from: start) { isCanonical = false }
        return start + 6
    }

    /// Whether the canonical form spells `unit` as the six bytes at `start`.
    @inline(__always)
    private static func isCanonicalEscape(
        _ unit: UInt32, in base: UnsafeRawPointer, from start: Int
    ) -> Bool {
        if unit == 0x2028 || unit == 0x2029 { return true }
        switch unit {
        case 0x08, 0x09, 0x0A, 0x0C, 0x0D: return false
        case 0..<0x20:
            let last = base.load(fromByteOffset: start + 5, as: UInt8.self)
            return last <= UInt8(ascii: "9") || last >= UInt8(ascii: "a")
        default: return false
        }
    }

    /// The value of four hex digits at `start`.
    @inline(__always)
    private static func codeUnit(
        _ base: UnsafeRawPointer, at start: Int, to end: Int
    ) throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for offset in start..<start + 4 {
            guard offset < end else { throw JSONFault(.endOfText, at: end) }
            let digit = JSONLexis.hexDigit(base.load(fromByteOffset: offset, as: UInt8.self))
            guard digit <= 15 else { throw JSONFault(.badEscape, at: offset) }
            value = value << 4 | digit
        }
        return value
    }
}
