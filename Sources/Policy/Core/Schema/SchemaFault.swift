/// One fault of an entity against its schema, or of a schema's own text.
package struct SchemaFault: Error, Sendable, Equatable {
    /// A JSON pointer (RFC 6901) to the value, or to the member that is missing.
    package let pointer: String
    /// A short word for programs: `required`, `type`, `enum`, `minimum`, `maximum`, `min-length`,
    /// `max-length`, `pattern`, `pattern-effort`, `min-items`, `max-items`, `format`,
    /// `additional-property`; in the text of a schema also `unknown-member`, `value` and
    /// `not-implemented`.
    package let code: String
    /// What was expected, as one sentence without a full stop.
    package let detail: String

    package init(pointer: String, code: String, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }
}

/// The nearest of some known words to a misspelt one.
package enum NearestWord {
    /// The word of `words` that `word` most likely means, or nil where none is near: at most one
    /// slip in three letters (insertion, deletion, replacement, swap of neighbours), case ignored.
    ///
    /// - Complexity: O(words × length²); words over 64 letters have no neighbour.
    package static func of(_ word: String, among words: [String]) -> String? {
        let wanted = Array(word.lowercased().unicodeScalars)
        guard wanted.count <= 64 else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in words {
            let letters = Array(candidate.lowercased().unicodeScalars)
            guard letters.count <= 64 else { continue }
            let distance = slips(from: wanted, to: letters)
            let allowed = max(1, max(letters.count, wanted.count) / 3)
            if distance <= allowed, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.word
    }

    /// The edit distance with swaps of neighbours (optimal string alignment).
    private static func slips(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in 1..<(left.count + 1) {
            var current = [row] + [Int](repeating: 0, count: right.count)
            for column in 1..<(right.count + 1) {
                let differs = left[row - 1] != right[column - 1]
                var cost = min(
                    previous[column] + 1, current[column - 1] + 1,
                    previous[column - 1] + (differs ? 1 : 0))
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    cost = min(cost, before[column - 2] + 1)
                }
                current[column] = cost
            }
            before = previous
            previous = current
        }
        return previous[right.count]
    }
}
