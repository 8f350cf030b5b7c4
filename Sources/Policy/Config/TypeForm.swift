import FreshetCore
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetRemote

/// A type of the file: what its entities are, and where they come from.
struct TypeDeclaration: Sendable {
    private var identifier: TypeSchema.Identifier?
    private var properties: [(name: String, declaration: PropertyDeclaration)] = []
    private var additional = true
    private var relationships: [TypeSchema.Relationship] = []
    private var indexes: [IndexDefinition] = []
    private var contracts: [TypeSchema.Contract] = []
    private var storage = TypeSchema.Storage.file
    private var durability: TypeSchema.Durability?
    private var remote: RemoteMapping?
    /// How many faults the member `remote` has; they leave the schema as it is.
    private var remoteFaults = 0

    /// `types`: the schemas and the remotes of those that have no fault, in the order of the file.
    static let all = Form<[(schema: TypeSchema?, remote: RemoteMapping?)]>.entries(
        of: table.schema(of: TypeDeclaration()),
        names: ["pattern": .string(TypeSchema.namePattern)],
        or: "an object whose members are types"
    ) { entry, _, reading in
        guard let name = TypeName(entry.name) else {
            reading.expected(
                "a type name: a letter, then at most 63 letters, digits, _ or -",
                at: entry.pointer)
            return nil
        }
        return read(name, entry.value, at: entry.pointer, &reading)
    }

    /// - Returns: No schema where the type has a fault, no remote where that has one.
    static func read(
        _ name: TypeName, _ value: JSONValue, at place: JSONPointer, _ reading: inout Reading
    ) -> (schema: TypeSchema?, remote: RemoteMapping?) {
        let before = reading.faults.count
        var found = TypeDeclaration()
        _ = table.read(value, place, into: &found, &reading)
        found.remote?.type = name
        let isSound = reading.faults.count == before + found.remoteFaults
        return (isSound ? found.schema(named: name, from: value) : nil, found.remote)
    }

    private static let table = ObjectTable<TypeDeclaration>([
        Member("identifier", "what ids are; both where absent", .word, to: \.identifier),
        Member("properties", "the declared properties by name", propertyForms, to: \.properties),
        Member(
            "additionalProperties", "whether undeclared properties are allowed", .flag,
            to: \.additional),
        Member(
            "relationships", "what properties refer to, for `include`", relationshipForms,
            to: \.relationships),
        Member(
            "indexes", "properties, or lists of them, that searches use", indexForms,
            to: \.indexes),
        Member(
            "contracts", "what a reader may demand of rows, by name", contractForms,
            to: \.contracts),
        Member(
            "store", "where rows are kept; `memory` begins empty at each start", .word,
            to: \.storage),
        Member(
            "durability", "when writes of this type are answered; as the server does where absent",
            .word, to: \.durability),
        Member(
            "remote",
            schema: RemoteMapping.form.schema.described("the service that the entities come from")
        ) { value, place, type, reading in
            let before = reading.faults.count
            type.remote = RemoteMapping.form.read(value, place, &reading)
            type.remoteFaults = reading.faults.count - before
        },
    ]) { type, _, place, reading in
        if type.durability != nil, type.storage == .memory {
            reading.note(
                "durability", "entities in memory reach no disk; leave out \"store\" or this",
                at: place.appending("durability"))
        }
        type.checkRelationships(at: place.appending("properties"), &reading)
    }

    // MARK: Properties

    private static let propertyForms = Form<[(name: String, declaration: PropertyDeclaration)]>
        .entries(
            of: PropertyDeclaration.property.schema, names: ["not": ["enum": ["id", "_meta"]]]
        ) { entry, _, reading in
            if entry.name == "id" || entry.name == "_meta" {
                reading.note(
                    "value",
                    entry.name == "id"
                        ? "the id is declared by \"identifier\", not as a property"
                        : "\"_meta\" belongs to the service and cannot be declared",
                    at: entry.pointer)
                return nil
            }
            return PropertyDeclaration.property.read(entry.value, entry.pointer, &reading)
                .map { (entry.name, $0) }
        }

