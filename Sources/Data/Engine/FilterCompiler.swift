import FreshetBase
import FreshetJSON
import FreshetQuery

/// Turns a filter into a program, once per query.
///
/// Conjuncts and disjuncts are put in order of cost, cheap ones first: tests have no effects, so
/// only the time differs.
struct FilterCompiler {
    private(set) var nodes: [FilterNode] = []
    private(set) var paths: [PropertyPath] = []
    private(set) var literals: [UnsafeRawBufferPointer] = []
    private(set) var failures: [Int32] = []
    private(set) var searches: [LiteralSearch] = []
    private(set) var expressions: [Regex] = []
    private var expressionStates = 0
    /// Memory of names and literals; the program copies it into its own and frees it.
    private(set) var owned: [UnsafeMutableRawBufferPointer] = []

    /// Compiles `filter`.
    ///
    /// - Throws: `.badPattern` or `.tooComplex` where a regular expression of it is faulty.
    static func compile(
        _ filter: Filter, isStanding: Bool
    ) throws(EngineError) -> FilterProgram {
        var compiler = FilterCompiler()
        do throws(EngineError) { try compiler.add(filter) } catch {
            for bytes in compiler.owned { bytes.deallocate() }
            throw error
        }
        return FilterProgram(compiler, isStanding: isStanding)
    }

    private mutating func add(_ filter: Filter) throws(EngineError) {
        let position = nodes.count
        switch filter {
        case .constant(let value):
            append(value ? .constantTrue : .constantFalse)
        case .and(let parts):
            try addGroup(.and, parts)
        case .or(let parts):
            try addGroup(.or, parts)
        case .not(let inner):
            append(.not)
            try add(inner)
        case .compare(let path, let comparison, let literal):
            addComparison(path, comparison, literal)
        case .matches(let path, let pattern):
            try addExpression(path, pattern)
        case .isIn(let path, let list):
            if path.isID { addIDList(list) } else { addList(.isIn, path, list) }
        case .hasAny(let path, let list):
            addArrayTest(.hasAny, path, list)
        case .hasAll(let path, let list):
            addArrayTest(.hasAll, path, list)
        case .has(let path, let literal):
            addArrayTest(.has, path, [literal])
        case .exists(let path):
            addPathTest(.exists, path, onID: true)
        case .isNull(let path):
            addPathTest(.isNull, path, onID: false)
        case .isTrue(let path):
            addPathTest(.isTrue, path, onID: false)
        case .startsWith(let path, let literal):
            addSearch(path.isID ? .idStartsWith : .startsWith, path, literal)
        case .contains(let path, let literal):
            addSearch(path.isID ? .idContains : .contains, path, literal)
        case .endsWith(let path, let literal):
            addSearch(path.isID ? .idEndsWith : .endsWith, path, literal)
        case .size(let path, let comparison, let operand):
            addSize(path, comparison, operand)
        }
        nodes[position].end = Int32(truncatingIfNeeded: nodes.count)
    }

    private mutating func append(_ operation: FilterOperation) {
        nodes.append(FilterNode(operation: operation))
    }

    private mutating func addGroup(
        _ operation: FilterOperation, _ parts: [Filter]
    ) throws(EngineError) {
        append(operation)
        let ranked = parts.enumerated().map { (cost: Self.cost($1), place: $0, filter: $1) }
        for part in ranked.sorted(by: { ($0.cost, $0.place) < ($1.cost, $1.place) }) {
            try add(part.filter)
        }
    }

    /// Roughly what a test of a row takes, in ten nanoseconds.
    private static func cost(_ filter: Filter) -> Int {
        switch filter {
        case .constant: 0
        case .compare(let path, _, _): path.isID ? 1 : 2 + path.count
        case .exists(let path), .isNull(let path), .isTrue(let path): 1 + path.count
        case .isIn(let path, _): 6 + path.count
        case .startsWith(let path, _), .endsWith(let path, _): 2 + path.count
        case .contains(let path, _): 20 + path.count
        case .size(let path, _, _), .has(let path, _): 20 + path.count
        case .hasAny(let path, _), .hasAll(let path, _): 40 + path.count
        case .matches: 100
        case .not(let inner): cost(inner)
        case .and(let parts), .or(let parts): parts.reduce(1) { $0 + cost($1) }
        }
    }

    // MARK: Tests

    private mutating func addComparison(
        _ path: PropertyPath, _ comparison: Comparison, _ literal: Literal
    ) {
        guard !path.isID else { return addIDComparison(comparison, literal) }
        let operation: FilterOperation =
            switch comparison {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            }
        var node = FilterNode(operation: operation)
        setPath(of: &node, path)
        node.literal = keep(literal.bytes)
        if let value = PlainInteger.value(node.literal) {
            node.isInteger = true
            node.integer = value
        }
        let kind = JSONView(canonical: node.literal).kind
        node.isText = kind == .string || kind == .bool
        nodes.append(node)
    }

    /// A literal that is no identifier (null, a Boolean, 1.5, a list) equals no id and stands in
    /// no order with one, but for a number.
    private mutating func addIDComparison(_ comparison: Comparison, _ literal: Literal) {
        guard let text = Self.idText(literal) else {
            switch Filter.idBound(comparison, literal) {
            case .compare(_, let comparison, let bound)?: addIDComparison(comparison, bound)
            case .constant(true)?: append(.constantTrue)
            default: append(comparison == .notEqual ? .constantTrue : .constantFalse)
            }
            return
        }
        let operation: FilterOperation =
            switch comparison {
            case .equal: .idEqual
            case .notEqual: .idNotEqual
            case .less: .idLess
            case .lessOrEqual: .idLessOrEqual
            case .greater: .idGreater
            case .greaterOrEqual: .idGreaterOrEqual
            }
        var node = FilterNode(operation: operation)
        node.literal = keep(text)
        nodes.append(node)
    }

