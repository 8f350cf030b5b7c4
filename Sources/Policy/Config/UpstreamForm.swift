import FreshetBase
import FreshetRefresh
import FreshetCore
import FreshetHTTPClient
import FreshetJSON
import FreshetQuery
import FreshetRemote

/// An upstream of the file (operations.md section 1), its credential beside it.
struct UpstreamDeclaration: Sendable {
    var settings: UpstreamSettings
    var credential: OAuth2Configuration?

    /// `upstreams`: those in order, in the order of the file.
    static let all = Form<[UpstreamDeclaration]>.entries(
        of: form.schema, names: ["pattern": .string(TypeSchema.namePattern)],
        or: "an object whose members are upstreams"
    ) { entry, _, reading in
        guard TypeName(entry.name) != nil else {
            reading.expected(nameExpectation, at: entry.pointer)
            return nil
        }
        let before = reading.faults.count
        var upstream = form.read(entry.value, entry.pointer, &reading)
        upstream?.settings.name = entry.name
        return reading.faults.count == before ? upstream : nil
    }

    static let nameExpectation = "a name: a letter, then at most 63 letters, digits, _ or -"

    // A base that stands for one that is absent or faulty: the fault stops the start.
    private static let form = table.form(
        UpstreamBase("http://localhost").map { base in
            UpstreamDeclaration(settings: UpstreamSettings(name: "", base: base))
        })

    private static let table = ObjectTable<UpstreamDeclaration>([
        Member(
            "base", "where the service is; no other origin is ever asked",
            base, required: .value(UpstreamBase.expectation), to: \.settings.base),
        Member(
            "allowLinkLocal", "169.254.0.0/16 and fe80::/10 may be connected to", .flag,
            standard: { !$0.settings.route.refused.contains(.linkLocal) },
            set: { if $1 { $0.settings.route.refused.remove(.linkLocal) } }),
        Member(
            "timeout", "longest time of a request", .time(1...longestTime), to: \.settings.timeout),
        Member(
            "connectTimeout", "longest time to connect", .time(1...600_000),
            standard: { .milliseconds($0.settings.route.connectMilliseconds) },
            set: { $0.settings.route.connectMilliseconds = $1.wholeMilliseconds }),
        Member(
            "denyPrivate", "loopback and private addresses are not connected to", .flag,
            standard: { $0.settings.route.refused.contains(.privateUse) },
            set: { if $1 { $0.settings.route.refused.insert(.privateUse) } }),
        Member("proxy", "the HTTP proxy to go by", proxy, to: \.settings.route.proxy),
        Member("tls", "files in PEM", into: \.settings.route, tls),
        Member("headers", "sent with each request", headers, to: \.settings.headers),
        Member(
            "maxConcurrent", "most requests at once", .integer(1...1_000),
            to: \.settings.maxConcurrent),
        Member(
            "maxWaiting", "most requests that wait for one of these", .integer(0...100_000),
            to: \.settings.maxWaiting),
        Member(
            "maxBody", "largest answer", .size(1...1 << 30),
            to: \.settings.maxBody),
        Member(
            "retry",
            "tries after the first; writes from the outbox have"
                + " \(OutboxTarget.standardRetry.limit) where `limit` is absent",
            into: \.settings.retry, RetryPolicy.table),
        Member("fallback", fallbackText, FallbackErrors.form, to: \.settings.fallback),
        Member("probe", "asks regularly whether the service is well", probe, to: \.settings.probe),
        Member(
            "credential", "a token that is fetched and refreshed",
            OAuth2Configuration.form, to: \.credential),
    ]) { upstream, given, place, reading in
        let route = upstream.settings.route
        if upstream.settings.base.isLinkLocal, !route.refused.isEmpty {
            reading.expected(
                "no link-local address, where clouds keep their secrets; \"allowLinkLocal\": true"
                    + " takes it all the same", at: place.appending("base"))
        }
        if route.refused.contains(.privateUse), route.proxy != nil {
            reading.expected(
                "no \"denyPrivate\" beside \"proxy\": it is the proxy that connects to addresses",
                at: place.appending("denyPrivate"))
        }
        if let retry = given["retry"] {
            upstream.settings.outboxRetry = upstream.settings.retry
            // A configuration of the pauses alone leaves the limits of reads and of the outbox.
            if retry["limit"] == nil {
                upstream.settings.outboxRetry?.limit = OutboxTarget.standardRetry.limit
            }
        }
        // The token endpoint is reached from the same network, but never by such an address.
        upstream.credential?.route = route
        upstream.credential?.route.refused.insert(.linkLocal)
    }

