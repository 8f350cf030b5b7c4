// A document is one allocation, because a million small ones are what memory is spent on:
//
//     object header   16   the language's type and reference count
//     DocumentHeader  29   revision, lengths, checksum, place of the id, shape, form of the index
//     index          2·m   with a shape, per top-level member the offset of its value in the JSON
//                    4·m   without one, offsets of the name's and the value's first byte, of 16
//                    8·m   bits where the JSON is under 64 KiB, else of 32
//     JSON             n   canonical JSON (see JSONCanonical), an object
//     line feed        1   so that an answer, or a line of an export, is one run of bytes
//     id text          i   only where the JSON does not hold it as it is: an escaped string, or a
//                          number such as 7.0; otherwise the id is a range of the JSON
//
// Canonical JSON has no white space, so the index needs no ends: a name ends two bytes before its
// value (`":`), a value ends two bytes before the next name (`,"`), the last one before the brace.
//
// **Shapes.** Entities of a type mostly have the same members in the same order. Names in an order
// are a shape (DocumentShapes): it is kept once, documents that have it keep its number. That
// saves half of the index. Above all, a search resolves a property to a place in the index once
// for a shape, not once for a document (MemberFinder): it reads the document's first line or two,
// for header and index stand together, and the value, but no names. Memory is what a scan waits
// for: of a million documents of 290 bytes, which no cache holds, a test of a number and a string
// took 125 ns a row with the index behind the JSON and names compared, 50 ns with shapes and with
// leaves tested as runs, so that the lines of 64 documents are fetched at the same time. A document
// whose names nobody shares, or over 64 KiB, keeps the places of its names itself.
//
// Nothing is aligned behind the object header, which costs nothing on the machines this runs on.
// Only this file, DocumentLayout, DocumentShapes and MemberFinder know the layout.

import FreshetBase
package import FreshetJSON
import Glibc

/// The one allocation of a document.
private final class DocumentStorage: ManagedBuffer<DocumentHeader, UInt8> {}

/// A stored entity: an immutable JSON object with its id and an index of its top-level members.
///
/// A reference: copies share one allocation. Made by `DocumentBuilder` alone. Pointers and views handed out are valid while the document is
/// alive; whoever keeps one keeps the document.
// SAFETY: nothing changes after publication: `seal(revision:)`, `markFetched()` and
// `markIDFilledIn()`, the mutations, are called by the builder, the commit path and the replay, before any other thread can see the document.
package struct Document: @unchecked Sendable {
    private let storage: DocumentStorage

    private var stored: StoredDocument { StoredDocument(address) }

    /// The sequence number of the commit that wrote this document; 0 until then.
    package var revision: UInt64 { stored.header.pointee.revision }

    /// Sets the revision: once, before another thread can see the document.
    package func seal(revision: UInt64) {
        storage.withUnsafeMutablePointerToHeader { header in
            precondition(header.pointee.revision == 0, "a document is sealed once")
            header.pointee.revision = revision
        }
    }

    /// Whether it is what a fetch from the type's remote has written, as opposed to a write here.
    package var isFetched: Bool { stored.header.pointee.form & DocumentHeader.fetched != 0 }

    /// Notes that a fetch writes it: before another thread can see the document.
    package func markFetched() {
        storage.withUnsafeMutablePointerToHeader { $0.pointee.form |= DocumentHeader.fetched }
    }

    /// Whether the id was not in the body, so that an entity in its place says how to spell it.
    package var isIDFilledIn: Bool {
        stored.header.pointee.form & DocumentHeader.idFilledIn != 0
    }

    /// Whether two documents of one id have the same bytes for it, as far as can be told without
    /// looking for the member: both as plain text, or both as an integer.
    package func spellsID(like other: Document) -> Bool {
        guard let quoted = stored.isIDQuoted else { return false }
        return quoted == other.stored.isIDQuoted
    }

    /// Notes that the id was not in the body: before another thread can see the document.
    package func markIDFilledIn() {
        storage.withUnsafeMutablePointerToHeader { $0.pointee.form |= DocumentHeader.idFilledIn }
    }

    /// The canonical JSON.
    package var json: UnsafeRawBufferPointer { stored.json }

    /// The canonical JSON and the line feed behind it.
    package var line: UnsafeRawBufferPointer {
        let json = stored.json
        return UnsafeRawBufferPointer(start: json.baseAddress, count: json.count + 1)
    }

    /// The text of the id, unescaped.
    package var idBytes: UnsafeRawBufferPointer { stored.idBytes }

    /// The id as a value.
    package var id: EntityID { EntityID(checked: idBytes) }

    /// The id's value where it is an integer.
    package var integerID: Int64? { EntityID.integer(of: idBytes) }

    /// The CRC-32C of the JSON.
    package var checksum: UInt32 { stored.header.pointee.checksum }

    /// The number of top-level members, `id` included.
    package var memberCount: Int { Int(stored.header.pointee.memberCount) }

    /// The name of member `index` as canonical JSON spells it, without quotes.
    package func memberName(at index: Int) -> UnsafeRawBufferPointer { stored.name(of: index) }

    /// The value of member `index`.
    package func memberValue(at index: Int) -> JSONView { stored.value(of: index) }

    /// The value of the member whose name canonical JSON spells `name`, or nil where it is absent.
    ///
    /// - Complexity: O(members), about 1 ns each; `MemberFinder` is for many documents.
    package func member(named name: UnsafeRawBufferPointer) -> JSONView? {
        let stored = stored
        return stored.find(name).map { stored.value(of: $0) }
    }

    /// The value of the member named by a literal that needs no escapes.
    package func member(named name: StaticString) -> JSONView? {
        member(
            named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// The value at `path`, or nil where a name of it is absent or stands on what is no object.
    package func view(at path: PropertyPath) -> JSONView? { stored.view(at: path) }

    /// The bytes of the allocation, the language's header included, the allocator's not.
    package var memorySize: Int { StoredDocument.tailOffset + stored.header.pointee.tailSize }

    /// Where the document lies: its identity, and for tables that pack references.
    package var address: UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(storage).toOpaque())
    }

    /// The document at the `address` of one that somebody still keeps; this one is kept, too.
    package init(at address: UnsafeRawPointer) {
        storage = Unmanaged<DocumentStorage>.fromOpaque(address).takeUnretainedValue()
    }

    /// The addresses of the documents that lie one after the other from `first` on.
    // SAFETY: a document is one reference, and so is its memory the address of its allocation;
    // whoever keeps the documents keeps what is read there.
    package static func addresses(
        _ first: UnsafePointer<Document>
    ) -> UnsafePointer<UnsafeRawPointer> {
        UnsafeRawPointer(first).assumingMemoryBound(to: UnsafeRawPointer.self)
    }

    /// The text of the id of the document at `address`, which somebody keeps.
    package static func idBytes(at address: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        StoredDocument(address).idBytes
    }

    /// The bytes of JSON of the documents of `run`. Reads where each begins, one as soon as the
    /// other: who goes on to their values finds the headers in the cache.
    package static func jsonBytes(of run: UnsafeBufferPointer<Document>) -> Int {
        guard let first = run.baseAddress else { return 0 }
        let addresses = addresses(first)
        var sum = 0
        for index in 0..<run.count {
            sum &+= Int(StoredDocument(addresses[index]).header.pointee.jsonCount)
        }
        return sum
    }

    /// Keeps the document until `release(_:)` of its address.
    package func retain() {
        _ = Unmanaged.passRetained(storage)
    }

    /// Gives back one `retain()` of the document at `address`.
    package static func release(_ address: UnsafeRawPointer) {
        Unmanaged<DocumentStorage>.fromOpaque(address).release()
    }

    /// Tells documents apart that live at the same time, whatever is in them.
    package var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Whether both are one allocation.
    package static func === (left: Document, right: Document) -> Bool {
        left.storage === right.storage
    }

    /// Whether both are two allocations.
    package static func !== (left: Document, right: Document) -> Bool {
        left.storage !== right.storage
    }
}

