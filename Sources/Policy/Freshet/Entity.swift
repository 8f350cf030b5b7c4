public import Foundation
import FreshetServer

/// One entity: a JSON object with an id, of one type.
public struct Entity: Sendable, Equatable {
    public let type: String
    /// The id's text: `7` and `"7"` are one id.
    public let id: String
    /// Grows with each change; 0 where the server has not said it.
    public let revision: UInt64
    /// The object, `id` included.
    public let json: [UInt8]

    public init(type: String, id: String, revision: UInt64 = 0, json: [UInt8]) {
        self.type = type
        self.id = id
        self.revision = revision
        self.json = json
    }

    /// The object as text.
    public var text: String { String(decoding: json, as: UTF8.self) }

    /// The object as a Swift value.
    ///
    /// - Throws: `DecodingError`.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: Data(json))
    }
}

extension Entity {
    init(_ row: EmbeddedEntities.Row) {
        self.init(type: row.type, id: row.id, revision: row.revision, json: row.json)
    }
}
