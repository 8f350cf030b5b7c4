import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetRemote
import FreshetStore

/// Where a write goes (operations.md section 1).
enum WriteTarget: Sendable {
    case local
    /// The remote first, and here what it answers.
    case remote(OutboxTarget)
    /// Here at once, and to the remote through the outbox.
    case both(waits: Bool)
}

extension FreshetService {
    /// What `target` and `wait` of a write ask for.
    ///
    /// - Parameter operation: What the remote must have a request for; to create also serves a
    ///   request that updates.
    func writeTarget(
        _ values: [String: String], _ type: TypeName, _ operation: OutboxEntry.Operation,
        _ reply: Reply
    ) throws(Problem) -> WriteTarget {
        if let wait = values["wait"] {
            guard wait == "remote", values["target"] == "both" else {
                throw .badParameter("wait", "'wait' is remote, and goes with target=both")
            }
        }
        switch values["target"] {
        case nil, "local": return .local
        case "remote", "both": break
        default: throw .badParameter("target", "'target' is local, remote or both")
        }
        do { try core.check(type) } catch { throw Problem(error) }
        let target = try outboxTarget(of: type, operation, reply)
        return values["target"] == "remote"
            ? .remote(target) : .both(waits: values["wait"] != nil)
    }

    /// Where a change of an entity of `type` goes, which the caller may have sent.
    func outboxTarget(
        of type: TypeName, _ operation: OutboxEntry.Operation, _ reply: Reply
    ) throws(Problem) -> OutboxTarget {
        guard let target = core.outbox.target(of: type) else {
            throw .badParameter("target", "entities of '\(type.text)' have no remote")
        }
        guard target.operations.contains(target.sent(operation)) else {
            throw .badParameter(
                "target", "the remote of '\(type.text)' has no request to \(operation.rawValue)")
        }
        if let rights = reply.rights, rights.of(type).level != .remote {
            throw Problem(.forbidden, "this caller may not have upstreams asked for this type")
        }
        return target
    }

    /// Does `operation` where it is to be done, and answers.
    func commit(
        _ operation: WriteOperation, _ target: WriteTarget, _ start: IdempotentStart?,
        _ request: borrowing Request, _ reply: Reply, _ response: inout ResponseWriter,
        _ answer: EntityAnswer
    ) throws(Problem) {
        switch target {
        case .local:
            commit(
                Transaction(operation), start: start, reply, &response,
                operation.isRemoval ? answer.writeRemoval : answer.write)
        case .remote(let target):
            writeRemotely(operation, target, start, reply, response.detach(), answer)
        case .both(let waits):
            writeToBoth(operation, waits, start, reply, response.detach(), answer)
        }
    }

    private func writeRemotely(
        _ operation: WriteOperation, _ target: OutboxTarget, _ start: IdempotentStart?,
        _ reply: Reply, _ exchange: Exchange, _ answer: EntityAnswer
    ) {
        core.writeRemotely(
            operation, to: target, for: reply.rights, requestID: reply.requestID.text,
            recorder: start?.ticket
        ) { [self] outcome in
            if case .here(let outcome) = outcome { start?.ticket?.finish(outcome) }
            exchange.answer(self, reply) { response in
                switch outcome {
                case .here(.done(let receipt)):
                    operation.isRemoval
                        ? answer.writeRemoval(receipt, reply, &response)
                        : answer.write(receipt, reply, &response)
                case .here(let outcome):
                    if let problem = Problem(outcome, in: .whole) {
                        self.fail(problem, reply, &response)
                    }
                case .upstream(let error):
                    self.fail(
                        Problem(error, of: target.source.upstreamName), reply, &response)
                case .busy:
                    self.fail(
                        Problem(
                            .gated, "a change of this entity waits in the outbox and comes first",
                            hint: "use target=both, or look at GET /v1/_outbox"),
                        reply, &response)
                }
            }
        }
    }

