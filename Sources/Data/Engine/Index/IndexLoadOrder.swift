import FreshetJSON
import FreshetQuery

/// The order of many entries at once, found with few looks at the documents.
///
/// A comparison of two entries whose marks are equal reads two documents somewhere in memory, and
/// sorting a million entries makes twenty million comparisons. So each entry is given, once, what
/// decides nearly all of them: sixteen bytes more of a string, and its place in the order of ids,
/// which is the order in which the documents come. Only where these decide nothing, or cannot be had
/// (an escape in the string, a number that its head does not hold), are documents asked.
struct IndexLoadOrder {
    private struct Item {
        var first: UInt64
        var second: UInt64
        var third: UInt64
        var position: UInt32
        var tie: Tie
    }

    private enum Tie: UInt8 {
        /// Equal words are equal values: the ids decide.
        case ids
        /// Equal words say nothing.
        case documents
        /// Words after the first say nothing at all.
        case opaque
    }

    private let order: IndexOrder
    private var entries: [IndexEntry] = []
    private var items: [Item] = []

    init(_ order: IndexOrder, expecting count: Int) {
        self.order = order
        entries.reserveCapacity(count)
        items.reserveCapacity(count)
    }

    /// Takes an entry of `document`; documents come in the order of their ids.
    ///
    /// - Parameter value: Of the first key.
    mutating func append(_ entry: IndexEntry, value: JSONView?) {
        let isDescending = order.keys[0].descending
        let head = isDescending ? ~entry.mark.first : entry.mark.first
        var item = Item(
            first: entry.mark.first, second: 0, third: 0,
            position: UInt32(truncatingIfNeeded: entries.count),
            tie: order.keys.count == 1 ? .ids : .documents)
        if IndexHead.isWhole(head) {
            if order.keys.count > 1 {
                item.second = entry.mark.second
                let next = order.keys[1].descending ? ~item.second : item.second
                if order.keys.count == 2 && IndexHead.isWhole(next) { item.tie = .ids }
            }
        } else if let contents = value?.stringContents, let words = Self.words(contents) {
            item.second = isDescending ? ~words.first : words.first
            item.third = isDescending ? ~words.second : words.second
            if !words.isWhole { item.tie = .documents }
        } else {
            item.tie = .opaque
        }
        entries.append(entry)
        items.append(item)
    }

    /// The sixteen bytes of a string behind those in its head; nil where it has escapes.
    private static func words(
        _ contents: UnsafeRawBufferPointer
    ) -> (first: UInt64, second: UInt64, isWhole: Bool)? {
        let start = IndexHead.textBytes
        let end = min(contents.count, start + 16)
        var words: (first: UInt64, second: UInt64) = (0, 0)
        for index in 0..<end {
            let byte = contents[index]
            if byte == UInt8(ascii: "\\") { return nil }
            switch index - start {
            case ..<0: break
            case ..<8: words.first |= UInt64(byte) << UInt64(56 - 8 * (index - start))
            default: words.second |= UInt64(byte) << UInt64(56 - 8 * (index - start - 8))
            }
        }
        return (words.first, words.second, contents.count <= start + 16)
    }

    /// All entries in their order.
    consuming func sorted() -> [IndexEntry] {
        let (order, entries) = (order, entries)
        items.sort { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.tie != .opaque && right.tie != .opaque {
                if left.second != right.second { return left.second < right.second }
                if left.third != right.third { return left.third < right.third }
                if left.tie == .ids && right.tie == .ids { return left.position < right.position }
            }
            let asked = order.compare(
                entries[Int(left.position)], entries[Int(right.position)])
            return asked != 0 ? asked < 0 : left.position < right.position
        }
        return items.map { entries[Int($0.position)] }
    }
}
