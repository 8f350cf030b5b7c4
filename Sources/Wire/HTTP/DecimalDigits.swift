import FreshetBase

/// Decimal digits written where they stay: counted first, so that nothing is moved afterwards. A head
/// has two or three numbers, and moving fresh bytes costs more than writing them.
enum DecimalDigits {
    /// How many digits `value` has.
    @inline(__always)
    static func count(_ value: UInt64) -> Int {
        var count = 1
        var bound: UInt64 = 10
        // 10^19 is the last power that fits; a value from there on has 20 digits.
        while count < 20, value >= bound {
            count += 1
            bound = count < 20 ? bound &* 10 : bound
        }
        return count
    }

    @inline(__always)
    static func append(_ value: UInt64, to buffer: inout ByteBuffer) {
        let count = count(value)
        write(value, endingAt: buffer.reserve(count) + count)
        buffer.advance(by: count)
    }

    /// Writes the digits of `value` so that the last one stands just before `end`.
    @inline(__always)
    static func write(_ value: UInt64, endingAt end: UnsafeMutableRawPointer) {
        var place = end
        var rest = value
        repeat {
            place -= 1
            place.storeBytes(
                of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10), as: UInt8.self)
            rest /= 10
        } while rest > 0
    }
}
