// The canonical form decides which queries share one live group, so it must never make two filters
// equal that differ in one document. All rewriting is exact under the two-valued logic of the
// contract: a test is true or false for every document, null and other kinds included.
//
//   negation        goes down to the tests. `!(x == v)` is `x != v`; the orderings have no such
//                   partner (for null both `x < 3` and `x >= 3` are false), so `!(x < 3)` stays.
//   flattening      conjunctions in conjunctions, disjunctions in disjunctions; constants fold.
//   values          numbers get one spelling; `x == null` is `isNull(x)`, a bare `x` is
//                   `x == true`, integers compared with `id` are its text, and other numbers
//                   that bound it the integer below them.
//   sets            per path, the equalities of a conjunction or disjunction become one `in`:
//                   equality with one of a set, or its negation, is closed under and and or. Numbers
//                   that may be spelled in several ways even so stay as they are.
//   intervals       per path, side and kind of literal, one bound of each.
//   order           siblings and lists are sorted by their text, and kept once.

import FreshetJSON

extension Filter {
    /// The filter that stands for all of its simple rearrangements: equal values, equal meaning.
    ///
    /// - Complexity: O(n log n) in the filter's text, times its depth.
    package func canonical() -> Filter {
        canonical(negated: false)
    }

    /// What each entity passes that passes a filter in canonical form; nil: all pass.
    package static func conjuncts(ofCanonical filter: Filter?) -> [Filter] {
        switch filter {
        case nil, .constant(true): []
        case .and(let parts): parts
        case let other?: [other]
        }
    }

    private func canonical(negated: Bool) -> Filter {
        switch self {
        case .not(let part): return part.canonical(negated: !negated)
        case .and(let parts): return Self.combine(parts, isAnd: !negated, negated: negated)
        case .or(let parts): return Self.combine(parts, isAnd: negated, negated: negated)
        default:
            let test = canonicalTest()
            return negated ? test.negatedTest() : test
        }
    }

    /// The negation of a test in canonical form.
    private func negatedTest() -> Filter {
        switch self {
        case .constant(let value): .constant(!value)
        case .compare(let path, .equal, let literal): .compare(path, .notEqual, literal)
        case .compare(let path, .notEqual, let literal): .compare(path, .equal, literal)
        case .not(let test): test
        default: .not(self)
        }
    }

    private func canonicalTest() -> Filter {
        switch self {
        case .compare(let path, let comparison, let literal):
            (path.isID ? Self.idBound(comparison, literal) : nil)
                ?? Self.comparison(path, comparison, Self.normalised(literal, for: path))
        case .isTrue(let path): .compare(path, .equal, Literal(canonical: Array("true".utf8)))
        case .isIn(let path, let list): Self.membership(path, Self.set(list, for: path))
        case .has(let path, let literal): .has(path, literal.normalised())
        case .hasAny(let path, let list):
            switch Self.sorted(Self.set(list, for: nil)) {
            case let list where list.isEmpty: .constant(false)
            case let list where list.count == 1: .has(path, list[0])
            case let list: .hasAny(path, list)
            }
        case .hasAll(let path, let list):
            switch Self.sorted(Self.set(list, for: nil)) {
            case let list where list.count == 1: .has(path, list[0])
            case let list: .hasAll(path, list)
            }
        default: self
        }
    }

    private static func comparison(
        _ path: PropertyPath, _ comparison: Comparison, _ literal: Literal
    ) -> Filter {
        guard literal.kind == .null else { return .compare(path, comparison, literal) }
        switch comparison {
        case .equal: return .isNull(path)
        case .notEqual: return .not(.isNull(path))
        default: return .constant(false)
        }
    }

    /// "Equal to one of `set`", in its shortest form.
    private static func membership(_ path: PropertyPath, _ set: Set<Literal>) -> Filter {
        let list = sorted(set)
        switch list.count {
        case 0: return .constant(false)
        case 1: return comparison(path, .equal, list[0])
        default: return .isIn(path, list)
        }
    }

    // MARK: Literals

    /// One spelling per value. An id is its text, so an integer compared with it is that text.
    private static func normalised(_ literal: Literal, for path: PropertyPath?) -> Literal {
        if let path, path.isID, literal.kind == .number,
            let value = literal.withView({ $0.int64 })
        {
            return Literal(string: String(value))
        }
        return literal.normalised()
    }

    private static func set(_ list: [Literal], for path: PropertyPath?) -> Set<Literal> {
        Set(list.map { normalised($0, for: path) })
    }

