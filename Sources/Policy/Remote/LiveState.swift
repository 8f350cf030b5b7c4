package import FreshetJSON

/// What a watcher of one live query holds: the reducer of the protocol (live.md section 4), for the
/// commands and for agents.
///
/// `snapshot` forgets and takes; `delta` removes, places, puts. Applying a delta twice equals once.
/// The parts of a snapshot are kept aside until the last has come: a connection that is lost between
/// two of them goes on from what is shown.
package struct LiveState<Item: Sendable>: Sendable {
    /// Ids of the rows, in the order of the query.
    package private(set) var order: [String] = []
    package private(set) var items: [String: Item] = [:]
    /// What a grouped query has, as it came.
    package private(set) var groups: [JSONValue]?
    /// What an aggregate query has, as it came.
    package private(set) var aggregates: JSONValue?
    /// All matches as JSON has them, where the query counts.
    package private(set) var total: String?
    private var version: Int64 = -1
    /// What a snapshot comes to whose last part has yet to come; empty or one.
    private var next: [LiveState] = []
    /// Makes a row of an item.
    private let row: @Sendable (JSONValue) -> Item?

    /// - Parameter row: nil for what is no row, which is passed over.
    package init(row: @escaping @Sendable (JSONValue) -> Item?) {
        self.row = row
    }

    /// Whether a whole snapshot has come: before, nothing is known.
    package var hasSnapshot: Bool { version >= 0 }

    /// The rows in the order of the query.
    package var rows: [Item] { order.compactMap { items[$0] } }

    /// Takes one event; those of other names change nothing.
    ///
    /// - Returns: Whether what is shown may have changed.
    package mutating func apply(_ event: String, _ data: JSONValue) -> Bool {
        switch event {
        case "snapshot": return take(snapshot: data)
        case "delta": return take(delta: data)
        default: return false
        }
    }

    private mutating func take(snapshot data: JSONValue) -> Bool {
        let isFirst = data["part"]?.int64Value ?? 0 == 0
        // The rest of one whose beginning was not seen.
        guard var next = isFirst ? LiveState(row: row) : next.first else { return false }
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
            guard let id = LiveID.text(item["id"]), let row = row(item) else { continue }
            order.append(id)
            items[id] = row
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
            LiveID.text(pair[0]).flatMap { id in
                pair[1]?.int64Value.map { (id: id, at: Int(clamping: $0)) }
            }
        }
        let out = removed.union(placed.map(\.id))
        order.removeAll { out.contains($0) }
        for (id, place) in placed.sorted(by: { $0.at < $1.at }) {
            order.insert(id, at: min(max(0, place), order.count))
        }
        for id in removed { items[id] = nil }
        for item in data["put"]?.arrayValue ?? [] {
            if let id = LiveID.text(item["id"]), let row = row(item) { items[id] = row }
        }
        if let total = data["total"]?.numberText { self.total = total }
        version = to
        return true
    }
}

package enum LiveID {
    /// The text of an id in an event: `7` and `"7"` are one.
    package static func text(_ value: JSONValue?) -> String? {
        value?.stringValue ?? value?.int64Value.map(String.init) ?? value?.numberText
    }
}
