import FreshetBase
package import FreshetCore
import FreshetEngine
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
    /// Does a write of one entity where it is to be done, and answers.
    ///
    /// - Parameter operation: Is not asked where the answer is that of before.
    func write(
        to destination: WriteDestination, _ start: IdempotentStart?, _ reply: Reply,
        _ response: inout ResponseWriter, _ answer: EntityAnswer, isRemoval: Bool = false,
        _ operation: () throws(Problem) -> WriteOperation
    ) throws(Problem) {
        let author = author(reply, of: destination)
        let done: WriteReply
        var answer = answer
        if let first = start?.first {
            if !core.writer.mayShow(first, of: answer.type, to: author) { answer.isMinimal = true }
            done = core.writer.answerAgain(first, to: destination, isOfEntity: true, by: author)
        } else {
            let order = WriteOrder(
                .transaction(Transaction(try operation())), to: destination, isOfEntity: true,
                by: author, start?.ticket, key: start?.key ?? [])
            do throws(CoreError) { done = try core.writer.write(order) } catch {
                throw Problem(error)
            }
        }
        self.answer(done, in: .whole, reply, &response) { [answer] in
            answer.write($0, isRemoval: isRemoval, $1, &$2)
        }
    }

    /// Answers when a write is done: at once, or detached.
    ///
    /// - Parameters:
    ///   - places: Where its changes stand in the body.
    ///   - show: Writes what was done.
    func answer(
        _ done: consuming WriteReply, in places: ListPlace, _ reply: Reply,
        _ response: inout ResponseWriter,
        _ show: @escaping @Sendable (consuming WriteAnswer, Reply, inout ResponseWriter) -> Void
    ) {
        switch consume done {
        case .now(let result): finish(result, in: places, reply, &response, show)
        case .later(let later):
            let exchange = detachWrite(&response)
            later.begin(isCancelled: { exchange.isCancelled }) { result in
                if self.sendsOn(result, reply, exchange) { return }
                exchange.answer(self, reply) { response in
                    self.finish(result, in: places, reply, &response, show)
                }
            }
        }
    }

    func finish(
        _ result: consuming Result<WriteAnswer, WriteFailure>, in places: ListPlace,
        _ reply: Reply, _ response: inout ResponseWriter,
        _ show: (consuming WriteAnswer, Reply, inout ResponseWriter) -> Void
    ) {
        switch consume result {
        case .success(let answer): show(answer, reply, &response)
        case .failure(let failure): fail(Problem(failure, in: places), reply, &response)
        }
    }
}

extension EntityAnswer {
    /// Shows what has become of the entity.
    func write(
        _ answer: consuming WriteAnswer, isRemoval: Bool, _ reply: Reply,
        _ response: inout ResponseWriter
    ) {
        guard case .done(let receipt, let delivery) = consume answer else {
            // What the store holds under its key is no answer to a write of one entity.
            let problem = Problem(
                .idempotencyMismatch, "this Idempotency-Key came with another request before")
            return reply.fail(problem, &response)
        }
        switch delivery {
        case .none where isRemoval, .delivered(_, nil): writeRemoval(receipt, reply, &response)
        case .none: write(receipt, to: nil, reply, &response)
        case .underWay(let entries): write(receipt, to: entries.first, reply, &response)
        case .delivered(_, let current?):
            let result = WriteResult(
                document: current, revision: current.revision, created: receipt.first.created,
                changed: receipt.first.changed)
            write(receipt, to: nil, showing: result, reply, &response)
        }
    }

    /// The answer to a removal: nothing is left to show.
    private func writeRemoval(
        _ receipt: WriteReceipt, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.at(receipt.cursor).begin(204, &response)
        receipt.appendHeaders(to: &response)
        response.end()
    }
}

extension Problem {
    /// A write that must not overtake one that the remote has yet to learn of.
    static let behindOutbox = Problem(
        .gated,
        "another change of this entity is on its way to its remote, or waits in the outbox,"
            + " and comes first",
        hint: "try again, use target=both, or look at GET /v1/_outbox",
        members: [.text("gate", "outbox")])

    /// Why a write was not done.
    ///
    /// - Parameter places: Where its changes stand in the body.
    package init(_ failure: WriteFailure, in places: ListPlace) {
        switch failure {
        case .refused(let error): self.init(error)
        case .notCommitted(let outcome), .notAsked(.here(let outcome)):
            self =
                Problem(outcome, in: places) ?? Problem(.internal, "the write has no outcome")
        case .notAsked(.upstream(let error, let name)):
            self.init(error, of: name)
            if error.leavesUnsure {
                self = asUnsure
                hint = "get the entity with source=remote: the upstream may have done it"
            }
        case .notAsked(.unkept(let outcome, let name)): self.init(unkept: outcome, by: name)
        case .notAsked(.busy):
            self = .behindOutbox
        case .undelivered(let entry, let id): self.init(undelivered: entry, id)
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
