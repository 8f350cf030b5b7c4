import Glibc

/// Finding a string in a stored one, over the canonical contents of both.
///
/// Canonical escapes are a prefix code: every character has one spelling, and no spelling begins
/// another. So a prefix of the bytes is a prefix of the string. In the middle a match must begin
/// where a character does: the contents `\n` end with the byte `n` and are not a string that ends
/// with that letter. Matches are found by the method of Knuth, Morris and Pratt, so no pair of
/// texts takes more than linear time.
enum TextSearch {
    static func hasPrefix(_ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= part.count else { return false }
        guard let left = text.baseAddress, let right = part.baseAddress else { return true }
        return memcmp(left, right, part.count) == 0
    }

    /// - Parameter escaped: Whether the bytes are canonical contents, not the text itself.
    static func hasSuffix(
        _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer, escaped: Bool
    ) -> Bool {
        let start = text.count - part.count
        guard start >= 0 else { return false }
        guard let left = text.baseAddress, let right = part.baseAddress else { return true }
        guard memcmp(left + start, right, part.count) == 0 else { return false }
        guard escaped else { return true }
        var boundary = 0
        return isBoundary(start, of: left, from: &boundary)
    }

    /// - Parameter failure: `failureFunction(of: part)`.
    static func contains(
        _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer,
        failure: UnsafePointer<Int32>, escaped: Bool
    ) -> Bool {
        guard part.count <= text.count else { return false }
        guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let wanted = part.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return true }
        let count = text.count
        let length = part.count
        let first = wanted[0]
        var boundary = 0
        var matched = 0
        var index = 0
        while index < count {
            if matched == 0 {
                guard let hit = memchr(start + index, CInt(first), count - index) else {
                    return false
                }
                index = UnsafeRawPointer(hit) - UnsafeRawPointer(start) + 1
                matched = 1
            } else {
                let byte = start[index]
                while matched > 0, wanted[matched] != byte { matched = Int(failure[matched - 1]) }
                if matched == 0, wanted[0] != byte {
                    index += 1
                    continue
                }
                matched += 1
                index += 1
            }
            if matched == length {
                if !escaped || isBoundary(index - length, of: start, from: &boundary) {
                    return true
                }
                matched = Int(failure[length - 1])
            }
        }
        return false
    }

    /// For each prefix of `part`, the length of its longest proper prefix that also ends it.
    static func failureFunction(of part: UnsafeRawBufferPointer) -> [Int32] {
        var failure = [Int32](repeating: 0, count: part.count)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[length] != part[index] { length = Int(failure[length - 1]) }
            if part[length] == part[index] { length += 1 }
            failure[index] = Int32(truncatingIfNeeded: length)
        }
        return failure
    }

    /// Whether a character begins at `position` of canonical contents.
    ///
    /// - Parameter boundary: A place where one does, not behind `position`; moved up to it, so that
    ///   a sequence of questions reads the text once.
    private static func isBoundary(
        _ position: Int, of start: UnsafeRawPointer, from boundary: inout Int
    ) -> Bool {
        while boundary < position {
            guard
                let hit = memchr(start + boundary, CInt(UInt8(ascii: "\\")), position - boundary)
            else {
                boundary = position
                return true
            }
            let escape = UnsafeRawPointer(hit)
            let kind = escape.load(fromByteOffset: 1, as: UInt8.self)
            boundary = escape - start + (kind == UInt8(ascii: "u") ? 6 : 2)
        }
        return boundary == position
    }
}
