import FreshetBase
import FreshetEngine
package import FreshetQuery
package import FreshetStore

// The write: one use case for every caller, over HTTP or embedded, of one entity or of many.
//
//     order  ─►  local    one commit
//                remote   the remote is asked, and here is what it answers
//                both     one commit, and entries of the outbox in it; the caller may wait for them
//
// A store in memory commits on the caller's thread, and so is answered there; all else is a
// `LaterWrite`, which its caller begins once it has made ready to wait.

/// The answer, or the way to it.
package enum WriteReply: Sendable {
    case now(Result<WriteAnswer, WriteFailure>)
    case later(LaterWrite)
}

extension EntityWriter {
    /// Takes what ends a waiting, for whoever may leave it.
    package typealias Leaves = @Sendable (_ leave: @escaping @Sendable () -> Void) -> Void

    /// Does what `order` says where that needs no waiting; see `LaterWrite`. An entity may be named by the
    /// id that it had before its remote gave it another.
    ///
    /// - Throws: Where a remote cannot be asked for it, or the caller may not have it asked; what is
    ///   wrong with the query of a removal.
    package func write(_ order: WriteOrder) throws(CoreError) -> WriteReply {
        let order = outbox.renamed(order)
        switch order.content {
        case .transaction where order.destination.isLocal && !committer.isImmediate:
            return .later(LaterWrite(self, order))
        case .transaction(let transaction):
            guard order.destination.isLocal else {
                try checkTargets(of: transaction, order)
                return .later(LaterWrite(self, order))
            }
            guard let outcome = committer.commitNow(transaction) else {
                return .later(LaterWrite(self, order))
            }
            order.ticket?.finish(outcome)
            return .now(outcome.answer)
        case .removal(let query):
            return .later(LaterWrite(self, order, .removal(query, try removal(query, order))))
        case .nothing:
            guard committer.isImmediate else { return .later(LaterWrite(self, order)) }
            return .now(.success(order.nothingDone))
        }
    }

    /// Gives the first answer to a write again. Who waits for the remote waits for what is left of it.
    package func answerAgain(
        _ first: FirstAnswer, to destination: WriteDestination, isOfEntity: Bool = false,
        by author: WriteOrder.Author
    ) -> WriteReply {
        if let whole = first.whole { return .now(.success(.kept(first.receipt, whole))) }
        guard !first.entries.isEmpty else { return .now(.success(.done(first.receipt, .none))) }
        guard case .both(waits: true) = destination.target else {
            return .now(.success(.done(first.receipt, .underWay(first.entries))))
        }
        let order = WriteOrder(.nothing, to: destination, isOfEntity: isOfEntity, by: author)
        return .later(LaterWrite(self, order, .again(first)))
    }

    /// Whether `author` may still read what `first`, the answer to a write of one entity, shows, and
    /// the entity as it is now. Where not it is told again what was done, and not what there was.
    package func mayShow(
        _ first: FirstAnswer, of type: TypeName, to author: WriteOrder.Author
    ) -> Bool {
        guard let rights = author.rights, rights.hidesSome(of: type),
            let shown = first.receipt.first.document
        else { return true }
        guard let current = store.document(type, outbox.current(type, shown.id)) else {
            return false
        }
        return rights.mayRead(shown, of: type) && rights.mayRead(current, of: type)
    }

    /// Refuses what no remote can be told of.
    private func checkTargets(
        of transaction: Transaction, _ order: WriteOrder
    ) throws(CoreError) {
        for index in 0..<transaction.count {
            _ = try outboxTarget(
                of: transaction[index], via: order.destination.endpoint, for: order.author.rights)
        }
    }

    // MARK: Ways

    /// - Parameter leaves: Given what ends the waiting for remotes.
    func carryOut(
        _ order: WriteOrder, leaves: @escaping Leaves,
        _ completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        guard case .transaction(let transaction) = order.content else {
            // That there is nothing to do was read here.
            return store.confirm { refusal in
                completion(
                    refusal.map { .failure(.notCommitted($0)) } ?? .success(order.nothingDone))
            }
        }
        switch order.destination.target {
        case .local:
            let ticket = order.ticket
            committer.commit(transaction) { outcome in
                ticket?.finish(outcome)
                completion(outcome.answer)
            }
        case .remote:
            do throws(CoreError) {
                if order.isOfEntity {
                    try askRemote(transaction.first, order, completion)
                } else {
                    try askRemote(
                        (0..<transaction.count).map { transaction[$0] }, order, completion)
                }
            } catch {
                completion(.failure(.refused(error)))
            }
        case .both(let waits):
            judgeUnseen(transaction, of: order) { refusal in
                guard case .here(let outcome) = refusal else {
                    return completion(.failure(.notAsked(refusal)))
                }
                order.ticket?.finish(outcome)
                completion(outcome.answer)
            } work: { [self] in
                writeToBoth(transaction, of: order, waits: waits, leaves: leaves, completion)
            }
        }
    }

