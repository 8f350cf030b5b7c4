import FreshetBase
import FreshetJSON
import FreshetQuery

/// What the predicate index knows of a value: a hash for equality, a head for order.
///
/// Both are generous, never wrong: equal values have equal hashes, and of two values the smaller
/// has no greater head. What only looks equal is told apart by the full filter.
enum ValueKey {
    /// Equal for equal values: numbers by value, absent as null. Arrays in arrays, and objects,
    /// are all alike.
    static func hash(_ value: JSONView?) -> UInt64 {
        guard let value else { return constant(5) }
        switch value.kind {
        case .null: return constant(5)
        case .bool: return constant(value.bool == true ? 1 : 0)
        case .number: return number(value)
        case .string:
            // Canonical strings are equal where their bytes are.
            return value.stringContents.map { SeededHash.process.hash($0) } ?? constant(2)
        case .array:
            var hash = constant(3)
            for element in value.elements {
                let isPlain = element.kind != .array && element.kind != .object
                hash = combine(hash, isPlain ? Self.hash(element) : constant(4))
            }
            return hash
        case .object: return constant(4)
        }
    }

    /// The hash of an identifier's text.
    static func hash(id bytes: UnsafeRawBufferPointer) -> UInt64 {
        SeededHash.process.hash(bytes)
    }

    /// Mixes one more hash into `state`.
    @inline(__always)
    static func combine(_ state: UInt64, _ hash: UInt64) -> UInt64 {
        let product = (state ^ 0x9E37_79B9_7F4A_7C15)
            .multipliedFullWidth(by: hash ^ 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low &+ state
    }

    /// The hash of a small number that stands for something.
    static func constant(_ value: UInt64) -> UInt64 {
        withUnsafeBytes(of: value) { SeededHash.process.hash($0) }
    }

    /// A number is its integer where it is one of 64 bits, else its nearest double; which of the
    /// two depends on the value alone.
    private static func number(_ value: JSONView) -> UInt64 {
        if let integer = value.int64 {
            return combine(1, constant(UInt64(bitPattern: integer)))
        }
        return combine(2, constant((value.double ?? 0).bitPattern))
    }

    // MARK: Heads

    /// The kind in the upper three bits, in the order of `ValueOrder`; below it as much of the
    /// value as 61 bits hold.
    static func head(_ value: JSONView?) -> UInt64 {
        let kind = value?.kind ?? .null
        let start = kindRange(kind).lowerBound
        switch kind {
        case .bool: return start + (value?.bool == true ? 1 : 0)
        case .number:
            let double = value?.double ?? 0
            let bits = (double == 0 ? 0 : double).bitPattern
            // Doubles order as their bits do, the negative ones in reverse.
            return start + (bits >> 63 == 0 ? bits | 1 << 63 : ~bits) >> 3
        case .string: return start + (value.map { stringHead($0) } ?? 0)
        default: return start
        }
    }

    /// The heads of all values of `kind`.
    static func kindRange(_ kind: JSONKind) -> ClosedRange<UInt64> {
        let rank: UInt64 =
            switch kind {
            case .bool: 0
            case .number: 1
            case .string: 2
            case .array: 3
            case .object: 4
            case .null: 5
            }
        return rank << 61...(rank << 61 | (1 << 61 - 1))
    }

    /// The heads of all strings that begin with `prefix`, which is unescaped.
    static func prefixRange(_ prefix: [UInt8]) -> ClosedRange<UInt64> {
        let start = kindRange(.string).lowerBound
        let (first, known) = prefix.withUnsafeBytes { packed($0) }
        let unknown = UInt64(1) << UInt64(61 - 8 * known) - 1
        return start + first...(start + first | unknown)
    }

    /// The heads of all ids that begin with `prefix`; nil where these are no one range, as ids
    /// that are integers order by value.
    static func idPrefixRange(_ prefix: [UInt8]) -> ClosedRange<UInt64>? {
        guard let first = prefix.first, first != UInt8(ascii: "-"), !(0x30...0x39 ~= first)
        else { return nil }
        let last = prefix.prefix(8) + [UInt8](repeating: 0xFF, count: 8 - min(8, prefix.count))
        let low = prefix.withUnsafeBytes { EntityID.orderPrefix($0) }
        let high = Array(last).withUnsafeBytes { EntityID.orderPrefix($0) }
        return low <= high ? low...high : nil
    }

    private static func stringHead(_ value: JSONView) -> UInt64 {
        guard let contents = value.stringContents else { return 0 }
        let start = UnsafeRawBufferPointer(rebasing: contents.prefix(7))
        if !start.contains(UInt8(ascii: "\\")) { return packed(start).head }
        var text = ByteBuffer(capacity: contents.count)
        value.appendString(to: &text)
        return packed(text.bytes).head
    }

    /// The first seven bytes, leftmost of 61 bits, and how many there were.
    private static func packed(_ bytes: UnsafeRawBufferPointer) -> (head: UInt64, count: Int) {
        let count = min(7, bytes.count)
        var head: UInt64 = 0
        for index in 0..<count { head |= UInt64(bytes[index]) << UInt64(53 - 8 * index) }
        return (head, count)
    }
}
