public import Foundation
import FreshetBase
import FreshetEngine
import FreshetLive
import FreshetQuery

/// One entity: a JSON object with an id, of one type.
public struct Entity: Sendable, Equatable {
    public let type: String
    /// The id's text: `7` and `"7"` are one id.
    public let id: String
    /// Grows with each change, and is what `WritePrecondition.hasRevision` takes. 0 where the server
    /// has not said it: in live answers of a server elsewhere whose query has no `hasMeta`.
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
    /// What is stored.
    init(_ document: Document, of type: TypeName) {
        self.init(
            type: type.text, id: document.id.text, revision: document.revision,
            json: Array(document.json))
    }

    /// What an answer shows of it.
    init(
        _ document: Document, of type: TypeName, _ projection: Projection, withMeta: Bool,
        _ metadata: ItemMetadata?
    ) {
        var json = ByteBuffer(capacity: document.json.count + 64)
        ItemEncoder.append(document, projection, withMeta: withMeta, metadata, to: &json)
        self.init(
            type: type.text, id: document.id.text, revision: document.revision,
            json: Array(json.bytes))
    }
}