    private mutating func addIDList(_ list: [Literal]) {
        let texts = list.compactMap(Self.idText).map { keep($0) }
            .sorted { EntityID.compare($0, $1) < 0 }
        var node = FilterNode(operation: .idIsIn)
        setList(of: &node, texts) { EntityID.compare($0, $1) }
        nodes.append(node)
    }

    /// The id text that `literal` denotes: a string's own, or the digits of an integer.
    static func idText(_ literal: Literal) -> [UInt8]? {
        if let text = literal.string { return text }
        return literal.withView { view in
            guard view.kind == .number, let value = JSONNumber.int64(view.bytes) else { return nil }
            return Array(String(value).utf8)
        }
    }

    private mutating func addList(
        _ operation: FilterOperation, _ path: PropertyPath, _ list: [Literal]
    ) {
        func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
            ValueOrder.compare(JSONView(canonical: left), JSONView(canonical: right))
        }
        let sorted = list.map { keep($0.bytes) }.sorted { compare($0, $1) < 0 }
        var node = FilterNode(operation: operation)
        setPath(of: &node, path)
        setList(of: &node, sorted, compare)
        nodes.append(node)
    }

    /// Elements of a sorted list, those equal to the one before left out.
    private mutating func setList(
        of node: inout FilterNode, _ sorted: [UnsafeRawBufferPointer],
        _ compare: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    ) {
        let start = literals.count
        for element in sorted {
            if literals.count > start, compare(literals[literals.count - 1], element) == 0 {
                continue
            }
            literals.append(element)
        }
        node.listStart = Int32(truncatingIfNeeded: start)
        node.listCount = Int32(truncatingIfNeeded: literals.count - start)
    }

    private mutating func addArrayTest(
        _ operation: FilterOperation, _ path: PropertyPath, _ list: [Literal]
    ) {
        // An id is no array.
        if path.isID { append(.constantFalse) } else { addList(operation, path, list) }
    }

    private mutating func addPathTest(
        _ operation: FilterOperation, _ path: PropertyPath, onID: Bool
    ) {
        guard !path.isID else { return append(onID ? .constantTrue : .constantFalse) }
        var node = FilterNode(operation: operation)
        setPath(of: &node, path)
        nodes.append(node)
    }

    private mutating func addSize(
        _ path: PropertyPath, _ comparison: Comparison, _ operand: Int64
    ) {
        guard !path.isID else { return append(.constantFalse) }
        let operation: FilterOperation =
            switch comparison {
            case .equal: .sizeEqual
            case .notEqual: .sizeNotEqual
            case .less: .sizeLess
            case .lessOrEqual: .sizeLessOrEqual
            case .greater: .sizeGreater
            case .greaterOrEqual: .sizeGreaterOrEqual
            }
        var node = FilterNode(operation: operation)
        setPath(of: &node, path)
        node.integer = operand
        nodes.append(node)
    }

    private mutating func addSearch(
        _ operation: FilterOperation, _ path: PropertyPath, _ literal: Literal
    ) {
        // The grammar admits a string alone.
        guard let text = literal.string else { return append(.constantFalse) }
        var node = FilterNode(operation: operation)
        if path.isID {
            node.literal = keep(text)
        } else {
            setPath(of: &node, path)
            // Canonical JSON of a string, less its quotes: what stored strings are searched for.
            node.literal = keep(Array(literal.bytes.dropFirst().dropLast()))
        }
        if operation == .contains || operation == .idContains {
            node.listStart = Int32(truncatingIfNeeded: failures.count)
            failures += TextSearch.failureFunction(of: node.literal)
            let bytes = Array(node.literal)
            let masks = [UInt8](repeating: 0, count: bytes.count)
            if let search = LiteralSearch(values: bytes, masks: masks) {
                searches.append(search)
                node.listCount = Int32(truncatingIfNeeded: searches.count)
            }
        }
        nodes.append(node)
    }

    /// The states of a filter's expressions count together.
    private mutating func addExpression(
        _ path: PropertyPath, _ pattern: Pattern
    ) throws(EngineError) {
        let expression = try Regex(of: pattern)
        expressionStates += expression.stateCount
        guard expressionStates <= RegexLimits.states else {
            throw .tooComplex(RegexLimits.filterSize)
        }
        var node = FilterNode(operation: path.isID ? .idMatches : .matches)
        if !path.isID { setPath(of: &node, path) }
        node.listStart = Int32(truncatingIfNeeded: expressions.count)
        expressions.append(expression)
        nodes.append(node)
    }

    // MARK: Memory

    private mutating func setPath(of node: inout FilterNode, _ path: PropertyPath) {
        let known = paths.firstIndex(of: path)
        if known == nil { paths.append(path) }
        node.path = Int32(truncatingIfNeeded: known ?? paths.count - 1)
    }

    /// A copy of `bytes` that lives until the program is made.
    private mutating func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        guard !bytes.isEmpty else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        owned.append(copy)
        return UnsafeRawBufferPointer(copy)
    }
}

/// Numbers that need no exact comparison of texts: at most 18 digits, a minus sign before them.
enum PlainInteger {
    @inline(__always)
    static func value(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let count = text.count
        let isNegative = start[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        guard count > index, count - index <= 18 else { return nil }
        var value: Int64 = 0
        while index < count {
            let digit = start[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        return isNegative ? -value : value
    }
}
