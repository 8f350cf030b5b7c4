import FreshetJSON
import FreshetQuery

/// What a node of a compiled filter does.
enum FilterOperation: UInt8 {
    case constantTrue, constantFalse
    case and, or, not
    /// A value against one literal.
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// A value, or the elements of an array, against a list.
    case isIn, hasAny, hasAll
    case has
    case exists, isNull, isTrue
    case startsWith, contains, endsWith
    case sizeEqual, sizeNotEqual, sizeLess, sizeLessOrEqual, sizeGreater, sizeGreaterOrEqual
    /// The identifier against one identifier, or a list of them.
    case idEqual, idNotEqual, idLess, idLessOrEqual, idGreater, idGreaterOrEqual, idIsIn
    case idStartsWith, idContains, idEndsWith
    case matches, idMatches
}

/// One node of a compiled filter; the nodes of a filter stand in preorder. Trivial, so a walk over
/// them costs no reference counting; 32 bytes, since a hundred thousand filters may stand.
struct FilterNode {
    var operation: FilterOperation
    /// The literal is a number of at most 18 digits and nothing else: `integer` is its value.
    var isInteger = false
    /// The literal is a string or a Boolean: equal values have equal bytes.
    var isText = false
    private var literalCount: UInt32 = 0
    private var literalStart: UnsafeRawPointer?
    /// `integer`, or `listStart` in the lower half and `listCount` in the upper one: no operation has
    /// both.
    private var operand: Int64 = 0
    /// The path, in the program's finders.
    var path: Int32 = 0
    /// The position behind this node's subtree.
    var end: Int32 = 0

    init(operation: FilterOperation) { self.operation = operation }

    /// The literal, or the canonical contents of a search string.
    var literal: UnsafeRawBufferPointer {
        get { UnsafeRawBufferPointer(start: literalStart, count: Int(literalCount)) }
        set {
            literalStart = newValue.baseAddress
            literalCount = UInt32(newValue.count)
        }
    }

    /// The literal's value, or the operand of a size test.
    var integer: Int64 {
        get { operand }
        set { operand = newValue }
    }

    /// Elements of the list, in the program's literals; for searches the failure table,
    /// for `~=` the expression.
    var listStart: Int32 {
        get { Int32(truncatingIfNeeded: operand) }
        set { operand = operand & ~0xFFFF_FFFF | Int64(UInt32(bitPattern: newValue)) }
    }

    /// How many these are; for searches one more than the place in the program's searches, 0 for a
    /// text that is too long for these.
    var listCount: Int32 {
        get { Int32(truncatingIfNeeded: operand >> 32) }
        set { operand = Int64(newValue) << 32 | Int64(UInt32(bitPattern: listStart)) }
    }
}

/// A compiled filter: nodes, and the bytes that they point to, in one block of memory:
///
///     nodes | searches | finders | expressions | literals | failures | bytes
///
/// Each part is aligned because the ones before it are multiples of its alignment.
// SAFETY: the block is written by its initialiser alone; afterwards only read, and the memory lives as
// long.
final class FilterProgram: @unchecked Sendable {
    /// Bytes of the block.
    let size: Int
    /// What a row costs at most beside reading it: its tests, and what they read of the filter's own texts,
    /// 256 bytes counting as a test.
    let testWork: Int
    private let block: UnsafeMutableRawPointer
    private let nodeCount: Int32
    private let searchCount: Int32
    private let finderCount: Int32
    private let expressionCount: Int32
    private let literalCount: Int32
    private let failureCount: Int32

    var nodes: UnsafeMutableBufferPointer<FilterNode> { part(0, nodeCount) }

    /// Texts that `contains` looks for, where they are short.
    var searches: UnsafeMutableBufferPointer<LiteralSearch> { part(searchStart, searchCount) }

    /// The paths, each once, retained.
    var finders: UnsafeMutableBufferPointer<Unmanaged<MemberFinder>> {
        part(finderStart, finderCount)
    }

    /// Regular expressions, retained once each.
    var expressions: UnsafeMutableBufferPointer<Unmanaged<Regex>> {
        part(expressionStart, expressionCount)
    }

    /// Canonical JSON of list elements, each list sorted by `ValueOrder` and without doubles; texts
    /// of ids in id order for lists of these.
    var literals: UnsafeMutableBufferPointer<UnsafeRawBufferPointer> {
        part(literalStart, literalCount)
    }

