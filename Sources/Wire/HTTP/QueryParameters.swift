import FreshetBase

/// The `name=value` pairs of a query string, decoded: `+` is a space, escapes are bytes, and all other
/// bytes stand for themselves, as people type them.
///
/// A pair without `=` has an empty value; empty pairs (`a=1&&b=2`) are skipped. Reusable: an event
/// loop owns one. What needs no decoding is not copied.
package struct QueryParameters: ~Copyable {
    /// More than there are parameters, each of which may stand once.
    package static let capacity = 512

    package private(set) var count = 0
    private let names: UnsafeMutablePointer<TargetPiece>
    private let values: UnsafeMutablePointer<TargetPiece>
    /// The values as they stand in the query.
    private let spelled: UnsafeMutablePointer<ByteRange>
    private var scratch = ByteBuffer(capacity: 256)
    private var source = UnsafeRawBufferPointer(start: nil, count: 0)

    package init() {
        names = .allocate(capacity: Self.capacity)
        values = .allocate(capacity: Self.capacity)
        spelled = .allocate(capacity: Self.capacity)
    }

    deinit {
        names.deallocate()
        values.deallocate()
        spelled.deallocate()
    }

    /// Reads `query`, without its `?`.
    ///
    /// - Parameter query: Must stay where it is as long as pairs are read.
    /// - Throws: `.malformedEscape`, `.nulInTarget`, `.malformedUTF8`, `.tooManyParameters`.
    package mutating func parse(_ query: UnsafeRawBufferPointer) throws(RequestFault) {
        count = 0
        source = query
        scratch.removeAll()
        guard query.count > 0 else { return }
        _ = scratch.reserve(query.count)
        var start = 0
        while start < query.count {
            var end = start
            var equals = -1
            while end < query.count, query[end] != UInt8(ascii: "&") {
                if equals < 0, query[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > start {
                guard count < Self.capacity else { throw .tooManyParameters }
                let nameEnd = equals < 0 ? end : equals
                let valueStart = equals < 0 ? end : equals + 1
                names[count] = try TargetPiece(
                    query, start..<nameEnd, plusIsSpace: true, scratch: &scratch)
                values[count] = try TargetPiece(
                    query, valueStart..<end, plusIsSpace: true, scratch: &scratch)
                spelled[count] = ByteRange(start: valueStart, count: end - valueStart)
                count += 1
            }
            start = end + 1
        }
    }

    /// The decoded name of pair `index`, which is below `count`. Valid until the next `parse`.
    package func name(_ index: Int) -> UnsafeRawBufferPointer { bytes(names, index) }

    /// The decoded value of pair `index`. Valid until the next `parse`.
    package func value(_ index: Int) -> UnsafeRawBufferPointer { bytes(values, index) }

    /// What stands between the commas of the value of pair `index`, each decoded by itself: an
    /// escaped comma is part of one. None where the value is empty.
    package func list(_ index: Int) -> [String] {
        precondition(index >= 0 && index < count, "no such parameter")
        return PercentDecoding.list(spelled[index].bytes(in: source), plusIsSpace: true)
    }

    /// Whether the value of pair `index` has a comma or a colon as it is written, before it is decoded:
    /// then it was not escaped as a whole.
    package func hasSeparators(_ index: Int) -> Bool {
        precondition(index >= 0 && index < count, "no such parameter")
        return spelled[index].bytes(in: source).contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ":")
        }
    }

    /// Takes pair `index` out; those behind it move up.
    package mutating func remove(at index: Int) {
        precondition(index >= 0 && index < count, "no such parameter")
        count -= 1
        for place in index..<count {
            names[place] = names[place + 1]
            values[place] = values[place + 1]
            spelled[place] = spelled[place + 1]
        }
    }

    private func bytes(
        _ pieces: UnsafeMutablePointer<TargetPiece>, _ index: Int
    ) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count, "no such parameter")
        let piece = pieces[index]
        return piece.range.bytes(in: piece.isDecoded ? scratch.bytes : source)
    }
}
