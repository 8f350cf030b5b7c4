import FreshetQuery
import FreshetStore

// Writes that come too late: between the look at an entity's id and the writer's turn the remote may
// have given the entity another id. A change or a removal then finds nothing, and a set would make
// the entity anew under the old id, a second time for the remote. So a set of an entity that may get
// another id demands that it is there, and what has found nothing is repeated by the new id.

extension Outbox {
    /// `transaction` as the writer is to judge it.
    func guarding(_ transaction: Transaction) -> Transaction {
        guard transaction.rest.isEmpty else { return transaction }
        switch transaction.first {
        case .set(let type, let document, .none)
        where holds(type, document.idBytes) && store.document(type, document.id) != nil:
            return transaction.map { _ in .set(type, document, .ifMatchAny) }
        // A removal that finds nothing would be recorded under its key, and its repeat be none.
        case .remove(let type, let id, .none)
        where transaction.recorder != nil && id.withBytes({ holds(type, $0) })
            && store.document(type, id) != nil:
            return transaction.map { _ in .remove(type, id, .ifMatchAny) }
        default: return transaction
        }
    }

    /// What is to be done in place of `transaction`, which was `guarding` and has found nothing; nil
    /// for all others.
    func following(_ transaction: Transaction, _ outcome: WriteOutcome) -> Transaction? {
        guard transaction.rest.isEmpty else { return nil }
        switch (transaction.first, outcome) {
        case (.set(let type, let document, .none), .rejected(_, .preconditionFailed(nil))):
            // A copy: a document is part of one transaction.
            let copy = OutboxBody.document(Array(document.json)) ?? document
            return transaction.map { _ in .set(type, renamed(copy, of: type), .none) }
        case (.merge(let type, let id, let patch, let condition), .rejected(_, .notFound)):
            let current = current(type, id)
            guard current != id else { return nil }
            return transaction.map { _ in .merge(type, current, patch: patch, condition) }
        case (.remove(let type, let id, .none), .rejected(_, .preconditionFailed(nil))):
            return transaction.map { _ in .remove(type, current(type, id), .none) }
        case (.remove(let type, let id, let condition), .done(let receipt))
        where !receipt.changed:
            let current = current(type, id)
            guard current != id else { return nil }
            return transaction.map { _ in .remove(type, current, condition) }
        default: return nil
        }
    }
}
