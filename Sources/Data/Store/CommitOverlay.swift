import FreshetBase
import FreshetQuery

/// What the transactions before this one, in the same batch, will have made of the entities that
/// they touch. Open addressing over (type, id); the writer's own.
struct CommitOverlay {
    struct Entry {
        let slot: Int
        /// Any image of the entity: it has the id's bytes.
        let key: Document
        var current: Document?
        /// Which transaction touched it last, and which change of the batch that is.
        var stamp: Int
        var change: Int
    }

    private(set) var entries: [Entry] = []
    /// Indices into `entries`, −1 where free; a power of two, at most half full.
    private var places = [Int32](repeating: -1, count: 256)

    var isEmpty: Bool { entries.isEmpty }

    mutating func removeAll() {
        guard !entries.isEmpty else { return }
        entries.removeAll(keepingCapacity: entries.count <= 4_096)
        places = [Int32](repeating: -1, count: 256)
    }

    /// The index of the entry of an id, nil where it is untouched.
    func find(_ slot: Int, _ id: UnsafeRawBufferPointer) -> Int? {
        let place = place(of: slot, id)
        let index = places[place]
        return index < 0 ? nil : Int(index)
    }

    subscript(index: Int) -> Entry {
        get { entries[index] }
        set { entries[index] = newValue }
    }

    mutating func insert(_ entry: Entry) {
        assert(find(entry.slot, entry.key.idBytes) == nil, "an entity has one entry")
        if entries.count * 2 >= places.count { grow() }
        places[place(of: entry.slot, entry.key.idBytes)] = Int32(entries.count)
        entries.append(entry)
    }

    private mutating func grow() {
        places = [Int32](repeating: -1, count: places.count * 4)
        for (index, entry) in entries.enumerated() {
            places[place(of: entry.slot, entry.key.idBytes)] = Int32(index)
        }
    }

    /// Where the entry of an id is or belongs.
    private func place(of slot: Int, _ id: UnsafeRawBufferPointer) -> Int {
        let mask = places.count - 1
        var place = (Int(truncatingIfNeeded: SeededHash.process.hash(id)) &+ slot &* 0x9E37) & mask
        while true {
            let index = places[place]
            if index < 0 { return place }
            if entries[Int(index)].slot == slot
                && Bytes.equal(entries[Int(index)].key.idBytes, id)
            {
                return place
            }
            place = (place + 1) & mask
        }
    }
}
