/// The lexical pieces that scanner, compactor and views share: wide searches, UTF-8, hex digits.
///
/// All work on a base pointer and byte offsets, and never load at or behind `end`.
enum JSONLexis {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// The byte repeated in all eight places of a word.
    @inline(__always)
    static func repeated(_ byte: UInt8) -> UInt64 {
        UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// The eight bytes at `offset`, the first in the lowest place.
    @inline(__always)
    static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Which bytes of a word are a quote, a backslash, a control character or no ASCII: the top
    /// bit of each. Only the lowest bit set is exact, since a subtraction borrows upwards.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        // Subtracting turns a byte's top bit on if the byte was less, or had it on already, and
        // then it is no ASCII: no need to tell the two apart.
        let quotes = (word ^ repeated(0x22)) &- repeated(0x01)
        let backslashes = (word ^ repeated(0x5C)) &- repeated(0x01)
        let controls = word &- repeated(0x20)
        return (quotes | backslashes | controls | word) & repeated(0x80)
    }

    /// Which bytes of a word are `byte`, as the top bit of each. Only the lowest is exact.
    @inline(__always)
    static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let difference = word ^ repeated(byte)
        return (difference &- repeated(0x01)) & ~difference & repeated(0x80)
    }

    /// The first byte in `offset..<end` that is a quote, a backslash, a control character or no
    /// ASCII; `end` if there is none. Eight bytes a step.
    @inline(__always)
    static func plainEnd(_ base: UnsafeRawPointer, from offset: Int, to end: Int) -> Int {
        var offset = offset
        while end - offset >= 8 {
            let found = special(word(base, offset))
            if found != 0 { return offset + found.trailingZeroBitCount >> 3 }
            offset += 8
        }
        while offset < end {
            let byte = base.load(fromByteOffset: offset, as: Int8.self)
            // As a signed byte, what is no ASCII is below the space, too.
            if byte < 0x20 || byte == 0x22 || byte == 0x5C { return offset }
            offset += 1
        }
        return end
    }

    /// The first quote or backslash in `offset..<end`, or `end`. Eight bytes a step.
    @inline(__always)
    static func quoteOrBackslash(_ base: UnsafeRawPointer, from offset: Int, to end: Int) -> Int {
        var offset = offset
        while end - offset >= 8 {
            let word = word(base, offset)
            let found = matches(word, quote) | matches(word, backslash)
            if found != 0 { return offset + found.trailingZeroBitCount >> 3 }
            offset += 8
        }
        while offset < end {
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            if byte == quote || byte == backslash { return offset }
            offset += 1
        }
        return end
    }

    /// Behind the closing quote of a valid string whose contents start at `offset`.
    @inline(__always)
    static func stringEnd(_ base: UnsafeRawPointer, from offset: Int, to end: Int) -> Int {
        var offset = offset
        while true {
            offset = quoteOrBackslash(base, from: offset, to: end)
            if offset >= end { return end }
            if base.load(fromByteOffset: offset, as: UInt8.self) == quote { return offset + 1 }
            offset += 2
        }
    }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The first byte in `offset..<end` that is no whitespace, or `end`.
    @inline(__always)
    static func whitespaceEnd(_ base: UnsafeRawPointer, from offset: Int, to end: Int) -> Int {
        var offset = offset
        while offset < end {
            // Indentation comes in runs of spaces.
            while end - offset >= 8,
                base.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0x2020_2020_2020_2020
            {
                offset += 8
            }
            guard offset < end, isWhitespace(base.load(fromByteOffset: offset, as: UInt8.self))
            else { break }
            offset += 1
        }
        return offset
    }

    /// The first byte in `offset..<end` that is no ASCII digit, or `end`. Eight bytes a step.
    @inline(__always)
    static func digitsEnd(_ base: UnsafeRawPointer, from offset: Int, to end: Int) -> Int {
        var offset = offset
        while end - offset >= 8 {
            let word = word(base, offset)
            // High nibble 3, and still 3 after adding 6: 0x30...0x39.
            let high = word & 0xF0F0_F0F0_F0F0_F0F0
            let carried = (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0
            let other = (high | carried >> 4) ^ 0x3333_3333_3333_3333
            if other != 0 {
                // A carry out of a byte can only come from one that is no digit itself, so the
                // lowest byte that differs is exact.
                return offset + other.trailingZeroBitCount >> 3
            }
            offset += 8
        }
        while offset < end, base.load(fromByteOffset: offset, as: UInt8.self) &- 0x30 <= 9 {
            offset += 1
        }
        return offset
    }

    /// Whether a UTF-8 sequence at `offset` is whole and valid, and its length.
    enum Sequence {
        case valid(Int)
        case invalid
        case cut
    }

    /// Looks at the sequence of two to four bytes at `offset` (Unicode 15, table 3-7).
    @inline(__always)
    static func sequence(_ base: UnsafeRawPointer, _ offset: Int, _ end: Int) -> Sequence {
        let lead = base.load(fromByteOffset: offset, as: UInt8.self)
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, low) = (3, 0xA0)
        case 0xED: (length, high) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF4: (length, high) = (4, 0x8F)
        case 0xF1...0xF3: length = 4
        default: return .invalid
        }
        guard offset + 1 < end else { return .cut }
        let second = base.load(fromByteOffset: offset + 1, as: UInt8.self)
        guard second >= low, second <= high else { return .invalid }
        guard length > 2 else { return .valid(2) }
        guard offset + 2 < end else { return .cut }
        guard base.load(fromByteOffset: offset + 2, as: UInt8.self) & 0xC0 == 0x80 else {
            return .invalid
        }
        guard length > 3 else { return .valid(3) }
        guard offset + 3 < end else { return .cut }
        guard base.load(fromByteOffset: offset + 3, as: UInt8.self) & 0xC0 == 0x80 else {
            return .invalid
        }
        return .valid(4)
    }

    /// The value of a hex digit, or more than 15.
    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt32 {
        let digit = byte &- 0x30
        if digit <= 9 { return UInt32(digit) }
        let letter = (byte | 0x20) &- 0x61
        return letter <= 5 ? UInt32(letter) + 10 : 0xFF
    }

    /// The value of the four hex digits at `offset`, which are known to be there.
    @inline(__always)
    static func hex4(_ base: UnsafeRawPointer, _ offset: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in 0..<4 {
            let byte = base.load(fromByteOffset: offset + index, as: UInt8.self)
            value = value << 4 | (hexDigit(byte) & 0xF)
        }
        return value
    }

    /// The scalar of the valid escape whose backslash stands at `offset`, and the escape's length.
    ///
    /// Yields U+FFFD rather than reading past `end` or pairing wrongly, should the text be
    /// unvalidated after all.
    static func escape(
        _ base: UnsafeRawPointer, _ offset: Int, _ end: Int
    ) -> (scalar: UInt32, length: Int) {
        guard end - offset >= 2 else { return (0xFFFD, end - offset) }
        let byte = base.load(fromByteOffset: offset + 1, as: UInt8.self)
        switch byte {
        case UInt8(ascii: "b"): return (0x08, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        case UInt8(ascii: "n"): return (0x0A, 2)
        case UInt8(ascii: "f"): return (0x0C, 2)
        case UInt8(ascii: "r"): return (0x0D, 2)
        case UInt8(ascii: "u"):
            guard end - offset >= 6 else { return (0xFFFD, end - offset) }
            let unit = hex4(base, offset + 2)
            guard unit & 0xF800 == 0xD800 else { return (unit, 6) }
            guard end - offset >= 12 else { return (0xFFFD, 6) }
            let second = hex4(base, offset + 8)
            guard unit < 0xDC00, second & 0xFC00 == 0xDC00 else { return (0xFFFD, 6) }
            return (0x10000 + (unit & 0x3FF) << 10 + (second & 0x3FF), 12)
        default: return (UInt32(byte), 2)
        }
    }

    /// Writes `scalar` as UTF-8 at `output`, which has room for four bytes.
    @inline(__always)
    static func encode(_ scalar: UInt32, at output: UnsafeMutableRawPointer) -> Int {
        func put(_ value: UInt32, _ index: Int) {
            output.storeBytes(
                of: UInt8(truncatingIfNeeded: value), toByteOffset: index, as: UInt8.self)
        }
        switch scalar {
        case 0..<0x80:
            put(scalar, 0)
            return 1
        case 0x80..<0x800:
            put(0xC0 | scalar >> 6, 0)
            put(0x80 | scalar & 0x3F, 1)
            return 2
        case 0x800..<0x10000:
            put(0xE0 | scalar >> 12, 0)
            put(0x80 | scalar >> 6 & 0x3F, 1)
            put(0x80 | scalar & 0x3F, 2)
            return 3
        default:
            put(0xF0 | scalar >> 18, 0)
            put(0x80 | scalar >> 12 & 0x3F, 1)
            put(0x80 | scalar >> 6 & 0x3F, 2)
            put(0x80 | scalar & 0x3F, 3)
            return 4
        }
    }
}
