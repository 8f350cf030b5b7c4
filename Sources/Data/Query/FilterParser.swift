import FreshetBase
import FreshetJSON

extension Filter {
    /// Reads the text form.
    ///
    /// - Parameter text: At most 16 KiB; more is refused unread.
    /// - Throws: `.syntax` with the offset of the first byte that fits nothing, or `.tooComplex`.
    /// - Complexity: Linear; recursion ends at 64 levels.
    package init(parsing text: UnsafeRawBufferPointer) throws(FilterFault) {
        guard text.count <= FilterLimits.textBytes else { throw .tooComplex(FilterLimits.text) }
        if let offset = UTF8Text.firstFault(in: text) {
            throw .syntax(offset: offset, expected: "UTF-8 text")
        }
        var parser = FilterParser(text)
        self = try parser.filter()
    }

    /// Reads the text form.
    package init(parsing text: String) throws(FilterFault) {
        guard text.utf8.count <= FilterLimits.textBytes else {
            throw .tooComplex(FilterLimits.text)
        }
        self = try PropertyPath.parse(text) { (lexer) throws(FilterFault) -> Filter in
            try Filter(parsing: lexer.bytes)
        }
    }
}

/// The grammar of filters (HTTP contract, section 4), by recursive descent.
///
/// A level is a parenthesis or a `!`; `a and b and c` is flat. Functions and lists after `in` are
/// parts of their test and no level.
private struct FilterParser {
    private var lexer: FilterLexer
    private var nodesLeft = FilterLimits.nodes

    private static let aTest = "a test such as priority > 2"
    private static let anOperator =
        "an operator (== != < <= > >= ~= >> in has hasAny hasAll), and, or, or the end"
    private static let aComparison = "== != < <= > or >="

    init(_ text: UnsafeRawBufferPointer) {
        lexer = FilterLexer(text)
    }

    mutating func filter() throws(FilterFault) -> Filter {
        let filter = try disjunction(depth: 0)
        lexer.skipSpace()
        try lexer.expectEnd(connective(orElse: "and, or, or the end of the filter"))
        return filter
    }

    private mutating func disjunction(depth: Int) throws(FilterFault) -> Filter {
        var parts = [try conjunction(depth: depth)]
        while true {
            lexer.skipSpace()
            guard lexer.take("||") || lexer.takeWord("or") else { break }
            parts.append(try conjunction(depth: depth))
        }
        guard parts.count > 1 else { return parts[0] }
        try countNode()
        return .or(parts)
    }

    private mutating func conjunction(depth: Int) throws(FilterFault) -> Filter {
        var parts = [try unary(depth: depth)]
        while true {
            lexer.skipSpace()
            guard lexer.take("&&") || lexer.takeWord("and") else { break }
            parts.append(try unary(depth: depth))
        }
        guard parts.count > 1 else { return parts[0] }
        try countNode()
        return .and(parts)
    }

    private mutating func unary(depth: Int) throws(FilterFault) -> Filter {
        var depth = depth
        var negations = 0
        while true {
            lexer.skipSpace()
            guard lexer.take("!") || lexer.takeWord("not") else { break }
            negations += 1
            try deepen(&depth)
            try countNode()
        }
        var result: Filter
        if lexer.take("(") {
            try deepen(&depth)
            result = try disjunction(depth: depth)
            lexer.skipSpace()
            guard lexer.take(")") else { throw lexer.fault(connective(orElse: "and, or, or ')'")) }
        } else {
            result = try test(depth: depth)
            try countNode()
        }
        for _ in 0..<negations { result = .not(result) }
        return result
    }

    private func deepen(_ depth: inout Int) throws(FilterFault) {
        depth += 1
        guard depth <= FilterLimits.depth else { throw .tooComplex(FilterLimits.levels) }
    }

    private mutating func countNode() throws(FilterFault) {
        guard nodesLeft > 0 else { throw .tooComplex(FilterLimits.count) }
        nodesLeft -= 1
    }

    /// What to expect where a test has ended.
    private func connective(orElse expected: String) -> String {
        switch lexer.next {
        case UInt8(ascii: "&"): FilterRepair.oneAmpersand
        case UInt8(ascii: "|"): FilterRepair.oneBar
        default: expected
        }
    }

    // MARK: Tests

    private mutating func test(depth: Int) throws(FilterFault) -> Filter {
        let start = lexer.position
        for word: StaticString in ["and", "or", "not", "null"] where lexer.isNextWord(word) {
            throw lexer.fault("\(Self.aTest); a property named \(word) stands in backquotes")
        }
        let isConstant = lexer.isNextWord("true") || lexer.isNextWord("false")
        if isConstant, !isFollowedByDot() {
            let value = lexer.takeWord("true")
            if !value { _ = lexer.takeWord("false") }
            return .constant(value)
        }
        if let function = try function() { return function }
        guard lexer.next == 0x60 || lexer.wordLength() > 0 else {
            throw lexer.fault(Self.aTest, at: start)
        }
        let path = try lexer.path()
        guard lexer.next != UInt8(ascii: "(") else {
            throw lexer.fault(Self.aFunction(inPlaceOf: path), at: start)
        }
        return try comparison(of: path, depth: depth)
    }

    /// What was expected where `path` is called like a function, which it is not.
    private static func aFunction(inPlaceOf path: PropertyPath) -> String {
        let functions = Function.names.map(\.0.description)
        let called = path[path.count - 1].text
        if path.count > 1, let near = NearestWord.of(called, among: functions) {
            let property = path.description.split(separator: ".").dropLast().joined(separator: ".")
            return "the property inside the parentheses: \(near)(\(property), …)"
        }
        return "one of the functions \(functions.joined(separator: ", ")), and '\(called)' is none"
            + NearestWord.suggestion(for: called, among: functions)
    }

