import FreshetBase
import FreshetJSON
import FreshetRefresh
package import FreshetQuery
import FreshetRemote
package import FreshetStore

extension WriteOperation {
    /// The entity that a caller's write is about; nil for what fetches do.
    package var entity: EntityID? {
        switch self {
        case .set(_, let document, _): document.id
        case .merge(_, let id, _, _), .remove(_, let id, _): id
        case .refresh, .retire: nil
        }
    }

    /// Whether nothing of the entity is left.
    package var isRemoval: Bool {
        if case .remove = self { true } else { false }
    }

    /// What a remote needs a request for; one that updates serves for creating, too.
    fileprivate var needed: OutboxEntry.Operation {
        switch self {
        case .remove: .remove
        case .set(_, _, .absent): .create
        case .set, .merge, .refresh, .retire: .update
        }
    }
}

extension EntityWriter {
    /// Where a change goes, which the caller may have sent.
    func outboxTarget(
        of operation: WriteOperation, via endpoint: RemoteEndpoint?, for rights: AccessRights?
    ) throws(CoreError) -> OutboxTarget {
        try outboxTarget(of: operation.type, operation.needed, via: endpoint, for: rights)
    }

    /// The target of changes that are not known one by one yet.
    func outboxTarget(
        of type: TypeName, _ operation: OutboxEntry.Operation, via endpoint: RemoteEndpoint?,
        for rights: AccessRights?
    ) throws(CoreError) -> OutboxTarget {
        try catalog.check(type)
        guard let target = outbox.target(of: type) else {
            throw .badContext("target", "entities of '\(type.text)' have no remote")
        }
        if let endpoint {
            guard let call = target.endpoints[endpoint.name] else {
                throw .badContext(
                    "endpoint",
                    "the remote of '\(type.text)' has no endpoint '\(endpoint.name)' with a method")
            }
            if let fault = call.fault(in: endpoint.parameters) {
                throw .badContext("endpoint.\(fault.name)", fault.detail)
            }
        } else if !target.operations.contains(target.sent(operation)) {
            throw .badContext(
                "target", "the remote of '\(type.text)' has no request to \(operation.rawValue)")
        }
        if let rights, rights.of(type).level != .remote { throw .upstreamForbidden(type) }
        return target
    }

    /// The ids that nothing is here of, as they are known now; none for a caller who may not
    /// read all: what is absent and what is hidden must not differ.
    func absent(
        _ ids: [EntityID], of type: TypeName, for rights: AccessRights?
    ) -> [EntityID] {
        guard rights?.hidesSome(of: type) != true else { return [] }
        return ids.map { outbox.current(type, $0) }.filter { store.document(type, $0) == nil }
    }

    /// The id of the entity that `operation` is about, as JSON: in the form in which it is stored,
    /// else in the one that it is given in or that the type's schema has.
    func idJSON(of operation: WriteOperation) -> [UInt8] {
        if case .set(_, let document, _) = operation, let id = document.member(named: "id") {
            return Array(id.bytes)
        }
        guard let id = operation.entity else { return [] }
        if let stored = store.document(operation.type, id)?.member(named: "id") {
            return Array(stored.bytes)
        }
        var json = ByteBuffer(capacity: 64)
        id.appendJSON(
            asInteger: catalog.idsAreIntegers(operation.type), to: &json)
        return Array(json.bytes)
    }

