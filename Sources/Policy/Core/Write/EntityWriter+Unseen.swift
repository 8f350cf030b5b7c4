import FreshetQuery
import FreshetRemote
import FreshetStore

// A row rule judges an entity before it is replaced. One that is not here may be at its remote all the
// same, and a remote without a request for creating would have it replaced: it is asked for first.

extension EntityWriter {
    /// Whether `operation` may replace an entity at the remote that nobody here has judged by the rules of
    /// `rights`.
    func replacesUnseen(
        _ operation: WriteOperation, at target: OutboxTarget, for rights: AccessRights
    ) -> Bool {
        guard case .set(let type, let document, _) = operation, target.sent(.create) != .create,
            rights.of(type).read != .all || rights.of(type).write != .all
        else { return false }
        return store.document(type, document.id) == nil
    }

    /// Asks the remote for the entity.
    ///
    /// - Returns: Why the caller may not replace it; nil where it may, or there is none.
    func refusal(
        ofUnseen id: EntityID, _ type: TypeName, at target: OutboxTarget, for rights: AccessRights,
        requestID: String?
    ) async -> DirectOutcome? {
        let forbidden = DirectOutcome.here(.rejected(operation: 0, .forbidden))
        guard target.source.canGet else { return forbidden }
        let answer: RemoteAnswer
        do throws(UpstreamError) {
            answer = try await target.source.get(
                id, conditions: nil, call: RemoteCall(requestID: requestID, startSeq: store.seq))
        } catch {
            return .upstream(error, name: target.source.upstreamName)
        }
        if answer.isAbsent { return nil }
        guard let found = answer.entities.first?.document, rights.mayRead(found, of: type),
            rights.mayWrite(found, of: type)
        else { return forbidden }
        return nil
    }

    /// Begins `work` where the author may replace what the remotes have of the entities of
    /// `transaction` that are not here.
    ///
    /// - Parameter refused: Called in its place, with the first that it may not.
    func judgeUnseen(
        _ transaction: Transaction, of order: WriteOrder,
        refused: @escaping @Sendable (DirectOutcome) -> Void, work: @escaping @Sendable () -> Void
    ) {
        guard order.destination.endpoint == nil, let rights = order.author.rights else {
            return work()
        }
        var unseen: [(id: EntityID, type: TypeName, target: OutboxTarget)] = []
        for index in 0..<transaction.count {
            guard let id = transaction[index].entity,
                let target = outbox.target(of: transaction[index].type),
                replacesUnseen(transaction[index], at: target, for: rights)
            else { continue }
            unseen.append((id, transaction[index].type, target))
        }
        guard !unseen.isEmpty else { return work() }
        let entities = unseen
        Task(executorPreference: outbox.executor) {
            for (id, type, target) in entities {
                let refusal = await self.refusal(
                    ofUnseen: id, type, at: target, for: rights, requestID: order.author.requestID)
                if let refusal { return refused(refusal) }
            }
            work()
        }
    }
}
