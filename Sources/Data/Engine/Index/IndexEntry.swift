import FreshetBase
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
    /// With what most ids begin, as far as is known: marks have what is behind it. Other ids need more
    /// looks at documents. It is the same for all entries of a tree.
    private(set) var idBeginning: [UInt8] = []

    init(keys: [OrderKey]) { self.keys = keys }

    /// Guesses from one id how the ids of a tree begin that has no entries yet: as this one does before its
    /// first digit.
    mutating func guess(from id: UnsafeRawBufferPointer) {
        let end = id.firstIndex { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        idBeginning = Array(id.prefix(end ?? 0))
    }

    /// A number that orders as ids do, as far as it goes: integers, then texts. Of those that begin as
    /// most do it has the eight bytes behind that.
    func word(ofID id: UnsafeRawBufferPointer) -> UInt64 {
        guard !idBeginning.isEmpty else { return EntityID.orderPrefix(id) }
        if EntityID.integer(of: id) != nil { return EntityID.orderPrefix(id) >> 1 }
        return idBeginning.withUnsafeBytes { beginning in
            let side = Bytes.compare(
                UnsafeRawBufferPointer(rebasing: id.prefix(beginning.count)), beginning)
            guard side == 0 else { return side < 0 ? 1 << 62 : .max }
            return EntityID.orderPrefix(
                ofText: UnsafeRawBufferPointer(rebasing: id.dropFirst(beginning.count)))
        }
    }

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
            mark: mark(of: document, value: value), document: document.address,
            offset: UInt32(truncatingIfNeeded: offset))
    }

    private func mark(of document: Document, value: JSONView?) -> IndexMark {
        let head = IndexHead.of(value)
        let first = keys[0].descending ? ~head : head
        let next: UInt64
        if keys.count > 1 {
            let head = IndexHead.of(document.view(at: keys[1].path))
            next = keys[1].descending ? ~head : head
        } else {
            next = word(ofID: document.idBytes)
        }
        let second = IndexMark.second(
            head, of: value, descending: keys[0].descending, next: next...next)
        return IndexMark(first: first, second: second.lowerBound)
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
