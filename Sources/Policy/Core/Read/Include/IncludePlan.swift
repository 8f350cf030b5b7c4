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
        for schema in declared {
            if let name = TypeName(schema.name) { relationships[name] = schema.relationships }
        }
        self.relationships = relationships
        switch include {
        case .all(let depth):
            guard depth <= Self.maximumDepth else { throw Self.tooDeep }
            shape = .all(depth: depth)
        case .paths(let paths):
            var nodes: [Node] = []
            for path in paths {
                guard path.count <= Self.maximumDepth else { throw Self.tooDeep }
                let names = path.names.map(\.text)
                try Self.insert(names[...], under: [], of: type, relationships, into: &nodes)
            }
            shape = .tree(nodes)
        }
    }

    /// The id by which the entity is known now that another one names `id`.
    func current(_ id: EntityID, of type: TypeName) -> EntityID {
        aliases?.current(type, id) ?? id
    }

    /// The declared relationships of `type`, by name.
    func nodes(of type: TypeName, under path: [String]) -> [Node] {
        (relationships[type] ?? []).sorted { $0.name < $1.name }.map {
            Node(relationship: $0, path: path + [$0.name])
        }
    }

    /// Whether an entity may be shown; if not, it is as if it did not exist.
    func mayShow(_ document: Document, of type: TypeName) -> Bool {
        rights?.mayRead(document, of: type) ?? true
    }

    private static var tooDeep: CoreError {
        .engine(.includeTooLarge("an include goes at most \(maximumDepth) levels deep"))
    }

    private static func insert(
        _ names: ArraySlice<String>, under path: [String], of type: TypeName,
        _ relationships: [TypeName: [TypeSchema.Relationship]], into nodes: inout [Node]
    ) throws(CoreError) {
        guard let name = names.first else { return }
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
            names.dropFirst(), under: path, of: relationship.type, relationships,
            into: &nodes[index].children)
    }
}

extension IncludePlan: LiveInclude {
    package var types: Set<TypeName> {
        var types: Set<TypeName> = []
        switch shape {
        case .tree(let nodes):
            var waiting = nodes
            while let node = waiting.popLast() {
                types.insert(node.relationship.type)
                waiting += node.children
            }
        case .all(let depth):
            var frontier: Set<TypeName> = [type]
            for _ in 0..<depth {
                frontier = Set(
                    frontier.flatMap { nodes(of: $0, under: []) }.map(\.relationship.type))
                frontier.subtract(types)
                types.formUnion(frontier)
            }
        }
        return types
    }

    /// The declarations that the plan was made of, and the row rules of what it shows: another
    /// configuration makes another group.
    package var key: [UInt8] {
        var text = ""
        for (type, declared) in relationships.sorted(by: { $0.key < $1.key }) {
            for relationship in declared {
                text += "\n\(type.text) \(relationship.type.text) "
                text += "\(relationship.by?.canonicalContents ?? []) "
                text += "\(relationship.name.canonicalContents)"
            }
        }
        guard let rights else { return Array(text.utf8) }
        for type in types.sorted() {
            guard let rule = rights.of(type).read.filter else { continue }
            text += "\n\(type.text) reads \(rule.canonical())"
        }
        return Array(text.utf8)
    }
}
