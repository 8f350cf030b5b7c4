import FreshetBase

/// One figure of `aggregate=`: `count`, or a function of a property.
package struct Aggregate: Hashable, Sendable, CustomStringConvertible {
    package enum Function: String, CaseIterable, Sendable {
        case count, sum, avg, min, max
    }

    /// The most figures of one query.
    package static let maximumCount = 32

    package let function: Function
    /// The property; nil for `count` and for nothing else.
    package let path: PropertyPath?

    /// How many entities there are.
    package static let count = Aggregate(function: .count, path: nil)

    /// A function of the values at `path`; not for `count`.
    package init(_ function: Function, of path: PropertyPath) {
        precondition(function != .count, "count counts entities, not values")
        self.init(function: function, path: path)
    }

    private init(function: Function, path: PropertyPath?) {
        self.function = function
        self.path = path
    }

    /// The figure as `aggregate=` writes it, which is also its name in the answer.
    package var description: String {
        path.map { "\(function.rawValue)(\($0))" } ?? function.rawValue
    }
}

extension Aggregate {
    /// Reads `count` or `sum(author.points)`.
    init(_ lexer: inout FilterLexer) throws(FilterFault) {
        guard let function = Function.allCases.first(where: { lexer.takeWord($0.word) }) else {
            throw lexer.fault("count, sum(…), avg(…), min(…) or max(…)")
        }
        lexer.skipSpace()
        guard function != .count else {
            guard !lexer.isNext("(") else {
                throw lexer.fault("',' or the end: count takes no property")
            }
            self = .count
            return
        }
        try lexer.expect("(", "'(' and a property: \(function.rawValue)(points)")
        lexer.skipSpace()
        let path = try lexer.path()
        try lexer.expect(")", "')'")
        self.init(function, of: path)
    }
}

extension Aggregate.Function {
    fileprivate var word: StaticString {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .avg: "avg"
        case .min: "min"
        case .max: "max"
        }
    }
}
