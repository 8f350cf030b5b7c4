import FreshetCore
import FreshetHTTPServer
import FreshetStore

// The one way from a handler to the writer: it takes the caller's rights along, and asks again
// whether the caller is still one before the answer is sent.

extension FreshetService {
    /// Commits and answers: at once where the store commits on this thread, else detached.
    func commit(
        _ transaction: Transaction, places: ListPlace = .whole,
        start: IdempotentStart? = nil, _ reply: Reply, _ response: inout ResponseWriter,
        _ answer: @escaping @Sendable (WriteReceipt, Reply, inout ResponseWriter) -> Void
    ) {
        var transaction = guarded(transaction, reply)
        transaction.note(start)
        if let outcome = core.commitNow(transaction) {
            start?.ticket?.finish(outcome)
            return finish(outcome, places, reply, &response, answer)
        }
        let exchange = response.detach()
        core.commit(transaction) { outcome in
            start?.ticket?.finish(outcome)
            exchange.answer(self, reply) { response in
                self.finish(outcome, places, reply, &response, answer)
            }
        }
    }

    /// The same for a request that is detached already.
    func commit(
        _ transaction: Transaction, places: ListPlace, start: IdempotentStart?,
        _ reply: Reply, _ exchange: Exchange,
        _ answer: @escaping @Sendable (WriteReceipt, Reply, inout ResponseWriter) -> Void
    ) {
        var transaction = transaction
        transaction.note(start)
        commit(transaction, reply) { outcome in
            start?.ticket?.finish(outcome)
            exchange.answer(self, reply) { response in
                self.finish(outcome, places, reply, &response, answer)
            }
        }
    }

    /// Commits without an answer of its own.
    func commit(
        _ transaction: Transaction, _ reply: Reply,
        completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        core.commit(guarded(transaction, reply), completion: completion)
    }

    /// `transaction` with the rights of whoever asks.
    func guarded(_ transaction: Transaction, _ reply: Reply) -> Transaction {
        guard let caller = reply.caller else { return transaction }
        var guarded = transaction
        guarded.guardian = CommitGuard(access, caller)
        guarded.tokenName = caller.name
        return guarded
    }

    private func finish(
        _ outcome: WriteOutcome, _ places: ListPlace, _ reply: Reply,
        _ response: inout ResponseWriter,
        _ answer: (WriteReceipt, Reply, inout ResponseWriter) -> Void
    ) {
        if case .done(let receipt) = outcome { return answer(receipt, reply, &response) }
        if let problem = Problem(outcome, in: places) { fail(problem, reply, &response) }
    }
}
