import FreshetJSON
import FreshetRefresh
import FreshetRemote

/// The revisions of the items of live events, which a server of this program tells in a `_meta` that
/// nobody has asked for.
struct ItemRevisions: Sendable {
    /// The revisions of what is shown, by id.
    private var shown: [String: UInt64] = [:]
    /// The revisions of a snapshot whose last part has yet to come.
    private var next: [String: UInt64] = [:]

    /// The data of an event without the `_meta` that was not asked for.
    mutating func separate(_ event: StreamEvent, _ data: JSONValue) -> JSONValue {
        if event.name != "snapshot" || data["part"]?.int64Value ?? 0 == 0 { next = [:] }
        guard event.bearsMeta, var members = data.objectValue else { return data }
        for index in members.indices where ["items", "put"].contains(members[index].name) {
            guard let items = members[index].value.arrayValue else { continue }
            members[index].value = .array(items.map { strip($0) })
        }
        return .object(members)
    }

    /// The event has changed what is shown: its revisions hold from now on.
    mutating func keep(_ event: StreamEvent, _ data: JSONValue) {
        if event.name == "snapshot" {
            shown = next
        } else {
            for removed in data["remove"]?.objectValue ?? [] { shown[removed.name] = nil }
            shown.merge(next) { _, new in new }
        }
        next = [:]
    }

    /// The entity with its revision, where it was told so.
    func complete(_ entity: Entity) -> Entity {
        guard let revision = shown[entity.id] else { return entity }
        return Entity(
            type: entity.type, id: entity.id, revision: revision, json: entity.json)
    }

    /// The item without its `_meta`, whose revision is kept in `next`.
    private mutating func strip(_ item: JSONValue) -> JSONValue {
        guard let members = item.objectValue else { return item }
        if let id = LiveID.text(item["id"]), let revision = item["_meta"]?["revision"]?.int64Value {
            next[id] = UInt64(max(revision, 0))
        }
        return .object(members.filter { $0.name != "_meta" })
    }
}
