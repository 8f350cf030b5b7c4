import Glibc

/// Comparison of runs of bytes.
package enum Bytes {
    /// Whether two runs of bytes are the same.
    @inlinable @inline(__always)
    package static func equal(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return true }
        return memcmp(first, second, left.count) == 0
    }

    /// Below, equal to or above zero; of two where one begins the other, the shorter is first.
    @inlinable @inline(__always)
    package static func compare(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        if let first = left.baseAddress, let second = right.baseAddress {
            let result = memcmp(first, second, min(left.count, right.count))
            if result != 0 { return result < 0 ? -1 : 1 }
        }
        return (left.count - right.count).signum()
    }
}

/// Strict UTF-8 (RFC 3629; Unicode, table 3-7): no overlong forms, no surrogates, nothing past
/// U+10FFFF.
package enum UTF8Text {
    /// Whether `bytes` are valid UTF-8.
    ///
    /// - Complexity: O(bytes); eight at a time where they are ASCII.
    package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
        firstFault(in: bytes) == nil
    }

    /// Where the first sequence begins that is none, or nil.
    package static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let count = bytes.count
        var index = 0
        while index < count {
            while count - index >= 8,
                base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            }
            guard index < count else { break }
            let start = index
            let lead = bytes[index]
            index += 1
            if lead < 0x80 { continue }
            var lowest: UInt8 = 0x80
            var highest: UInt8 = 0xBF
            let trailing: Int
            switch lead {
            case 0xC2...0xDF: trailing = 1
            case 0xE0...0xEF:
                trailing = 2
                if lead == 0xE0 { lowest = 0xA0 }
                if lead == 0xED { highest = 0x9F }
            case 0xF0...0xF4:
                trailing = 3
                if lead == 0xF0 { lowest = 0x90 }
                if lead == 0xF4 { highest = 0x8F }
            default: return start
            }
            guard count - index >= trailing else { return start }
            for _ in 0..<trailing {
                guard bytes[index] >= lowest, bytes[index] <= highest else { return start }
                (lowest, highest) = (0x80, 0xBF)
                index += 1
            }
        }
        return nil
    }
}