    private func isFollowedByDot() -> Bool {
        let end = lexer.position + lexer.wordLength()
        return end < lexer.bytes.count && lexer.bytes[end] == UInt8(ascii: ".")
    }

    private mutating func comparison(
        of path: PropertyPath, depth: Int
    ) throws(FilterFault) -> Filter {
        lexer.skipSpace()
        try checkOperator()
        if let comparison = takeComparison() {
            return .compare(path, comparison, try lexer.literal(depth: depth))
        }
        if lexer.take("~=") {
            let (text, offset) = try text()
            return .matches(
                path,
                Pattern(
                    text: String(decoding: text, as: UTF8.self), offset: offset,
                    spelling: Array(lexer.bytes[offset..<lexer.position])))
        }
        if lexer.take(">>") || lexer.takeWord("in") {
            return .isIn(path, try lexer.list(depth: depth))
        }
        if lexer.takeWord("has") { return .has(path, try lexer.literal(depth: depth)) }
        if lexer.takeWord("hasAny") { return .hasAny(path, try members(depth: depth)) }
        if lexer.takeWord("hasAll") { return .hasAll(path, try members(depth: depth)) }
        guard endsHere() else {
            throw lexer.fault(
                lexer.next == UInt8(ascii: "=")
                    ? FilterRepair.oneEqualSign : connective(orElse: Self.anOperator))
        }
        return .isTrue(path)
    }

    /// Refuses signs that stand together and are no operator.
    private func checkOperator() throws(FilterFault) {
        var end = lexer.position
        while end < lexer.bytes.count, Self.operatorSigns.contains(lexer.bytes[end]) { end += 1 }
        guard end > lexer.position + 1 || lexer.next == UInt8(ascii: "~") else { return }
        let typed = String(decoding: lexer.bytes[lexer.position..<end], as: UTF8.self)
        for (theirs, ours) in FilterRepair.foreignOperators where typed == theirs {
            throw lexer.fault(FilterRepair.expected(inPlaceOf: theirs, ours))
        }
        guard Self.signOperators.contains(typed) else {
            throw lexer.fault("\(Self.anOperator); '\(typed)' is none")
        }
    }

    private static let operatorSigns = Array("=!<>~".utf8)
    private static let signOperators = ["==", "!=", "<=", ">=", "~=", ">>"]

    /// `==` and its siblings; `>>` is none of them.
    private mutating func takeComparison() -> Comparison? {
        if lexer.take("==") { return .equal }
        if lexer.take("!=") { return .notEqual }
        if lexer.take("<=") { return .lessOrEqual }
        if lexer.take(">=") { return .greaterOrEqual }
        if lexer.take("<") { return .less }
        if lexer.isNext(">>") { return nil }
        return lexer.take(">") ? .greater : nil
    }

    /// A list, or one literal as a list of one.
    private mutating func members(depth: Int) throws(FilterFault) -> [Literal] {
        lexer.skipSpace()
        if lexer.next == UInt8(ascii: "[") || lexer.next == UInt8(ascii: "(") {
            return try lexer.list(depth: depth)
        }
        return [try lexer.literal(depth: depth)]
    }

    private func endsHere() -> Bool {
        lexer.isAtEnd || lexer.next == UInt8(ascii: ")") || lexer.isNext("&&")
            || lexer.isNext("||") || lexer.isNextWord("and") || lexer.isNextWord("or")
    }

    /// A text in quotes and where it begins.
    private mutating func text() throws(FilterFault) -> (text: [UInt8], offset: Int) {
        lexer.skipSpace()
        let offset = lexer.position
        return (try lexer.string(), offset)
    }

    // MARK: Functions

    private enum Function {
        case exists, isNull, startsWith, contains, endsWith, size

        static let names: [(StaticString, Function)] = [
            ("exists", .exists), ("isNull", .isNull), ("startsWith", .startsWith),
            ("contains", .contains), ("endsWith", .endsWith), ("size", .size),
        ]
    }

    /// A function call, or nil with nothing taken: `size == 3` is about a property.
    private mutating func function() throws(FilterFault) -> Filter? {
        let start = lexer.position
        for (name, function) in Function.names where lexer.takeWord(name) {
            lexer.skipSpace()
            if lexer.take("(") { return try call(function) }
            lexer.position = start
            return nil
        }
        return nil
    }

    private mutating func call(_ function: Function) throws(FilterFault) -> Filter {
        lexer.skipSpace()
        let path = try lexer.path()
        switch function {
        case .exists:
            try close()
            return .exists(path)
        case .isNull:
            try close()
            return .isNull(path)
        case .startsWith: return .startsWith(path, try secondArgument())
        case .contains: return .contains(path, try secondArgument())
        case .endsWith: return .endsWith(path, try secondArgument())
        case .size:
            try close()
            return try size(of: path)
        }
    }

    private mutating func close() throws(FilterFault) {
        try lexer.expect(")", "')' after the property")
    }

    private mutating func secondArgument() throws(FilterFault) -> Literal {
        try lexer.expect(",", "',' and a text in quotes")
        let (text, _) = try text()
        try lexer.expect(")", "')' after the text")
        return Literal(string: String(decoding: text, as: UTF8.self))
    }

    private mutating func size(of path: PropertyPath) throws(FilterFault) -> Filter {
        lexer.skipSpace()
        guard let comparison = takeComparison() else { throw lexer.fault(Self.aComparison) }
        lexer.skipSpace()
        let start = lexer.position
        let isNumber = lexer.next == UInt8(ascii: "-") || ASCII.isDigit(lexer.next)
        guard isNumber, let value = JSONNumber.int64(try lexer.number()) else {
            throw lexer.fault("an integer", at: start)
        }
        return .size(path, comparison, value)
    }
}
