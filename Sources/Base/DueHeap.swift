/// What is due when, the earliest first: a binary heap. Entries are not taken out early; whoever takes
/// one looks whether it still means something.
package struct DueHeap<Entry: DueEntry> {
    @usableFromInline var entries: [Entry] = []

    @inlinable package init() {}

    /// `Int64.max` where there is nothing.
    @inlinable package var earliest: Int64 { entries.first?.due ?? .max }
    @inlinable package var count: Int { entries.count }

    @inlinable package mutating func push(_ entry: Entry) {
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
    @inlinable package mutating func pop(until instant: Int64) -> Entry? {
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

    @inlinable package mutating func removeAll() {
        entries.removeAll()
    }

    /// Takes out what means nothing any more.
    ///
    /// - Complexity: O(n log n).
    @inlinable package mutating func keep(where meansSomething: (Entry) -> Bool) {
        let kept = entries.filter(meansSomething)
        entries.removeAll(keepingCapacity: true)
        for entry in kept { push(entry) }
    }
}

/// What a heap puts in order.
package protocol DueEntry {
    /// In nanoseconds.
    var due: Int64 { get }
}
