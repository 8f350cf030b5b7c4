/// Why a text is no regular expression.
package enum RegexFault: Error, Hashable, Sendable {
    /// Where, in UTF-8 bytes of the pattern, and what was expected there.
    case syntax(offset: Int, expected: String)
    /// Past a limit; says which.
    case tooComplex(String)
}

/// How large an expression may be.
enum RegexLimits {
    /// As much as a filter's text may have.
    static let patternBytes = 16 * 1024
    /// Groups in groups: parser and compiler recurse as deep.
    static let depth = 100
    static let states = 10_000
    /// The largest number in braces; a larger one would pass the states anyway.
    static let count = 10_000
    /// Memory of one lazily built automaton. Ordinary expressions take less than a tenth.
    static let cacheBytes = 1 << 20

    /// Visits of states that one text may take beside its bytes: about 0.3 s. Only a large
    /// expression that never meets a set twice, on a text of many kilobytes, takes as much.
    static let patience = 64_000_000

    static let text = "a regular expression has at most 16384 bytes"
    static let levels = "a regular expression has at most 100 groups within groups"
    static let size = "a regular expression has at most 10000 states; its repeats count each time"
    static let filterSize = "the regular expressions of a filter have at most 10000 states together"
}
