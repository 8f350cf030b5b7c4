import FreshetQuery

/// A copy-on-write B+tree of index entries.
///
/// A value, as `DocumentTree`: a copy is one retain, and whichever copy writes next copies the nodes
/// on its way down. Inner nodes count the entries under their children, so the entries before any
/// place are counted in O(log n).
// SAFETY: a node is changed only by the tree that holds the one reference to it (checked at each
// step down); a node that several trees share is never written again. The documents of entries
// are kept by others; `OrderedIndex` says by whom.
struct IndexTree: @unchecked Sendable {
    private(set) var root: IndexNode?
    private(set) var count = 0
    /// Bytes of a node with its allocation's header.
    static let nodeBytes = IndexNode.fanOut * IndexNode.slotBytes + 24

    /// Below this many slots a node looks for a neighbour to join, if both fit into `joinLimit`.
    private static let sparse = IndexNode.fanOut / 4
    private static let joinLimit = IndexNode.fanOut * 3 / 4

    /// Slots that a neighbour of a full leaf must have free to take some of its entries: what that costs
    /// is shared by half as many inserts.
    private static let leastRoom = IndexNode.fanOut / 4

    init() {}

    /// An entry as a place: before it is what orders before it.
    struct Target: IndexSearch {
        let entry: IndexEntry
        let order: IndexOrder

        func follows(_ mark: IndexMark) -> Bool? { mark == entry.mark ? nil : mark < entry.mark }

        func follows(_ other: IndexEntry) -> Bool { order.compare(other, entry) < 0 }

        func isUnder(_ other: IndexEntry) -> Bool { order.compare(other, entry) <= 0 }
    }

    // MARK: Reading

    /// The number of entries before `place`. O(log count).
    func rank(_ place: some IndexSearch) -> Int {
        guard var node = root else { return 0 }
        var rank = 0
        while node.level > 0 {
            let index = node.childIndex(place)
            for before in 0..<index { rank += Int(node.numbers[before]) }
            node = node.children[index]
        }
        return rank + node.lowerBound(place)
    }

    // MARK: Writing

    /// Inserts an entry, or puts it in the place of the one that is equal to it.
    mutating func insert(_ entry: IndexEntry, _ order: IndexOrder) {
        guard var top = root.take() else {
            let leaf = IndexNode.make(level: 0)
            leaf.insert(entry, at: 0)
            root = leaf
            count = 1
            return
        }
        var isNew = false
        let target = Target(entry: entry, order: order)
        if let sibling = Self.insert(target, under: &top, &isNew) {
            let above = IndexNode.make(level: top.level + 1)
            above.insert(top, at: 0)
            above.insert(sibling, at: 1)
            top = above
        }
        root = top
        if isNew { count += 1 }
    }

    /// - Returns: The node that a split made, to stand behind `slot`'s.
    private static func insert(
        _ target: Target, under slot: inout IndexNode, _ isNew: inout Bool
    ) -> IndexNode? {
        makeUnique(&slot)
        let node = slot
        if node.level > 0 {
            var index = node.childIndex(target)
            if node.level == 1, node.children[index].count == IndexNode.fanOut {
                index = makeRoom(for: target, in: node, at: index)
            }
            let sibling = insert(target, under: &node.children[index], &isNew)
            if target.entry.mark < node.marks[index] { node.marks[index] = target.entry.mark }
            guard let sibling else {
                if isNew { node.numbers[index] += 1 }
                return nil
            }
            let child = node.children[index]
            node.numbers[index] = UInt32(truncatingIfNeeded: child.entryCount)
            return place(sibling, in: node, at: index + 1)
        }
        let index = node.lowerBound(target)
        if index < node.count, target.order.compare(node.entry(at: index), target.entry) == 0 {
            node.set(target.entry, at: index)
            return nil
        }
        isNew = true
        guard node.count == IndexNode.fanOut else {
            node.insert(target.entry, at: index)
            return nil
        }
        let middle = index == node.count ? index : node.count / 2
        let right = IndexNode.make(level: 0)
        node.moveSlots(from: middle, to: right)
        if index <= middle, middle < IndexNode.fanOut {
            node.insert(target.entry, at: index)
        } else {
            right.insert(target.entry, at: index - middle)
        }
        return right
    }

    /// Moves entries of a full leaf to a neighbour that has room and is no view's, so that leaves are
    /// split when two are full. Entries that come in random order then fill 79 % of the leaves in place of
    /// 69, and equal values whose ids come in order 85 % in place of 52.
    ///
    /// - Returns: The child under which the place of `target` is then.
    private static func makeRoom(
        for target: Target, in node: IndexNode, at index: Int
    ) -> Int {
        let children = node.children
        func room(_ index: Int) -> Int {
            guard index >= 0, index < node.count,
                isKnownUniquelyReferenced(&children[index])
            else { return 0 }
            return IndexNode.fanOut - children[index].count
        }
        let isLeft = room(index - 1) >= leastRoom
        guard isLeft || room(index + 1) >= leastRoom else { return index }
        let left = isLeft ? index - 1 : index
        let moved = room(isLeft ? index - 1 : index + 1) / 2
        makeUnique(&children[index])
        if isLeft {
            children[index].moveFirst(moved, to: children[index - 1])
        } else {
            children[index].moveLast(moved, to: children[index + 1])
        }
        let right = children[left + 1]
        node.numbers[left] = UInt32(children[left].count)
        node.numbers[left + 1] = UInt32(right.count)
        node.marks[left + 1] = right.marks[0]
        let isRight = target.follows(right.marks[0]) ?? target.isUnder(right.entry(at: 0))
        return isRight ? left + 1 : left
    }