    private func writeToBoth(
        _ operation: WriteOperation, _ waits: Bool, _ start: IdempotentStart?, _ reply: Reply,
        _ exchange: Exchange, _ answer: EntityAnswer
    ) {
        let outboxTicket = OutboxTicket(core.outbox)
        var transaction = Transaction(operation)
        transaction.companion = outboxTicket
        transaction.note(start)
        commit(transaction, reply) { [self] outcome in
            let entry = outboxTicket.finish(outcome).first
            start?.ticket?.finish(outcome)
            guard case .done(let receipt) = outcome else {
                return exchange.answer(self, reply) { response in
                    if let problem = Problem(outcome, in: .whole) {
                        self.fail(problem, reply, &response)
                    }
                }
            }
            sendUnchanged(operation, receipt.first, entry) { [self] entry in
                guard let entry else {
                    // The remote has it as it is here.
                    return exchange.answer(self, reply) { answer.write(receipt, reply, &$0) }
                }
                guard waits else {
                    return exchange.answer(self, reply) {
                        answer.write(receipt, to: entry, reply, &$0)
                    }
                }
                core.outbox.wait(for: entry, upTo: Outbox.longestWait) { [self] ended in
                    exchange.answer(self, reply) { response in
                        self.answer(entry, ended, receipt, operation, reply, &response, answer)
                    }
                }
            }
        }
    }

    /// The entry that tells the remote: `entry`, one that is on its way already, or a new one where
    /// nothing has changed here and the remote may not have it.
    func sendUnchanged(
        _ operation: WriteOperation, _ result: WriteResult, _ entry: EntityID?,
        _ completion: @escaping @Sendable (EntityID?) -> Void
    ) {
        if entry != nil { return completion(entry) }
        let row = result.document
        let id: EntityID
        switch operation {
        case .set(_, let document, _): id = document.id
        case .merge(_, let named, _, _), .remove(_, let named, _): id = named
        case .refresh, .retire: return completion(nil)
        }
        if let waiting = core.outbox.newest(operation.type, id) { return completion(waiting) }
        if let row, row.isFetched || core.outbox.isConfirmed(operation.type, row) {
            return completion(nil)
        }
        core.outbox.enqueue(operation.type, id, row, completion: completion)
    }

    /// The answer of `wait=remote`.
    private func answer(
        _ id: EntityID, _ ended: OutboxEntry?, _ receipt: WriteReceipt,
        _ operation: WriteOperation, _ reply: Reply, _ response: inout ResponseWriter,
        _ answer: EntityAnswer
    ) {
        switch ended?.state {
        case .done, .superseded:
            // What the remote has made of it, where it may still be read.
            let current = ended.flatMap { ended in
                ended.entity.withBytes {
                    try? core.entity(ended.type, idBytes: $0, for: reply.rights)
                }
            }
            guard let current else {
                return answer.writeRemoval(receipt, reply, &response)
            }
            let result = WriteResult(
                document: current, revision: current.revision, created: receipt.first.created,
                changed: receipt.first.changed)
            answer.write(receipt, to: nil, showing: result, reply, &response)
        case .rejected, .dead: fail(Problem(undelivered: ended, id), reply, &response)
        case .pending, .sending:
            // It has taken too long: the entry tells what becomes of it.
            answer.write(receipt, to: ended?.id ?? id, reply, &response)
        case nil: fail(Problem(undelivered: nil, id), reply, &response)
        }
    }
}

extension Problem {
    /// Why the remote has not learnt of a change.
    ///
    /// - Parameter entry: As it has ended; nil where it was removed.
    init(undelivered entry: OutboxEntry?, _ id: EntityID) {
        let place = Member.text("entry", "/v1/_outbox/\((entry?.id ?? id).text)")
        guard let entry else {
            self.init(
                .notFound, "the change was taken out of the outbox before it was delivered",
                members: [place])
            return
        }
        var members = [place, .text("outcome", entry.state.rawValue)]
        if let status = entry.fault?.status { members.append(.number("upstreamStatus", status)) }
        self.init(
            ProblemCode(rawValue: entry.fault?.code ?? "") ?? .upstreamStatus,
            entry.state == .rejected
                ? "the upstream will not have this change"
                : "the upstream could not be told of this change",
            members: members)
    }
}

extension EntityAnswer {
    /// The answer to a removal: nothing is left to show.
    func writeRemoval(_ receipt: WriteReceipt, _ reply: Reply, _ response: inout ResponseWriter) {
        reply.begin(204, &response)
        receipt.appendHeaders(to: &response)
        response.end()
    }
}

extension WriteOperation {
    /// Whether nothing of the entity is left.
    var isRemoval: Bool {
        if case .remove = self { true } else { false }
    }
}
