import FreshetBase
import FreshetJSON
package import FreshetQuery
package import FreshetStore

/// Tells two bodies of one `Idempotency-Key` apart; the same in every process, since stores keep it.
///
/// Not cryptographic: whoever finds two bodies of one print has fooled nobody but himself, because a
/// key belongs to one caller.
package struct BodyPrint: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    private static let lowHash = SeededHash(key: 0x4672_6573_6865_7431)
    private static let highHash = SeededHash(key: 0x416E_7377_6572_2E31)

    package init(of body: UnsafeRawBufferPointer) {
        low = Self.lowHash.hash(body)
        high = Self.highHash.hash(body)
    }

    /// Up to 33 characters.
    var text: String { String(low, radix: 16) + "-" + String(high, radix: 16) }
}

/// What was answered to the first request with a key.
package struct FirstAnswer: Sendable {
    package let receipt: WriteReceipt
    /// Entries of the outbox that tell the remotes of it.
    package var entries: [EntityID] = []
    /// The answer's body where it was more than a commit says; empty where it had none.
    package var whole: [UInt8]?

    package init(_ receipt: WriteReceipt) {
        self.receipt = receipt
    }
}

/// What the headers say of an answer that is not that of one commit.
package struct AnswerHead: Sendable {
    let seq: UInt64
    let changed: Bool
    let durability: Durability

    /// - Parameter seq: Of the state that it tells of.
    package init(seq: UInt64, changed: Bool, durability: Durability) {
        self.seq = seq
        self.changed = changed
        self.durability = durability
    }
}

/// The first answer to a request with an `Idempotency-Key`, as a store keeps it: an entity of the
/// service's own that is written in the commit which it tells of.
///
///     {"id": digest of path, caller and key, "body": print of the body, "at": ms since 1970,
///      "epoch": of the answer's cursor, "seq": of that, where it is not the record's own revision,
///      "changed": bool, "durability": "full", "results": [[flags, revision, id?], …],
///      "outbox": the entries that tell the remotes of it, where there are any,
///      "entity": what the first result shows, where the answer does,
///      "answer": the answer's body, where it tells of more than one commit}
///
/// Flags: 1 created, 2 changed, 4 skipped, 8 removed: the id is that of what was there.
struct AnswerRecord {
    static let storedType = TypeName.internal("answer")
    /// The type of answers that tell of entities in memory alone, and end with them.
    static let memoryType = TypeName.internal("answer-memory")
    /// Where an answer may stand.
    static let types = [storedType, memoryType]
    /// As much as a commit may have.
    private static let maximumBytes = 64 << 20

    let id: EntityID
    let body: String
    let at: WallTime
    let epoch: Epoch
    let changed: Bool
    let durability: Durability
    /// The seq of the commit that it tells of, where it is written behind that.
    var seq: UInt64?
    /// Entries of the outbox.
    var entries: [EntityID] = []
    /// The body of an answer that is not made of results.
    var whole: [UInt8]?

    private enum Flags {
        static let created: Int64 = 1
        static let changed: Int64 = 2
        static let skipped: Int64 = 4
        static let removed: Int64 = 8
    }

    /// The entity to store.
    ///
    /// - Parameter keepsEntity: The answer shows the first result's entity and no other result.
    func document(_ results: RecordedResults, keepsEntity: Bool) -> Document? {
        let entity = keepsEntity ? results.first.document : nil
        guard let entity else { return document(results, keepsEntity, nil, quoted: false) }
        // An entity that nests as deep as one may would nest one level deeper here: as text.
        return document(results, keepsEntity, entity, quoted: false)
            ?? document(results, keepsEntity, entity, quoted: true)
    }

