import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

extension FreshetService {
    /// `DELETE /v1/{type}?filter=…` or `?ids=…`.
    func removeMany(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let type = try call.context.type()
        let (values, destination) = try call.context.writeParameters(["filter", "ids", "all"])
        let isConfirmed = try call.context.flag("all", in: values)
        var parser = try parser(type, call.reply)
        do {
            for index in 0..<call.context.parameters.count {
                let name = String(decoding: call.context.parameters.name(index), as: UTF8.self)
                guard name == "filter" || name == "ids", let value = values[name] else { continue }
                try call.context.give(index, name: name, value: value, to: &parser)
            }
        } catch {
            throw Problem(error)
        }
        let isSelective = values["filter"] != nil || values["ids"] != nil
        try check(isSelective: isSelective, isConfirmed: isConfirmed)
        if !isSelective, !isConfirmed {
            throw Problem(
                .badParameter, "without filter or ids this would remove every entity of the type",
                hint: "add all=true if that is meant")
        }
        let start = try idempotency(call, isInQuery: true)
        try remove(parser, destination, start, call, &response)
    }

    /// `POST /v1/{type}/_remove`: the same with the query as a JSON body.
    func removeManyByBody(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem)
    {
        let type = try call.context.type()
        let destination = try call.context.writeParameters().destination
        var parser = try parser(type, call.reply)
        let all: String?
        do throws(QueryFault) {
            all = try parser.take(body: call.request.body, besides: ["all"]).first?.value
        } catch {
            throw error.parameter == "all" ? Self.noConfirmation : Problem(error)
        }
        let selective = ["filter", "ids"]
        if let name = parser.given.sorted().first(where: { !selective.contains($0) }) {
            throw Problem.unknownMember(name, among: selective + ["all"], .badParameter)
        }
        if let all, all != "true", all != "false" {
            throw Self.noConfirmation
        }
        let isSelective = !parser.given.isEmpty
        let isConfirmed = all == "true"
        try check(isSelective: isSelective, isConfirmed: isConfirmed)
        guard isSelective || isConfirmed else {
            throw Problem(
                .badParameter, "the body names neither filter nor ids",
                hint: "send {\"ids\":[…]} or {\"filter\":…}, or {\"all\":true} for every entity")
        }
        let start = try idempotency(call)
        try remove(parser, destination, start, call, &response)
    }

    private static let noConfirmation = Problem.badParameter("all", "'all' is true or false")

    /// Refuses to guess whether some or all of the entities are meant.
    private func check(isSelective: Bool, isConfirmed: Bool) throws(Problem) {
        guard isSelective, isConfirmed else { return }
        throw .badParameter(
            "all", "'all' means every entity of the type, and filter or ids mean some of them",
            hint: "leave one of them out")
    }

    private func parser(_ type: TypeName, _ reply: Reply) throws(Problem) -> QueryParser {
        do { return try core.reader.queryParser(type, for: reply.rights) } catch {
            throw Problem(error)
        }
    }

    /// Finds what the query matches now, then removes what of it still matches at the commit.
    private func remove(
        _ parser: consuming QueryParser, _ destination: WriteDestination,
        _ start: IdempotentStart?, _ call: borrowing Call, _ response: inout ResponseWriter
    ) throws(Problem) {
        let query: Query
        do { query = try parser.finish() } catch { throw Problem(error) }
        let answer = ManyAnswer(
            isMinimal: call.request.wantsMinimal,
            nothing: WholeAnswer.kept("{\"removed\":[]}\n")
        ) { receipt in
            // In the form in which they were stored.
            let removed = (0..<receipt.count).compactMap { receipt[$0].removed }
            return ReceiptItems(name: "removed", count: removed.count, hasMeta: false) {
                if let id = removed[$0].member(named: "id") { $1.append(id.bytes) }
            }
        }
        try write(
            ManyChanges(content: .removal(of: query)), to: destination, start, call.reply,
            &response, answer)
    }
}