    /// Does `transaction` here, and has the remotes told through the outbox: of what has changed, in
    /// the same commit, and of what has not, where they may not have it.
    ///
    /// Whether remotes can be asked is for the caller to check first (`outboxTarget`).
    ///
    /// - Parameter completion: Called once, on any thread, with the entries that tell of the
    ///   operations, in their order, each once.
    func writeToBoth(
        _ transaction: Transaction, via endpoint: RemoteEndpoint?,
        completion: @escaping @Sendable (WriteOutcome, [EntityID]) -> Void
    ) {
        guard transaction.count <= Outbox.mostEntries else {
            return completion(.rejected(operation: 0, .tooMuchWork), [])
        }
        guard outbox.hasRoom(for: transaction.count) else { return completion(.overloaded, []) }
        let ticket = OutboxTicket(outbox, via: endpoint)
        var transaction = transaction
        transaction.companion = ticket
        let operations = (0..<transaction.count).map { transaction[$0] }
        committer.commit(transaction) { [self] outcome in
            let made = ticket.finish(outcome)
            guard case .done(let receipt) = outcome else { return completion(outcome, []) }
            tell(of: operations, receipt, made, via: endpoint) { [self] refusal, entries in
                guard let refusal else { return completion(outcome, entries) }
                // Where a part is done, nothing says that all of it is not.
                let isShared = store.replica != nil
                completion(
                    !receipt.changed
                        ? refusal
                        : isShared ? .logAway(unknown: true) : .storageFailed(unknown: true), [])
            }
        }
    }

    /// Finds the entries of `operations`, or makes those that are missing, one after the other.
    private func tell(
        of operations: [WriteOperation], _ receipt: WriteReceipt,
        _ made: [EntityKey: EntityID], via endpoint: RemoteEndpoint?,
        _ completion: @escaping @Sendable (_ refusal: WriteOutcome?, [EntityID]) -> Void
    ) {
        var steps: [ToldStep] = []
        for (index, operation) in operations.enumerated() {
            let result = receipt[index]
            // Its id now: the writer may have followed one that the remote has replaced.
            guard let id = result.document?.id ?? operation.entity, !result.skipped else {
                continue
            }
            let key = EntityKey(operation.type, id)
            if let entry = made[key] {
                steps.append(.known(entry))
            } else if endpoint != nil {
                // What is sent to an endpoint is an act of its own, whatever is on its way.
                steps.append(.missing(key, result.document))
            } else if let entry = outbox.newest(key.type, id) {
                steps.append(.known(entry))
            } else if let row = result.document, outbox.isAtRemote(operation.type, row) {
                continue
            } else {
                steps.append(.missing(key, result.document))
            }
        }
        guard steps.contains(where: \.isMissing) else {
            return completion(nil, Self.distinct(steps.map(\.entry)))
        }
        let all = steps
        Task(executorPreference: outbox.executor) { [self] in
            var entries: [EntityID?] = []
            for step in all {
                switch step {
                case .known(let entry): entries.append(entry)
                case .missing(let key, let row):
                    switch await enqueue(key, row, via: endpoint) {
                    case .entry(let entry): entries.append(entry)
                    case .overtaken: return completion(.overloaded, [])
                    case .refused(let refusal): return completion(refusal, [])
                    }
                }
            }
            completion(nil, Self.distinct(entries))
        }
    }

    /// Makes the entry that tells of a row as it is; where another write comes first, of what that has
    /// made of it.
    private func enqueue(
        _ key: EntityKey, _ first: Document?, via endpoint: RemoteEndpoint?
    ) async -> Outbox.Enqueued {
        var row = first
        for _ in 0..<Outbox.mostRaces {
            let given = row
            let made = await Promise.value { [outbox] in
                outbox.enqueue(key.type, key.id, given, via: endpoint, completion: $0)
            }
            guard case .overtaken = made else { return made }
            row = store.document(key.type, key.id)
        }
        return .overtaken
    }

    private static func distinct(_ entries: [EntityID?]) -> [EntityID] {
        var seen: Set<EntityID> = []
        return entries.compactMap(\.self).filter { seen.insert($0).inserted }
    }
}

/// How one operation's entry is had.
private enum ToldStep: Sendable {
    case known(EntityID)
    /// Nothing has changed, and the remote is to be told all the same of the row as it is; nil: that
    /// there is none.
    case missing(EntityKey, Document?)

    var isMissing: Bool { if case .missing = self { true } else { false } }
    var entry: EntityID? { if case .known(let entry) = self { entry } else { nil } }
}
