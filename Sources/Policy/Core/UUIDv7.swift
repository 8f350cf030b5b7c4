package import FreshetBase
import FreshetQuery

/// Time-ordered identifiers, RFC 9562 section 5.7: 48 bits of milliseconds, 74 random bits.
package enum UUIDv7 {
    /// A new identifier in its 36-character lower-case form.
    package static func make(
        at time: WallTime = .now, random: (high: UInt64, low: UInt64)? = nil
    ) -> String {
        let random = random ?? (.random(in: .min ... .max), .random(in: .min ... .max))
        let high = UInt64(bitPattern: time.milliseconds) << 16 | 0x7000 | random.high & 0x0FFF
        let low = 1 << 63 | random.low & 0x3FFF_FFFF_FFFF_FFFF
        func hex(_ value: UInt64, digits: Int) -> String { value.padded(to: digits, radix: 16) }
        return hex(high >> 32, digits: 8) + "-" + hex(high >> 16 & 0xFFFF, digits: 4) + "-"
            + hex(high & 0xFFFF, digits: 4) + "-" + hex(low >> 48, digits: 4) + "-"
            + hex(low & 0xFFFF_FFFF_FFFF, digits: 12)
    }
}

extension EntityID {
    /// A new one that nothing has: a UUIDv7. Costs about as much as all else of a small document.
    static func made() -> EntityID {
        guard let id = try? EntityID(UUIDv7.make()) else {
            preconditionFailure("a UUID is a valid id")
        }
        return id
    }
}
