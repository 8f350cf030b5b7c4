import FreshetRefresh
import FreshetJSON
import FreshetRemote
import Testing

@testable import FreshetConfig
@testable import FreshetCore

/// A place of the schema where a member may stand that need not.
private struct OptionalMember {
    /// With `*` for names that users choose, and `[]` for elements.
    let path: String
    let schema: JSONValue

    /// Those below `schema`; a definition is gone through where it is mentioned first.
    static func all(of root: JSONValue) throws -> [OptionalMember] {
        var found: [OptionalMember] = []
        var known: Set<String> = []

        func collect(_ schema: JSONValue, at path: String) throws {
            if let reference = schema["$ref"]?.stringValue {
                guard known.insert(reference).inserted else { return }
                let name = try #require(reference.split(separator: "/").last.map(String.init))
                try collect(try #require(root["$defs"]?[name]), at: path)
            }
            let required = schema["required"]?.arrayValue ?? []
            for (name, member) in (schema["properties"]?.objectValue ?? []).map({
                ($0.name, $0.value)
            }) {
                let place = path.isEmpty ? name : "\(path).\(name)"
                if !required.contains(.string(name)) {
                    found.append(.init(path: place, schema: member))
                }
                try collect(member, at: place)
            }
            for (keyword, step) in [("additionalProperties", ".*"), ("items", "[]")] {
                if let inner = schema[keyword] { try collect(inner, at: path + step) }
            }
            for form in (schema["anyOf"]?.arrayValue ?? []) { try collect(form, at: path) }
        }

        try collect(root, at: "")
        return found
    }

    /// An object with members of its own says what holds where they are absent.
    var isObject: Bool {
        schema["type"] == "object" || schema["$ref"] != nil && schema["default"] == nil
    }
}

@Suite("Defaults of the configuration")
struct DefaultTests {
    /// Where these are absent, nothing is in their place, or what their description says.
    private static let withoutDefault: Set<String> = [
        "$schema",
        "access.tokens",
        "access.tokens[].expires",
        "access.tokens[].subject",
        "cluster.log.password.env",
        "cluster.log.password.file",
        "cluster.log.tls.certificate",
        "cluster.log.tls.key",
        "cluster.log.tls.roots",
        "cluster.log.user",
        "cluster.secret.env",
        "cluster.secret.file",
        "operations.*.controllers",
        "operations.*.controllers[].attach",
        "operations.*.controllers[].initial",
        "operations.*.controllers[].limit",
        "operations.*.controllers[].reduce",
        "operations.*.controllers[].reduce[].key",
        "operations.*.controllers[].reduce[].limit",
        "operations.*.deadline",
        "operations.*.evict.idle",
        "operations.*.refetch.cron",
        "operations.*.refetch.every",
        "operations.*.refetch.on",
        "operations.*.refetch.when",
        "operations.*.stale",
        "operations.*.write",
        "specs.*.age.of",
        "specs.*.between.from",
        "specs.*.between.to",
        "specs.*.failures.of",
        "specs.*.of",
        "specs.*.status.of",
        "specs.*.subscribers.of",
        "specs.*.window.days",
        "specs.*.window.from",
        "specs.*.window.to",
        "types.*.contracts.*.where",
        "types.*.durability",
        "types.*.identifier",
        "types.*.indexes",
        "types.*.properties.*.default",
        "types.*.properties.*.enum",
        "types.*.properties.*.maxItems",
        "types.*.properties.*.maxLength",
        "types.*.properties.*.maximum",
        "types.*.properties.*.minItems",
        "types.*.properties.*.minLength",
        "types.*.properties.*.minimum",
        "types.*.properties.*.pattern",
        "types.*.relationships.*.association",
        "types.*.relationships.*.by",
        "types.*.remote.endpoints.*.pageSize",
        "types.*.remote.endpoints.*.total",
        "types.*.remote.fallback",
        "types.*.remote.search.pageSize",
        "types.*.remote.search.total",
        "upstreams.*.credential.clientId",
        "upstreams.*.credential.clientSecret.env",
        "upstreams.*.credential.clientSecret.file",
        "upstreams.*.credential.criticalOn[].at",
        "upstreams.*.credential.criticalOn[].is",
        "upstreams.*.credential.refreshToken.env",
        "upstreams.*.credential.refreshToken.file",
        "upstreams.*.credential.scope",
        "upstreams.*.headers.*.env",
        "upstreams.*.headers.*.file",
        "upstreams.*.proxy",
        "upstreams.*.tls.certificate",
        "upstreams.*.tls.key",
        "upstreams.*.tls.roots",
    ]

