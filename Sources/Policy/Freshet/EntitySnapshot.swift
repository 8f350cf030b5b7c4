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
    /// included entities stand there. Items of a server in this program have `_meta`, wanted or not.
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

extension Entity {
    /// An item of an answer.
    init?(_ item: JSONValue, of type: String) {
        guard let id = LiveID.text(item["id"]) else { return nil }
        let revision = item["_meta"]?["revision"]?.int64Value ?? 0
        self.init(type: type, id: id, revision: UInt64(max(revision, 0)), json: item.bytes)
    }
}
