package import FreshetJSON

/// The schemas of declared types' entities as an API description has them (JSON Schema 2020-12).
///
/// A generator of clients names its classes after schemas, so an object or a list of words inside of
/// an entity has a schema of its own, named after its place: `Article`, `ArticleStatus`.
package struct EntityDescriptions {
    /// Members of the description's `schemas`.
    package private(set) var schemas: [JSONValue.Member] = []
    /// Without capitals, since some languages' files know none.
    private var taken: Set<String>

    private static let place = "#/components/schemas/"

    /// - Parameter names: What the description calls its own schemas and operations.
    package init(besides names: [String]) {
        taken = Set(names.map { $0.lowercased() })
    }

    /// Adds the schemas of a type's entities: as answers have them under the name returned, as
    /// bodies have them under the same with `New`. `…Result` and `…Group` are kept free beside them.
    package mutating func add(_ type: TypeSchema) -> String {
        let name = claim(Self.words(type.name), else: "Entity") {
            [$0, "New\($0)", "\($0)Result", "\($0)Group"]
        }
        let (id, newID): (JSONValue, JSONValue) =
            switch type.identifier {
            case .integer: (["type": "integer"], ["type": "integer"])
            case .string: (["type": "string"], Self.reference("NewTextId"))
            case nil: (Self.reference("StoredId"), Self.reference("NewId"))
            }
        let members = type.rules.members.map { member in
            (member, schema(of: member.rules, inside: name + Self.words(member.name)))
        }
        let properties = members.map { JSONValue.Member(name: $0.name, value: $1) }
        let required = members.map(\.0).filter(\.isRequired)
        // What a default fills in need not be sent.
        let defaults = Set(type.defaultTexts.map(\.name))
        let needed = required.filter { !defaults.contains($0.bytes) }
        let shown = [
            JSONValue.Member(name: "id", value: id),
            .init(name: "_meta", value: Self.reference("Object")),
        ]
        let sent = [JSONValue.Member(name: "id", value: newID)]
        schemas += [
            .init(
                name: name,
                value: Self.object(
                    shown + properties, required: ["id"] + required.map(\.name),
                    isOpen: type.additionalProperties)),
            .init(
                name: "New\(name)",
                value: Self.object(
                    sent + properties, required: needed.map(\.name),
                    isOpen: type.additionalProperties)),
        ]
        return name
    }

    // MARK: Values

    private mutating func schema(of rules: PropertySchema, inside place: String) -> JSONValue {
        if let reference = rules.reference {
            let id = Self.reference("Id")
            return reference == .one ? id : ["type": "array", "items": id]
        }
        if let enumeration = rules.enumeration {
            return choice(enumeration, rules, inside: place)
        }
        guard rules.kind != .object else {
            return orNull(keep(object(rules.members, inside: place), as: place), rules)
        }
        var members: [JSONValue.Member] = []
        if let type = rules.kind.jsonType {
            members.append(.init(name: "type", value: rules.isNullable ? [type, "null"] : type))
        }
        if rules.kind.isFormat {
            members.append(.init(name: "format", value: .string(rules.kind.rawValue)))
        }
        members += rules.bounds
        if let items = rules.items {
            members.append(.init(name: "items", value: schema(of: items, inside: place + "Item")))
        } else if rules.kind == .array {
            members.append(.init(name: "items", value: [:]))
        }
        return .object(members)
    }

    /// One of some values. Words and integers have a schema of their own, as generators want it.
    private mutating func choice(
        _ values: [[UInt8]], _ rules: PropertySchema, inside place: String
    ) -> JSONValue {
        // Canonical texts by construction; a value that is none would be none of the choice.
        let values = values.compactMap { try? JSONValue.parse($0) }.filter { $0 != .null }
        let isOfWords = values.allSatisfy { if case .string = $0 { true } else { false } }
        let type: JSONValue? = isOfWords ? "string" : rules.kind == .integer ? "integer" : nil
        guard let type else { return orNull(["enum": .array(values)], rules) }
        return orNull(keep(["type": type, "enum": .array(values)], as: place), rules)
    }

    private mutating func object(_ rules: ObjectSchema?, inside place: String) -> JSONValue {
        guard let rules else { return Self.object([], required: [], isOpen: true) }
        var properties: [JSONValue.Member] = []
        for member in rules.members {
            let inside = place + Self.words(member.name)
            properties.append(
                .init(name: member.name, value: schema(of: member.rules, inside: inside)))
        }
        return Self.object(
            properties, required: rules.members.filter(\.isRequired).map(\.name),
            isOpen: rules.allowsAdditional)
    }

    private func orNull(_ schema: JSONValue, _ rules: PropertySchema) -> JSONValue {
        rules.isNullable ? ["anyOf": [schema, ["type": "null"]]] : schema
    }

    private static func object(
        _ properties: [JSONValue.Member], required: [String], isOpen: Bool
    ) -> JSONValue {
        [
            "type": "object", "required": .array(required.map(JSONValue.string)),
            "properties": .object(properties), "additionalProperties": .bool(isOpen),
        ]
    }

    // MARK: Names

    /// Gives `schema` a name, and answers with a reference to it.
    private mutating func keep(_ schema: JSONValue, as wanted: String) -> JSONValue {
        let name = claim(wanted, else: "Value") { [$0] }
        schemas.append(.init(name: name, value: schema))
        return Self.reference(name)
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string(place + name)] }

    /// `wanted`, or where some of its forms are taken the same with `suffix`, then with a number.
    private mutating func claim(
        _ wanted: String, else suffix: String, forms: (String) -> [String]
    ) -> String {
        var name = wanted
        var number = 1
        while forms(name).contains(where: { taken.contains($0.lowercased()) }) {
            name = wanted + suffix + (number == 1 ? "" : "\(number)")
            number += 1
        }
        taken.formUnion(forms(name).map { $0.lowercased() })
        return name
    }

    /// `order-line` → `OrderLine`. Letters and digits of ASCII remain, which names of schemas are.
    private static func words(_ name: String) -> String {
        var result = ""
        var begins = true
        for scalar in name.unicodeScalars {
            guard scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            else {
                begins = true
                continue
            }
            result += begins ? scalar.properties.uppercaseMapping : String(scalar)
            begins = false
        }
        return result
    }
}

extension PropertySchema.Kind {
    /// nil: any.
    fileprivate var jsonType: JSONValue? {
        switch self {
        case .any: nil
        case .date, .dateTime, .duration, .uri: "string"
        case .string, .integer, .number, .boolean, .array, .object: .string(rawValue)
        }
    }
}

extension PropertySchema {
    fileprivate var bounds: [JSONValue.Member] {
        let numbers = [("minimum", minimum), ("maximum", maximum)].compactMap { name, text in
            text.map {
                JSONValue.Member(name: name, value: .number(String(decoding: $0, as: UTF8.self)))
            }
        }
        let counts = [
            ("minLength", minLength), ("maxLength", maxLength), ("minItems", minItems),
            ("maxItems", maxItems),
        ].compactMap { name, count in
            count.map { JSONValue.Member(name: name, value: .number("\($0)")) }
        }
        let patterns = pattern.map { [JSONValue.Member(name: "pattern", value: .string($0.text))] }
        return numbers + counts + (patterns ?? [])
    }
}
