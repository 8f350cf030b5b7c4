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
