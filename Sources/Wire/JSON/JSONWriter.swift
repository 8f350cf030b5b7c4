package import FreshetBase

/// Writing JSON piece by piece, strings in canonical form.
extension ByteBuffer {
    /// Appends a JSON string: quotes, and `bytes` with canonical escapes.
    ///
    /// - Parameter bytes: Valid UTF-8.
    package mutating func append(jsonString bytes: UnsafeRawBufferPointer) {
        append(JSONLexis.quote)
        append(jsonStringContents: bytes)
        append(JSONLexis.quote)
    }

    /// Appends a JSON string of `text`.
    package mutating func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: UnsafeRawBufferPointer($0)) }
    }

    /// Appends `bytes` with canonical escapes and without quotes. O(bytes); bytes that need no
    /// escape are looked at eight a step.
    ///
    /// - Parameter bytes: Valid UTF-8.
    package mutating func append(jsonStringContents bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        let end = bytes.count
        var offset = 0
        while offset < end {
            var next = JSONLexis.plainEnd(base, from: offset, to: end)
            // Beyond ASCII only U+2028 and U+2029 are escaped.
            while next < end {
                let byte = base.load(fromByteOffset: next, as: UInt8.self)
                guard byte >= 0x80, byte != 0xE2 || !isLineSeparator(base, at: next, to: end) else {
                    break
                }
                next = JSONLexis.plainEnd(base, from: next + 1, to: end)
            }
            append(UnsafeRawBufferPointer(start: base + offset, count: next - offset))
            offset = next
            guard offset < end else { break }
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            let output = reserve(6)
            if byte == 0xE2 {
                let last = base.load(fromByteOffset: offset + 2, as: UInt8.self)
                advance(by: JSONLexis.spell(0x2028 | UInt32(last & 1), at: output))
                offset += 3
            } else {
                advance(by: JSONLexis.spell(UInt32(byte), at: output))
                offset += 1
            }
        }
    }

    private func isLineSeparator(_ base: UnsafeRawPointer, at offset: Int, to end: Int) -> Bool {
        end - offset >= 3 && base.load(fromByteOffset: offset + 1, as: UInt8.self) == 0x80
            && base.load(fromByteOffset: offset + 2, as: UInt8.self) & 0xFE == 0xA8
    }

    /// Appends `"name":`.
    ///
    /// - Parameter name: A literal that needs no escape.
    package mutating func append(jsonName name: StaticString) {
        append(JSONLexis.quote)
        append(name)
        append("\":")
    }

    /// Appends a member name and its colon.
    ///
    /// - Parameter bytes: Valid UTF-8, not yet escaped.
    package mutating func append(jsonName bytes: UnsafeRawBufferPointer) {
        append(jsonString: bytes)
        append(UInt8(ascii: ":"))
    }

    /// Appends a member name and its colon.
    package mutating func append(jsonName text: String) {
        append(jsonString: text)
        append(UInt8(ascii: ":"))
    }

    /// Appends `true` or `false`.
    package mutating func append(jsonBool value: Bool) {
        append(value ? "true" : "false")
    }

    /// Appends the shortest number that reads back as `value`, `5` rather than `5.0`; `null`
    /// where it is not finite.
    package mutating func append(jsonDouble value: Double) {
        guard value.isFinite else { return append("null") }
        if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
            return append(decimal: Int(integer))
        }
        append(text: value.description)
    }
}
