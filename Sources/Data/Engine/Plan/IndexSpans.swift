import FreshetQuery

/// What a query has to do with an index, whichever view it is of.
final class IndexSpans: Sendable {
    /// Values of the first keys, and where the next key's value lies; nil: anywhere.
    struct Span: Sendable {
        let equal: [[UInt8]]
        let interval: ValueInterval?
    }

    /// Where its filter's rows are; empty: it says nothing of the first key.
    let list: [Span]
    /// How many of the first keys have one value in each group of entries.
    let fixedKeys: Int
    /// The properties whose bounds are fulfilled by every row of the spans.
    let paths: [PropertyPath]
    /// How the order of the index fits that of the answer; nil: not at all, or nobody has asked.
    let fit: OrderFit?
    /// How that of a group of entries does.
    let groupFit: OrderFit?

    /// The most spans: a list may have 10,000 values, and `not in` one gap more.
    private static let maximumFirst = 10_001
    /// The most that further keys may multiply them to.
    private static let maximumProduct = 1_000

    /// The entries that have one of `values`, elements at `path`.
    init(elements values: [[UInt8]], at path: PropertyPath) {
        list = values.map { Span(equal: [$0], interval: nil) }
        fixedKeys = 0
        paths = [path]
        fit = nil
        groupFit = nil
    }

    /// What `bounds` and the order of an answer make of an index.
    ///
    /// - Parameters:
    ///   - order: nil where nobody asks.
    ///   - pinned: The properties that have one value in all matches.
    /// - Complexity: O(spans).
    init(
        _ definition: IndexDefinition, _ bounds: FilterBounds, order: [OrderKey]? = nil,
        pinned: [PropertyPath] = []
    ) {
        (list, fixedKeys, paths) = Self.stretches(of: definition, by: bounds)
        let fixed = definition.keys.prefix(fixedKeys).map(\.path)
        fit = order.flatMap { OrderFit(definition, $0, constant: pinned) }
        groupFit = order.flatMap { OrderFit(definition, $0, constant: pinned + fixed) }
    }

    private static func stretches(
        of definition: IndexDefinition, by bounds: FilterBounds
    ) -> (list: [Span], fixedKeys: Int, paths: [PropertyPath]) {
        // Most indexes are about something else.
        guard bounds.values(at: definition.keys[0].path) != nil else { return ([], 0, []) }
        var prefixes: [[[UInt8]]] = [[]]
        var spans: [Span] = []
        var paths: [PropertyPath] = []
        var fixedKeys = 0
        for key in definition.keys {
            guard let set = bounds.values(at: key.path) else { break }
            let most = fixedKeys == 0 ? maximumFirst : maximumProduct
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
        guard !paths.isEmpty else { return ([], 0, []) }
        if spans.isEmpty { spans = prefixes.map { Span(equal: $0, interval: nil) } }
        return (spans, fixedKeys, paths)
    }
}
