import FreshetCore
import FreshetJSON
import FreshetRemote

/// The JSON Schema of a type's `remote`. What relates two values to one another
/// (a declared upstream, names that are renamed twice) and the grammar of templates stay with the
/// readers.
enum UpstreamSchema {
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
                ("fallback", FallbackErrors.form.schema),
            ], required: ["upstream"])
    }

    // MARK: Parts

    private static let path: JSONValue = ["type": "string", "pattern": "^/[^?#\\s]*$"]
    private static let pointer: JSONValue = ["type": "string", "pattern": "^(/|$)"]
    private static let query: JSONValue = [
        "type": "object",
        "additionalProperties": ["type": ["string", "number", "boolean"]],
    ]
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
