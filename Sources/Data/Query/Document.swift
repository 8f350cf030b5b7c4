// A document is one allocation, because a million small ones are what memory is spent on:
//
//     object header   16   the language's type and reference count
//     DocumentHeader  27   revision, lengths, checksum, place of the id, form of the index
//     JSON             n   canonical JSON (see JSONCanonical), an object
//     line feed        1   so that an answer, or a line of an export, is one run of bytes
//     id text          i   only where the JSON does not hold it as it is: an escaped string, or a
//                          number such as 7.0; otherwise the id is a range of the JSON
//     index          4·m   per top-level member two offsets in the JSON, of 16 bits where the JSON
//                    8·m   is under 64 KiB, else of 32: the name's first byte, the value's first
//
// Canonical JSON has no white space, so the index needs no ends: a name ends two bytes before its
// value (`":`), a value ends two bytes before the next name (`,"`), the last one before the brace.
// The index is behind the JSON and unaligned, which costs nothing on the machines this runs on.
//
// A later field goes into `DocumentHeader`; a later part (interned names) behind the index, found
// by a flag of `form`. Nothing outside this file knows the layout.

import FreshetBase
package import FreshetJSON
import Glibc

/// What stands before the bytes of a document.
private struct DocumentHeader {
    var revision: UInt64
    var jsonCount: UInt32
    var checksum: UInt32
    /// From the first byte of the JSON.
    var idOffset: UInt32
    var memberCount: UInt32
    var idCount: UInt16
    var form: UInt8

    static let wideIndex: UInt8 = 1
    static let idApart: UInt8 = 2

    /// Bytes of the index per member.
    var stride: Int { form & Self.wideIndex == 0 ? 4 : 8 }

    /// Where the index begins.
    var indexOffset: Int {
        Int(jsonCount) + 1 + (form & Self.idApart == 0 ? 0 : Int(idCount))
    }
}

/// The one allocation of a document.
private final class DocumentStorage: ManagedBuffer<DocumentHeader, UInt8> {}

