import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore

extension FreshetService {
    /// `GET /v1/_types`: every type that is declared or has entities, as far as the caller sees.
    func describeTypes(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        if try answersAsSearch(.types, call, &response) { return }
        try call.checkPlainJSON()
        withReports(on: core.types.counts().types, reply, &response) { [self] types, response in
            reply.json(&response) { body in
                body.append(items: types) { type, body in
                    append(type, reply, &body)
                    body.append("}")
                }
            }
        }
    }

    /// `GET /v1/_types/{type}`.
    func describeType(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        if try answersAsRow(.types, call, &response) { return }
        try call.checkPlainJSON()
        let asked = core.types.counts(of: TypeName(bytes: call.context.path[2]))
        withReports(on: asked, reply, &response) { [self] types, response in
            guard let type = types.first else { return fail(.absentType, reply, &response) }
            reply.json(&response) { body in
                append(type, reply, &body)
                if seesAll(type.name, reply) {
                    body.member("unfitEntities", each: type.unfit.examples) {
                        $0.append(to: &$1)
                    }
                }
                body.append("}")
            }
        }
    }

    /// Whether no row of `type` is hidden from the caller: figures over all rows would tell of them.
    private func seesAll(_ type: TypeName, _ reply: Reply) -> Bool {
        reply.rights.map { $0.of(type).read == .all } ?? true
    }

    /// Answers with what the caller sees of `types`: at once where everything is known, else when
    /// rows and unfit entities have been counted on a worker.
    private func withReports(
        on types: [(name: TypeName, count: Int)], _ reply: Reply,
        _ response: inout ResponseWriter,
        _ answer: @escaping @Sendable ([TypeReport], inout ResponseWriter) -> Void
    ) {
        if let visible = typesWithoutCounting(types, reply) {
            let known = visible.compactMap { core.types.unfit.known($0.name) }
            if known.count == visible.count {
                return answer(TypeReport.all(visible, known), &response)
            }
        }
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let visible = try visibleTypes(of: types, reply)
            core.types.unfit.reports(on: visible.map(\.name)) { [self] reports in
                exchange.answer(self, reply) { response in
                    guard let reports else {
                        let problem = Problem(
                            .overloaded, "too much work waits already to look at every entity")
                        return self.fail(problem, reply, &response)
                    }
                    answer(TypeReport.all(visible, reports), &response)
                }
            }
        }
    }

    /// Appends the description of one type, but for its closing brace.
    private func append(
        _ report: TypeReport, _ reply: Reply, _ body: inout ByteBuffer
    ) {
        body.append("{")
        TypeDocument(core).append(
            report.name, count: report.count, unfit: report.unfit.count,
            seesAll: seesAll(report.name, reply), schema: true, to: &body)
    }
}

extension Problem {
    /// The type that is asked about is not there, or not for this caller.
    static var absentType: Problem {
        Problem(
            .unknownType, "this type is neither declared nor written",
            hint: "GET /v1/_types lists all types")
    }
}

/// A type as its caller sees it.
private struct TypeReport: Sendable {
    let name: TypeName
    /// Entities that the caller may read.
    let count: Int
    /// How many of all entities do not fit the schema.
    let unfit: UnfitCensus.Report

    static func all(
        _ types: [(name: TypeName, count: Int)], _ unfit: [UnfitCensus.Report]
    ) -> [TypeReport] {
        zip(types, unfit).map { TypeReport(name: $0.name, count: $0.count, unfit: $1) }
    }
}

extension UnfitEntity {
    /// `{"id","revision","errors":[{"pointer","code","detail"}]}`.
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        if let id = document.member(named: "id") {
            body.append("\"id\":")
            body.append(id.bytes)
            body.append(",")
        }
        body.append("\"revision\":")
        body.append(decimal: document.revision)
        body.member("errors", each: faults) { fault, body in
            body.append("{")
            body.member("pointer", fault.pointer)
            body.member("code", fault.code)
            body.member("detail", fault.detail)
            body.append("}")
        }
        body.append("}")
    }
}
