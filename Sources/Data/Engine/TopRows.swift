import FreshetJSON
import FreshetQuery

/// The first rows of an order, of all that were offered: a heap whose root is the last of them.
struct TopRows {
    private struct Row {
        let document: Document
        /// The first key's value; it lies in the document.
        let value: JSONView?
    }

    private let order: RowOrder
    private let capacity: Int
    private var heap: [Row] = []

    /// - Parameter capacity: Rows to keep, at least 1.
    init(_ order: RowOrder, capacity: Int) {
        self.order = order
        self.capacity = capacity
    }

    var count: Int { heap.count }

    var isFull: Bool { heap.count >= capacity }

    /// The last of the rows.
    var last: Document? { heap.first?.document }

    /// Takes `document` in if it is among the first so far. O(log capacity).
    ///
    /// - Returns: Whether it is.
    mutating func offer(_ document: Document) -> Bool {
        let row = Row(document: document, value: order.firstValue(of: document))
        if heap.count < capacity {
            heap.append(row)
            siftUp(heap.count - 1)
            return true
        }
        guard follows(heap[0], row) else { return false }
        heap[0] = row
        siftDown(0)
        return true
    }

    /// Takes the last of the rows out.
    mutating func removeLast() -> Document? {
        guard let last = heap.popLast() else { return nil }
        guard let root = heap.first else { return last.document }
        heap[0] = last
        siftDown(0)
        return root.document
    }

    private func follows(_ left: Row, _ right: Row) -> Bool {
        order.compare(
            left.document, firstValue: left.value, right.document, firstValue: right.value) > 0
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard follows(heap[index], heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var child = index * 2 + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, follows(heap[child + 1], heap[child]) { child += 1 }
            guard follows(heap[child], heap[index]) else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
