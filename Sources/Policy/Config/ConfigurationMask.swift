package import FreshetJSON
import FreshetRemote

/// Shows a configuration without what it keeps secret: `***` stands in its place. Where a secret comes
/// from, `{"env":…}` or `{"file":…}`, is shown.
package struct ConfigurationMask: Sendable {
    static let mark = "***"
    /// Endings of names whose values are secrets, in lower case.
    private static let secretNames = [
        "token", "secret", "password", "passphrase", "key", "authorization", "cookie", "sha256",
    ]
    /// Bytes of a secret that is looked for in other values; almost every text has a shorter one.
    private static let shortest = 4

    private let secrets: [String]
    /// Whether there are any, short ones too.
    package let hasSecrets: Bool

    init(_ secrets: [Secret]) {
        hasSecrets = !secrets.isEmpty
        self.secrets = secrets.map { $0.reveal() }.filter { $0.utf8.count >= Self.shortest }
    }

    /// The members of a file that are no settings.
    func sections(of root: JSONValue) -> JSONValue {
        Self.withoutSettings(root, at: []).map { masked($0, named: "") } ?? .object([])
    }

    private static let settings =
        Set(Setting.all.flatMap { [$0.path] + $0.aliases } + [["$schema"]])

    /// - Returns: nil for a setting, and for an object of settings alone.
    private static func withoutSettings(_ value: JSONValue, at path: [String]) -> JSONValue? {
        guard !settings.contains(path) else { return nil }
        guard settings.contains(where: { $0.starts(with: path) }),
            let members = value.objectValue
        else { return value }
        let left = members.compactMap { member in
            withoutSettings(member.value, at: path + [member.name])
                .map { JSONValue.Member(name: member.name, value: $0) }
        }
        return left.isEmpty ? nil : .object(left)
    }

    /// A mask that hides, wherever they stand, also the texts that this one hides in `claims`.
    package func hiding(_ claims: JSONValue?) -> ConfigurationMask {
        guard let claims else { return self }
        return ConfigurationMask(secrets + Self.hidden(claims, masked(claims)))
    }

    /// The texts of a value that are others in what is shown of it.
    private static func hidden(_ value: JSONValue, _ shown: JSONValue) -> [String] {
        switch (value, shown) {
        case (.string(let text), .string(let other)):
            text == other || text.utf8.count < shortest ? [] : [text]
        case (.array(let elements), .array(let others)):
            zip(elements, others).flatMap { hidden($0, $1) }
        case (.object(let members), .object(let others)):
            zip(members, others).flatMap { hidden($0.value, $1.value) }
        default: []
        }
    }

    private init(_ secrets: [String]) {
        self.secrets = secrets
        hasSecrets = !secrets.isEmpty
    }

    /// A part of the configuration, in whatever form it is shown.
    package func masked(_ value: JSONValue) -> JSONValue { masked(value, named: "") }

    /// A text that may have a part of the configuration in it.
    package func masked(_ text: String) -> String {
        secrets.contains { text.contains($0) } ? Self.mark : text
    }

    /// - Parameter isHeader: Every text in it is what a header says.
    private func masked(
        _ value: JSONValue, named name: String, isHeader: Bool = false
    ) -> JSONValue {
        switch value {
        case .null, .bool, .number: return value
        case .string(let text):
            let isSecret =
                isHeader || Self.secretNames.contains { name.lowercased().hasSuffix($0) }
                || secrets.contains { text.contains($0) }
            return .string(isSecret ? Self.mark : Self.withoutUser(text))
        case .array(let elements):
            return .array(elements.map { masked($0, named: name, isHeader: isHeader) })
        case .object(let members):
            if members.count == 1, ["env", "file"].contains(members[0].name) { return value }
            return .object(
                members.map { member in
                    .init(
                        name: member.name,
                        value: masked(
                            member.value, named: member.name,
                            isHeader: isHeader || member.name == "headers"))
                })
        }
    }

    /// The text of a setting or of another value; a URL without its user and password, wherever they
    /// stand in it.
    static func withoutUser(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        // A password that nobody has escaped may hold what ends the authority of a page's address.
        let isPage = text.hasPrefix("http")
        let authority = isPage ? rest.prefix { !"/?#".contains($0) } : rest
        guard let at = authority.lastIndex(of: "@") else { return withoutPasswords(text) }
        return withoutPasswords(text[..<scheme.upperBound] + mark + text[at...])
    }

    /// A URL without the values of parameters that are passwords.
    private static func withoutPasswords(_ text: String) -> String {
        guard let question = text.firstIndex(of: "?") else { return text }
        let shown = text[text.index(after: question)...]
            .split(separator: "&", omittingEmptySubsequences: false).map { part in
                let name = part.prefix { $0 != "=" }
                return name.lowercased().hasSuffix("password") && name.count < part.count
                    ? "\(name)=\(mark)" : String(part)
            }
        return text[...question] + shown.joined(separator: "&")
    }
}

extension ConfigurationSource.Effective {
    /// The value without what is secret in it.
    package var shownText: String { ConfigurationMask.withoutUser(setting.text(of: value)) }

    /// The setting as `GET /v1/_service` and `freshet check --effective --json` show it.
    package var json: JSONValue {
        [
            "name": .string(setting.key.rawValue), "value": .string(shownText),
            "origin": .string(origin.name), "from": .string(originText),
        ]
    }
}
