/// What names an entity among those of all types.
package struct EntityKey: Hashable, Comparable, Sendable {
    package let type: TypeName
    package let id: EntityID

    package init(_ type: TypeName, _ id: EntityID) {
        self.type = type
        self.id = id
    }

    /// Makes a key from its `text`, or nil where it is none.
    package init?(text: String) {
        // An id may begin with what joins the character before it.
        let bytes = text.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
            let type = TypeName(String(text[..<slash])),
            let id = try? EntityID(String(text[bytes.index(after: slash)...]))
        else { return nil }
        self.init(type, id)
    }

    /// The type and the id: `TYPE/ID`.
    package var text: String { "\(type.text)/\(id.text)" }

    /// The id of what is kept about the entity: `text`; nil where that is too long for an id, so that
    /// nothing is kept.
    package var recordID: EntityID? { try? EntityID(text) }

    package static func < (one: Self, other: Self) -> Bool {
        one.type == other.type ? one.id < other.id : one.type < other.type
    }
}