    private static func place(
        _ sibling: IndexNode, in node: IndexNode, at index: Int
    ) -> IndexNode? {
        guard node.count == IndexNode.fanOut else {
            node.insert(sibling, at: index)
            return nil
        }
        let middle = index == node.count ? index - 1 : node.count / 2
        let right = IndexNode.make(level: node.level)
        node.moveSlots(from: middle, to: right)
        if index <= middle {
            node.insert(sibling, at: index)
        } else {
            right.insert(sibling, at: index - middle)
        }
        return right
    }

    /// Takes the entry out that is equal to `entry`.
    mutating func remove(_ entry: IndexEntry, _ order: IndexOrder) {
        guard var top = root.take() else { return }
        if Self.remove(Target(entry: entry, order: order), under: &top) { count -= 1 }
        while top.level > 0, top.count == 1 { top = top.children[0] }
        root = top.count > 0 ? top : nil
    }

    private static func remove(_ target: Target, under slot: inout IndexNode) -> Bool {
        makeUnique(&slot)
        let node = slot
        guard node.level > 0 else {
            let index = node.lowerBound(target)
            guard index < node.count,
                target.order.compare(node.entry(at: index), target.entry) == 0
            else { return false }
            node.remove(at: index)
            return true
        }
        let index = node.childIndex(target)
        guard remove(target, under: &node.children[index]) else { return false }
        node.numbers[index] -= 1
        let left = node.children[index].count
        if left == 0 {
            node.remove(at: index)
        } else if left < sparse {
            joinChild(of: node, at: index)
        }
        return true
    }

    /// Joins the sparse child at `index` with a neighbour where both fit into one node loosely.
    private static func joinChild(of node: IndexNode, at index: Int) {
        let children = node.children
        let own = children[index].count
        let first: Int
        if index > 0, children[index - 1].count + own <= joinLimit {
            first = index - 1
        } else if index + 1 < node.count, children[index + 1].count + own <= joinLimit {
            first = index
        } else {
            return
        }
        makeUnique(&children[first])
        makeUnique(&children[first + 1])
        children[first + 1].moveSlots(from: 0, to: children[first])
        node.numbers[first] += node.numbers[first + 1]
        node.remove(at: first + 1)
    }

    private static func makeUnique(_ slot: inout IndexNode) {
        if !isKnownUniquelyReferenced(&slot) { slot = slot.copied() }
    }
}

// MARK: Building

extension IndexTree {
    /// Slots that a bulk load fills in a node; the rest lets the first inserts find room.
    private static let loadedSlots = IndexNode.fanOut * 7 / 8

    /// Builds a tree of entries that are in order and different. O(count).
    init(ascending entries: borrowing [IndexEntry]) {
        guard !entries.isEmpty else { return }
        var level: [IndexNode] = []
        var start = 0
        for size in Self.shares(of: entries.count) {
            let leaf = IndexNode.make(level: 0)
            for index in start..<start + size { leaf.insert(entries[index], at: index - start) }
            level.append(leaf)
            start += size
        }
        var height: Int32 = 0
        while level.count > 1 {
            height += 1
            var above: [IndexNode] = []
            start = 0
            for size in Self.shares(of: level.count) {
                let node = IndexNode.make(level: height)
                for index in 0..<size { node.insert(level[start + index], at: index) }
                above.append(node)
                start += size
            }
            level = above
        }
        root = level[0]
        count = entries.count
    }

    /// Deals `count` slots to as few nodes as `loadedSlots` allows, evenly.
    private static func shares(of count: Int) -> [Int] {
        let nodes = (count + loadedSlots - 1) / loadedSlots
        return (0..<nodes).map { count * ($0 + 1) / nodes - count * $0 / nodes }
    }
}

// MARK: Checking

extension IndexTree {
    /// Nodes of all levels. O(inner nodes).
    var nodeCount: Int {
        func nodes(_ node: IndexNode) -> Int {
            guard node.level > 0 else { return 1 }
            var sum = 1
            for index in 0..<node.count {
                sum += node.level == 1 ? 1 : nodes(node.children[index])
            }
            return sum
        }
        return root.map(nodes) ?? 0
    }

    /// A sentence about the first broken invariant, nil where all hold. For tests. O(count).
    func brokenInvariant(_ order: IndexOrder) -> String? {
        guard let root else { return count == 0 ? nil : "an empty tree counts \(count)" }
        var seen = 0
        var last: IndexEntry?
        func check(_ node: IndexNode) -> String? {
            guard (1...IndexNode.fanOut).contains(node.count) else { return "a node of no size" }
            for index in 0..<node.count {
                if node.level == 0 {
                    let entry = node.entry(at: index)
                    if let last, order.compare(last, entry) >= 0 { return "entries out of order" }
                    last = entry
                    seen += 1
                    continue
                }
                let child = node.children[index]
                guard child.level == node.level - 1 else { return "a child of the wrong level" }
                guard Int(node.numbers[index]) == child.entryCount else { return "a wrong count" }
                guard index == 0 || node.marks[index] <= child.firstEntry.mark else {
                    return "a mark above its entries"
                }
                if index > 0, let last, last.mark > node.marks[index] {
                    return "a mark below the entries before it"
                }
                if let fault = check(child) { return fault }
            }
            return nil
        }
        if let fault = check(root) { return fault }
        return seen == count ? nil : "\(seen) entries, \(count) counted"
    }
}
