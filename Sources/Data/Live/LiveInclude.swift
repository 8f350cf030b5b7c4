package import FreshetQuery

/// The relationships that a live query follows, as far as the live set needs to know them.
package protocol LiveInclude: Sendable {
    /// Every type whose entities may be shown, beside the query's own.
    var types: Set<TypeName> { get }
    /// Bytes that are equal where the same relationships lead to the same types.
    var key: [UInt8] { get }
    /// The silent members of these types, as canonical JSON spells their names, by which no entity
    /// leads to another here. Types without any are left out.
    var silent: [TypeName: [[UInt8]]] { get }

    /// Whether an entity is shown where a relationship leads to it.
    func mayShow(_ document: Document, of type: TypeName) -> Bool
}

/// What a result with an include depends on beside its items: the entities that it shows or has
/// missed, and those that would be shown if they pointed at one of its entities.
///
/// That is all: an entity comes in only by a change of the entity that names it, which is shown, or
/// by a change of itself that makes it point at one of `parents`.
package struct LiveWatch: Sendable {
    /// The entities of one type that matter while their `property` names one of `parents`.
    package struct Backward: Sendable {
        /// As canonical JSON spells it, without quotes.
        package let property: [UInt8]
        package var parents: Set<EntityID>

        package init(property: [UInt8], parents: Set<EntityID>) {
            self.property = property
            self.parents = parents
        }
    }

    package var shown: [TypeName: Set<EntityID>]
    package var backward: [TypeName: [Backward]]

    package init(shown: [TypeName: Set<EntityID>], backward: [TypeName: [Backward]]) {
        self.shown = shown
        self.backward = backward
    }

    /// Whether `change` may alter what is included.
    func concerns(_ change: Change) -> Bool {
        if let ids = shown[change.type], let id = (change.new ?? change.old)?.id, ids.contains(id) {
            return true
        }
        guard let backward = backward[change.type] else { return false }
        return backward.contains { watched in
            [change.old, change.new].contains { document in
                document.map { Self.points($0, watched) } ?? false
            }
        }
    }

    private static func points(_ document: Document, _ watched: Backward) -> Bool {
        let value = watched.property.withUnsafeBytes { document.member(named: $0) }
        guard let value else { return false }
        return EntityID.named(by: value).ids.contains { watched.parents.contains($0) }
    }
}