    private static func sorted(_ set: Set<Literal>) -> [Literal] {
        set.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    // MARK: Siblings

    private static func combine(_ parts: [Filter], isAnd: Bool, negated: Bool) -> Filter {
        var flat: [Filter] = []
        for part in parts {
            switch part.canonical(negated: negated) {
            case .constant(isAnd): continue
            case .constant: return .constant(!isAnd)
            case .and(let inner) where isAnd: flat += inner
            case .or(let inner) where !isAnd: flat += inner
            case let other: flat.append(other)
            }
        }
        var siblings = Siblings(isAnd: isAnd)
        for part in flat { siblings.add(part) }
        return siblings.combined()
    }

    /// The parts of one conjunction or disjunction while they are merged.
    private struct Siblings {
        let isAnd: Bool
        /// Per path, the values that it equals one of; and those that it equals none of.
        private var equal: [PropertyPath: Set<Literal>] = [:]
        private var unequal: [PropertyPath: Set<Literal>] = [:]
        private var bounds: [BoundKey: Bound] = [:]
        private var others: [Filter] = []

        private struct BoundKey: Hashable {
            var path: PropertyPath
            var isLower: Bool
            var kind: JSONKind
        }

        private struct Bound {
            var comparison: Comparison
            var literal: Literal
        }

        init(isAnd: Bool) {
            self.isAnd = isAnd
        }

        mutating func add(_ part: Filter) {
            switch part {
            // Sets tell values apart by their bytes.
            case .compare(_, .equal, let literal), .compare(_, .notEqual, let literal):
                literal.hasOneSpelling ? merge(part) : others.append(part)
            case .isIn(_, let list), .not(.isIn(_, let list)):
                list.allSatisfy(\.hasOneSpelling) ? merge(part) : others.append(part)
            default: merge(part)
            }
        }

        private mutating func merge(_ part: Filter) {
            switch part {
            case .compare(let path, .equal, let literal): addEqual(path, [literal])
            case .isIn(let path, let list): addEqual(path, Set(list))
            case .isNull(let path): addEqual(path, [Self.null])
            case .compare(let path, .notEqual, let literal): addUnequal(path, [literal])
            case .not(.isIn(let path, let list)): addUnequal(path, Set(list))
            case .not(.isNull(let path)): addUnequal(path, [Self.null])
            case .compare(let path, let comparison, let literal):
                addBound(path, Bound(comparison: comparison, literal: literal))
            default: others.append(part)
            }
        }

        private static let null = Literal(canonical: Array("null".utf8))

        private mutating func addEqual(_ path: PropertyPath, _ set: Set<Literal>) {
            guard let known = equal[path] else {
                equal[path] = set
                return
            }
            equal[path] = isAnd ? known.intersection(set) : known.union(set)
        }

        private mutating func addUnequal(_ path: PropertyPath, _ set: Set<Literal>) {
            guard let known = unequal[path] else {
                unequal[path] = set
                return
            }
            unequal[path] = isAnd ? known.union(set) : known.intersection(set)
        }

        /// Ids have an order of their own, and arrays too little use of one: they stay as they are.
        private mutating func addBound(_ path: PropertyPath, _ bound: Bound) {
            let kind = bound.literal.kind
            guard !path.isID, kind == .number || kind == .string else {
                others.append(.compare(path, bound.comparison, bound.literal))
                return
            }
            let isLower = bound.comparison == .greater || bound.comparison == .greaterOrEqual
            let key = BoundKey(path: path, isLower: isLower, kind: kind)
            guard let known = bounds[key] else {
                bounds[key] = bound
                return
            }
            if isNarrower(bound, than: known, isLower: isLower) == isAnd { bounds[key] = bound }
        }

        private func isNarrower(_ bound: Bound, than known: Bound, isLower: Bool) -> Bool {
            let order = bound.literal.withView { left in
                known.literal.withView { ValueOrder.compare(left, $0) }
            }
            if order != 0 { return (order > 0) == isLower }
            return bound.comparison == .less || bound.comparison == .greater
        }

        func combined() -> Filter {
            var parts = others
            for (key, bound) in bounds {
                parts.append(.compare(key.path, bound.comparison, bound.literal))
            }
            for path in Set(equal.keys).union(unequal.keys) {
                switch setTest(of: path) {
                case .constant(isAnd): continue
                case .constant: return .constant(!isAnd)
                case let test: parts.append(test)
                }
            }
            return sorted(parts)
        }

        /// What the equalities of one path come to.
        private func setTest(of path: PropertyPath) -> Filter {
            switch (equal[path], unequal[path]) {
            case (let set?, nil): Filter.membership(path, set)
            case (nil, let set?): Filter.membership(path, set).negatedTest()
            case (let equal?, let unequal?):
                isAnd
                    ? Filter.membership(path, equal.subtracting(unequal))
                    : Filter.membership(path, unequal.subtracting(equal)).negatedTest()
            case (nil, nil): .constant(isAnd)
            }
        }

        private func sorted(_ parts: [Filter]) -> Filter {
            let keyed = parts.map { (key: Array($0.description.utf8), part: $0) }
                .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            var kept: [Filter] = []
            var previous: [UInt8]?
            for (key, part) in keyed where key != previous {
                kept.append(part)
                previous = key
            }
            let all = Set(kept)
            let isContradiction = kept.contains { part in
                if case .not(let test) = part { all.contains(test) } else { false }
            }
            if isContradiction { return .constant(!isAnd) }
            switch kept.count {
            case 0: return .constant(isAnd)
            case 1: return kept[0]
            default: return isAnd ? .and(kept) : .or(kept)
            }
        }
    }
}
