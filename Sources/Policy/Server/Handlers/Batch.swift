import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `POST /v1/_batch`: sets, patches and removals across types, all or nothing.
    func batch(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        let destination = try call.context.writeParameters().destination
        let isMinimal = call.request.wantsMinimal
        let start = try idempotency(call)
        if start?.first?.whole != nil {
            // What it has done is kept as it was told.
            let answer = ManyAnswer(isMinimal: isMinimal) { _ in
                ReceiptItems(name: "results", count: 0, hasMeta: true) { _, _ in }
            }
            return try write(ManyChanges(), to: destination, start, reply, &response, answer)
        }
        try writeMany(call, to: destination, start, &response) {
            [self] body, context throws(Problem) in
            let operations = try self.operations(body, context, reply)
            let kinds = operations.map { BatchKind($0, core) }
            return (
                ManyChanges(
                    content: WriteOrder.Content(operations), places: ListPlace(operations)),
                ManyAnswer(
                    isMinimal: isMinimal, nothing: WholeAnswer.unchanged("{\"results\":[],")
                ) { receipt in
                    ReceiptItems(name: "results", count: kinds.count, hasMeta: true) {
                        kinds[$0].append(receipt[$0], to: &$1)
                    }
                }
            )
        }
    }

    /// The operations of a body.
    ///
    /// - Parameter context: The caller's scratch.
    private func operations(
        _ json: UnsafeRawBufferPointer, _ context: LoopContext, _ reply: Reply
    ) throws(Problem) -> [WriteOperation] {
        let body = try JSONValue(body: json)
        if case .object = body { try body.allow(["operations"], at: "") }
        guard case .array(let elements)? = body["operations"] else {
            throw Problem(
                .badRequest, "the body is {\"operations\":[…]}",
                errors: [
                    Problem.Fault(
                        pointer: "/operations", code: "required", detail: "an array is expected")
                ])
        }
        var operations = OperationList()
        var faults = ListFaults()
        for (index, element) in elements.enumerated() where !faults.isFull {
            let made: WriteOperation
            do {
                made = try operation(element, context, reply)
            } catch {
                try faults.add(error.under("/operations/\(index)"))
                continue
            }
            guard operations.append(made) else { throw Problem.commitTooLarge }
        }
        try faults.check()
        return operations.all
    }

    private static let operationMembers = ["set", "patch", "remove", "ifMatch", "ifNoneMatch"]

    private func operation(
        _ element: JSONValue, _ context: LoopContext, _ reply: Reply
    ) throws(Problem) -> WriteOperation {
        guard case .object(let members) = element else {
            throw Problem(.badRequest, "an operation is an object", at: "")
        }
        let names = members.map(\.name)
        if let unknown = names.first(where: {
            !Self.operationMembers.contains($0)
        }) {
            throw Problem.unknownMember(unknown, among: Self.operationMembers)
        }
        let verbs = names.filter { ["set", "patch", "remove"].contains($0) }
        guard verbs.count == 1, let verb = verbs.first, let what = element[verb] else {
            throw Problem(.badRequest, "an operation has one of set, patch and remove", at: "")
        }
        let condition = try condition(element)
        let type = try batchType(what, at: "/\(verb)")
        // First, so that nobody learns by it which types are declared.
        try checkWrite(type, reply)
        try checkAllowed(type)
        switch verb {
        case "set":
            try what.allow(["type", "entity"], at: "/set")
            guard let entity = what["entity"] else {
                throw Problem(.badRequest, "set needs an entity", at: "/set/entity")
            }
            do throws(Problem) {
                let made = try entity.bytes.withBytes { bytes throws(Problem) -> Document in
                    try self.document(type, bytes, .bodyOrNew, context)
                }
                return .set(type, made, condition)
            } catch {
                throw error.under("/set/entity")
            }
        case "patch":
            try what.allow(["type", "id", "patch"], at: "/patch")
            let id = try batchID(what, at: "/patch/id")
            guard let patch = what["patch"], case .object = patch else {
                throw Problem(.badRequest, "patch needs a patch object", at: "/patch/patch")
            }
            let canonical = try patch.bytes.withBytes { bytes throws(Problem) in
                try context.patch(bytes)
            }
            return .merge(type, id, patch: canonical, condition)
        default:
            try what.allow(["type", "id"], at: "/remove")
            return .remove(type, try batchID(what, at: "/remove/id"), condition)
        }
    }

    private func batchType(_ what: JSONValue, at pointer: String) throws(Problem) -> TypeName {
        guard let type = what["type"]?.stringValue.flatMap({ TypeName($0) }) else {
            throw Problem(.badRequest, "a type name is expected", at: pointer + "/type")
        }
        return type
    }

    private func batchID(_ what: JSONValue, at pointer: String) throws(Problem) -> EntityID {
        guard let id = what["id"] else {
            throw Problem(.badRequest, "an id is expected", at: pointer)
        }
        do {
            return try id.bytes.withBytes { bytes throws(EntityID.Fault) in
                try EntityID(json: JSONView(canonical: bytes))
            }
        } catch {
            throw Problem(.badRequest, "the id is not valid: \(error.sentence)", at: pointer)
        }
    }

    /// `ifMatch` and `ifNoneMatch` hold what the headers would: `"*"`, an entity tag, or a list.
    private func condition(_ element: JSONValue) throws(Problem) -> WriteCondition {
        guard element["ifMatch"] == nil || element["ifNoneMatch"] == nil else {
            throw Problem(
                .badRequest, "ifMatch and ifNoneMatch exclude one another", at: "/ifMatch")
        }
        if let match = element["ifMatch"] {
            return match.stringValue == "*"
                ? .ifMatchAny : .ifMatch(try revisions(match, at: "/ifMatch"))
        }
        if let noneMatch = element["ifNoneMatch"] {
            return noneMatch.stringValue == "*"
                ? .ifNoneMatchAny : .ifNoneMatch(try revisions(noneMatch, at: "/ifNoneMatch"))
        }
        return .none
    }

    private func revisions(_ value: JSONValue, at pointer: String) throws(Problem) -> [UInt64] {
        var revisions: [UInt64] = []
        for tag in value.arrayValue ?? [value] {
            guard let revision = Self.revision(tag) else {
                throw Problem(.badRequest, "a revision or \"*\" is expected", at: pointer)
            }
            revisions.append(revision)
        }
        return revisions
    }

    /// A revision as a number, or as its entity tag with or without quotes.
    private static func revision(_ tag: JSONValue) -> UInt64? {
        if let number = tag.int64Value { return UInt64(exactly: number) }
        guard let text = tag.stringValue else { return nil }
        let isQuoted = text.count > 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let digits = isQuoted ? text.dropFirst().dropLast() : text[...]
        // 18 digits are more commits than a server lives to see, and fit.
        guard digits.utf8.count <= 18, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return UInt64(digits)
    }
}

