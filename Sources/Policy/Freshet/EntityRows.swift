import FreshetJSON

/// What a watcher of one live query holds, kept by the reducer of the live protocol: the value of a
/// `StreamAgent` over a live query.
///
/// ```swift
/// let agent = StreamAgent(
///     server.entities.events, query: EntityQuery("task"), initial: EntityRows(type: "task"),
///     reduce: EntityRows.reduce)
/// ```
///
/// A snapshot forgets and takes, once all of its parts have come; a delta removes, places, puts. A
/// delta that was applied is passed over the second time.
public struct EntityRows: Sendable {
    public let type: String
    /// All matches, where the query counts.
    public private(set) var total: Int?
    private var order: [String] = []
    private var items: [String: Entity] = [:]
    private var version: Int64 = -1
    /// What a snapshot comes to whose last part has yet to come; empty or one.
    private var next: [EntityRows] = []

    public init(type: String) {
        self.type = type
    }

    /// In the order of the query.
    public var entities: [Entity] { order.compactMap { items[$0] } }

    public subscript(id: String) -> Entity? { items[id] }

    /// The reducer: `rows` with what `event` says. Events of other names change nothing.
    public static let reduce: @Sendable (EntityRows, StreamEvent) -> AgentOutcome<EntityRows> = {
        rows, event in
        guard event.name == "snapshot" || event.name == "delta" else { return .ignore }
        let data: JSONValue
        do { data = try JSONValue.parse(event.data) } catch {
            return .fault(
                StreamFault(code: "bad-event", detail: "the data of '\(event.name)' is no JSON"))
        }
        var rows = rows
        if event.name == "snapshot" { rows.take(snapshot: data) } else { rows.take(delta: data) }
        return .update(rows)
    }

    private mutating func take(snapshot data: JSONValue) {
        let isFirst = data["part"]?.int64Value ?? 0 == 0
        // Else it is the rest of one whose beginning was not seen.
        guard var next = isFirst ? EntityRows(type: type) : next.first else { return }
        self.next = []
        next.add(part: data)
        if data["more"]?.boolValue == true { self.next = [next] } else { self = next }
    }

    private mutating func add(part data: JSONValue) {
        for item in data["items"]?.arrayValue ?? [] {
            guard let entity = Entity(item, of: type) else { continue }
            order.append(entity.id)
            items[entity.id] = entity
        }
        note(total: data)
        version = data["v"]?.int64Value ?? version
    }

    private mutating func take(delta data: JSONValue) {
        guard let to = data["to"]?.int64Value, to > version else { return }
        let removed = Set((data["remove"]?.objectValue ?? []).map(\.name))
        let placed = (data["place"]?.arrayValue ?? []).compactMap { pair in
            Entity.text(ofID: pair[0]).flatMap { id in
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
            if let entity = Entity(item, of: type) { items[entity.id] = entity }
        }
        note(total: data)
        version = to
    }

    private mutating func note(total data: JSONValue) {
        if let count = data["total"]?.int64Value { total = Int(clamping: count) }
    }
}
