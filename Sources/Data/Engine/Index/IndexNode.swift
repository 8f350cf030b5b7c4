import FreshetQuery

/// What stands in front of a node's slots.
struct IndexNodeHeader {
    /// Slots in use.
    var count: Int32 = 0
    /// 0 for a leaf, else the number of edges down to the leaves.
    let level: Int32
}

/// A node of an index tree, in one allocation: the header, and `fanOut` slots of a mark (16 bytes),
/// a reference (8) and a number (4).
///
/// In a leaf a slot is an entry: mark, document (not retained), offset of its value. In an inner
/// node it is a child: a lower bound of the marks under it, the child (retained), the number of
/// entries under it; where marks are equal, the first entry under the child decides.
final class IndexNode: ManagedBuffer<IndexNodeHeader, IndexMark> {
    /// Slots of a node: 64 make a node of 1.8 KiB.
    static let fanOut = 64
    /// Bytes of a slot.
    static let slotBytes = 28
    private static let marksForSlots = (fanOut * slotBytes + 15) / 16

    static func make(level: Int32) -> IndexNode {
        let node = unsafeDowncast(
            IndexNode.create(minimumCapacity: marksForSlots) { _ in IndexNodeHeader(level: level) },
            to: IndexNode.self)
        let references = UnsafeMutableRawPointer(node.marks + fanOut)
        // SAFETY: each part of the slots is bound once, here, by the level that never changes.
        if level == 0 {
            references.bindMemory(to: UnsafeRawPointer.self, capacity: fanOut)
        } else {
            references.bindMemory(to: IndexNode.self, capacity: fanOut)
        }
        (references + fanOut * 8).bindMemory(to: UInt32.self, capacity: fanOut)
        return node
    }

    deinit {
        if level > 0 { children.deinitialize(count: count) }
    }

    @inline(__always)
    var count: Int {
        get { Int(headerPointer.pointee.count) }
        set { headerPointer.pointee.count = Int32(truncatingIfNeeded: newValue) }
    }

    @inline(__always)
    var level: Int32 { headerPointer.pointee.level }

    // SAFETY: the slots lie in the node's own allocation and stay in place while it lives; every
    // user of these pointers holds the node.
    @inline(__always)
    var marks: UnsafeMutablePointer<IndexMark> {
        withUnsafeMutablePointerToElements { $0 }
    }

    /// The documents of a leaf's entries.
    @inline(__always)
    var documents: UnsafeMutablePointer<UnsafeRawPointer> {
        UnsafeMutableRawPointer(marks + Self.fanOut).assumingMemoryBound(to: UnsafeRawPointer.self)
    }

    /// The children of an inner node.
    @inline(__always)
    var children: UnsafeMutablePointer<IndexNode> {
        UnsafeMutableRawPointer(marks + Self.fanOut).assumingMemoryBound(to: IndexNode.self)
    }

    /// Offsets of a leaf's entries; entries under each child of an inner node.
    @inline(__always)
    var numbers: UnsafeMutablePointer<UInt32> {
        (UnsafeMutableRawPointer(marks + Self.fanOut) + Self.fanOut * 8)
            .assumingMemoryBound(to: UInt32.self)
    }

    /// An entry of a leaf.
    @inline(__always)
    func entry(at index: Int) -> IndexEntry {
        IndexEntry(mark: marks[index], document: documents[index], offset: numbers[index])
    }

    /// The first entry under this node, which is not empty.
    var firstEntry: IndexEntry {
        var node = self
        while node.level > 0 { node = node.children[0] }
        return node.entry(at: 0)
    }

    /// Entries under this node.
    var entryCount: Int {
        guard level > 0 else { return count }
        var sum = 0
        for index in 0..<count { sum += Int(numbers[index]) }
        return sum
    }

    /// A node with the same slots.
    func copied() -> IndexNode {
        let copy = IndexNode.make(level: level)
        copy.headerPointer.pointee = headerPointer.pointee
        copy.marks.update(from: marks, count: count)
        copy.numbers.update(from: numbers, count: count)
        if level == 0 {
            copy.documents.update(from: documents, count: count)
        } else {
            copy.children.initialize(from: children, count: count)
        }
        return copy
    }

