package import FreshetEngine
package import FreshetQuery

/// All that is wrong with an entity, at least one fault.
package struct EntityFaults: Error, Sendable {
    package let faults: [ValueFault]

    package init(_ faults: [ValueFault]) {
        self.faults = faults
    }
}

/// What an entity must be, where that depends on what is stored.
///
/// Called inside the commit path, so implementations are pure and short and never call the store.
package protocol EntityRules: AnyObject, Sendable {
    /// Does a `set` of this type depend on the stored entity?
    func needsStored(_ type: TypeName) -> Bool

    /// Completes and judges an entity that is about to be stored: of every merge, and of the sets
    /// of types for which `needsStored`.
    ///
    /// - Parameter replacing: What is stored now, of a set: it may lend members that `document` does
    ///   not name. A merge has them already, and what it lacks is removed.
    /// - Returns: `document`, or another with the same id in its place.
    func complete(
        _ type: TypeName, _ document: Document, replacing: Document?
    ) throws(EntityFaults) -> Document

    /// The indexes that this type has declared.
    func indexes(of type: TypeName) -> [IndexDefinition]

    /// Whether the configuration names the type: there is always room for it.
    func isDeclared(_ type: TypeName) -> Bool
}

extension EntityRules {
    package func indexes(of type: TypeName) -> [IndexDefinition] { [] }
    package func isDeclared(_ type: TypeName) -> Bool { false }
}
