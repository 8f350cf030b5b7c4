package import FreshetQuery

/// A place between two documents of a view, moving forward in id order. Keeps its nodes alive.
package struct TableCursor {
    private struct Step {
        let node: TreeNode
        /// The child under which the cursor is.
        var index: Int
    }

    /// Inner nodes from the root down.
    private var path: [Step] = []
    private var leaf: TreeNode?
    /// The next slot of `leaf`.
    private var index = 0
    /// Takes what is read of the next leaf only to have it in the cache.
    private var touched: UInt = 0

    init(_ tree: DocumentTree, from key: IDKey?) {
        guard let root = tree.root else { return }
        var node = root
        while node.level > 0 {
            let child = key.map { node.childIndex($0) } ?? 0
            path.append(Step(node: node, index: child))
            node = node.children[child]
        }
        leaf = node
        if let key { index = node.lowerBound(key).index }
    }

    /// The next document, nil behind the last.
    package mutating func next() -> Document? {
        guard let leaf = currentLeaf() else { return nil }
        defer { index += 1 }
        return leaf.documents[index]
    }

    /// Passes by the next `count` documents without a look at them. O(leaves passed).
    mutating func skip(_ count: Int) {
        var left = count
        while left > 0, let leaf = currentLeaf() {
            let step = min(left, leaf.count - index)
            index += step
            left -= step
        }
    }

    /// The next documents, at most `limit` and at most to the end of their leaf; empty behind the
    /// last. What is returned is valid until the next call.
    mutating func nextRun(limit: Int) -> UnsafeBufferPointer<Document> {
        guard let leaf = currentLeaf(), limit > 0 else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        if index == 0, let step = path.last { touched ^= step.node.touchChild(step.index + 1) }
        let length = min(limit, leaf.count - index)
        let start = leaf.documents + index
        index += length
        // SAFETY: `leaf` stays referenced by this cursor until a call that leaves it.
        return UnsafeBufferPointer(start: start, count: length)
    }

    /// The leaf with the next document, if there is one.
    private mutating func currentLeaf() -> TreeNode? {
        while let current = leaf {
            if index < current.count { return current }
            leaf = nextLeaf()
            index = 0
        }
        return nil
    }

    private mutating func nextLeaf() -> TreeNode? {
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
