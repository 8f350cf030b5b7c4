// An index of a table: the documents once more, in another order.
//
//     main      one entry a document, by the values of the index's keys, then by id; an absent value
//               is null and comes last
//     elements  where the only key's value is an array: one entry for each different element of it,
//               by element, then by id. For `has` and `hasAny`; an order never looks at it
//
// Both are copy-on-write B+trees (IndexTree) whose order is the very comparison that a search sorts
// by, so rows come out of an index in the order of the answer, equal keys by id.
//
// An entry is 28 bytes: sixteen that order entries as far as they can (IndexMark), the document, and
// where in it the value stands. Where marks decide nothing the documents are asked, which are
// somewhere in memory: that is what a look-up costs.
//
// Who keeps the documents: not the index. Every table has its tree of documents, and an index has
// only documents of the table that it is part of: both change in one function of Table, the old
// document is let go of behind it, and a copy or a view of a table has both. So whoever can see an
// entry holds the tree that keeps its document.
//
// An array of very many elements would make one write cost as much as thousands. Past `elementLimit`
// it is entered once, behind all elements, as one that may have anything: look-ups always add these
// rows, and the filter says what they are.

package import FreshetBase
import FreshetJSON
package import FreshetQuery

/// The entities of a table in the order of an index's keys. A value: copying is O(1).
package struct OrderedIndex: Sendable {
    /// Elements of one array that are entered one by one.
    static let elementLimit = 256

    package let definition: IndexDefinition
    private(set) var order: IndexOrder
    private var main = IndexTree()
    private var elements = IndexTree()

    /// Makes an index of no documents.
    package init(_ definition: IndexDefinition) {
        self.definition = definition
        order = IndexOrder(keys: definition.keys)
    }

    /// Entries, those of elements included.
    package var entryCount: Int { main.count + elements.count }

    /// Bytes of its nodes. O(inner nodes).
    package var byteCount: Int { (main.nodeCount + elements.nodeCount) * IndexTree.nodeBytes }

    // MARK: Keeping

    /// Follows one change of the table. Call it while both images are kept.
    ///
    /// - Complexity: O(log count) comparisons each for the old and the new image; where no key's
    ///   value has changed, the new image takes the old one's place.
    package mutating func change(old: Document?, new: Document?) {
        switch (old, new) {
        case (nil, nil): break
        case (nil, let new?):
            if main.count == 0 { order.guess(from: new.idBytes) }
            main.insert(order.entry(of: new), order)
            addElements(of: new)
        case (let old?, nil):
            main.remove(order.entry(of: old), order)
            removeElements(of: old)
        case (let old?, let new?):
            let (before, after) = (order.entry(of: old), order.entry(of: new))
            if order.compare(before, after) != 0 { main.remove(before, order) }
            main.insert(after, order)
            removeElements(of: old)
            addElements(of: new)
        }
    }

    private mutating func addElements(of document: Document) {
        for entry in elementEntries(of: document) { elements.insert(entry, order) }
    }

    private mutating func removeElements(of document: Document) {
        for entry in elementEntries(of: document) { elements.remove(entry, order) }
    }

    /// Of an array its different elements, or one entry that stands for too many; else nothing.
    private func elementEntries(of document: Document) -> [IndexEntry] {
        guard definition.keys.count == 1, let value = document.view(at: definition.keys[0].path),
            value.kind == .array
        else { return [] }
        var entries: [IndexEntry] = []
        for element in value.elements {
            guard entries.count < Self.elementLimit else { return [unlimited(document)] }
            entries.append(order.entry(of: document, value: element))
        }
        guard entries.count > 1 else { return entries }
        entries.sort { order.compare($0, $1) < 0 }
        var different = [entries[0]]
        for entry in entries.dropFirst()
        where order.compare(different[different.count - 1], entry) != 0 {
            different.append(entry)
        }
        return different
    }

    /// The entry of an array with too many elements: its whole value stands for them, among arrays.
    private func unlimited(_ document: Document) -> IndexEntry {
        order.entry(of: document)
    }

    // MARK: Building

    /// Builds the index of all documents of a tree. O(n log n), about 1 s for a million.
    ///
    /// - Parameter progress: Counts the documents that are entered.
    package init(_ definition: IndexDefinition, of view: TableView, progress: Counter? = nil) {
        self.init(definition)
        var cursor = view.makeCursor()
        if let first = cursor.next() { order.guess(from: first.idBytes) }
        cursor = view.makeCursor()
        var entries = IndexLoadOrder(order, expecting: view.count)
        var parts: [IndexEntry] = []
        while let document = cursor.next() {
            let value = document.view(at: definition.keys[0].path)
            entries.append(order.entry(of: document, value: value), value: value)
            if value?.kind == .array { parts += elementEntries(of: document) }
            progress?.add()
        }
        main = IndexTree(ascending: entries.sorted())
        let order = order
        parts.sort { order.compare($0, $1) < 0 }
        elements = IndexTree(ascending: parts)
    }

    /// A sentence about the first broken invariant, nil where all hold. For tests. O(count).
    func brokenInvariant() -> String? {
        main.brokenInvariant(order) ?? elements.brokenInvariant(order)
    }
}

// MARK: Reading

extension OrderedIndex {
    /// Every document once.
    package var view: IndexView { IndexView(definition: definition, tree: main, order: order) }

    /// Arrays by their elements, a document once for each different one; nil where no value is an
    /// array.
    ///
    /// Documents with more than `elementLimit` elements stand among the arrays (from
    /// `.kindStart(.array)` to `.kindStart(.object)`) and may have any element.
    package var elementView: IndexView? {
        elements.count == 0 ? nil : IndexView(definition: definition, tree: elements, order: order)
    }
}

/// An index as it was at one commit. Kept beside the view of its table, never alone.
package struct IndexView: Sendable {
    package let definition: IndexDefinition
    let tree: IndexTree
    let order: IndexOrder

    /// Entries.
    package var count: Int { tree.count }

    /// Entries before `place`. O(log count), about 1 µs.
    package func rank(of place: IndexPlace) -> Int { tree.rank(IndexProbe(place, in: order)) }

    /// The entries of these ranks, in the order of the index.
    package func cursor(in ranks: Range<Int>) -> IndexCursor { IndexCursor(tree, ranks) }

    /// The document of the entry with this rank, `0..<count`. O(log count).
    package func document(at rank: Int) -> Document? {
        var cursor = IndexCursor(tree, rank..<rank + 1)
        return cursor.nextRun(limit: 1).first
    }
}
