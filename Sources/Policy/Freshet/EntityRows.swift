import FreshetJSON
import FreshetRemote

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
///
/// Entities have their revisions where the events are those of a server of this program
/// (`Entities.events`). A server elsewhere tells them where the query has `hasMeta`; else they are 0.
public struct EntityRows: Sendable {
    public let type: String
    private var state: LiveState<Entity>
    private var revisions = ItemRevisions()

    public init(type: String) {
        self.type = type
        state = LiveState { Entity($0, of: type) }
    }

    /// All matches, where the query counts.
    public var total: Int? { state.total.flatMap { Int($0) } }

    /// In the order of the query.
    public var entities: [Entity] { state.rows.map { revisions.complete($0) } }

    public subscript(id: String) -> Entity? { state.items[id].map { revisions.complete($0) } }

    private mutating func apply(_ event: StreamEvent, _ data: JSONValue) {
        if state.apply(event.name, revisions.separate(event, data)) {
            revisions.keep(event, data)
        }
    }

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
        rows.apply(event, data)
        return .update(rows)
    }
}
