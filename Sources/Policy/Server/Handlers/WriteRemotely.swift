import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery
import FreshetRemote
import FreshetStore

extension WriteDestination {
    /// What the parameters of a write say; the texts are the request's.
    init(
        target: String?, wait: String?, endpoint: String?, parameters: [String: String]
    ) throws(Problem) {
        if let wait {
            guard wait == "remote", target == "both" else {
                throw .badParameter("wait", "'wait' is remote, and goes with target=both")
            }
        }
        switch target {
        case nil, "local": self.init(.local)
        case "remote": self.init(.remote)
        case "both": self.init(.both(waits: wait != nil))
        default: throw .badParameter("target", "'target' is local, remote or both")
        }
        guard let endpoint else {
            guard parameters.isEmpty else {
                throw .badParameter(
                    "endpoint", "there are parameters of an endpoint and no endpoint")
            }
            return
        }
        if isLocal {
            throw .badParameter(
                "endpoint", "'endpoint' of a write goes with target=remote or target=both")
        }
        self.endpoint = RemoteEndpoint(name: endpoint, parameters: parameters)
    }
}

extension FreshetService {
    /// Does `operation` where it is to be done, and answers.
    func commit(
        _ operation: WriteOperation, to destination: WriteDestination,
        _ start: IdempotentStart?, _ request: borrowing Request, _ reply: Reply,
        _ response: inout ResponseWriter, _ answer: EntityAnswer
    ) throws(Problem) {
        switch destination.target {
        case .local:
            commit(
                Transaction(operation), start: start, reply, &response,
                operation.isRemoval ? answer.writeRemoval : answer.write)
        case .remote:
            try check(operation, destination, reply)
            try writeRemotely(
                operation, destination.endpoint, start, reply, response.detach(), answer)
        case .both(let waits):
            try check(operation, destination, reply)
            writeToBoth(
                operation, destination.endpoint, waits, start, reply, response.detach(), answer)
        }
    }

    /// Refuses what no remote can be told of, before the request is detached.
    func check(
        _ operation: WriteOperation, _ destination: WriteDestination, _ reply: Reply
    ) throws(Problem) {
        guard !destination.isLocal else { return }
        do {
            _ = try core.outboxTarget(
                of: operation, via: destination.endpoint, for: reply.rights)
        } catch {
            throw Problem(error)
        }
    }

    private func writeRemotely(
        _ operation: WriteOperation, _ endpoint: RemoteEndpoint?, _ start: IdempotentStart?,
        _ reply: Reply, _ exchange: Exchange, _ answer: EntityAnswer
    ) throws(Problem) {
        do throws(CoreError) {
            try core.writeRemotely(
                operation, via: endpoint, for: reply.rights, requestID: reply.requestID.text,
                recorder: start?.ticket
            ) { [self] outcome in
                if case .here(let outcome) = outcome { start?.ticket?.finish(outcome) }
                exchange.answer(self, reply) { response in
                    guard case .here(.done(let receipt)) = outcome else {
                        if let problem = Problem(outcome) { self.fail(problem, reply, &response) }
                        return
                    }
                    operation.isRemoval
                        ? answer.writeRemoval(receipt, reply, &response)
                        : answer.write(receipt, reply, &response)
                }
            }
        } catch {
            exchange.answer(self, reply) { self.fail(Problem(error), reply, &$0) }
        }
    }

    private func writeToBoth(
        _ operation: WriteOperation, _ endpoint: RemoteEndpoint?, _ waits: Bool,
        _ start: IdempotentStart?, _ reply: Reply, _ exchange: Exchange, _ answer: EntityAnswer
    ) {
        writeToBoth(Transaction(operation), endpoint, start, reply) { [self] outcome, entries in
            guard case .done(let receipt) = outcome else {
                return exchange.answer(self, reply) { response in
                    if let problem = Problem(outcome, in: .whole) {
                        self.fail(problem, reply, &response)
                    }
                }
            }
            guard let entry = entries.first else {
                // The remote has it as it is here.
                return exchange.answer(self, reply) { answer.write(receipt, reply, &$0) }
            }
            guard waits else {
                return exchange.answer(self, reply) {
                    answer.write(receipt, to: entry, reply, &$0)
                }
            }
            awaitEnd(of: entry, receipt, reply, exchange, answer)
        }
    }

    private func awaitEnd(
        of entry: EntityID, _ receipt: WriteReceipt, _ reply: Reply, _ exchange: Exchange,
        _ answer: EntityAnswer
    ) {
        core.outbox.wait(for: entry, upTo: core.outbox.longestWait) { [self] ended in
            exchange.answer(self, reply) { response in
                self.answer(entry, ended, receipt, reply, &response, answer)
            }
        }
    }

    /// Gives the first answer to a write of one entity again. Who waits for the remote waits for what
    /// is left of it.
    func `repeat`(
        _ first: FirstAnswer, _ destination: WriteDestination, _ reply: Reply,
        _ response: inout ResponseWriter, _ answer: EntityAnswer, isRemoval: Bool = false
    ) {
        guard case .both(waits: true) = destination.target, let entry = first.entries.first
        else {
            if isRemoval, first.entries.isEmpty {
                return answer.writeRemoval(first.receipt, reply, &response)
            }
            return answer.write(first.receipt, to: first.entries.first, reply, &response)
        }
        awaitEnd(of: entry, first.receipt, reply, response.detach(), answer)
    }

    /// Commits `transaction` with the caller's rights, and has the remotes told of it.
    func writeToBoth(
        _ transaction: Transaction, _ endpoint: RemoteEndpoint?, _ start: IdempotentStart?,
        _ reply: Reply, completion: @escaping @Sendable (WriteOutcome, [EntityID]) -> Void
    ) {
        var transaction = guarded(transaction, reply)
        transaction.note(start)
        core.writeToBoth(transaction, via: endpoint) { outcome, entries in
            guard let ticket = start?.ticket else { return completion(outcome, entries) }
            ticket.finish(outcome, entries: entries) { completion(outcome, entries) }
        }
    }

    /// The answer of `wait=remote`.
    private func answer(
        _ id: EntityID, _ ended: OutboxEntry?, _ receipt: WriteReceipt, _ reply: Reply,
        _ response: inout ResponseWriter, _ answer: EntityAnswer
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
    /// Why a write that the remote was asked for first was not done; nil where it was.
    init?(_ outcome: DirectOutcome) {
        switch outcome {
        case .here(let outcome): self.init(outcome, in: .whole)
        case .upstream(let error, let name): self.init(error, of: name)
        case .busy:
            self.init(
                .gated, "a change of this entity waits in the outbox and comes first",
                hint: "use target=both, or look at GET /v1/_outbox")
        }
    }

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
