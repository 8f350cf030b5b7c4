/// The elements of a JSON array one after the other: each is validated and indexed by itself, so
/// that an array of entities is never held or judged as a whole.
///
/// ```swift
/// var stream = try JSONArrayStream(body)
/// while let element = try stream.next(&scanner) { … scanner.members … }
/// ```
/// Nesting is counted from the element. After a fault the stream must not be used again.
package struct JSONArrayStream {
    private var offset: Int
    private var isFirst = true
    private let bytes: UnsafeRawBufferPointer

    /// - Parameter bytes: The whole text, alive while the stream is used.
    /// - Throws: `.expectedValue` unless the text begins with `[`, or `.endOfText`.
    package init(_ bytes: UnsafeRawBufferPointer) throws(JSONFault) {
        self.bytes = bytes
        guard let base = bytes.baseAddress else { throw JSONFault(.endOfText, at: 0) }
        let start = JSONLexis.whitespaceEnd(base, from: 0, to: bytes.count)
        guard start < bytes.count else { throw JSONFault(.endOfText, at: bytes.count) }
        guard bytes[start] == UInt8(ascii: "[") else {
            let isMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            throw JSONFault(isMark ? .byteOrderMark : .expectedValue, at: start)
        }
        offset = start + 1
    }

    /// The next element as places in the array's bytes, with its members in the scanner; nothing
    /// once the array has ended and only whitespace follows.
    package mutating func next(
        _ scanner: inout JSONScanner
    ) throws(JSONFault) -> JSONSummary? {
        guard let base = bytes.baseAddress else { return nil }
        let end = bytes.count
        offset = JSONLexis.whitespaceEnd(base, from: offset, to: end)
        guard offset < end else { throw JSONFault(.endOfText, at: end) }
        let byte = bytes[offset]
        if byte == UInt8(ascii: "]") {
            let rest = JSONLexis.whitespaceEnd(base, from: offset + 1, to: end)
            guard rest == end else { throw JSONFault(.expectedEnd, at: rest) }
            return nil
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else {
                throw JSONFault(.expectedCommaOrBracket, at: offset)
            }
            offset += 1
        } else if !JSONScanner.startsValue(byte) {
            throw JSONFault(.expectedValueOrBracket, at: offset)
        }
        isFirst = false
        let summary = try scanner.scanValue(in: bytes, at: offset)
        offset = summary.end
        return summary
    }
}
