/// Many sets of closed intervals, each of which can be asked for those that hold a value.
///
/// A set is a B-tree ordered by lower bound, whose inner nodes keep the highest upper bound of each
/// child; nodes of all sets come from one pool. A question visits the children that begin at or
/// below the value and reach up to it: O(log n + hits) where intervals are of like length, and
/// never worse than O(hits × log n) plus what is left of longer neighbours.
///
/// An interval belongs to a `Place`, which knows its leaf; so removal searches 32 items at most.
struct IntervalForest {
    private static let fanout = 32
    /// A node under this size joins a neighbour, if both together are no more than `joined`.
    private static let small = 8
    private static let joined = 24

    private struct Node {
        /// -1 for a root; for a free node the next free one.
        var parent: Int32
        var count: Int32 = 0
        var isLeaf: Bool
    }

    private var nodes: [Node] = []
    // Per node `fanout` items, in the order of their lower bounds. That of a child is not above any in
    // it, and not above the next one's; the first may take lower ones, and then is lower, too.
    private var lows: [UInt64] = []
    private var highs: [UInt64] = []
    /// Places in a leaf, nodes in an inner node.
    private var items: [Int32] = []
    private var firstFree: Int32 = -1
    private(set) var nodeCount = 0

    /// The bytes held.
    var byteCount: Int {
        nodes.capacity * MemoryLayout<Node>.stride + lows.capacity * 8 + highs.capacity * 8
            + items.capacity * 4
    }

    /// Makes an empty set and returns its root.
    mutating func makeSet() -> Int32 { makeNode(isLeaf: true) }

    /// Appends to `found` the places of the set whose intervals hold `value`.
    func collect(_ root: Int32, holding value: UInt64, into found: inout [Int32]) {
        let node = nodes[Int(root)]
        let start = Int(root) * Self.fanout
        for index in start..<start + Int(node.count) {
            if lows[index] > value { return }
            guard highs[index] >= value else { continue }
            if node.isLeaf {
                found.append(items[index])
            } else {
                // Recursion is as deep as the tree: six levels hold four thousand million
                // intervals at a sixteenth of their room and more.
                collect(items[index], holding: value, into: &found)
            }
        }
    }

    /// Adds the interval of `place` to the set, whose root may change.
    mutating func insert(_ place: Int32, in root: inout Int32, _ places: inout [Place]) {
        let (low, high) = (places[Int(place)].low, places[Int(place)].high)
        if nodes[Int(root)].count == Self.fanout {
            let top = makeNode(isLeaf: false)
            insertItem((lows[Int(root) * Self.fanout], highest(of: root), root), in: top, at: 0)
            nodes[Int(root)].parent = top
            split(top, 0, &places)
            root = top
        }
        var node = root
        while !nodes[Int(node)].isLeaf {
            let start = Int(node) * Self.fanout
            var index = max(0, itemsNotAbove(low, in: node) - 1)
            if nodes[Int(items[start + index])].count == Self.fanout {
                split(node, index, &places)
                if lows[start + index + 1] <= low { index += 1 }
            }
            lows[start + index] = min(lows[start + index], low)
            highs[start + index] = max(highs[start + index], high)
            node = items[start + index]
        }
        insertItem((low, high, place), in: node, at: itemsNotAbove(low, in: node))
        places[Int(place)].previous = node
    }

    /// Removes the interval of `place` from its set, whose root may change.
    ///
    /// - Returns: Whether the set is empty now and gone.
    mutating func remove(_ place: Int32, from root: inout Int32, _ places: inout [Place]) -> Bool {
        var node = places[Int(place)].previous
        removeItem(at: index(of: place, in: node), of: node)
        while nodes[Int(node)].parent >= 0 {
            let parent = nodes[Int(node)].parent
            let index = index(of: node, in: parent)
            if nodes[Int(node)].count == 0 {
                removeItem(at: index, of: parent)
                release(node)
            } else {
                highs[Int(parent) * Self.fanout + index] = highest(of: node)
                if nodes[Int(node)].count < Self.small {
                    if !join(parent, index, &places), index > 0 {
                        _ = join(parent, index - 1, &places)
                    }
                }
            }
            node = parent
        }
        while !nodes[Int(root)].isLeaf, nodes[Int(root)].count == 1 {
            let child = items[Int(root) * Self.fanout]
            nodes[Int(child)].parent = -1
            release(root)
            root = child
        }
        guard nodes[Int(root)].count == 0 else { return false }
        release(root)
        root = -1
        return true
    }

