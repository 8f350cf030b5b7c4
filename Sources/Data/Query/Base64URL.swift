/// Base64 in the alphabet that needs no escape in a URL, without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        let digits = alphabet.utf8Start
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var count = 0
            func append(_ value: UInt32) {
                text[count] = digits[Int(value & 0x3F)]
                count += 1
            }
            var bits: UInt32 = 0
            var held: UInt32 = 0
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                held += 8
                while held >= 6 {
                    held -= 6
                    append(bits >> held)
                }
            }
            if held > 0 { append(bits << (6 - held)) }
            return count
        }
    }

    /// The bytes of `text`; nil for what `encode` does not write.
    static func decode(_ text: String.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        // Left are 0, 2 or 4 bits, all zero.
        guard held < 6, bits & (1 << UInt32(held) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
