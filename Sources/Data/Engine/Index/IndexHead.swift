import FreshetJSON
import FreshetQuery

/// Eight bytes that order values as far as eight bytes can: of two values whose heads differ, the
/// one with the lower head comes first (`ValueOrder`). Equal heads say nothing, but for those that
/// are whole: their values are equal.
///
///     3 bits   the kind, in the order of kinds
///     61 bits  Boolean: 0 or 1; number: 60 bits of a double, made to order as integers; string: its
///              first seven bytes; else 0. Of numbers and strings the last bit is 0 where that is
///              the whole value
///
/// Whole are null, Booleans, integers under 2^48 and strings of up to seven bytes without U+0000.
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
            return low | number(value.bytes)
        case .string:
            guard let contents = value.stringContents else { return low }
            return low | text(contents)
        case .array, .object, .null:
            return low
        }
    }

    /// Whether values with this head are equal.
    static func isWhole(_ head: UInt64) -> Bool {
        switch head >> shift {
        case Rank.bool.rawValue, Rank.null.rawValue: true
        case Rank.number.rawValue, Rank.string.rawValue: head & 1 == 0
        default: false
        }
    }

    /// The lowest head of a kind.
    static func lowest(_ rank: Rank) -> UInt64 { rank.rawValue << shift }

    /// The highest head of a kind.
    static func highest(_ rank: Rank) -> UInt64 { lowest(rank) | ((1 << shift) - 1) }

    /// The lowest and the highest head of strings that begin with `contents`, a canonical string
    /// without its quotes.
    static func prefix(_ contents: UnsafeRawBufferPointer) -> ClosedRange<UInt64> {
        let low = lowest(.string) | text(contents)
        let count = min(textBytes, decodedCount(contents))
        let rest = UInt64.max >> (64 - UInt64(8 * (textBytes - count) + 5))
        return low & ~1...low | rest
    }

    /// Integers of a magnitude under this are whole: their doubles end in zeros.
    private static let wholeLimit: Int64 = 1 << 48

    private static func number(_ text: UnsafeRawBufferPointer) -> UInt64 {
        if let integer = JSONNumber.int64(text), integer.magnitude < wholeLimit.magnitude {
            return (ordered(Double(integer)) >> 4) << 1
        }
        // What rounds to a whole number from below belongs below it.
        let double = JSONNumber.double(text)
        var bits = ordered(double)
        if let integer = Int64(exactly: double), integer.magnitude < wholeLimit.magnitude {
            var digits = String(integer)
            let isBelow = digits.withUTF8 {
                JSONNumber.compare(text, UnsafeRawBufferPointer($0)) < 0
            }
            if isBelow { bits -= 1 }
        }
        return (bits >> 4) << 1 | 1
    }

    /// The bits of a double such that they order as it does; zeros at the end stay zeros.
    private static func ordered(_ double: Double) -> UInt64 {
        let zero: UInt64 = 1 << 63
        return double < 0 ? zero - double.magnitude.bitPattern : zero + double.magnitude.bitPattern
    }

    /// Bytes of a string in its head.
    static let textBytes = 7

    /// 56 bits of the text's first bytes, four zeros, and whether there is more.
    private static func text(_ contents: UnsafeRawBufferPointer) -> UInt64 {
        var word: UInt64 = 0
        let count = min(textBytes, contents.count)
        for index in 0..<count {
            let byte = contents[index]
            if byte == UInt8(ascii: "\\") { return unescaped(contents) }
            word |= UInt64(byte) << UInt64(53 - 8 * index)
        }
        return contents.count > textBytes ? word | 1 : word
    }

    private static func unescaped(_ contents: UnsafeRawBufferPointer) -> UInt64 {
        var word: UInt64 = 0
        var count = 0
        var text = CanonicalText(contents)
        while count < textBytes, let byte = text.next() {
            // Zeros stand for the end, too.
            if byte == 0 { word |= 1 }
            word |= UInt64(byte) << UInt64(53 - 8 * count)
            count += 1
        }
        return text.next() == nil ? word : word | 1
    }

    /// Bytes of the text, counted up to those in a head.
    private static func decodedCount(_ contents: UnsafeRawBufferPointer) -> Int {
        var text = CanonicalText(contents)
        var count = 0
        while count < textBytes, text.next() != nil { count += 1 }
        return count
    }
}

/// Sixteen bytes that order the entries of an index as far as they can: of two entries whose marks
/// differ, the one with the lower mark comes first.
///
/// `first` is the head of the first key's value. `second` is what comes next in the order: of a string
/// that is not whole its bytes behind those in the head, and a zero at its end; in the room behind the value
/// the head of the next key's value, or of an index with one key the beginning of the id. Of a
/// descending key the complement stands.
struct IndexMark: Comparable {
    var first: UInt64
    var second: UInt64

    /// The second words of marks whose first value is `value`.
    ///
    /// - Parameters:
    ///   - head: Of `value`, not complemented.
    ///   - next: Of what comes behind the value.
    static func second(
        _ head: UInt64, of value: JSONView?, descending: Bool, next: ClosedRange<UInt64>
    ) -> ClosedRange<UInt64> {
        if IndexHead.isWhole(head) { return next }
        guard let contents = value?.stringContents else { return 0...0 }
        var text = CanonicalText(contents)
        for _ in 0..<IndexHead.textBytes {
            // A zero may stand for the end: nothing behind it orders strings with this head.
            guard let byte = text.next(), byte != 0 else { return 0...0 }
        }
        var (word, used): (UInt64, UInt64) = (0, 0)
        var behind = next
        while used < 64 {
            used += 8
            let byte = text.next()
            if let byte, byte != 0 {
                word |= UInt64(byte) << (64 - used)
                continue
            }
            // A string that goes on with a zero comes behind the one that has ended.
            if byte != nil { behind = descending ? 0...0 : .max ... .max }
            break
        }
        if descending { word = ~word & ~(.max >> used) }
        return word | behind.lowerBound >> used...word | behind.upperBound >> used
    }

    static let lowest = IndexMark(first: 0, second: 0)
    static let highest = IndexMark(first: .max, second: .max)

    @inline(__always)
    static func < (left: IndexMark, right: IndexMark) -> Bool {
        left.first != right.first ? left.first < right.first : left.second < right.second
    }
}
