import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery

/// What of an entity a live query shows: its `fields`, the type's silent members left out.
///
/// A change outside of it is no event. Silent members are written out with the others; they only
/// make no news. What a query makes of their values is no silent member: which rows match, where they
/// stand, groups and figures are told as ever.
final class ShownContent: Sendable {
    let projection: Projection
    let withMeta: Bool
    /// The projection without silent members, where the query names fields.
    private let loud: Projection?
    /// The type's silent members, as canonical JSON spells their names.
    let silent: [[UInt8]]
    /// Whether rows with one digest stand in one order. Else rows are ordered by what is not shown,
    /// and may change places while what is shown of them stays.
    let digestTellsOrder: Bool
    /// Whether silent members are written out. A client may hold older values of them, so that a row
    /// of which it is told anything comes with its body.
    let showsSilent: Bool
    /// Whether a change of silent members alone may alter more of the answer than themselves, though
    /// the same rows match.
    let dependsOnSilent: Bool

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
        self.silent = silent
        let shown = query.meta ? nil : query.fields
        digestTellsOrder = query.orderKeys.allSatisfy { key in
            let name = key.path[0]
            if key.path == .id { return true }
            guard !silent.contains(name.bytes) else { return false }
            return shown?.contains { $0.count == 1 && $0[0] == name } ?? true
        }
        showsSilent =
            !silent.isEmpty
            && shown?.contains { path in silent.contains(path[0].bytes) } ?? true
        dependsOnSilent = query.decidingMembers.contains { silent.contains($0.bytes) }
    }

    /// All of it.
    ///
    /// - Parameter silent: The type's silent members, as canonical JSON spells their names.
    init(all silent: [[UInt8]] = [], withMeta: Bool = false) {
        projection = .all
        self.withMeta = withMeta
        loud = nil
        self.silent = silent
        digestTellsOrder = true
        showsSilent = !silent.isEmpty
        dependsOnSilent = false
    }

    /// Of `_meta` in one row, with its name.
    private static let mostMetaBytes = 160

    /// Bytes of a row in a list.
    func size(of document: Document) -> Int {
        if projection.isAll, !withMeta { return document.json.count }
        var shown = ByteBuffer(capacity: document.json.count)
        ItemEncoder.append(document, projection, withMeta: withMeta, to: &shown)
        return shown.count
    }

    /// Whether a list of these rows has at most `limit` bytes. They are measured as they are shown only
    /// where they would be too many whole.
    func fits(_ documents: some Sequence<Document>, in limit: Int) -> Bool {
        let added = withMeta ? Self.mostMetaBytes : 0
        if documents.reduce(0, { $0 + $1.json.count + 1 + added }) <= limit { return true }
        if projection.isAll, !withMeta { return false }
        var rest = limit
        return documents.allSatisfy { document in
            rest -= size(of: document) + 1
            return rest >= 0
        }
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

    /// Whether silent members alone have changed, of a row that the query finds before and after, and
    /// nothing of its answer but their own values follows from them.
    func isSilent(_ old: Document, _ new: Document) -> Bool {
        guard !silent.isEmpty, !dependsOnSilent else { return false }
        var left = ByteBuffer(capacity: old.json.count)
        var right = ByteBuffer(capacity: new.json.count)
        appendMembers(of: old, to: &left)
        appendMembers(of: new, to: &right)
        return left.bytes.elementsEqual(right.bytes)
    }

    /// A hash of what is shown of `document`. The digest of a result is the sum over its rows:
    /// where they stand follows from what they are, but see `digestTellsOrder`.
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
        appendMembers(of: document, to: &output)
    }

    /// Appends all members that are not silent, and what `_meta` tells beside the revision.
    private func appendMembers(of document: Document, to output: inout ByteBuffer) {
        if withMeta { output.append(document.isFetched ? "remote" : "local") }
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

extension Query {
    /// The members of entities by which rows are ordered before their ids are compared.
    fileprivate var orderKeys: [OrderKey] {
        guard ids == nil, case .keys(let keys) = order.canonical() else { return [] }
        return keys
    }

    /// The members of entities, beside those of the filter, whose values decide more of the answer
    /// than how they are shown themselves.
    fileprivate var decidingMembers: [PropertyName] {
        let named = [group, distinct].compactMap { $0 } + (aggregates ?? []).compactMap(\.path)
        return (orderKeys.map(\.path) + named).filter { !$0.isID }.map { $0[0] }
    }
}
