package import FreshetQuery

/// A table as it was at one commit: immutable, for any thread, as long as anyone holds it.
///
/// While it lives the writer copies each node that it changes for the first time, so a view costs
/// at most what the table itself holds in nodes; documents are shared.
package struct TableView: Sendable {
    let tree: DocumentTree
    /// The commit after which the table looked so.
    package let seq: UInt64
    /// The table's whole indexes, as they were then.
    package let indexes: [OrderedIndex]
    /// Sum of the documents' stored JSON, in bytes.
    package let byteCount: Int
    /// What the table had replaced by then.
    package let turnover: Turnover

    init(
        tree: DocumentTree, seq: UInt64, indexes: [OrderedIndex] = [], byteCount: Int = 0,
        turnover: Turnover = Turnover()
    ) {
        self.tree = tree
        self.seq = seq
        self.indexes = indexes
        self.byteCount = byteCount
        self.turnover = turnover
    }

    /// What a type without entities looks like.
    ///
    /// - Parameter seq: The commit that the caller speaks for.
    package static func empty(seq: UInt64) -> TableView {
        TableView(tree: DocumentTree(), seq: seq)
    }

    /// What a type that was never written looks like, at seq 0.
    package static var empty: TableView { empty(seq: 0) }

    /// Entities in the view.
    package var count: Int { tree.count }

    /// The document with the id `text` (its unescaped text bytes). O(log count), 0.2–1 µs.
    package func document(_ text: UnsafeRawBufferPointer) -> Document? {
        tree.document(IDKey(text))
    }

    /// The document with the id `id`. O(log count).
    package func document(_ id: EntityID) -> Document? {
        id.withBytes { document($0) }
    }

    /// The documents with these ids, nil for one that does not exist. O(ids × log count); in a big
    /// table a fraction of what single look-ups take.
    package func documents(_ ids: ArraySlice<EntityID>) -> [Document?] {
        // An array of capacity 0 made below would write its count into the storage that all empty
        // arrays share.
        guard !ids.isEmpty else { return [] }
        var texts: [UInt8] = []
        texts.reserveCapacity(ids.count * 24)
        var ends: [Int] = []
        ends.reserveCapacity(ids.count)
        for id in ids {
            id.withBytes { texts.append(contentsOf: $0) }
            ends.append(texts.count)
        }
        return texts.withUnsafeBytes { texts in
            withUnsafeTemporaryAllocation(of: IDKey.self, capacity: ends.count) { keys in
                var start = 0
                for index in 0..<ends.count {
                    let text = UnsafeRawBufferPointer(rebasing: texts[start..<ends[index]])
                    keys.initializeElement(at: index, to: IDKey(text))
                    start = ends[index]
                }
                return [Document?](unsafeUninitializedCapacity: ends.count) { found, count in
                    if let first = found.baseAddress {
                        tree.documents(UnsafeBufferPointer(keys), into: first)
                    }
                    count = ends.count
                }
            }
        }
    }

    /// A cursor before the first document.
    package func makeCursor() -> TableCursor {
        TableCursor(tree, from: nil)
    }

    /// A cursor before the first document whose id is `id` or comes after it.
    package func makeCursor(from id: EntityID) -> TableCursor {
        id.withBytes { TableCursor(tree, from: IDKey($0)) }
    }

    /// Calls `body` with each document in id order.
    package func forEach<Failure: Error>(
        _ body: (Document) throws(Failure) -> Void
    ) throws(Failure) {
        var cursor = makeCursor()
        while let document = cursor.next() { try body(document) }
    }
}
