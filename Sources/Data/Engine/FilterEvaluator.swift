import FreshetBase
import FreshetJSON
package import FreshetQuery

/// A filter made ready to test rows: paths are name bytes, literals canonical bytes, so that most
/// tests compare memory with memory. Nothing of a row is decoded or allocated.
///
/// The meaning is that of the contract's table. What it leaves open is decided so:
/// - The identifier compares as an identifier: `id == 7` and `id == "7"` are one test, `<` and its
///   kin use the order of ids. What is no identifier (null, a Boolean, 1.5) equals none.
///   `exists(id)` is true, `isNull(id)` false; id is no array and no Boolean. Searches in it see
///   its text.
/// - `<` and its kin between arrays, and between objects, use the order of `order=`.
/// - `hasAll` of an empty list is true of every array, `hasAny` of none.
package struct FilterEvaluator: Sendable {
    private let program: FilterProgram

    /// Compiles `filter`.
    ///
    /// - Throws: `.badPattern` or `.tooComplex` where a regular expression of it is faulty.
    package init(_ filter: Filter) throws(EngineError) {
        program = try FilterCompiler.compile(filter)
    }

    /// Tests and junctions of the filter: what a row costs.
    package var nodeCount: Int { program.nodes.count }

    /// Whether regular expressions are in it, whose cost depends on the text.
    package var hasExpressions: Bool { program.expressions.count > 0 }

    /// Work of its expressions so far beyond the reading of texts, in steps of about 5 ns.
    package var effort: Int {
        var sum = 0
        for expression in program.expressions {
            sum += expression._withUnsafeGuaranteedRef { $0.effort }
        }
        return sum
    }

    /// Whether an expression gave up on a text; answers are void from then on.
    package var isExhausted: Bool {
        for expression in program.expressions
        where expression._withUnsafeGuaranteedRef({ $0.isExhausted }) {
            return true
        }
        return false
    }

    /// Whether the filter is true of `document`. O(nodes × members), about 10–30 ns a test.
    package func matches(_ document: Document) -> Bool {
        evaluate(0, document)
    }

    /// Recursion is as deep as the filter, at most 64.
    private func evaluate(_ position: Int, _ document: Document) -> Bool {
        // SAFETY: every filter compiles to at least one node, and positions come from the nodes.
        let node = program.nodes.baseAddress.unsafelyUnwrapped + position
        switch node.pointee.operation {
        case .constantTrue:
            return true
        case .constantFalse:
            return false
        case .and:
            var child = position + 1
            while child < Int(node.pointee.end) {
                if !evaluate(child, document) { return false }
                child = Int(program.nodes[child].end)
            }
            return true
        case .or:
            var child = position + 1
            while child < Int(node.pointee.end) {
                if evaluate(child, document) { return true }
                child = Int(program.nodes[child].end)
            }
            return false
        case .not:
            return !evaluate(position + 1, document)
        case .exists:
            return value(node, document) != nil
        case .isNull:
            return value(node, document)?.isNull ?? true
        case .isTrue:
            return value(node, document)?.bool ?? false
        case .equal:
            return equals(node, value(node, document))
        case .notEqual:
            return !equals(node, value(node, document))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return isOrdered(node, value(node, document))
        case .isIn:
            return listIndex(of: value(node, document), in: node) != nil
        case .has, .hasAny:
            return hasAny(node, value(node, document))
        case .hasAll:
            return hasAll(node, value(node, document))
        case .startsWith, .contains, .endsWith:
            guard let text = value(node, document)?.stringContents else { return false }
            return searches(node, text, escaped: true)
        case .idStartsWith, .idContains, .idEndsWith:
            return searches(node, document.idBytes, escaped: false)
        case .matches:
            guard let text = value(node, document)?.stringContents else { return false }
            return program.expressions[Int(node.pointee.listStart)]
                ._withUnsafeGuaranteedRef { $0.matches(contents: text) }
        case .idMatches:
            return program.expressions[Int(node.pointee.listStart)]
                ._withUnsafeGuaranteedRef { $0.matches(document.idBytes) }
        case .sizeEqual, .sizeNotEqual, .sizeLess, .sizeLessOrEqual, .sizeGreater,
            .sizeGreaterOrEqual:
            return hasSize(node, value(node, document))
        case .idEqual, .idNotEqual:
            let isSame = Self.sameBytes(document.idBytes, node.pointee.literal)
            return isSame == (node.pointee.operation == .idEqual)
        case .idLess:
            return EntityID.compare(document.idBytes, node.pointee.literal) < 0
        case .idLessOrEqual:
            return EntityID.compare(document.idBytes, node.pointee.literal) <= 0
        case .idGreater:
            return EntityID.compare(document.idBytes, node.pointee.literal) > 0
        case .idGreaterOrEqual:
            return EntityID.compare(document.idBytes, node.pointee.literal) >= 0
        case .idIsIn:
            return isListed(document.idBytes, in: node)
        }
    }

    // MARK: Values

    /// The value at the node's path; nil where it is absent.
    @inline(__always)
    private func value(_ node: UnsafePointer<FilterNode>, _ document: Document) -> JSONView? {
        let start = Int(node.pointee.pathStart)
        guard var view = document.member(named: program.names[start]) else { return nil }
        for index in start + 1..<start + max(1, Int(node.pointee.pathCount)) {
            guard let next = Self.member(program.names[index], of: view) else { return nil }
            view = next
        }
        return view
    }

    /// The member of an object by its canonical name; nil also where `view` is no object.
    static func member(_ name: UnsafeRawBufferPointer, of view: JSONView) -> JSONView? {
        for member in view.members where sameBytes(member.name, name) { return member.value }
        return nil
    }

    @inline(__always)
    static func sameBytes(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        Bytes.equal(left, right)
    }

    // MARK: Tests

    private func equals(_ node: UnsafePointer<FilterNode>, _ value: JSONView?) -> Bool {
        let literal = JSONView(canonical: node.pointee.literal)
        guard let value else { return literal.isNull }
        let kind = value.kind
        guard kind == literal.kind else { return false }
        switch kind {
        case .null:
            return true
        case .bool, .string:
            return Self.sameBytes(value.bytes, node.pointee.literal)
        case .number:
            if node.pointee.isInteger, let number = PlainInteger.value(value.bytes) {
                return number == node.pointee.integer
            }
            return JSONNumber.equal(value.bytes, node.pointee.literal)
        case .array, .object:
            return JSONEquality.equal(value, literal)
        }
    }

    private func isOrdered(_ node: UnsafePointer<FilterNode>, _ value: JSONView?) -> Bool {
        let literal = JSONView(canonical: node.pointee.literal)
        guard let value else { return false }
        let kind = value.kind
        guard kind == literal.kind, kind != .null else { return false }
        let order: Int
        if node.pointee.isInteger, let number = PlainInteger.value(value.bytes) {
            let wanted = node.pointee.integer
            order = number < wanted ? -1 : number > wanted ? 1 : 0
        } else {
            order = ValueOrder.compare(value, literal)
        }
        switch node.pointee.operation {
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        default: return order >= 0
        }
    }

    private func searches(
        _ node: UnsafePointer<FilterNode>, _ text: UnsafeRawBufferPointer, escaped: Bool
    ) -> Bool {
        let part = node.pointee.literal
        switch node.pointee.operation {
        case .startsWith, .idStartsWith:
            return TextSearch.hasPrefix(text, part)
        case .endsWith, .idEndsWith:
            return TextSearch.hasSuffix(text, part, escaped: escaped)
        default:
            guard part.count > 0, let failures = program.failures.baseAddress else { return true }
            return TextSearch.contains(
                text, part, failure: failures + Int(node.pointee.listStart), escaped: escaped)
        }
    }

    private func hasSize(_ node: UnsafePointer<FilterNode>, _ value: JSONView?) -> Bool {
        guard let value, value.kind == .array else { return false }
        var size: Int64 = 0
        for _ in value.elements { size += 1 }
        let wanted = node.pointee.integer
        switch node.pointee.operation {
        case .sizeEqual: return size == wanted
        case .sizeNotEqual: return size != wanted
        case .sizeLess: return size < wanted
        case .sizeLessOrEqual: return size <= wanted
        case .sizeGreater: return size > wanted
        default: return size >= wanted
        }
    }

    // MARK: Lists

    /// Where in the node's list the element equal to `value` is; absent equals null.
    private func listIndex(of value: JSONView?, in node: UnsafePointer<FilterNode>) -> Int? {
        var low = Int(node.pointee.listStart)
        var high = low + Int(node.pointee.listCount)
        while low < high {
            let middle = (low + high) >> 1
            let order = ValueOrder.compare(
                value, JSONView(canonical: program.literals[middle]))
            if order == 0 { return middle }
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func isListed(
        _ id: UnsafeRawBufferPointer, in node: UnsafePointer<FilterNode>
    ) -> Bool {
        var low = Int(node.pointee.listStart)
        var high = low + Int(node.pointee.listCount)
        while low < high {
            let middle = (low + high) >> 1
            let order = EntityID.compare(id, program.literals[middle])
            if order == 0 { return true }
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }

    private func hasAny(_ node: UnsafePointer<FilterNode>, _ value: JSONView?) -> Bool {
        guard let value, value.kind == .array else { return false }
        for element in value.elements where listIndex(of: element, in: node) != nil { return true }
        return false
    }

    /// Marks the list's elements that the array has, in temporary memory on the stack (lists over
    /// 1,024 elements: on the heap), so that the time does not grow with list × array.
    private func hasAll(_ node: UnsafePointer<FilterNode>, _ value: JSONView?) -> Bool {
        guard let value, value.kind == .array else { return false }
        let start = Int(node.pointee.listStart)
        let count = Int(node.pointee.listCount)
        guard count > 0 else { return true }
        return withUnsafeTemporaryAllocation(of: Bool.self, capacity: count) { seen in
            seen.initialize(repeating: false)
            var left = count
            for element in value.elements {
                guard let index = listIndex(of: element, in: node), !seen[index - start] else {
                    continue
                }
                seen[index - start] = true
                left -= 1
                if left == 0 { return true }
            }
            return false
        }
    }
}
