import FreshetCore
import FreshetHTTPClient
import FreshetJSON
import FreshetQuery
import FreshetRemote

/// Reads the member `upstreams` (operations.md section 1), the secrets of its header fields
/// included.
enum UpstreamReader {
    /// Longer than any answer is waited for.
    static let longestTime = 86_400_000

    struct Found {
        /// In the order of the file; those with faults are left out.
        var upstreams: [UpstreamSettings] = []
        /// By the upstream's name.
        var credentials: [String: OAuth2Configuration] = [:]
    }

    static func upstreams(
        _ value: JSONValue, at pointer: JSONPointer, environment: [String: String],
        faults: inout [SchemaFault]
    ) -> Found {
        var found = Found()
        guard let members = value.objectValue else {
            faults.expected("an object whose members are upstreams", at: pointer)
            return found
        }
        for member in members {
            let place = pointer.appending(member.name)
            guard TypeName(member.name) != nil else {
                faults.expected(
                    "a name: a letter, then at most 63 letters, digits, _ or -", at: place)
                continue
            }
            let upstream = upstream(
                member.name, member.value, at: place, environment, &found.credentials,
                faults: &faults)
            if let upstream { found.upstreams.append(upstream) }
        }
        return found
    }

    private static func upstream(
        _ name: String, _ value: JSONValue, at pointer: JSONPointer,
        _ environment: [String: String], _ credentials: inout [String: OAuth2Configuration],
        faults: inout [SchemaFault]
    ) -> UpstreamSettings? {
        let before = faults.count
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        reader.require("base", UpstreamBase.expectation, faults: &faults)
        let route = RouteReader.route(&reader, faults: &faults)
        let base = base(&reader, route, faults: &faults)
        // A base that stands for one that is faulty: the fault stops the start.
        guard
            var settings = (base ?? UpstreamBase("http://localhost")).map({
                UpstreamSettings(name: name, base: $0)
            })
        else { return nil }
        settings.route = route
        if let time = reader.time("timeout", in: 1...longestTime, faults: &faults) {
            settings.timeout = time
        }
        settings.headers = headers(&reader, environment, faults: &faults)
        if let count = reader.integer("maxConcurrent", in: 1...1_000, faults: &faults) {
            settings.maxConcurrent = count
        }
        if let count = reader.integer("maxWaiting", in: 0...100_000, faults: &faults) {
            settings.maxWaiting = count
        }
        if let bytes = reader.size("maxBody", in: 1...1 << 30, faults: &faults) {
            settings.maxBody = bytes
        }
        if let policy = retry(&reader, faults: &faults) {
            settings.retry = policy
            var outbox = policy
            // Who configures the pauses alone has the limits of reads and of the outbox.
            if reader.value("retry")?["limit"] == nil {
                outbox.limit = OutboxTarget.standardRetry.limit
            }
            settings.outboxRetry = outbox
        }
        if let errors = fallback(&reader, faults: &faults) { settings.fallback = errors }
        settings.probe = probe(&reader, faults: &faults)
        if let credential = reader.value("credential") {
            credentials[name] = CredentialReader.credential(
                credential, at: pointer.appending("credential"), environment: environment,
                faults: &faults)
            // The token endpoint is reached from the same network, but never by such an address.
            credentials[name]?.route = route
            credentials[name]?.route.refused.insert(.linkLocal)
        }
        reader.finish(faults: &faults)
        return faults.count == before ? settings : nil
    }

    private static func base(
        _ reader: inout MemberReader, _ route: HTTPRoute, faults: inout [SchemaFault]
    ) -> UpstreamBase? {
        let place = reader.pointer.appending("base")
        guard let text = reader.string("base", faults: &faults) else { return nil }
        guard let base = UpstreamBase(text) else {
            faults.expected(UpstreamBase.expectation, at: place)
            return nil
        }
        if base.isLinkLocal, !route.refused.isEmpty {
            faults.expected(
                "no link-local address, where clouds keep their secrets; \"allowLinkLocal\": true"
                    + " takes it all the same", at: place)
        }
        return base
    }

    // MARK: Header fields

    /// What belongs to the exchange itself, or is made by it.
    private static let forbiddenHeaders: Set<String> = [
        "host", "content-length", "content-type", "content-encoding", "transfer-encoding",
        "connection", "keep-alive", "te", "trailer", "upgrade", "expect", "accept-encoding",
        "idempotency-key", "if-none-match", "if-modified-since", "x-request-id", "traceparent",
    ]

