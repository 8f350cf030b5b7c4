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
/// them costs no reference counting.
struct FilterNode {
    var operation: FilterOperation
    /// The literal is a number of at most 18 digits and nothing else: `integer` is its value.
    var isInteger = false
    /// The literal is a string or a Boolean: equal values have equal bytes.
    var isText = false
    /// The literal, or the canonical contents of a search string.
    var literal = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The literal's value, or the operand of a size test.
    var integer: Int64 = 0
    /// The path, in the program's finders.
    var path: Int32 = 0
    /// Elements of the list, in the program's literals; for searches the failure table,
    /// for `~=` the expression.
    var listStart: Int32 = 0
    /// How many these are; for searches one more than the place in the program's searches, 0 for a
    /// text that is too long for these.
    var listCount: Int32 = 0
    /// The position behind this node's subtree.
    var end: Int32 = 0
}

/// A compiled filter: nodes, and the bytes that they point to.
// SAFETY: written by its initialiser alone; afterwards only read, and the memory lives as long.
final class FilterProgram: @unchecked Sendable {
    private(set) var nodes: UnsafeMutableBufferPointer<FilterNode>
    /// The paths, each once, retained.
    private(set) var finders: UnsafeMutableBufferPointer<Unmanaged<MemberFinder>>
    /// Canonical JSON of list elements, each list sorted by `ValueOrder` and without doubles; texts
    /// of ids in id order for lists of these.
    private(set) var literals: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    /// Failure functions of the texts that `contains` looks for.
    private(set) var failures: UnsafeMutableBufferPointer<Int32>
    /// Texts that `contains` looks for, where they are short.
    private(set) var searches: UnsafeMutableBufferPointer<LiteralSearch>
    /// Regular expressions, retained once each.
    private(set) var expressions: UnsafeMutableBufferPointer<Unmanaged<Regex>>
    private var owned: [UnsafeMutableRawBufferPointer] = []

    /// - Parameter isStanding: Whether the finders are those of all standing filters.
    init(_ source: consuming FilterCompiler, isStanding: Bool) {
        func stored<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
            if elements.isEmpty { return UnsafeMutableBufferPointer(start: nil, count: 0) }
            let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
            _ = buffer.initialize(from: elements)
            return buffer
        }
        nodes = stored(source.nodes)
        finders = stored(
            source.paths.map {
                Unmanaged.passRetained(isStanding ? MemberFinder.shared($0) : MemberFinder($0))
            })
        literals = stored(source.literals)
        failures = stored(source.failures)
        searches = stored(source.searches)
        expressions = stored(source.expressions.map { Unmanaged.passRetained($0) })
        owned = source.owned
    }

    deinit {
        nodes.deallocate()
        for finder in finders { finder.release() }
        finders.deallocate()
        literals.deallocate()
        failures.deallocate()
        searches.deallocate()
        for expression in expressions { expression.release() }
        expressions.deallocate()
        for bytes in owned { bytes.deallocate() }
    }
}
