/// The elements of a header value that is a comma-separated list (RFC 9110 5.6.1), without white
/// space around them. Empty elements are skipped; a comma in a quoted string is no separator.
package struct CommaList {
    private let bytes: UnsafeRawBufferPointer
    private let separator: UInt8
    private var position = 0

    /// - Parameter bytes: Must outlive the elements.
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, separator: Ascii.comma)
    }

    /// Parameters of an element are the same with semicolons.
    init(_ bytes: UnsafeRawBufferPointer, separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
    }

    package mutating func next() -> UnsafeRawBufferPointer? {
        while position < bytes.count {
            let start = position
            moveToSeparator()
            let element = HeaderText.trim(bytes.part(start..<position))
            position += 1
            if !element.isEmpty { return element }
        }
        return nil
    }

    private mutating func moveToSeparator() {
        var isQuoted = false
        while position < bytes.count {
            let byte = bytes[position]
            if byte == Ascii.quote {
                isQuoted.toggle()
            } else if isQuoted, byte == Ascii.backslash, position + 1 < bytes.count {
                position += 1
            } else if !isQuoted, byte == separator {
                return
            }
            position += 1
        }
    }
}
