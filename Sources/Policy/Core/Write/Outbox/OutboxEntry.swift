package import FreshetBase
import FreshetJSON
package import FreshetQuery
package import FreshetRemote

/// A change that a remote is to learn of: what the store keeps of it.
package struct OutboxEntry: Sendable {
    package enum Operation: String, Sendable, CaseIterable {
        case create, update, remove
    }

    package enum State: String, Sendable, CaseIterable {
        /// Waits for its turn, or for the pause after a failed try.
        case pending
        /// Was begun to be sent, and may have reached the remote.
        case sending
        /// The remote has it.
        case done
        /// A later change of the same entity was sent in its place, or nothing was needed.
        case superseded
        /// The remote will not have it.
        case rejected
        /// All tries have failed; waits to be driven again, and later changes of the entity with it.
        case dead

        /// Whether the remote has yet to learn of it.
        var isUndelivered: Bool { self == .pending || self == .sending || self == .dead }
    }

    /// Why the last try failed, for people and programs. Holds nothing that was sent as a secret.
    package struct Fault: Sendable, Equatable {
        package var code: String
        package var detail: String
        /// The status of the remote's answer.
        package var status: Int?

        package init(code: String, detail: String, status: Int? = nil) {
            self.code = code
            self.detail = detail
            self.status = status
        }
    }

    /// The type of the entities that entries are.
    package static let storedType = TypeName.internal("outbox")
    /// Entries with the bodies of two entities in them, which as text may take twice their bytes: what is too
    /// large for a commit is refused by that.
    private static let maximumBytes = 257 << 20

    /// A UUID, version 7; also the `Idempotency-Key`.
    package let id: EntityID
    /// Grows with the order of commits.
    package var number: UInt64
    package var type: TypeName
    package var entity: EntityID
    var key: EntityKey { EntityKey(type, entity) }
    /// Whether the entity's id is a number in its JSON.
    var entityIsNumber: Bool
    /// The id that the entity had here before the remote gave it its own.
    package var replaced: EntityID?
    var replacedIsNumber = false
    package var operation: Operation
    /// Where it is sent in place of the request that the operation has.
    package var endpoint: RemoteEndpoint?
    package var state = State.pending
    /// Tries since it was made or driven again.
    package var attempts = 0
    /// Whether it was ever begun to be sent: then neither its key nor its body changes.
    package var isSent = false
    /// The revision that this change has written; of a removal its commit.
    package var revision: UInt64
    package var createdAt: String
    package var nextAttemptAt: String?
    package var fault: Fault?
    /// The entity's canonical JSON after the change; nil for a removal, and where nobody needs it.
    package var body: [UInt8]?
    /// The entity's canonical JSON as the remote had it, for whoever has to go back.
    package var before: [UInt8]?
    package var isBeforeFetched = false

    package init(
        id: EntityID, number: UInt64, type: TypeName, entity: EntityID,
        entityIsNumber: Bool = false, operation: Operation,
        endpoint: RemoteEndpoint? = nil, revision: UInt64, createdAt: WallTime, body: [UInt8]?,
        before: [UInt8]?,
        isBeforeFetched: Bool = false
    ) {
        self.id = id
        self.number = number
        self.type = type
        self.entity = entity
        self.entityIsNumber = entityIsNumber
        self.operation = operation
        self.endpoint = endpoint
        self.revision = revision
        self.createdAt = createdAt.rfc3339
        self.body = body
        self.before = before
        self.isBeforeFetched = isBeforeFetched
    }

    /// What the store has of an entry; nil where it is none.
    package init?(_ document: Document?) {
        guard let document,
            let number = document.member(named: "number")?.int64.flatMap({ UInt64(exactly: $0) }),
            let type = document.member(named: "type")?.string.flatMap({ TypeName($0) }),
            let entity = document.member(named: "entity").flatMap({ try? EntityID(json: $0) }),
            let operation = document.member(named: "operation")?.string
                .flatMap({ Operation(rawValue: $0) }),
            let state = document.member(named: "state")?.string.flatMap({ State(rawValue: $0) }),
            let revision = document.member(named: "revision")?.int64
                .flatMap({ UInt64(exactly: $0) })
        else { return nil }
        id = document.id
        self.number = number
        self.type = type
        self.entity = entity
        entityIsNumber = document.member(named: "entity")?.kind == .number
        self.operation = operation
        self.state = state
        self.revision = revision
        endpoint = document.member(named: "endpoint")?.string.map { name in
            var parameters: [String: String] = [:]
            if let members = document.member(named: "parameters").map({ JSONValue($0) }) {
                for member in members.objectValue ?? [] {
                    parameters[member.name] = member.value.stringValue
                }
            }
            return RemoteEndpoint(name: name, parameters: parameters)
        }
        replaced = document.member(named: "replaced").flatMap { try? EntityID(json: $0) }
        replacedIsNumber = document.member(named: "replaced")?.kind == .number
        attempts = Int(document.member(named: "attempts")?.int64 ?? 0)
        isSent = document.member(named: "sent")?.bool ?? false
        createdAt = document.member(named: "createdAt")?.string ?? ""
        nextAttemptAt = document.member(named: "nextAttemptAt")?.string
        if let fault = document.member(named: "problem") {
            self.fault = Fault(
                code: fault.member(named: "code")?.string ?? "",
                detail: fault.member(named: "detail")?.string ?? "",
                status: fault.member(named: "status")?.int64.map { Int($0) })
        }
        body = Self.entity(document.member(named: "body"))
        before = Self.entity(document.member(named: "before"))
        isBeforeFetched = document.member(named: "beforeIsFetched")?.bool ?? false
    }

    private static func entity(_ view: JSONView?) -> [UInt8]? {
        guard let view else { return nil }
        return view.kind == .string ? view.string.map { Array($0.utf8) } : Array(view.bytes)
    }

    /// The entry as it ends: `rejected` keeps its body for whoever has to look after it.
    package func ended(_ state: State, _ fault: Fault? = nil) -> OutboxEntry {
        var ended = self
        ended.state = state
        ended.fault = fault
        ended.nextAttemptAt = nil
        if state == .done || state == .superseded {
            ended.body = nil
            ended.before = nil
            ended.isBeforeFetched = false
        }
        return ended
    }

    /// The entity to store.
    package var document: Document {
        if let document = document(quoting: false) ?? document(quoting: true) { return document }
        preconditionFailure("an entry is a valid entity")
    }

    /// - Parameter quotes: Entities stand as text, since as they are they nest as deep as entities
    ///   may, and would nest one level deeper here.
    private func document(quoting quotes: Bool) -> Document? {
        var json = ByteBuffer(capacity: 512 + (body?.count ?? 0) + (before?.count ?? 0))
        json.append("{")
        json.member("id")
        id.appendJSON(asInteger: false, to: &json)
        json.member("number", number)
        json.member("type", type.text)
        json.member("entity")
        entity.appendJSON(asInteger: entityIsNumber, to: &json)
        if let replaced {
            json.member("replaced")
            replaced.appendJSON(asInteger: replacedIsNumber, to: &json)
        }
        json.append(
            text: ",\"operation\":\"\(operation.rawValue)\",\"state\":\"\(state.rawValue)\"")
        if let endpoint {
            json.member("endpoint", endpoint.name)
            let parameters = endpoint.parameters.sorted { $0.key < $1.key }.map {
                JSONValue.Member(name: $0.key, value: .string($0.value))
            }
            json.member("parameters")
            json.append(JSONValue.object(parameters).bytes)
        }
        json.append(text: ",\"attempts\":\(attempts),\"sent\":\(isSent),\"revision\":\(revision)")
        json.member("createdAt", createdAt)
        if let nextAttemptAt {
            json.member("nextAttemptAt", nextAttemptAt)
        }
        if let fault {
            json.append(",\"problem\":{\"code\":")
            json.append(jsonString: fault.code)
            json.member("detail", fault.detail)
            if let status = fault.status { json.append(text: ",\"status\":\(status)") }
            json.append("}")
        }
        for (name, entity) in [("body", body), ("before", before)] {
            guard let entity else { continue }
            json.append(",")
            json.append(jsonName: name)
            if quotes {
                entity.withUnsafeBytes { json.append(jsonString: $0) }
            } else {
                json.append(entity)
            }
        }
        if isBeforeFetched { json.append(",\"beforeIsFetched\":true") }
        json.append("}")
        var builder = DocumentBuilder()
        return try? builder.build(
            json: json.bytes, id: .fromBody, maximumBytes: Self.maximumBytes)
    }
}

extension OutboxEntry {
    /// What is left to tell of changes in a row of which the remote knows nothing: the first says
    /// whether the remote has the entity, the last whether it shall. nil: nothing.
    package static func folded(_ first: Operation, _ last: Operation) -> Operation? {
        switch (first, last) {
        case (.create, .remove): nil
        case (.create, _): .create
        case (_, .remove): .remove
        case (_, _): .update
        }
    }

    /// This change in place of all since `first`, or nil where nothing is left to tell.
    package func following(_ first: OutboxEntry) -> OutboxEntry? {
        guard let operation = Self.folded(first.operation, operation) else { return nil }
        var merged = self
        merged.operation = operation
        merged.before = first.before
        // What was sent may have been done: nobody knows what the remote has.
        merged.isBeforeFetched = first.isBeforeFetched && !first.isSent
        return merged
    }

    /// This change, which was made on what `done` has left, once the remote has taken that; nil where
    /// it says nothing new.
    func behind(delivered done: OutboxEntry) -> OutboxEntry? {
        guard !isSent, !isBeforeFetched, let body = done.body, before == body else { return nil }
        var known = self
        known.isBeforeFetched = true
        return known
    }
}
