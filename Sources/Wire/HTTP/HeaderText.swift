import Glibc

/// What the characters of a head may be part of, one byte of bits for each of the 256.
enum CharacterClass {
    /// Part of a token (RFC 9110 5.6.2): methods and header names.
    static let token: UInt8 = 1
    /// Part of a request target as this service reads it: every visible character, and bytes
    /// from 0x80, but neither `#` (a fragment) nor `?` (where the query begins).
    static let target: UInt8 = 2
    /// Part of a header value (RFC 9110 5.5): visible, space, tab, bytes from 0x80.
    static let value: UInt8 = 4

    /// The bits of each byte, as letters: "@" is none, "D" value, "E" value and token,
    /// "F" value and target, "G" all three. A literal, so that no look-up initialises a global.
    @inline(__always) static var table: UnsafePointer<UInt8> {
        let letters: StaticString = """
            @@@@@@@@@D@@@@@@\
            @@@@@@@@@@@@@@@@\
            DGFEGGGGFFGGFGGF\
            GGGGGGGGGGFFFFFD\
            FGGGGGGGGGGGGGGG\
            GGGGGGGGGGGFFFGG\
            GGGGGGGGGGGGGGGG\
            GGGGGGGGGGGFGFG@\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF\
            FFFFFFFFFFFFFFFF
            """
        return letters.utf8Start
    }

    @inline(__always)
    static func allows(_ byte: UInt8, _ kind: UInt8) -> Bool {
        table[Int(byte)] & kind != 0
    }
}

/// The characters that lines are made of.
enum Ascii {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")

    /// 0...15 for a hexadecimal digit of either case.
    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit <= 9 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter <= 5 ? letter + 10 : nil
    }
}

extension UnsafeRawBufferPointer {
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let base = baseAddress else {
            return count == text.utf8CodeUnitCount
        }
        return memcmp(base, text.utf8Start, count) == 0
    }

    /// The bytes of `range`, which lies inside.
    @inline(__always)
    func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }
}

/// The search for control characters, which no line of HTTP may hold.
enum ControlBytes {
    /// The first byte from `start` on that is below 0x20 or is 0x7f, or `bound`.
    ///
    /// Eight bytes at a time. `(word - 0x20…) & ~word` has the high bit of each byte below 0x20;
    /// a borrow can mark bytes above a true mark falsely, never below it, so the lowest mark is true.
    /// The same holds for 0x7f, which becomes 0 by exclusive or and is then the byte below 1.
    @inline(__always)
    static func first(
        _ base: UnsafePointer<UInt8>, _ start: Int, _ bound: Int
    ) -> Int {
        let raw = UnsafeRawPointer(base)
        var position = start
        while position + 8 <= bound {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let delete = word ^ 0x7f7f_7f7f_7f7f_7f7f
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let del = (delete &- 0x0101_0101_0101_0101) & ~delete
            let marks = (low | del) & 0x8080_8080_8080_8080
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < bound, base[position] >= 0x20, base[position] != 0x7f { position += 1 }
        return position
    }
}

/// Rules that hold for every header value.
package enum HeaderText {
    /// Compares in the ASCII sense: letters of either case are equal, other bytes exact.
    package static func equalsIgnoringCase(
        _ bytes: UnsafeRawBufferPointer, _ text: StaticString
    ) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<bytes.count
        where lowercased(bytes[index]) != lowercased(text.utf8Start[index]) {
            return false
        }
        return true
    }

    /// Without spaces and tabs at both ends.
    package static func trim(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = bytes.count
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return bytes.part(start..<end)
    }

    /// Whether `bytes` may be written as a header value: no CR, LF, NUL or other control character
    /// but the tab, so that no value can end its line and begin another header.
    package static func isSafeValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let base = start.assumingMemoryBound(to: UInt8.self)
        var position = ControlBytes.first(base, 0, bytes.count)
        while position < bytes.count, base[position] == Ascii.tab {
            position = ControlBytes.first(base, position + 1, bytes.count)
        }
        return position == bytes.count
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == Ascii.space || byte == Ascii.tab }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
