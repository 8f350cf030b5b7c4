/// What one commit did to one entity. At least one of the images is there.
package struct Change: Sendable {
    package let seq: UInt64
    package let type: TypeName
    package let old: Document?
    package let new: Document?

    package init(seq: UInt64, type: TypeName, old: Document?, new: Document?) {
        self.seq = seq
        self.type = type
        self.old = old
        self.new = new
    }

    /// Whether the entity is as it was before.
    package var changesNothing: Bool {
        guard let old, let new else { return old == nil && new == nil }
        return old.hasSameContent(as: new)
    }
}
