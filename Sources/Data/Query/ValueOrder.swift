import FreshetBase
import Glibc
package import FreshetJSON

/// The total order of values that `order=` sorts by.
///
/// Kinds first: Boolean < number < string < array < object < null and absent. Then false < true;
/// numbers by value, exactly; strings by their UTF-8 bytes; arrays element by element, then the
/// shorter first; objects by their canonical bytes, which is an order without a meaning.
package enum ValueOrder {
    /// Below, equal to or above zero.
    ///
    /// - Parameters:
    ///   - left: nil is an absent value, which orders as null does.
    ///   - caseInsensitive: Strings compare by simple case folding.
    /// - Complexity: Linear in the shorter value; recursion is bounded by the depth of documents.
    package static func compare(
        _ left: JSONView?, _ right: JSONView?, caseInsensitive: Bool = false
    ) -> Int {
        guard let left else { return rank(right) == nullRank ? 0 : 1 }
        guard let right else { return rank(left) == nullRank ? 0 : -1 }
        let kind = left.kind
        let difference = rank(left) - rank(right)
        guard difference == 0 else { return difference.signum() }
        switch kind {
        case .null: return 0
        case .bool: return (left.bool == true ? 1 : 0) - (right.bool == true ? 1 : 0)
        case .number: return JSONNumber.compare(left.bytes, right.bytes)
        case .string: return strings(left, right, caseInsensitive: caseInsensitive)
        case .array:
            guard var left = JSONCursor(left), var right = JSONCursor(right) else { return 0 }
            return arrays(&left, &right, caseInsensitive: caseInsensitive)
        case .object: return Bytes.compare(left.bytes, right.bytes)
        }
    }

    private static let nullRank = 5

    private static func rank(_ view: JSONView?) -> Int {
        switch view?.kind {
        case .bool: 0
        case .number: 1
        case .string: 2
        case .array: 3
        case .object: 4
        case .null, nil: nullRank
        }
    }

    /// Goes on in step through two arrays; both are passed where they are equal.
    private static func arrays(
        _ left: inout JSONCursor, _ right: inout JSONCursor, caseInsensitive: Bool
    ) -> Int {
        let (start, end) = (UInt8(ascii: "["), UInt8(ascii: "]"))
        left.passByte()
        right.passByte()
        var (isMore, areMore) = (left.byte != end, right.byte != end)
        if !isMore { left.passByte() }
        if !areMore { right.passByte() }
        while isMore, areMore {
            let result: Int
            if left.byte == start, right.byte == start {
                result = arrays(&left, &right, caseInsensitive: caseInsensitive)
            } else {
                result = compare(
                    JSONView(canonical: left.passValue()), JSONView(canonical: right.passValue()),
                    caseInsensitive: caseInsensitive)
            }
            if result != 0 { return result }
            isMore = left.passSeparator()
            areMore = right.passSeparator()
        }
        return (isMore ? 1 : 0) - (areMore ? 1 : 0)
    }

    private static func strings(
        _ left: JSONView, _ right: JSONView, caseInsensitive: Bool
    ) -> Int {
        guard let left = left.stringContents, let right = right.stringContents else { return 0 }
        if caseInsensitive { return folded(left, right) }
        // Equal strings have equal canonical bytes, and without escapes the bytes are the text.
        if !hasBackslash(left), !hasBackslash(right) { return Bytes.compare(left, right) }
        var first = ScalarIterator(left)
        var second = ScalarIterator(right)
        while true {
            // The order of scalars is that of their UTF-8 bytes.
            let (one, other) = (first.next(), second.next())
            if one != other { return one < other ? -1 : 1 }
            if one == ScalarIterator.end { return 0 }
        }
    }

    private static func folded(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        var first = ScalarIterator(left)
        var second = ScalarIterator(right)
        while true {
            let (one, other) = (first.next(), second.next())
            if one != other {
                if one == ScalarIterator.end { return -1 }
                if other == ScalarIterator.end { return 1 }
                let folded = CaseFolding.simple(UInt32(one))
                let otherFolded = CaseFolding.simple(UInt32(other))
                if folded != otherFolded { return folded < otherFolded ? -1 : 1 }
            }
            if one == ScalarIterator.end { return 0 }
        }
    }

    private static func hasBackslash(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        return memchr(start, 0x5C, bytes.count) != nil
    }
}

/// The scalars of a canonical JSON string without its quotes.
struct ScalarIterator {
    /// What stands behind the last scalar; orders before all of them.
    static let end: Int32 = -1

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// - Parameter contents: Validated: escapes are whole, UTF-8 is right.
    init(_ contents: UnsafeRawBufferPointer) {
        bytes = contents
    }

    mutating func next() -> Int32 {
        guard let first = take() else { return Self.end }
        if first == 0x5C { return escape() }
        if first < 0x80 { return Int32(first) }
        let trailing = first < 0xE0 ? 1 : (first < 0xF0 ? 2 : 3)
        var value = Int32(first) & (0x3F >> Int32(trailing))
        for _ in 0..<trailing { value = value << 6 | Int32((take() ?? 0) & 0x3F) }
        return value
    }

    private mutating func take() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func escape() -> Int32 {
        switch take() {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            // Canonical strings escape no surrogate, so four digits are the whole scalar.
            var value: Int32 = 0
            for _ in 0..<4 {
                let byte = take() ?? UInt8(ascii: "0")
                let digit = byte <= UInt8(ascii: "9") ? byte & 0x0F : (byte & 0x0F) + 9
                value = value << 4 | Int32(digit)
            }
            return value
        case let byte: return Int32(byte ?? 0x5C)
        }
    }
}
