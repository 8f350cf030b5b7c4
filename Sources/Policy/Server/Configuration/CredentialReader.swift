import FreshetCore
import FreshetJSON
import FreshetOperations
import FreshetRemote

/// Reads an upstream's `credential` (operations.md section 5), its secrets included.
enum CredentialReader {
    /// - Returns: nil, and faults with their pointers, where something is wrong.
    static func credential(
        _ value: JSONValue, at pointer: JSONPointer, environment: [String: String],
        faults: inout [SchemaFault]
    ) -> OAuth2Configuration? {
        let before = faults.count
        let found = read(value, at: pointer, depth: 1, environment, faults: &faults)
        return faults.count == before ? found : nil
    }

    private enum Kind: String, CaseIterable {
        case oauth2
    }

    private static func read(
        _ value: JSONValue, at pointer: JSONPointer, depth: Int, _ environment: [String: String],
        faults: inout [SchemaFault]
    ) -> OAuth2Configuration? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        reader.require("type", faults: &faults)
        _ = reader.word("type", of: Kind.self, faults: &faults)
        reader.require("tokenURL", faults: &faults)
        let url = reader.string("tokenURL", faults: &faults)
        let tokenURL = url.flatMap { OAuth2Configuration.TokenURL($0) }
        if url != nil, tokenURL == nil {
            faults.expected(
                "an address such as \"https://login.example.org/token\"",
                at: pointer.appending("tokenURL"))
        }
        if tokenURL?.origin.isLinkLocal == true {
            faults.expected(
                "an address outside of the link-local networks", at: pointer.appending("tokenURL"))
        }
        reader.require("grant", faults: &faults)
        let grant = reader.word("grant", of: OAuth2Configuration.Grant.self, faults: &faults)
        let clientID = reader.string("clientId", faults: &faults)
        // Without these the rest cannot be put together, and the faults above say so.
        guard let tokenURL, let grant else { return nil }
        var result = OAuth2Configuration(tokenURL: tokenURL, clientID: clientID, grant: grant)
        func secret(_ name: String, _ faults: inout [SchemaFault]) -> Secret? {
            reader.value(name).flatMap {
                SecretReader.secret(
                    $0, at: pointer.appending(name), environment: environment, faults: &faults)
            }
        }
        result.clientSecret = secret("clientSecret", &faults)
        result.refreshToken = secret("refreshToken", &faults)
        result.scope = reader.string("scope", faults: &faults)
        if let word = reader.word(
            "clientAuth", of: OAuth2Configuration.ClientAuthentication.self, faults: &faults)
        {
            result.clientAuthentication = word
        }
        if let word = reader.word(
            "acquire", of: OAuth2Configuration.Acquisition.self, faults: &faults)
        {
            result.acquisition = word
        }
        if let statuses = reader.statuses("requiresRefreshOn", faults: &faults) {
            result.requiresRefreshOn = statuses
        }
        if let statuses = reader.statuses("refreshFailedOn", faults: &faults) {
            result.refreshFailedOn = statuses
        }
        result.criticalOn = rules(&reader, faults: &faults)
        result.policy = policy(&reader, faults: &faults)
        result.injection = injection(&reader, faults: &faults)
        result.persists = reader.bool("persist", faults: &faults) ?? false
        if let outer = reader.value("outer") {
            let place = pointer.appending("outer")
            if depth < OAuth2Configuration.maximumDepth {
                result.outer = read(
                    outer, at: place, depth: depth + 1, environment, faults: &faults)
            } else {
                faults.expected(
                    "at most \(OAuth2Configuration.maximumDepth) credentials in one another",
                    at: place)
            }
        }
        let outerHeader = result.outer?.injection.header
        if result.clientAuthentication == .basic,
            outerHeader.map({ $0.lowercased() == "authorization" }) ?? false
        {
            faults.expected(
                "\"body\": the outer credential's token stands in the same header of the token"
                    + " request", at: pointer.appending("clientAuth"))
        }
        reader.finish(faults: &faults)
        return result
    }

    private static func policy(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> DependencyPolicy {
        let standard = DependencyPolicy()
        let maximum = reader.count("maxRefreshes", faults: &faults)
        if let maximum, !(1...10).contains(maximum) {
            faults.expected("1 to 10", at: reader.pointer.appending("maxRefreshes"))
        }
        func span(
            _ name: String, atLeast least: Int, _ standard: Duration,
            _ faults: inout [SchemaFault]
        ) -> Duration {
            guard let value = reader.value(name) else { return standard }
            guard let milliseconds = value.stringValue.flatMap(SettingText.milliseconds),
                (least...86_400_000).contains(milliseconds)
            else {
                faults.expected(
                    "a duration such as \"30s\", from \(least)ms to 1d",
                    at: reader.pointer.appending(name))
                return standard
            }
            return .milliseconds(milliseconds)
        }
        return DependencyPolicy(
            skew: span("skew", atLeast: 0, standard.skew, &faults),
            maxRefreshes: maximum ?? standard.maxRefreshes,
            refreshTimeout: span("refreshTimeout", atLeast: 1, standard.refreshTimeout, &faults),
            retryFailedAfter: span(
                "retryFailedAfter", atLeast: 0, standard.retryFailedAfter, &faults),
            cooldown: span("cooldown", atLeast: 0, standard.cooldown, &faults))
    }

    private static func injection(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> OAuth2Configuration.Injection {
        var injection = OAuth2Configuration.Injection()
        let place = reader.pointer.appending("inject")
        guard let value = reader.value("inject"),
            var inject = MemberReader(value, at: place, faults: &faults)
        else { return injection }
        if let header = inject.string("header", faults: &faults) {
            injection.header = header
            if !HeaderName.isValid(header) || forbiddenHeaders.contains(header.lowercased()) {
                faults.expected(
                    "the name of a header that a credential may set",
                    at: place.appending("header"))
            }
        }
        if let format = inject.string("format", faults: &faults) {
            injection.format = format
            if !HeaderName.isValid(value: format) || !format.contains("{token}") {
                faults.expected(
                    "a header's value with {token} in it", at: place.appending("format"))
            }
        }
        inject.finish(faults: &faults)
        return injection
    }

    /// What belongs to the exchange itself.
    private static let forbiddenHeaders: Set<String> = [
        "host", "content-length", "content-type", "transfer-encoding", "connection", "te",
        "trailer", "upgrade", "expect",
    ]

    private static func rules(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> [OAuth2Configuration.CriticalRule] {
        guard let value = reader.value("criticalOn") else { return [] }
        let place = reader.pointer.appending("criticalOn")
        guard let elements = value.arrayValue else {
            faults.expected("a list such as [{\"status\":403}]", at: place)
            return []
        }
        var rules: [OAuth2Configuration.CriticalRule] = []
        for (index, element) in elements.enumerated() {
            let place = place.appending(index)
            guard var rule = MemberReader(element, at: place, faults: &faults) else { continue }
            let status = rule.value("status")?.int64Value
            if !(status.map { statusRange.contains(Int($0)) } ?? false) {
                faults.expected("a status, 100 to 599", at: place.appending("status"))
            }
            var pointer: JSONPointer?
            if let text = rule.string("at", faults: &faults) {
                pointer = JSONPointer(text)
                if pointer == nil {
                    faults.expected(
                        "a JSON pointer such as \"/code\"", at: place.appending("at"))
                }
            }
            let wanted = rule.value("is")
            if wanted != nil, pointer == nil, rule.value("at") == nil {
                faults.expected("\"at\" beside \"is\"", at: place)
            }
            rule.finish(faults: &faults)
            rules.append(
                .init(status: Int(status ?? 0), pointer: pointer, value: wanted))
        }
        return rules
    }

    fileprivate static let statusRange = 100...599
}

extension MemberReader {
    fileprivate mutating func require(_ name: String, faults: inout [SchemaFault]) {
        if value(name) == nil { faults.expected("\"\(name)\"", at: pointer) }
    }

    fileprivate mutating func statuses(
        _ name: String, faults: inout [SchemaFault]
    ) -> Set<Int>? {
        guard let value = value(name) else { return nil }
        let place = pointer.appending(name)
        guard let elements = value.arrayValue else {
            faults.expected("a list of statuses such as [401]", at: place)
            return nil
        }
        var statuses: Set<Int> = []
        for (index, element) in elements.enumerated() {
            guard let status = element.int64Value, (100...599).contains(status) else {
                faults.expected("a status, 100 to 599", at: place.appending(index))
                continue
            }
            statuses.insert(Int(status))
        }
        return statuses
    }
}

extension CredentialReader {
    /// What `credential` takes, as JSON Schema; `reference` refers to this very schema.
    static func schema(reference: String) -> JSONValue {
        let text: JSONValue = ["type": "string", "minLength": 1]
        func duration(_ standard: String) -> JSONValue {
            [
                "type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$",
                "default": .string(standard),
            ]
        }
        func words(_ words: [String], _ standard: String?) -> JSONValue {
            var members = [JSONValue.Member(name: "enum", value: .array(words.map { .string($0) }))]
            if let standard { members.append(.init(name: "default", value: .string(standard))) }
            return .object(members)
        }
        let status: JSONValue = ["type": "integer", "minimum": 100, "maximum": 599]
        func statuses(_ standard: JSONValue) -> JSONValue {
            ["type": "array", "items": status, "default": standard]
        }
        let rule: JSONValue = [
            "type": "object", "required": ["status"], "additionalProperties": false,
            "properties": ["status": status, "at": ["type": "string"], "is": true],
        ]
        return [
            "type": "object", "required": ["type", "tokenURL", "grant"],
            "additionalProperties": false,
            "properties": [
                "type": ["const": "oauth2"], "tokenURL": text, "clientId": text,
                "clientSecret": SecretReader.schema,
                "clientAuth": words(["body", "basic"], "body"),
                "grant": words(OAuth2Configuration.Grant.allCases.map(\.rawValue), nil),
                "scope": text, "refreshToken": SecretReader.schema,
                "acquire": words(["lazy", "eager"], "lazy"),
                "requiresRefreshOn": statuses([401]), "refreshFailedOn": statuses([400, 401]),
                "criticalOn": ["type": "array", "items": rule], "skew": duration("30s"),
                "maxRefreshes": ["type": "integer", "minimum": 1, "maximum": 10, "default": 1],
                "refreshTimeout": duration("10s"), "retryFailedAfter": duration("30s"),
                "cooldown": duration("0s"),
                "inject": [
                    "type": "object", "additionalProperties": false,
                    "properties": ["header": text, "format": text],
                ],
                "persist": ["type": "boolean", "default": false],
                "outer": ["$ref": .string(reference)],
            ],
        ]
    }
}
