package import FreshetQuery

/// The entries between two ranks of an index, one after the other. Keeps its nodes alive; the view
/// of the table that it was made of must be kept beside it.
package struct IndexCursor {
    private struct Step {
        let node: IndexNode
        /// The child under which the cursor is.
        var index: Int
    }

    /// Inner nodes from the root down.
    private var path: [Step] = []
    private var leaf: IndexNode?
    /// The next slot of `leaf`.
    private var index = 0
    /// Entries that are still to come.
    package private(set) var count: Int

    /// A cursor over the entries of these ranks.
    init(_ tree: IndexTree, _ ranks: Range<Int>) {
        count = ranks.count
        guard var node = tree.root, !ranks.isEmpty else { return }
        var rest = ranks.lowerBound
        while node.level > 0 {
            var child = 0
            while child + 1 < node.count, rest >= Int(node.numbers[child]) {
                rest -= Int(node.numbers[child])
                child += 1
            }
            path.append(Step(node: node, index: child))
            node = node.children[child]
        }
        leaf = node
        index = rest
    }

    /// The next documents, at most `limit` and at most to the end of their leaf; empty behind the
    /// last. What is returned is valid until the next call.
    package mutating func nextRun(limit: Int) -> UnsafeBufferPointer<Document> {
        guard limit > 0, count > 0, let leaf = currentLeaf() else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        let length = min(limit, count, leaf.count - index)
        let run = UnsafeBufferPointer(start: leaf.documents + index, count: length)
        index += length
        count -= length
        // SAFETY: `leaf` stays referenced by this cursor until a call that leaves it. A document is
        // one reference and nothing else, so memory of its address is memory of it; reading one
        // retains it, and the view beside this cursor keeps it until then.
        return UnsafeRawBufferPointer(run).assumingMemoryBound(to: Document.self)
    }

    private mutating func currentLeaf() -> IndexNode? {
        while let current = leaf {
            if index < current.count { return current }
            leaf = nextLeaf()
            index = 0
        }
        return nil
    }

    private mutating func nextLeaf() -> IndexNode? {
        while var step = path.popLast() {
            step.index += 1
            guard step.index < step.node.count else { continue }
            path.append(step)
            var node = step.node.children[step.index]
            while node.level > 0 {
                path.append(Step(node: node, index: 0))
                node = node.children[0]
            }
            return node
        }
        return nil
    }
}
