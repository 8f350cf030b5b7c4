import FreshetJSON
import FreshetRemote

/// Puts the parts of snapshots together.
struct SnapshotParts: Sendable {
    /// Bytes of all parts of one snapshot.
    static let limit = 256 << 20

    private let type: String
    private var state: LiveState<Entity>
    private var events: [StreamEvent] = []
    private var size = 0
    private var revisions = ItemRevisions()

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
        guard state.apply("snapshot", revisions.separate(event, data)) else { return nil }
        revisions.keep(event, data)
        defer { self = SnapshotParts(type: type) }
        return EntitySnapshot(
            entities: state.rows.map { revisions.complete($0) },
            total: state.total.flatMap { Int($0) }, events: events, position: event.id)
    }
}
