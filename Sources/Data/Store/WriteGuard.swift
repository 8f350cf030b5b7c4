package import FreshetQuery

/// The rights under which a transaction is judged.
///
/// The one writer asks, in commit order and before anything else is said about an entity, so that
/// neither a change that comes in between nor a condition's answer goes around a row rule:
///
///  * an entity that may not be read is absent for a merge or a removal, its conditions included;
///    where some of a type's entities may not be read, a removal of what is absent is `.notFound`
///    for that reason: the two cases must not differ;
///  * a set over an entity that may not be read is `.forbidden`, whatever its condition;
///  * the write rule holds of the old image and of the new one, else `.forbidden`.
///
/// Called inside the commit path, so implementations are pure and short and never call the store.
package protocol WriteGuard: AnyObject, Sendable {
    /// Whether anything is forbidden to anybody now; asked first.
    var restricts: Bool { get }
    /// The rights as they are now, asked for once per transaction; nil where they are gone.
    func currentRights() -> (any WriteRights)?
}

extension WriteGuard {
    package var restricts: Bool { true }
}

/// What a caller may do with single entities.
package protocol WriteRights: AnyObject, Sendable {
    /// Whether there may be entities of `type` that the caller may not read.
    func hidesSome(of type: TypeName) -> Bool
    func mayRead(_ document: Document, of type: TypeName) -> Bool
    func mayWrite(_ document: Document, of type: TypeName) -> Bool
}
