import FreshetJSON
import FreshetQuery

/// Stretches of one index that hold every row which fulfils some bounds.
struct IndexRanges: Sendable {
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
    let spans: IndexSpans
    /// Not empty, in the order of the index.
    let groups: [Group]
    /// Entries.
    let count: Int
    /// Whether a document may come more than once.
    let repeats: Bool
    /// Whether all rows fulfil the bounds that the ranges were made of.
    let isExact: Bool

    var definition: IndexDefinition { view.definition }

    /// The properties whose bounds are fulfilled by every row of the ranges.
    var paths: [PropertyPath] { spans.paths }

    /// The ranges of `spans` in a view of the index that they are of; without any the whole of it,
    /// which is of use for its order.
    ///
    /// - Complexity: O(ranges × log entries), 2 µs a range at most as a rule.
    init(_ view: IndexView, _ spans: IndexSpans) {
        self.view = view
        self.spans = spans
        isElements = false
        repeats = false
        isExact = true
        guard !spans.list.isEmpty else {
            groups = view.count == 0 ? [] : [Group(equal: [], ranks: [0..<view.count])]
            count = view.count
            return
        }
        var groups: [Group] = []
        var previous: [[UInt8]]?
        for span in spans.list {
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

    private static func ranks(of span: IndexSpans.Span, in view: IndexView) -> Range<Int> {
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
        let wanted = ValueSet(anyOf: elements).points ?? []
        var ranks: [Range<Int>] = []
        for element in wanted {
            let found = Self.ranks(of: .init(equal: [element], interval: nil), in: view)
            if !found.isEmpty { ranks.append(found) }
        }
        spans = IndexSpans(elements: wanted, at: path)
        // Arrays too long to be entered by element stand among those elements that are arrays.
        let arrays = ValueInterval(lower: .kindStart(.array), upper: .kindEnd(.array))
        let others = Self.ranks(of: .init(equal: [], interval: arrays), in: view)
        if !others.isEmpty {
            ranks.removeAll { others.contains($0.lowerBound) }
            ranks.append(others)
        }
        isExact = others.isEmpty
        repeats = ranks.count > 1 || !others.isEmpty
        ranks.sort { $0.lowerBound < $1.lowerBound }
        groups = ranks.map { Group(equal: [], ranks: [$0]) }
        count = ranks.reduce(0) { $0 + $1.count }
    }
}