    /// In a leaf: the first slot whose entry does not come before `place`.
    func lowerBound(_ place: some IndexSearch) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            let isBefore = place.follows(marks[middle]) ?? place.follows(entry(at: middle))
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// In an inner node: the child under which `place` is. Its mark decides where it can: no mark
    /// under the child before it is above it.
    func childIndex(_ place: some IndexSearch) -> Int {
        var low = 1
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            let isUnder =
                place.follows(marks[middle]) ?? place.isUnder(children[middle].firstEntry)
            if isUnder { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    // MARK: Slots

    /// In a leaf that is not full.
    func insert(_ entry: IndexEntry, at index: Int) {
        open(index)
        if count > index { shift(documents, index) }
        set(entry, at: index)
        count += 1
    }

    /// In an inner node that is not full.
    func insert(_ child: IndexNode, at index: Int) {
        open(index)
        let moved = count - index
        if moved > 0 { (children + index + 1).moveInitialize(from: children + index, count: moved) }
        marks[index] = child.level > 0 ? child.marks[0] : child.firstEntry.mark
        (children + index).initialize(to: child)
        numbers[index] = UInt32(truncatingIfNeeded: child.entryCount)
        count += 1
    }

    private func open(_ index: Int) {
        guard count > index else { return }
        shift(marks, index)
        shift(numbers, index)
    }

    private func shift<Element>(_ slots: UnsafeMutablePointer<Element>, _ index: Int) {
        (slots + index + 1).update(from: slots + index, count: count - index)
    }

    /// In a leaf: puts `entry` in the place of the one at `index`.
    func set(_ entry: IndexEntry, at index: Int) {
        marks[index] = entry.mark
        documents[index] = entry.document
        numbers[index] = entry.offset
    }

    /// Takes a slot out.
    func remove(at index: Int) {
        let moved = count - index - 1
        if level > 0 { (children + index).deinitialize(count: 1) }
        if moved > 0 {
            (marks + index).update(from: marks + index + 1, count: moved)
            (numbers + index).update(from: numbers + index + 1, count: moved)
            if level > 0 {
                (children + index).moveInitialize(from: children + index + 1, count: moved)
            } else {
                (documents + index).update(from: documents + index + 1, count: moved)
            }
        }
        count -= 1
    }

    /// Moves the slots from `start` on to the end of `other`, a node of the same level with room.
    func moveSlots(from start: Int, to other: IndexNode) {
        let moved = count - start
        let end = other.count
        (other.marks + end).update(from: marks + start, count: moved)
        (other.numbers + end).update(from: numbers + start, count: moved)
        if level > 0 {
            (other.children + end).moveInitialize(from: children + start, count: moved)
        } else {
            (other.documents + end).update(from: documents + start, count: moved)
        }
        other.count = end + moved
        count = start
    }

    /// In a leaf: moves its first entries behind those of `other`, the leaf before it.
    func moveFirst(_ moved: Int, to other: IndexNode) {
        let end = other.count
        (other.marks + end).update(from: marks, count: moved)
        (other.numbers + end).update(from: numbers, count: moved)
        (other.documents + end).update(from: documents, count: moved)
        other.count = end + moved
        let left = count - moved
        marks.update(from: marks + moved, count: left)
        numbers.update(from: numbers + moved, count: left)
        documents.update(from: documents + moved, count: left)
        count = left
    }

    /// In a leaf: moves its last entries in front of those of `other`, the leaf behind it.
    func moveLast(_ moved: Int, to other: IndexNode) {
        let end = other.count
        (other.marks + moved).update(from: other.marks, count: end)
        (other.numbers + moved).update(from: other.numbers, count: end)
        (other.documents + moved).update(from: other.documents, count: end)
        let start = count - moved
        other.marks.update(from: marks + start, count: moved)
        other.numbers.update(from: numbers + start, count: moved)
        other.documents.update(from: documents + start, count: moved)
        other.count = end + moved
        count = start
    }
}

/// What a tree is searched for: a place between entries.
protocol IndexSearch {
    /// Whether entries with this mark come before the place; nil where the mark does not tell.
    func follows(_ mark: IndexMark) -> Bool?
    /// Whether `entry` comes before the place.
    func follows(_ entry: IndexEntry) -> Bool
    /// Whether the place is looked for under a child that begins with `entry`, or before it.
    func isUnder(_ entry: IndexEntry) -> Bool
}
