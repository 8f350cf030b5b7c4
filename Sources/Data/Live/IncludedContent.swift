import FreshetEngine
import FreshetQuery

/// What a live query shows of the entities that it includes: all but the silent members of their
/// types, as `ShownContent` is for the rows.
struct IncludedContent: Sendable {
    private let include: (any LiveInclude)?
    /// That of types with silent members.
    private let contents: [TypeName: ShownContent]

    init(_ include: (any LiveInclude)? = nil, withMeta: Bool = false) {
        self.include = include
        contents = (include?.silent ?? [:]).mapValues { ShownContent(all: $0, withMeta: withMeta) }
    }

    /// Whether some of the types have silent members.
    var hasSilent: Bool { !contents.isEmpty }

    /// Whether a client that holds `old` must get `new`, the same entity.
    func differs(_ old: LiveIncluded.Row, _ new: LiveIncluded.Row) -> Bool {
        guard old.document !== new.document,
            old.document.revision != new.document.revision
                || !old.document.json.elementsEqual(new.document.json)
        else { return false }
        return contents[new.type]?.differs(old.document, new.document) ?? true
    }

    /// Hash over the entities shown, with their types.
    func digest(of included: LiveIncluded) -> UInt64 {
        included.rows.reduce(0) { sum, row in
            var digest = ResultDigest()
            Array(row.type.text.utf8).withUnsafeBytes { digest.add(id: $0, revision: 1) }
            if let content = contents[row.type] {
                digest.add(id: row.document.idBytes, revision: content.digest(of: row.document))
            } else {
                digest.add(row.document)
            }
            return sum &+ digest.value
        }
    }

    /// Whether `change` leaves what is included as it is, apart from silent members.
    func isSilent(_ change: Change) -> Bool {
        guard let content = contents[change.type], let include, let old = change.old,
            let new = change.new, content.isSilent(old, new)
        else { return false }
        return include.mayShow(old, of: change.type) == include.mayShow(new, of: change.type)
    }
}
