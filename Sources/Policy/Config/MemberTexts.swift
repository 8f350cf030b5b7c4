import FreshetJSON

/// What members of the configuration mean whose schema is made elsewhere: `Setting` has the texts of
/// settings, this table those of all that stands inside of types, upstreams, operations and access.
///
/// A key is where a member stands: `*` is a name that users choose, `[]` an element. What a schema
/// refers to is under a name of its own: `credential`, `spec`; properties inside of properties are
/// under `types.*.properties.*`, too.
enum MemberTexts {
    /// `schema` with a description for each member that has none.
    static func describe(_ schema: JSONValue) -> JSONValue {
        guard var members = described(schema, at: "").objectValue else { return schema }
        for index in members.indices where members[index].name == "$defs" {
            members[index].value = .object(
                (members[index].value.objectValue ?? []).map { definition in
                    let path =
                        ["property", "member", "element"].contains(definition.name)
                        ? "types.*.properties.*" : definition.name
                    return .init(
                        name: definition.name, value: described(definition.value, at: path))
                })
        }
        return .object(members)
    }

    private static func described(_ node: JSONValue, at path: String) -> JSONValue {
        guard let members = node.objectValue else { return node }
        return .object(
            members.map { member in
                let value: JSONValue =
                    switch member.name {
                    case "properties": named(member.value, below: path)
                    case "additionalProperties": described(member.value, at: path + ".*")
                    case "items": described(member.value, at: path + "[]")
                    case "anyOf", "oneOf":
                        .array((member.value.arrayValue ?? []).map { described($0, at: path) })
                    default: member.value
                    }
                return .init(name: member.name, value: value)
            })
    }

    private static func named(_ properties: JSONValue, below path: String) -> JSONValue {
        .object(
            (properties.objectValue ?? []).map { property in
                let place = path.isEmpty ? property.name : "\(path).\(property.name)"
                let value = described(property.value, at: place)
                guard var members = value.objectValue, value["description"] == nil,
                    let text = all[place]
                else { return .init(name: property.name, value: value) }
                members.append(.init(name: "description", value: .string(text)))
                return .init(name: property.name, value: .object(members))
            })
    }

    static let all: [String: String] = [
        "types.*.identifier": "what ids are; both where absent",
        "types.*.properties": "the declared properties by name",
        "types.*.properties.*.type": "the kind of value",
        "types.*.properties.*.nullable": "`null` is allowed, too",
        "types.*.properties.*.required": "must be there; in an object the names that must be",
        "types.*.properties.*.enum": "the only values",
        "types.*.properties.*.minimum": "least number",
        "types.*.properties.*.maximum": "greatest number",
        "types.*.properties.*.minLength": "least length in characters",
        "types.*.properties.*.maxLength": "greatest length in characters",
        "types.*.properties.*.pattern": "a regular expression that must be found",
        "types.*.properties.*.minItems": "fewest elements",
        "types.*.properties.*.maxItems": "most elements",
        "types.*.properties.*.items": "what each element is",
        "types.*.properties.*.properties": "members of an object",
        "types.*.properties.*.additionalProperties": "whether other members are allowed",
        "types.*.properties.*.default": "is filled in where the property is absent",
        "types.*.properties.*.silent": "changes of it alone make no live event",
        "types.*.properties.*.lazy": "keeps its value where a write does not name it",
        "types.*.additionalProperties": "whether undeclared properties are allowed",
        "types.*.relationships": "what properties refer to, for `include`",
        "types.*.relationships.*.type": "the type that is referred to",
        "types.*.relationships.*.association": "the property holds one id or a list of ids",
        "types.*.relationships.*.by":
            "backwards: the property of the other type that holds this id",
        "types.*.indexes": "properties, or lists of them, that searches use",
        "types.*.contracts": "what a reader may demand of rows, by name",
        "types.*.contracts.*.requires": "properties that must be there",
        "types.*.contracts.*.where": "a filter that must hold",
        "types.*.store": "where rows are kept; `memory` begins empty at each start",
        "types.*.durability": "when writes of this type are answered",
        "types.*.remote": "the service that the entities come from",
    ]
}
