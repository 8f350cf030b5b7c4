import FreshetQuery

extension Regex {
    /// Compiles the expression of a filter.
    convenience init(of pattern: Pattern) throws(EngineError) {
        do {
            try self.init(pattern.text)
        } catch {
            switch error {
            case .syntax(let place, let expected):
                throw .badPattern(
                    offset: pattern.offset(of: place), place: place, expected: expected)
            case .tooComplex(let sentence):
                throw .tooComplex(sentence)
            }
        }
    }
}
