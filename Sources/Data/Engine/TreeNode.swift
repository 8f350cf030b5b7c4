import FreshetQuery

/// What stands in front of a node's slots.
struct TreeNodeHeader {
    /// Slots in use.
    var count: Int32
    /// 0 for a leaf, else the number of edges down to the leaves.
    let level: Int32
}

/// A node of a document tree, in one allocation: the header, `capacity` key heads, and as many
/// references: to documents in a leaf, to nodes of the level below in an inner node.
///
/// Head i of an inner node is a lower bound for the heads under child i, and no head under
/// child i − 1 is above it; head 0 is never looked at. Where heads are equal, the first document
/// under the child decides, so separators need no key of their own and keep no document alive.
final class TreeNode: ManagedBuffer<TreeNodeHeader, UInt64> {
    /// Slots of a node: 64 make a node of 1 KiB, whose copy under a snapshot costs about 1 µs.
    static let fanOut = 64

    /// Makes an empty node.
    static func make(level: Int32) -> TreeNode {
        let node = unsafeDowncast(
            TreeNode.create(minimumCapacity: fanOut * 2) { _ in
                TreeNodeHeader(count: 0, level: level)
            }, to: TreeNode.self)
        let references = UnsafeMutableRawPointer(node.heads + fanOut)
        // SAFETY: the second half of the slots is bound once, here, by the level that never changes.
        if level == 0 {
            references.bindMemory(to: Document.self, capacity: fanOut)
        } else {
            references.bindMemory(to: TreeNode.self, capacity: fanOut)
        }
        return node
    }

    deinit {
        if level == 0 {
            documents.deinitialize(count: count)
        } else {
            children.deinitialize(count: count)
        }
    }

    @inline(__always)
    var count: Int {
        get { Int(header.count) }
        set { header.count = Int32(truncatingIfNeeded: newValue) }
    }

    @inline(__always)
    var level: Int32 { header.level }

    // SAFETY: the slots lie in the node's own allocation and stay in place while it lives; every
    // user of these pointers holds the node.
    @inline(__always)
    var heads: UnsafeMutablePointer<UInt64> {
        withUnsafeMutablePointerToElements { $0 }
    }

    /// The documents of a leaf.
    @inline(__always)
    var documents: UnsafeMutablePointer<Document> {
        UnsafeMutableRawPointer(heads + Self.fanOut).assumingMemoryBound(to: Document.self)
    }

    /// The children of an inner node.
    @inline(__always)
    var children: UnsafeMutablePointer<TreeNode> {
        UnsafeMutableRawPointer(heads + Self.fanOut).assumingMemoryBound(to: TreeNode.self)
    }

    /// A node with the same slots, each reference retained once more.
    func copied() -> TreeNode {
        let copy = TreeNode.make(level: level)
        copy.heads.update(from: heads, count: count)
        if level == 0 {
            copy.documents.initialize(from: documents, count: count)
        } else {
            copy.children.initialize(from: children, count: count)
        }
        copy.count = count
        return copy
    }

    /// The first document under this node, which is not empty.
    var firstDocument: Document {
        var node = self
        while node.level > 0 { node = node.children[0] }
        return node.documents[0]
    }

    /// In a leaf: the first slot whose document does not come before `key`, and whether its id is
    /// `key`.
    func lowerBound(_ key: IDKey) -> (index: Int, found: Bool) {
        let heads = self.heads
        var low = 0
        var high = count
        // Ids are often made in ascending order, so the place behind the last is asked for first.
        if high > 0, heads[high - 1] < key.head { return (high, false) }
        while low < high {
            let middle = (low + high) >> 1
            let head = heads[middle]
            if head < key.head {
                low = middle + 1
            } else if head > key.head {
                high = middle
            } else {
                let order = key.compareText(documents[middle])
                if order == 0 { return (middle, true) }
                if order > 0 { low = middle + 1 } else { high = middle }
            }
        }
        return (low, false)
    }

    /// In an inner node: the child under which `key` is, or would be.
    func childIndex(_ key: IDKey) -> Int {
        let heads = self.heads
        var low = 1
        var high = count
        while low < high {
            let middle = (low + high) >> 1
            let head = heads[middle]
            if head < key.head {
                low = middle + 1
            } else if head > key.head {
                high = middle
            } else if key.compareText(children[middle].firstDocument) >= 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low - 1
    }

    /// In a leaf that is not full: puts `document` at `index`.
    func insert(_ document: Document, head: UInt64, at index: Int) {
        let heads = self.heads
        let documents = self.documents
        let moved = count - index
        if moved > 0 {
            (heads + index + 1).update(from: heads + index, count: moved)
            (documents + index + 1).moveInitialize(from: documents + index, count: moved)
        }
        heads[index] = head
        (documents + index).initialize(to: document)
        count += 1
    }

    /// In an inner node that is not full: puts `child` at `index`.
    func insert(_ child: TreeNode, head: UInt64, at index: Int) {
        let heads = self.heads
        let children = self.children
        let moved = count - index
        if moved > 0 {
            (heads + index + 1).update(from: heads + index, count: moved)
            (children + index + 1).moveInitialize(from: children + index, count: moved)
        }
        heads[index] = head
        (children + index).initialize(to: child)
        count += 1
    }

    /// In a leaf: takes the document at `index` out.
    func removeDocument(at index: Int) -> Document {
        let document = (documents + index).move()
        let moved = count - index - 1
        if moved > 0 {
            (heads + index).update(from: heads + index + 1, count: moved)
            (documents + index).moveInitialize(from: documents + index + 1, count: moved)
        }
        count -= 1
        return document
    }

    /// In an inner node: takes the child at `index` out.
    func removeChild(at index: Int) {
        (children + index).deinitialize(count: 1)
        let moved = count - index - 1
        if moved > 0 {
            (heads + index).update(from: heads + index + 1, count: moved)
            (children + index).moveInitialize(from: children + index + 1, count: moved)
        }
        count -= 1
    }

    /// Moves the slots from `start` on to the end of `other`, a node of the same level with room.
    func moveSlots(from start: Int, to other: TreeNode) {
        let moved = count - start
        let end = other.count
        (other.heads + end).update(from: heads + start, count: moved)
        if level == 0 {
            (other.documents + end).moveInitialize(from: documents + start, count: moved)
        } else {
            (other.children + end).moveInitialize(from: children + start, count: moved)
        }
        other.count = end + moved
        count = start
    }

    /// Splits a full node: the slots from `start` on move to a new node, which is returned.
    func split(at start: Int) -> TreeNode {
        let right = TreeNode.make(level: level)
        moveSlots(from: start, to: right)
        return right
    }
}
