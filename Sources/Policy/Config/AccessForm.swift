package import FreshetBase
package import FreshetCore
package import FreshetJSON
import FreshetQuery

/// The configuration's `access`, with every rule parsed and its `$` values in place.
package struct AccessSettings: Sendable {
    package struct Token: Sendable {
        package let name: String
        package let digest: SHA256Digest
        /// What `$subject` and `$claims` stand for.
        package let subject: String
        package let claims: JSONValue
        package let rights: AccessRights
        package let expires: WallTime?
    }

    /// The name of the caller without a token in lists of callers; no token may have it.
    package static let anonymousName = "_anonymous"

    /// The rights of a caller without a token.
    package fileprivate(set) var anonymous: AccessRights
    package fileprivate(set) var tokens: [Token] = []
}

/// What is faulty grants nothing.
extension AccessSettings {
    static let form = ObjectTable<AccessSettings>([
        Member(
            "anonymous", rightsText,
            .init(rights.schema) { value, place, reading in
                reading.values = RuleValues(subject: nil, claims: nil)
                return rights.read(value, place, &reading).map { AccessRights($0, isAdmin: false) }
            }, to: \.anonymous),
        Member("tokens", "who may come in", tokenList, to: \.tokens),
    ]).form(AccessSettings(anonymous: AccessRights([], isAdmin: false)))

    private static let tokenList: Form<[Token]> = {
        let form = TokenDeclaration.form
        return .list(of: form.schema, or: "a list of tokens") { entry, found, reading in
            guard let token = form.read(entry.value, entry.pointer, &reading) else { return nil }
            if found.contains(where: { $0.name == token.name }) {
                reading.expected(
                    "another name: a token above is named \"\(token.name)\"",
                    at: entry.pointer.appending("name"))
            }
            if found.contains(where: { $0.digest == token.digest }) {
                reading.expected(
                    "another token: one above has the same digest",
                    at: entry.pointer.appending("sha256"))
            }
            return token
        }
    }()

    private struct TokenDeclaration: Sendable {
        var name: String?
        var digest: SHA256Digest?
        var subject: String?
        var claims: JSONValue?
        var types: [TypeRights]?
        var isAdmin = false
        var expires: WallTime?

        static let form = ObjectTable<TokenDeclaration>([
            Member(
                "name", "what the log calls the bearer",
                Form.text(minLength: 1, maxLength: 256).narrowed(or: nameExpectation) {
                    isTokenName($0) ? $0 : nil
                }, required: .value(nameExpectation), to: \.name),
            Member(
                "sha256", "the token's digest, from `freshet token new`",
                Form.text(pattern: "^[0-9A-Fa-f]{64}$").narrowed(
                    or: "the SHA-256 of the token, 64 hexadecimal digits; \"freshet token new\""
                        + " makes both"
                ) { SHA256Digest(hexadecimal: $0) },
                required: .value("the SHA-256 of the token, 64 hexadecimal digits"),
                to: \.digest),
            Member(
                "subject", "the value of `$subject`; the name where absent", .text(),
                to: \.subject),
            Member("claims", "the values of `$claims.NAME`", .object, to: \.claims),
            // Read by the rule, which knows what the `$` values are.
            Member(
                "types", rightsText, .init(rights.schema) { _, _, _ in nil }, to: \.types),
            Member("admin", "may administrate", .flag, to: \.isAdmin),
            Member(
                "expires", "when it ends",
                Form.text().narrowed(
                    or: "a time such as \"2027-01-01T00:00:00Z\"",
                    schema: ["type": "string", "format": "date-time"]
                ) { WallTime(rfc3339: $0) }, to: \.expires),
        ]) { token, given, place, reading in
            reading.values = RuleValues(
                subject: token.subject ?? token.name, claims: token.claims)
            token.types = given["types"].flatMap {
                rights.read($0, place.appending("types"), &reading)
            }
        }.form(TokenDeclaration()).map { token -> Token? in
            guard let name = token.name, let digest = token.digest else { return nil }
            // An administrator exports everything, so nothing is kept from one that names no types.
            let rights =
                token.isAdmin && token.types == nil
                ? .everything : AccessRights(token.types ?? [], isAdmin: token.isAdmin)
            return Token(
                name: name, digest: digest, subject: token.subject ?? name,
                claims: token.claims ?? .object([]), rights: rights, expires: token.expires)
        }
    }

    /// What a token is called: what is no id is no row of `_tokens`.
    package static func isTokenName(_ text: String) -> Bool {
        (try? EntityID(text))?.canBeNew == true && text != anonymousName
    }

    package static let nameExpectation =
        "a name of 1 to 256 bytes without controls, neither . nor .., which the log shows"

    // MARK: Rights

    private static let rightsText = "rights by type; \"*\" is for types that are not named"

    fileprivate struct TypeRights: Sendable {
        var type = ""
        var read: AccessRights.Rows = .none
        var write: AccessRights.Rows = .none
        var level = AccessRights.Level.remote
    }

    /// Rules have the values of `reading.values`.
    private static let rights = Form<[TypeRights]>.entries(of: ofType.schema(of: TypeRights())) {
        entry, _, reading in
        var rights = TypeRights(type: entry.name)
        guard ofType.read(entry.value, entry.pointer, into: &rights, &reading) else { return nil }
        if entry.name != "*", TypeName(entry.name) == nil {
            reading.expected("a type name, or \"*\" for all others", at: entry.pointer)
        }
        return rights
    }

    private static let ofType = ObjectTable<TypeRights>([
        Member("read", rowsText, rows, to: \.read), Member("write", rowsText, rows, to: \.write),
        Member(
            "level", "what it may cause: no request to an upstream, or requests too", .word,
            to: \.level),
    ])

    private static let rowsText = "all, none, or those of which this filter is true"

    /// `true`, `false` or a filter.
    private static let rows = Form<AccessRights.Rows>(
        ["type": ["boolean", "string"]],
        write: { rows in
            switch rows {
            case .all: true
            case .none: false
            case .some: nil
            }
        }
    ) { value, place, reading in
        if let flag = value.boolValue {
            return flag ? AccessRights.Rows.all : AccessRights.Rows.none
        }
        guard let text = value.stringValue else {
            reading.expected(
                "true, false, or a filter such as \"team == $claims.team\"", at: place)
            return nil
        }
        do {
            let filter = try Filter(parsing: try reading.values.insert(into: text)).canonical()
            switch filter {
            case .constant(let flag): return flag ? AccessRights.Rows.all : AccessRights.Rows.none
            default: return AccessRights.Rows.some(try RowRule(filter))
            }
        } catch let fault as RuleValues.Fault {
            reading.expected(fault.expected, at: place)
        } catch let fault as FilterFault {
            let name = place.tokens.last ?? ""
            reading.expected(
                "a filter: \(QueryFault(fault, in: name).detail), counted with the $ values in"
                    + " place", at: place)
        } catch {
            reading.expected("a filter that can be carried out", at: place)
        }
        return nil
    }
}

extension AccessRights {
    fileprivate convenience init(_ types: [AccessSettings.TypeRights], isAdmin: Bool) {
        var named: [TypeName: OfType] = [:]
        var others = OfType.nothing
        for type in types {
            let rights = OfType(read: type.read, write: type.write, level: type.level)
            if type.type == "*" { others = rights }
            if let name = TypeName(type.type) { named[name] = rights }
        }
        self.init(named: named, others: others, isAdmin: isAdmin)
    }
}
