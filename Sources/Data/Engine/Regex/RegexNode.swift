/// A condition on a place of the text; it consumes nothing.
enum RegexAssertion: UInt8 {
    case textStart, textEnd, wordBoundary, noWordBoundary
}

/// An expression as its author wrote it; at most three times as deep as its groups.
indirect enum RegexNode {
    /// Matches the empty text.
    case empty
    /// One scalar out of the set.
    case set(ScalarSet)
    case assertion(RegexAssertion)
    case sequence([RegexNode])
    case alternation([RegexNode])
    /// `maximum` is nil where there is none. Greedy and lazy forms are one: what is asked is
    /// whether there is a match, not which.
    case repeated(RegexNode, minimum: Int, maximum: Int?)

    /// Whether every match begins at the start of the text.
    var isAnchored: Bool {
        switch self {
        case .assertion(.textStart): true
        case .sequence(let parts): parts.first?.isAnchored ?? false
        case .alternation(let parts): parts.allSatisfy(\.isAnchored)
        case .repeated(let part, let minimum, _): minimum > 0 && part.isAnchored
        case .empty, .set, .assertion: false
        }
    }
}
