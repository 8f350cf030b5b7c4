import FreshetBase

/// What percent-encoding (RFC 3986) stands for.
package enum PercentDecoding {
    /// What stands between the commas of `text`, each decoded by itself, so that `%2C` is part of one.
    /// An escape that is none stands for itself.
    package static func list(_ text: String) -> [String] {
        var text = text
        return text.withUTF8 { list(UnsafeRawBufferPointer($0), plusIsSpace: false) }
    }

    /// What `text` stands for; nil where an escape of it is none, or it stands for no UTF-8.
    package static func text(_ text: Substring) -> String? {
        var text = text
        return text.withUTF8 { sent in
            var decoded = ByteBuffer(capacity: sent.count)
            do throws(RequestFault) {
                try decode(UnsafeRawBufferPointer(sent), plusIsSpace: false, into: &decoded)
            } catch {
                return nil
            }
            guard UTF8Text.isValid(decoded.bytes) else { return nil }
            return String(decoding: decoded.bytes, as: UTF8.self)
        }
    }

    static func list(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool) -> [String] {
        guard !bytes.isEmpty else { return [] }
        let comma = UInt8(ascii: ",")
        return bytes.split(separator: comma, omittingEmptySubsequences: false).map { piece in
            var decoded = ByteBuffer(capacity: piece.count)
            let piece = UnsafeRawBufferPointer(rebasing: piece)
            do throws(RequestFault) {
                try decode(piece, plusIsSpace: plusIsSpace, into: &decoded)
            } catch {
                return String(decoding: piece, as: UTF8.self)
            }
            return String(decoding: decoded.bytes, as: UTF8.self)
        }
    }

    /// Whether a piece of a target must be copied to be read, and whether it has bytes from 0x80.
    @inline(__always)
    static func survey(
        _ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool
    ) -> (isEncoded: Bool, isASCII: Bool) {
        var isEncoded = false
        var all: UInt8 = 0
        for byte in bytes {
            if byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") {
                isEncoded = true
            }
            all |= byte
        }
        return (isEncoded, all < 0x80)
    }

    /// Decodes `bytes` once and appends the result, which is never longer, to `scratch`.
    ///
    /// - Throws: `.malformedEscape`, `.nulInTarget`; `scratch` may hold a part then.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool, into scratch: inout ByteBuffer
    ) throws(RequestFault) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < bytes.count, let high = Ascii.hexadecimal(bytes[index]),
                    let low = Ascii.hexadecimal(bytes[index + 1])
                else { throw .malformedEscape }
                let decoded = high << 4 | low
                guard decoded != 0 else { throw .nulInTarget }
                scratch.append(decoded)
                index += 2
            } else {
                scratch.append(plusIsSpace && byte == UInt8(ascii: "+") ? Ascii.space : byte)
            }
        }
    }
}

/// Where a decoded piece of a target lies: in the target itself, or in the scratch buffer.
struct TargetPiece {
    var range = ByteRange()
    var isDecoded = false

    /// Decodes `source[range]` into `scratch` if it is encoded, and checks that it is UTF-8.
    ///
    /// - Parameter scratch: Ranges of it stay right when it grows; callers reserve room beforehand
    ///   because decoding never lengthens.
    init(
        _ source: UnsafeRawBufferPointer, _ range: Range<Int>, plusIsSpace: Bool,
        scratch: inout ByteBuffer
    ) throws(RequestFault) {
        let piece = source.part(range)
        let (isEncoded, isASCII) = PercentDecoding.survey(piece, plusIsSpace: plusIsSpace)
        guard isEncoded else {
            guard isASCII || UTF8Text.isValid(piece) else { throw .malformedUTF8 }
            self.range = ByteRange(start: range.lowerBound, count: range.count)
            return
        }
        let start = scratch.count
        try PercentDecoding.decode(piece, plusIsSpace: plusIsSpace, into: &scratch)
        let end = scratch.count
        guard UTF8Text.isValid(scratch.bytes.part(start..<end)) else { throw .malformedUTF8 }
        self.range = ByteRange(start: start, count: end - start)
        isDecoded = true
    }
}
