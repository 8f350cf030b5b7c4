import FreshetBase
package import FreshetJSON

extension Filter {
    /// Reads the JSON form: a tree of objects, or a string with the text form.
    ///
    /// `{"and":[…]}`, `{"or":[…]}`, `{"not":…}`, `{"property":"a.b","op":">","value":3}`,
    /// `{"size":"tags","op":">","value":2}`, `{"property":"done"}` and Booleans.
    ///
    /// - Parameter json: Canonical JSON.
    /// - Throws: `.tree` with a pointer from `json`, `.tooComplex`, or `.syntax` for a string.
    package init(json: JSONView) throws(FilterFault) {
        if let contents = json.stringContents {
            // Six bytes spell one at most.
            guard contents.count <= FilterLimits.textBytes * 6, let text = json.string else {
                throw .tooComplex(FilterLimits.text)
            }
            try self.init(parsing: text)
            return
        }
        var reader = FilterTreeReader()
        self = try reader.filter(json, at: JSONPointer(), depth: 0)
    }
}

/// Turns a tree of JSON objects into a filter; recursion ends at 64 levels.
private struct FilterTreeReader {
    private var nodesLeft = FilterLimits.nodes
    private var literalBytesLeft = FilterLimits.literalBytes
    private var nameBytesLeft = FilterLimits.nameBytes
    private var patternBytesLeft = FilterLimits.textBytes

    private static let aNode =
        "an object with one of \"and\", \"or\", \"not\", \"property\" or \"size\", or a Boolean"
    private static let members = ["and", "or", "not", "property", "size", "op", "value"]
    private static let operators = [
        "==", "!=", "<", "<=", ">", ">=", "~=", ">>", "in", "has", "hasAny", "hasAll", "exists",
        "isNull", "startsWith", "contains", "endsWith",
    ]
    private static let anOperator = "one of \(operators.joined(separator: " "))"
    private static let aLiteral = "a string, number, true, false, null or an array of these"

    mutating func filter(
        _ view: JSONView, at pointer: JSONPointer, depth: Int
    ) throws(FilterFault) -> Filter {
        try countNode()
        if let value = view.bool { return .constant(value) }
        guard view.kind == .object else { throw fault(pointer, Self.aNode) }
        let fields = try fields(of: view, at: pointer)
        if let parts = fields.and {
            return try composite(parts, at: pointer.appending("and"), depth: depth, isAnd: true)
        }
        if let parts = fields.or {
            return try composite(parts, at: pointer.appending("or"), depth: depth, isAnd: false)
        }
        if let part = fields.not {
            try checkDepth(depth + 1)
            return .not(try filter(part, at: pointer.appending("not"), depth: depth + 1))
        }
        nameBytesLeft -= ((fields.property ?? fields.size)?.bytes.count ?? 0) * (depth + 1)
        guard nameBytesLeft >= 0 else { throw .tooComplex(FilterLimits.names) }
        literalBytesLeft -= (fields.value?.bytes.count ?? 0) * (depth + 1)
        guard literalBytesLeft >= 0 else { throw .tooComplex(FilterLimits.literals) }
        if fields.size != nil { return try size(fields, at: pointer) }
        return try test(fields, at: pointer)
    }

    private mutating func composite(
        _ parts: JSONView, at pointer: JSONPointer, depth: Int, isAnd: Bool
    ) throws(FilterFault) -> Filter {
        try checkDepth(depth + 1)
        guard parts.kind == .array else { throw fault(pointer, "an array of filters") }
        var filters: [Filter] = []
        for element in parts.elements {
            filters.append(
                try filter(element, at: pointer.appending(filters.count), depth: depth + 1))
        }
        switch filters.count {
        case 0: return .constant(isAnd)
        case 1: return filters[0]
        default: return isAnd ? .and(filters) : .or(filters)
        }
    }

    private func checkDepth(_ depth: Int) throws(FilterFault) {
        guard depth <= FilterLimits.depth else { throw .tooComplex(FilterLimits.levels) }
    }

    private mutating func countNode() throws(FilterFault) {
        guard nodesLeft > 0 else { throw .tooComplex(FilterLimits.count) }
        nodesLeft -= 1
    }

    private func fault(_ pointer: JSONPointer, _ expected: String) -> FilterFault {
        .tree(pointer: pointer.description, expected: expected)
    }

    // MARK: The members of a node

    private struct Fields {
        var and: JSONView?
        var or: JSONView?
        var not: JSONView?
        var property: JSONView?
        var size: JSONView?
        var op: JSONView?
        var value: JSONView?

        /// Members that say what the node is.
        var heads: Int {
            [and, or, not, property, size].reduce(0) { $0 + ($1 == nil ? 0 : 1) }
        }
        var isTest: Bool { property != nil || size != nil }
    }

