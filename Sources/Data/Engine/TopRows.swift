import FreshetJSON
import FreshetQuery

/// The first rows of an order, of all that were offered: a heap whose root is the last of them.
///
/// Rows are compared by eight bytes of their first key (`IndexHead`), and by their values only
/// where these are equal. Once the heap is full, the root's eight bytes are a bound above which a
/// row has no prospects; `promising` asks that of a run of rows at once. A class, so that no step of
/// the heap copies what all of them only read.
final class TopRows {
    private struct Row {
        let document: Document
        /// Orders as the first key does, as far as eight bytes can; complemented if descending.
        let head: UInt64
        /// The first key's value; it lies in the document.
        let value: JSONView?
    }

    private let order: RowOrder
    private let capacity: Int
    @exclusivity(unchecked) private var heap: [Row] = []
    /// The first key, where it is a property.
    private let key: OrderKey?
    private let finder: MemberFinder?
    private let otherKeys: ArraySlice<OrderKey>
    /// Values of all keys but the first of large rows, by the row's address, looked up when they were
    /// first compared. The searched view keeps the rows.
    private var others: [UnsafeRawPointer: [JSONView?]] = [:]
    /// Work since it was last taken: a key that was compared, or 256 bytes that were looked through, are
    /// one.
    @exclusivity(unchecked) private(set) var effort = 0

    /// - Parameter capacity: Rows to keep, at least 1.
    init(_ order: RowOrder, capacity: Int) {
        self.order = order
        self.capacity = capacity
        if case .keys(let keys) = order { otherKeys = keys.dropFirst() } else { otherKeys = [] }
        if case .keys(let keys) = order, !keys[0].path.isID {
            key = keys[0]
            finder = MemberFinder(keys[0].path)
        } else {
            key = nil
            finder = nil
        }
    }

    var count: Int { heap.count }

    var isFull: Bool { heap.count >= capacity }

    /// The last of the rows.
    var last: Document? { heap.first?.document }

    /// Takes `document` in if it is among the first so far. O(log capacity).
    ///
    /// - Returns: Whether it is.
    func offer(_ document: Document) -> Bool {
        let value = order.firstValue(of: document)
        let head = key.map { Self.head(value, $0) } ?? 0
        let row = Row(document: document, head: head, value: value)
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
    func removeLast() -> Document? {
        guard let last = heap.popLast() else { return nil }
        guard let root = heap.first else { return last.document }
        heap[0] = last
        siftDown(0)
        return root.document
    }

    /// Those of the rows in `mask` that may be among the first; the others are not.
    ///
    /// - Parameter run: At most 64 documents.
    func promising(_ run: UnsafeBufferPointer<Document>, _ mask: UInt64) -> UInt64 {
        guard let key, let finder, let root = heap.first, heap.count == capacity, mask != 0,
            let first = run.baseAddress
        else { return mask }
        let rows = Document.addresses(first)
        return withUnsafeTemporaryAllocation(of: JSONView.self, capacity: run.count) { values in
            withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: run.count) {
                chosen in
                // SAFETY: the run is not empty, so neither is its scratch memory.
                let values = values.baseAddress.unsafelyUnwrapped
                let chosen = chosen.baseAddress.unsafelyUnwrapped
                var count = 0
                var left = mask
                while left != 0 {
                    chosen[count] = rows[left.trailingZeroBitCount]
                    left &= left - 1
                    count += 1
                }
                var effort = 0
                finder.values(at: chosen, count: count, into: values, &effort)
                self.effort += effort >> 2
                var found: UInt64 = 0
                left = mask
                for index in 0..<count {
                    let row = left & (0 &- left)
                    left ^= row
                    if Self.head(values[index], key) <= root.head { found |= row }
                }
                return found
            }
        }
    }

    @inline(__always)
    private static func head(_ value: JSONView?, _ key: OrderKey) -> UInt64 {
        var head = IndexHead.of(value)
        if key.caseInsensitive, value?.kind == .string { head = IndexHead.lowest(.string) }
        return key.descending ? ~head : head
    }

    private func follows(_ left: Row, _ right: Row) -> Bool {
        if left.head != right.head { return left.head > right.head }
        effort += 1 + otherKeys.count
        if otherKeys.isEmpty {
            effort += key?.effort(left.value?.bytes.count ?? 0, right.value?.bytes.count ?? 0) ?? 0
        } else {
            effort += order.effort(left.document, right.document)
        }
        guard case .keys(let keys) = order, !otherKeys.isEmpty,
            max(left.document.json.count, right.document.json.count) > RowOrder.largeRow
        else {
            return order.compare(
                left.document, firstValue: left.value, right.document, firstValue: right.value) > 0
        }
        let (leftOthers, rightOthers) = (otherValues(of: left), otherValues(of: right))
        return order.compare(left.document, right.document, keys: keys) {
            document, isLeft, index, path in
            if index == 0 { return isLeft ? left.value : right.value }
            guard let others = isLeft ? leftOthers : rightOthers else {
                return document.view(at: path)
            }
            return others[index - 1]
        } > 0
    }

    /// The values of all keys but the first of a large row; nil of another, where they are looked up.
    private func otherValues(of row: Row) -> [JSONView?]? {
        let document = row.document
        guard document.json.count > RowOrder.largeRow else { return nil }
        if let known = others[document.address] { return known }
        let values = otherKeys.map { $0.path.isID ? nil : document.view(at: $0.path) }
        effort += otherKeys.count * (document.json.count >> 8)
        others[document.address] = values
        return values
    }

    /// The work since this was called last.
    func takeEffort() -> Int {
        defer { effort = 0 }
        return effort
    }

    private func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard follows(heap[index], heap[parent]) else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private func siftDown(_ start: Int) {
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
