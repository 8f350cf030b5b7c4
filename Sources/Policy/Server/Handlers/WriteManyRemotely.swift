import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetStore

// Writes of several entities that the remote is to learn of: one commit here, all or nothing, and an
// entry of the outbox for each change. A remote knows no such commit: that it is asked first for
// several entities at once could not keep "all or nothing", so that `target=remote` is for one.

/// Where a write of several entities goes.
enum ManyTarget: Sendable {
    case local
    /// Here at once, and to the remote through the outbox.
    case both(waits: Bool)
}

/// What was made of a write of several entities.
struct ManyReceipt: Sendable {
    let receipt: WriteReceipt
    /// Entries of the outbox, in the order of the operations; empty where nothing is sent.
    var entries: [EntityID] = []

    /// Ends the head of an answer; 202 where changes are on their way.
    func begin(
        _ status: Int, isMinimal: Bool = false, _ reply: Reply, _ response: inout ResponseWriter
    ) {
        reply.begin(entries.isEmpty ? isMinimal ? 204 : status : 202, &response)
        receipt.appendHeaders(to: &response)
        guard let first = entries.first else { return }
        response.header(
            "Location", text: entries.count == 1 ? "/v1/_outbox/\(first.text)" : "/v1/_outbox")
    }

    /// `,"outbox":[…]`, the addresses of the entries, where there are any.
    func appendEntries(to body: inout ByteBuffer) {
        guard !entries.isEmpty else { return }
        body.append(",\"outbox\":[")
        for (index, entry) in entries.enumerated() {
            if index > 0 { body.append(",") }
            body.append(jsonString: "/v1/_outbox/\(entry.text)")
        }
        body.append("]")
    }
}

extension FreshetService {
    /// What `target` and `wait` of a write of several entities ask for.
    func manyTarget(_ values: [String: String]) throws(Problem) -> ManyTarget {
        if let wait = values["wait"] {
            guard wait == "remote", values["target"] == "both" else {
                throw .badParameter("wait", "'wait' is remote, and goes with target=both")
            }
        }
        switch values["target"] {
        case nil, "local": return .local
        case "both": return .both(waits: values["wait"] != nil)
        case "remote":
            throw Problem(
                .badParameter,
                "a remote is asked first for one entity at a time: it knows no all or nothing",
                hint: "write target=both, or each entity by itself",
                errors: [
                    Problem.Fault(
                        parameter: "target", code: "bad-parameter",
                        detail: "'target' is local or both for several entities")
                ])
        default: throw .badParameter("target", "'target' is local or both for several entities")
        }
    }

    /// Commits any number of operations, has the remotes told where that is asked for, and answers.
    func commit(
        _ operations: [WriteOperation], _ target: ManyTarget, places: ListPlace,
        start: IdempotentStart?, _ reply: Reply, _ exchange: Exchange,
        _ answer: @escaping @Sendable (ManyReceipt, Reply, inout ResponseWriter) -> Void
    ) throws(Problem) {
        guard case .both(let waits) = target, var transaction = Transaction(operations: operations)
        else {
            return commit(operations, places: places, start: start, reply, exchange) {
                answer(ManyReceipt(receipt: $0), $1, &$2)
            }
        }
        for operation in operations {
            _ = try outboxTarget(of: operation.type, operation.isRemoval ? .remove : .update, reply)
        }
        let outboxTicket = OutboxTicket(core.outbox)
        transaction.companion = outboxTicket
        transaction.note(start)
        commit(transaction, reply) { [self] outcome in
            let made = outboxTicket.finish(outcome)
            start?.ticket?.finish(outcome)
            guard case .done(let receipt) = outcome else {
                return exchange.answer(self, reply) { response in
                    if let problem = Problem(outcome, in: places) {
                        self.fail(problem, reply, &response)
                    }
                }
            }
            // Entries are in the order of the operations that have changed something.
            var rest = made[...]
            let known = operations.indices.map { receipt[$0].changed ? rest.popFirst() : nil }
            enter(operations, receipt, known, from: 0) { [self] entries in
                let all = ManyReceipt(receipt: receipt, entries: entries.compactMap(\.self))
                guard waits, !all.entries.isEmpty else {
                    return exchange.answer(self, reply) { answer(all, reply, &$0) }
                }
                awaitEnds(of: all.entries) { [self] problem, isOver in
                    exchange.answer(self, reply) { response in
                        if let problem { return self.fail(problem, reply, &response) }
                        answer(isOver ? ManyReceipt(receipt: receipt) : all, reply, &response)
                    }
                }
            }
        }
    }

    /// Has the remote told of what has not changed here, too, where it may not have it: one after the
    /// other.
    private func enter(
        _ operations: [WriteOperation], _ receipt: WriteReceipt, _ entries: [EntityID?],
        from first: Int, _ completion: @escaping @Sendable ([EntityID?]) -> Void
    ) {
        let next = operations.indices[first...].first { index in
            // A row that does not match any more stays there, too.
            if case .remove(_, _, .stillMatches) = operations[index] { return false }
            return entries[index] == nil
        }
        guard let index = next else { return completion(entries) }
        sendUnchanged(operations[index], receipt[index], nil) { [self] entry in
            var entries = entries
            entries[index] = entry
            enter(operations, receipt, entries, from: index + 1, completion)
        }
    }

    /// Waits for the ends of `entries`, all within one bound.
    ///
    /// - Parameter completion: Gets why one of them was not delivered, and whether all have ended.
    private func awaitEnds(
        of entries: [EntityID],
        _ completion: @escaping @Sendable (Problem?, _ isOver: Bool) -> Void
    ) {
        let ends = OutboxEnds(entries.count, completion)
        for entry in entries {
            core.outbox.wait(for: entry, upTo: Outbox.longestWait) { ended in
                ends.take(ended, entry)
            }
        }
    }
}

/// Gathers the ends of several entries.
// SAFETY: all mutable state is read and written under `lock`.
private final class OutboxEnds: @unchecked Sendable {
    private let lock = Lock()
    private var left: Int
    private var problem: Problem?
    private var isOver = true
    private let completion: @Sendable (Problem?, Bool) -> Void

    init(_ count: Int, _ completion: @escaping @Sendable (Problem?, Bool) -> Void) {
        left = count
        self.completion = completion
    }

    func take(_ entry: OutboxEntry?, _ id: EntityID) {
        let isLast = lock.withLock {
            switch entry?.state {
            case .done, .superseded: break
            case .pending, .sending: isOver = false
            case .rejected, .dead, nil:
                if problem == nil { problem = Problem(undelivered: entry, id) }
            }
            left -= 1
            return left == 0
        }
        guard isLast else { return }
        let end = lock.withLock { (problem, isOver) }
        completion(end.0, end.1)
    }
}
