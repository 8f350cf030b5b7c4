package import FreshetJSON
package import FreshetQuery

/// A place between values of one key, in the order of values.
package enum ValuePlace: Sendable, Equatable {
    /// Before or behind everything.
    case start, end
    /// Before or behind the values that equal this canonical JSON; `null` stands for absent, too.
    case before([UInt8])
    case after([UInt8])
    /// Before the first value of this kind.
    case kindStart(JSONKind)
    /// Behind all strings that begin with this one, canonical JSON.
    case prefixEnd([UInt8])
}

/// A place between the entries of an index.
package struct IndexPlace: Sendable, Equatable {
    /// Canonical JSON of the first keys' values; `null` stands for absent, too.
    package var values: [[UInt8]]
    /// A place on the key behind them, in the order of values whatever the key's direction.
    package var bound: ValuePlace?
    /// Without a bound: behind all entries with these values, else before them.
    package var isAfter: Bool
    /// With values for all keys: behind the entry that has these and this id, or would have.
    package var id: EntityID?

    package init(
        _ values: [[UInt8]] = [], _ bound: ValuePlace? = nil, isAfter: Bool = false,
        id: EntityID? = nil
    ) {
        self.values = values
        self.bound = bound
        self.isAfter = isAfter
        self.id = id
    }
}

/// A place made ready for comparison with the entries of one index: before or behind all entries
/// of a class.
struct IndexProbe: IndexSearch {
    /// Values of one key.
    private enum Values {
        case all
        /// Those equal to this canonical JSON.
        case equal([UInt8])
        case kind(IndexHead.Rank)
        /// Strings that begin with this one, canonical JSON without quotes.
        case prefix([UInt8])

        var heads: ClosedRange<UInt64> {
            switch self {
            case .all:
                return .min ... .max
            case .equal(let bytes):
                return bytes.withUnsafeBytes { bytes in
                    let head = IndexHead.of(JSONView(canonical: bytes))
                    return head...head
                }
            case .kind(let rank):
                return IndexHead.lowest(rank)...IndexHead.highest(rank)
            case .prefix(let bytes):
                return bytes.withUnsafeBytes { IndexHead.prefix($0) }
            }
        }

        /// How `value` stands to these; 0 where it is one of them.
        func compare(_ value: JSONView?) -> Int {
            let rank = IndexHead.Rank(value?.kind ?? .null)
            switch self {
            case .all:
                return 0
            case .equal(let bytes):
                return bytes.withUnsafeBytes { ValueOrder.compare(value, JSONView(canonical: $0)) }
            case .kind(let wanted):
                return (rank.rawValue > wanted.rawValue ? 1 : 0)
                    - (rank.rawValue < wanted.rawValue ? 1 : 0)
            case .prefix(let bytes):
                guard let contents = value?.stringContents else {
                    return rank.rawValue < IndexHead.Rank.string.rawValue ? -1 : 1
                }
                return bytes.withUnsafeBytes { CanonicalText.compare(contents, prefix: $0) }
            }
        }
    }

    private let order: IndexOrder
    private let equal: [[UInt8]]
    private let next: Values
    private let id: EntityID?
    /// Behind the class, in the order of the index.
    private let isBehind: Bool
    /// Entries with a mark under these come before the class, with a mark over them behind it.
    private let marks: ClosedRange<IndexMark>
    /// Entries with a mark among these are of the class: no document needs to be read for it.
    private let certain: ClosedRange<IndexMark>?

    init(_ place: IndexPlace, in order: IndexOrder) {
        self.order = order
        equal = place.values
        id = place.id
        let isDescending = equal.count < order.keys.count && order.keys[equal.count].descending
        var isBehind = isDescending
        switch place.bound {
        case nil:
            next = .all
            isBehind = place.isAfter || place.id != nil
        case .start:
            next = .all
        case .end:
            next = .all
            isBehind.toggle()
        case .before(let bytes):
            next = .equal(bytes)
        case .after(let bytes):
            next = .equal(bytes)
            isBehind.toggle()
        case .kindStart(let kind):
            next = .kind(IndexHead.Rank(kind))
        case .prefixEnd(let bytes):
            next = .prefix(Array(bytes.dropFirst().dropLast()))
            isBehind.toggle()
        }
        self.isBehind = isBehind
        marks = Self.marks(equal, next: next, id: place.id, order: order)
        certain = id == nil ? Self.certain(equal, next: next, marks) : nil
    }

