import FreshetBase
import FreshetJSON
package import FreshetQuery

/// A filter made ready to test rows: paths are finders, literals canonical bytes, so that most
/// tests compare memory with memory. Nothing of a row is decoded or allocated.
///
/// Rows are tested in runs of up to 64, a test at a time: first the places of all their values are
/// computed, then all are read, then tested. A row is one bit of a word; a conjunction asks each
/// part about the rows that are left. So what a row waits for memory is shared by the run, no
/// reference is counted, and a row costs no calls.
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
    /// - Parameter isStanding: Whether it is kept, as one of many: then it shares what it can.
    /// - Throws: `.badPattern` or `.tooComplex` where a regular expression of it is faulty.
    package init(_ filter: Filter, isStanding: Bool = false) throws(EngineError) {
        program = try FilterCompiler.compile(filter, isStanding: isStanding)
    }

    /// Tests and junctions of the filter: what a row costs.
    package var nodeCount: Int { program.nodes.count }

    /// What a row costs, where long texts of the filter count as well.
    var testWork: Int { program.testWork }

    /// Bytes of what was compiled, regular expressions apart.
    var compiledSize: Int { program.size }

    /// Bytes of its compiled expressions.
    var expressionSize: Int {
        program.expressions.reduce(0) { sum, expression in
            sum + expression._withUnsafeGuaranteedRef { $0.compiledSize }
        }
    }

    /// Whether regular expressions are in it, whose cost depends on the text.
    package var hasExpressions: Bool { program.expressions.count > 0 }

    /// Tests whose cost depends on how large the value is, and `effort` tells it: those that read all of it
    /// count as four.
    package var variableTests: Int { program.variableTests }

    /// What a run of rows may take for long values, and for expressions beyond the reading of texts, in
    /// steps of about 5 ns: a second.
    package static let patience = 200_000_000

    /// The same of who holds others up meanwhile: 0.1 s.
    package static let shortPatience = 20_000_000

    /// The most rows of a run.
    package static let runLength = 64

    /// Whether the filter is true of `document`. O(nodes × members), about 20–40 ns a test.
    ///
    /// - Returns: nil where that took more than `patience`: under a `not` neither answer is safe.
    package func matches(_ document: Document, patience: Int = Self.patience) -> Bool? {
        var patience = patience
        return matches(document, patience: &patience)
    }

    /// As above.
    ///
    /// - Parameter patience: What it took is taken off; it may end below zero.
    func matches(_ document: Document, patience: inout Int) -> Bool? {
        var address = document.address
        return withExtendedLifetime(document) {
            withUnsafePointer(to: &address) { matches($0, count: 1, &patience) }.map { $0 != 0 }
        }
    }

    /// Of which of two documents the filter is true. Less than twice the cost of one: what the
    /// filter consists of is read once.
    package func matches(
        _ first: Document, _ second: Document, patience: inout Int
    ) -> (first: Bool, second: Bool)? {
        let found = withExtendedLifetime((first, second)) {
            withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: 2) { rows in
                // SAFETY: it has two elements, which need no deinitialisation.
                let base = rows.baseAddress.unsafelyUnwrapped
                base.initialize(to: first.address)
                (base + 1).initialize(to: second.address)
                return matches(UnsafePointer(base), count: 2, &patience)
            }
        }
        return found.map { ($0 & 1 != 0, $0 & 2 != 0) }
    }

    /// Of which of `run` the filter is true: one bit a row, the first the lowest.
    ///
    /// - Parameters:
    ///   - run: At most `runLength` documents.
    ///   - patience: As for one document.
    func matches(run: UnsafeBufferPointer<Document>, patience: inout Int) -> UInt64? {
        guard let first = run.baseAddress else { return 0 }
        return matches(Document.addresses(first), count: run.count, &patience)
    }

    private func matches(
        _ rows: UnsafePointer<UnsafeRawPointer>, count: Int, _ patience: inout Int
    ) -> UInt64? {
        precondition(count > 0 && count <= Self.runLength, "a run is 1 to 64 rows")
        let most = max(0, patience)
        var effort = 0
        let found = withUnsafeTemporaryAllocation(of: JSONView.self, capacity: count) { values in
            withUnsafeTemporaryAllocation(of: UnsafeRawPointer.self, capacity: count) { chosen in
                withUnsafeMutablePointer(to: &effort) { effort in
                    // SAFETY: both have at least one element.
                    let run = Run(
                        rows: rows, all: UInt64.max >> UInt64(Self.runLength - count),
                        values: values.baseAddress.unsafelyUnwrapped,
                        chosen: chosen.baseAddress.unsafelyUnwrapped, patience: most,
                        effort: effort)
                    return evaluate(0, run, run.all)
                }
            }
        }
        patience -= effort
        return effort > most ? nil : found
    }

    /// Rows, and memory for the test that is at work.
    private struct Run {
        let rows: UnsafePointer<UnsafeRawPointer>
        /// A bit for each row.
        let all: UInt64
        let values: UnsafeMutablePointer<JSONView>
        let chosen: UnsafeMutablePointer<UnsafeRawPointer>
        let patience: Int
        /// What the run took so far of it.
        let effort: UnsafeMutablePointer<Int>

        /// Whether it has taken too long, so that its answer is void.
        var isVoid: Bool { effort.pointee > patience }
    }

    /// Bytes of a value whose test takes less than anybody counts.
    private static let longValue = 1 << 12

    /// Accounts for a test that reads `value`.
    ///
    /// - Parameter steps: What 64 bytes of it take, in steps of about 5 ns.
    /// - Returns: false where the run has taken too long, so that its answer is void.
    @inline(__always)
    private func pays(_ value: JSONView, steps: Int, in run: Run) -> Bool {
        guard value.bytes.count > Self.longValue else { return true }
        run.effort.pointee += (value.bytes.count >> 6) * steps
        return !run.isVoid
    }

    /// Whether the expression is found in a text; the run is void where that takes too long.
    ///
    /// - Parameter verdict: Asks the expression, with a patience.
    @inline(__always)
    private func finds(in run: Run, _ verdict: (inout Int) -> Bool?) -> Bool {
        guard !run.isVoid else { return false }
        let most = min(run.patience - run.effort.pointee, RegexLimits.patience)
        var left = most
        let isFound = verdict(&left)
        run.effort.pointee += most - left
        if isFound == nil { run.effort.pointee = max(run.effort.pointee, run.patience + 1) }
        return isFound ?? false
    }

    /// What 64 bytes of an array take whose elements are looked for in the node's list.
    @inline(__always)
    private func listSteps(_ node: UnsafePointer<FilterNode>) -> Int {
        112 + 32 * (Int32.bitWidth - node.pointee.listCount.leadingZeroBitCount)
    }

    /// Those of the rows in `mask` of which the node at `position` is true.
    ///
    /// Recursion is as deep as the filter, at most 64.
    private func evaluate(_ position: Int, _ run: Run, _ mask: UInt64) -> UInt64 {
        // SAFETY: every filter compiles to at least one node, and positions come from the nodes.
        let node = UnsafePointer(program.nodes.baseAddress.unsafelyUnwrapped + position)
        switch node.pointee.operation {
        case .constantTrue:
            return mask
        case .constantFalse:
            return 0
        case .and:
            var left = mask
            var child = position + 1
            while left != 0, child < Int(node.pointee.end) {
                left = evaluate(child, run, left)
                child = Int(program.nodes[child].end)
            }
            return left
        case .or:
            var found: UInt64 = 0
            var child = position + 1
            while found != mask, child < Int(node.pointee.end) {
                found |= evaluate(child, run, mask & ~found)
                child = Int(program.nodes[child].end)
            }
            return found
        case .not:
            return mask & ~evaluate(position + 1, run, mask)
        case .idEqual, .idNotEqual, .idLess, .idLessOrEqual, .idGreater, .idGreaterOrEqual,
            .idIsIn, .idStartsWith, .idContains, .idEndsWith, .idMatches:
            return selectIDs(node, run, mask)
        default:
            return selectValues(node, run, mask)
        }
    }

    // MARK: Rows

    @inline(__always)
    private func select(
        _ run: Run, _ mask: UInt64, _ test: (JSONView) -> Bool
    ) -> UInt64 {
        var found: UInt64 = 0
        var left = mask
        var index = 0
        while left != 0 {
            let row = left & (0 &- left)
            left ^= row
            if test(run.values[index]) { found |= row }
            index += 1
        }
        return found
    }

    /// Those of the rows in `mask` whose value at the node's path passes its test.
    private func selectValues(
        _ node: UnsafePointer<FilterNode>, _ run: Run, _ mask: UInt64
    ) -> UInt64 {
        let finder = program.finders[Int(node.pointee.path)]
        if mask == run.all {
            finder._withUnsafeGuaranteedRef {
                $0.values(
                    at: run.rows, count: mask.nonzeroBitCount, into: run.values,
                    &run.effort.pointee)
            }
        } else {
            var count = 0
            var left = mask
            while left != 0 {
                run.chosen[count] = run.rows[left.trailingZeroBitCount]
                left &= left - 1
                count += 1
            }
            finder._withUnsafeGuaranteedRef {
                $0.values(at: run.chosen, count: count, into: run.values, &run.effort.pointee)
            }
        }
        if run.isVoid { return 0 }
        switch node.pointee.operation {
        case .exists:
            return select(run, mask) { $0.bytes.baseAddress != nil }
        case .isNull:
            return select(run, mask) { $0.isNull }
        case .isTrue:
            return select(run, mask) { $0.bool ?? false }
        case .equal:
            return select(run, mask) { pays($0, steps: 16, in: run) && equals(node, $0) }
        case .notEqual:
            return mask & ~select(run, mask) { pays($0, steps: 16, in: run) && equals(node, $0) }
        case .less:
            return select(run, mask) { order(node, $0, in: run).map { $0 < 0 } ?? false }
        case .lessOrEqual:
            return select(run, mask) { order(node, $0, in: run).map { $0 <= 0 } ?? false }
        case .greater:
            return select(run, mask) { order(node, $0, in: run).map { $0 > 0 } ?? false }
        case .greaterOrEqual:
            return select(run, mask) { order(node, $0, in: run).map { $0 >= 0 } ?? false }
        case .isIn:
            return select(run, mask) {
                pays($0, steps: 256, in: run) && listIndex(of: $0, in: node) != nil
            }
        case .has, .hasAny:
            let steps = listSteps(node)
            return select(run, mask) { pays($0, steps: steps, in: run) && hasAny(node, $0) }
        case .hasAll:
            let steps = listSteps(node)
            return select(run, mask) { pays($0, steps: steps, in: run) && hasAll(node, $0) }
        case .startsWith, .contains, .endsWith:
            return select(run, mask) { value in
                pays(value, steps: 8, in: run)
                    && value.stringContents.map { searches(node, $0, escaped: true) } ?? false
            }
        case .matches:
            return program.expressions[Int(node.pointee.listStart)]._withUnsafeGuaranteedRef {
                expression in
                select(run, mask) { value in
                    guard let contents = value.stringContents else { return false }
                    return finds(in: run) { expression.verdict(contents: contents, patience: &$0) }
                }
            }
        default:
            return select(run, mask) { pays($0, steps: 16, in: run) && hasSize(node, $0) }
        }
    }

    /// Those of the rows in `mask` whose id passes the node's test.
    private func selectIDs(
        _ node: UnsafePointer<FilterNode>, _ run: Run, _ mask: UInt64
    ) -> UInt64 {
        var found: UInt64 = 0
        var left = mask
        while left != 0 {
            let row = left & (0 &- left)
            let id = Document.idBytes(at: run.rows[left.trailingZeroBitCount])
            left ^= row
            if testID(node, id, in: run) { found |= row }
        }
        return found
    }

    private func testID(
        _ node: UnsafePointer<FilterNode>, _ id: UnsafeRawBufferPointer, in run: Run
    ) -> Bool {
        let literal = node.pointee.literal
        switch node.pointee.operation {
        case .idEqual: return Self.sameBytes(id, literal)
        case .idNotEqual: return !Self.sameBytes(id, literal)
        case .idLess: return EntityID.compare(id, literal) < 0
        case .idLessOrEqual: return EntityID.compare(id, literal) <= 0
        case .idGreater: return EntityID.compare(id, literal) > 0
        case .idGreaterOrEqual: return EntityID.compare(id, literal) >= 0
        case .idIsIn: return isListed(id, in: node)
        case .idMatches:
            return program.expressions[Int(node.pointee.listStart)]
                ._withUnsafeGuaranteedRef { expression in
                    finds(in: run) { expression.verdict(id, patience: &$0) }
                }
        default: return searches(node, id, escaped: false)
        }
    }

    @inline(__always)
    static func sameBytes(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        Bytes.equal(left, right)
    }

    // MARK: Tests

    /// An absent value has no bytes and is null.
    @inline(__always)
    private func equals(_ node: UnsafePointer<FilterNode>, _ value: JSONView) -> Bool {
        if node.pointee.isInteger {
            if let number = PlainInteger.value(value.bytes) {
                return number == node.pointee.integer
            }
        } else if node.pointee.isText {
            return Self.sameBytes(value.bytes, node.pointee.literal)
        }
        return equalsInFull(node, value)
    }

    private func equalsInFull(_ node: UnsafePointer<FilterNode>, _ value: JSONView) -> Bool {
        let literal = JSONView(canonical: node.pointee.literal)
        let kind = value.kind
        guard kind == literal.kind else { return false }
        switch kind {
        case .null:
            return true
        case .bool, .string:
            return Self.sameBytes(value.bytes, node.pointee.literal)
        case .number:
            return JSONNumber.equal(value.bytes, node.pointee.literal)
        case .array, .object:
            return JSONEquality.equal(value, literal)
        }
    }

    /// How the value stands to the literal; nil where they are in no order.
    @inline(__always)
    private func order(
        _ node: UnsafePointer<FilterNode>, _ value: JSONView, in run: Run
    ) -> Int? {
        guard pays(value, steps: 16, in: run) else { return nil }
        if node.pointee.isInteger, let number = PlainInteger.value(value.bytes) {
            let wanted = node.pointee.integer
            return (number > wanted ? 1 : 0) - (number < wanted ? 1 : 0)
        }
        return orderInFull(node, value)
    }

    private func orderInFull(_ node: UnsafePointer<FilterNode>, _ value: JSONView) -> Int? {
        let literal = JSONView(canonical: node.pointee.literal)
        let kind = value.kind
        guard kind == literal.kind, kind != .null else { return nil }
        return ValueOrder.compare(value, literal)
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
            let search = Int(node.pointee.listCount) - 1
            if search >= 0 {
                guard program.searches[search].find(in: text) != nil else { return false }
                // Only behind an escape may a hit begin in the middle of a character.
                if !escaped || !JSONText.hasEscapes(text) { return true }
            }
            return TextSearch.contains(
                text, part, failure: failures + Int(node.pointee.listStart), escaped: escaped)
        }
    }

    private func hasSize(_ node: UnsafePointer<FilterNode>, _ value: JSONView) -> Bool {
        guard value.kind == .array else { return false }
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
    private func listIndex(of value: JSONView, in node: UnsafePointer<FilterNode>) -> Int? {
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

    private func hasAny(_ node: UnsafePointer<FilterNode>, _ value: JSONView) -> Bool {
        guard value.kind == .array else { return false }
        for element in value.elements where listIndex(of: element, in: node) != nil { return true }
        return false
    }

    /// Marks the list's elements that the array has, in temporary memory on the stack (lists over
    /// 1,024 elements: on the heap), so that the time does not grow with list × array.
    private func hasAll(_ node: UnsafePointer<FilterNode>, _ value: JSONView) -> Bool {
        guard value.kind == .array else { return false }
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
