import FreshetJSON
import FreshetQuery

/// Eight bytes that order values as far as eight bytes can: of two values whose heads differ, the
/// one with the lower head comes first (`ValueOrder`). Equal heads say nothing.
///
///     3 bits   the kind, in the order of kinds
///     61 bits  Boolean: 0 or 1; number: the nearest double, its bits made to order as integers;
///              string: its first bytes; else 0
enum IndexHead {
    private static let shift: UInt64 = 61

    /// The kinds in their order; null stands for absent, too.
    enum Rank: UInt64 {
        case bool, number, string, array, object, null

        init(_ kind: JSONKind) {
            switch kind {
            case .bool: self = .bool
            case .number: self = .number
            case .string: self = .string
            case .array: self = .array
            case .object: self = .object
            case .null: self = .null
            }
        }
    }

    static func of(_ value: JSONView?) -> UInt64 {
        guard let value else { return lowest(.null) }
        let rank = Rank(value.kind)
        let low = lowest(rank)
        switch rank {
        case .bool:
            return value.bool == true ? low | 1 : low
        case .number:
            return low | number(value.bytes) >> 3
        case .string:
            guard let contents = value.stringContents else { return low }
            return low | text(contents) >> 3
        case .array, .object, .null:
            return low
        }
    }

    /// The lowest head of a kind.
    static func lowest(_ rank: Rank) -> UInt64 { rank.rawValue << shift }

    /// The highest head of a kind.
    static func highest(_ rank: Rank) -> UInt64 { lowest(rank) | ((1 << shift) - 1) }

    /// The lowest and the highest head of strings that begin with `contents`, a canonical string
    /// without its quotes.
    static func prefix(_ contents: UnsafeRawBufferPointer) -> ClosedRange<UInt64> {
        var bytes = (first: UInt64(0), count: 0)
        bytes = decoded(contents)
        let low = lowest(.string) | bytes.first >> 3
        let rest = bytes.count >= 8 ? 0 : UInt64.max >> (8 * UInt64(bytes.count))
        return low...(lowest(.string) | (bytes.first | rest) >> 3)
    }

    /// Rounding to the nearest double keeps the order, if not its strictness.
    private static func number(_ text: UnsafeRawBufferPointer) -> UInt64 {
        // -0 and 0 are one value.
        let double = JSONNumber.double(text) + 0
        let bits = double.bitPattern
        return double.sign == .minus ? ~bits : bits | 1 << 63
    }

    private static func text(_ contents: UnsafeRawBufferPointer) -> UInt64 {
        decoded(contents).first
    }

    /// Up to eight bytes of the text, the first one highest, zeros behind them, and how many.
    private static func decoded(
        _ contents: UnsafeRawBufferPointer
    ) -> (first: UInt64, count: Int) {
        let count = min(8, contents.count)
        var word: UInt64 = 0
        for index in 0..<count {
            let byte = contents[index]
            if byte == UInt8(ascii: "\\") { return unescaped(contents) }
            word |= UInt64(byte) << UInt64(56 - 8 * index)
        }
        return (word, count)
    }

    private static func unescaped(
        _ contents: UnsafeRawBufferPointer
    ) -> (first: UInt64, count: Int) {
        // Eight bytes of text are at most 48 of its escaped form.
        var word: UInt64 = 0
        var count = 0
        var scalars = CanonicalText(contents)
        while count < 8, let byte = scalars.next() {
            word |= UInt64(byte) << UInt64(56 - 8 * count)
            count += 1
        }
        return (word, count)
    }
}
