import FreshetQuery
import FreshetRemote
import FreshetStore

// A row rule judges an entity before it is changed. What the remote has of it may be another than what is
// here, or here there is nothing: whoever is under a rule has the remote asked for it first, where a write
// would change what nobody has judged. A write that the remote takes as a creation replaces nothing.

extension EntityWriter {
    /// An entity of which nobody here has judged what its remote has.
    private struct Unseen: Sendable {
        let index: Int
        let id: EntityID
        let type: TypeName
        let target: OutboxTarget
    }

    /// Questions of one write that are under way at a time.
    private static var mostQuestions: Int { 16 }

    /// Whether `operation` may change an entity at the remote that nobody here has judged by the rules of
    /// `rights`.
    func changesUnseen(
        _ operation: WriteOperation, at target: OutboxTarget, via endpoint: RemoteEndpoint?,
        for rights: AccessRights
    ) -> Bool {
        let type = operation.type
        let own = rights.of(type)
        guard let id = operation.entity, own.read != .all || own.write != .all else { return false }
        if let row = store.document(type, id) {
            // It came from there, or what was sent there was judged.
            return !outbox.isAtRemote(type, row) && outbox.newest(type, id) == nil
        }
        guard case .set = operation else { return false }
        return endpoint != nil || target.sent(.create) != .create
    }

    /// Asks the remote for the entity.
    ///
    /// - Returns: Why the caller may not change it; nil where it may, or there is none.
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

    /// Begins `work` where the author may change what the remotes have of the entities of `transaction`.
    ///
    /// - Parameter refused: Called in its place, with the first that it may not.
    func judgeUnseen(
        _ transaction: Transaction, of order: WriteOrder,
        refused: @escaping @Sendable (DirectOutcome) -> Void, work: @escaping @Sendable () -> Void
    ) {
        guard let rights = order.author.rights else { return work() }
        var unseen: [Unseen] = []
        for index in 0..<transaction.count {
            let operation = transaction[index]
            guard let id = operation.entity, let target = outbox.target(of: operation.type),
                changesUnseen(
                    operation, at: target, via: order.destination.endpoint, for: rights)
            else { continue }
            unseen.append(Unseen(index: index, id: id, type: operation.type, target: target))
        }
        guard !unseen.isEmpty else { return work() }
        let all = unseen
        Task(executorPreference: outbox.executor) {
            if let refusal = await self.firstRefusal(of: all, order.author, rights) {
                return refused(refusal)
            }
            work()
        }
    }

    private func firstRefusal(
        of unseen: [Unseen], _ author: WriteOrder.Author, _ rights: AccessRights
    ) async -> DirectOutcome? {
        await withTaskGroup(of: DirectOutcome?.self) { group in
            let types = Set(unseen.map(\.type))
            var rest = unseen[...]
            func askNext() {
                guard let one = rest.popFirst() else { return }
                group.addTask {
                    await self.refusal(
                        ofUnseen: one.id, one.type, at: one.target, for: rights,
                        requestID: author.requestID
                    )?.of(operation: one.index)
                }
            }
            for _ in 0..<Self.mostQuestions { askNext() }
            while let answer = await group.next() {
                var refusal = answer
                if outbox.hasStopped { refusal = .here(.closed) }
                // The rights may have ended while it was asked.
                for type in types where refusal == nil {
                    do throws(RightsLapse) {
                        _ = try author.presentRights(on: type)
                    } catch {
                        refusal = error.outcome
                    }
                }
                if let refusal {
                    group.cancelAll()
                    return refusal
                }
                askNext()
            }
            return nil
        }
    }

    /// The rights that `operation` is judged by as it goes out, behind the question for what it would
    /// change unseen.
    ///
    /// - Throws: Why it may not go out.
    func rightsNow(
        of author: WriteOrder.Author, for operation: WriteOperation, at target: OutboxTarget,
        via endpoint: RemoteEndpoint?
    ) async throws(RightsLapse) -> AccessRights? {
        if let rights = try author.presentRights(on: operation.type),
            let id = operation.entity,
            changesUnseen(operation, at: target, via: endpoint, for: rights),
            let refusal = await refusal(
                ofUnseen: id, operation.type, at: target, for: rights, requestID: author.requestID)
        {
            throw RightsLapse(outcome: refusal)
        }
        // They may have ended while it was asked.
        return try author.presentRights(on: operation.type)
    }
}

extension DirectOutcome {
    /// The outcome as one of the operation of that number.
    fileprivate func of(operation: Int) -> DirectOutcome {
        guard case .here(.rejected(_, let rejection)) = self else { return self }
        return .here(.rejected(operation: operation, rejection))
    }
}
