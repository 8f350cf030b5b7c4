import FreshetQuery

/// A run of Unicode scalars; both ends belong to it.
struct ScalarRange: Hashable {
    var low: UInt32
    var high: UInt32
}

/// A set of Unicode scalars. Surrogates may be in it or not: no text has them.
struct ScalarSet: Hashable {
    /// Sorted; neighbours do not touch.
    private(set) var ranges: [ScalarRange]

    static let lastScalar: UInt32 = 0x10FFFF

    init(_ ranges: [ScalarRange]) {
        self.ranges = ranges
        normalise()
    }

    init(_ scalar: UInt32) {
        ranges = [ScalarRange(low: scalar, high: scalar)]
    }

    private mutating func normalise() {
        ranges.sort { $0.low < $1.low }
        var merged: [ScalarRange] = []
        for range in ranges {
            if let last = merged.last, range.low <= last.high + 1 {
                merged[merged.count - 1].high = max(last.high, range.high)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    /// All that is not in this set.
    var inverted: ScalarSet {
        var result: [ScalarRange] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.low > next { result.append(ScalarRange(low: next, high: range.low - 1)) }
            next = range.high + 1
        }
        if next <= Self.lastScalar {
            result.append(ScalarRange(low: next, high: Self.lastScalar))
        }
        return ScalarSet(result)
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        ScalarSet(ranges + other.ranges)
    }

    /// The set with every scalar that folds as one of its own does.
    /// O(ranges × log + scalars of it that have a case).
    var folded: ScalarSet {
        var result = ranges
        for range in ranges { CaseOrbits.shared.append(partnersOf: range, to: &result) }
        return ScalarSet(result)
    }

    // MARK: The sets that have names

    static let digits = ScalarSet([ScalarRange(low: 0x30, high: 0x39)])
    static let word = ScalarSet([
        ScalarRange(low: 0x30, high: 0x39), ScalarRange(low: 0x41, high: 0x5A),
        ScalarRange(low: 0x5F, high: 0x5F), ScalarRange(low: 0x61, high: 0x7A),
    ])
    static let space = ScalarSet([
        ScalarRange(low: 0x09, high: 0x0D), ScalarRange(low: 0x20, high: 0x20),
    ])
    static let dot = ScalarSet(0x0A).inverted
}

/// Which scalars fold alike: for each that has company, the others of its orbit.
struct CaseOrbits: Sendable {
    /// Made at the first `(?i)`, in a few milliseconds.
    static let shared = CaseOrbits()

    /// Sorted by scalar.
    private let scalars: [UInt32]
    /// The orbit of each, itself left out.
    private let partners: [[UInt32]]

    private init() {
        var orbits: [UInt32: [UInt32]] = [:]
        // No script behind plane 1 has cases; `everyOrbitIsKnown` of the tests looks at all.
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            guard properties.changesWhenCaseMapped || properties.changesWhenCaseFolded else {
                continue
            }
            orbits[CaseFolding.simple(value), default: []].append(value)
        }
        var pairs: [(scalar: UInt32, partners: [UInt32])] = []
        for (folded, members) in orbits {
            let orbit = members.contains(folded) ? members : members + [folded]
            for scalar in orbit where orbit.count > 1 {
                pairs.append((scalar, orbit.filter { $0 != scalar }))
            }
        }
        pairs.sort { $0.scalar < $1.scalar }
        scalars = pairs.map(\.scalar)
        partners = pairs.map(\.partners)
    }

    func append(partnersOf range: ScalarRange, to ranges: inout [ScalarRange]) {
        var low = 0
        var high = scalars.count
        while low < high {
            let middle = (low + high) / 2
            if scalars[middle] < range.low { low = middle + 1 } else { high = middle }
        }
        while low < scalars.count, scalars[low] <= range.high {
            for partner in partners[low] where partner < range.low || partner > range.high {
                ranges.append(ScalarRange(low: partner, high: partner))
            }
            low += 1
        }
    }
}
