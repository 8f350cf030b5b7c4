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

    init(
        _ list: [Span], fixedKeys: Int = 0, paths: [PropertyPath], fit: OrderFit? = nil,
        groupFit: OrderFit? = nil
    ) {
        self.list = list
        self.fixedKeys = fixedKeys
        self.paths = paths
        self.fit = fit
        self.groupFit = groupFit
    }

    /// What `bounds` make of an index; nil where they say nothing of its first key.
    ///
    /// - Complexity: O(spans).
    convenience init?(_ definition: IndexDefinition, _ bounds: FilterBounds) {
        // Most indexes are about something else.
        guard bounds.values(at: definition.keys[0].path) != nil else { return nil }
        var prefixes: [[[UInt8]]] = [[]]
        var spans: [Span] = []
        var paths: [PropertyPath] = []
        var fixedKeys = 0
        for key in definition.keys {
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
        self.init(spans, fixedKeys: fixedKeys, paths: paths)
    }
}
