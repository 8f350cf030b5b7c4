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

extension [Change] {
    /// Calls `body` with each run of changes of one type and its place, in order.
    package func forEachRun(_ body: (TypeName, Range<Int>) -> Void) {
        var start = 0
        while start < count {
            let type = self[start].type
            var end = start + 1
            while end < count, self[end].type == type { end += 1 }
            body(type, start..<end)
            start = end
        }
    }
}
