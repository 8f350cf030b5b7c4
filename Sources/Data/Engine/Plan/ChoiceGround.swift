import FreshetBase
import FreshetQuery

/// What of a choice is the same in every view.
final class ChoiceGround: Sendable {
    private final class Indexes: Sendable {
        let definitions: [IndexDefinition]
        let spans: [IndexSpans]

        init(_ definitions: [IndexDefinition], _ spans: [IndexSpans]) {
            self.definitions = definitions
            self.spans = spans
        }
    }

    let bounds: FilterBounds
    /// The order of the answer; nil for `order=ids:`.
    let order: [OrderKey]?
    /// The properties that have one value in all matches.
    private let pinnedPaths: [PropertyPath]
    /// Those of the first view that was asked.
    private let indexes = LazyReference<Indexes>()

    init(_ query: Query) {
        bounds = FilterBounds(query.filter)
        pinnedPaths = bounds.sets.filter { $0.values.point != nil }.map(\.path)
        switch query.order.canonical() {
        case .natural: order = []
        case .keys(let keys): order = keys
        case .ids: order = nil
        }
    }

    /// What the query has to do with each index of `view`.
    ///
    /// - Complexity: O(indexes) where they are those of the first view, else that of `IndexSpans`.
    func spans(of view: TableView) -> [IndexSpans] {
        if let known = indexes.load(),
            known.definitions.elementsEqual(view.indexes.lazy.map(\.definition))
        {
            return known.spans
        }
        let made = view.indexes.map {
            IndexSpans($0.definition, bounds, order: order, pinned: pinnedPaths)
        }
        _ = indexes.storeIfNil(Indexes(view.indexes.map(\.definition), made))
        return made
    }
}