// Layout.
extension Document {
    private init(storage: DocumentStorage) {
        self.storage = storage
    }

    /// Makes a document of canonical JSON and the members that a scan of it found.
    ///
    /// - Parameters:
    ///   - json: An object in canonical form, at most 4 GiB.
    ///   - origin: What the members' offsets count from, as an offset before `json`.
    ///   - id: The text of the id; a range of `json` where it lies in it.
    static func make(
        json: UnsafeRawBufferPointer, members: UnsafeBufferPointer<JSONMember>, origin: Int,
        id: UnsafeRawBufferPointer, checksum: UInt32, revision: UInt64
    ) -> Document {
        precondition(json.count <= UInt32.max, "a document is under 4 GiB")
        var idOffset = json.count + 1
        var form = DocumentHeader.idApart
        if let start = json.baseAddress, let first = id.baseAddress,
            first >= start, first + id.count <= start + json.count
        {
            idOffset = first - start
            form = 0
        }
        var shape: UInt16 = 0
        if json.count <= 0xFFFF, let start = json.baseAddress {
            shape = DocumentShapes.process.number(of: members, in: start - origin)
            form |= shape != 0 ? 2 : 4
        } else {
            form |= 8
        }
        let header = DocumentHeader(
            revision: revision, jsonCount: UInt32(json.count), checksum: checksum,
            idOffset: UInt32(idOffset), memberCount: UInt32(members.count),
            idCount: UInt16(id.count), shape: shape, form: form)
        let storage = unsafeDowncast(
            DocumentStorage.create(minimumCapacity: header.tailSize) { _ in header },
            to: DocumentStorage.self)
        let document = Document(storage: storage)
        storage.withUnsafeMutablePointers { place, tail in
            let index = UnsafeMutableRawPointer(tail)
            precondition(
                UnsafeRawPointer(place) == document.address + StoredDocument.headerOffset
                    && UnsafeRawPointer(index) == document.stored.index,
                "a document is laid out as its readers expect")
            let raw = index + header.indexSize
            UnsafeMutableRawBufferPointer(start: raw, count: json.count).copyMemory(from: json)
            raw.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: json.count, as: UInt8.self)
            if form & DocumentHeader.idApart != 0 {
                UnsafeMutableRawBufferPointer(start: raw + idOffset, count: id.count)
                    .copyMemory(from: id)
            }
            fill(index, stride: header.stride, members, origin)
        }
        return document
    }

    private static func fill(
        _ index: UnsafeMutableRawPointer, stride: Int,
        _ members: UnsafeBufferPointer<JSONMember>, _ origin: Int
    ) {
        var entry = index
        for member in members {
            let name = UInt64(Int(member.nameStart) - origin)
            let value = UInt64(Int(member.valueStart) - origin)
            switch stride {
            case 2:
                entry.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
            case 4:
                entry.storeBytes(
                    of: UInt32(truncatingIfNeeded: name | value << 16), as: UInt32.self)
            default:
                entry.storeBytes(of: name | value << 32, as: UInt64.self)
            }
            entry += stride
        }
    }
}
