import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery

/// What of an entity a live query shows: its `fields`, the type's silent members left out.
///
/// A change outside of it is no event. Silent members are written out with the others; they only
/// make no news.
final class ShownContent: Sendable {
    let projection: Projection
    let withMeta: Bool
    /// The projection without silent members, where the query names fields.
    private let loud: Projection?
    /// The silent members where it does not, as canonical JSON spells their names.
    private let silent: [[UInt8]]

    /// - Parameter silent: The type's silent members, as canonical JSON spells their names.
    init(_ query: Query, silent: [[UInt8]]) {
        projection = Projection(query)
        withMeta = query.meta
        // Where the revision is shown, so is every change that makes news at all.
        loud =
            query.meta
            ? nil
            : query.fields.map { fields in
                Projection(fields.filter { !silent.contains($0[0].bytes) })
            }
        self.silent = loud == nil ? silent : []
    }

    /// Whether each change of an entity shows.
    private var showsEveryChange: Bool { loud == nil && silent.isEmpty }

    /// Whether a client that holds `old` must get `new`.
    func differs(_ old: Document, _ new: Document) -> Bool {
        if old === new { return false }
        if showsEveryChange { return true }
        var left = ByteBuffer(capacity: old.json.count)
        var right = ByteBuffer(capacity: new.json.count)
        append(old, to: &left)
        append(new, to: &right)
        return !left.bytes.elementsEqual(right.bytes)
    }

    /// A hash of what is shown of `document`. The digest of a result is the sum over its rows:
    /// where they stand follows from what they are.
    func digest(of document: Document) -> UInt64 {
        var digest = ResultDigest()
        if showsEveryChange {
            digest.add(document)
        } else {
            var shown = ByteBuffer(capacity: document.json.count)
            append(document, to: &shown)
            digest.add(id: shown.bytes, revision: 0)
        }
        return digest.value
    }

    /// Appends a text that is equal where equal things are shown.
    private func append(_ document: Document, to output: inout ByteBuffer) {
        if let loud { return loud.write(document, into: &output) }
        for index in 0..<document.memberCount {
            let name = document.memberName(at: index)
            if silent.contains(where: { $0.elementsEqual(name) }) { continue }
            output.append(UInt8(ascii: "\""))
            output.append(name)
            output.append("\":")
            output.append(document.memberValue(at: index).bytes)
        }
    }
}