    private static let base = Form<UpstreamBase>(
        Form<String>.text(pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^?#@\\s]+$").schema
    ) { value, place, reading in
        guard let text = Form<String>.text().read(value, place, &reading) else { return nil }
        if let base = UpstreamBase(text) { return base }
        reading.expected(
            UpstreamBase.namesUser(text)
                ? "an address without a user and a password: they stand in \"headers\", as"
                    + " {\"Authorization\": {\"env\": \"NAME\"}}, or in \"credential\""
                : UpstreamBase.expectation, at: place)
        return nil
    }

    static let fallbackText = "errors after which local data is answered"

    private static let proxy = Form<String>.text(
        pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+/?$"
    ).narrowed(
        or: "the address of a proxy such as \"http://proxy.example.org:3128\", without a path and"
            + " without a user"
    ) { text in
        UpstreamBase(text).flatMap { $0.path.isEmpty ? $0.origin : nil }
    }

    // MARK: Files in PEM

    private static let tls = ObjectTable<HTTPRoute>(
        [
            Member(
                "roots",
                "authorities in place of the system's, for the proxy as well; read again when it"
                    + " changes", file, to: \.roots),
            Member("certificate", "this client's certificate", file, to: \.certificate),
            Member("key", "its key", file, to: \.key),
        ],
        keywords: [
            .init(
                name: "dependentRequired", value: ["certificate": ["key"], "key": ["certificate"]])
        ]
    ) { route, _, place, reading in
        if (route.certificate == nil) != (route.key == nil) {
            reading.expected("\"certificate\" and \"key\" together", at: place)
        }
    }

    /// A file of PEM; what is in it libcurl finds out when it connects, each time it has changed.
    private static let file = Form<String>(Form.text(minLength: 1).schema) {
        value, place, reading in
        guard let path = Form.text().read(value, place, &reading) else { return nil }
        switch ConfigurationFile.bytes(ofFile: path) {
        case .success(let bytes) where bytes.firstRange(of: "-----BEGIN ".utf8) != nil: return path
        case .success: reading.expected("a file in PEM", at: place)
        case .failure(let fault):
            reading.expected("a file that can be read; it \(fault.reason)", at: place)
        }
        return nil
    }

    // MARK: Header fields

    /// What belongs to the exchange itself, or is made by it.
    private static let forbiddenHeaders: Set<String> = [
        "host", "content-length", "content-type", "content-encoding", "transfer-encoding",
        "connection", "keep-alive", "te", "trailer", "upgrade", "expect", "accept-encoding",
        "idempotency-key", "if-none-match", "if-modified-since", "x-request-id", "traceparent",
    ]

    private static let secret = Secret.form(of: "the value")

    private static let headers = Form<[UpstreamSettings.Header]>.entries(
        of: [
            "anyOf": [
                ["type": "string"],
                secret.schema.described(secretText),
            ]
        ]
    ) { entry, found, reading in
        let (name, place) = (entry.name, entry.pointer)
        guard HeaderName.isValid(name), !forbiddenHeaders.contains(name.lowercased()) else {
            reading.expected("the name of a header field that a configuration may set", at: place)
            return nil
        }
        if found.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            reading.expected("each header field once", at: place)
        }
        let text = entry.value.stringValue
        if text != nil, holdsSecret(name) {
            reading.expected(
                "{\"env\":\"NAME\"} or {\"file\":\"/run/secrets/name\"}: a secret does not"
                    + " stand in the configuration", at: place)
        }
        guard let value = text.map({ Secret($0) }) ?? secret.read(entry.value, place, &reading)
        else { return nil }
        guard HeaderName.isValid(value: value.reveal()) else {
            reading.expected("a header field's value: plain ASCII on one line", at: place)
            return nil
        }
        // A secret in the configuration itself was refused above.
        return .init(name: name, value: value, isSecret: text == nil)
    }

