import FreshetJSON
import FreshetQuery

/// One place in an index: a document, and where in it the first key's value stands.
///
/// Documents are not retained: the table's tree keeps them, see `OrderedIndex`.
struct IndexEntry {
    var mark: IndexMark
    var document: UnsafeRawPointer
    /// Of the first key's value in the document's JSON; 0 where it is absent.
    var offset: UInt32

    /// The document's bytes, without a reference: see `OrderedIndex` on who keeps it.
    var stored: StoredDocument { StoredDocument(document) }
}

/// The order of an index: by its keys, then by id, exactly as a search sorts.
struct IndexOrder: Sendable {
    let keys: [OrderKey]

    /// The main entry of `document`.
    func entry(of document: Document) -> IndexEntry {
        entry(of: document, value: document.view(at: keys[0].path))
    }

    /// An entry for a value that lies in `document`'s JSON; nil is an absent one.
    func entry(of document: Document, value: JSONView?) -> IndexEntry {
        var offset = 0
        if let start = value?.bytes.baseAddress, let origin = document.json.baseAddress {
            offset = start - origin
        }
        return IndexEntry(
            mark: mark(of: document, head: IndexHead.of(value)), document: document.address,
            offset: UInt32(truncatingIfNeeded: offset))
    }

    private func mark(of document: Document, head: UInt64) -> IndexMark {
        var mark = IndexMark(first: keys[0].descending ? ~head : head, second: 0)
        guard IndexHead.isWhole(head) else { return mark }
        if keys.count > 1 {
            let next = IndexHead.of(document.view(at: keys[1].path))
            mark.second = keys[1].descending ? ~next : next
        } else {
            mark.second = EntityID.orderPrefix(document.idBytes)
        }
        return mark
    }

    /// Below 0 where `left` comes before `right`; 0 for equal values of one and the same id.
    func compare(_ left: IndexEntry, _ right: IndexEntry) -> Int {
        if left.mark != right.mark { return left.mark < right.mark ? -1 : 1 }
        // Equal marks of whole values leave the keys behind the second, or the ids.
        let head = keys[0].descending ? ~left.mark.first : left.mark.first
        let (first, second) = (left.stored, right.stored)
        for index in keys.indices where index > 0 || !IndexHead.isWhole(head) {
            let order = ValueOrder.compare(
                value(index, first, left.offset), value(index, second, right.offset))
            if order != 0 { return keys[index].descending ? -order : order }
        }
        return EntityID.compare(first.idBytes, second.idBytes)
    }

    /// The value of key `index` for an entry.
    @inline(__always)
    func value(_ index: Int, _ document: StoredDocument, _ offset: UInt32) -> JSONView? {
        guard index == 0 else { return document.view(at: keys[index].path) }
        return offset == 0 ? nil : JSONView(in: document.json, at: Int(offset))
    }
}
