import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore

// Writes of several entities that the remote is to learn of. With target=both: one commit here, all or
// nothing, and an entry of the outbox for each change. With target=remote each is asked for by
// itself, since a remote knows no such commit, and the answer tells how each has ended.

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
        body.member("outbox", each: entries) { entry, body in
            body.append(jsonString: "/v1/_outbox/\(entry.text)")
        }
    }
}

extension FreshetService {
    /// Commits any number of operations where they are to be done, and answers.
    ///
    /// - Parameter answer: Of one commit; what a remote is asked for first has an answer of its own.
    func commit(
        _ operations: [WriteOperation], _ destination: WriteDestination, places: ListPlace,
        isMinimal: Bool, start: IdempotentStart?, _ reply: Reply, _ exchange: Exchange,
        _ answer: @escaping @Sendable (ManyReceipt, Reply, inout ResponseWriter) -> Void
    ) throws(Problem) {
        switch destination.target {
        case .local:
            commit(
                operations, places: places, isMinimal: isMinimal, start: start, reply, exchange
            ) {
                answer(ManyReceipt(receipt: $0), $1, &$2)
            }
        case .remote:
            try writeEach(
                operations, destination.endpoint, isMinimal: isMinimal, start, reply, exchange)
        case .both(let waits):
            for operation in operations { try check(operation, destination, reply) }
            guard let transaction = Transaction(operations: operations) else {
                return commit(
                    operations, places: places, isMinimal: isMinimal, start: start, reply, exchange
                ) {
                    answer(ManyReceipt(receipt: $0), $1, &$2)
                }
            }
            writeToBoth(transaction, destination.endpoint, start, reply) {
                [self] outcome, entries in
                guard case .done(let receipt) = outcome else {
                    return exchange.answer(self, reply) { response in
                        if let problem = Problem(outcome, in: places) {
                            self.fail(problem, reply, &response)
                        }
                    }
                }
                self.answer(
                    ManyReceipt(receipt: receipt, entries: entries), waits: waits, reply, exchange,
                    answer)
            }
        }
    }

    /// Answers, behind the ends of all entries where the caller waits for them.
    private func answer(
        _ all: ManyReceipt, waits: Bool, _ reply: Reply, _ exchange: Exchange,
        _ answer: @escaping @Sendable (ManyReceipt, Reply, inout ResponseWriter) -> Void
    ) {
        guard waits, !all.entries.isEmpty else {
            return exchange.answer(self, reply) { answer(all, reply, &$0) }
        }
        awaitEnds(of: all.entries) { [self] problem, isOver in
            exchange.answer(self, reply) { response in
                if let problem { return self.fail(problem, reply, &response) }
                answer(isOver ? ManyReceipt(receipt: all.receipt) : all, reply, &response)
            }
        }
    }

    /// Has the remotes asked for each of `operations`, and tells how each has ended.
    private func writeEach(
        _ operations: [WriteOperation], _ endpoint: RemoteEndpoint?, isMinimal: Bool,
        _ start: IdempotentStart?, _ reply: Reply, _ exchange: Exchange
    ) throws(Problem) {
        // Before anything happens: what is removed has no form any more.
        let ids = operations.map { core.idJSON(of: $0) }
        do throws(CoreError) {
            try core.writeRemotely(
                operations, via: endpoint, for: reply.rights, requestID: reply.requestID.text
            ) { [self] outcomes in
                let results = EachResult.all(operations, ids, outcomes)
                let answer = EachAnswer(results, at: core.store.cursor, core.store.durability)
                guard let ticket = start?.ticket else {
                    return exchange.answer(self, reply) {
                        answer.write(isMinimal: isMinimal, reply, &$0)
                    }
                }
                let kept = isMinimal && answer.failed == 0 ? [] : answer.body
                ticket.keep(kept, answer.head) { [self] in
                    exchange.answer(self, reply) {
                        answer.write(isMinimal: isMinimal, reply, &$0)
                    }
                }
            }
        } catch {
            throw Problem(error)
        }
    }

    /// Gives the first answer to a request of several writes again.
    ///
    /// - Parameter answer: Of one commit.
    func `repeat`(
        _ first: FirstAnswer, _ destination: WriteDestination, _ reply: Reply,
        _ response: inout ResponseWriter,
        _ answer: @escaping @Sendable (ManyReceipt, Reply, inout ResponseWriter) -> Void
    ) {
        if let body = first.whole {
            reply.begin(body.isEmpty ? 204 : 200, &response)
            first.receipt.appendHeaders(to: &response)
            if body.isEmpty { return response.end() }
            response.header("Content-Type", "application/json")
            return body.withUnsafeBytes { response.end(bytes: $0) }
        }
        guard case .both(waits: true) = destination.target, !first.entries.isEmpty else {
            return answer(
                ManyReceipt(receipt: first.receipt, entries: first.entries), reply, &response)
        }
        `repeat`(first, destination, reply, response.detach(), answer)
    }

