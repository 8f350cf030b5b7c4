import FreshetJSON
import FreshetQuery

/// Where a filter is registered so that no change of its matches is missed: one or more accesses
/// per disjunct, chosen once when the filter comes.
struct AccessPlan {
    /// What a document must have to be found: all of `equal`, an element of `element` and a value
    /// in `range`; nothing at all where the three are empty.
    struct Access: Hashable {
        var equal: [PropertyPath: UInt64] = [:]
        var element: Element?
        var range: Range?
    }

    /// An array at `path` has an element with this hash.
    struct Element: Hashable {
        var path: PropertyPath
        var hash: UInt64
    }

    /// The head of the value at `path` is in `heads`.
    struct Range: Hashable {
        var path: PropertyPath
        var heads: ClosedRange<UInt64>
    }

    /// Disjuncts of a filter; one with more is asked about every change.
    static let maximumDisjuncts = 16
    /// Fields of one signature.
    static let maximumFields = 4
    /// Keys that several lists of one disjunct are multiplied out to; a single list has at most
    /// the 10,000 elements of a filter.
    static let maximumProduct = 64

    let accesses: Set<Access>

    /// - Parameter ids: The ids outside of which nothing matches, whatever the filter says.
    init(_ filter: Filter?, ids: [EntityID]?) {
        if let ids {
            accesses = Set(
                ids.map { id in Access(equal: [.id: id.withBytes { ValueKey.hash(id: $0) }]) })
            return
        }
        let everything: Set<Access> = [Access()]
        guard let filter, let disjuncts = Self.disjuncts(filter.canonical()) else {
            accesses = everything
            return
        }
        let all = Set(disjuncts.flatMap { Self.accesses(of: Conjuncts($0)) })
        accesses = all.isSuperset(of: everything) ? everything : all
    }

    /// The filter as a disjunction of conjunctions of tests, maybe more generous than it; nil
    /// where it has too many. Recursion is as deep as the filter, at most 64.
    private static func disjuncts(_ filter: Filter) -> [[Filter]]? {
        switch filter {
        case .constant(false): return []
        case .constant(true): return [[]]
        case .or(let parts):
            var all: [[Filter]] = []
            for part in parts {
                guard let some = disjuncts(part) else { return nil }
                all += some
                if all.count > maximumDisjuncts { return nil }
            }
            return all
        case .and(let parts):
            var tests: [Filter] = []
            var choices: [[[Filter]]] = []
            for part in parts {
                guard case .or = part else {
                    tests.append(part)
                    continue
                }
                // A choice that is too wide is left to the full filter.
                if let choice = disjuncts(part) { choices.append(choice) }
            }
            var all = [tests]
            // A selective conjunct needs no help.
            if Conjuncts(tests).isSelective { return all }
            for choice in choices.sorted(by: { $0.count < $1.count })
            where all.count * choice.count <= maximumDisjuncts {
                all = all.flatMap { some in choice.map { some + $0 } }
            }
            return all
        default: return [[filter]]
        }
    }

    /// The places of one disjunct; none where it is false of everything.
    private static func accesses(of conjuncts: Conjuncts) -> [Access] {
        if conjuncts.isFalse { return [] }
        if let ids = conjuncts.ids { return ids.map { Access(equal: [.id: $0]) } }
        var chosen: [Conjuncts.Choice] = []
        var product = 1
        for choice in conjuncts.equal.sorted(by: { $0.rank < $1.rank }) {
            guard chosen.count < maximumFields else { break }
            guard product * choice.hashes.count <= maximumProduct else { continue }
            product *= choice.hashes.count
            chosen.append(choice)
        }
        var element = conjuncts.elements.min { $0.hashes.count < $1.hashes.count }
        if chosen.allSatisfy(\.isWeak) {
            let large = conjuncts.equal.filter { $0.hashes.count > maximumProduct }
                .min { $0.hashes.count < $1.hashes.count }
            if let large, large.hashes.count <= element?.hashes.count ?? .max {
                chosen = [large]
                element = nil
            } else if (element?.hashes.count ?? 0) > maximumProduct {
                chosen = []
            }
        } else {
            element = nil
        }
        var found = [Access()]
        for choice in chosen {
            found = found.flatMap { access in
                choice.hashes.map { hash in
                    var longer = access
                    longer.equal[choice.path] = hash
                    return longer
                }
            }
        }
        if let element {
            return found.flatMap { access in
                element.hashes.map { hash in
                    var longer = access
                    longer.element = Element(path: element.path, hash: hash)
                    return longer
                }
            }
        }
        let used = Set(chosen.map(\.path))
        let range = conjuncts.ranges.filter { !used.contains($0.key) }
            .min { Self.width($0.value) < Self.width($1.value) }
        if let range {
            for index in found.indices {
                found[index].range = Range(path: range.key, heads: range.value)
            }
        }
        return found
    }

