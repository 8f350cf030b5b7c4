import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery

extension FreshetService {
    /// `POST /v1/_access/check`: what the bearer of a token would be answered, and why; nothing is
    /// done.
    func checkAccess(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        try call.checkPlainJSON()
        let body = try JSONValue(body: call.request.body)
        let request = try CheckRequest(body)
        // Rules over an entity of a megabyte take longer than a loop has.
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let check = try AccessCheck(request, self)
            exchange.answer(self, reply) { response in
                reply.json(&response, isKept: false) { check.append(to: &$0) }
            }
        }
    }
}

/// The body of a request to check access.
private struct CheckRequest: Sendable {
    private static let members = ["token", "do", "type", "id", "entity"]

    /// nil: of a caller without a token.
    let token: String?
    let act: AccessQuestion.Act
    let type: TypeName
    let id: EntityID?
    let entity: JSONValue?

    /// - Throws: 422 with every fault, pointers into the body.
    init(_ body: JSONValue) throws(Problem) {
        var faults: [Problem.Fault] = []
        func expected(_ text: String, at member: String) {
            faults.append(
                .init(
                    pointer: JSONPointer().appending(member).description, code: "value",
                    detail: "expected \(text)"))
        }
        for member in body.objectValue ?? [] where !Self.members.contains(member.name) {
            faults.append(
                .init(
                    pointer: JSONPointer().appending(member.name).description,
                    code: "unknown-member",
                    detail: "there is no member '\(member.name)' here"
                        + NearestWord.suggestion(for: member.name, among: Self.members)))
        }
        token = body["token"]?.stringValue
        if body["token"] == nil || body["token"] != .null && token == nil {
            expected("the name of a token, or null for a caller without one", at: "token")
        }
        let act = body["do"]?.stringValue.flatMap(AccessQuestion.Act.init(rawValue:))
        if act == nil { expected("read, write or remove", at: "do") }
        let type = body["type"]?.stringValue.flatMap { TypeName($0) }
        if type == nil { expected("the name of a type", at: "type") }
        var id: EntityID?
        if let value = body["id"], value != .null {
            id = value.idText.flatMap { try? EntityID($0) }
            if id == nil { expected("an id: a string, or an integer of 64 bits", at: "id") }
        }
        self.id = id
        switch body["entity"] {
        case nil, .null: entity = nil
        case .some(let value):
            entity = value
            if value.objectValue == nil { expected("an entity: a JSON object", at: "entity") }
        }
        guard let act, let type, faults.isEmpty else {
            let detail =
                body.objectValue == nil
                ? "the body is an object with \"token\", \"do\" and \"type\""
                : faults.first.map { "\($0.pointer ?? ""): \($0.detail)" } ?? ""
            throw Problem(
                .invalidCheck, detail, errors: Array(faults.prefix(SpecQuestion.mostFaults)))
        }
        self.act = act
        self.type = type
    }
}

/// A question with its answer.
private struct AccessCheck: Sendable {
    private struct Traced: Sendable {
        let check: AccessVerdict.Check
        let nodes: [FilterTrace.Node]
    }

    private let verdict: AccessVerdict
    private let status: Int
    private let checks: [Traced]
    private let mask: ConfigurationMask

    /// - Throws: 404 for an unknown token or type, 422 for an entity that is none.
    init(_ request: CheckRequest, _ service: FreshetService) throws(Problem) {
        let caller = try service.bearer(request.token)
        mask = service.configuration.current.settings.mask.hiding(caller.claims)
        let hasExpired = caller.hasExpired(at: .now)
        let question = try request.question(service.core)
        verdict =
            hasExpired ? AccessVerdict(.no, .expired) : caller.rights.verdict(on: question)
        status =
            switch verdict.answer {
            case .yes, .some: 200
            case .no where verdict.isHidden: 404
            case .no: caller.isNamed && !hasExpired ? 403 : 401
            }
        checks = verdict.checks.map { check in
            // What gives up on a text admits nothing, and has no parts to show.
            let trace = check.document.flatMap { try? FilterTrace(check.rule.filter, of: $0) }
            return Traced(check: check, nodes: trace?.nodes ?? [])
        }
    }

    func append(to body: inout ByteBuffer) {
        body.append("{")
        switch verdict.answer {
        case .yes: body.member("allowed", true)
        case .no: body.member("allowed", false)
        case .some: body.member("allowed", "some")
        }
        body.member("status", status)
        body.member("because", verdict.reason.rawValue)
        body.member("checks", each: checks) { traced, body in
            let check = traced.check
            body.append("{")
            body.member("of", check.image.rawValue)
            body.member("rule", mask.masked(check.rule.filter.description))
            body.member("satisfied", check.isSatisfied)
            body.member("nodes", each: traced.nodes) { node, body in
                node.append(text: mask.masked(node.text), to: &body)
            }
            body.append("}")
        }
        body.append("}")
    }
}

extension CheckRequest {
    /// The question with the entity that is stored, and the one that would be.
    fileprivate func question(_ core: CoreManager) throws(Problem) -> AccessQuestion {
        var builder = DocumentBuilder()
        var json = ByteBuffer()
        entity?.write(to: &json)
        var new: Document?
        do {
            if entity != nil {
                new = try core.writer.document(
                    type, json.bytes, id: id.map { .path($0) } ?? .bodyOrNew, using: &builder)
            }
            var stored: Document?
            if let id = id ?? new?.id { stored = try core.reader.entity(type, id) }
            return AccessQuestion(
                act, type, isAboutOne: id != nil || new != nil, stored: stored, entity: new)
        } catch {
            var problem = Problem(error)
            if problem.status == 400 { problem = Problem(.invalidCheck, problem.detail) }
            throw problem
        }
    }
}

extension FreshetService {
    /// - Throws: 404 where no token has this name.
    fileprivate func bearer(_ name: String?) throws(Problem) -> Caller {
        guard let name else { return access.anonymous }
        if let found = access.bearers.first(where: { $0.name == name }) { return found }
        throw Problem(
            .notFound, "there is no token '\(name.prefix(256))'",
            hint: "GET /v1/_tokens lists those of the configuration")
    }
}

extension JSONValue {
    /// The text of an id, given as a string or an integer that ids may be.
    fileprivate var idText: String? { stringValue ?? int64Value.map(String.init) }
}
