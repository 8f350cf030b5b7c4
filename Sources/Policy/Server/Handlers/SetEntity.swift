import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetLive
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `PUT /v1/{type}/{id}`: create or replace.
    func setEntity(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let id = try call.context.id()
        let (values, destination) = try call.context.writeParameters(EntityAnswer.parameters)
        let answer = try EntityAnswer(type, call.request, call.context, values)
        let start = try idempotency(call, keepsEntity: true)
        try write(to: destination, start, call.reply, &response, answer) { () throws(Problem) in
            let document = try document(type, call.request.body, .path(id), call.context)
            return .set(type, document, try WriteCondition(call.request))
        }
    }

    func document(
        _ type: TypeName, _ json: UnsafeRawBufferPointer, _ id: EntityWriter.IDSource,
        _ context: LoopContext
    ) throws(Problem) -> Document {
        do {
            return try core.writer.document(type, json, id: id, using: &context.builder)
        } catch {
            var problem = Problem(error)
            if case .document(.notAnObject) = error {
                problem.hint = "POST /v1/\(type.text)/_set takes an array of entities"
            }
            throw problem
        }
    }
}

extension WriteCondition {
    /// What `If-Match` and `If-None-Match` of a write demand.
    init(_ request: borrowing Request) throws(Problem) {
        let match = request.header(.ifMatch) != nil
        let noneMatch = request.header(.ifNoneMatch) != nil
        guard match || noneMatch else {
            self = .none
            return
        }
        guard !(match && noneMatch) else {
            throw Problem(.badRequest, "If-Match and If-None-Match exclude one another")
        }
        let (isAny, revisions) = try request.list(match ? .ifMatch : .ifNoneMatch) {
            list throws(Problem) in
            guard let list, !list.isEmpty else {
                throw Problem(.badRequest, "a condition names an entity tag or *")
            }
            return EntityTags.isAny(list)
                ? (true, []) : (false, try Self.revisions(list, takesWeak: !match))
        }
        if match {
            self = isAny ? .ifMatchAny : .ifMatch(revisions)
        } else {
            self = isAny ? .ifNoneMatchAny : .ifNoneMatch(revisions)
        }
    }

    /// The revisions of a list of entity tags; a tag that is none of ours matches nothing.
    ///
    /// - Parameter takesWeak: Whether a weak tag is as good as a strong one: for If-None-Match, not for
    ///   If-Match (RFC 9110, sections 13.1.1 and 13.1.2).
    private static func revisions(
        _ list: UnsafeRawBufferPointer, takesWeak: Bool
    ) throws(Problem) -> [UInt64] {
        var revisions: [UInt64] = []
        var tags = CommaList(list)
        while let tag = tags.next() {
            let isWeak = tag.starts(with: "W/".utf8)
            let quoted = isWeak ? UnsafeRawBufferPointer(rebasing: tag.dropFirst(2)) : tag
            guard quoted.count >= 2, quoted.first == UInt8(ascii: "\""),
                quoted.last == UInt8(ascii: "\"")
            else { throw Problem.malformedTag }
            guard takesWeak || !isWeak else { continue }
            let digits = UnsafeRawBufferPointer(rebasing: quoted[1..<(quoted.count - 1)])
            // Another spelling of the number is another tag.
            if let revision = Decimal.parse(digits), String(revision).utf8.elementsEqual(digits) {
                revisions.append(revision)
            }
        }
        return revisions
    }
}

/// How the answer to a write of one entity looks.
struct EntityAnswer: Sendable {
    /// The parameters that say so.
    static let parameters: [StaticString] = ["meta"]

    let type: TypeName
    var isMinimal: Bool
    let withMeta: Bool

    init(
        _ type: TypeName, _ request: borrowing Request, _ context: LoopContext,
        _ values: [String: String]
    ) throws(Problem) {
        withMeta = try context.flag("meta", in: values)
        isMinimal = request.wantsMinimal
        self.type = type
    }

    /// - Parameters:
    ///   - entry: Of the outbox, where the change is on its way to the remote: 202.
    ///   - current: What is there by now, in place of what the commit has written.
    func write(
        _ receipt: WriteReceipt, to entry: EntityID?, showing current: WriteResult? = nil,
        _ reply: Reply, _ response: inout ResponseWriter
    ) {
        let result = current ?? receipt.first
        let isMinimal = isMinimal || result.document == nil
        let status = result.created ? 201 : isMinimal ? 204 : 200
        reply.at(receipt.cursor).begin(entry == nil ? status : 202, &response)
        receipt.appendHeaders(to: &response)
        response.etag(revision: result.revision)
        if let entry {
            response.header("Location", text: "/v1/_outbox/\(entry.text)")
        } else if result.created, let document = result.document {
            appendLocation(of: document, to: &response)
        }
        guard let document = result.document else { return response.end() }
        if isMinimal { return response.end() }
        response.header("Content-Type", "application/json")
        guard withMeta else { return response.end(bytes: document.line) }
        response.beginBody()
        ItemEncoder.append(document, .all, withMeta: true, to: &response.body)
        response.body.append(UInt8(ascii: "\n"))
        response.endBody()
    }

    /// The entity's path, under the id that it has been given.
    private func appendLocation(of document: Document, to response: inout ResponseWriter) {
        var path = ByteBuffer(capacity: 128)
        path.append("/v1/")
        type.withBytes { path.append($0) }
        path.append("/")
        PercentEncoding.append(document.idBytes, to: &path)
        response.header("Location", trusted: path.bytes)
    }
}

extension WriteReceipt {
    /// The headers that every answer to a write carries beside its cursor.
    func appendHeaders(to response: inout ResponseWriter) {
        switch durability {
        case .full: response.header("Freshet-Durability", "full")
        case .relaxed: response.header("Freshet-Durability", "relaxed")
        case .memory: response.header("Freshet-Durability", "memory")
        }
        if changed {
            response.header("Freshet-Changed", "true")
        } else {
            response.header("Freshet-Changed", "false")
        }
    }
}
