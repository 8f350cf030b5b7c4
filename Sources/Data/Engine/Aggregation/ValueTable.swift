import FreshetBase
import FreshetJSON

/// Numbers values from 0 as they come: equal ones get one number.
///
/// Equality is that of filters: 1 and 1.0 are one value, objects whatever the order of their
/// members, null and absent. Open addressing over hashes keyed per process; a value is the place of
/// its bytes, which whoever owns the table keeps alive (a search keeps its view). A look-up of a
/// short text is about 10 ns and allocates nothing.
struct ValueTable {
    /// The most values: a table of some 4 MB.
    static let maximumCount = 100_000
    /// Values of one hash that are not equal. Only numbers with exponents of 17 digits can be made
    /// so, and each look-up compares with all of them.
    private static let maximumCollisions = 64

    private struct Entry {
        let hash: UInt64
        let value: JSONView
    }

    private var entries: [Entry] = []
    /// Numbers of entries plus 1; 0 is free. A power of two, at most half full.
    private var slots = [UInt32](repeating: 0, count: 64)

    private static let null = StaticString("null")

    var count: Int { entries.count }

    /// The number of `value`, and whether it is new; nil where the table is full.
    mutating func number(of value: JSONView) -> (index: Int, isNew: Bool)? {
        let value = value.isNull ? Self.absent : value
        let hash = SeededHash.process.hash(value)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        var met = 0
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if entries[index].hash == hash {
                if Self.areEqual(entries[index].value, value) { return (index, false) }
                met += 1
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        guard entries.count < Self.maximumCount, met < Self.maximumCollisions else { return nil }
        entries.append(Entry(hash: hash, value: value))
        slots[slot] = UInt32(entries.count)
        if entries.count * 2 > slots.count { grow() }
        return (entries.count - 1, true)
    }

    @inline(__always)
    private static func areEqual(_ left: JSONView, _ right: JSONView) -> Bool {
        if FilterEvaluator.sameBytes(left.bytes, right.bytes) { return true }
        switch left.kind {
        case .null, .bool, .string: return false
        case .number, .array, .object: return JSONEquality.equal(left, right)
        }
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for (index, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(index + 1)
        }
    }

    /// The bytes of a value, `null` for an absent one.
    static func spelled(_ value: JSONView) -> UnsafeRawBufferPointer {
        value.isNull ? absent.bytes : value.bytes
    }

    /// What stands for an absent value.
    static var absent: JSONView {
        JSONView(
            canonical: UnsafeRawBufferPointer(
                start: null.utf8Start, count: null.utf8CodeUnitCount))
    }
}