    private func fields(
        of view: JSONView, at pointer: JSONPointer
    ) throws(FilterFault) -> Fields {
        var fields = Fields()
        for member in view.members {
            switch String(decoding: member.name, as: UTF8.self) {
            case "and": fields.and = member.value
            case "or": fields.or = member.value
            case "not": fields.not = member.value
            case "property": fields.property = member.value
            case "size": fields.size = member.value
            case "op": fields.op = member.value
            case "value": fields.value = member.value
            case let name:
                throw fault(
                    pointer.appending(name),
                    "one of \(Self.members.joined(separator: ", ")), and '\(name)' is none"
                        + NearestWord.suggestion(for: name, among: Self.members))
            }
        }
        guard fields.heads == 1 else { throw fault(pointer, Self.aNode) }
        guard fields.isTest || (fields.op == nil && fields.value == nil) else {
            throw fault(pointer, "no \"op\" or \"value\" beside \"and\", \"or\" or \"not\"")
        }
        return fields
    }

    // MARK: Tests

    private func path(
        _ view: JSONView?, at pointer: JSONPointer
    ) throws(FilterFault) -> PropertyPath {
        guard let text = view?.string else { throw fault(pointer, "a property path as a string") }
        do throws(FilterFault) {
            return try PropertyPath(parsing: text)
        } catch {
            guard case .syntax(_, let expected) = error else { throw error }
            throw fault(pointer, expected)
        }
    }

    private mutating func test(
        _ fields: Fields, at pointer: JSONPointer
    ) throws(FilterFault) -> Filter {
        let path = try path(fields.property, at: pointer.appending("property"))
        guard let op = fields.op else {
            guard fields.value == nil else {
                throw fault(pointer.appending("op"), Self.anOperator)
            }
            return .isTrue(path)
        }
        guard let name = op.string else {
            throw fault(pointer.appending("op"), Self.anOperator)
        }
        let place = pointer.appending("value")
        if name == "exists" || name == "isNull" {
            guard fields.value == nil else { throw fault(place, "no value with \(name)") }
            return name == "exists" ? .exists(path) : .isNull(path)
        }
        if let comparison = Comparison(rawValue: name) {
            return .compare(path, comparison, try literal(fields.value, at: place))
        }
        switch name {
        case "~=":
            let literal = try string(fields.value, at: place)
            patternBytesLeft -= literal.bytes.count
            guard patternBytesLeft >= 0 else { throw .tooComplex(FilterLimits.patterns) }
            let text = String(decoding: literal.string ?? [], as: UTF8.self)
            return .matches(path, Pattern(text: text))
        case ">>", "in":
            guard fields.value?.kind == .array else { throw fault(place, "an array") }
            return .isIn(path, try list(fields.value, at: place))
        case "has": return .has(path, try literal(fields.value, at: place))
        case "hasAny": return .hasAny(path, try list(fields.value, at: place))
        case "hasAll": return .hasAll(path, try list(fields.value, at: place))
        case "startsWith": return .startsWith(path, try string(fields.value, at: place))
        case "contains": return .contains(path, try string(fields.value, at: place))
        case "endsWith": return .endsWith(path, try string(fields.value, at: place))
        default:
            throw fault(
                pointer.appending("op"),
                "\(Self.anOperator), and '\(name)' is none"
                    + NearestWord.suggestion(for: name, among: Self.operators))
        }
    }

    private func size(
        _ fields: Fields, at pointer: JSONPointer
    ) throws(FilterFault) -> Filter {
        let path = try path(fields.size, at: pointer.appending("size"))
        guard let name = fields.op?.string, let comparison = Comparison(rawValue: name) else {
            throw fault(pointer.appending("op"), "one of == != < <= > >=")
        }
        guard let value = fields.value?.int64 else {
            throw fault(pointer.appending("value"), "an integer")
        }
        return .size(path, comparison, value)
    }

    private func string(
        _ view: JSONView?, at pointer: JSONPointer
    ) throws(FilterFault) -> Literal {
        guard let view, view.kind == .string else { throw fault(pointer, "a string") }
        return Literal(canonical: Array(view.bytes))
    }

    /// The elements of an array, or one literal as a list of one.
    private func list(
        _ view: JSONView?, at pointer: JSONPointer
    ) throws(FilterFault) -> [Literal] {
        let whole = try literal(view, at: pointer)
        guard let view, view.kind == .array else { return [whole] }
        return view.elements.map { Literal(canonical: Array($0.bytes)) }
    }

    private func literal(
        _ view: JSONView?, at pointer: JSONPointer
    ) throws(FilterFault) -> Literal {
        guard let view else { throw fault(pointer, Self.aLiteral) }
        var left = FilterLimits.elements
        try check(view, at: pointer, &left)
        return Literal(canonical: Array(view.bytes))
    }

    /// Recursion is bounded by the depth that the JSON scanner allows.
    private func check(
        _ view: JSONView, at pointer: JSONPointer, _ left: inout Int
    ) throws(FilterFault) {
        guard view.kind != .object else { throw fault(pointer, Self.aLiteral) }
        guard view.kind == .array else { return }
        for element in view.elements {
            guard left > 0 else { throw .tooComplex(FilterLimits.list) }
            left -= 1
            try check(element, at: pointer, &left)
        }
    }
}
