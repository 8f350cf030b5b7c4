import FreshetJSON

/// What a watcher of one live query holds: the reducer of the protocol.
///
/// `snapshot` forgets and takes; `delta` removes, places, puts. Applying a delta twice equals once.
/// The parts of a snapshot are kept aside until the last has come: a connection that is lost between
/// two of them goes on from what is shown.
struct LiveState {
    private(set) var order: [String] = []
    private var items: [String: JSONValue] = [:]
    /// Of a grouped query, as it came.
    private(set) var groups: [JSONValue]?
    /// Of an aggregate query, as it came.
    private(set) var aggregates: JSONValue?
    private(set) var total: String?
    private var version: Int64 = -1
    /// What a snapshot comes to whose last part has yet to come; empty or one.
    private var next: [LiveState] = []

    /// Whether a whole snapshot has come: before, nothing is known.
    var hasSnapshot: Bool { version >= 0 }

    /// The rows in the order of the query.
    var rows: [JSONValue] { order.compactMap { items[$0] } }

    /// What names each shown row: its id; of figures, their group.
    var keys: [String] {
        guard let aggregates else { return order }
        return (aggregates.arrayValue ?? [aggregates]).map(Self.group)
    }

    private static func group(_ row: JSONValue) -> String { "#\(row["key"]?.text ?? "")" }

    private var shown: [String: JSONValue] {
        guard let aggregates else { return items }
        let rows = aggregates.arrayValue ?? [aggregates]
        return Dictionary(rows.map { (Self.group($0), $0) }) { first, _ in first }
    }

    /// The members of each row, by its key, that are not as they were in `before`; all members of a row
    /// that was not there. Nothing where `before` knew nothing.
    func changes(since before: LiveState) -> [String: Set<String>] {
        guard before.hasSnapshot else { return [:] }
        let then = before.shown
        var changes: [String: Set<String>] = [:]
        for (key, row) in shown {
            let old = then[key]
            let names = (row.objectValue ?? []).filter { old?[$0.name]?.text != $0.value.text }
            if !names.isEmpty { changes[key] = Set(names.map(\.name)) }
        }
        return changes
    }

    /// Takes one event.
    ///
    /// - Returns: Whether what is shown may have changed.
    mutating func apply(_ event: String, _ data: JSONValue) -> Bool {
        switch event {
        case "snapshot": return take(snapshot: data)
        case "delta": return take(delta: data)
        default: return false
        }
    }

    private mutating func take(snapshot data: JSONValue) -> Bool {
        let isFirst = data["part"]?.int64Value ?? 0 == 0
        // The rest of one whose beginning was not seen.
        guard var next = isFirst ? LiveState() : next.first else { return false }
        self.next = []
        next.add(part: data)
        guard data["more"]?.boolValue == true else {
            self = next
            return true
        }
        self.next = [next]
        return false
    }

    private mutating func add(part data: JSONValue) {
        for item in data["items"]?.arrayValue ?? [] {
            guard let id = Self.id(item["id"]) else { continue }
            order.append(id)
            items[id] = item
        }
        if let more = data["groups"]?.arrayValue { groups = (groups ?? []) + more }
        if let rows = data["aggregates"]?.arrayValue {
            aggregates = .array((aggregates?.arrayValue ?? []) + rows)
        } else if let one = data["aggregates"] {
            aggregates = one
        }
        if let total = data["total"]?.numberText { self.total = total }
        version = data["v"]?.int64Value ?? version
    }

    private mutating func take(delta data: JSONValue) -> Bool {
        guard let to = data["to"]?.int64Value, to > version else { return false }
        let removed = Set((data["remove"]?.objectValue ?? []).map(\.name))
        let placed = (data["place"]?.arrayValue ?? []).compactMap { pair in
            Self.id(pair[0]).flatMap { id in pair[1]?.int64Value.map { (id: id, at: Int($0)) } }
        }
        let out = removed.union(placed.map(\.id))
        order.removeAll { out.contains($0) }
        for (id, place) in placed.sorted(by: { $0.at < $1.at }) {
            order.insert(id, at: min(max(0, place), order.count))
        }
        for id in removed { items[id] = nil }
        for item in data["put"]?.arrayValue ?? [] {
            if let id = Self.id(item["id"]) { items[id] = item }
        }
        if let total = data["total"]?.numberText { self.total = total }
        version = to
        return true
    }

    /// An id's text: `7` and `"7"` are one identifier.
    private static func id(_ value: JSONValue?) -> String? {
        value?.stringValue ?? value?.int64Value.map(String.init) ?? value?.numberText
    }
}
