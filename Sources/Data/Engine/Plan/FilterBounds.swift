import FreshetJSON
import FreshetQuery

// What a filter says about where its rows are.
//
// A filter is taken apart into conditions that every matching row fulfils, each of a kind that an
// index can answer:
//
//   sets           per property, the values that it may hold
//   lookups        an array that has one of these elements
//   alternatives   one of these bounds holds: a disjunction over several properties
//   ids            the row is one of these
//
// The conditions may be generous, since rows are still asked for the filter: `contains(x, "a")` says
// that x is a string, `exists(x)` says nothing. Where nothing was lost, so that sets and lookups
// together are the filter, `isExact` says so, and rows may be counted without being looked at.
//
// Logic is two-valued and every test has a value for every document, so a negation goes down to the
// tests (De Morgan), and the rows of `!(x < 3)` are those whose x is outside of the set of `x < 3`,
// absent ones included. That is only so where the set is exact; an inexact one's negation says
// nothing.

/// Conditions that every row of a filter fulfils.
struct FilterBounds: Sendable {
    /// An array at `path` with an element equal to one of these.
    struct Lookup: Sendable {
        let path: PropertyPath
        let elements: [Literal]
    }

    struct PathSet: Sendable {
        let path: PropertyPath
        var values: ValueSet
    }

    /// One for each path that is bounded.
    private(set) var sets: [PathSet] = []
    private(set) var lookups: [Lookup] = []
    /// Of each group one holds.
    private(set) var alternatives: [[FilterBounds]] = []
    /// In id order, each once.
    private(set) var ids: [EntityID]?
    /// Whether sets and lookups are all that the filter says.
    private(set) var isExact: Bool
    /// Whether no row fulfils them.
    private(set) var isNever = false

    /// Says nothing.
    private init(isExact: Bool) {
        self.isExact = isExact
    }

    /// Takes `filter` apart. O(size of the filter, log of its lists); recursion is as deep as the
    /// filter, at most 64.
    init(_ filter: Filter?) {
        self = filter.map { Self.of($0, negated: false) } ?? FilterBounds(isExact: true)
    }

    /// What a property may hold; everything where nothing is known.
    func values(at path: PropertyPath) -> ValueSet? {
        sets.first { $0.path == path }?.values
    }

    /// Whether an index could help.
    var isUseful: Bool { !sets.isEmpty || !lookups.isEmpty || !alternatives.isEmpty || ids != nil }

    // MARK: Junctions

    private static func of(_ filter: Filter, negated: Bool) -> FilterBounds {
        switch filter {
        case .constant(let value): return value != negated ? FilterBounds(isExact: true) : never
        case .not(let part): return of(part, negated: !negated)
        case .and(let parts):
            let bounds = parts.map { of($0, negated: negated) }
            return negated ? any(of: bounds) : all(of: bounds)
        case .or(let parts):
            let bounds = parts.map { of($0, negated: negated) }
            return negated ? all(of: bounds) : any(of: bounds)
        default:
            return test(filter, negated: negated)
        }
    }

    private static var never: FilterBounds {
        var bounds = FilterBounds(isExact: true)
        bounds.isNever = true
        return bounds
    }

    private static func all(of parts: [FilterBounds]) -> FilterBounds {
        var bounds = FilterBounds(isExact: parts.allSatisfy(\.isExact))
        for part in parts {
            if part.isNever { return never }
            for set in part.sets {
                guard let place = bounds.sets.firstIndex(where: { $0.path == set.path }) else {
                    bounds.sets.append(set)
                    continue
                }
                bounds.sets[place].values = bounds.sets[place].values.intersection(set.values)
                if bounds.sets[place].values.isEmpty { return never }
            }
            bounds.lookups += part.lookups
            bounds.alternatives += part.alternatives
            if let ids = part.ids, ids.count < bounds.ids?.count ?? .max { bounds.ids = ids }
        }
        return bounds
    }

