package import FreshetJSON
import Glibc

/// What stands before the bytes of a document; see Document.swift. 29 bytes, without gaps.
struct DocumentHeader {
    var revision: UInt64
    var jsonCount: UInt32
    var checksum: UInt32
    /// From the first byte of the JSON.
    var idOffset: UInt32
    var memberCount: UInt32
    var idCount: UInt16
    /// The number of its shape, 0 for a document that keeps its names' places itself.
    var shape: UInt16
    /// Bytes of the index per member (2, 4 or 8), whether the id's text stands apart, whether
    /// the document is as a fetch has written it, and whether its id was filled in.
    var form: UInt8

    static let idApart: UInt8 = 1
    static let fetched: UInt8 = 16
    static let idFilledIn: UInt8 = 32

    /// Bytes of the index per member: 2 with a shape.
    @inline(__always)
    var stride: Int { Int(form & 14) }

    /// Bytes of the index, behind which the JSON begins.
    @inline(__always)
    var indexSize: Int { Int(memberCount) * stride }

    /// Bytes behind the header.
    var tailSize: Int {
        indexSize + Int(jsonCount) + 1 + (form & Self.idApart == 0 ? 0 : Int(idCount))
    }
}

/// Where a member begins, in the JSON: offsets of the name's and the value's first byte.
struct MemberPlace {
    var name: Int
    var value: Int
}

/// The bytes of a document that somebody keeps, without a reference of its own: what long loops
/// read, so that they count no references.
package struct StoredDocument {
    /// Behind the language's type and reference count.
    static let headerOffset = 16
    static let tailOffset = headerOffset + MemoryLayout<DocumentHeader>.size

    let address: UnsafeRawPointer

    /// - Parameter address: Of a document that somebody keeps as long as this is used.
    @inline(__always)
    package init(_ address: UnsafeRawPointer) {
        self.address = address
    }

    // SAFETY: every address is that of a document, whose allocation begins with the language's
    // header and has this one behind it; `Document.make` checks both offsets.
    @inline(__always)
    var header: UnsafePointer<DocumentHeader> {
        (address + Self.headerOffset).assumingMemoryBound(to: DocumentHeader.self)
    }

    /// A byte of the header and one that lies in the second cache line more often than not, with
    /// most of the index. The shortest document, `{"id":1}`, has 56 bytes.
    @inline(__always)
    var touched: UInt8 {
        header.pointee.form ^ address.load(fromByteOffset: 55, as: UInt8.self)
    }

    @inline(__always)
    var index: UnsafeRawPointer { address + Self.tailOffset }

    /// The first byte of the JSON.
    @inline(__always)
    var start: UnsafeRawPointer { index + header.pointee.indexSize }

    /// The canonical JSON.
    @inline(__always)
    package var json: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(header.pointee.jsonCount))
    }

    package var revision: UInt64 { header.pointee.revision }

    /// The text of the id, unescaped.
    @inline(__always)
    package var idBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: start + Int(header.pointee.idOffset), count: Int(header.pointee.idCount))
    }

    /// Whether the id is a string in the JSON; nil for a string with escapes, whose text stands apart.
    @inline(__always)
    var isIDQuoted: Bool? {
        guard header.pointee.form & DocumentHeader.idApart == 0 else { return nil }
        let before = start.load(
            fromByteOffset: Int(header.pointee.idOffset) - 1, as: UInt8.self)
        return before == UInt8(ascii: "\"")
    }

    @inline(__always)
    func place(of member: Int) -> MemberPlace {
        let header = header
        precondition(member >= 0 && member < Int(header.pointee.memberCount), "no such member")
        let entry = index + member * header.pointee.stride
        switch header.pointee.stride {
        case 2:
            let value = Int(entry.loadUnaligned(as: UInt16.self))
            let shape = DocumentShapes.process.shape(header.pointee.shape)
            return MemberPlace(name: value - 2 - shape.nameCount(member), value: value)
        case 4:
            let pair = entry.loadUnaligned(as: UInt32.self)
            return MemberPlace(name: Int(pair & 0xFFFF), value: Int(pair >> 16))
        default:
            let pair = entry.loadUnaligned(as: UInt64.self)
            return MemberPlace(name: Int(pair & 0xFFFF_FFFF), value: Int(pair >> 32))
        }
    }

    func name(of member: Int) -> UnsafeRawBufferPointer {
        let place = place(of: member)
        return UnsafeRawBufferPointer(
            start: start + place.name, count: place.value - 2 - place.name)
    }

    func value(of member: Int) -> JSONView {
        let begin = place(of: member).value
        let end =
            member + 1 < Int(header.pointee.memberCount)
            ? place(of: member + 1).name - 2 : Int(header.pointee.jsonCount) - 1
        return JSONView(
            canonical: UnsafeRawBufferPointer(start: start + begin, count: end - begin))
    }

    /// The member whose name canonical JSON spells `name`.
    func find(_ name: UnsafeRawBufferPointer) -> Int? {
        if header.pointee.shape != 0 {
            return DocumentShapes.process.shape(header.pointee.shape).find(name)
        }
        let json = start
        for member in 0..<Int(header.pointee.memberCount) {
            let place = place(of: member)
            guard place.value - 2 - place.name == name.count else { continue }
            guard let first = name.baseAddress else { return member }
            if memcmp(json + place.name, first, name.count) == 0 { return member }
        }
        return nil
    }

    /// The value at `path`, or nil where a name of it is absent or stands on what is no object.
    ///
    /// - Complexity: O(members + bytes of the first name's value, if there are more names).
    package func view(at path: PropertyPath) -> JSONView? {
        let names = path.names
        guard let member = names[0].bytes.withUnsafeBytes({ find($0) }) else { return nil }
        guard names.count > 1 else { return value(of: member) }
        var way = JSONDescent(value(of: member))
        for index in 1..<names.count {
            guard names[index].bytes.withUnsafeBytes({ way.enter($0) }) else { return nil }
        }
        return way.value
    }
}
