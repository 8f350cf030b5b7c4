import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore

// What is known of the remote's answers.
//
// Entities in the store say nothing about those that are not there. So a complete fetch leaves a
// record: what was asked, when, and which ids came in which order. It is an entity of the service's
// own, set in the same commit as the fetched rows, so that after a crash there are both or neither.
// The ids stand in an entity beside it: a refresh that finds the same ids writes the small one only.
// A single entity's fetch leaves a record of its own, by the entity's type and id.

/// One question that the remote has answered.
struct CoverageRecord: Sendable {
    /// Ids that are kept; a longer answer is known to be complete, and not its order.
    static let mostIDs = 10_000
    static let type = TypeName.internal("coverage")
    static let orderType = TypeName.internal("order")

    let id: EntityID
    let type: TypeName
    /// Every entity of the remote that passes this filter was in the answer.
    let isWhole: Bool
    /// What all entities of a whole answer pass, in canonical conjuncts.
    let conjuncts: Set<Filter>
    /// The remote was asked for no order.
    var isNatural = true
    /// In the order that it served; nil where they were too many.
    let ids: [EntityID]?
    /// When the request began.
    let at: WallTime
    /// How many the remote said there are.
    let total: Int?
    let validators: RemoteValidators?
    /// Elements of the answer that could not be taken.
    var dropped = 0

    /// The entity that keeps the record, without its ids; nil where a text is too long for one.
    func document(using builder: inout DocumentBuilder) -> Document? {
        var json = ByteBuffer(capacity: 256)
        json.append("{")
        json.member("id", id.text)
        json.member("type", type.text)
        json.member("at", Int(at.milliseconds))
        json.member("whole")
        json.append(isWhole ? "true" : "false")
        json.member("filter", each: conjuncts.map(\.description).sorted()) { text, json in
            json.append(jsonString: text)
        }
        if !isNatural { json.append(",\"ordered\":true") }
        if let total {
            json.member("total", total)
        }
        if dropped > 0 {
            json.member("dropped", dropped)
        }
        Self.append(validators, to: &json)
        json.append("}")
        return try? builder.build(json: json.bytes, id: .fromBody)
    }

    /// The entity that keeps its ids.
    func orderDocument(using builder: inout DocumentBuilder) -> Document? {
        guard let ids else { return nil }
        var json = ByteBuffer(capacity: 64 + 16 * ids.count)
        json.append("{")
        json.member("id", id.text)
        json.member("ids", each: ids) { $0.appendJSON(asInteger: false, to: &$1) }
        json.append("}")
        return try? builder.build(json: json.bytes, id: .fromBody, maximumBytes: 8 << 20)
    }

    static func append(_ validators: RemoteValidators?, to json: inout ByteBuffer) {
        if let etag = validators?.etag {
            json.member("etag", etag)
        }
        if let lastModified = validators?.lastModified {
            json.member("lastModified", lastModified)
        }
    }

    static func validators(in document: Document) -> RemoteValidators? {
        let etag = document.member(named: "etag")?.string
        let lastModified = document.member(named: "lastModified")?.string
        guard etag != nil || lastModified != nil else { return nil }
        return RemoteValidators(etag: etag, lastModified: lastModified)
    }
}

extension CoverageRecord {
    /// What the store has kept; nil for what this version does not understand.
    init?(_ document: Document, order: Document?) {
        guard let name = document.member(named: "type")?.string, let type = TypeName(name),
            let at = document.member(named: "at")?.int64,
            let isWhole = document.member(named: "whole")?.bool,
            let parts = document.member(named: "filter")
        else { return nil }
        var conjuncts: Set<Filter> = []
        for part in parts.elements {
            guard let text = part.string, let filter = try? Filter(parsing: text) else {
                return nil
            }
            conjuncts.insert(filter.canonical())
        }
        id = document.id
        self.type = type
        self.isWhole = isWhole
        self.conjuncts = conjuncts
        self.at = WallTime(milliseconds: at)
        isNatural = document.member(named: "ordered")?.bool != true
        total = document.member(named: "total")?.int64.map { Int($0) }
        validators = Self.validators(in: document)
        dropped = document.member(named: "dropped")?.int64.flatMap { Int(exactly: $0) } ?? 0
        ids = order?.member(named: "ids").map { list in
            list.elements.compactMap { $0.string.flatMap { try? EntityID($0) } }
        }
    }
}

/// When one entity was fetched by its id, and as what.
struct EntityFetch: Sendable {
    static let type = TypeName.internal("fetched")

    let at: WallTime
    let validators: RemoteValidators?

    /// Where it is kept; nil where type and id together are too long for an id, so that the entity
    /// goes without.
    static func id(_ type: TypeName, _ id: EntityID) -> EntityID? {
        try? EntityID("\(type.text)/\(id.text)")
    }

    /// When the entity `id` of `type` was fetched, read where it lies; nil: it was not.
    static func date(
        of type: TypeName, _ id: EntityID, in store: any EntityStore
    ) -> WallTime? {
        withUnsafeTemporaryAllocation(
            byteCount: TypeName.maximumLength + 1 + EntityID.maximumLength, alignment: 1
        ) { space in
            var count = 0
            func append(_ bytes: UnsafeRawBufferPointer) {
                space[count...].copyBytes(from: bytes)
                count += bytes.count
            }
            type.withBytes(append)
            space[count] = UInt8(ascii: "/")
            count += 1
            id.withBytes(append)
            let place = UnsafeRawBufferPointer(rebasing: space[..<count])
            let document = store.document(Self.type, idBytes: place)
            return document?.member(named: "at")?.int64.map { WallTime(milliseconds: $0) }
        }
    }

    init(at: WallTime, validators: RemoteValidators?) {
        self.at = at
        self.validators = validators
    }

    init?(_ document: Document?) {
        guard let document, let at = document.member(named: "at")?.int64 else { return nil }
        self.at = WallTime(milliseconds: at)
        validators = CoverageRecord.validators(in: document)
    }

    func document(_ id: EntityID, using builder: inout DocumentBuilder) -> Document? {
        var json = ByteBuffer(capacity: 128)
        json.append("{")
        json.member("id")
        id.appendJSON(asInteger: false, to: &json)
        json.member("at", Int(at.milliseconds))
        CoverageRecord.append(validators, to: &json)
        json.append("}")
        return try? builder.build(json: json.bytes, id: .fromBody)
    }
}
