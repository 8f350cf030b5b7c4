/// The lines of an NDJSON body: divided by LF, a CR before it dropped, empty ones skipped.
struct LineReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    private var number: Int

    /// - Parameter lineNumber: The number of the first line, counted from 1.
    init(_ bytes: UnsafeRawBufferPointer, firstLine lineNumber: Int = 1) {
        self.bytes = bytes
        number = lineNumber - 1
    }

    /// The next line that is not empty, with its number.
    mutating func next() -> (bytes: UnsafeRawBufferPointer, number: Int)? {
        while position < bytes.count {
            let rest = bytes[position...]
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var line = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
            position = end + 1
            number += 1
            if line.last == UInt8(ascii: "\r") {
                line = UnsafeRawBufferPointer(rebasing: line.dropLast())
            }
            if !Self.isBlank(line) { return (line, number) }
        }
        return nil
    }

    /// Whether a line has nothing but JSON's white space, so that it says nothing.
    static func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
