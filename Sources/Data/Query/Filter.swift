import FreshetBase
package import FreshetJSON

/// What `==` and its siblings ask.
package enum Comparison: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}

/// A constant of a filter: a string, number, Boolean, null or a list of these, as canonical JSON.
///
/// Equality is that of the bytes: `1` and `1.0` are two literals until `Filter.canonical()`.
package struct Literal: Hashable, Sendable {
    /// The value in canonical JSON.
    package let bytes: [UInt8]

    /// - Parameter bytes: One value in canonical JSON that is no object and holds none.
    package init(canonical bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A string.
    package init(string text: String) {
        var buffer = ByteBuffer(capacity: 64)
        buffer.append(jsonString: text)
        bytes = Array(buffer.bytes)
    }

    /// What kind of value it is.
    package var kind: JSONKind { withView { $0.kind } }

    /// The unescaped UTF-8 bytes of a string; nil for other kinds.
    package var string: [UInt8]? {
        withView { view in
            var buffer = ByteBuffer(capacity: bytes.count)
            return view.appendString(to: &buffer) ? Array(buffer.bytes) : nil
        }
    }

    /// Calls `body` with the value; the view is valid during the call.
    package func withView<Result>(_ body: (JSONView) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes { try body(JSONView(canonical: $0)) }
    }
}

/// The regular expression of a `~=`, not yet compiled.
package struct Pattern: Hashable, Sendable {
    /// The expression, unescaped.
    package let text: String

    /// Where its literal begins in the filter's text, in bytes; nil in the JSON form. No part of
    /// equality.
    package let offset: Int?

    /// The literal as it was spelled, quotes included; empty in the JSON form. No part of equality.
    private let spelling: [UInt8]

    package init(text: String, offset: Int? = nil, spelling: [UInt8] = []) {
        self.text = text
        self.offset = offset
        self.spelling = spelling
    }

    /// Where in the filter's text the byte `place` of the expression is spelled; nil in the JSON
    /// form.
    package func offset(of place: Int) -> Int? {
        guard let offset else { return nil }
        return offset + spelling.withUnsafeBytes { FilterLexer.spelledOffset(of: place, in: $0) }
    }

    package static func == (left: Pattern, right: Pattern) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

/// A condition on documents: what `filter=` says. The meaning is that of the HTTP contract,
/// section 4; logic is two-valued.
package indirect enum Filter: Hashable, Sendable {
    case constant(Bool)
    /// Two or more, all of which hold.
    case and([Filter])
    /// Two or more, one of which holds.
    case or([Filter])
    case not(Filter)
    case compare(PropertyPath, Comparison, Literal)
    /// `~=`: the string has a part that the expression matches.
    case matches(PropertyPath, Pattern)
    /// `in`, `>>`: equal to one of the list.
    case isIn(PropertyPath, [Literal])
    /// The array has an element equal to the literal.
    case has(PropertyPath, Literal)
    /// The array has an element equal to one of the list.
    case hasAny(PropertyPath, [Literal])
    /// The array has, for each of the list, an element equal to it.
    case hasAll(PropertyPath, [Literal])
    case exists(PropertyPath)
    /// Null or absent.
    case isNull(PropertyPath)
    /// The literal of these three is a string.
    case startsWith(PropertyPath, Literal)
    case endsWith(PropertyPath, Literal)
    case contains(PropertyPath, Literal)
    /// The number of elements of an array.
    case size(PropertyPath, Comparison, Int64)
    /// The value is `true`.
    case isTrue(PropertyPath)
}

/// Why a filter is none.
package enum FilterFault: Error, Hashable, Sendable {
    /// The text form: where, in UTF-8 bytes of the decoded text, and what was expected there.
    case syntax(offset: Int, expected: String)
    /// The JSON form: where, as a JSON pointer inside the filter, and what was expected there.
    case tree(pointer: String, expected: String)
    /// Past a limit; says which.
    case tooComplex(String)
}

/// How large a filter may be.
enum FilterLimits {
    static let textBytes = 16 * 1024
    /// A parenthesis, a `!`, a list in a list and a level of the JSON form are one each.
    static let depth = 64
    /// Tests, negations, conjunctions and disjunctions.
    static let nodes = 1_000
    /// Elements of one list, those of lists in it included.
    static let elements = 10_000
    /// Bytes of all literals, each counted once for every level that it lies deep: what canonicalising
    /// and planning cost.
    static let literalBytes = 2 << 20
    /// Likewise of all properties' names; in a text they are counted with it.
    static let nameBytes = 2 << 20

    static let text = "a filter has at most 16384 bytes of text"
    static let levels = "a filter is at most 64 levels deep"
    static let count = "a filter has at most 1000 nodes"
    static let list = "a list has at most 10000 elements"
    static let literals =
        "a filter's values have at most 2097152 bytes, counted once for each level they lie deep"
    static let names =
        "the names of a filter's properties have at most 2097152 bytes, counted once for each level"
        + " they lie deep"
    static let patterns = "a filter's regular expressions have at most 16384 bytes together"
}