    // MARK: Relationships

    private struct RelationshipDeclaration: Sendable {
        var type: TypeName?
        var association: TypeSchema.Relationship.Association?
        var by: String?

        static let table = ObjectTable<RelationshipDeclaration>(
            [
                Member(
                    "type", "the type that is referred to",
                    Form.text(pattern: TypeSchema.namePattern).narrowed(or: typeExpectation) {
                        TypeName($0)
                    }, required: .value(typeExpectation), to: \.type),
                Member(
                    "association",
                    "the property holds one id or a list of ids; a list where absent, with `by`",
                    .word,
                    to: \.association),
                Member(
                    "by", "backwards: the property of the other type that holds this id", .text(),
                    to: \.by),
            ],
            keywords: [
                .init(
                    name: "anyOf", value: [["required": ["association"]], ["required": ["by"]]])
            ]
        ) { found, given, place, reading in
            if found.type != nil, found.association == nil, found.by == nil {
                reading.expected(
                    "\"one\" or \"many\", or \"by\" with the property that points back",
                    at: place.appending("association"))
            }
        }

        private static let typeExpectation = "the name of the related type"
    }

    private static let relationshipForms = Form<[TypeSchema.Relationship]>.entries(
        of: RelationshipDeclaration.table.schema(of: RelationshipDeclaration())
    ) { entry, _, reading in
        var found = RelationshipDeclaration()
        _ = RelationshipDeclaration.table.read(entry.value, entry.pointer, into: &found, &reading)
        guard let type = found.type, found.association != nil || found.by != nil else { return nil }
        return .init(
            name: entry.name, type: type, association: found.association ?? .many, by: found.by)
    }

    /// A property that a relationship reads must be able to hold what it reads.
    private func checkRelationships(at place: JSONPointer, _ reading: inout Reading) {
        for relationship in relationships where relationship.by == nil {
            let property = properties.first { $0.name == relationship.name }
            guard let rules = property?.declaration.rules else { continue }
            let holdsIDs =
                switch (relationship.association, rules.kind) {
                case (_, .any), (.many, .array), (.one, .string), (.one, .integer): true
                default: false
                }
            if !holdsIDs {
                reading.expected(
                    relationship.association == .one
                        ? "a string, an integer or any, since a relationship reads an id here"
                        : "an array or any, since a relationship reads a list of ids here",
                    at: place.appending(relationship.name).appending("type"))
            }
        }
    }

    // MARK: Indexes

    /// The most indexes of one type.
    private static let mostIndexes = 32

    private static let indexForms: Form<[IndexDefinition]> = {
        let key = Form.text(minLength: 1).schema
        return .list(
            of: ["anyOf": [key, ["type": "array", "minItems": 1, "items": key]]],
            count: 0...mostIndexes,
            or: "a list of at most \(mostIndexes) property paths or lists of them"
        ) { entry, found, reading in
            let parts = entry.value.arrayValue ?? [entry.value]
            let keys = parts.compactMap { indexKey($0) }
            if keys.isEmpty || keys.count != parts.count {
                reading.expected(
                    "a property path such as \"status\" or a list such as [\"status\", \"-at\"];"
                        + " an index knows no :ci", at: entry.pointer)
                return nil
            }
            guard let definition = IndexDefinition(keys) else {
                reading.expected(
                    "at most \(IndexDefinition.maximumKeys) different properties, none of them"
                        + " \"id\", by which entities are found already", at: entry.pointer)
                return nil
            }
            if found.contains(definition) { reading.expected("each index once", at: entry.pointer) }
            return definition
        }
    }()

    private static func indexKey(_ value: JSONValue) -> OrderKey? {
        guard let text = value.stringValue else { return nil }
        let descending = text.hasPrefix("-")
        // The caller tells what was expected; the offset inside so short a text adds nothing.
        guard let path = try? PropertyPath(parsing: String(text.dropFirst(descending ? 1 : 0)))
        else { return nil }
        return OrderKey(path: path, descending: descending)
    }

    // MARK: Contracts

