import FreshetBase

/// Finds an object's member by its canonical name bytes in O(1): for objects too large to search.
///
/// Canonical names are equal exactly if their bytes are. Keyed with the process's random key.
struct NameIndex {
    private let members: [JSONMemberView]
    /// Positions + 1, 0 if free; a power of two of them, at most half full.
    private let slots: [UInt32]

    /// - Parameter members: With distinct names.
    init(_ members: [JSONMemberView]) {
        self.members = members
        let capacity = 1 << (Int.bitWidth - (2 * members.count + 1).leadingZeroBitCount)
        var slots = [UInt32](repeating: 0, count: capacity)
        for (position, member) in members.enumerated() {
            var slot = Self.slot(of: member.name, in: capacity)
            while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: position + 1)
        }
        self.slots = slots
    }

    private static func slot(of name: UnsafeRawBufferPointer, in capacity: Int) -> Int {
        Int(truncatingIfNeeded: SeededHash.process.hash(name)) & (capacity - 1)
    }

    /// The position of the member with the canonical name bytes `name`.
    func position(of name: UnsafeRawBufferPointer) -> Int? {
        var slot = Self.slot(of: name, in: slots.count)
        while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            if JSONText.areSame(members[position].name, name) { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }
}

/// The members of an object that are looked up by name: searched while few, indexed when many.
struct MemberLookup {
    let members: [JSONMemberView]
    private let index: NameIndex?

    private static let searchedLimit = 8

    init(_ members: [JSONMemberView]) {
        self.members = members
        index = members.count > Self.searchedLimit ? NameIndex(members) : nil
    }

    /// The position of the member with the canonical name bytes `name`.
    func position(of name: UnsafeRawBufferPointer) -> Int? {
        if let index { return index.position(of: name) }
        return members.firstIndex { JSONText.areSame($0.name, name) }
    }
}
