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
    /// The text that asked for it, without white space: its name in the answer.
    private let label: String

    /// How many entities there are.
    package static let count = Aggregate(function: .count, path: nil)

    /// A function of the values at `path`; not for `count`.
    package init(_ function: Function, of path: PropertyPath) {
        precondition(function != .count, "count counts entities, not values")
        self.init(function: function, path: path)
    }

    private init(function: Function, path: PropertyPath?, label: String? = nil) {
        self.function = function
        self.path = path
        self.label = label ?? path.map { "\(function.rawValue)(\($0))" } ?? function.rawValue
    }

    package var description: String { label }

    /// Whether both are the same figure, however they are spelled.
    func isSame(as other: Aggregate) -> Bool {
        function == other.function && path == other.path
    }
}

extension Aggregate {
    /// Reads `count` or `sum(author.points)`.
    init(_ lexer: inout FilterLexer) throws(FilterFault) {
        guard let function = Function.allCases.first(where: { lexer.takeWord($0.word) }) else {
            let end = lexer.position + lexer.wordLength()
            let called = String(decoding: lexer.bytes[lexer.position..<end], as: UTF8.self)
            throw lexer.fault(
                "count, sum(…), avg(…), min(…) or max(…)"
                    + NearestWord.suggestion(
                        for: called, among: Function.allCases.map(\.rawValue)))
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
        let start = lexer.position
        let path = try lexer.path()
        let spelled = String(decoding: lexer.bytes[start..<lexer.position], as: UTF8.self)
        lexer.skipSpace()
        try lexer.expect(")", "')'")
        self.init(function: function, path: path, label: "\(function.rawValue)(\(spelled))")
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