    private static func headers(
        _ reader: inout MemberReader, _ environment: [String: String],
        faults: inout [SchemaFault]
    ) -> [UpstreamSettings.Header] {
        var headers: [UpstreamSettings.Header] = []
        for (name, value, place) in reader.entries("headers", faults: &faults) {
            guard HeaderName.isValid(name), !forbiddenHeaders.contains(name.lowercased()) else {
                faults.expected(
                    "the name of a header field that a configuration may set", at: place)
                continue
            }
            if headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
                faults.expected("each header field once", at: place)
            }
            let secret: Secret?
            if let text = value.stringValue {
                secret = Secret(text)
                if holdsSecret(name) {
                    faults.expected(
                        "{\"env\":\"NAME\"} or {\"file\":\"/run/secrets/name\"}: a secret does not"
                            + " stand in the configuration", at: place)
                }
            } else {
                secret = SecretReader.secret(
                    value, at: place, environment: environment, faults: &faults)
            }
            guard let secret else { continue }
            guard HeaderName.isValid(value: secret.reveal()) else {
                faults.expected("a header field's value: plain ASCII on one line", at: place)
                continue
            }
            // A secret in the configuration itself was refused above.
            headers.append(
                .init(name: name, value: secret, isSecret: value.stringValue == nil))
        }
        return headers
    }

    /// Whether a header field of that name most likely has a secret in it.
    private static func holdsSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["authorization", "cookie", "key", "token", "secret", "password", "credential"]
            .contains { name.contains($0) }
    }

    // MARK: Repeats, fallback, probe

    static func retry(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> RetryPolicy? {
        guard let value = reader.value("retry"),
            var retry = MemberReader(
                value, at: reader.pointer.appending("retry"), faults: &faults)
        else { return nil }
        var policy = RetryPolicy.standard
        if let limit = retry.integer("limit", in: 0...100, faults: &faults) {
            policy.limit = limit
        }
        if let value = retry.value("backoff"),
            var backoff = MemberReader(
                value, at: retry.pointer.appending("backoff"), faults: &faults)
        {
            if let time = backoff.time("exponential", in: 0...longestTime, faults: &faults) {
                policy.base = time
            }
            if let time = backoff.time("max", in: 0...longestTime, faults: &faults) {
                policy.longest = time
            }
            if let flag = backoff.bool("jitter", faults: &faults) { policy.hasJitter = flag }
            backoff.finish(faults: &faults)
        }
        retry.finish(faults: &faults)
        return policy
    }

    static func fallback(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> FallbackErrors? {
        guard let value = reader.value("fallback") else { return nil }
        let place = reader.pointer.appending("fallback")
        guard let elements = value.arrayValue else {
            faults.expected("a list such as [\"unreachable\", \"timeout\", 503]", at: place)
            return nil
        }
        var errors = FallbackErrors(unreachable: false, timeout: false, statuses: [])
        for (index, element) in elements.enumerated() {
            if let status = element.int64Value, (400...599).contains(status) {
                errors.statuses.insert(Int(status))
            } else if element.stringValue == "unreachable" {
                errors.unreachable = true
            } else if element.stringValue == "timeout" {
                errors.timeout = true
            } else {
                faults.expected(
                    "\"unreachable\", \"timeout\" or a status, 400 to 599",
                    at: place.appending(index))
            }
        }
        return errors
    }

    private static func probe(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> UpstreamSettings.Probe? {
        guard let value = reader.value("probe"),
            var member = MemberReader(
                value, at: reader.pointer.appending("probe"), faults: &faults)
        else { return nil }
        member.require("path", "a path such as \"/healthz\"", faults: &faults)
        let path = member.string("path", faults: &faults) ?? "/"
        if RequestTemplate(path: path)?.placeholders != [] {
            faults.expected(
                "a path such as \"/healthz\", without placeholders",
                at: member.pointer.appending("path"))
        }
        var probe = UpstreamSettings.Probe(path: path)
        if let time = member.time("every", in: 100...longestTime, faults: &faults) {
            probe.every = time
        }
        if let time = member.time("timeout", in: 1...longestTime, faults: &faults) {
            probe.timeout = time
        }
        if let count = member.integer("rise", in: 1...100, faults: &faults) { probe.rise = count }
        if let count = member.integer("fall", in: 1...100, faults: &faults) { probe.fall = count }
        if let expect = member.value("expect") {
            let place = member.pointer.appending("expect")
            for (index, element) in (expect.arrayValue ?? [.null]).enumerated() {
                if let status = element.int64Value, (100...599).contains(status) {
                    probe.expect.append(Int(status))
                } else {
                    faults.expected(
                        "a list of statuses, 100 to 599",
                        at: expect.arrayValue == nil ? place : place.appending(index))
                }
            }
        }
        member.finish(faults: &faults)
        return probe
    }
}