    private func document(
        _ results: RecordedResults, _ isFirstOnly: Bool, _ entity: Document?, quoted: Bool
    ) -> Document? {
        var json = ByteBuffer(capacity: 256 + (entity?.json.count ?? 0))
        json.append("{")
        json.member("id")
        id.appendJSON(asInteger: false, to: &json)
        json.append(text: ",\"body\":\"\(body)\",\"at\":\(at.milliseconds)")
        json.append(text: ",\"epoch\":\"\(epoch.value)\",\"changed\":\(changed)")
        if let seq { json.append(text: ",\"seq\":\(seq)") }
        json.append(text: ",\"durability\":\"\(durability.name)\",\"results\":[")
        Self.append(results.first, to: &json)
        if !isFirstOnly {
            for result in results.rest {
                json.append(",")
                Self.append(result, to: &json)
            }
        }
        json.append("]")
        for (index, entry) in entries.enumerated() {
            json.append(index == 0 ? ",\"outbox\":[" : ",")
            json.append(jsonString: entry.text)
        }
        if !entries.isEmpty { json.append("]") }
        if let entity {
            json.member("entity")
            if quoted {
                json.append(jsonString: entity.json)
            } else {
                json.append(entity.json)
            }
        }
        if let whole {
            json.member("answer")
            whole.withUnsafeBytes { json.append(jsonString: $0) }
        }
        json.append("}")
        var builder = DocumentBuilder()
        // nil where it nests too deep, or takes more than a commit may.
        return try? builder.build(
            json: json.bytes, id: .fromBody, maximumBytes: Self.maximumBytes)
    }

    private static func append(_ result: WriteResult, to json: inout ByteBuffer) {
        let flags =
            (result.created ? Flags.created : 0) | (result.changed ? Flags.changed : 0)
            | (result.skipped ? Flags.skipped : 0) | (result.removed != nil ? Flags.removed : 0)
        json.append("[")
        json.append(decimal: Int(flags))
        json.append(",")
        json.append(decimal: result.revision)
        if let id = (result.document ?? result.removed)?.member(named: "id") {
            json.append(",")
            json.append(id.bytes)
        }
        json.append("]")
    }

    // MARK: Back

    /// The answer that `document` keeps, and the print of the request's body; nil where it is no
    /// such thing.
    static func answer(_ document: Document) -> (answer: FirstAnswer, body: String)? {
        guard let body = document.member(named: "body")?.string,
            let epoch = document.member(named: "epoch")?.string.flatMap({ UInt64($0) }),
            let changed = document.member(named: "changed")?.bool,
            let durability = document.member(named: "durability")?.string
                .flatMap({ Durability(name: $0) }),
            let views = document.member(named: "results")?.elements
        else { return nil }
        var results: [WriteResult] = []
        for view in views {
            let entity = results.isEmpty ? document.member(named: "entity") : nil
            guard let result = result(view, showing: entity) else { return nil }
            results.append(result)
        }
        guard let first = results.first else { return nil }
        let receipt = WriteReceipt(
            cursor: Cursor(epoch: Epoch(value: epoch), seq: seq(document)), changed: changed,
            durability: durability, first: first, rest: Array(results.dropFirst()))
        var answer = FirstAnswer(receipt)
        if let entries = document.member(named: "outbox")?.elements {
            for entry in entries {
                guard let id = entry.string.flatMap({ try? EntityID($0) }) else { return nil }
                answer.entries.append(id)
            }
        }
        answer.whole = document.member(named: "answer")?.string.map { Array($0.utf8) }
        return (answer, body)
    }

    private static func seq(_ document: Document) -> UInt64 {
        document.member(named: "seq")?.int64.flatMap { UInt64(exactly: $0) } ?? document.revision
    }

    /// When the answer was given.
    static func time(_ document: Document) -> WallTime {
        WallTime(milliseconds: document.member(named: "at")?.int64 ?? 0)
    }

    private static func result(_ view: JSONView, showing entity: JSONView?) -> WriteResult? {
        var parts = view.elements
        guard let flags = parts.next()?.int64, let number = parts.next()?.int64,
            let revision = UInt64(exactly: number)
        else { return nil }
        var document: Document?
        if let id = parts.next() {
            var json: [UInt8]
            if let entity {
                json = entity.kind == .string ? Array((entity.string ?? "").utf8) : []
                if json.isEmpty { json = Array(entity.bytes) }
            } else {
                json = Array("{\"id\":".utf8) + Array(id.bytes) + [UInt8(ascii: "}")]
            }
            var builder = DocumentBuilder()
            document = json.withUnsafeBytes {
                try? builder.build(stored: $0, revision: revision, checksum: nil)
            }
            guard document != nil else { return nil }
        }
        let isRemoval = flags & Flags.removed != 0
        return WriteResult(
            document: isRemoval ? nil : document, revision: revision,
            created: flags & Flags.created != 0, changed: flags & Flags.changed != 0,
            skipped: flags & Flags.skipped != 0, removed: isRemoval ? document : nil)
    }
}
