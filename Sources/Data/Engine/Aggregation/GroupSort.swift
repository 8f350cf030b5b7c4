import FreshetJSON
import FreshetQuery

/// Brings groups into the order of their first rows, some at a time: a merge sort from the bottom
/// up, which can pause between two comparisons.
///
/// A hundred thousand first rows lie all over the memory, so that sorting them takes some tenths
/// of a second.
struct GroupSort {
    private struct Row {
        let place: Int
        let address: UnsafeRawPointer
        /// The value of the first key, in the row.
        let value: JSONView?
        /// The value, where it is a plain integer.
        let integer: Int64
        let isInteger: Bool

        init(_ place: Int, _ address: UnsafeRawPointer, _ value: JSONView?) {
            self.place = place
            self.address = address
            self.value = value
            let number = value.flatMap { PlainInteger.value($0.bytes) }
            integer = number ?? 0
            isInteger = number != nil
        }
    }

    /// What a step of a merge costs beside a row of a scan.
    private static let rowsPerStep = 2

    private let order: RowOrder
    /// The first key of the order, unless that is the identifier.
    private let firstKey: OrderKey?
    private var rows: [Row]
    private var merged: [Row] = []
    /// Rows of a sorted stretch.
    private var width = 1
    /// Where the next two stretches begin.
    private var start = 0
    /// How much of either is merged.
    private var taken = (left: 0, right: 0)

    /// - Parameter first: The addresses of the first rows, by the groups' places; the rows are kept
    ///   by the caller.
    init(_ first: [UnsafeRawPointer?], by order: RowOrder) {
        self.order = order
        if case .keys(let keys) = order, let key = keys.first, !key.path.isID {
            firstKey = key
        } else {
            firstKey = nil
        }
        rows = []
        rows.reserveCapacity(first.count)
        for (place, address) in first.enumerated() {
            guard let address else { continue }
            rows.append(Row(place, address, order.firstValue(of: Document(at: address))))
        }
        merged.reserveCapacity(rows.count)
    }

    /// Goes on for as long as `limit` rows of a scan take, and takes that off it.
    ///
    /// - Returns: The places in order, once they are.
    mutating func run(_ limit: inout Int) -> [Int]? {
        while width < rows.count {
            while start < rows.count {
                guard limit > 0 else { return nil }
                let end = min(start + 2 * width, rows.count)
                guard merge(min(start + width, end), end, &limit) else { return nil }
                start = end
                taken = (0, 0)
            }
            swap(&rows, &merged)
            merged.removeAll(keepingCapacity: true)
            start = 0
            width *= 2
        }
        return rows.map(\.place)
    }

    /// Goes on with merging the rows before `middle` and those behind it, up to `end`.
    ///
    /// - Returns: Whether they are merged.
    private mutating func merge(_ middle: Int, _ end: Int, _ limit: inout Int) -> Bool {
        var left = start + taken.left
        var right = middle + taken.right
        let (order, key) = (order, firstKey)
        while left < middle, right < end {
            guard limit > 0 else {
                taken = (left - start, right - middle)
                return false
            }
            var effort = 0
            // As long as 64 of its units a row of a scan is.
            defer { limit -= Self.rowsPerStep + effort >> 6 }
            if Self.precedes(rows[right], right: rows[left], order: order, key: key, &effort) {
                merged.append(rows[right])
                right += 1
            } else {
                merged.append(rows[left])
                left += 1
            }
        }
        merged += rows[left..<middle]
        merged += rows[right..<end]
        return true
    }

    /// Looks at the rows themselves only where their first values do not tell.
    private static func precedes(
        _ left: Row, right: Row, order: RowOrder, key: OrderKey?, _ effort: inout Int
    ) -> Bool {
        if let key {
            let difference: Int
            if left.isInteger, right.isInteger {
                difference =
                    left.integer < right.integer ? -1 : left.integer > right.integer ? 1 : 0
            } else {
                effort += key.effort(left.value?.bytes.count ?? 0, right.value?.bytes.count ?? 0)
                difference = ValueOrder.compare(
                    left.value, right.value, caseInsensitive: key.caseInsensitive)
            }
            if difference != 0 { return key.descending ? difference > 0 : difference < 0 }
        }
        let (first, second) = (Document(at: left.address), Document(at: right.address))
        effort += order.effort(first, second)
        return order.compare(
            first, firstValue: left.value, second, firstValue: right.value) < 0
    }
}
