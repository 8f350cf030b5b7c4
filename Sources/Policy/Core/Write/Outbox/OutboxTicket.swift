import FreshetBase
package import FreshetQuery
package import FreshetRemote
import FreshetStore

/// Has one transaction's changes written to the outbox in the same commit.
///
/// Goes into `Transaction.companion`; `finish` is owed once the transaction has its outcome.
// SAFETY: `made` and `entities` are touched by the writer during the commit, and behind it by who is told
// of its outcome.
package final class OutboxTicket: CommitCompanion, @unchecked Sendable {
    private let outbox: Outbox
    private let endpoint: RemoteEndpoint?
    private var made: [EntityID] = []
    private var entities: [EntityKey] = []

    /// - Parameter endpoint: Where the changes are sent in place of the requests of their kinds.
    package init(_ outbox: Outbox, via endpoint: RemoteEndpoint? = nil) {
        self.outbox = outbox
        self.endpoint = endpoint
    }

    package func companions(
        of changes: ArraySlice<Change>
    ) -> [(type: TypeName, document: Document)] {
        // Asked a second time only where the first commit was given up.
        outbox.settle(admitted: take(), isVisible: false)
        var entries: [OutboxEntry] = []
        for change in changes where !change.type.isInternal {
            guard let key = change.new ?? change.old else { continue }
            let operation: OutboxEntry.Operation =
                change.new == nil ? .remove : change.old == nil ? .create : .update
            let entry = OutboxEntry(
                id: .made(), number: 0, type: change.type, entity: key.id,
                entityIsNumber: key.hasNumberAsID,
                operation: operation, endpoint: endpoint, revision: change.seq, createdAt: .now,
                body: change.new.map { Array($0.json) }, before: change.old.map { Array($0.json) },
                isBeforeFetched: change.old.map { outbox.isAtRemote(change.type, $0) } ?? false)
            entries.append(outbox.admit(entry))
        }
        made = entries.map(\.id)
        entities = entries.map(\.key)
        return entries.map { (type: OutboxEntry.storedType, document: $0.document) }
    }

    /// What was written beside the changes, in their order.
    var entries: [EntityID] { made }

    private func take() -> [EntityID] {
        defer { made = [] }
        return made
    }

    /// Lets the entries be sent, or forgets them where the commit did not happen.
    ///
    /// - Returns: The entry of each entity that has changed.
    func finish(_ outcome: WriteOutcome) -> [EntityKey: EntityID] {
        let made = take()
        if case .done(let receipt) = outcome, receipt.changed {
            outbox.settle(admitted: made, isVisible: true)
            return Dictionary(zip(entities, made)) { $1 }
        }
        outbox.settle(admitted: made, isVisible: false)
        return [:]
    }
}

/// Writes what depends on the seq of the commit that it becomes part of.
final class SeqCompanion: CommitCompanion {
    private let make: @Sendable (UInt64) -> [(type: TypeName, document: Document)]

    init(_ make: @escaping @Sendable (UInt64) -> [(type: TypeName, document: Document)]) {
        self.make = make
    }

    func companions(of changes: ArraySlice<Change>) -> [(type: TypeName, document: Document)] {
        changes.first.map { make($0.seq) } ?? []
    }
}
