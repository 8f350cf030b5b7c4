import FreshetBase

/// The member names of all open objects during a scan, and the search for duplicates among them.
///
/// The names of an object lie together at the stack's top when it closes, because its nested
/// objects have taken theirs away. Names with escapes are kept unescaped in an arena.
struct NameStack: ~Copyable {
    /// A name: what tells it from most others, and where its bytes are.
    private struct Name {
        /// All of the name for up to eight bytes, else its first and last eight mixed.
        let fingerprint: UInt64
        /// In the text, or in the arena if `length` carries the arena's flag.
        let start: UInt32
        let length: UInt32
    }

    private var base: UnsafeMutablePointer<Name>
    private var capacity: Int
    private(set) var count = 0
    /// Unescaped names, each behind four bytes that tell its place in the text.
    private var arena = ByteBuffer(capacity: 64)
    /// Slots of (hash's upper half, index + 1), 0 if free; a power of two.
    private var slots: UnsafeMutablePointer<UInt64>
    private var slotCapacity: Int

    private static let arenaFlag: UInt32 = 1 << 31
    private static let usualNames = 128
    /// Above these the memory is given back at the next scan: 64 KiB of names, 128 KiB of slots.
    private static let keptNames = 4096
    private static let keptSlots = 16384
    /// Up to here comparing pairs (28 of them) is cheaper than hashing.
    private static let pairwiseLimit = 8

    init() {
        capacity = Self.usualNames
        base = .allocate(capacity: capacity)
        slotCapacity = 4 * Self.usualNames
        slots = .allocate(capacity: slotCapacity)
    }

    deinit {
        base.deallocate()
        slots.deallocate()
    }

    /// Forgets all names.
    mutating func removeAll() {
        count = 0
        arena.removeAll()
        if capacity > Self.keptNames { grow(to: Self.usualNames) }
        if slotCapacity > Self.keptSlots { growSlots(to: 4 * Self.usualNames) }
        if arena.capacity > 1 << 16 { arena.reset(capacity: 64) }
    }

    private mutating func grow(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Name>.allocate(capacity: newCapacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = newCapacity
    }

    private mutating func growSlots(to newCapacity: Int) {
        slots.deallocate()
        slots = .allocate(capacity: newCapacity)
        slotCapacity = newCapacity
    }

    /// Pushes the name at `start..<nameEnd` of a text of `end` bytes.
    @inline(__always)
    mutating func push(
        _ text: UnsafeRawPointer, start: Int, nameEnd: Int, end: Int, hasEscapes: Bool
    ) {
        if count == capacity { grow(to: capacity * 2) }
        if hasEscapes {
            base[count] = unescaped(text, from: start, to: nameEnd)
        } else {
            let length = nameEnd - start
            base[count] = Name(
                fingerprint: Self.fingerprint(text + start, length, readable: end - start),
                start: UInt32(truncatingIfNeeded: start),
                length: UInt32(truncatingIfNeeded: length))
        }
        count += 1
    }

    @inline(never)
    private mutating func unescaped(
        _ text: UnsafeRawPointer, from start: Int, to nameEnd: Int
    ) -> Name {
        arena.append(littleEndian: UInt32(truncatingIfNeeded: start))
        let place = arena.count
        JSONText.unescape(
            UnsafeRawBufferPointer(start: text + start, count: nameEnd - start), into: &arena)
        let length = arena.count - place
        let fingerprint = arena.bytes.baseAddress.map {
            Self.fingerprint($0 + place, length, readable: length)
        }
        return Name(
            fingerprint: fingerprint ?? 0, start: UInt32(truncatingIfNeeded: place),
            length: UInt32(truncatingIfNeeded: length) | Self.arenaFlag)
    }

    /// - Parameter readable: Bytes that may be read from `name` on, at least `length`.
    @inline(__always)
    private static func fingerprint(
        _ name: UnsafeRawPointer, _ length: Int, readable: Int
    ) -> UInt64 {
        if length > 8 {
            let first = name.loadUnaligned(as: UInt64.self)
            let last = name.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
            return first ^ last &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: length)
        }
        if readable >= 8 {
            let word = UInt64(littleEndian: name.loadUnaligned(as: UInt64.self))
            return length == 8 ? word : word & (1 << UInt64(8 * length) &- 1)
        }
        var word: UInt64 = 0
        for index in 0..<length {
            let byte = name.load(fromByteOffset: index, as: UInt8.self)
            word |= UInt64(byte) << UInt64(8 * index)
        }
        return word
    }

    /// Takes the names from `first` on away.
    ///
    /// - Returns: Where the opening quote of the first name that repeats an earlier one stands.
    @inline(__always)
    mutating func popObject(
        from first: Int, in text: UnsafeRawPointer, _ end: Int
    ) -> Int? {
        let names = count - first
        defer { count = first }
        if names <= 1 { return nil }
        if names <= Self.pairwiseLimit { return pairwiseDuplicate(from: first, in: text) }
        return hashedDuplicate(from: first, in: text)
    }

    @inline(__always)
    private func pairwiseDuplicate(from first: Int, in text: UnsafeRawPointer) -> Int? {
        for index in first + 1..<count {
            let fingerprint = base[index].fingerprint
            for earlier in first..<index where base[earlier].fingerprint == fingerprint {
                if areEqual(index, earlier, in: text) { return place(of: index) }
            }
        }
        return nil
    }

    @inline(never)
    private mutating func hashedDuplicate(from first: Int, in text: UnsafeRawPointer) -> Int? {
        let names = count - first
        let wanted = 1 << (Int.bitWidth - (2 * names - 1).leadingZeroBitCount)
        if slotCapacity < wanted { growSlots(to: wanted) }
        let slots = self.slots
        slots.update(repeating: 0, count: wanted)
        let mask = wanted - 1
        for index in first..<count {
            let hash = hash(of: index, text)
            let tag = hash & 0xFFFF_FFFF_0000_0000
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] != 0 {
                let other = slots[slot]
                if other & 0xFFFF_FFFF_0000_0000 == tag,
                    areEqual(index, first + Int(other & 0xFFFF_FFFF) - 1, in: text)
                {
                    return place(of: index)
                }
                slot = (slot + 1) & mask
            }
            slots[slot] = tag | UInt64(truncatingIfNeeded: index - first + 1)
        }
        return nil
    }

    @inline(__always)
    private func hash(of index: Int, _ text: UnsafeRawPointer) -> UInt64 {
        SeededHash.process.hash(bytes(of: index, text))
    }

    @inline(__always)
    private func bytes(of index: Int, _ text: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        let name = base[index]
        let length = Int(name.length & ~Self.arenaFlag)
        let isInArena = name.length & Self.arenaFlag != 0
        let source = isInArena ? arena.bytes.baseAddress : text
        return UnsafeRawBufferPointer(start: source.map { $0 + Int(name.start) }, count: length)
    }

    @inline(never)
    private func areEqual(_ left: Int, _ right: Int, in text: UnsafeRawPointer) -> Bool {
        JSONText.areSame(bytes(of: left, text), bytes(of: right, text))
    }

    /// Where the name's opening quote stands in the text.
    private func place(of index: Int) -> Int {
        let name = base[index]
        guard name.length & Self.arenaFlag != 0 else { return Int(name.start) - 1 }
        let start = arena.bytes.loadUnaligned(
            fromByteOffset: Int(name.start) - 4, as: UInt32.self)
        return Int(UInt32(littleEndian: start)) - 1
    }
}
