package import FreshetJSON
package import FreshetQuery

import FreshetBase
import FreshetEngine

/// Turns the member `types` of the configuration into schemas.
package enum SchemaReader {
    /// How deep properties may nest; validation recurses that far at most.
    static let depthLimit = 16

    /// Reads all types, in the order of the file. A type with a fault is left out of the result.
    ///
    /// - Parameter pointer: Where `types` stands in the file, for the faults.
    package static func types(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> [TypeSchema] {
        guard let members = value.objectValue else {
            faults.expected("an object whose members are types", at: pointer)
            return []
        }
        var types: [TypeSchema] = []
        for member in members {
            let place = pointer.appending(member.name)
            guard let name = TypeName(member.name) else {
                faults.expected(
                    "a type name: a letter, then at most 63 letters, digits, _ or -", at: place)
                continue
            }
            if let type = Self.type(name, member.value, at: place, faults: &faults) {
                types.append(type)
            }
        }
        return types
    }

    /// Reads one type; nil where a fault was found.
    package static func type(
        _ name: TypeName, _ value: JSONValue, at pointer: JSONPointer,
        faults: inout [SchemaFault]
    ) -> TypeSchema? {
        let faultsBefore = faults.count
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let identifier = reader.word(
            "identifier", of: TypeSchema.Identifier.self, faults: &faults)
        var properties = readProperties(&reader, isTopLevel: true, depth: 1, faults: &faults)
        let additional = reader.bool("additionalProperties", faults: &faults) ?? true
        let relationships = readRelationships(&reader, faults: &faults)
        let indexes = readIndexes(&reader, faults: &faults)
        let contracts = readContracts(&reader, faults: &faults)
        let storage = reader.word("store", of: TypeSchema.Storage.self, faults: &faults)
        // Where entities come from is no part of what they are: the server's RemoteReader looks at it.
        _ = reader.value("remote")
        let durability = reader.word(
            "durability", of: TypeSchema.Durability.self, faults: &faults)
        if durability != nil, storage == .memory {
            faults.append(
                SchemaFault(
                    pointer: pointer.appending("durability").description, code: "durability",
                    detail: "entities in memory reach no disk; leave out \"store\" or this"))
        }
        reader.finish(faults: &faults)
        checkRelationships(relationships, properties, at: pointer, faults: &faults)
        guard faults.count == faultsBefore else { return nil }

        for relationship in relationships where relationship.by == nil {
            if properties.members.contains(where: { $0.name == relationship.name }) { continue }
            properties.members.append(
                .init(
                    name: relationship.name, bytes: relationship.name.canonicalContents,
                    isRequired: false,
                    rules: PropertySchema(
                        kind: .any, reference: relationship.association == .one ? .one : .many,
                        isNullable: true)))
        }
        let encoded = SchemaForm(
            name: name, value: value, identifier: identifier, additional: additional,
            storage: storage ?? .file, durability: durability
        ).bytes
        return TypeSchema(
            name: name.text, identifier: identifier, storage: storage ?? .file,
            durability: durability, relationships: relationships, indexes: indexes,
            contracts: contracts, silentMembers: properties.silent.map(\.canonicalContents),
            defaults: properties.defaults, lazyMembers: properties.lazy.map(\.canonicalContents),
            rules: ObjectSchema(members: properties.members, allowsAdditional: additional),
            encoded: encoded)
    }

    // MARK: Properties

    struct Properties {
        var members: [ObjectSchema.Member] = []
        var silent: [String] = []
        var lazy: [String] = []
        var defaults: [(name: String, value: [UInt8])] = []
    }

    private static func readProperties(
        _ reader: inout MemberReader, isTopLevel: Bool, depth: Int,
        faults: inout [SchemaFault]
    ) -> Properties {
        var result = Properties()
        for (name, value, place) in reader.entries("properties", faults: &faults) {
            if isTopLevel, name == "id" || name == "_meta" {
                faults.append(
                    SchemaFault(
                        pointer: place.description, code: "value",
                        detail: name == "id"
                            ? "the id is declared by \"identifier\", not as a property"
                            : "\"_meta\" belongs to the service and cannot be declared"))
                continue
            }
            guard var member = MemberReader(value, at: place, faults: &faults) else { continue }
            var isRequired = false
            let property = PropertyReader.read(
                &member, depth: depth, isRequired: &isRequired, faults: &faults)
            if isTopLevel {
                if member.bool("silent", faults: &faults) == true { result.silent.append(name) }
                if member.bool("lazy", faults: &faults) == true {
                    result.lazy.append(name)
                    if isRequired {
                        faults.expected(
                            "\"lazy\" only on a property that is not required: a write may lack it",
                            at: place.appending("lazy"))
                    }
                }
                if let value = member.value("default") {
                    let bytes = value.bytes
                    if let property {
                        check(
                            bytes, against: property, what: "the default",
                            at: place.appending("default"), faults: &faults)
                    }
                    result.defaults.append((name, bytes))
                }
            } else {
                PropertyReader.refuseTopLevelMembers(&member, faults: &faults)
            }
            member.finish(faults: &faults)
            guard let property else { continue }
            result.members.append(
                .init(
                    name: name, bytes: name.canonicalContents, isRequired: isRequired,
                    rules: property))
        }
        return result
    }

    /// The members of an object-typed property.
    static func readObject(
        _ reader: inout MemberReader, depth: Int, requiredNames: [String],
        faults: inout [SchemaFault]
    ) -> ObjectSchema? {
        let additional = reader.bool("additionalProperties", faults: &faults)
        let properties = readProperties(
            &reader, isTopLevel: false, depth: depth + 1, faults: &faults)
        if properties.members.isEmpty && requiredNames.isEmpty && additional != false {
            return nil
        }
        var members = properties.members
        for (place, name) in requiredNames.enumerated() {
            let isNamed = members.contains { $0.name == name }
            if !isNamed && additional == false || requiredNames[..<place].contains(name) {
                faults.expected(
                    "each of the declared properties at most once",
                    at: reader.pointer.appending("required").appending(place))
            }
            if let index = members.firstIndex(where: { $0.name == name }) {
                let member = members[index]
                members[index] = .init(
                    name: name, bytes: member.bytes, isRequired: true, rules: member.rules)
            } else {
                members.append(
                    .init(
                        name: name, bytes: name.canonicalContents, isRequired: true,
                        rules: PropertySchema(kind: .any)))
            }
        }
        return ObjectSchema(members: members, allowsAdditional: additional ?? true)
    }

    /// Reports where a value of the schema itself (a default, an allowed value) breaks its rules.
    static func check(
        _ bytes: [UInt8], against rules: PropertySchema, what: String, at place: JSONPointer,
        faults: inout [SchemaFault]
    ) {
        var check = SchemaCheck(
            limit: 1, patience: SchemaPattern.patience(ofEntity: bytes.count))
        bytes.withUnsafeBytes { check.examine(JSONView(canonical: $0), against: rules) }
        guard let fault = check.faults.first else { return }
        faults.append(
            SchemaFault(
                pointer: place.description + fault.pointer, code: "value",
                detail: "\(what) does not fit the property: \(fault.detail)"))
    }

    // MARK: Relationships, indexes, contracts

    private static func readRelationships(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> [TypeSchema.Relationship] {
        var result: [TypeSchema.Relationship] = []
        for (name, value, place) in reader.entries("relationships", faults: &faults) {
            guard var member = MemberReader(value, at: place, faults: &faults) else { continue }
            let typeText = member.string("type", faults: &faults)
            let association = member.word(
                "association", of: TypeSchema.Relationship.Association.self, faults: &faults)
            let by = member.string("by", faults: &faults)
            member.finish(faults: &faults)
            guard let typeText, let type = TypeName(typeText) else {
                faults.expected("the name of the related type", at: place.appending("type"))
                continue
            }
            if association == nil && by == nil {
                faults.expected(
                    "\"one\" or \"many\", or \"by\" with the property that points back",
                    at: place.appending("association"))
                continue
            }
            result.append(
                .init(name: name, type: type, association: association ?? .many, by: by))
        }
        return result
    }

    /// A property that a relationship reads must be able to hold what it reads.
    private static func checkRelationships(
        _ relationships: [TypeSchema.Relationship], _ properties: Properties,
        at pointer: JSONPointer, faults: inout [SchemaFault]
    ) {
        for relationship in relationships where relationship.by == nil {
            guard let property = properties.members.first(where: { $0.name == relationship.name })
            else { continue }
            let holdsIDs =
                switch (relationship.association, property.rules.kind) {
                case (_, .any), (.many, .array), (.one, .string), (.one, .integer): true
                default: false
                }
            if !holdsIDs {
                faults.expected(
                    relationship.association == .one
                        ? "a string, an integer or any, since a relationship reads an id here"
                        : "an array or any, since a relationship reads a list of ids here",
                    at: pointer.appending("properties").appending(relationship.name)
                        .appending("type"))
            }
        }
    }

    /// The most indexes of one type.
    private static let indexLimit = 32

    private static func readIndexes(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> [IndexDefinition] {
        let place = reader.pointer.appending("indexes")
        guard let value = reader.value("indexes") else { return [] }
        guard let elements = value.arrayValue, elements.count <= indexLimit else {
            faults.expected(
                "a list of at most \(indexLimit) property paths or lists of them", at: place)
            return []
        }
        var result: [IndexDefinition] = []
        for (index, element) in elements.enumerated() {
            let place = place.appending(index)
            let parts = element.arrayValue ?? [element]
            let keys = parts.compactMap { indexKey($0) }
            if keys.isEmpty || keys.count != parts.count {
                faults.expected(
                    "a property path such as \"status\" or a list such as [\"status\", \"-at\"]",
                    at: place)
            } else if let definition = IndexDefinition(keys) {
                if result.contains(definition) {
                    faults.expected("each index once", at: place)
                } else {
                    result.append(definition)
                }
            } else {
                faults.expected(
                    "at most \(IndexDefinition.maximumKeys) different properties, none of them"
                        + " \"id\", by which entities are found already", at: place)
            }
        }
        return result
    }

    private static func indexKey(_ value: JSONValue) -> OrderKey? {
        guard let text = value.stringValue else { return nil }
        let descending = text.hasPrefix("-")
        // The caller tells what was expected; the offset inside so short a text adds nothing.
        guard let path = try? PropertyPath(parsing: String(text.dropFirst(descending ? 1 : 0)))
        else { return nil }
        return OrderKey(path: path, descending: descending)
    }

    private static func readContracts(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> [TypeSchema.Contract] {
        var result: [TypeSchema.Contract] = []
        for (name, value, place) in reader.entries("contracts", faults: &faults) {
            guard var member = MemberReader(value, at: place, faults: &faults) else { continue }
            let requires = member.strings("requires", faults: &faults) ?? []
            var filter: Filter?
            if let text = member.string("where", faults: &faults) {
                filter = readFilter(text, at: place.appending("where"), faults: &faults)
            }
            member.finish(faults: &faults)
            result.append(.init(name: name, requires: requires, filter: filter))
        }
        return result
    }

    /// What was expected where a filter cannot be compiled.
    private static func expectation(of error: EngineError) -> String {
        switch error {
        case .badPattern(let offset, let place, let expected):
            "\(expected) at offset \(offset ?? place) of the filter"
        case .tooComplex(let reason), .includeTooLarge(let reason): "a smaller filter (\(reason))"
        case .notImplemented(let what): "no \(what), which is not built yet"
        case .timeout, .answerTooLarge, .snapshotTooLarge, .tooManyResidualQueries: "a filter"
        }
    }

    private static func readFilter(
        _ text: String, at place: JSONPointer, faults: inout [SchemaFault]
    ) -> Filter? {
        do {
            let filter = try Filter(parsing: text)
            do { _ = try FilterEvaluator(filter) } catch {
                faults.expected(expectation(of: error), at: place)
                return nil
            }
            return filter
        } catch {
            switch error {
            case .syntax(let offset, let expected):
                faults.expected("\(expected) at offset \(offset) of the filter", at: place)
            case .tree(_, let expected): faults.expected(expected, at: place)
            case .tooComplex(let reason):
                faults.expected("a smaller filter (\(reason))", at: place)
            }
            return nil
        }
    }
}

/// The JSON form that `GET /v1/_types` shows: the declaration in a fixed order of members, with
/// what it leaves out written as what that means.
struct SchemaForm {
    let name: TypeName
    let value: JSONValue
    let identifier: TypeSchema.Identifier?
    let additional: Bool
    let storage: TypeSchema.Storage
    let durability: TypeSchema.Durability?

    var bytes: [UInt8] {
        var members: [JSONValue.Member] = [.init(name: "name", value: .string(name.text))]
        if let identifier {
            members.append(.init(name: "identifier", value: .string(identifier.rawValue)))
        }
        members.append(.init(name: "properties", value: value["properties"] ?? .object([])))
        members.append(.init(name: "additionalProperties", value: .bool(additional)))
        members.append(.init(name: "relationships", value: value["relationships"] ?? .object([])))
        members.append(.init(name: "indexes", value: value["indexes"] ?? .array([])))
        members.append(.init(name: "contracts", value: value["contracts"] ?? .object([])))
        members.append(.init(name: "store", value: .string(storage.rawValue)))
        if let durability {
            members.append(.init(name: "durability", value: .string(durability.rawValue)))
        }
        return JSONValue.object(members).bytes
    }
}
