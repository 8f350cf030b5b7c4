public import Foundation
import FreshetJSON
import FreshetRemote

/// The whole answer of a live query at one moment.
public struct EntitySnapshot: Sendable {
    /// In the order of the query; empty where it asks for groups or figures.
    public let entities: [Entity]
    /// All matches, where the query counts.
    public let total: Int?
    /// What the parts of the answer say, one event of the live protocol each: groups, figures and
    /// included entities stand there.
    public let events: [StreamEvent]
    /// The cursor: where a later watch resumes; opaque.
    public let position: String

    /// The entities as Swift values.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> [Value] {
        try entities.map { try $0.decode(type, with: decoder) }
    }
}

/// Puts the parts of snapshots together.
struct SnapshotParts: Sendable {
    /// Bytes of all parts of one snapshot.
    static let limit = 256 << 20

    private let type: String
    private var state: LiveState<Entity>
    private var events: [StreamEvent] = []
    private var size = 0

    init(type: String) {
        self.type = type
        state = LiveState { Entity($0, of: type) }
    }

    /// Takes one part; returns the snapshot with its last.
    ///
    /// - Throws: What is no snapshot of the protocol, or over the limit.
    mutating func take(_ event: StreamEvent) throws(StreamFault) -> EntitySnapshot? {
        let data: JSONValue
        do { data = try JSONValue.parse(event.data) } catch {
            throw StreamFault(code: "bad-snapshot", detail: "a snapshot is no JSON")
        }
        let isFirst = data["part"]?.int64Value ?? 0 == 0
        if isFirst { self = SnapshotParts(type: type) }
        // The rest of one whose beginning was not seen.
        guard isFirst || !events.isEmpty else { return nil }
        size += event.data.count
        guard size <= Self.limit else {
            throw StreamFault(code: "snapshot-too-large", detail: "over \(Self.limit) bytes")
        }
        events.append(event)
        guard state.apply("snapshot", data) else { return nil }
        defer { self = SnapshotParts(type: type) }
        return EntitySnapshot(
            entities: state.rows, total: state.total.flatMap { Int($0) }, events: events,
            position: event.id)
    }
}

extension Entity {
    /// An item of an answer.
    init?(_ item: JSONValue, of type: String) {
        guard let id = LiveID.text(item["id"]) else { return nil }
        let revision = item["_meta"]?["revision"]?.int64Value ?? 0
        self.init(type: type, id: id, revision: UInt64(max(revision, 0)), json: item.bytes)
    }
}
