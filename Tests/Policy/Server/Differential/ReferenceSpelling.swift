import FreshetJSON

extension ReferenceTest {
    /// The filter as people write it.
    var text: String {
        switch self {
        case .constant(let value): return value ? "true" : "false"
        case .not(let part): return "!(\(part.text))"
        case .and(let parts): return parts.map { "(\($0.text))" }.joined(separator: " and ")
        case .or(let parts): return parts.map { "(\($0.text))" }.joined(separator: " || ")
        case .compare(let path, let sign, let literal):
            return "\(Self.spell(path)) \(sign) \(literal.text)"
        case .isIn(let path, let list):
            return "\(Self.spell(path)) in \(JSONValue.array(list).text)"
        case .member(let path, let word, let list):
            let operand = word == "has" ? list[0] : .array(list)
            return "\(Self.spell(path)) \(word) \(operand.text)"
        case .exists(let path): return "exists(\(Self.spell(path)))"
        case .isNull(let path): return "isNull(\(Self.spell(path)))"
        case .isTrue(let path): return Self.spell(path)
        case .text(let path, let word, let part):
            return "\(word)(\(Self.spell(path)), \(JSONValue.string(part).text))"
        case .size(let path, let sign, let operand):
            return "size(\(Self.spell(path))) \(sign) \(operand)"
        case .matches(let path, let index):
            let pattern = JSONValue.string(ReferencePattern.all[index].pattern)
            return "\(Self.spell(path)) ~= \(pattern.text)"
        }
    }

    /// The filter as a JSON tree, as the body of `_search` has it.
    var tree: JSONValue {
        switch self {
        case .constant(let value): return .bool(value)
        // A tree has no bare paths.
        case .isTrue(let path): return Self.test(path, "==", .bool(true))
        case .not(let part): return ["not": part.tree]
        case .and(let parts): return ["and": .array(parts.map(\.tree))]
        case .or(let parts): return ["or": .array(parts.map(\.tree))]
        case .compare(let path, let sign, let literal): return Self.test(path, sign, literal)
        case .isIn(let path, let list): return Self.test(path, "in", .array(list))
        case .member(let path, let word, let list):
            return Self.test(path, word, word == "has" ? list[0] : .array(list))
        case .exists(let path): return Self.test(path, "exists", nil)
        case .isNull(let path): return Self.test(path, "isNull", nil)
        case .text(let path, let word, let part): return Self.test(path, word, .string(part))
        case .size(let path, let sign, let operand):
            return [
                "size": .string(Self.spell(path)), "op": .string(sign),
                "value": .number("\(operand)"),
            ]
        case .matches(let path, let index):
            return Self.test(path, "~=", .string(ReferencePattern.all[index].pattern))
        }
    }

    private static func test(_ path: [String], _ word: String, _ value: JSONValue?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init(name: "property", value: .string(spell(path))),
            .init(name: "op", value: .string(word)),
        ]
        if let value { members.append(.init(name: "value", value: value)) }
        return .object(members)
    }

    /// A path in the grammar of filters: names that are no words stand in backquotes.
    static func spell(_ path: [String]) -> String {
        path.map { name in
            name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
                ? name : "`\(name)`"
        }.joined(separator: ".")
    }
}
