package import FreshetBase
import Glibc

/// The contents of JSON strings: the bytes between the quotes.
package enum JSONText {
    /// Whether there is any escape. O(bytes), eight a step.
    package static func hasEscapes(_ contents: UnsafeRawBufferPointer) -> Bool {
        guard let base = contents.baseAddress else { return false }
        return JSONLexis.quoteOrBackslash(base, from: 0, to: contents.count) < contents.count
    }

    /// Appends the UTF-8 that valid string contents, however spelled, stand for.
    package static func unescape(
        _ contents: UnsafeRawBufferPointer, into buffer: inout ByteBuffer
    ) {
        guard let base = contents.baseAddress else { return }
        let end = contents.count
        // An escape is never shorter than what it stands for, so one reservation is enough.
        let output = buffer.reserve(end + 4)
        var written = 0
        var offset = 0
        while offset < end {
            let next = JSONLexis.quoteOrBackslash(base, from: offset, to: end)
            (output + written).copyMemory(from: base + offset, byteCount: next - offset)
            written += next - offset
            offset = next
            guard offset < end else { break }
            let escape = JSONLexis.escape(base, offset, end)
            written += JSONLexis.encode(escape.scalar, at: output + written)
            offset += escape.length
        }
        buffer.advance(by: written)
    }

    /// Whether valid string contents, however spelled, stand for the UTF-8 of `plain`.
    package static func equals(
        escaped: UnsafeRawBufferPointer, plain: UnsafeRawBufferPointer
    ) -> Bool {
        guard let base = escaped.baseAddress, !escaped.isEmpty else { return plain.isEmpty }
        guard plain.count <= escaped.count else { return false }
        guard let other = plain.baseAddress else { return false }
        let end = escaped.count
        var offset = 0
        var compared = 0
        return withUnsafeTemporaryAllocation(byteCount: 4, alignment: 4) { scratch in
            guard let scalar = scratch.baseAddress else { return false }
            while offset < end {
                let next = JSONLexis.quoteOrBackslash(base, from: offset, to: end)
                let length = next - offset
                guard plain.count - compared >= length,
                    memcmp(base + offset, other + compared, length) == 0
                else { return false }
                compared += length
                offset = next
                guard offset < end else { break }
                let escape = JSONLexis.escape(base, offset, end)
                let bytes = JSONLexis.encode(escape.scalar, at: scalar)
                guard plain.count - compared >= bytes, memcmp(scalar, other + compared, bytes) == 0
                else { return false }
                compared += bytes
                offset += escape.length
            }
            return compared == plain.count
        }
    }

    /// Whether two runs of bytes are the same.
    @inline(__always)
    static func areSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        Bytes.equal(left, right)
    }
}
