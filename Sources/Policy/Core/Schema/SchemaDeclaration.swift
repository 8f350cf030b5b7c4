package import FreshetJSON

extension TypeSchema {
    /// The JSON Schema of one type's declaration, for editors.
    package static var declarationSchema: JSONValue {
        let text: JSONValue = ["type": "string"]
        let bool: JSONValue = ["type": "boolean"]
        let count: JSONValue = ["type": "integer", "minimum": 0]
        let number: JSONValue = ["type": "number"]
        let texts: JSONValue = ["type": "array", "items": text]
        let kinds = JSONValue.array(PropertySchema.Kind.allCases.map { .string($0.rawValue) })
        let nested: JSONValue = ["type": "object", "required": ["type"]]
        let property: JSONValue = [
            "type": "object", "required": ["type"], "additionalProperties": false,
            "properties": [
                "type": ["enum": kinds], "nullable": bool,
                "required": ["type": ["boolean", "array"]], "default": [:],
                "enum": ["type": "array", "minItems": 1], "minimum": number, "maximum": number,
                "minLength": count, "maxLength": count, "minItems": count, "maxItems": count,
                "items": nested,
                "properties": ["type": "object", "additionalProperties": nested],
                "additionalProperties": bool, "silent": bool, "lazy": bool,
            ],
        ]
        let relationship: JSONValue = [
            "type": "object", "required": ["type"], "additionalProperties": false,
            "properties": [
                "type": text, "association": ["enum": ["one", "many"]], "by": text,
            ],
        ]
        let contract: JSONValue = [
            "type": "object", "additionalProperties": false,
            "properties": ["requires": texts, "where": text],
        ]
        return [
            "type": "object", "additionalProperties": false,
            "properties": [
                "identifier": ["enum": ["string", "integer"]],
                "properties": ["type": "object", "additionalProperties": property],
                "additionalProperties": bool,
                "relationships": ["type": "object", "additionalProperties": relationship],
                "indexes": ["type": "array", "items": ["type": ["string", "array"]]],
                "contracts": ["type": "object", "additionalProperties": contract],
                "store": ["enum": ["file", "memory"]],
            ],
        ]
    }
}
