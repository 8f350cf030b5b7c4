import FreshetCore
import FreshetJSON
import FreshetRemote

/// The JSON Schema of `upstreams` and of a type's `remote`. What relates two values to one another
/// (a declared upstream, names that are renamed twice) and the grammar of templates stay with the
/// readers.
enum UpstreamSchema {
    static var upstreams: JSONValue {
        let headers: JSONValue = [
            "type": "object",
            "additionalProperties": ["anyOf": [["type": "string"], SecretReader.schema]],
        ]
        let probe = object(
            [
                ("path", path), ("every", time), ("timeout", time), ("rise", count(1, 100)),
                ("fall", count(1, 100)), ("expect", ["type": "array", "items": status(from: 100)]),
            ], required: ["path"])
        let file: JSONValue = ["type": "string", "minLength": 1]
        let tls: JSONValue = [
            "type": "object", "additionalProperties": false,
            "properties": ["roots": file, "certificate": file, "key": file],
            "dependentRequired": ["certificate": ["key"], "key": ["certificate"]],
        ]
        let upstream = object(
            [
                ("base", ["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^?#@\\s]+$"]),
                ("allowLinkLocal", ["type": "boolean", "default": false]), ("timeout", time),
                ("connectTimeout", time), ("denyPrivate", ["type": "boolean", "default": false]),
                (
                    "proxy",
                    ["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#@\\s]+/?$"]
                ),
                ("tls", tls),
                ("headers", headers), ("maxConcurrent", count(1, 1_000)),
                ("maxWaiting", count(0, 100_000)), ("maxBody", size), ("retry", retry),
                ("fallback", fallback), ("probe", probe),
                ("credential", ["$ref": "#/$defs/credential"]),
            ], required: ["base"])
        return [
            "type": "object", "description": "the services that entities come from, by name",
            "propertyNames": ["pattern": .string(TypeSchema.namePattern)],
            "additionalProperties": upstream,
        ]
    }

    static var remote: JSONValue {
        let item: [(String, JSONValue)] = [("path", path), ("query", query), ("item", pointer)]
        func call(_ methods: [JSONValue], _ more: [(String, JSONValue)] = []) -> JSONValue {
            object(
                item + [("method", ["enum": .array(methods)])] + more, required: ["path"])
        }
        let search = object(
            [
                ("path", path), ("query", query), ("items", pointer), ("total", pointer),
                ("pageSize", count(1, 10_000)), ("maxPages", count(1, 10_000)),
            ], required: ["path"])
        let writeEndpoint = object(
            item + [("method", ["enum": ["POST", "PUT", "PATCH", "DELETE"]])],
            required: ["path", "method"])
        let name: JSONValue = ["pattern": .string(TypeSchema.namePattern)]
        let rename: JSONValue = [
            "type": "object",
            "additionalProperties": [
                "type": "string", "minLength": 1, "not": ["enum": ["id", "_meta"]],
            ],
        ]
        let member: JSONValue = ["type": "string", "pattern": "^/"]
        let type: JSONValue = ["type": "string", "pattern": .string(TypeSchema.namePattern)]
        let extraction = object(
            [("type", type), ("at", member), ("id", member), ("rename", rename)],
            required: ["type", "at"])
        return object(
            [
                ("upstream", type), ("get", call(["GET"])), ("search", search),
                ("create", call(["POST", "PUT"], [("sendId", ["type": "boolean"])])),
                ("update", call(["PUT", "PATCH", "POST"])),
                ("remove", call(["DELETE", "POST"])), ("rejected", ["enum": ["keep", "revert"]]),
                ("id", member), ("rename", rename),
                (
                    "extract",
                    [
                        "type": "object", "propertyNames": ["not": ["enum": ["id", "_meta", ""]]],
                        "additionalProperties": extraction,
                    ]
                ),
                (
                    "endpoints",
                    [
                        "type": "object", "propertyNames": name,
                        "additionalProperties": ["anyOf": [search, writeEndpoint]],
                    ]
                ),
                ("fallback", fallback),
            ], required: ["upstream"])
    }

    // MARK: Parts

    private static let time: JSONValue = ["type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"]
    private static let path: JSONValue = ["type": "string", "pattern": "^/[^?#\\s]*$"]
    private static let pointer: JSONValue = ["type": "string", "pattern": "^(/|$)"]
    private static let query: JSONValue = [
        "type": "object",
        "additionalProperties": ["type": ["string", "number", "boolean"]],
    ]
    private static let size: JSONValue = [
        "type": ["string", "integer"], "pattern": "^[0-9]+(B|KiB|MiB|GiB|KB|kB|MB|GB)?$",
        "minimum": 1, "maximum": 1_073_741_824, "default": "16MiB",
    ]
    static let retry = object([
        ("limit", count(0, 100)),
        (
            "backoff",
            object([("exponential", time), ("max", time), ("jitter", ["type": "boolean"])])
        ),
    ])
    private static let fallback: JSONValue = [
        "type": "array",
        "items": ["anyOf": [["enum": ["unreachable", "timeout"]], status(from: 400)]],
    ]

    private static func status(from least: Int) -> JSONValue {
        ["type": "integer", "minimum": .number(String(least)), "maximum": 599]
    }

    private static func count(_ least: Int, _ most: Int) -> JSONValue {
        [
            "type": "integer", "minimum": .number(String(least)),
            "maximum": .number(String(most)),
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