    private func writeToBoth(
        _ transaction: Transaction, of order: WriteOrder, waits: Bool,
        leaves: @escaping Leaves,
        _ completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        writeToBoth(transaction, via: order.destination.endpoint) { [self] outcome, entries in
            let go = { @Sendable [self] in
                guard case .done(let receipt) = outcome else {
                    return completion(outcome.answer)
                }
                guard waits, !entries.isEmpty else {
                    let delivery = entries.isEmpty ? Delivery.none : .underWay(entries)
                    return completion(.success(.done(receipt, delivery)))
                }
                waitForRemotes(
                    entries, receipt: receipt, order: order, leaves: leaves,
                    completion: completion)
            }
            guard let ticket = order.ticket else { return go() }
            ticket.finish(outcome, entries: entries, completion: go)
        }
    }

    private func askRemote(
        _ operation: WriteOperation, _ order: WriteOrder,
        _ completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) throws(CoreError) {
        try writeRemotely(
            operation, via: order.destination.endpoint, by: order.author, recorder: order.ticket
        ) { outcome in
            guard case .here(let committed) = outcome else {
                return completion(.failure(.notAsked(outcome)))
            }
            order.ticket?.finish(committed)
            completion(committed.answer)
        }
    }

    private func askRemote(
        _ operations: [WriteOperation], _ order: WriteOrder,
        _ completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) throws(CoreError) {
        // Before anything happens: what is removed has no form any more.
        let ids = operations.map { idJSON(of: $0) }
        try writeRemotely(
            operations, via: order.destination.endpoint, by: order.author,
            key: order.ticket?.upstreamKey
        ) { outcomes in
            completion(
                .success(
                    .each(
                        operations.indices.map {
                            EachWrite(
                                id: ids[$0], isRemoval: operations[$0].isRemoval,
                                outcome: outcomes[$0])
                        })))
        }
    }

    /// Waits until the remotes have taken what `entries` tell of, all within one bound if any.
    ///
    /// - Parameters:
    ///   - leaves: Given what ends the waiting.
    ///   - completion: Called once, on any thread, unless the waiting was ended.
    func waitForRemotes(
        _ entries: [EntityID], receipt: WriteReceipt, order: WriteOrder,
        leaves: @escaping Leaves,
        completion: @escaping @Sendable (Result<WriteAnswer, WriteFailure>) -> Void
    ) {
        let ends = Gathering(entries.count, OutboxEnds.nothing) { [self] end in
            switch end {
            case .nothing: break
            case .undelivered(let entry, let id):
                completion(.failure(.undelivered(entry, id)))
            case .late: completion(.success(.done(receipt, .underWay(entries))))
            case .delivered(let last):
                // What the remote has made of it, where it may still be read.
                let shown =
                    order.isOfEntity
                    ? try? reader.entity(last.type, last.entity, for: order.author.rights) : nil
                var receipt = receipt
                // Whoever follows from there has what is shown.
                receipt.reach(shown?.revision ?? 0)
                completion(.success(.done(receipt, .delivered(entries, shown))))
            }
        }
        let waiters = entries.map { entry in
            outbox.wait(for: entry, upTo: order.isPatient ? nil : outbox.longestWait) { ended in
                ends.add { $0.take(ended, entry) }
            }
        }
        leaves { [outbox] in
            for (entry, waiter) in zip(entries, waiters) { outbox.leave(waiter, of: entry) }
        }
    }

    // MARK: Removals by a query

    /// What `query` matches, of which its author may write.
    private func removal(
        _ query: Query, _ order: WriteOrder
    ) throws(CoreError) -> PreparedSearch {
        let rights = order.author.rights
        if !order.destination.isLocal {
            _ = try outboxTarget(
                of: query.type, .remove, via: order.destination.endpoint, for: rights)
        }
        var query = query
        query.limit = nil
        // What may be read and not written is left alone, as if it did not match.
        if let write = rights?.of(query.type).write.filter {
            query.restrict(to: query.rule.map { .and([$0, write]) } ?? write)
        }
        return try reader.prepare(query)
    }

    /// The removals of what `search` has found.
    func removals(
        _ found: [Document], by search: PreparedSearch, _ query: Query, _ order: WriteOrder
    ) -> [WriteOperation] {
        let plan = search.plan
        let type = query.type
        // What is not here may be there: ids alone name it all the same.
        let named = order.destination.isLocal || query.filter != nil ? nil : query.ids
        return found.map { document in
            // The commit waits for this: what did not change is not tested again, and what takes
            // long is left alone.
            .remove(
                type, document.id,
                .stillMatches({
                    $0 === document
                        || plan.matches($0, patience: FilterEvaluator.shortPatience) == true
                }))
        }
            + absent(named ?? [], of: type, for: order.author.rights).map {
                .remove(type, $0, .none)
            }
    }

    // MARK: Commits

    /// Commits `transaction` for `author`, who asks for many, one after the other.
    package func commit(
        _ transaction: Transaction, by author: WriteOrder.Author,
        completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        var transaction = transaction
        transaction.complete(by: author)
        committer.commit(transaction, completion: completion)
    }
}