/// A stored entity: an immutable JSON object with its id and an index of its top-level members.
///
/// A reference: copies share one allocation. Made by `DocumentBuilder` alone. Pointers and views handed out are valid while the document is
/// alive; whoever keeps one keeps the document.
// SAFETY: nothing changes after publication: `seal(revision:)`, the one mutation, is called once,
// by the commit path, before any other thread can see the document.
package struct Document: @unchecked Sendable {
    private let storage: DocumentStorage

    /// The sequence number of the commit that wrote this document; 0 until then.
    package var revision: UInt64 {
        storage.withUnsafeMutablePointerToHeader { $0.pointee.revision }
    }

    /// Sets the revision: once, before another thread can see the document.
    package func seal(revision: UInt64) {
        storage.withUnsafeMutablePointerToHeader { header in
            precondition(header.pointee.revision == 0, "a document is sealed once")
            header.pointee.revision = revision
        }
    }

    /// The canonical JSON.
    package var json: UnsafeRawBufferPointer {
        storage.withUnsafeMutablePointers { header, tail in
            UnsafeRawBufferPointer(start: tail, count: Int(header.pointee.jsonCount))
        }
    }

    /// The canonical JSON and the line feed behind it.
    package var line: UnsafeRawBufferPointer {
        storage.withUnsafeMutablePointers { header, tail in
            UnsafeRawBufferPointer(start: tail, count: Int(header.pointee.jsonCount) + 1)
        }
    }

    /// The text of the id, unescaped.
    package var idBytes: UnsafeRawBufferPointer {
        storage.withUnsafeMutablePointers { header, tail in
            UnsafeRawBufferPointer(
                start: tail + Int(header.pointee.idOffset), count: Int(header.pointee.idCount))
        }
    }

    /// The id as a value.
    package var id: EntityID { EntityID(checked: idBytes) }

    /// The id's value where it is an integer.
    package var integerID: Int64? { EntityID.integer(of: idBytes) }

    /// The CRC-32C of the JSON.
    package var checksum: UInt32 {
        storage.withUnsafeMutablePointerToHeader { $0.pointee.checksum }
    }

    /// The number of top-level members, `id` included.
    package var memberCount: Int {
        storage.withUnsafeMutablePointerToHeader { Int($0.pointee.memberCount) }
    }

    /// The name of member `index` as canonical JSON spells it, without quotes.
    package func memberName(at index: Int) -> UnsafeRawBufferPointer {
        storage.withUnsafeMutablePointers { header, tail in
            let member = Self.place(of: index, header.pointee, tail)
            return UnsafeRawBufferPointer(
                start: tail + member.name, count: member.value - 2 - member.name)
        }
    }

    /// The value of member `index`.
    package func memberValue(at index: Int) -> JSONView {
        storage.withUnsafeMutablePointers { header, tail in
            Self.value(at: index, header.pointee, tail)
        }
    }

    /// The value of the member whose name canonical JSON spells `name`, or nil where it is absent.
    ///
    /// - Complexity: O(members), about 1 ns each.
    package func member(named name: UnsafeRawBufferPointer) -> JSONView? {
        storage.withUnsafeMutablePointers { header, tail in
            guard let index = Self.find(name, header.pointee, tail) else { return nil }
            return Self.value(at: index, header.pointee, tail)
        }
    }

    /// The value of the member named by a literal that needs no escapes.
    package func member(named name: StaticString) -> JSONView? {
        member(
            named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// The value at `path`, or nil where a name of it is absent or stands on what is no object.
    package func view(at path: PropertyPath) -> JSONView? {
        let names = path.names
        guard var view = names[0].bytes.withUnsafeBytes({ member(named: $0) }) else { return nil }
        for index in 1..<names.count {
            guard let next = JSONMemberSearch.member(named: names[index].bytes, in: view) else {
                return nil
            }
            view = next
        }
        return view
    }

    /// The bytes of the allocation, the language's header included, the allocator's not.
    package var memorySize: Int {
        storage.withUnsafeMutablePointers { header, tail in
            (UnsafeRawPointer(tail) - address) + header.pointee.indexOffset
                + Int(header.pointee.memberCount) * header.pointee.stride
        }
    }

    /// Where the document lies: its identity, and for tables that pack references.
    package var address: UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(storage).toOpaque())
    }

    /// The document at the `address` of one that somebody still keeps; this one is kept, too.
    package init(at address: UnsafeRawPointer) {
        storage = Unmanaged<DocumentStorage>.fromOpaque(address).takeUnretainedValue()
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

    /// Where a member begins: offsets of the name's and the value's first byte.
    private struct Place {
        var name: Int
        var value: Int
    }

    @inline(__always)
    private static func place(
        of index: Int, _ header: DocumentHeader, _ tail: UnsafeMutablePointer<UInt8>
    ) -> Place {
        precondition(index >= 0 && index < Int(header.memberCount), "no such member")
        let raw = UnsafeRawPointer(tail) + header.indexOffset + index * header.stride
        if header.form & DocumentHeader.wideIndex == 0 {
            let pair = raw.loadUnaligned(as: UInt32.self)
            return Place(name: Int(pair & 0xFFFF), value: Int(pair >> 16))
        }
        let pair = raw.loadUnaligned(as: UInt64.self)
        return Place(name: Int(pair & 0xFFFF_FFFF), value: Int(pair >> 32))
    }

    @inline(__always)
    private static func value(
        at index: Int, _ header: DocumentHeader, _ tail: UnsafeMutablePointer<UInt8>
    ) -> JSONView {
        let start = place(of: index, header, tail).value
        let end =
            index + 1 < Int(header.memberCount)
            ? place(of: index + 1, header, tail).name - 2 : Int(header.jsonCount) - 1
        return JSONView(
            canonical: UnsafeRawBufferPointer(start: tail + start, count: end - start))
    }

    private static func find(
        _ name: UnsafeRawBufferPointer, _ header: DocumentHeader,
        _ tail: UnsafeMutablePointer<UInt8>
    ) -> Int? {
        for index in 0..<Int(header.memberCount) {
            let member = place(of: index, header, tail)
            let count = member.value - 2 - member.name
            guard count == name.count else { continue }
            guard let start = name.baseAddress else { return index }
            if memcmp(tail + member.name, start, count) == 0 { return index }
        }
        return nil
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
        if json.count > 0xFFFF { form |= DocumentHeader.wideIndex }
        let header = DocumentHeader(
            revision: revision, jsonCount: UInt32(json.count), checksum: checksum,
            idOffset: UInt32(idOffset), memberCount: UInt32(members.count),
            idCount: UInt16(id.count), form: form)
        let size = header.indexOffset + members.count * header.stride
        let storage = unsafeDowncast(
            DocumentStorage.create(minimumCapacity: size) { _ in header },
            to: DocumentStorage.self)
        storage.withUnsafeMutablePointerToElements { tail in
            let raw = UnsafeMutableRawPointer(tail)
            UnsafeMutableRawBufferPointer(start: raw, count: json.count).copyMemory(from: json)
            raw.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: json.count, as: UInt8.self)
            if form & DocumentHeader.idApart != 0 {
                UnsafeMutableRawBufferPointer(start: raw + idOffset, count: id.count)
                    .copyMemory(from: id)
            }
            var index = raw + header.indexOffset
            for member in members {
                let name = UInt64(Int(member.nameStart) - origin)
                let value = UInt64(Int(member.valueStart) - origin)
                if form & DocumentHeader.wideIndex == 0 {
                    index.storeBytes(
                        of: UInt32(truncatingIfNeeded: name | value << 16), as: UInt32.self)
                } else {
                    index.storeBytes(of: name | value << 32, as: UInt64.self)
                }
                index += header.stride
            }
        }
        return Document(storage: storage)
    }
}

/// Member look-up in nested objects by canonical name.
enum JSONMemberSearch {
    /// The member of `object` whose canonical name is `name`; nil also where it is no object.
    static func member(named name: [UInt8], in object: JSONView) -> JSONView? {
        name.withUnsafeBytes { name in
            for member in object.members where Bytes.equal(member.name, name) {
                return member.value
            }
            return nil
        }
    }
}
