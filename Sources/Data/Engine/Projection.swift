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

    /// Nil where all is shown.
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
        let index: Int
        if let known = fields.firstIndex(where: { $0.name == name }) {
            index = known
        } else {
            index = fields.count
            fields.append(Field(name: name))
        }
        if depth + 1 == path.count {
            fields[index].isWhole = true
        } else {
            add(path, at: depth + 1, to: &fields[index].inner)
        }
    }

    /// Appends the JSON object of `document`, projected.
    ///
    /// - Parameter meta: A complete JSON value; where given, it is appended as the last member,
    ///   `_meta`.
    /// - Complexity: O(bytes) without fields, else O(members × fields + bytes shown).
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
        guard
            let index = fields.firstIndex(where: { field in
                field.name.withUnsafeBytes { FilterEvaluator.sameBytes($0, name) }
            })
        else { return }
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
