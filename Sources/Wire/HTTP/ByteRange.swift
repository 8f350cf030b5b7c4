/// Where some bytes stand in the buffer that was parsed: offsets from its first byte.
///
/// Half the size of a `Range<Int>`, because a head keeps two of them per header line.
package struct ByteRange: Equatable, Sendable {
    package var start: UInt32
    package var count: UInt32

    /// A range that stands at offset 0 and is empty.
    @inlinable
    package init() {
        start = 0
        count = 0
    }

    /// Both below 2^32: heads are far smaller, and a body is decoded in pieces of a read buffer.
    @inlinable
    package init(start: Int, count: Int) {
        self.start = UInt32(truncatingIfNeeded: start)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    @inlinable package var isEmpty: Bool { count == 0 }
    @inlinable package var end: Int { Int(start) + Int(count) }

    /// The bytes themselves; none where `buffer` is too short to hold them.
    @inlinable
    package func bytes(in buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard end <= buffer.count, let base = buffer.baseAddress else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: base + Int(start), count: Int(count))
    }
}
