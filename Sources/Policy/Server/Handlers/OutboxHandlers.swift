import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetStore

// What operators see and order of the outbox.

extension FreshetService {
    /// `GET /v1/_outbox`: entries, oldest first.
    func listOutbox(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        if try answersAsSearch(.outbox, besides: ["state", "limit"], call, &response) { return }
        let values = try call.context.onlyParameters("state", "limit")
        try call.request.acceptedMedia.checkJSON()
        var state: OutboxEntry.State?
        if let name = values["state"] {
            state = OutboxEntry.State(rawValue: name)
            if state == nil {
                throw .badParameter(
                    "state",
                    "'state' is one of "
                        + OutboxEntry.State.allCases.map(\.rawValue).joined(separator: ", "))
            }
        }
        var limit = 100
        if let text = values["limit"] {
            guard let value = Int(text), (0...1_000).contains(value) else {
                throw .badParameter("limit", "'limit' is a number from 0 to 1000")
            }
            limit = value
        }
        let (asked, most) = (state, limit)
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let entries = core.outbox.entries(in: asked, limit: most)
            exchange.answer(self, reply) { response in
                reply.json(&response) { body in
                    body.append(items: entries) { $1.append($0.json) }
                }
            }
        }
    }

    /// `GET /v1/_outbox/{id}`.
    func outboxEntry(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        if try answersAsRow(.outbox, call, &response) { return }
        try call.checkPlainJSON()
        let id = try call.context.id()
        guard let entry = core.outbox.entry(id) else { throw Self.noEntry(id) }
        show(entry, call.reply, &response)
    }

    /// `DELETE /v1/_outbox/{id}`: gives an entry up; the entity stays as it is here.
    func removeOutboxEntry(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem)
    {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        let id = try call.context.id()
        let exchange = detachWrite(&response)
        core.outbox.remove(id) { [self] outcome in answer(outcome, of: id, reply, exchange) }
    }

    /// `POST /v1/_outbox/{id}/retry`: tries a dead entry again, or a waiting one now.
    func retryOutboxEntry(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem)
    {
        let reply = call.reply
        _ = try call.context.onlyParameters()
        let id = try call.context.id()
        let exchange = detachWrite(&response)
        core.outbox.retry(id) { [self] outcome in answer(outcome, of: id, reply, exchange) }
    }

    private static func noEntry(_ id: EntityID) -> Problem {
        .absent(
            "entry of the outbox", id.text,
            hint: "entries that have ended are kept for a while; GET /v1/_outbox lists them")
    }

    private func answer(
        _ outcome: Outbox.OrderOutcome, of id: EntityID, _ reply: Reply, _ exchange: Exchange
    ) {
        if case .failed(let outcome) = outcome, sendsOn(outcome, for: reply, exchange) { return }
        exchange.answer(self, reply) { response in
            switch outcome {
            case .done(let entry?): self.show(entry, reply, &response)
            case .done(nil):
                reply.empty(&response)
            case .absent: self.fail(Self.noEntry(id), reply, &response)
            case .notDue(let state):
                var problem = Problem(
                    .badRequest, "an entry that is \(state.rawValue) is not tried again",
                    hint: "only dead and pending entries are",
                    members: [.text("state", state.rawValue)])
                problem.status = 409
                self.fail(problem, reply, &response)
            case .failed(let outcome):
                if let problem = Problem(outcome, in: .whole) {
                    self.fail(problem, reply, &response)
                }
            }
        }
    }

    private func show(
        _ entry: Document, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.beginJSON(&response)
        response.end(bytes: entry.line)
    }
}
