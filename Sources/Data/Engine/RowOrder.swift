import FreshetJSON
import FreshetQuery

/// The total order of a query's rows.
enum RowOrder: Sendable {
    /// By id.
    case natural
    /// By values, then by id.
    case keys([OrderKey])
    /// These ids first, in this order; then the others by id.
    case ids(Ranks)

    /// Ids with their places, in id order.
    struct Ranks: Sendable {
        /// In the order asked for, each once.
        let asked: [EntityID]
        /// In id order.
        let sorted: [EntityID]
        /// For each of `sorted` its place in `asked`.
        let places: [Int]

        init(_ ids: [EntityID]) {
            asked = Planner.distinct(ids)
            let paired = asked.enumerated().sorted { $0.element < $1.element }
            sorted = paired.map(\.element)
            places = paired.map(\.offset)
        }

        /// The place of the id with these text bytes, `Int.max` for one that was not asked for.
        func place(of id: UnsafeRawBufferPointer) -> Int {
            var low = 0
            var high = sorted.count
            while low < high {
                let middle = (low + high) >> 1
                let order = sorted[middle].withBytes { EntityID.compare(id, $0) }
                if order == 0 { return places[middle] }
                if order > 0 { low = middle + 1 } else { high = middle }
            }
            return .max
        }
    }

    init(_ order: Order) {
        switch order {
        case .natural: self = .natural
        case .keys(let keys): self = keys.isEmpty ? .natural : .keys(keys)
        case .ids(let ids): self = ids.isEmpty ? .natural : .ids(Ranks(ids))
        }
    }

    /// The value of the first key, which `compare` is spared looking up.
    func firstValue(of document: Document) -> JSONView? {
        guard case .keys(let keys) = self else { return nil }
        return keys[0].path.isID ? nil : document.view(at: keys[0].path)
    }

    /// Below 0 where `left` comes before `right`; 0 only for one and the same id.
    func compare(_ left: Document, _ right: Document) -> Int {
        compare(
            left, firstValue: firstValue(of: left), right, firstValue: firstValue(of: right))
    }

    /// The same, given the rows' first values.
    func compare(
        _ left: Document, firstValue leftValue: JSONView?, _ right: Document,
        firstValue rightValue: JSONView?
    ) -> Int {
        switch self {
        case .natural:
            break
        case .keys(let keys):
            for index in keys.indices {
                let key = keys[index]
                let order =
                    key.path.isID
                    ? Self.compareIDs(left, right, caseInsensitive: key.caseInsensitive)
                    : ValueOrder.compare(
                        index == 0 ? leftValue : left.view(at: key.path),
                        index == 0 ? rightValue : right.view(at: key.path),
                        caseInsensitive: key.caseInsensitive)
                if order != 0 { return key.descending ? -order : order }
            }
        case .ids(let ranks):
            let leftPlace = ranks.place(of: left.idBytes)
            let rightPlace = ranks.place(of: right.idBytes)
            if leftPlace != rightPlace { return leftPlace < rightPlace ? -1 : 1 }
        }
        return EntityID.compare(left.idBytes, right.idBytes)
    }

    /// The same by keys, given what has a row's value of a key: asked for the row, whether it is the
    /// left one, and the key's number and path. Beside the other, which calls nothing: the common case.
    func compare(
        _ left: Document, _ right: Document, keys: [OrderKey],
        by value: (Document, Bool, Int, PropertyPath) -> JSONView?
    ) -> Int {
        for (index, key) in keys.enumerated() {
            let order =
                key.path.isID
                ? Self.compareIDs(left, right, caseInsensitive: key.caseInsensitive)
                : ValueOrder.compare(
                    value(left, true, index, key.path), value(right, false, index, key.path),
                    caseInsensitive: key.caseInsensitive)
            if order != 0 { return key.descending ? -order : order }
        }
        return EntityID.compare(left.idBytes, right.idBytes)
    }

    /// Bytes of a row up to which looking a value up costs no more than comparing or keeping it.
    static let largeRow = 4096

    /// What a comparison of two rows may take beyond that of short ones, where it reads more than their first
    /// values: see `OrderKey.effort`.
    func effort(_ left: Document, _ right: Document) -> Int {
        guard case .keys(let keys) = self, keys.count > 1 else { return 0 }
        let (left, right) = (left.json.count, right.json.count)
        guard min(left, right) > Self.largeRow else { return 0 }
        return keys.reduce(0) { max($0, $1.effort(left, right)) }
    }

    /// The order by keys alone: 0 for rows whose keys are equal, and where there are none.
    func compareKeys(_ left: Document, _ right: Document) -> Int {
        guard case .keys(let keys) = self else { return 0 }
        for key in keys {
            let order =
                key.path.isID
                ? Self.compareIDs(left, right, caseInsensitive: key.caseInsensitive)
                : ValueOrder.compare(
                    left.view(at: key.path), right.view(at: key.path),
                    caseInsensitive: key.caseInsensitive)
            if order != 0 { return key.descending ? -order : order }
        }
        return 0
    }

    /// The id orders as an identifier, however its JSON is spelled; only two ids that are no
    /// integers, and so are strings, have cases.
    private static func compareIDs(
        _ left: Document, _ right: Document, caseInsensitive: Bool
    ) -> Int {
        guard caseInsensitive, left.integerID == nil, right.integerID == nil else {
            return EntityID.compare(left.idBytes, right.idBytes)
        }
        return ValueOrder.compare(
            left.member(named: "id"), right.member(named: "id"), caseInsensitive: true)
    }
}

extension OrderKey {
    /// What a comparison of two values of so many bytes may take beyond that of short ones: 256 bytes of
    /// the shorter one, some 20 ns, are one; to fold their cases takes as long as 32 times as many.
    func effort(_ left: Int, _ right: Int) -> Int {
        let bytes = min(left, right)
        return (caseInsensitive ? 32 * bytes : bytes) >> 8
    }
}