/// What is remembered of an operation for its result.
private enum BatchKind: Sendable {
    case write
    /// The id of an entity that is not there is written in the form that the type's schema has.
    case removal(EntityID, isInteger: Bool)

    init(_ operation: WriteOperation, _ core: CoreManager) {
        if case .remove(let type, let id, _) = operation {
            self = .removal(id, isInteger: core.types.catalog.idsAreIntegers(type))
        } else {
            self = .write
        }
    }

    /// `{"status","id","revision","changed"}`.
    func append(_ result: WriteResult, to body: inout ByteBuffer) {
        body.append("{")
        body.member("status", status(of: result))
        body.member("id")
        appendID(of: result, to: &body)
        body.member("revision", result.revision)
        body.member("changed", result.changed)
        body.append("}")
    }

    private func status(of result: WriteResult) -> Int {
        switch self {
        case .write: result.created ? 201 : 200
        case .removal: 204
        }
    }

    private func appendID(of result: WriteResult, to body: inout ByteBuffer) {
        switch self {
        case .write:
            body.append(result.document?.member(named: "id")?.bytes ?? .init(start: nil, count: 0))
        case .removal(let id, let isInteger):
            if let stored = result.removed?.member(named: "id") {
                body.append(stored.bytes)
            } else {
                id.appendJSON(asInteger: isInteger, to: &body)
            }
        }
    }
}

extension JSONValue {
    /// Refuses members beyond `names`.
    fileprivate func allow(_ names: [String], at pointer: String) throws(Problem) {
        for member in objectValue ?? [] where !names.contains(member.name) {
            throw Problem.unknownMember(member.name, among: names, at: pointer)
        }
    }
}
