import FreshetEngine
import FreshetLive
package import FreshetQuery

/// The relationships that an `include` follows, found in the configuration before anything is read.
package struct IncludePlan: Sendable {
    /// Levels below the items.
    package static let maximumDepth = 10
    /// Entities that one answer includes, and dangling ids that it names.
    package static let maximumEntities = 10_000

    /// One relationship at one place of the tree.
    struct Node: Sendable {
        let relationship: TypeSchema.Relationship
        let path: [String]
        var children: [Node] = []
    }

    enum Shape: Sendable {
        case tree([Node])
        case all(depth: Int)
    }

    let type: TypeName
    let shape: Shape
    private let relationships: [TypeName: [TypeSchema.Relationship]]
    /// The silent members of types that have some.
    private let silentMembers: [TypeName: [[UInt8]]]
    /// The rights of whoever asks; nil: everything is allowed.
    private let rights: AccessRights?
    /// The ids that remotes have given to entities in place of those that others still hold.
    private let aliases: RemoteAliases?

    /// - Parameters:
    ///   - declared: The configuration that holds for the whole answer.
    ///   - rights: Decide which entities can be included.
    /// - Throws: `.query` for a relationship that is not declared, with those that are;
    ///   `.engine(.includeTooLarge)` past `maximumDepth`.
    init(
        _ include: Include, of type: TypeName, _ declared: [TypeSchema],
        for rights: AccessRights?, aliases: RemoteAliases? = nil
    ) throws(CoreError) {
        self.type = type
        self.rights = rights
        self.aliases = aliases
        var relationships: [TypeName: [TypeSchema.Relationship]] = [:]
        var silentMembers: [TypeName: [[UInt8]]] = [:]
        for schema in declared {
            guard let name = TypeName(schema.name) else { continue }
            relationships[name] = schema.relationships
            if !schema.silentMembers.isEmpty { silentMembers[name] = schema.silentMembers }
        }
        self.relationships = relationships
        self.silentMembers = silentMembers
        switch include {
        case .all(let depth):
            guard depth <= Self.maximumDepth else { throw Self.tooDeep }
            shape = .all(depth: depth)
        case .paths(let paths):
            var nodes: [Node] = []
            for path in paths {
                guard path.count <= Self.maximumDepth else { throw Self.tooDeep }
                let names = path.names.map(\.text)
                try Self.insert(
                    names[...], under: [], of: type, relationships, for: rights, into: &nodes)
            }
            shape = .tree(nodes)
        }
    }

    /// The id by which the entity that another one names `id` is known in `view`.
    func current(_ id: EntityID, of type: TypeName, in view: TableView?) -> EntityID {
        aliases?.current(EntityKey(type, id)) { view?.document(id) != nil } ?? id
    }

    /// The declared relationships of `type`, by name.
    func nodes(of type: TypeName, under path: [String]) -> [Node] {
        (relationships[type] ?? []).sorted { $0.name < $1.name }.map {
            Node(relationship: $0, path: path + [$0.name])
        }
    }

    /// Whether an entity may be shown; if not, it is as if it did not exist.
    package func mayShow(_ document: Document, of type: TypeName) -> Bool {
        rights?.mayRead(document, of: type) ?? true
    }

    private static var tooDeep: CoreError {
        .engine(.includeTooLarge("an include goes at most \(maximumDepth) levels deep"))
    }

    private static func insert(
        _ names: ArraySlice<String>, under path: [String], of type: TypeName,
        _ relationships: [TypeName: [TypeSchema.Relationship]], for rights: AccessRights?,
        into nodes: inout [Node]
    ) throws(CoreError) {
        guard let name = names.first else { return }
        if let rights, rights.of(type).read == .none {
            let place = path.joined(separator: ".")
            throw .query(
                QueryFault(
                    .badParameter, "include",
                    "'\(place)' leads to what this caller may not read, and nothing behind it "
                        + "can be included"))
        }
        let path = path + [name]
        let known = relationships[type] ?? []
        guard let relationship = known.first(where: { $0.name == name }) else {
            let names = known.map { "'\($0.name)'" }.sorted().joined(separator: ", ")
            throw .query(
                QueryFault(
                    .badParameter, "include", "'\(type.text)' has no relationship '\(name)'",
                    hint: known.isEmpty
                        ? "no relationship of '\(type.text)' is declared in the configuration"
                        : "the relationships of '\(type.text)' are \(names)"))
        }
        let index: Int
        if let found = nodes.firstIndex(where: { $0.relationship.name == name }) {
            index = found
        } else {
            index = nodes.count
            nodes.append(Node(relationship: relationship, path: path))
        }
        try insert(
            names.dropFirst(), under: path, of: relationship.type, relationships, for: rights,
            into: &nodes[index].children)
    }
}

extension IncludePlan: LiveInclude {
    package var types: Set<TypeName> { Set(followed.map(\.relationship.type)) }

    /// Each relationship that is followed, with the type that it starts from.
    private var followed: [(from: TypeName, relationship: TypeSchema.Relationship)] {
        var followed: [(from: TypeName, relationship: TypeSchema.Relationship)] = []
        switch shape {
        case .tree(let nodes):
            var waiting = nodes.map { (from: type, node: $0) }
            while let (from, node) = waiting.popLast() {
                followed.append((from, node.relationship))
                waiting += node.children.map { (from: node.relationship.type, node: $0) }
            }
        case .all(let depth):
            var frontier: Set<TypeName> = [type]
            var known = frontier
            for _ in 0..<depth {
                let steps = frontier.sorted().flatMap { from in
                    (relationships[from] ?? []).map { (from: from, relationship: $0) }
                }
                followed += steps
                frontier = Set(steps.map(\.relationship.type)).subtracting(known)
                known.formUnion(frontier)
            }
        }
        return followed
    }

    /// The silent members of `type` by which no entity leads to another here: a link that is followed
    /// decides what is shown beside the entity, so that its change is told.
    func silentMembers(of type: TypeName) -> [[UInt8]] {
        guard let members = silentMembers[type] else { return [] }
        let links = followed.compactMap { from, relationship -> [UInt8]? in
            if let property = relationship.by {
                return relationship.type == type ? property.canonicalContents : nil
            }
            return from == type ? relationship.name.canonicalContents : nil
        }
        return members.filter { !links.contains($0) }
    }

    package var silent: [TypeName: [[UInt8]]] {
        guard !silentMembers.isEmpty else { return [:] }
        var silent: [TypeName: [[UInt8]]] = [:]
        for type in types {
            let members = silentMembers(of: type)
            if !members.isEmpty { silent[type] = members }
        }
        return silent
    }

    /// The declarations that the plan was made of, the silent members and the row rules of what it
    /// shows: another configuration makes another group.
    package var key: [UInt8] {
        var text = ""
        for (type, declared) in relationships.sorted(by: { $0.key < $1.key }) {
            for relationship in declared {
                text += "\n\(type.text) \(relationship.type.text) "
                text += "\(relationship.by?.canonicalContents ?? []) "
                text += "\(relationship.name.canonicalContents)"
            }
        }
        for (type, members) in silent.sorted(by: { $0.key < $1.key }) {
            text += "\n\(type.text) silent \(members)"
        }
        guard let rights else { return Array(text.utf8) }
        for type in types.sorted() {
            guard let rule = rights.of(type).read.filter else { continue }
            text += "\n\(type.text) reads \(rule.canonical())"
        }
        return Array(text.utf8)
    }
}
