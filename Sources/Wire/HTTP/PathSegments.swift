import FreshetBase

/// The segments of a path, each decoded once after the split at `/`, so that `%2F` stays inside one
/// and nothing decodes twice.
///
/// `/` has no segments; `/v1/` has `v1` and an empty one. Reusable: an event loop owns one. A segment
/// without escapes is not copied; the others lie in a scratch buffer of this value.
package struct PathSegments: ~Copyable {
    /// More than any route has; longer paths are faults.
    package static let capacity = 16

    package private(set) var count = 0
    private let pieces: UnsafeMutablePointer<TargetPiece>
    private var scratch = ByteBuffer(capacity: 256)
    private var source = UnsafeRawBufferPointer(start: nil, count: 0)

    package init() {
        pieces = .allocate(capacity: Self.capacity)
    }

    deinit {
        pieces.deallocate()
    }

    /// Reads `path`, which begins with `/` or is empty (the path of `http://host`, read as `/`).
    ///
    /// - Parameter path: Must stay where it is as long as segments are read.
    /// - Throws: `.malformedEscape`, `.nulInTarget`, `.malformedUTF8`, `.tooManySegments`,
    ///   `.malformedTarget` for a path that begins otherwise.
    package mutating func parse(_ path: UnsafeRawBufferPointer) throws(RequestFault) {
        count = 0
        source = path
        scratch.removeAll()
        guard path.count > 0 else { return }
        guard path[0] == UInt8(ascii: "/") else { throw .malformedTarget }
        guard path.count > 1 else { return }
        _ = scratch.reserve(path.count)
        var start = 1
        while start <= path.count {
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            guard count < Self.capacity else { throw .tooManySegments }
            pieces[count] = try TargetPiece(
                path, start..<end, plusIsSpace: false, scratch: &scratch)
            count += 1
            start = end + 1
        }
    }

    /// Segment `index`, decoded; `index` is below `count`. Valid until the next `parse`.
    package subscript(index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count, "no such segment")
        let piece = pieces[index]
        return piece.range.bytes(in: piece.isDecoded ? scratch.bytes : source)
    }
}
