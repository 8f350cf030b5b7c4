import FreshetQuery
import Synchronization

/// A copy-on-write B+tree of documents in the order of their ids.
///
/// A value: a copy is one retain, and whichever copy writes next copies the nodes on its way down
/// (one per level). A tree that shares nothing is changed in place.
// SAFETY: a node is changed only by the tree that holds the one reference to it (checked at each
// step down); a node that several trees share is never written again.
struct DocumentTree: @unchecked Sendable {
    private(set) var root: TreeNode?
    private(set) var count = 0

    /// Below this many slots a node looks for a neighbour to join, if both fit into `joinLimit`.
    private static let sparse = TreeNode.fanOut / 4
    private static let joinLimit = TreeNode.fanOut * 3 / 4

    init() {}

    // MARK: Reading

    /// The document whose id is `key`. O(log count).
    func document(_ key: IDKey) -> Document? {
        guard var node = root else { return nil }
        while node.level > 0 { node = node.children[node.childIndex(key)] }
        let (index, found) = node.lowerBound(key)
        return found ? node.documents[index] : nil
    }

    /// The documents whose ids are `keys`, into as many places from `found` on.
    ///
    /// All go down a level together: the nodes are read, then searched, then the references to the
    /// next are read, so that in a big tree memory is waited for once for all and not for each.
    func documents(
        _ keys: UnsafeBufferPointer<IDKey>, into found: UnsafeMutablePointer<Document?>
    ) {
        let count = keys.count
        guard let root, count > 0 else {
            return found.initialize(repeating: nil, count: count)
        }
        // SAFETY: `root` keeps every node and document that is read here.
        withUnsafeTemporaryAllocation(of: Unmanaged<TreeNode>.self, capacity: count) { nodes in
            nodes.initialize(repeating: .passUnretained(root))
            var touched: UInt64 = 0
            for _ in 0..<root.level {
                for node in nodes { touched ^= node._withUnsafeGuaranteedRef { $0.touched } }
                for index in 0..<count {
                    nodes[index] = nodes[index]._withUnsafeGuaranteedRef { node in
                        .fromOpaque(node.addresses[node.childIndex(keys[index])])
                    }
                }
            }
            for node in nodes { touched ^= node._withUnsafeGuaranteedRef { $0.touched } }
            withUnsafeTemporaryAllocation(of: UnsafeRawPointer?.self, capacity: count) { places in
                for index in 0..<count {
                    let address: UnsafeRawPointer? =
                        nodes[index]._withUnsafeGuaranteedRef { node in
                            let (place, isThere) = node.lowerBound(keys[index])
                            return isThere ? node.addresses[place] : nil
                        }
                    places.initializeElement(at: index, to: address)
                }
                for index in 0..<count {
                    (found + index).initialize(to: places[index].map { Document(at: $0) })
                }
            }
            Self.sink.store(UInt8(truncatingIfNeeded: touched), ordering: .relaxed)
        }
    }

    /// Takes what is read only to have it in the cache.
    private static let sink = Atomic<UInt8>(0)

    // MARK: Writing

    /// Inserts `document`, or puts it in the place of the one with its id, which is returned.
    mutating func insert(_ document: Document) -> Document? {
        let key = IDKey(document.idBytes)
        // Taken out of the property, so that the tree's is the only reference on the way down.
        guard var top = root.take() else {
            let leaf = TreeNode.make(level: 0)
            leaf.append(document)
            leaf.reform()
            root = leaf
            count = 1
            return nil
        }
        var old: Document?
        if let sibling = Self.insert(document, key, under: &top, old: &old) {
            let above = TreeNode.make(level: top.level + 1)
            above.append(top)
            above.append(sibling)
            above.reform()
            top = above
        }
        root = top
        if old == nil { count += 1 }
        return old
    }

    /// - Returns: The node that a split made, to stand behind `slot`'s.
    private static func insert(
        _ document: Document, _ key: IDKey, under slot: inout TreeNode, old: inout Document?
    ) -> TreeNode? {
        makeUnique(&slot)
        let node = slot
        if !node.fits(key) { node.reform(for: key) }
        if node.level > 0 {
            let index = node.childIndex(key)
            guard
                let sibling = insert(document, key, under: &node.children[index], old: &old)
            else { return nil }
            return place(sibling, in: node, at: index + 1)
        }
        let (index, found) = node.lowerBound(key)
        if found {
            old = node.documents[index]
            node.documents[index] = document
            return nil
        }
        guard node.count == TreeNode.fanOut else {
            node.insert(document, at: index)
            return nil
        }
        // An insert behind the last document leaves the full leaf alone: ids in ascending order
        // fill every leaf.
        let middle = index == node.count ? index : node.count / 2
        let right = node.split(at: middle)
        if index <= middle, middle < TreeNode.fanOut {
            node.insert(document, at: index)
        } else {
            right.insert(document, at: index - middle)
        }
        node.reform()
        right.reform()
        return right
    }