    private struct ContractDeclaration: Sendable {
        var requires: [String] = []
        var filter: Filter?

        static let table = ObjectTable<ContractDeclaration>([
            Member(
                "requires", "properties that must be there",
                .list(of: .text(), or: "a list of strings"), to: \.requires),
            Member("where", "a filter that must hold", condition, to: \.filter),
        ])
    }

    private static let contractForms = Form<[TypeSchema.Contract]>.entries(
        of: ContractDeclaration.table.schema(of: ContractDeclaration())
    ) { entry, _, reading in
        var found = ContractDeclaration()
        guard
            ContractDeclaration.table.read(entry.value, entry.pointer, into: &found, &reading)
        else { return nil }
        return .init(name: entry.name, requires: found.requires, filter: found.filter)
    }

    private static let condition = Form<Filter>(Form.text().schema) { value, place, reading in
        guard let text = Form.text().read(value, place, &reading) else { return nil }
        let expectation: String
        do throws(FilterFault) {
            let filter = try Filter(parsing: text)
            do throws(EngineError) {
                _ = try FilterEvaluator(filter)
                return filter
            } catch {
                expectation = TypeDeclaration.expectation(of: error)
            }
        } catch {
            expectation =
                switch error {
                case .syntax(let offset, let expected):
                    "\(expected) at offset \(offset) of the filter"
                case .tree(_, let expected): expected
                case .tooComplex(let reason): "a smaller filter (\(reason))"
                }
        }
        reading.expected(expectation, at: place)
        return nil
    }

    /// What was expected where a filter cannot be compiled.
    private static func expectation(of error: EngineError) -> String {
        switch error {
        case .badPattern(let offset, let place, let expected):
            "\(expected) at offset \(offset ?? place) of the filter"
        case .tooComplex(let reason), .includeTooLarge(let reason): "a smaller filter (\(reason))"
        case .notImplemented(let what): "no \(what), which is not built yet"
        case .timeout, .answerTooLarge, .snapshotTooLarge, .tooManyResidualQueries,
            .tooManyWindowRows, .tooManyFilterBytes:
            "a filter"
        }
    }

    // MARK: What comes of it

    private func schema(named name: TypeName, from value: JSONValue) -> TypeSchema {
        var members = properties.compactMap { $1.member(named: $0) }
        for relationship in relationships where relationship.by == nil {
            if members.contains(where: { $0.name == relationship.name }) { continue }
            members.append(
                .init(
                    name: relationship.name, isRequired: false,
                    rules: PropertySchema(
                        kind: .any, reference: relationship.association == .one ? .one : .many,
                        isNullable: true)))
        }
        return TypeSchema(
            name: name.text, identifier: identifier, storage: storage, durability: durability,
            relationships: relationships, indexes: indexes, contracts: contracts,
            silentMembers: properties.filter(\.declaration.isSilent).map(\.name),
            defaults: properties.compactMap { property in
                property.declaration.standard.map { (property.name, $0) }
            },
            lazyMembers: properties.filter(\.declaration.isLazy).map(\.name),
            rules: ObjectSchema(members: members, allowsAdditional: additional),
            encoded: encoded(name, value))
    }

    /// The JSON form that `GET /v1/_types` shows: the declaration in a fixed order of members, with
    /// what it leaves out written as what that means.
    private func encoded(_ name: TypeName, _ value: JSONValue) -> [UInt8] {
        var members: [JSONValue.Member] = [.init(name: "name", value: .string(name.text))]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("identifier", identifier.map { .string($0.rawValue) })
        add("properties", value["properties"] ?? .object([]))
        add("additionalProperties", .bool(additional))
        add("relationships", value["relationships"] ?? .object([]))
        add("indexes", value["indexes"] ?? .array([]))
        add("contracts", value["contracts"] ?? .object([]))
        add("store", .string(storage.rawValue))
        add("durability", durability.map { .string($0.rawValue) })
        return JSONValue.object(members).bytes
    }
}

extension TypeSchema {
    /// What a type may be called.
    static let namePattern = "^[A-Za-z][A-Za-z0-9_-]{0,63}$"
}
