import FreshetJSON

/// A client's state, kept as live.md section 4 tells a client to.
struct Reducer {
    private(set) var order: [String] = []
    private(set) var items: [String: String] = [:]
    private(set) var total: Int64?
    private(set) var version: UInt64 = 0

    /// The items in order, as text.
    var shown: [String] { order.compactMap { items[$0] } }

    mutating func apply(snapshot parts: [[JSONValue]], version: UInt64, total: Int?) {
        order = []
        items = [:]
        for item in parts.joined() {
            order.append(Self.id(item["id"]))
            items[Self.id(item["id"])] = item.text
        }
        self.total = total.map(Int64.init)
        self.version = version
    }

    mutating func apply(delta: JSONValue) {
        guard let to = delta["to"]?.int64Value, to > Int64(version) else { return }
        let removed = (delta["remove"]?.objectValue ?? []).map(\.name)
        let placed = (delta["place"]?.arrayValue ?? []).compactMap { entry in
            entry[1]?.int64Value.map { (id: Self.id(entry[0]), at: Int($0)) }
        }
        let out = Set(removed).union(placed.map(\.id))
        order.removeAll { out.contains($0) }
        for (id, at) in placed.sorted(by: { $0.at < $1.at }) {
            // An index behind the end would be a fault of the server's; the comparison shows it.
            order.insert(id, at: min(at, order.count))
        }
        for id in removed { items[id] = nil }
        for entity in delta["put"]?.arrayValue ?? [] { items[Self.id(entity["id"])] = entity.text }
        if let total = delta["total"]?.int64Value { self.total = total }
        version = UInt64(to)
    }

    /// An id as text, however it is spelled.
    private static func id(_ value: JSONValue?) -> String {
        value?.stringValue ?? value?.numberText ?? "?"
    }
}
