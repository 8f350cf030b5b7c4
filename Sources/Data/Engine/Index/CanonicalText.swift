/// The UTF-8 bytes that a canonical JSON string without its quotes stands for, one after the other.
struct CanonicalText {
    private let contents: UnsafeRawBufferPointer
    private var position = 0
    /// Bytes of an escaped scalar that are still to come, the next one lowest.
    private var pending: UInt32 = 0

    /// - Parameter contents: Validated, in canonical form.
    init(_ contents: UnsafeRawBufferPointer) {
        self.contents = contents
    }

    mutating func next() -> UInt8? {
        if pending != 0 {
            defer { pending >>= 8 }
            return UInt8(truncatingIfNeeded: pending)
        }
        guard position < contents.count else { return nil }
        let byte = contents[position]
        position += 1
        guard byte == UInt8(ascii: "\\"), position < contents.count else { return byte }
        let escape = contents[position]
        position += 1
        switch escape {
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"): return scalar()
        default: return escape
        }
    }

    /// Canonical form escapes control characters, U+2028 and U+2029 this way and nothing else.
    private mutating func scalar() -> UInt8 {
        var value: UInt32 = 0
        for _ in 0..<4 where position < contents.count {
            let digit = contents[position]
            position += 1
            value = value << 4 | UInt32(digit <= UInt8(ascii: "9") ? digit & 15 : (digit & 15) + 9)
        }
        guard value > 0x7F else { return UInt8(value) }
        pending = (0x80 | value >> 6 & 0x3F) | (0x80 | value & 0x3F) << 8
        return UInt8(0xE0 | value >> 12 & 0x0F)
    }

    /// 0 where `contents` begins with `prefix`, else how they stand as strings.
    static func compare(
        _ contents: UnsafeRawBufferPointer, prefix: UnsafeRawBufferPointer
    ) -> Int {
        if TextSearch.hasPrefix(contents, prefix) { return 0 }
        var left = CanonicalText(contents)
        var right = CanonicalText(prefix)
        while let wanted = right.next() {
            guard let byte = left.next() else { return -1 }
            if byte != wanted { return byte < wanted ? -1 : 1 }
        }
        return 0
    }
}
