import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh
import FreshetStore

extension FreshetService {
    /// `POST /v1/_specs/evaluate`: `{"spec","operation"?,"at"?,"values"?}`, what it comes to, now or at a time.
    func evaluateSpec(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        try call.checkPlainJSON()
        let body = try JSONValue(body: call.request.body)
        // Specifications of the embedding program, and a calendar far ahead, may take their time.
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            var (names, specs) = specNames.value
            names.operations?.formUnion(core.operations.board.attachedOperations)
            let question = try SpecQuestion(body, names: names, named: specs)
            let evaluation = core.operations.board.evaluate(
                question.spec, operation: question.operation, at: question.instant,
                wantsValues: question.wantsValues)
            exchange.answer(self, reply) { response in
                reply.json(&response, isKept: false) { body in
                    SpecDocument.append(evaluation, wantsValues: question.wantsValues, to: &body)
                }
            }
        }
    }
}

/// What a request asks about a specification.
struct SpecQuestion: Sendable {
    let spec: SpecExpression
    let operation: String?
    /// Since 1970.
    let instant: Duration?
    /// Whether the answer tells what the leaves look at.
    let wantsValues: Bool

    /// Faults that one answer tells.
    static let mostFaults = 100
    /// What the board's nanoseconds reach, rounded to years: 1678 to 2261.
    private static let instants = -9_214_560_000_000...9_214_646_399_999

    /// - Throws: 422 with every fault, pointers into the body.
    init(_ body: JSONValue, names: SpecNames, named: NamedSpecs) throws(Problem) {
        guard let members = body.objectValue else {
            throw Problem(.badRequest, "the body is an object with \"spec\"")
        }
        var reading = Reading()
        reading.names = names
        let top = JSONPointer()
        let known = ["spec", "operation", "at", "values"]
        for member in members where !known.contains(member.name) {
            reading.note(
                "unknown-member",
                "there is no member '\(member.name)' here"
                    + NearestWord.suggestion(for: member.name, among: known),
                at: top.appending(member.name))
        }
        var spec = SpecExpression.never
        if let value = body["spec"] {
            reading.namedSpecs = named
            spec = reading.specification(value, at: top.appending("spec"))
        } else {
            reading.note("value", "expected a run specification", at: top.appending("spec"))
        }
        self.spec = spec
        switch body["operation"] {
        case nil, .null: operation = nil
        case .some(let value):
            operation = value.stringValue
            if operation == nil || names.operations?.contains(operation ?? "") == false {
                reading.note(
                    "unknown-name", "expected the name of an operation",
                    at: top.appending("operation"))
            }
        }
        switch body["at"] {
        case nil, .null: instant = nil
        case .some(let value):
            let time = value.stringValue.flatMap { WallTime(rfc3339: $0) }
                .flatMap { Self.instants.contains(Int($0.milliseconds)) ? $0 : nil }
            instant = time.map { .milliseconds($0.milliseconds) }
            if time == nil {
                reading.note(
                    "value",
                    "expected an instant such as \"2026-12-24T18:00:00Z\", from 1678 to 2261",
                    at: top.appending("at"))
            }
        }
        switch body["values"] {
        case nil, .null: wantsValues = false
        case .some(let value):
            wantsValues = value.boolValue == true
            if value.boolValue == nil {
                reading.note("value", "expected true or false", at: top.appending("values"))
            }
        }
        guard !reading.faults.isEmpty else { return }
        throw Problem(
            .invalidSpec, reading.faults.first.map { "\($0.pointer): \($0.detail)" } ?? "",
            errors: reading.faults.prefix(Self.mostFaults).map { Problem.Fault($0) })
    }
}

/// Evaluations as JSON.
enum SpecDocument {
    /// - Parameter wantsValues: Whether it tells what the nodes say, and what the leaves look at.
    static func append(
        _ evaluation: SpecEvaluation, wantsValues: Bool, to body: inout ByteBuffer
    ) {
        body.append(
            evaluation.isSatisfied ? "{\"satisfied\":true" : "{\"satisfied\":false")
        body.member("nextChange")
        ConditionDocument.append(evaluation.nextChange, to: &body)
        body.member("trace", each: evaluation.trace) { node, body in
            body.append("{")
            body.member("pointer", node.pointer)
            body.member("value", node.value)
            if wantsValues { body.member("text", node.text) }
            if let leaf = node.leaf { append(leaf, to: &body) }
            body.append("}")
        }
        body.append("}")
    }

    private static func append(_ leaf: SpecEvaluation.Leaf, to body: inout ByteBuffer) {
        switch leaf.current {
        case .word(let word): body.member("current", word)
        case .flag(let flag): body.member("current", flag)
        case .number(let number): body.member("current", Int(number))
        case .span(let span): body.member("current", span?.shortText)
        }
        body.member("since")
        ConditionDocument.append(leaf.since, to: &body)
        body.member("next")
        ConditionDocument.append(leaf.next, to: &body)
    }
}
