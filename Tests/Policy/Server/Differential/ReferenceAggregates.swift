import FreshetJSON

/// What `count,sum(n),avg(n),min(n),max(n)` must be; `n` holds small integers, null or nothing.
enum ReferenceAggregates {
    /// What is wrong with `root["aggregates"]`; nil where nothing is.
    static func fault(
        _ query: ReferenceQuery, _ expected: ReferenceAnswer, _ root: JSONValue
    ) -> String? {
        guard let shown = root["aggregates"] else { return "there are no aggregates" }
        let groups: [(key: JSONValue?, rows: [JSONValue])]
        let objects: [JSONValue]
        if let path = query.group {
            groups = ReferenceAnswer.firsts(expected.matches, by: path).map { ($0.key, $0.rows) }
            objects = shown.arrayValue ?? []
        } else {
            groups = [(nil, expected.matches)]
            objects = [shown]
        }
        guard groups.count == objects.count else {
            return "there are \(objects.count) aggregates, not \(groups.count): \(shown.text)"
        }
        for (group, object) in zip(groups, objects) {
            if let fault = fault(group.rows, object) {
                return "\(fault) of the group \(group.key?.text ?? "of all") in \(object.text)"
            }
            if let key = group.key, object["key"]?.text != key.text {
                return "the key is not \(key.text) in \(object.text)"
            }
        }
        return nil
    }

    private static func fault(_ rows: [JSONValue], _ object: JSONValue) -> String? {
        let values = rows.compactMap { $0["n"]?.doubleValue }
        let sum = values.reduce(0, +)
        let wanted: [(String, Double?)] = [
            ("count", Double(rows.count)), ("sum(n)", sum),
            ("avg(n)", values.isEmpty ? nil : sum / Double(values.count)),
            ("min(n)", values.min()), ("max(n)", values.max()),
        ]
        for (name, value) in wanted {
            guard let shown = object[name] else { return "there is no \(name)" }
            if let value, let number = shown.doubleValue, abs(number - value) < 1e-9 { continue }
            if value == nil, shown.isNull { continue }
            return "\(name) is not \(value.map { "\($0)" } ?? "null")"
        }
        return nil
    }
}

extension ReferenceQuery {
    /// An entity as `fields` shows it.
    func shown(_ row: JSONValue) -> JSONValue {
        var query = self
        query.filter = nil
        query.ids = nil
        query.order = .none
        query.offset = 0
        query.limit = nil
        query.distinct = nil
        return ReferenceAnswer(query, over: ["0": row]).rows.first ?? .null
    }
}

extension ReferenceAnswer {
    /// The rows of the window with all their members.
    func unprojected(_ query: ReferenceQuery) -> [JSONValue] {
        let rows = query.distinct.map { Self.firsts(matches, by: $0).map { $0.rows[0] } } ?? matches
        return Array(rows.dropFirst(query.offset).prefix(query.limit ?? 100))
    }
}
