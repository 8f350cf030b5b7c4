/// What a JSON value is.
package enum JSONKind: UInt8, CaseIterable, Sendable {
    case null, bool, number, string, array, object

    /// One word, as answers have it.
    package var name: StaticString {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The kind as a sentence has it.
    package var phrase: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
