package import FreshetBase

/// The frame of chunks (RFC 9112 7.1) around a payload that is written straight into the buffer.
///
/// The size is eight hexadecimal digits, zeros in front, so that it can be filled in afterwards.
package enum ChunkEncoder {
    /// Begins a chunk.
    ///
    /// - Returns: A mark for `close`; append the payload, below 4 GiB, before that.
    package static func open(in buffer: inout ByteBuffer) -> Int {
        let mark = buffer.count
        buffer.append("00000000\r\n")
        return mark
    }

    /// Ends the chunk that `open` began. One without payload is taken away again: it would end the
    /// body.
    package static func close(_ mark: Int, in buffer: inout ByteBuffer) {
        let size = buffer.count - mark - 10
        precondition(size >= 0 && size <= UInt32.max, "a chunk stays below 4 GiB")
        guard size > 0 else { return buffer.truncate(to: mark) }
        let bytes = buffer.mutableBytes
        for index in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: size >> (28 - 4 * index)) & 15
            bytes[mark + index] =
                digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
        buffer.append("\r\n")
    }

    /// Ends the body.
    package static func end(in buffer: inout ByteBuffer) {
        buffer.append("0\r\n\r\n")
    }
}
