import FreshetCore
import FreshetJSON
import FreshetRemote

/// The JSON Schema of `conditions`, `specs` and `operations`. Names that are declared elsewhere,
/// circles, limits, cron expressions, time zones and queries stay with the readers.
enum SpecSchema {
    static var conditions: JSONValue {
        named(
            "named flags that specifications read and people set",
            object([("initial", ["type": "boolean"]), ("persist", ["type": "boolean"])]))
    }

    static var specs: JSONValue { named("run specifications by name", spec) }

    static var operations: JSONValue {
        let refetch = object([
            ("when", optional(spec)),
            ("every", ["type": ["string", "null"], "pattern": duration]),
            ("cron", optional(cron)),
            (
                "on",
                optional([
                    "type": "array",
                    "items": [
                        "anyOf": [
                            object([("mutation", text)], required: ["mutation"]),
                            object([("event", text)], required: ["event"]),
                        ]
                    ],
                ])
            ),
            ("settle", time), ("minInterval", time), ("onFall", ["enum": ["cancel", "keep"]]),
            ("during", ["enum": ["join", "restart", "queue"]]),
            ("requireSubscribers", ["type": "boolean"]), ("requireStale", ["type": "boolean"]),
        ])
        let admit = object([
            ("when", spec), ("otherwise", ["enum": ["reject", "wait"]]), ("maxWait", time),
        ])
        let operation = object(
            [
                ("kind", ["enum": ["query", "pages", "mutation"]]),
                ("type", ["type": "string", "pattern": .string(TypeSchema.namePattern)]),
                ("query", ["type": "object"]), ("write", ["enum": ["create", "update", "remove"]]),
                ("automatic", spec),
                ("stale", ["anyOf": [spec, ["type": "array", "items": spec]]]),
                ("refetch", refetch), ("admit", admit), ("retry", RetryPolicy.table.schema),
                ("deadline", time), ("linger", time), ("evict", object([("idle", time)])),
                ("controllers", ["type": "array"]),
            ], required: ["type"])
        return named("what is read from remotes, when and how, by name", operation)
    }

    /// What `$ref: #/$defs/spec` leads to.
    static var definition: JSONValue {
        let list: JSONValue = ["type": "array", "items": spec]
        let upstream: JSONValue = text
        let operators: [(String, JSONValue)] = [
            ("and", list), ("or", list), ("not", spec), ("spec", text), ("healthy", upstream),
            (
                "connected",
                [
                    "anyOf": [
                        upstream,
                        object(
                            [
                                ("upstream", upstream),
                                ("atLeast", ["enum": ["limited", "connected"]]),
                            ], required: ["upstream"]),
                    ]
                ]
            ),
            (
                "token",
                [
                    "anyOf": [
                        upstream,
                        object(
                            [("upstream", upstream), ("validFor", time)], required: ["upstream"]),
                    ]
                ]
            ),
            (
                "active",
                [
                    "anyOf": [
                        ["enum": ["service", "operation"]],
                        object([("operation", text)], required: ["operation"]),
                    ]
                ]
            ),
            ("condition", text), ("window", calendar(["days", "from", "to", "tz"])),
            ("between", calendar(["from", "to", "tz"])), ("cron", cron),
            ("pressure", ["enum": ["warning", "critical"]]),
        ]
        let count: JSONValue = ["type": "integer", "minimum": 0]
        let status: JSONValue = ["enum": ["idle", "loading", "success", "failure"]]
        let ofOperations: [(String, JSONValue)] = [
            ("subscribers", test(count)), ("failures", test(count)), ("age", test(time)),
            ("value", ["enum": ["present", "absent"]]),
            (
                "status",
                object(
                    [
                        ("is", ["anyOf": [status, ["type": "array", "items": status]]]),
                        ("of", text),
                    ], required: ["is"])
            ),
        ]
        return [
            "description": "true, false, or an object with exactly one of these members",
            "anyOf": .array(
                [["type": "boolean"]]
                    + operators.map { object([$0], required: [$0.0]) }
                    + ofOperations.map { object([$0, ("of", text)], required: [$0.0]) }),
        ]
    }

    // MARK: Parts

    private static let duration: JSONValue = "^[0-9]+(ms|s|m|h|d)$"
    private static let time: JSONValue = ["type": "string", "pattern": duration]
    private static let text: JSONValue = ["type": "string"]
    private static let spec: JSONValue = ["$ref": "#/$defs/spec"]
    private static let cron: JSONValue = [
        "anyOf": [
            text, object([("expr", text), ("tz", text), ("for", time)], required: ["expr"]),
        ]
    ]

    private static func optional(_ schema: JSONValue) -> JSONValue {
        ["anyOf": [schema, ["type": "null"]]]
    }

    private static func calendar(_ members: [String]) -> JSONValue {
        object(
            members.map { name in
                (name, name == "days" ? ["type": ["string", "array"], "items": text] : text)
            })
    }

    private static func test(_ value: JSONValue) -> JSONValue {
        let relations = ["eq", "ne", "gt", "gte", "lt", "lte"].map { ($0, value) }
        return ["anyOf": [value, object(relations + [("of", text)])]]
    }

    private static func named(_ what: String, _ schema: JSONValue) -> JSONValue {
        [
            "type": "object", "description": .string(what),
            "propertyNames": ["pattern": .string(SpecNames.pattern)],
            "additionalProperties": schema,
        ]
    }

    private static func object(
        _ members: [(String, JSONValue)], required: [String] = []
    ) -> JSONValue {
        [
            "type": "object", "required": .array(required.map { .string($0) }),
            "properties": .object(members.map { .init(name: $0.0, value: $0.1) }),
            "additionalProperties": false,
        ]
    }
}