    private static func place(_ sibling: TreeNode, in node: TreeNode, at index: Int) -> TreeNode? {
        guard node.count == TreeNode.fanOut else {
            node.insert(sibling, at: index)
            return nil
        }
        let middle = index == node.count ? index - 1 : node.count / 2
        let right = node.split(at: middle)
        if index <= middle {
            node.insert(sibling, at: index)
        } else {
            right.insert(sibling, at: index - middle)
        }
        node.reform()
        right.reform()
        return right
    }

    /// Takes the document with the id `key` out; without one nothing is copied or changed.
    mutating func remove(_ key: IDKey) -> Document? {
        guard document(key) != nil, var top = root.take() else { return nil }
        let removed = Self.remove(key, under: &top)
        count -= 1
        while top.level > 0, top.count == 1 { top = top.children[0] }
        root = top.count > 0 ? top : nil
        return removed
    }

    private static func remove(_ key: IDKey, under slot: inout TreeNode) -> Document? {
        makeUnique(&slot)
        let node = slot
        guard node.level > 0 else {
            let (index, found) = node.lowerBound(key)
            return found ? node.removeDocument(at: index) : nil
        }
        let index = node.childIndex(key)
        let removed = remove(key, under: &node.children[index])
        let left = node.children[index].count
        if left == 0 {
            node.removeChild(at: index)
        } else if left < sparse {
            joinChild(of: node, at: index)
        }
        return removed
    }

    /// Joins the sparse child at `index` with a neighbour where both fit into one node loosely.
    private static func joinChild(of node: TreeNode, at index: Int) {
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
        let target = children[first]
        let source = children[first + 1]
        source.moveSlots(from: 0, to: target)
        target.reform()
        node.removeChild(at: first + 1)
    }

    private static func makeUnique(_ slot: inout TreeNode) {
        if !isKnownUniquelyReferenced(&slot) { slot = slot.copied() }
    }
}

// MARK: Building

extension DocumentTree {
    /// Slots that a bulk load fills in a node; the rest lets the first inserts find room.
    private static let loadedSlots = TreeNode.fanOut * 7 / 8

    /// Builds a tree of documents that are in id order and have different ids. O(count).
    init(ascending documents: borrowing [Document]) {
        guard !documents.isEmpty else { return }
        var level: [TreeNode] = []
        level.reserveCapacity(documents.count / Self.loadedSlots + 1)
        var start = 0
        for size in Self.shares(of: documents.count) {
            let leaf = TreeNode.make(level: 0)
            for index in start..<start + size {
                leaf.append(documents[index])
            }
            leaf.reform()
            level.append(leaf)
            start += size
        }
        var height: Int32 = 0
        while level.count > 1 {
            height += 1
            var above: [TreeNode] = []
            start = 0
            for size in Self.shares(of: level.count) {
                let node = TreeNode.make(level: height)
                for index in start..<start + size { node.append(level[index]) }
                node.reform()
                above.append(node)
                start += size
            }
            level = above
        }
        root = level[0]
        count = documents.count
    }

    /// Deals `count` slots to as few nodes as `loadedSlots` allows, evenly.
    private static func shares(of count: Int) -> [Int] {
        let nodes = (count + loadedSlots - 1) / loadedSlots
        return (0..<nodes).map { count * ($0 + 1) / nodes - count * $0 / nodes }
    }
}

// MARK: Checking

extension DocumentTree {
    /// A sentence about the first broken invariant, nil where all hold. For tests. O(count).
    func brokenInvariant() -> String? {
        guard let root else { return count == 0 ? nil : "an empty tree counts \(count)" }
        var seen = 0
        var last: Document?
        func check(_ node: TreeNode) -> String? {
            guard node.count > 0 else { return "an empty node at level \(node.level)" }
            guard node.count <= TreeNode.fanOut else { return "an overfull node" }
            guard node.fits(IDKey(node.firstDocument.idBytes)),
                node.fits(IDKey(node.lastDocument.idBytes))
            else { return "a form that does not fit" }
            for index in 0..<node.count {
                if node.level == 0 {
                    let document = node.documents[index]
                    guard node.head(of: document.idBytes) == node.heads[index] else {
                        return "a wrong head in a leaf"
                    }
                    if let last, EntityID.compare(last.idBytes, document.idBytes) >= 0 {
                        return "ids out of order"
                    }
                    last = document
                    seen += 1
                    continue
                }
                let child = node.children[index]
                guard child.level == node.level - 1 else { return "a child of the wrong level" }
                if let fault = check(child) { return fault }
                guard index > 0 else { continue }
                let before = node.head(of: node.children[index - 1].lastDocument.idBytes)
                let after = node.head(of: child.firstDocument.idBytes)
                guard before <= node.heads[index], node.heads[index] <= after else {
                    return "a separator out of place"
                }
            }
            return nil
        }
        if let fault = check(root) { return fault }
        return seen == count ? nil : "\(seen) documents, \(count) counted"
    }
}