    /// The same for a request that is detached already, of an answer that is made of a commit.
    func `repeat`(
        _ first: FirstAnswer, _ destination: WriteDestination, _ reply: Reply, _ exchange: Exchange,
        _ answer: @escaping @Sendable (ManyReceipt, Reply, inout ResponseWriter) -> Void
    ) {
        let waits = if case .both(waits: true) = destination.target { true } else { false }
        self.answer(
            ManyReceipt(receipt: first.receipt, entries: first.entries), waits: waits, reply,
            exchange, answer)
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
            core.outbox.wait(for: entry, upTo: core.outbox.longestWait) { ended in
                ends.take(ended, entry)
            }
        }
    }
}

/// How one of several writes that a remote was asked for first has ended.
private struct EachResult: Sendable {
    let id: [UInt8]
    let isRemoval: Bool
    let outcome: DirectOutcome

    static func all(
        _ operations: [WriteOperation], _ ids: [[UInt8]], _ outcomes: [DirectOutcome]
    ) -> [EachResult] {
        operations.indices.map { index in
            EachResult(
                id: ids[index], isRemoval: operations[index].isRemoval, outcome: outcomes[index])
        }
    }

    var receipt: WriteReceipt? {
        if case .here(.done(let receipt)) = outcome { receipt } else { nil }
    }

    /// `{"status","id","revision","changed"}`, or `{"status","id","problem"}`.
    func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("status")
        guard let result = receipt?.first else {
            guard let problem = Problem(outcome) else {
                preconditionFailure("a write that is not done has a problem")
            }
            body.append(decimal: problem.status)
            body.member("id")
            body.append(id)
            body.member("problem")
            problem.encodeAsMember(into: &body)
            return body.append("}")
        }
        body.append(decimal: isRemoval ? 204 : result.created ? 201 : 200)
        body.member("id")
        // The remote may have given it another.
        if let id = result.document?.member(named: "id") {
            body.append(id.bytes)
        } else {
            body.append(id)
        }
        body.member("revision", result.revision)
        body.member("changed", result.changed)
        body.append("}")
    }
}

/// The answer to several writes that remotes were asked for first.
private struct EachAnswer: Sendable {
    let changed: Int
    let failed: Int
    let cursor: Cursor
    let durability: Durability
    /// `{"results":[…],"meta":{"count","changed","failed","revision"}}`
    let body: [UInt8]

    /// - Parameters:
    ///   - cursor: Of the state behind all of them.
    ///   - durability: Where none of them was committed.
    init(_ results: [EachResult], at cursor: Cursor, _ durability: Durability) {
        let receipts = results.compactMap(\.receipt)
        changed = receipts.count(where: \.changed)
        failed = results.count - receipts.count
        self.cursor = cursor
        self.durability =
            receipts.map(\.durability).min { $0.rawValue < $1.rawValue } ?? durability
        var body = ByteBuffer(capacity: 64 + 64 * results.count)
        body.append("{\"results\":[")
        for (index, result) in results.enumerated() {
            if index > 0 { body.append(",") }
            result.append(to: &body)
        }
        body.append("],\"meta\":{\"count\":")
        body.append(decimal: results.count)
        body.member("changed", changed)
        body.member("failed", failed)
        body.member("revision", cursor.seq)
        body.append("}}\n")
        self.body = Array(body.bytes)
    }

    var head: AnswerHead {
        AnswerHead(seq: cursor.seq, changed: changed > 0, durability: durability)
    }

    /// What has failed is shown also where little is wanted.
    func write(isMinimal: Bool, _ reply: Reply, _ response: inout ResponseWriter) {
        let isShort = isMinimal && failed == 0
        reply.begin(isShort ? 204 : 200, &response)
        response.header("Freshet-Durability", text: durability.name)
        response.header("Freshet-Cursor", text: cursor.description)
        response.header("Freshet-Changed", text: changed > 0 ? "true" : "false")
        if isShort { return response.end() }
        response.header("Content-Type", "application/json")
        body.withUnsafeBytes { response.end(bytes: $0) }
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