    private static func width(_ heads: ClosedRange<UInt64>) -> UInt64 {
        heads.upperBound - heads.lowerBound
    }
}

/// What the index can use of the tests of one conjunction.
private struct Conjuncts {
    /// The value at `path` has one of the hashes; or, for arrays, one of the elements has.
    struct Choice {
        var path: PropertyPath
        var hashes: Set<UInt64>
        /// True of so many documents, as a rule, that it selects little: null, a Boolean.
        var isWeak = false

        /// Selective choices first, then short lists.
        var rank: (Int, Int, String) { (isWeak ? 1 : 0, hashes.count, path.description) }
    }

    private(set) var isFalse = false
    private(set) var ids: Set<UInt64>?
    private(set) var equal: [Choice] = []
    private(set) var elements: [Choice] = []
    private(set) var ranges: [PropertyPath: ClosedRange<UInt64>] = [:]

    var isSelective: Bool {
        isFalse || ids != nil
            || equal.contains { !$0.isWeak && $0.hashes.count <= AccessPlan.maximumProduct }
    }

    init(_ tests: [Filter]) {
        for test in tests { add(test) }
    }

    private mutating func add(_ test: Filter) {
        switch test {
        case .constant(let value):
            if !value { isFalse = true }
        case .compare(let path, .equal, let literal): addEqual(path, [literal])
        case .isIn(let path, let list): addEqual(path, list)
        case .isNull(let path):
            if path.isID {
                isFalse = true
            } else {
                addEqual(path, [Literal(canonical: Array("null".utf8))])
            }
        case .has(let path, let literal): addElement(path, [literal])
        case .hasAny(let path, let list): addElement(path, list)
        case .hasAll(let path, let list):
            // One of them is enough to find it; the longest is likely to be rarest.
            if let one = list.max(by: { $0.bytes.count < $1.bytes.count }) {
                addElement(path, [one])
            }
        case .startsWith(let path, let literal):
            guard let text = literal.string else { return }
            if path.isID {
                if let range = ValueKey.idPrefixRange(text) { addRange(path, range) }
            } else {
                addRange(path, ValueKey.prefixRange(text))
            }
        case .compare(let path, let comparison, let literal)
        where comparison != .notEqual:
            addBound(path, comparison, literal)
        default: break
        }
    }

    private mutating func addEqual(_ path: PropertyPath, _ list: [Literal]) {
        if path.isID {
            let hashes = Set(list.compactMap(Self.idText).map(Self.hash))
            ids = ids.map { $0.intersection(hashes) } ?? hashes
            return
        }
        let hashes = Set(list.map { $0.withView { ValueKey.hash($0) } })
        let isWeak = list.contains { $0.kind == .null || $0.kind == .bool }
        equal.append(Choice(path: path, hashes: hashes, isWeak: isWeak))
    }

    private mutating func addElement(_ path: PropertyPath, _ list: [Literal]) {
        if path.isID {
            isFalse = true
            return
        }
        elements.append(
            Choice(path: path, hashes: Set(list.map { $0.withView { ValueKey.hash($0) } })))
    }

    private mutating func addBound(
        _ path: PropertyPath, _ comparison: Comparison, _ literal: Literal
    ) {
        let isLower = comparison == .greater || comparison == .greaterOrEqual
        if path.isID {
            // What is no id stands in no order with one.
            guard let text = Self.idText(literal) else {
                isFalse = true
                return
            }
            let head = text.withUnsafeBytes { EntityID.orderPrefix($0) }
            addRange(path, isLower ? head...UInt64.max : 0...head)
            return
        }
        let kind = ValueKey.kindRange(literal.kind)
        let head = literal.withView { ValueKey.head($0) }
        switch literal.kind {
        case .array, .object, .null: addRange(path, kind)
        default:
            addRange(path, isLower ? head...kind.upperBound : kind.lowerBound...head)
        }
    }

    private mutating func addRange(_ path: PropertyPath, _ heads: ClosedRange<UInt64>) {
        let known = ranges[path] ?? 0...UInt64.max
        let low = max(known.lowerBound, heads.lowerBound)
        let high = min(known.upperBound, heads.upperBound)
        // No value is in both.
        if low > high { isFalse = true } else { ranges[path] = low...high }
    }

    /// The text of the id that `literal` denotes, if any.
    private static func idText(_ literal: Literal) -> [UInt8]? {
        if let text = literal.string { return text }
        return literal.withView { $0.int64 }.map { Array(String($0).utf8) }
    }

    private static func hash(_ text: [UInt8]) -> UInt64 {
        text.withUnsafeBytes { ValueKey.hash(id: $0) }
    }
}
