package import FreshetQuery

// How a table keeps its entities.
//
// A table answers two kinds of questions, and has a structure for each:
//
//   IDHash         id → document. Every GET, every write. One cache miss for the slot and one for
//                  the document.
//   DocumentTree   the documents in id order. Every search, export, page. A B+tree.
//
// Readers must not wait for writers, nor a writer for a search that takes seconds. So the tree is
// copy-on-write by the node: a view is one more reference to its root. While it is held, the
// writer finds nodes on its way down shared, copies those (one per level, about 1 µs each) and
// leaves the view's alone; as soon as no view holds a node, it is changed in place. Nothing needs
// to be told that a view ended: reference counts say it.
//
// The hash is copy-on-write by the segment, for another reason: the whole table is a value, so a
// big commit may be applied to a copy, out of the reader's way, and put in place by one swap.
//
//     var next = table            // under the state lock: four retains
//     for … { next.insert(…) }    // not under it: copies what it touches
//     swap(&table, &next)         // under the lock; the old nodes die after it
//
// Indexes (OrderedIndex) are copy-on-write trees beside these, kept by the same functions; a view has
// them as they were at its commit.
//
// Views have no hash. A point look-up in a view walks the tree; it is for searches by id that
// must agree with the rest of the view.
//
// Who owns what: leaves hold the one strong reference to a document, the hash none. That is sound
// because every change goes to both in one function of this file, and because a copy of the table
// copies both. Inner nodes hold no keys but 8-byte heads (see TreeNode), so a removed document is
// freed as soon as no view shows it.
//
// Memory per entity: 16 bytes of leaf slot at 65…100 % use, 8 bytes of hash slot at 44…87 %, inner
// nodes 2 % of the leaves; 42 bytes measured after a million inserts in random order.

/// The entities of one type. A value: copying is O(1), the copy that writes pays for what it
/// touches. Changed by one owner at a time (the store, under its lock).
package struct Table: Sendable {
    private var tree = DocumentTree()
    private var hash = IDHash()
    /// Its indexes that are whole.
    package private(set) var indexes: [OrderedIndex] = []
    /// Sum of the documents' stored JSON, in bytes.
    package private(set) var byteCount = 0
    private var turnover = Turnover()

    /// Makes a table without entities.
    package init() {}

    /// Makes a table of a built tree and a hash that does not have its documents yet.
    init(tree: DocumentTree, hash: IDHash) {
        self.tree = tree
        self.hash = hash
    }

    /// Enters a document of the tree in the hash, for the bulk load.
    mutating func enter(_ document: Document) {
        hash.insert(document)
        byteCount += document.json.count
    }

    /// Entities in the table.
    package var count: Int { tree.count }

    /// The document with the id `text` (its unescaped text bytes). O(1), 60–100 ns.
    package func document(_ text: UnsafeRawBufferPointer) -> Document? {
        hash.document(text)
    }

    /// The document with the id `id`. O(1).
    package func document(_ id: EntityID) -> Document? {
        id.withBytes { hash.document($0) }
    }

    /// Inserts `document`, or puts it in the place of the one with the same id.
    ///
    /// - Returns: The document that was replaced, nil where the id is new.
    /// - Complexity: O(log count), and the copy of each node on the way that a view shares.
    package mutating func insert(_ document: Document) -> Document? {
        let old = tree.insert(document)
        hash.insert(document)
        for position in indexes.indices { indexes[position].change(old: old, new: document) }
        byteCount += document.json.count
        if let old { leave(old) }
        return old
    }

    /// Removes the entity with the id `text` (its unescaped text bytes).
    ///
    /// - Returns: Its document, nil where there is none; then nothing is copied.
    package mutating func remove(_ text: UnsafeRawBufferPointer) -> Document? {
        // Out of the hash first: its slots must never outlive the tree's reference.
        guard let present = hash.document(text) else { return nil }
        hash.remove(text)
        // `text` may lie in the document itself, which `present` keeps alive until here.
        return withExtendedLifetime(present) {
            let old = tree.remove(IDKey(text))
            for position in indexes.indices { indexes[position].change(old: old, new: nil) }
            if let old { leave(old) }
            return old
        }
    }

    /// Removes the entity with the id `id`; else as the other.
    package mutating func remove(_ id: EntityID) -> Document? {
        id.withBytes { remove($0) }
    }

    private mutating func leave(_ old: Document) {
        byteCount -= old.json.count
        turnover.add(bytes: old.json.count)
    }

    /// Takes `index`, which has exactly this table's documents, into keeping.
    package mutating func add(_ index: OrderedIndex) {
        indexes.removeAll { $0.definition == index.definition }
        indexes.append(index)
    }

    /// Builds an index that is not there yet. O(n log n), about 1 s for a million.
    package mutating func addIndex(_ definition: IndexDefinition) {
        guard !indexes.contains(where: { $0.definition == definition }) else { return }
        indexes.append(OrderedIndex(definition, of: view(seq: 0)))
    }

    /// Gives up the indexes that are not among `definitions`.
    package mutating func keepIndexes(_ definitions: [IndexDefinition]) {
        indexes.removeAll { !definitions.contains($0.definition) }
    }

    /// A snapshot of the table as it is now, for any thread. O(1).
    ///
    /// - Parameter seq: The commit after which the table looks so; the view carries it along.
    package func view(seq: UInt64) -> TableView {
        TableView(
            tree: tree, seq: seq, indexes: indexes, byteCount: byteCount, turnover: turnover)
    }

    /// A sentence about the first broken invariant, nil where all hold. For tests. O(count).
    func brokenInvariant() -> String? {
        if let fault = tree.brokenInvariant() ?? hash.brokenInvariant(count: tree.count) {
            return fault
        }
        for index in indexes {
            if index.view.count != tree.count { return "an index of \(index.view.count) entries" }
            if let fault = index.brokenInvariant() { return "\(index.definition): \(fault)" }
        }
        return nil
    }
}
