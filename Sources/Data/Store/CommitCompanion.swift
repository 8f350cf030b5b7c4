package import FreshetQuery

/// Writes the service's own entities in the same commit as a caller's change, so that neither is
/// ever there without the other.
///
/// Called inside the commit path, at most once per transaction and only where it changes something;
/// implementations are short and never call the store. A commit that is given up afterwards (a full
/// disk, say) has asked as well.
package protocol CommitCompanion: AnyObject, Sendable {
    /// What to set beside `changes`: one change per entity, from what was before the transaction to
    /// what is after it. Types are the service's own; no rights or rules are asked.
    func companions(of changes: ArraySlice<Change>) -> [(type: TypeName, document: Document)]
}

/// Keeps what a transaction did as entities of the service's own, in the same commit: the answer to
/// a request that may be repeated. Other than a companion it is also asked where nothing changes;
/// what it writes then is a commit of its own, whose receipt still says that nothing has changed.
package protocol CommitRecorder: AnyObject, Sendable {
    /// What must still stand where it writes; nil where that is no matter.
    var basis: RecordBasis? { get }

    /// What to write beside an accepted transaction.
    ///
    /// Called inside the commit path; short, and never calls the store. A commit that is given up
    /// afterwards has asked as well, and may ask again.
    func records(of transaction: Transaction, _ results: RecordedResults) -> [RecordWrite]
}

/// What a recorder has found where it is about to write. Another commit in between says that what it
/// goes along with was done already.
package struct RecordBasis: Sendable {
    /// Each has its own place of this id.
    package let types: [TypeName]
    package let id: EntityID
    /// The newest of what was found; 0 for nothing.
    package let revision: UInt64

    package init(types: [TypeName], id: EntityID, revision: UInt64) {
        self.types = types
        self.id = id
        self.revision = revision
    }
}

/// What an accepted transaction did, or will have done once its commit is durable.
package struct RecordedResults: Sendable {
    /// Of the commit that the records are part of.
    package let seq: UInt64
    package let changed: Bool
    package let first: WriteResult
    package let rest: [WriteResult]

    package init(seq: UInt64, changed: Bool, first: WriteResult, rest: [WriteResult]) {
        self.seq = seq
        self.changed = changed
        self.first = first
        self.rest = rest
    }
}

/// One entity that a recorder writes. Types are the service's own; no rights or rules are asked.
package enum RecordWrite: Sendable {
    case set(TypeName, Document)
    case remove(TypeName, EntityID)
}