    // MARK: Nodes

    private mutating func makeNode(isLeaf: Bool) -> Int32 {
        nodeCount += 1
        let fresh = Node(parent: -1, isLeaf: isLeaf)
        if firstFree >= 0 {
            let node = firstFree
            firstFree = nodes[Int(node)].parent
            nodes[Int(node)] = fresh
            return node
        }
        nodes.append(fresh)
        lows.append(contentsOf: repeatElement(0, count: Self.fanout))
        highs.append(contentsOf: repeatElement(0, count: Self.fanout))
        items.append(contentsOf: repeatElement(0, count: Self.fanout))
        return Int32(nodes.count - 1)
    }

    private mutating func release(_ node: Int32) {
        nodeCount -= 1
        nodes[Int(node)].parent = firstFree
        firstFree = node
    }

    private func highest(of node: Int32) -> UInt64 {
        let start = Int(node) * Self.fanout
        var highest: UInt64 = 0
        for index in start..<start + Int(nodes[Int(node)].count) {
            highest = max(highest, highs[index])
        }
        return highest
    }

    private func itemsNotAbove(_ low: UInt64, in node: Int32) -> Int {
        let start = Int(node) * Self.fanout
        var count = 0
        while count < Int(nodes[Int(node)].count), lows[start + count] <= low { count += 1 }
        return count
    }

    private func index(of item: Int32, in node: Int32) -> Int {
        let start = Int(node) * Self.fanout
        var index = 0
        while items[start + index] != item { index += 1 }
        return index
    }

    private mutating func insertItem(
        _ item: (low: UInt64, high: UInt64, item: Int32), in node: Int32, at index: Int
    ) {
        let start = Int(node) * Self.fanout
        var place = start + Int(nodes[Int(node)].count)
        while place > start + index {
            move(place - 1, to: place)
            place -= 1
        }
        lows[place] = item.low
        highs[place] = item.high
        items[place] = item.item
        nodes[Int(node)].count += 1
    }

    private mutating func removeItem(at index: Int, of node: Int32) {
        let start = Int(node) * Self.fanout
        nodes[Int(node)].count -= 1
        for place in start + index..<start + Int(nodes[Int(node)].count) {
            move(place + 1, to: place)
        }
    }

    private mutating func move(_ source: Int, to target: Int) {
        lows[target] = lows[source]
        highs[target] = highs[source]
        items[target] = items[source]
    }

    /// Moves the upper half of the full child `index` of `parent` into a new one behind it.
    private mutating func split(_ parent: Int32, _ index: Int, _ places: inout [Place]) {
        let child = items[Int(parent) * Self.fanout + index]
        let sibling = makeNode(isLeaf: nodes[Int(child)].isLeaf)
        nodes[Int(sibling)].parent = parent
        nodes[Int(child)].count = Int32(Self.fanout / 2)
        append(from: Self.fanout / 2, of: child, Self.fanout / 2, to: sibling, &places)
        highs[Int(parent) * Self.fanout + index] = highest(of: child)
        let low = lows[Int(sibling) * Self.fanout]
        insertItem((low, highest(of: sibling), sibling), in: parent, at: index + 1)
    }

    /// Moves what the child behind `index` has into the child `index`, if it fits well.
    private mutating func join(_ parent: Int32, _ index: Int, _ places: inout [Place]) -> Bool {
        guard index + 1 < Int(nodes[Int(parent)].count) else { return false }
        let start = Int(parent) * Self.fanout + index
        let (left, right) = (items[start], items[start + 1])
        let moved = Int(nodes[Int(right)].count)
        guard Int(nodes[Int(left)].count) + moved <= Self.joined else { return false }
        if !nodes[Int(right)].isLeaf { lows[Int(right) * Self.fanout] = lows[start + 1] }
        append(from: 0, of: right, moved, to: left, &places)
        highs[start] = max(highs[start], highs[start + 1])
        removeItem(at: index + 1, of: parent)
        release(right)
        return true
    }

    private mutating func append(
        from first: Int, of source: Int32, _ count: Int, to target: Int32,
        _ places: inout [Place]
    ) {
        let start = Int(source) * Self.fanout + first
        let end = Int(target) * Self.fanout + Int(nodes[Int(target)].count)
        for offset in 0..<count {
            move(start + offset, to: end + offset)
            let item = Int(items[end + offset])
            if nodes[Int(target)].isLeaf {
                places[item].previous = target
            } else {
                nodes[item].parent = target
            }
        }
        nodes[Int(target)].count += Int32(count)
    }
}