    @Test("A member that may be absent says its default, or is known to have none")
    func completeness() throws {
        let members = try OptionalMember.all(of: ConfigurationSchema.schema)
        #expect(members.count > 150)
        let silent = members.filter { !$0.isObject && $0.schema["default"] == nil }.map(\.path)
        let others = Set(silent).filter { path in
            // An element of a list is as a property, and so is a member of an object.
            !path.hasPrefix("types.*.properties.*.items.")
                // Comparisons: what is absent is not compared.
                && !["eq", "ne", "gt", "gte", "lt", "lte"].contains(path.split(separator: ".").last)
        }
        #expect(others.subtracting(Self.withoutDefault).sorted() == [])
        #expect(Self.withoutDefault.subtracting(others).sorted() == [])
    }

    /// Everything that has members with defaults, as short as it can be.
    private static let shortest = #"""
        {
          "conditions": {"c": {}},
          "upstreams": {"api": {
            "base": "http://a", "tls": {}, "retry": {"backoff": {}}, "probe": {"path": "/"},
            "credential": {
              "type": "oauth2", "tokenURL": "http://a/token", "grant": "client_credentials",
              "clientId": "a", "inject": {}
            }
          }},
          "types": {"t": {
            "remote": {
              "upstream": "api", "get": {"path": "/{id}"}, "search": {"path": "/"},
              "create": {"path": "/"}, "update": {"path": "/{id}"}, "remove": {"path": "/{id}"},
              "extract": {"a": {"type": "p", "at": "/a"}}, "endpoints": {"e": {"path": "/e"}}
            },
            "properties": {
              "s": {"type": "string"}, "o": {"type": "object", "properties": {"m": {"type": "any"}}}
            },
            "contracts": {"c": {}}
          }},
          "operations": {"o": {
            "type": "t", "refetch": {"cron": {"expr": "0 3 * * *"}}, "admit": {},
            "retry": {"backoff": {}}, "evict": {},
            "controllers": [
              {"sse": {"upstream": "api", "path": "/e"}, "reconnect": {},
               "reduce": [{"on": "*", "do": "set"}], "then": [{"condition": "c"}]}
            ]
          }},
          "access": {"anonymous": {"*": {}}}
        }
        """#

    @Test("What a default says is what holds where the member is absent")
    func truth() throws {
        let root = ConfigurationSchema.schema
        var count = 0

        /// `value` with the defaults of `schema` in place of what is absent.
        func filled(_ value: JSONValue, _ schema: JSONValue) throws -> JSONValue {
            var schema = schema
            if let name = schema["$ref"]?.stringValue?.split(separator: "/").last {
                schema = try #require(root["$defs"]?[String(name)])
            }
            if let elements = value.arrayValue, let items = schema["items"] {
                return .array(try elements.map { try filled($0, items) })
            }
            guard let given = value.objectValue else { return value }
            let reader = JSONSchemaReader(root: root)
            if let form = try schema["anyOf"]?.arrayValue?.first(where: { form in
                try form["properties"] != nil && reader.accepts(value, form)
            }) {
                return try filled(value, form)
            }
            var members = try given.map { member in
                let inner = schema["properties"]?[member.name] ?? schema["additionalProperties"]
                return JSONValue.Member(
                    name: member.name, value: try filled(member.value, inner ?? true))
            }
            for member in schema["properties"]?.objectValue ?? [] where value[member.name] == nil {
                guard let standard = member.value["default"] else { continue }
                let whole = members + [.init(name: member.name, value: standard)]
                // Members that only objects of some kinds have.
                guard try reader.accepts(.object(whole), schema) else { continue }
                members = whole
                count += 1
            }
            return .object(members)
        }

        func read(_ value: JSONValue) throws -> ConfigurationFile {
            var faults: [ConfigurationFault] = []
            let file = ConfigurationFile.read(value.bytes, path: "file", faults: &faults)
            try #require(faults.map(\.description) == [], "\(value.text)")
            return file
        }

        let shortest = try JSONValue.parse(Self.shortest)
        let sections = shortest.objectValue?.map(\.name) ?? []
        // The settings' own defaults are where flags and variables find them.
        let schema = JSONValue.object(
            properties: root["properties"]?.objectValue?.filter { sections.contains($0.name) } ?? []
        )
        let whole = try filled(shortest, schema)
        #expect(count > 60)
        let long = try read(whole)
        let short = try read(shortest)
        #expect(
            long.upstreams.map { upstream in
                var settings = upstream.settings
                // The outbox has a limit of its own where the file says none.
                settings.outboxRetry?.limit = OutboxTarget.standardRetry.limit
                return settings
            } == short.upstreams.map(\.settings))
        #expect(long.upstreams.map(\.credential) == short.upstreams.map(\.credential))
        #expect(long.remotes == short.remotes)
        #expect(
            long.types.map { "\($0.rules) \($0.storage)" }
                == short.types.map { "\($0.rules) \($0.storage)" })
        #expect(
            long.operations.operations.map(\.settings)
                == short.operations.operations.map(\.settings))
        #expect(
            long.operations.operations.map { "\($0.controlled)" }
                == short.operations.operations.map { "\($0.controlled)" })
        #expect(
            long.operations.conditions.map { "\($0)" }
                == short.operations.conditions.map { "\($0)" })
    }
}