    private static func any(of parts: [FilterBounds]) -> FilterBounds {
        let parts = parts.filter { !$0.isNever }
        guard let first = parts.first else { return never }
        guard parts.count > 1 else { return first }
        if let union = union(of: parts) { return union }
        var bounds = FilterBounds(isExact: false)
        // A property that every part bounds holds a value of one of them.
        for set in first.sets {
            let others = parts.dropFirst().compactMap { $0.values(at: set.path) }
            guard others.count == parts.count - 1 else { continue }
            bounds.sets.append(
                PathSet(path: set.path, values: ValueSet.union([set.values] + others)))
        }
        let named = parts.compactMap(\.ids)
        if named.count == parts.count { bounds.ids = Planner.sortedDistinct(named.flatMap { $0 }) }
        if parts.allSatisfy(\.isUseful) { bounds.alternatives = [parts] }
        return bounds
    }

    /// The disjunction of parts that are about one property each, the same, without a loss.
    private static func union(of parts: [FilterBounds]) -> FilterBounds? {
        guard parts.allSatisfy(\.isExact) else { return nil }
        var bounds = FilterBounds(isExact: true)
        if let path = parts[0].sets.first?.path {
            for part in parts {
                guard part.sets.count == 1, part.sets[0].path == path, part.lookups.isEmpty else {
                    return nil
                }
            }
            bounds.sets = [
                PathSet(path: path, values: ValueSet.union(parts.map { $0.sets[0].values }))
            ]
            return bounds
        }
        guard let path = parts[0].lookups.first?.path else { return bounds }
        for part in parts {
            guard part.lookups.count == 1, part.lookups[0].path == path, part.sets.isEmpty else {
                return nil
            }
        }
        bounds.lookups = [Lookup(path: path, elements: parts.flatMap { $0.lookups[0].elements })]
        return bounds
    }

    // MARK: Tests

    private init(_ path: PropertyPath, _ values: ValueSet, isExact: Bool) {
        self.init(isExact: isExact)
        isNever = values.isEmpty
        sets = [PathSet(path: path, values: values)]
    }

    private static func test(_ filter: Filter, negated: Bool) -> FilterBounds {
        if let ids = named(by: filter, negated: negated) { return ids }
        switch filter {
        case .compare(let path, let comparison, let literal) where !path.isID:
            return exactly(path, ValueSet(comparison, literal), negated)
        case .isIn(let path, let list) where !path.isID:
            return exactly(path, ValueSet(anyOf: list), negated)
        case .isNull(let path) where !path.isID:
            return exactly(path, .null, negated)
        case .isTrue(let path) where !path.isID:
            return exactly(path, .isTrue, negated)
        case .startsWith(let path, let literal) where !path.isID && literal.kind == .string:
            return exactly(path, ValueSet(beginningWith: literal.bytes), negated)
        case .exists(let path) where !path.isID && negated:
            return FilterBounds(path, .null, isExact: false)
        case .has(let path, let literal) where !path.isID && !negated:
            return lookup(path, [literal])
        case .hasAny(let path, let list) where !path.isID && !negated:
            return list.isEmpty ? never : lookup(path, list)
        case .hasAll(let path, let list) where !path.isID && !negated:
            if list.isEmpty { return FilterBounds(path, ValueSet(of: .array), isExact: true) }
            var bounds = FilterBounds(isExact: true)
            bounds.lookups = list.map { Lookup(path: path, elements: [$0]) }
            return bounds
        case .size(let path, _, _) where !path.isID && !negated:
            return FilterBounds(path, ValueSet(of: .array), isExact: false)
        case .contains(let path, _) where !path.isID && !negated,
            .endsWith(let path, _) where !path.isID && !negated,
            .matches(let path, _) where !path.isID && !negated:
            return FilterBounds(path, ValueSet(of: .string), isExact: false)
        default:
            return FilterBounds(isExact: false)
        }
    }

    private static func exactly(
        _ path: PropertyPath, _ values: ValueSet, _ negated: Bool
    ) -> FilterBounds {
        let values = negated ? values.complement : values
        return values.isEmpty ? never : FilterBounds(path, values, isExact: true)
    }

    private static func lookup(_ path: PropertyPath, _ elements: [Literal]) -> FilterBounds {
        var bounds = FilterBounds(isExact: true)
        bounds.lookups = [Lookup(path: path, elements: elements)]
        return bounds
    }

    /// The bounds of a test for the identity of rows.
    private static func named(by filter: Filter, negated: Bool) -> FilterBounds? {
        guard !negated, let ids = Planner.namedIDs(filter) else { return nil }
        var bounds = FilterBounds(isExact: false)
        bounds.ids = ids
        bounds.isNever = ids.isEmpty
        return bounds
    }
}
