/// From 64-bit hashes to small numbers: open addressing, linear probing, no tombstones.
struct KeyTable {
    private struct Slot {
        var key: UInt64
        /// -1 where the slot is free.
        var value: Int32
    }

    private static let free = Slot(key: 0, value: -1)
    private static let smallest = 16

    private var slots = [Slot](repeating: Self.free, count: Self.smallest)
    private(set) var count = 0

    /// The bytes held.
    var byteCount: Int { slots.capacity * MemoryLayout<Slot>.stride }

    private var mask: Int { slots.count - 1 }

    /// The number of `key`, or -1.
    @inline(__always)
    func value(of key: UInt64) -> Int32 {
        slots.withUnsafeBufferPointer { slots in
            let mask = slots.count - 1
            var index = Int(truncatingIfNeeded: key) & mask
            while slots[index].value >= 0 {
                if slots[index].key == key { return slots[index].value }
                index = (index + 1) & mask
            }
            return -1
        }
    }

    /// Adds a key that is not in the table.
    mutating func insert(_ key: UInt64, _ value: Int32) {
        if (count + 1) * 4 > slots.count * 3 { resize(to: slots.count * 2) }
        place(Slot(key: key, value: value))
        count += 1
    }

    /// Removes a key; the slots behind it move up, so that no search passes a gap.
    mutating func remove(_ key: UInt64) {
        var index = Int(truncatingIfNeeded: key) & mask
        while slots[index].value < 0 || slots[index].key != key {
            if slots[index].value < 0 { return }
            index = (index + 1) & mask
        }
        var next = (index + 1) & mask
        while slots[next].value >= 0 {
            let wanted = Int(truncatingIfNeeded: slots[next].key) & mask
            if (next - wanted) & mask >= (next - index) & mask {
                slots[index] = slots[next]
                index = next
            }
            next = (next + 1) & mask
        }
        slots[index] = Self.free
        count -= 1
        if slots.count > Self.smallest, count * 8 < slots.count { resize(to: slots.count / 2) }
    }

    private mutating func place(_ slot: Slot) {
        var index = Int(truncatingIfNeeded: slot.key) & mask
        while slots[index].value >= 0 { index = (index + 1) & mask }
        slots[index] = slot
    }

    private mutating func resize(to size: Int) {
        let old = slots
        slots = [Slot](repeating: Self.free, count: size)
        for slot in old where slot.value >= 0 { place(slot) }
    }
}
