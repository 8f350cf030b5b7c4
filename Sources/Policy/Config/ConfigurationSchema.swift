import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRefresh
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
        return document.adding(ConfigurationFile.table.schema(of: nil).objectValue ?? []).adding([
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

    // MARK: Settings

    /// What `SettingText.isHost` and its address in brackets take.
    private static let hostPattern = #"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]{1,253})"#

    /// 0 to 65535.
    private static let portPattern =
        "0*([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"

    fileprivate static func schema(of form: Setting.Form) -> JSONValue {
        switch form {
        case .flag: return Form.flag.schema
        case .text: return Form.text(minLength: 1).schema
        case .optionalText: return Form.text().schema
        case .address:
            return Form.text(pattern: "^((\(hostPattern)?):)?\(portPattern)$").schema
        case .words(let words): return Form.word(of: words).schema
        case .bytes(let bounds): return Form.size(bounds).schema
        case .time(let bounds): return Form.time(bounds).schema
        case .count(let bounds):
            return bounds.upperBound == .max ? Form.count.schema : Form.integer(bounds).schema
        case .list(_, let check):
            let scheme = check == .origin ? "https?://" : ""
            let pattern = "^\(scheme)\(hostPattern)(:\(portPattern))?$"
            return ["type": "array", "items": Form.text(pattern: pattern).schema]
        }
    }
}

extension Setting {
    /// The JSON Schema of this setting's member.
    var schema: JSONValue {
        let standard: JSONValue =
            switch standard {
            case .flag(let flag): .bool(flag)
            case .count(let count): .integer(count)
            case .list: []
            default: .string(text(of: standard))
            }
        return ConfigurationSchema.schema(of: form)
            .adding([.init(name: "default", value: standard)]).described(help)
    }
}
