import FreshetJSON
import FreshetQuery

/// Brings groups into the order of their first rows, some at a time: a merge sort from the bottom
/// up, which can pause between two merges.
///
/// A hundred thousand first rows lie all over the memory, so that sorting them takes some tenths
/// of a second; a merge, at most a hundredth of a second or two, is as long as nobody else is let in.
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
                merge(start, min(start + width, end), end)
                limit -= Self.rowsPerStep * (end - start)
                start = end
            }
            swap(&rows, &merged)
            merged.removeAll(keepingCapacity: true)
            start = 0
            width *= 2
        }
        return rows.map(\.place)
    }

    private mutating func merge(_ start: Int, _ middle: Int, _ end: Int) {
        var left = start
        var right = middle
        let (order, key) = (order, firstKey)
        while left < middle, right < end {
            if Self.precedes(rows[right], right: rows[left], order: order, key: key) {
                merged.append(rows[right])
                right += 1
            } else {
                merged.append(rows[left])
                left += 1
            }
        }
        merged += rows[left..<middle]
        merged += rows[right..<end]
    }

    /// Looks at the rows themselves only where their first values do not tell.
    private static func precedes(
        _ left: Row, right: Row, order: RowOrder, key: OrderKey?
    ) -> Bool {
        if let key {
            let difference: Int
            if left.isInteger, right.isInteger {
                difference =
                    left.integer < right.integer ? -1 : left.integer > right.integer ? 1 : 0
            } else {
                difference = ValueOrder.compare(
                    left.value, right.value, caseInsensitive: key.caseInsensitive)
            }
            if difference != 0 { return key.descending ? difference > 0 : difference < 0 }
        }
        return order.compare(
            Document(at: left.address), firstValue: left.value, Document(at: right.address),
            firstValue: right.value) < 0
    }
}
