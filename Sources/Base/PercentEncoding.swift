/// Percent-encoding of RFC 3986: everything but letters, digits and `-._~` becomes an escape with
/// capital digits.
package enum PercentEncoding {
    /// Appends `bytes` so that they can stand in a path or a query.
    package static func append(
        _ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer
    ) {
        append(bytes, to: &buffer, keeping: isUnreserved)
    }

    /// A path or a query as it was sent, but that bytes which stand in no address are encoded.
    package static func address(_ bytes: UnsafeRawBufferPointer) -> String {
        var buffer = ByteBuffer(capacity: bytes.count)
        append(bytes, to: &buffer) { $0 > 0x20 && $0 < 0x7F }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private static func append(
        _ bytes: UnsafeRawBufferPointer, to buffer: inout ByteBuffer,
        keeping isKept: (UInt8) -> Bool
    ) {
        let digits: StaticString = "0123456789ABCDEF"
        for byte in bytes {
            if isKept(byte) {
                buffer.append(byte)
            } else {
                buffer.append(UInt8(ascii: "%"))
                buffer.append(digits.utf8Start[Int(byte >> 4)])
                buffer.append(digits.utf8Start[Int(byte & 15)])
            }
        }
    }

    /// `text` as a part of a path or a query.
    package static func text(_ text: String) -> String {
        var text = text
        var buffer = ByteBuffer(capacity: text.utf8.count)
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &buffer) }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// `text` as a whole segment of a path: dots alone would be taken for a step.
    package static func segment(_ text: String) -> String {
        text == "." || text == ".."
            ? String(repeating: "%2E", count: text.utf8.count) : Self.text(text)
    }

    /// `text` as the value of a query; its commas, which divide lists, stand as they are.
    package static func list(_ text: String) -> String {
        text.divided(at: ",").map { Self.text(String($0)) }.joined(separator: ",")
    }

    /// Whether `byte` stands for itself everywhere.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
            || byte &- UInt8(ascii: "0") <= 9 || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
    }
}
