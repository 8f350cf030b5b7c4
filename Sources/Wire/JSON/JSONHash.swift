package import FreshetBase

extension SeededHash {
    /// A hash of a canonical value that is equal for values that `JSONEquality` calls equal: 1 and
    /// 1.0, and objects whatever the order of their members.
    ///
    /// - Complexity: Linear in the bytes; about 5 ns for a short text or a plain integer. Recursion
    ///   is as deep as the value nests, which the scanner limits.
    package func hash(_ value: JSONView) -> UInt64 {
        switch value.kind {
        case .string, .bool, .null:
            return hash(value.bytes)
        case .number:
            return hash(number: value.bytes)
        case .array, .object:
            guard var cursor = JSONCursor(value) else { return hash(value.bytes) }
            return hash(&cursor)
        }
    }

    /// The hash of the value at `cursor`, which is passed.
    private func hash(_ cursor: inout JSONCursor) -> UInt64 {
        switch cursor.byte {
        case UInt8(ascii: "["):
            var state = mix(4, 0)
            cursor.passByte()
            guard cursor.byte != UInt8(ascii: "]") else {
                cursor.passByte()
                return state
            }
            repeat { state = mix(state, hash(&cursor)) } while cursor.passSeparator()
            return state
        case UInt8(ascii: "{"):
            // A sum, which knows no order; names are distinct, so equal parts do not cancel.
            var sum: UInt64 = 0
            cursor.passByte()
            guard cursor.byte != UInt8(ascii: "}") else {
                cursor.passByte()
                return mix(5, sum)
            }
            repeat {
                let name = hash(cursor.passValue())
                cursor.passByte()
                sum &+= mix(name, hash(&cursor))
            } while cursor.passSeparator()
            return mix(5, sum)
        default:
            return hash(JSONView(canonical: cursor.passValue()))
        }
    }

    /// An integer that fits is hashed as its value; other numbers as their significant digits and
    /// where the point stands.
    private func hash(number text: UnsafeRawBufferPointer) -> UInt64 {
        if let integer = JSONNumber.int64(text) { return mix(1, UInt64(bitPattern: integer)) }
        let parts = JSONNumber.Parts(text)
        var state = mix(2, UInt64(bitPattern: Int64(parts.sign)))
        // Past 10^16 a magnitude depends on the spelling of the exponent. There it is held to that:
        // such numbers share a hash, and equality tells them apart.
        let magnitude = min(max(parts.magnitude, -Self.highestMagnitude), Self.highestMagnitude)
        state = mix(state, UInt64(bitPattern: Int64(magnitude)))
        var cursor = parts.cursor
        for _ in 0..<parts.significant { state = mix(state, UInt64(cursor.next())) }
        return state
    }

    private static let highestMagnitude = 10_000_000_000_000_000

    private func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var pair = (left, right)
        return withUnsafeBytes(of: &pair) { hash($0) }
    }
}
