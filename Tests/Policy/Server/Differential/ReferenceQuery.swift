import FreshetJSON

/// A search as the differential test sees it, and the plain way to answer it.
struct ReferenceQuery {
    struct Key {
        let path: [String]
        let descending: Bool
        let folds: Bool

        var text: String {
            (descending ? "-" : "") + ReferenceTest.spell(path) + (folds ? ":ci" : "")
        }
    }

    enum Order {
        case none
        case keys([Key])
        case ids([String])
    }

    var filter: ReferenceTest?
    var ids: [String]?
    var order = Order.none
    var offset = 0
    var limit: Int?
    var fields: [[String]]?
    var count = false
    var group: [String]?
    /// None where figures are not asked for.
    var aggregates: [ReferenceFigure] = []
    var distinct: [String]?

    /// Whether it has parts that a server may not have.
    var isLater: Bool {
        group != nil || !aggregates.isEmpty || distinct != nil || filter?.usesPatterns == true
    }

    // MARK: Spelling

    private var orderText: String? {
        switch order {
        case .none: nil
        case .keys(let keys): keys.map(\.text).joined(separator: ",")
        case .ids(let ids): "ids:" + ids.joined(separator: ",")
        }
    }

    /// The query part of a URL: every byte that is no letter or digit is escaped, but for the commas
    /// between ids, which divide before anything is decoded.
    var urlText: String {
        var parts: [(String, String)] = []
        if let filter { parts.append(("filter", filter.text)) }
        if let ids { parts.append(("ids", ids.joined(separator: ","))) }
        if let orderText { parts.append(("order", orderText)) }
        if offset > 0 { parts.append(("offset", "\(offset)")) }
        if let limit { parts.append(("limit", "\(limit)")) }
        if let fields {
            parts.append(("fields", fields.map(ReferenceTest.spell).joined(separator: ",")))
        }
        if count { parts.append(("count", "true")) }
        if let group { parts.append(("group", ReferenceTest.spell(group))) }
        if let distinct { parts.append(("distinct", ReferenceTest.spell(distinct))) }
        if !aggregates.isEmpty {
            parts.append(("aggregate", aggregates.map(\.text).joined(separator: ",")))
        }
        return parts.map { name, value in
            let isList = name == "ids" || name == "order"
            let pieces = value.split(separator: ",", omittingEmptySubsequences: false)
            let text =
                isList
                ? pieces.map { Self.escape(String($0)) }.joined(separator: ",")
                : Self.escape(value)
            return "\(name)=\(text)"
        }.joined(separator: "&")
    }

    /// The body of `_search`.
    func body(filterAsTree: Bool) -> String {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("filter", filter.map { filterAsTree ? $0.tree : .string($0.text) })
        add("ids", ids.map { .array($0.map(DifferentialWorld.idValue)) })
        add("order", orderText.map { .string($0) })
        add("offset", offset > 0 ? .number("\(offset)") : nil)
        add("limit", limit.map { .number("\($0)") })
        add("fields", fields.map { .array($0.map { .string(ReferenceTest.spell($0)) }) })
        add("count", count ? true : nil)
        add("group", group.map { .string(ReferenceTest.spell($0)) })
        add("distinct", distinct.map { .string(ReferenceTest.spell($0)) })
        let figures = aggregates.map { JSONValue.string($0.text) }
        add("aggregate", figures.isEmpty ? nil : .array(figures))
        return JSONValue.object(members).text
    }

    static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": return String(Character(scalar))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }.joined()
    }
}

/// What a search must answer.
struct ReferenceAnswer {
    /// The window, as `fields` shows it.
    var rows: [JSONValue]
    /// The window by the values of a property.
    var groups: [(key: JSONValue, rows: [JSONValue])] = []
    var total: Int
    var missing: [String]
    /// All that the window is of, in order: what figures are computed over.
    var matches: [JSONValue]

    init(_ query: ReferenceQuery, over entities: [String: JSONValue]) {
        let sorted = entities.sorted { Self.precedes($0.key, $1.key) }
        var rows = sorted.filter { query.filter?.holds($0.value) ?? true }
        missing = []
        if let ids = query.ids {
            missing = ids.filter { entities[$0] == nil }
            rows = ids.compactMap { id in rows.first { $0.key == id } }
        }
        switch query.order {
        case .none: break
        case .ids(let ids):
            rows =
                ids.compactMap { id in rows.first { $0.key == id } }
                + rows.filter { !ids.contains($0.key) }
        case .keys(let keys):
            // Places break ties, so that the sort is stable: they are in the order of ids.
            rows = rows.enumerated().sorted { left, right in
                for key in keys {
                    let order = ReferenceOrder.compare(
                        left.element.value.value(key.path) ?? .null,
                        right.element.value.value(key.path) ?? .null, folding: key.folds)
                    if order != 0 { return key.descending ? order > 0 : order < 0 }
                }
                return left.offset < right.offset
            }.map(\.element)
        }
        matches = rows.map(\.value)
        if let path = query.distinct {
            matches = Self.firsts(matches, by: path).map { $0.rows[0] }
        }
        total = matches.count
        let limit = query.limit ?? (query.ids == nil ? 100 : Int.max)
        let window = Array(matches.dropFirst(query.offset).prefix(limit))
        self.rows = window.map { Self.project($0, query.fields) }
        if let path = query.group {
            groups = Self.firsts(window, by: path).map { group in
                (group.key, group.rows.map { Self.project($0, query.fields) })
            }
        }
    }

    /// The order of ids: integers by value, then the others by bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        switch (integer(left), integer(right)) {
        case (let left?, let right?): left < right
        case (.some, nil): true
        case (nil, .some): false
        case (nil, nil): left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }

    private static func integer(_ text: String) -> Int64? {
        Int64(text).flatMap { "\($0)" == text ? $0 : nil }
    }

    /// The values of a property in order of first appearance, each with its rows.
    static func firsts(
        _ rows: [JSONValue], by path: [String]
    ) -> [(key: JSONValue, rows: [JSONValue])] {
        var groups: [(key: JSONValue, rows: [JSONValue])] = []
        for row in rows {
            let key = row.value(path) ?? .null
            if let index = groups.firstIndex(where: { ReferenceGroups.equal($0.key, key) }) {
                groups[index].rows.append(row)
            } else {
                groups.append((key, [row]))
            }
        }
        return groups
    }

    private static func project(_ value: JSONValue, _ paths: [[String]]?) -> JSONValue {
        guard let paths else { return value }
        return members(value, [["id"]] + paths) ?? .object([])
    }

    private static func members(_ value: JSONValue, _ paths: [[String]]) -> JSONValue? {
        guard let all = value.objectValue else { return nil }
        let kept = all.compactMap { member -> JSONValue.Member? in
            let inner = paths.filter { $0[0] == member.name }.map { Array($0.dropFirst()) }
            if inner.isEmpty { return nil }
            if inner.contains([]) { return member }
            return members(member.value, inner).map { .init(name: member.name, value: $0) }
        }
        return kept.isEmpty ? nil : .object(kept)
    }
}
