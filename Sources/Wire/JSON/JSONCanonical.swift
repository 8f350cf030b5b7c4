package import FreshetBase

/// The canonical form: no whitespace outside strings, one spelling for each string, numbers and
/// member order as written.
///
/// In strings only `"`, `\`, control characters below U+0020, U+2028 and U+2029 are escaped; the
/// short escapes `\b \t \n \f \r` where they exist, else four lower-case hex digits.
package enum JSONCanonical {
    /// Appends the canonical form of `value`, a validated value in any spelling.
    ///
    /// Whitespace around it is dropped. O(bytes), at most twice as many bytes out.
    package static func compact(_ value: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) {
        guard let base = value.baseAddress else { return }
        var pass = Pass(base: base, offset: 0, end: value.count)
        while pass.offset < pass.end {
            // Room for what is left and one wide store more; a pass ends where that may not do.
            let output = buffer.reserve(pass.end - pass.offset + 32)
            buffer.advance(by: pass.write(to: output))
        }
    }

    /// Appends an object in canonical form: `front`, its members but one, `back`.
    ///
    /// - Parameters:
    ///   - text: The buffer that was scanned.
    ///   - members: The scanner's members of that scan.
    ///   - isCanonical: The scan's answer: whether names and values can be copied as they are.
    ///   - name: The member to leave out.
    ///   - front: Canonical members without braces or outer commas, or nothing.
    ///   - back: The same, for behind.
    package static func compactObject(
        _ text: UnsafeRawBufferPointer, members: UnsafeBufferPointer<JSONMember>,
        isCanonical: Bool, dropping name: StaticString? = nil,
        front: UnsafeRawBufferPointer? = nil, back: UnsafeRawBufferPointer? = nil,
        into buffer: inout ByteBuffer
    ) {
        buffer.append(UInt8(ascii: "{"))
        let start = buffer.count
        if let front { buffer.append(front) }
        for member in members {
            if let name, member.isNamed(name, in: text) { continue }
            if buffer.count > start { buffer.append(UInt8(ascii: ",")) }
            let nameRange = Int(member.nameStart) - 1..<Int(member.nameEnd) + 1
            let valueRange = Int(member.valueStart)..<Int(member.valueEnd)
            if isCanonical {
                buffer.append(
                    UnsafeRawBufferPointer(
                        rebasing: text[nameRange.lowerBound..<valueRange.upperBound]))
            } else {
                compact(UnsafeRawBufferPointer(rebasing: text[nameRange]), into: &buffer)
                buffer.append(UInt8(ascii: ":"))
                compact(UnsafeRawBufferPointer(rebasing: text[valueRange]), into: &buffer)
            }
        }
        if let back, !back.isEmpty {
            if buffer.count > start { buffer.append(UInt8(ascii: ",")) }
            buffer.append(back)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// One walk over a text, which stops early where the output may outgrow its room.
    private struct Pass {
        let base: UnsafeRawPointer
        var offset: Int
        let end: Int
        var isInString = false

        /// Writes up to the end of the text, or just behind a raw U+2028 or U+2029, which alone
        /// grow (from 3 bytes to 6).
        ///
        /// - Parameter output: Room for the rest of the text and 32 bytes more.
        /// - Returns: Bytes written.
        mutating func write(to output: UnsafeMutableRawPointer) -> Int {
            var offset = self.offset
            var written = 0
            defer { self.offset = offset }
            while offset < end {
                if !isInString {
                    let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                    if byte <= 0x20 {
                        offset = JSONLexis.whitespaceEnd(base, from: offset, to: end)
                        // Whatever else it is, no valid text has it: step over it.
                        if offset < end, base.load(fromByteOffset: offset, as: UInt8.self) < 0x20 {
                            offset += 1
                        }
                        continue
                    }
                    output.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
                    written += 1
                    offset += 1
                    isInString = byte == JSONLexis.quote
                    continue
                }
                let plain = copyPlain(from: offset, to: output + written)
                offset += plain
                written += plain
                guard offset < end else { break }
                switch base.load(fromByteOffset: offset, as: UInt8.self) {
                case JSONLexis.quote:
                    output.storeBytes(of: JSONLexis.quote, toByteOffset: written, as: UInt8.self)
                    written += 1
                    offset += 1
                    isInString = false
                case JSONLexis.backslash:
                    let escape = JSONLexis.escape(base, offset, end)
                    written += JSONLexis.spell(escape.scalar, at: output + written)
                    offset += escape.length
                default:
                    // 0xE2: U+2028, U+2029, or any other character of its block.
                    let length = min(3, end - offset)
                    guard length == 3,
                        base.load(fromByteOffset: offset + 1, as: UInt8.self) == 0x80,
                        base.load(fromByteOffset: offset + 2, as: UInt8.self) & 0xFE == 0xA8
                    else {
                        (output + written).copyMemory(from: base + offset, byteCount: length)
                        written += length
                        offset += length
                        continue
                    }
                    let last = base.load(fromByteOffset: offset + 2, as: UInt8.self)
                    written += JSONLexis.spell(
                        0x2028 | UInt32(last & 1), at: output + written)
                    offset += 3
                    return written
                }
            }
            return written
        }

        /// Copies the bytes up to a quote, a backslash or 0xE2, eight a step.
        @inline(__always)
        private func copyPlain(from start: Int, to output: UnsafeMutableRawPointer) -> Int {
            var offset = start
            while end - offset >= 8 {
                let word = JSONLexis.word(base, offset)
                output.storeBytes(
                    of: word.littleEndian, toByteOffset: offset - start, as: UInt64.self)
                let found =
                    JSONLexis.matches(word, 0x22) | JSONLexis.matches(word, 0x5C)
                    | JSONLexis.matches(word, 0xE2)
                if found != 0 { return offset + found.trailingZeroBitCount >> 3 - start }
                offset += 8
            }
            while offset < end {
                let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                if byte == 0x22 || byte == 0x5C || byte == 0xE2 { break }
                output.storeBytes(of: byte, toByteOffset: offset - start, as: UInt8.self)
                offset += 1
            }
            return offset - start
        }
    }
}

extension JSONMember {
    /// Whether the unescaped name is `other`.
    ///
    /// - Parameter text: The buffer that was scanned.
    package func isNamed(_ other: StaticString, in text: UnsafeRawBufferPointer) -> Bool {
        isNamed(
            UnsafeRawBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount),
            in: text)
    }

    /// Whether the unescaped name is `other`.
    package func isNamed(
        _ other: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
    ) -> Bool {
        let name = UnsafeRawBufferPointer(rebasing: text[Int(nameStart)..<Int(nameEnd)])
        return nameHasEscapes
            ? JSONText.equals(escaped: name, plain: other) : JSONText.areSame(name, other)
    }
}

extension JSONLexis {
    /// Writes `scalar` as it stands in canonical strings, escaped or raw, at `output`, which has
    /// room for six bytes.
    static func spell(_ scalar: UInt32, at output: UnsafeMutableRawPointer) -> Int {
        func put(_ byte: UInt8, _ index: Int) {
            output.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        }
        func short(_ letter: UInt8) -> Int {
            put(backslash, 0)
            put(letter, 1)
            return 2
        }
        switch scalar {
        case 0x22: return short(quote)
        case 0x5C: return short(backslash)
        case 0x08: return short(UInt8(ascii: "b"))
        case 0x09: return short(UInt8(ascii: "t"))
        case 0x0A: return short(UInt8(ascii: "n"))
        case 0x0C: return short(UInt8(ascii: "f"))
        case 0x0D: return short(UInt8(ascii: "r"))
        case 0..<0x20, 0x2028, 0x2029:
            put(backslash, 0)
            put(UInt8(ascii: "u"), 1)
            for index in 0..<4 {
                let digit = UInt8(truncatingIfNeeded: scalar >> UInt32(12 - 4 * index)) & 0xF
                put(digit < 10 ? 0x30 + digit : 0x57 + digit, 2 + index)
            }
            return 6
        default: return encode(scalar, at: output)
        }
    }
}
