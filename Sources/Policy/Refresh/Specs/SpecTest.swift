import FreshetBase

/// Comparisons with a number, all of which must hold.
public struct SpecTest: Hashable, Sendable {
    public enum Relation: String, Sendable, CaseIterable {
        case equal = "eq"
        case notEqual = "ne"
        case greater = "gt"
        case greaterOrEqual = "gte"
        case less = "lt"
        case lessOrEqual = "lte"
    }

    public struct Comparison: Hashable, Sendable {
        public let relation: Relation
        /// A count, or nanoseconds.
        public let bound: Int64

        public init(_ relation: Relation, _ bound: Int64) {
            self.relation = relation
            self.bound = bound
        }

        func holds(_ number: Int64) -> Bool {
            switch relation {
            case .equal: number == bound
            case .notEqual: number != bound
            case .greater: number > bound
            case .greaterOrEqual: number >= bound
            case .less: number < bound
            case .lessOrEqual: number <= bound
            }
        }

        /// The smallest number above `number` at which this comparison may turn.
        func turn(above number: Int64) -> Int64 {
            let next = bound.addingSaturated(1)
            switch relation {
            case .greater, .lessOrEqual: return next > number ? next : .max
            case .greaterOrEqual, .less: return bound > number ? bound : .max
            case .equal, .notEqual:
                return bound > number ? bound : next > number ? next : .max
            }
        }
    }

    public let comparisons: [Comparison]

    public init(_ comparisons: [Comparison]) {
        self.comparisons = comparisons
    }

    public init(_ relation: Relation, _ bound: Int64) {
        comparisons = [Comparison(relation, bound)]
    }

    func holds(_ number: Int64) -> Bool {
        for comparison in comparisons where !comparison.holds(number) { return false }
        return true
    }

    /// The smallest number above `number` at which the test may turn; `Int64.max` for none.
    func turn(above number: Int64) -> Int64 {
        var least = Int64.max
        for comparison in comparisons { least = min(least, comparison.turn(above: number)) }
        return least
    }
}
