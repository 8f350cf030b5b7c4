package import FreshetBase
package import FreshetEngine
package import FreshetQuery
import Synchronization

/// What a live query shows at one seq, encoded once for all its subscribers. Immutable.
package final class LiveResult: Sendable {
    /// Bytes of items in one part, unless a single item or group is larger (live.md section 4).
    package static let partBytes = 60 * 1024

    /// The commit up to which the result is exact.
    package let seq: UInt64
    /// Hash over the rows shown, in order, and the total where it is shown.
    package let digest: UInt64
    /// Matches without the window, where the query asks for them.
    package let total: Int?
    /// What the parts are made of.
    package let shape: Shape
    /// What it shows as bytes, which the same result at a later seq has, too.
    package let encoded: Encoded
    /// The items (groups, rows of figures) of each part, encoded and joined by commas; one empty
    /// part where nothing matches.
    package var parts: [[UInt8]] { encoded.parts }
    /// The included entities of each part, an object each; nil where a part has none to tell of.
    package var included: [[UInt8]?] { encoded.included }
    /// What the included entities depend on.
    let watch: LiveWatch?
    /// `content` once it was asked for, else 0.
    private let knownContent: Atomic<UInt64>

    /// The bytes of a result.
    package final class Encoded: Sendable {
        let parts: [[UInt8]]
        let included: [[UInt8]?]
        /// Of all parts.
        package let bytes: Int

        init(_ parts: [[UInt8]], _ included: [[UInt8]?]) {
            self.parts = parts
            self.included = included
            bytes =
                parts.reduce(0) { $0 + $1.count } + included.reduce(0) { $0 + ($1?.count ?? 0) }
        }
    }

    /// What a snapshot shows, by its member of the event.
    ///
    /// The `items`, `groups` and rows of `aggregates` of all parts are joined.
    package enum Shape: Sendable {
        case items, groups
        /// Rows of figures, one a group.
        case aggregates
        /// One object of figures, of all matches.
        case aggregate

        /// What stands in an event before a part and behind it.
        package var frame: (opening: StaticString, closing: StaticString) {
            switch self {
            case .items: ("\"items\":[", "]")
            case .groups: ("\"groups\":[", "]")
            case .aggregates: ("\"aggregates\":[", "]")
            case .aggregate: ("\"aggregates\":", "")
            }
        }
    }

    /// Encodes `found`, which was read at `seq`.
    convenience init(
        _ found: SearchResult, at seq: UInt64, showing content: ShownContent,
        including added: LiveIncluded? = nil, as addedContent: IncludedContent = IncludedContent()
    ) {
        let shape = Shape(found)
        let parts = PartEncoder(limit: Self.partBytes).parts(
            of: found, projection: content.projection, withMeta: content.withMeta)
        // Rows have revisions; of what is made of them the bytes tell whether it changed, but for
        // silent members among them.
        let digest: UInt64
        switch shape {
        case .items: digest = Self.digest(of: found)
        case .groups where content.showsSilent:
            digest = Self.digest(of: found.groups, content, total: found.total)
        case .groups, .aggregates, .aggregate:
            digest = Self.digest(of: parts, total: found.total)
        }
        self.init(
            shape, parts, digest: digest ^ (added.map(addedContent.digest) ?? 0),
            total: found.total, at: seq, withMeta: content.withMeta, including: added)
    }

    /// Encodes the rows of a window as it was at `seq`.
    convenience init(
        _ documents: [Document], total: Int?, digest: UInt64, at seq: UInt64,
        projection: Projection, withMeta: Bool, including added: LiveIncluded? = nil
    ) {
        let parts = PartEncoder(limit: Self.partBytes).parts(
            of: documents, projection: projection, withMeta: withMeta)
        self.init(
            .items, parts, digest: digest, total: total, at: seq, withMeta: withMeta,
            including: added)
    }

    private init(
        _ shape: Shape, _ rows: [[UInt8]], digest: UInt64, total: Int?, at seq: UInt64,
        withMeta: Bool, including added: LiveIncluded?
    ) {
        self.seq = seq
        self.total = total
        self.digest = digest
        self.shape = shape
        knownContent = Atomic(0)
        watch = added?.watch
        var parts = rows
        var included = [[UInt8]?](repeating: nil, count: parts.count)
        for objects in added?.parts(limit: Self.partBytes, withMeta: withMeta) ?? [] {
            // A small answer is one part; else what is included follows in parts of its own.
            let last = parts.count - 1
            if included[last] == nil, parts[last].count + objects.count <= Self.partBytes {
                included[last] = objects
            } else {
                parts.append([])
                included.append(objects)
            }
        }
        precondition(
            !parts.isEmpty && parts.count == included.count,
            "an answer has a part, and each part its place for what is included")
        self.encoded = Encoded(parts, included)
    }

    private init(_ other: LiveResult, at seq: UInt64) {
        self.seq = seq
        total = other.total
        digest = other.digest
        shape = other.shape
        encoded = other.encoded
        watch = other.watch
        knownContent = Atomic(other.knownContent.load(ordering: .relaxed))
    }

    /// Hash over all that a client is shown: rows that were changed and changed back are the same.
    ///
    /// - Complexity: O(bytes) the first time, about 1 ns each.
    package var content: UInt64 {
        let known = knownContent.load(ordering: .relaxed)
        guard known == 0 else { return known }
        var digest = ResultDigest()
        for part in parts { digest.add(bytes: part) }
        for objects in included { if let objects { digest.add(bytes: objects) } }
        let found = max(1, Self.digest(digest.value, with: total))
        knownContent.store(found, ordering: .relaxed)
        return found
    }

    /// The same at a later seq, at which nothing of it has changed. Shares the bytes.
    func moved(to seq: UInt64) -> LiveResult { LiveResult(self, at: seq) }

    /// The digest that cursors carry: rows in order, and the total where it is part of the answer.
    ///
    /// - Parameter showsTotal: Not where it was counted beside the question.
    package static func digest(of found: SearchResult, showsTotal: Bool = true) -> UInt64 {
        let total = showsTotal ? found.total : nil
        if let rows = found.aggregates { return digest(of: [rows.bytes], total: total) }
        return digest(found.digest, with: total)
    }

    private static func digest(of parts: [[UInt8]], total: Int?) -> UInt64 {
        var digest = ResultDigest()
        for part in parts { digest.add(bytes: part) }
        return Self.digest(digest.value, with: total)
    }

    /// Of groups whose rows have silent members: their keys, and what else is shown, in order.
    private static func digest(
        of found: GroupedItems?, _ content: ShownContent, total: Int?
    ) -> UInt64 {
        var digest = ResultDigest()
        for group in found?.groups ?? [] {
            digest.add(bytes: group.key)
            for document in found?.documents[group.rows] ?? [] {
                digest.add(id: document.idBytes, revision: content.digest(of: document))
            }
        }
        return Self.digest(digest.value, with: total)
    }

    private static func digest(_ digest: UInt64, with total: Int?) -> UInt64 {
        guard let total else { return digest }
        // An odd multiplier (2^64 divided by the golden ratio) spreads the total over all bits.
        return digest ^ (UInt64(total) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    }
}

/// How one entity stands in a list of items: projected, with `_meta` where it was asked for.
package enum ItemEncoder {
    /// - Parameter metadata: What `_meta` tells beside what the document itself knows.
    package static func append(
        _ document: Document, _ projection: Projection, withMeta: Bool,
        _ metadata: ItemMetadata? = nil,
        to output: inout ByteBuffer
    ) {
        guard withMeta else {
            if projection.isAll { return output.append(document.json) }
            return projection.write(document, into: &output)
        }
        var meta = ByteBuffer(capacity: 96)
        meta.append("{\"revision\":")
        meta.append(decimal: document.revision)
        meta.append(document.isFetched ? ",\"source\":\"remote\"" : ",\"source\":\"local\"")
        if let fetchedAt = metadata?.fetchedAt {
            meta.append(",\"fetchedAt\":\"")
            meta.append(text: fetchedAt.rfc3339)
            meta.append("\"")
        } else {
            meta.append(",\"fetchedAt\":null")
        }
        let sync = metadata?.isPending == true ? "pending" : document.isFetched ? "synced" : "none"
        meta.append(",\"sync\":\"")
        meta.append(text: sync)
        meta.append("\"}")
        projection.write(document, meta: meta.bytes, into: &output)
    }
}

/// What is known of an entity beside its document.
package struct ItemMetadata: Sendable {
    /// When it was last in an answer of its type's remote, as far as that is known.
    package var fetchedAt: WallTime?
    /// A change made here has yet to reach the remote.
    package var isPending: Bool

    package init(fetchedAt: WallTime?, isPending: Bool) {
        self.fetchedAt = fetchedAt
        self.isPending = isPending
    }
}
