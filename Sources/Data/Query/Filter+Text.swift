extension Filter: CustomStringConvertible {
    /// The filter as text that reads back as this very value.
    package var description: String {
        var text = ""
        write(to: &text, inside: .disjunction)
        return text
    }

    /// What a part stands in, by how tightly it must hold together.
    ///
    /// A conjunction right inside a conjunction keeps its parentheses, or it would read back flat;
    /// a disjunction likewise.
    private enum Context {
        case disjunction, conjunction, negation
    }

    private func write(to text: inout String, inside context: Context) {
        switch self {
        case .constant(let value): text += value ? "true" : "false"
        case .or(let parts):
            writeParts(
                parts, connective: " or ", context: .conjunction,
                needsParentheses: context != .disjunction, text: &text)
        case .and(let parts):
            writeParts(
                parts, connective: " and ", context: .negation,
                needsParentheses: context == .negation, text: &text)
        case .not(let part):
            text += "!"
            part.write(to: &text, inside: .negation)
        case .compare(let path, let comparison, let literal):
            text += "\(path) \(comparison.rawValue) \(literal)"
        case .matches(let path, let pattern): text += "\(path) ~= \(Literal(string: pattern.text))"
        case .isIn(let path, let list): text += "\(path) in \(Self.text(of: list))"
        case .has(let path, let literal): text += "\(path) has \(literal)"
        case .hasAny(let path, let list): text += "\(path) hasAny \(Self.text(of: list))"
        case .hasAll(let path, let list): text += "\(path) hasAll \(Self.text(of: list))"
        case .exists(let path): text += "exists(\(path))"
        case .isNull(let path): text += "isNull(\(path))"
        case .startsWith(let path, let literal): text += "startsWith(\(path), \(literal))"
        case .endsWith(let path, let literal): text += "endsWith(\(path), \(literal))"
        case .contains(let path, let literal): text += "contains(\(path), \(literal))"
        case .size(let path, let comparison, let value):
            text += "size(\(path)) \(comparison.rawValue) \(value)"
        case .isTrue(let path): text += path.description
        }
    }

    private func writeParts(
        _ parts: [Filter], connective: String, context: Context, needsParentheses: Bool,
        text: inout String
    ) {
        if needsParentheses { text += "(" }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += connective }
            part.write(to: &text, inside: context)
        }
        if needsParentheses { text += ")" }
    }

    private static func text(of list: [Literal]) -> String {
        "[" + list.map(\.description).joined(separator: ",") + "]"
    }
}

extension Literal: CustomStringConvertible {
    /// The literal as filters and JSON write it.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
