package import FreshetJSON

/// The JSON Schema (2020-12) of a type's declaration, for editors and other programs.
///
/// It says all that a JSON Schema can say of what `SchemaReader` accepts. What relates two values
/// to one another stays with the reader: bounds in the wrong order, a default or an allowed value
/// that breaks the other rules, a required name that is not declared, the grammar of filters,
/// patterns and paths, 16 levels at most.
extension TypeSchema {
    /// Where the root of the document keeps `declarationDefinitions`.
    private static let definitions = "#/$defs/"

    /// The schema of one type's declaration; refers to `declarationDefinitions`.
    package static var declarationSchema: JSONValue {
        let text: JSONValue = ["type": "string"]
        let relationship: JSONValue = [
            "type": "object", "required": ["type"], "additionalProperties": false,
            "anyOf": [["required": ["association"]], ["required": ["by"]]],
            "properties": [
                "type": ["type": "string", "pattern": .string(TypeSchema.namePattern)],
                "association": ["enum": ["one", "many"]], "by": text,
            ],
        ]
        let contract: JSONValue = [
            "type": "object", "additionalProperties": false,
            "properties": ["requires": ["type": "array", "items": text], "where": text],
        ]
        let key: JSONValue = ["type": "string", "minLength": 1]
        return [
            "type": "object", "additionalProperties": false,
            "properties": [
                "identifier": ["enum": ["string", "integer"]],
                "properties": [
                    "type": "object", "propertyNames": ["not": ["enum": ["id", "_meta"]]],
                    "additionalProperties": reference("property"),
                ],
                "additionalProperties": ["type": "boolean"],
                "relationships": ["type": "object", "additionalProperties": relationship],
                "indexes": [
                    "type": "array",
                    "items": ["anyOf": [key, ["type": "array", "minItems": 1, "items": key]]],
                ],
                "contracts": ["type": "object", "additionalProperties": contract],
                "store": ["enum": ["file", "memory"]],
                "durability": ["enum": ["relaxed", "full"]],
            ],
        ]
    }

    /// What a type may be called.
    package static let namePattern = "^[A-Za-z][A-Za-z0-9_-]{0,63}$"

    /// The members of the document's `$defs` that `declarationSchema` refers to: `property` for a
    /// property of a type, `member` for one inside of an object, `element` for an array's.
    package static var declarationDefinitions: JSONValue {
        let bool: JSONValue = ["type": "boolean"]
        let top: [JSONValue.Member] = [
            .init(name: "default", value: [:]), .init(name: "silent", value: bool),
            .init(name: "lazy", value: bool),
        ]
        let notBoth: JSONValue = [
            "not": [
                "required": ["required", "lazy"],
                "properties": ["required": ["const": true], "lazy": ["const": true]],
            ]
        ]
        // An element cannot be absent: only an object's list of names, or false.
        let neverRequired: JSONValue = [
            "properties": ["required": ["not": ["const": true]]]
        ]
        return [
            "property": declaration(of: top, and: [notBoth]),
            "member": declaration(of: [], and: []),
            "element": declaration(of: [], and: [neverRequired]),
        ]
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string(definitions + name)]
    }

    /// A declaration with the members that every one may have, `more`, and the conditions of all
    /// and of `more`.
    private static func declaration(
        of more: [JSONValue.Member], and conditions: [JSONValue]
    ) -> JSONValue {
        let count: JSONValue = ["type": "integer", "minimum": 0]
        let bool: JSONValue = ["type": "boolean"]
        let text: JSONValue = ["type": "string"]
        let kinds = PropertySchema.Kind.allCases.map { JSONValue.string($0.rawValue) }
        let members: [JSONValue.Member] = [
            .init(name: "type", value: ["enum": .array(kinds)]),
            .init(name: "nullable", value: bool),
            .init(
                name: "required",
                value: ["anyOf": [bool, ["type": "array", "items": text, "uniqueItems": true]]]),
            .init(
                name: "enum", value: ["type": "array", "minItems": 1, "uniqueItems": true]),
            .init(name: "minimum", value: ["type": "number"]),
            .init(name: "maximum", value: ["type": "number"]),
            .init(name: "minLength", value: count), .init(name: "maxLength", value: count),
            .init(name: "pattern", value: text),
            .init(name: "minItems", value: count), .init(name: "maxItems", value: count),
            .init(name: "items", value: reference("element")),
            .init(
                name: "properties",
                value: ["type": "object", "additionalProperties": reference("member")]),
            .init(name: "additionalProperties", value: bool),
        ]
        let places: [JSONValue] = [
            only(["integer", "number"], have: ["minimum", "maximum"]),
            only(["string"], have: ["minLength", "maxLength", "pattern"]),
            only(["array"], have: ["items", "minItems", "maxItems"]),
            only(
                ["object"], have: ["properties", "additionalProperties"],
                and: [.init(name: "required", value: bool)]),
        ]
        return [
            "type": "object", "required": ["type"], "additionalProperties": false,
            "properties": .object(members + more), "allOf": .array(places + conditions),
        ]
    }

    /// Members that only declarations of some types may have; `others` is what stands for all.
    private static func only(
        _ types: [JSONValue], have names: [String], and others: [JSONValue.Member] = []
    ) -> JSONValue {
        let refused = names.map { JSONValue.Member(name: $0, value: .bool(false)) }
        return [
            "if": ["properties": ["type": ["enum": .array(types)]]],
            "else": ["properties": .object(refused + others)],
        ]
    }
}
