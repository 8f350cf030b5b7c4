import FreshetBase
package import FreshetQuery
package import FreshetStore

extension CoreManager {
    /// Where the id of a new document comes from.
    package enum IDSource {
        /// The path names it; the body may repeat it.
        case path(EntityID)
        /// The body must have one.
        case body
        /// The body may have one, else the server makes one.
        case bodyOrNew

        /// Whether a new id may begin with `_`: what was stored once is imported again.
        fileprivate var keepsReserved: Bool { if case .body = self { true } else { false } }
    }

    /// Makes a document of `json` and checks it against its type's schema.
    ///
    /// Types with lazy members are checked by the writer, which alone knows the stored value.
    ///
    /// - Parameter builder: The caller's scratch.
    package func document(
        _ type: TypeName, _ json: UnsafeRawBufferPointer, id source: IDSource,
        using builder: inout DocumentBuilder
    ) throws(CoreError) -> Document {
        try check(type)
        let schema = catalog.schema(of: type)
        let rule: IDRule
        switch source {
        case .path(let id): rule = .expected(id, asInteger: schema?.identifier == .integer)
        case .body: rule = .fromBody
        case .bodyOrNew where schema?.identifier == .integer: rule = .fromBody
        case .bodyOrNew: rule = .generated(newID())
        }
        let document: Document
        do {
            document = try builder.build(
                json: json, id: rule, maximumBytes: limits.documentBytes)
        } catch {
            if case .missingID = error, case .bodyOrNew = source { throw .idRequired(type) }
            throw .document(error)
        }
        if document.idBytes.first == UInt8(ascii: "_"), !source.keepsReserved,
            store.document(type, idBytes: document.idBytes) == nil
        {
            throw .document(.badID(.reserved))
        }
        guard let schema, !schema.keepsStoredMembers else { return document }
        do {
            return try catalog.complete(document, by: schema, replacing: nil, using: &builder)
        } catch {
            throw .invalid(error)
        }
    }

    /// Commits `transaction`: all of it or nothing.
    ///
    /// - Parameter completion: Called once, off every lock: on this thread before the return by a
    ///   memory store, on the writer's thread by a file store.
    package func commit(
        _ transaction: Transaction, completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        guard outbox.isUsed else { return submit(transaction, completion) }
        submit(outbox.guarding(transaction)) { [self] outcome in
            guard let next = outbox.following(transaction, outcome) else {
                return completion(outcome)
            }
            submit(next, completion)
        }
    }

    private func submit(
        _ transaction: Transaction, _ completion: @escaping @Sendable (WriteOutcome) -> Void
    ) {
        guard configuration.isDue else { return store.submit(transaction, completion) }
        store.submit(configuration.accompany(transaction)) { [configuration] outcome in
            configuration.committed(outcome)
            completion(outcome)
        }
    }

    /// Commits `transaction` where that needs no waiting.
    ///
    /// - Returns: nil where the store commits on a thread of its own; then nothing was done.
    package func commitNow(_ transaction: Transaction) -> WriteOutcome? {
        guard let store = store as? MemoryStore else { return nil }
        guard outbox.isUsed else { return store.commit(transaction) }
        let outcome = store.commit(outbox.guarding(transaction))
        return outbox.following(transaction, outcome).map { store.commit($0) } ?? outcome
    }

    private func newID() -> EntityID {
        do {
            return try EntityID(UUIDv7.make())
        } catch {
            preconditionFailure("a UUID is a valid id")
        }
    }
}
