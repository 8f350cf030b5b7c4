/// What is due when, the earliest first: a binary heap. Entries are not taken out early; whoever takes
/// one looks whether it still means something.
struct DueHeap {
    enum Kind: UInt8 {
        case leaf, operation, condition
    }

    struct Entry {
        var due: Int64
        var index: Int32
        var stamp: UInt32
        var kind: Kind
    }

    private var entries: [Entry] = []

    /// `Int64.max` where there is nothing.
    var earliest: Int64 { entries.first?.due ?? .max }
    var count: Int { entries.count }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].due < entries[parent].due else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// The earliest entry, where it is due at `instant`.
    mutating func pop(until instant: Int64) -> Entry? {
        guard let first = entries.first, first.due <= instant else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < entries.count {
                if entries[child].due < entries[least].due { least = child }
            }
            guard least != parent else { break }
            entries.swapAt(parent, least)
            parent = least
        }
        assert(entries[0].due >= first.due, "the earliest comes first")
        return first
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
