import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery
import FreshetRefresh
import FreshetRemote

extension FreshetService {
    /// `GET /v1/_operations/{id}/definition`: what it asks, when it runs and how, defaults included.
    func describeOperation(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem)
    {
        try call.checkPlainJSON()
        let operation = try operation(call.context)
        let settings = configuration.current.settings
        let upstream = operation.upstreamName.isEmpty ? nil : operation.upstreamName
        let definition = CompleteOperation(
            settings.sections["operations"]?[operation.id] ?? .object([]), kind: operation.kind,
            upstream: upstream,
            retry: operation.kind == .mutation
                ? nil : upstream.flatMap { upstreams.upstreams[$0]?.settings.retry })
        call.reply.json(&response, isKept: false) { body in
            body.append("{")
            body.member("id", operation.id)
            body.member("kind", operation.kind.rawValue)
            body.member("configured", operation.isConfigured)
            body.member("type", operation.type.text)
            body.member("upstream", upstream)
            body.member("endpoint", operation.query?.read?.endpoint)
            body.member("query", operation.query.map { settings.mask.masked($0.address) })
            body.member("write", operation.mutation?.rawValue)
            for name in Self.definitionMembers {
                body.member(name)
                (definition.value["\(name)"] ?? .null).write(to: &body)
            }
            body.member("defaults", each: definition.defaults) { $1.append(jsonString: $0) }
            body.append("}")
        }
    }

    /// The members of the configuration that are told in its own words.
    private static var definitionMembers: [StaticString] {
        [
            "automatic", "stale", "refetch", "admit", "retry", "deadline", "linger", "evict",
            "controllers",
        ]
    }
}
