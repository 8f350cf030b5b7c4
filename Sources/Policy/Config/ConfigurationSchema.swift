import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetOperations
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
        let conditions = Setting.all.flatMap { setting in
            setting.aliases.map { not(both: setting.path[0], and: $0) }
        }
        let document: JSONValue = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Freshet configuration",
        ]
        let definitions =
            PropertyDeclaration.definitions
            + [OAuth2Configuration.definition, SpecExpression.definition]
        return document.adding(ConfigurationFile.table.schema.objectValue ?? []).adding([
            .init(name: "allOf", value: .array(conditions)),
            .init(name: "$defs", value: .object(definitions)),
        ])
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
            add("pattern", .string(SettingText.sizePattern))
            // For those given as a number; what a text may say is in the description.
            add("minimum", .number(String(bounds.lowerBound)))
            add("maximum", .number(String(bounds.upperBound)))
        case .time:
            add("type", "string")
            add("pattern", .string(SettingText.timePattern))
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
