import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetRemote

/// An upstream's `credential` (operations.md section 5), its secrets included.
extension OAuth2Configuration {
    private static let definitionName = "credential"

    private static let reference: JSONValue = ["$ref": .string("#/$defs/\(definitionName)")]

    /// What `form` refers to: a credential may have another one inside.
    static let definition: JSONValue.Member = .init(
        name: definitionName, value: table.schema(of: initial))

    static let form: Form<OAuth2Configuration> = Form(reference) { value, place, reading in
        guard var found = initial else { return nil }
        let before = reading.faults.count
        _ = table.read(value, place, into: &found, &reading)
        return reading.faults.count == before ? found : nil
    }

    // What stands for an absent address or grant is never used: the fault stops the start.
    private static let initial = TokenURL("http://localhost").map {
        OAuth2Configuration(tokenURL: $0, clientID: nil, grant: .clientCredentials)
    }

    private static let table: ObjectTable<OAuth2Configuration> = ObjectTable([
        Member(
            "type", "`oauth2`",
            Form(["const": "oauth2"], or: "one of \"oauth2\"") { $0 == "oauth2" ? true : nil },
            required: .member, set: { _, _ in }),
        Member("tokenURL", "where tokens are fetched", address, required: .member, to: \.tokenURL),
        Member("clientId", "the client's name there", .text(minLength: 1), to: \.clientID),
        Member("clientSecret", "the client's secret", Secret.form(of: "it"), to: \.clientSecret),
        Member(
            "clientAuth", "the client's name and secret in the body, or as basic", .word,
            to: \.clientAuthentication),
        Member(
            "grant", "`client_credentials`, or `refresh_token` with a first refresh token", .word,
            required: .member, to: \.grant),
        Member("scope", "what the token is to allow", .text(minLength: 1), to: \.scope),
        Member(
            "refreshToken", "the first refresh token", Secret.form(of: "it"), to: \.refreshToken),
        Member(
            "acquire", "`lazy`: when first needed; `eager`: at the start", .word,
            to: \.acquisition),
        Member(
            "requiresRefreshOn", "statuses of the service that ask for a new token", statuses,
            to: \.requiresRefreshOn),
        Member(
            "refreshFailedOn", "statuses of the token's address that mean: not with this",
            statuses, to: \.refreshFailedOn),
        Member(
            "criticalOn", "answers that need a person",
            .list(of: critical, or: "a list such as [{\"status\":403}]"), to: \.criticalOn),
        Member(
            "skew", "a token is refreshed so long before its end", span(0),
            to: \.policy.skew),
        Member(
            "maxRefreshes", "refreshes of one request",
            Form.count.narrowed(or: "1 to 10", schema: Form<Int>.integer(1...10).schema) {
                (1...10).contains($0) ? $0 : nil
            }, to: \.policy.maxRefreshes),
        Member(
            "refreshTimeout", "longest wait for a token", span(1),
            to: \.policy.refreshTimeout),
        Member(
            "retryFailedAfter", "pause after a failed refresh", span(0),
            to: \.policy.retryFailedAfter),
        Member(
            "cooldown", "least time between refreshes", span(0),
            to: \.policy.cooldown),
        Member("inject", "how requests show the token", into: \.injection, shown),
        Member(
            "persist", "the refresh token outlives a restart", .flag,
            to: \.persists),
        Member(
            "outer", "another credential, for a token's address that wants one itself", another,
            to: \.outer),
    ]) { credential, _, place, reading in
        let header = credential.outer?.injection.header
        if credential.clientAuthentication == .basic, header?.lowercased() == "authorization" {
            reading.expected(
                "\"body\": the outer credential's token stands in the same header of the token"
                    + " request", at: place.appending("clientAuth"))
        }
    }

    private static let another: Form<OAuth2Configuration> = Form(reference) {
        value, place, reading in
        reading.outerCredentials += 1
        defer { reading.outerCredentials -= 1 }
        guard reading.outerCredentials < maximumDepth else {
            reading.expected("at most \(maximumDepth) credentials in one another", at: place)
            return nil
        }
        return form.read(value, place, &reading)
    }

    private static let address = Form<String>.text(minLength: 1)
        .narrowed(or: "an address such as \"https://login.example.org/token\"") { TokenURL($0) }
        .narrowed(or: "an address outside of the link-local networks") {
            $0.origin.isLinkLocal ? nil : $0
        }

    private static func span(_ least: Int) -> Form<Duration> {
        .time(
            least...longestTime, or: "a duration such as \"30s\", from \(least)ms to 1d")
    }

    private static let statuses = Form<[Int]>.list(
        of: .status(from: 100), or: "a list of statuses such as [401]"
    ).map(write: { .array($0.sorted().map { .integer($0) }) }) { Set($0) }

    private static let critical: Form<CriticalRule> = ObjectTable([
        Member(
            "status", "the status", .status(from: 100), required: .value("a status, 100 to 599"),
            to: \.status),
        Member(
            "at", "JSON pointer into the answer",
            Form.text().narrowed(or: "a JSON pointer such as \"/code\"") { JSONPointer($0) },
            to: \.pointer),
        Member("is", nil, .any, to: \.value),
    ]) { rule, given, place, reading in
        if rule.value != nil, given["at"] == nil {
            reading.expected("\"at\" beside \"is\"", at: place)
        }
    }.form(.init(status: 0))

    private static let shown = ObjectTable<Injection>([
        Member(
            "header", "the header",
            Form.text(minLength: 1).narrowed(or: "the name of a header that a credential may set") {
                HeaderName.isValid($0) && !forbiddenHeaders.contains($0.lowercased()) ? $0 : nil
            }, to: \.header),
        Member(
            "format", "its value; `{token}` is filled in",
            Form.text(minLength: 1).narrowed(or: "a header's value with {token} in it") {
                HeaderName.isValid(value: $0) && $0.contains("{token}") ? $0 : nil
            }, to: \.format),
    ])

    /// What belongs to the exchange itself.
    private static let forbiddenHeaders: Set<String> = [
        "host", "content-length", "content-type", "transfer-encoding", "connection", "te",
        "trailer", "upgrade", "expect",
    ]
}
