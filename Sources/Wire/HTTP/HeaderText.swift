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
        for byte in bytes where !CharacterClass.allows(byte, CharacterClass.value) { return false }
        return true
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == Ascii.space || byte == Ascii.tab }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }
}