    /// Failure functions of the texts that `contains` looks for.
    var failures: UnsafeMutableBufferPointer<Int32> { part(failureStart, failureCount) }

    private var searchStart: Int { Int(nodeCount) * MemoryLayout<FilterNode>.stride }
    private var finderStart: Int {
        searchStart + Int(searchCount) * MemoryLayout<LiteralSearch>.stride
    }
    private var expressionStart: Int { finderStart + Int(finderCount) * 8 }
    private var literalStart: Int { expressionStart + Int(expressionCount) * 8 }
    private var failureStart: Int { literalStart + Int(literalCount) * 16 }
    private var byteStart: Int { failureStart + Int(failureCount) * 4 }

    @inline(__always)
    private func part<Element>(
        _ start: Int, _ count: Int32
    ) -> UnsafeMutableBufferPointer<Element> {
        if count == 0 { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        return UnsafeMutableBufferPointer(
            start: (block + start).assumingMemoryBound(to: Element.self), count: Int(count))
    }

    /// - Parameter isStanding: Whether the finders are those of all standing filters.
    init(_ source: consuming FilterCompiler, isStanding: Bool) {
        nodeCount = Int32(source.nodes.count)
        searchCount = Int32(source.searches.count)
        finderCount = Int32(source.paths.count)
        expressionCount = Int32(source.expressions.count)
        literalCount = Int32(source.literals.count)
        failureCount = Int32(source.failures.count)
        size =
            source.nodes.count * MemoryLayout<FilterNode>.stride
            + source.searches.count * MemoryLayout<LiteralSearch>.stride
            + (source.paths.count + source.expressions.count) * 8 + source.literals.count * 16
            + source.failures.count * 4
            + source.nodes.reduce(0) { $0 + $1.literal.count }
            + source.literals.reduce(0) { $0 + $1.count }
        // A list is searched by halves.
        let longest = source.literals.reduce(0) { max($0, $1.count) }
        testWork =
            source.nodes.count
            + source.nodes.reduce(14 * longest) { $0 + $1.literal.count } >> 8
        block = .allocate(
            byteCount: size,
            alignment: source.searches.isEmpty ? 16 : MemoryLayout<LiteralSearch>.alignment)
        precondition(
            MemoryLayout<FilterNode>.stride % MemoryLayout<LiteralSearch>.alignment == 0,
            "searches stand aligned behind nodes")
        var next = block + byteStart
        func kept(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
            guard let start = bytes.baseAddress else { return bytes }
            next.copyMemory(from: start, byteCount: bytes.count)
            defer { next += bytes.count }
            return UnsafeRawBufferPointer(start: next, count: bytes.count)
        }
        func store<Element>(_ elements: [Element], at start: Int) {
            _ = UnsafeMutableBufferPointer(
                start: (block + start).bindMemory(to: Element.self, capacity: elements.count),
                count: elements.count
            ).initialize(from: elements)
        }
        store(
            source.nodes.map { node in
                var node = node
                node.literal = kept(node.literal)
                return node
            }, at: 0)
        store(source.searches, at: searchStart)
        store(
            source.paths.map {
                Unmanaged.passRetained(isStanding ? MemberFinder.shared($0) : MemberFinder($0))
            }, at: finderStart)
        store(source.expressions.map { Unmanaged.passRetained($0) }, at: expressionStart)
        store(source.literals.map { kept($0) }, at: literalStart)
        store(source.failures, at: failureStart)
        for bytes in source.owned { bytes.deallocate() }
    }

    /// Tests whose cost depends on how large the value is; each that reads all of it counts as four.
    var variableTests: Int {
        nodes.reduce(0) { sum, node in
            switch node.operation {
            case .hasAny, .hasAll, .has, .sizeEqual, .sizeNotEqual, .sizeLess, .sizeLessOrEqual,
                .sizeGreater, .sizeGreaterOrEqual, .contains:
                sum + 4
            case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .exists,
                .isNull, .isTrue, .startsWith, .endsWith, .matches:
                sum + (finders[Int(node.path)]._withUnsafeGuaranteedRef { $0.isNested } ? 1 : 0)
            default: sum
            }
        }
    }

    deinit {
        for finder in finders { finder.release() }
        for expression in expressions { expression.release() }
        block.deallocate()
    }
}
