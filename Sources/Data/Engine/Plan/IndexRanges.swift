import FreshetJSON
import FreshetQuery

/// Stretches of one index that hold every row which fulfils some bounds.
struct IndexRanges: Sendable {
    /// Values of the first keys, and where the next key's value lies; nil: anywhere.
    struct Span: Sendable {
        let equal: [[UInt8]]
        let interval: ValueInterval?
    }

    /// The ranks of entries whose first keys have one value each: within it entries are ordered by
    /// the other keys.
    struct Group: Sendable {
        /// Canonical JSON of those values.
        let equal: [[UInt8]]
        /// Not empty, ascending, apart.
        var ranks: [Range<Int>]

        var count: Int { ranks.reduce(0) { $0 + $1.count } }
    }

    let view: IndexView
    /// Whether entries are elements of arrays.
    let isElements: Bool
    let spans: [Span]
    /// Not empty, in the order of the index.
    let groups: [Group]
    /// How many of the first keys have one value in each group.
    let fixedKeys: Int
    /// The properties whose bounds are fulfilled by every row of the ranges.
    let paths: [PropertyPath]
    /// Entries.
    let count: Int
    /// Whether a document may come more than once.
    let repeats: Bool
    /// Whether all rows fulfil the bounds that the ranges were made of.
    let isExact: Bool

    var definition: IndexDefinition { view.definition }

    /// The most ranges: a list may have 10,000 values, and `not in` one gap more.
    private static let maximumFirst = 10_001
    /// The most that further keys may multiply them to.
    private static let maximumProduct = 1_000

    /// The whole index: of use for its order.
    init(whole view: IndexView) {
        self.init(view, spans: [], fixedKeys: 0, paths: [])
    }

    /// The ranges that `bounds` make of an index; nil where they say nothing of its first key.
    ///
    /// - Complexity: O(ranges × log entries), about 2 µs a range.
    init?(_ view: IndexView, _ bounds: FilterBounds) {
        var prefixes: [[[UInt8]]] = [[]]
        var spans: [Span] = []
        var paths: [PropertyPath] = []
        var fixedKeys = 0
        for key in view.definition.keys {
            guard let set = bounds.values(at: key.path) else { break }
            let most = fixedKeys == 0 ? Self.maximumFirst : Self.maximumProduct
            guard set.intervals.count * prefixes.count <= most else { break }
            paths.append(key.path)
            if let points = set.points {
                prefixes = prefixes.flatMap { prefix in points.map { prefix + [$0] } }
                fixedKeys += 1
                continue
            }
            spans = prefixes.flatMap { prefix in
                set.intervals.map { Span(equal: prefix, interval: $0) }
            }
            break
        }
        guard !paths.isEmpty else { return nil }
        if spans.isEmpty { spans = prefixes.map { Span(equal: $0, interval: nil) } }
        self.init(view, spans: spans, fixedKeys: fixedKeys, paths: paths)
    }

    private init(_ view: IndexView, spans: [Span], fixedKeys: Int, paths: [PropertyPath]) {
        self.view = view
        self.spans = spans
        self.fixedKeys = fixedKeys
        self.paths = paths
        isElements = false
        repeats = false
        isExact = true
        guard !spans.isEmpty else {
            groups = view.count == 0 ? [] : [Group(equal: [], ranks: [0..<view.count])]
            count = view.count
            return
        }
        var groups: [Group] = []
        var previous: [[UInt8]]?
        for span in spans {
            let ranks = Self.ranks(of: span, in: view)
            guard !ranks.isEmpty else { continue }
            if previous == span.equal {
                groups[groups.count - 1].ranks.append(ranks)
            } else {
                groups.append(Group(equal: span.equal, ranks: [ranks]))
            }
            previous = span.equal
        }
        if groups.count > 1 || groups.first?.ranks.count ?? 0 > 1 {
            for index in groups.indices {
                groups[index].ranks.sort { $0.lowerBound < $1.lowerBound }
            }
            groups.sort { $0.ranks[0].lowerBound < $1.ranks[0].lowerBound }
        }
        self.groups = groups
        count = groups.reduce(0) { $0 + $1.count }
    }

    private static func ranks(of span: Span, in view: IndexView) -> Range<Int> {
        let lower: IndexPlace
        let upper: IndexPlace
        if let interval = span.interval {
            let isDescending = view.definition.keys[span.equal.count].descending
            lower = IndexPlace(span.equal, isDescending ? interval.upper : interval.lower)
            upper = IndexPlace(span.equal, isDescending ? interval.lower : interval.upper)
        } else {
            lower = IndexPlace(span.equal)
            upper = IndexPlace(span.equal, isAfter: true)
        }
        let start = view.rank(of: lower)
        return start..<max(start, view.rank(of: upper))
    }

    /// The arrays that have one of the elements.
    ///
    /// - Parameter view: An index's view of elements.
    init(_ view: IndexView, having elements: [Literal], at path: PropertyPath) {
        self.view = view
        isElements = true
        fixedKeys = 0
        let wanted = ValueSet(anyOf: elements).points ?? []
        var ranks: [Range<Int>] = []
        for element in wanted {
            let found = Self.ranks(of: Span(equal: [element], interval: nil), in: view)
            if !found.isEmpty { ranks.append(found) }
        }
        spans = wanted.map { Span(equal: [$0], interval: nil) }
        // Arrays too long to be entered by element stand among those elements that are arrays.
        let arrays = ValueInterval(lower: .kindStart(.array), upper: .kindEnd(.array))
        let others = Self.ranks(of: Span(equal: [], interval: arrays), in: view)
        if !others.isEmpty {
            ranks.removeAll { others.contains($0.lowerBound) }
            ranks.append(others)
        }
        isExact = others.isEmpty
        repeats = ranks.count > 1 || !others.isEmpty
        ranks.sort { $0.lowerBound < $1.lowerBound }
        groups = ranks.map { Group(equal: [], ranks: [$0]) }
        count = ranks.reduce(0) { $0 + $1.count }
        paths = [path]
    }
}