    /// Those of the `marks` of a class that no id bounds which its entries alone have; nil where
    /// documents have to tell.
    private static func certain(
        _ equal: [[UInt8]], next: Values, _ marks: ClosedRange<IndexMark>
    ) -> ClosedRange<IndexMark>? {
        switch (equal.count, next) {
        case (0, .all), (0, .kind): return marks
        case (0, .equal(let value)): return certain(value, marks)
        case (1, .all): return certain(equal[0], marks)
        case (1, .kind): return isWhole(equal[0]) ? marks : nil
        case (1, .equal(let value)): return isWhole(equal[0]) && isWhole(value) ? marks : nil
        case (2, .all): return isWhole(equal[0]) && isWhole(equal[1]) ? marks : nil
        default: return nil
        }
    }

    /// The same of all entries with one value of the first key.
    private static func certain(
        _ value: [UInt8], _ marks: ClosedRange<IndexMark>
    ) -> ClosedRange<IndexMark>? {
        var (low, high) = (marks.lowerBound, marks.upperBound)
        if !isWhole(value) {
            // Where a longer string ends in the mark, one that goes on with a zero is at either end.
            guard high.second &- low.second > 1 else { return nil }
            low.second += 1
            high.second -= 1
        }
        return low...high
    }

    /// Whether all of a value is in its head.
    private static func isWhole(_ value: [UInt8]) -> Bool {
        value.withUnsafeBytes { IndexHead.isWhole(IndexHead.of(JSONView(canonical: $0))) }
    }

    /// Between which marks the entries of a class are.
    private static func marks(
        _ equal: [[UInt8]], next: Values, id: EntityID?, order: IndexOrder
    ) -> ClosedRange<IndexMark> {
        let keys = order.keys
        func values(_ key: Int) -> Values {
            key < equal.count ? .equal(equal[key]) : key == equal.count ? next : .all
        }
        func heads(_ key: Int) -> ClosedRange<UInt64> {
            let range = values(key).heads
            return keys[key].descending ? ~range.upperBound...(~range.lowerBound) : range
        }
        let first = heads(0)
        var second = UInt64.min...UInt64.max
        if case .equal(let bytes) = values(0) {
            if keys.count > 1 {
                second = heads(1)
            } else if let id {
                let word = id.withBytes { order.word(ofID: $0) }
                second = word...word
            }
            second = bytes.withUnsafeBytes { bytes in
                let value = JSONView(canonical: bytes)
                return IndexMark.second(
                    IndexHead.of(value), of: value, descending: keys[0].descending, next: second)
            }
        }
        return IndexMark(
            first: first.lowerBound, second: second.lowerBound)...IndexMark(
                first: first.upperBound, second: second.upperBound)
    }

    func follows(_ mark: IndexMark) -> Bool? {
        if mark < marks.lowerBound { return true }
        if mark > marks.upperBound { return false }
        return certain?.contains(mark) ?? false ? isBehind : nil
    }

    func isUnder(_ entry: IndexEntry) -> Bool { follows(entry) }

    func follows(_ entry: IndexEntry) -> Bool {
        if let decided = follows(entry.mark) { return decided }
        let side = compare(entry.stored, entry.offset)
        return side == 0 ? isBehind : side < 0
    }

    /// How an entry stands to the class; 0 for one of it.
    private func compare(_ document: StoredDocument, _ offset: UInt32) -> Int {
        for (index, wanted) in equal.enumerated() {
            let side = Values.equal(wanted).compare(order.value(index, document, offset))
            if side != 0 { return order.keys[index].descending ? -side : side }
        }
        let index = equal.count
        if index < order.keys.count {
            let side = next.compare(order.value(index, document, offset))
            if side != 0 { return order.keys[index].descending ? -side : side }
        }
        guard let id else { return 0 }
        return id.withBytes { EntityID.compare(document.idBytes, $0) }
    }
}
