/// What a specification comes to at an instant.
public struct SpecEvaluation: Hashable, Sendable {
    /// One node of the expression.
    public struct Node: Hashable, Sendable {
        /// A JSON pointer into the expression; of a named one's parts into `/specs/NAME`.
        public var pointer: String
        public var value: Bool
        /// `and`, `or`, `not`, `spec NAME`, or what an atom asks for: `age > 60s`.
        public var text: String
        /// What a leaf has looked at; nil for other nodes, and where it was not asked for.
        public var leaf: Leaf?
    }

    /// What a leaf looks at, since when it says what it says, and until when.
    public struct Leaf: Hashable, Sendable {
        public enum Current: Hashable, Sendable {
            /// A link, a status, a pressure, or whether there is a value.
            case word(String)
            case flag(Bool)
            case number(Int64)
            /// An age, or for how long a credential is valid; nil: there is none, or it has no end.
            case span(Duration?)
        }

        public var current: Current
        /// When it turned last, since 1970; nil where it has not since the start, and where no slot of
        /// an operation has it.
        public var since: Duration?
        /// When it turns if nothing but time changes, since 1970; nil: never.
        public var next: Duration?
    }

    public var isSatisfied: Bool
    /// When it turns if nothing but time changes, since 1970; nil: never, or not within what is looked
    /// ahead.
    public var nextChange: Duration?
    /// All nodes, each before its parts.
    public var trace: [Node]
    /// Why it is not satisfied whatever its parts say: it is beyond `SpecExpression.mostNodes` or
    /// `mostLevels`. nil for what can be evaluated.
    public var fault: String?
}
