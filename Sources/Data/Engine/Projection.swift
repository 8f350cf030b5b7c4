package import FreshetBase
import FreshetJSON
package import FreshetQuery

/// Which members of a document are written out.
///
/// Members come in the document's order, `id` always among them. A nested path keeps its nesting,
/// and goes through objects only. What a document lacks is left out, an object of which nothing is
/// left too.
package struct Projection: Sendable {
    /// A member that is shown: whole, or by some of its own.
    private struct Field: Sendable {
        /// The name as canonical JSON spells it.
        let name: [UInt8]
        var isWhole = false
        var inner: [Field] = []
    }

    /// Bytes that are read of documents for each that a piece of an answer may have: where few members
    /// are shown, reading is the work.
    private static let readsPerByte = 16

    /// Whether a piece of an answer ends: it has its `bytes`, or as many were read in vain.
    ///
    /// - Parameters:
    ///   - written: Bytes that the piece has.
    ///   - read: Bytes of the documents that it shows.
    package static func isPieceFull(of bytes: Int, written: Int, read: Int) -> Bool {
        written >= bytes || read / readsPerByte >= bytes
    }

    /// Nil where all is shown; in the order of their names, and so are those within.
    private let fields: [Field]?

    /// Shows documents as they are.
    package static let all = Projection(nil)

    /// Shows what `paths` name, and the id; all where `paths` is nil.
    package init(_ paths: [PropertyPath]?) {
        guard let paths else {
            fields = nil
            return
        }
        var top = [Field(name: Array("id".utf8), isWhole: true)]
        for path in paths { Self.add(path, at: 0, to: &top) }
        fields = top
    }

    /// Shows what the query's `fields` name.
    package init(_ query: Query) {
        self.init(query.fields)
    }

    /// Whether documents are shown as they are stored.
    package var isAll: Bool { fields == nil }

    private static func add(_ path: PropertyPath, at depth: Int, to fields: inout [Field]) {
        let name = path[depth].bytes
        let (index, isKnown) = name.withUnsafeBytes { place(of: $0, in: fields) }
        if !isKnown { fields.insert(Field(name: name), at: index) }
        if depth + 1 == path.count {
            fields[index].isWhole = true
        } else {
            add(path, at: depth + 1, to: &fields[index].inner)
        }
    }

    /// Where the field of this name stands, or would.
    private static func place(
        of name: UnsafeRawBufferPointer, in fields: [Field]
    ) -> (index: Int, isKnown: Bool) {
        var low = 0
        var high = fields.count
        while low < high {
            let middle = (low + high) / 2
            let order = fields[middle].name.withUnsafeBytes { Bytes.compare($0, name) }
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// Appends the JSON object of `document`, projected.
    ///
    /// - Parameter meta: A complete JSON value; where given, it is appended as the last member,
    ///   `_meta`.
    /// - Complexity: O(bytes) without fields, else O(members × log(fields) + bytes shown).
    package func write(
        _ document: Document, meta: UnsafeRawBufferPointer? = nil, into output: inout ByteBuffer
    ) {
        if let fields {
            output.append(UInt8(ascii: "{"))
            var isFirst = true
            for index in 0..<document.memberCount {
                Self.writeMember(
                    document.memberName(at: index), value: document.memberValue(at: index),
                    fields: fields,
                    isFirst: &isFirst, into: &output)
            }
        } else {
            output.append(UnsafeRawBufferPointer(rebasing: document.json.dropLast()))
        }
        if let meta {
            output.append(",\"_meta\":")
            output.append(meta)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// Appends the member where `fields` name it. Recursion is as deep as the deepest path.
    private static func writeMember(
        _ name: UnsafeRawBufferPointer, value: JSONView, fields: [Field],
        isFirst: inout Bool, into output: inout ByteBuffer
    ) {
        let (index, isKnown) = place(of: name, in: fields)
        guard isKnown else { return }
        let start = output.count
        if !isFirst { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\""))
        output.append(name)
        output.append("\":")
        if fields[index].isWhole {
            output.append(value.bytes)
            isFirst = false
            return
        }
        output.append(UInt8(ascii: "{"))
        var isEmpty = true
        for member in value.members {
            writeMember(
                member.name, value: member.value, fields: fields[index].inner, isFirst: &isEmpty,
                into: &output)
        }
        if isEmpty {
            output.truncate(to: start)
        } else {
            output.append(UInt8(ascii: "}"))
            isFirst = false
        }
    }
}
