import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRemote

/// The JSON Schema (2020-12) of the configuration file, made from the table of settings.
package enum ConfigurationSchema {
    /// The schema as JSON, indented for people, with a line feed at its end.
    package static var text: String {
        var output = ""
        write(schema, indent: 0, to: &output)
        return output + "\n"
    }

    static var schema: JSONValue {
        var properties: [JSONValue.Member] = [
            .init(name: "$schema", value: ["type": "string"])
        ]
        var groups: [(name: String, members: [JSONValue.Member])] = []
        for setting in Setting.all {
            let path = setting.path
            if path.count == 1 {
                properties.append(.init(name: path[0], value: setting.schema))
                continue
            }
            let member = JSONValue.Member(name: path[1], value: setting.schema)
            if let index = groups.firstIndex(where: { $0.name == path[0] }) {
                groups[index].members.append(member)
            } else {
                groups.append((path[0], [member]))
            }
        }
        for group in groups {
            properties.append(.init(name: group.name, value: object(group.members)))
        }
        var conditions: [JSONValue] = []
        for setting in Setting.all {
            for alias in setting.aliases where alias.count == 2 {
                properties.append(
                    .init(
                        name: alias[0],
                        value: object([.init(name: alias[1], value: setting.schema)])))
                conditions.append(not(both: setting.path[0], and: alias))
            }
        }
        properties.append(
            .init(
                name: "types",
                value: [
                    "type": "object", "description": "the declared types by name",
                    "propertyNames": ["pattern": .string(TypeSchema.namePattern)],
                    "additionalProperties": typeSchema,
                ]))
        properties.append(
            .init(
                name: "upstreams",
                value: UpstreamDeclaration.all.schema.adding([
                    .init(
                        name: "description",
                        value: "the services that entities come from, by name")
                ])))
        properties.append(.init(name: "conditions", value: SpecSchema.conditions))
        properties.append(.init(name: "specs", value: SpecSchema.specs))
        properties.append(.init(name: "operations", value: SpecSchema.operations))
        properties.append(.init(name: "access", value: accessSchema))
        return MemberTexts.describe([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Freshet configuration", "type": "object",
            "properties": .object(properties), "additionalProperties": false,
            "allOf": .array(conditions), "$defs": definitions,
        ])
    }

    private static var definitions: JSONValue {
        let members = TypeSchema.declarationDefinitions.objectValue ?? []
        return .object(
            members + [
                OAuth2Configuration.definition,
                .init(name: "spec", value: SpecSchema.definition),
            ])
    }

    /// A type's declaration with the remote, which only the server knows.
    private static var typeSchema: JSONValue {
        var members = TypeSchema.declarationSchema.objectValue ?? []
        for index in members.indices where members[index].name == "properties" {
            let properties = members[index].value.objectValue ?? []
            members[index].value = .object(
                properties + [.init(name: "remote", value: UpstreamSchema.remote)])
        }
        return .object(members)
    }

    /// A setting is given in one of its places.
    private static func not(both name: String, and alias: [String]) -> JSONValue {
        [
            "not": [
                "required": [.string(name), .string(alias[0])],
                "properties": .object([
                    .init(name: alias[0], value: ["required": [.string(alias[1])]])
                ]),
            ]
        ]
    }

    private static var accessSchema: JSONValue {
        let rows: JSONValue = [
            "type": ["boolean", "string"],
            "description": "all, none, or those of which this filter is true",
        ]
        let types: JSONValue = [
            "type": "object",
            "description": "rights by type; \"*\" is for types that are not named",
            "additionalProperties": object([
                .init(name: "read", value: rows), .init(name: "write", value: rows),
                .init(
                    name: "level",
                    value: ["enum": ["none", "local", "remote"], "default": "remote"]),
            ]),
        ]
        let token: JSONValue = [
            "type": "object", "required": ["name", "sha256"], "additionalProperties": false,
            "properties": [
                "name": ["type": "string", "minLength": 1, "maxLength": 256],
                "sha256": ["type": "string", "pattern": "^[0-9A-Fa-f]{64}$"],
                "subject": ["type": "string"], "claims": ["type": "object"], "types": types,
                "admin": ["type": "boolean", "default": false],
                "expires": ["type": "string", "format": "date-time"],
            ],
        ]
        return [
            "type": "object",
            "description": "who may do what; without it everybody may do everything",
            "properties": ["anonymous": types, "tokens": ["type": "array", "items": token]],
            "additionalProperties": false,
        ]
    }

    private static func object(_ members: [JSONValue.Member]) -> JSONValue {
        ["type": "object", "properties": .object(members), "additionalProperties": false]
    }

    private static func write(_ value: JSONValue, indent: Int, to output: inout String) {
        let inner = String(repeating: "  ", count: indent + 1)
        let outer = String(repeating: "  ", count: indent)
        if let members = value.objectValue, !members.isEmpty {
            output += "{\n"
            for (index, member) in members.enumerated() {
                output += inner + JSONValue.string(member.name).text + ": "
                write(member.value, indent: indent + 1, to: &output)
                output += index + 1 < members.count ? ",\n" : "\n"
            }
            output += outer + "}"
        } else {
            output += value.text
        }
    }
}

extension Setting {
    /// The JSON Schema of this setting's member.
    var schema: JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue) {
            members.append(.init(name: name, value: value))
        }
        switch form {
        case .flag: add("type", "boolean")
        case .text:
            add("type", "string")
            add("minLength", 1)
        case .address:
            add("type", "string")
            add("pattern", .string("^((\(Self.hostPattern)?):)?\(Self.portPattern)$"))
        case .words(let words): add("enum", .array(words.map { .string($0) }))
        case .bytes(let bounds):
            add("type", ["string", "integer"])
            add("pattern", "^[0-9]+(B|KiB|MiB|GiB|KB|kB|MB|GB)?$")
            // For those given as a number; what a text may say is in the description.
            add("minimum", .number(String(bounds.lowerBound)))
            add("maximum", .number(String(bounds.upperBound)))
        case .time:
            add("type", "string")
            add("pattern", "^[0-9]+(ms|s|m|h|d)$")
        case .count(let bounds):
            add("type", "integer")
            add("minimum", .number(String(bounds.lowerBound)))
            if bounds.upperBound < .max { add("maximum", .number(String(bounds.upperBound))) }
        case .list(_, let check):
            add("type", "array")
            let scheme = check == .origin ? "https?://" : ""
            let port = "(:\(Self.portPattern))?"
            add(
                "items",
                [
                    "type": "string",
                    "pattern": .string("^\(scheme)\(Self.hostPattern)\(port)$"),
                ])
        }
        switch standard {
        case .flag(let flag): add("default", .bool(flag))
        case .count(let count): add("default", .number(String(count)))
        case .list: add("default", [])
        default: add("default", .string(text(of: standard)))
        }
        add("description", .string(help + bounds))
        return .object(members)
    }

    /// What `SettingText.isHost` and its address in brackets take.
    private static let hostPattern = #"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})"#

    /// 0 to 65535.
    private static let portPattern =
        "0*([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"

    /// The bounds of sizes and times, which a pattern cannot say.
    private var bounds: String {
        switch form {
        case .bytes(let bounds):
            "; from \(SettingText.text(bytes: bounds.lowerBound)) to "
                + SettingText.text(bytes: bounds.upperBound)
        case .time(let bounds):
            "; from \(SettingText.text(milliseconds: bounds.lowerBound)) to "
                + SettingText.text(milliseconds: bounds.upperBound)
        default: ""
        }
    }
}