    static let secretText = "a variable of the environment, or a file"

    /// Whether a header field of that name most likely has a secret in it.
    private static func holdsSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["authorization", "cookie", "key", "token", "secret", "password", "credential"]
            .contains { name.contains($0) }
    }

    // MARK: The probe

    private static let probe = ObjectTable<UpstreamSettings.Probe>([
        Member(
            "path", "what is asked",
            Form.text(pattern: pathPattern).narrowed(
                or: "a path such as \"/healthz\", without placeholders"
            ) { RequestTemplate(path: $0)?.placeholders == [] ? $0 : nil },
            required: .value("a path such as \"/healthz\""), to: \.path),
        Member("every", "how often", .time(100...longestTime), to: \.every),
        Member("timeout", "longest wait for its answer", .time(1...longestTime), to: \.timeout),
        Member("rise", "good answers in a row that make it healthy", .integer(1...100), to: \.rise),
        Member("fall", "bad ones in a row that make it unhealthy", .integer(1...100), to: \.fall),
        Member(
            "expect", "statuses that are good; 200 to 299 where there are none",
            .list(of: .integer(100...599, or: statuses), or: statuses), to: \.expect),
    ]).form(.init(path: "/"))

    private static let statuses = "a list of statuses, 100 to 599"
}

extension RetryPolicy {
    /// `retry`, of upstreams and of operations.
    static let table = ObjectTable<RetryPolicy>([
        Member("limit", "how many", .integer(0...100), to: \.limit),
        Member("backoff", "the pause between tries", into: \.self, backoff(atLeast: 0)),
    ])

    /// The pauses, of `retry` and of a controller's `reconnect`.
    static func backoff(atLeast least: Int) -> ObjectTable<RetryPolicy> {
        ObjectTable([
            Member(
                "exponential", "the first pause; each next one is twice as long",
                .time(least...longestTime), to: \.base),
            Member("max", "the longest pause", .time(least...longestTime), to: \.longest),
            Member("jitter", "pauses differ at random", .flag, to: \.hasJitter),
        ])
    }
}

extension FallbackErrors {
    /// `fallback`, of upstreams and of remotes.
    static let form = Form<[JSONValue]>.list(
        of: ["anyOf": [["enum": ["unreachable", "timeout"]], Form<Int>.status(from: 400).schema]],
        or: "a list such as [\"unreachable\", \"timeout\", 503]"
    ) { entry, _, reading in
        let isStatus = entry.value.int64Value.map { (400...599).contains($0) } ?? false
        if isStatus || ["unreachable", "timeout"].contains(entry.value) { return entry.value }
        reading.expected(
            "\"unreachable\", \"timeout\" or a status, 400 to 599", at: entry.pointer)
        return nil
    }.map(write: { errors in
        let words: [JSONValue] =
            (errors.unreachable ? ["unreachable"] : []) + (errors.timeout ? ["timeout"] : [])
        return .array(words + errors.statuses.sorted().map { .integer($0) })
    }) { errors in
        FallbackErrors(
            unreachable: errors.contains("unreachable"), timeout: errors.contains("timeout"),
            statuses: Set(errors.compactMap { $0.int64Value.map { Int($0) } }))
    }
}
