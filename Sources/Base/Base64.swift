/// Base64 in the alphabet of RFC 4648, section 4, padded: what JSON carries bytes in.
package enum Base64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let pad = UInt8(ascii: "=")
    /// The six bits of each character; 0xFF for what is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        alphabet.withUTF8Buffer { alphabet in
            for (value, character) in alphabet.enumerated() {
                values[Int(character)] = UInt8(value)
            }
        }
        return values
    }()

    /// How many characters `count` bytes are.
    package static func length(of count: Int) -> Int { (count + 2) / 3 * 4 }

    /// The characters of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text = ByteBuffer(capacity: length(of: bytes.count))
        text.append(base64: bytes)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Writes the characters of `bytes` to `output`, which has room for `length(of:)` of them.
    fileprivate static func encode(
        _ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer
    ) {
        let alphabet = alphabet.utf8Start
        var offset = 0
        var place = 0
        func put(_ bits: UInt32, _ characters: Int) {
            for character in 0..<4 {
                let value = Int(bits >> UInt32(18 - 6 * character) & 0x3F)
                output.storeBytes(
                    of: character < characters ? alphabet[value] : pad,
                    toByteOffset: place + character, as: UInt8.self)
            }
            place += 4
        }
        while bytes.count - offset >= 3 {
            put(
                UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8
                    | UInt32(bytes[offset + 2]), 4)
            offset += 3
        }
        switch bytes.count - offset {
        case 1: put(UInt32(bytes[offset]) << 16, 2)
        case 2: put(UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8, 3)
        default: break
        }
    }

    /// The bytes that `text` spells; nil for anything that `append(base64:)` does not write.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        guard let last = text.last else { return [] }
        let padding = last == pad ? text[text.count - 2] == pad ? 2 : 1 : 0
        let count = text.count / 4 * 3 - padding
        var isRight = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, used in
            isRight = values.withUnsafeBufferPointer { values in
                decode(text, padding: padding, values: values, bytes: bytes)
            }
            used = isRight ? count : 0
        }
        return isRight ? bytes : nil
    }

    private static func decode(
        _ text: UnsafeRawBufferPointer, padding: Int, values: UnsafeBufferPointer<UInt8>,
        bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        // A character that is none sets the two bits that no value has.
        var seen: UInt8 = 0
        var place = 0
        var offset = 0
        func value(_ index: Int) -> UInt32 {
            let value = values[Int(text[index])]
            seen |= value
            return UInt32(value)
        }
        let whole = text.count - (padding > 0 ? 4 : 0)
        while offset < whole {
            let bits =
                value(offset) << 18 | value(offset + 1) << 12 | value(offset + 2) << 6
                | value(offset + 3)
            bytes[place] = UInt8(truncatingIfNeeded: bits >> 16)
            bytes[place + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            bytes[place + 2] = UInt8(truncatingIfNeeded: bits)
            offset += 4
            place += 3
        }
        if padding > 0 {
            var bits = value(offset) << 18 | value(offset + 1) << 12
            if padding == 1 { bits |= value(offset + 2) << 6 }
            bytes[place] = UInt8(truncatingIfNeeded: bits >> 16)
            if padding == 1 { bytes[place + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
            // What the bytes do not fill is zero.
            guard bits & (padding == 1 ? 0xFF : 0xFFFF) == 0 else { return false }
        }
        return seen & 0xC0 == 0
    }
}

extension ByteBuffer {
    /// Appends `bytes` as Base64, padded.
    package mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        let length = Base64.length(of: bytes.count)
        Base64.encode(bytes, to: reserve(length))
        advance(by: length)
    }

    /// Appends `bytes` as Base64, padded.
    package mutating func append(base64 bytes: [UInt8]) {
        bytes.withUnsafeBytes { append(base64: $0) }
    }
}
