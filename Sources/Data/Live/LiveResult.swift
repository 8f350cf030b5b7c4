package import FreshetBase
package import FreshetEngine
package import FreshetQuery

/// What a live query shows at one seq, encoded once for all its subscribers. Immutable.
package final class LiveResult: Sendable {
    /// Bytes of items in one part, unless a single item is larger (live.md section 4).
    package static let partBytes = 60 * 1024

    /// The commit up to which the result is exact.
    package let seq: UInt64
    /// Hash over the rows shown, in order, and the total where it is shown.
    package let digest: UInt64
    /// Matches without the window, where the query asks for them.
    package let total: Int?
    /// The items of each part, encoded and joined by commas; one empty part where nothing matches.
    package let parts: [[UInt8]]
    /// The included entities of each part, an object each; nil where a part has none to tell of.
    package let included: [[UInt8]?]
    /// What the included entities depend on.
    let watch: LiveWatch?

    /// What an include adds to a result.
    package struct Included: Sendable {
        let parts: [[UInt8]]
        let digest: UInt64
        let watch: LiveWatch

        /// - Parameter parts: Objects by type and id, of about `partBytes`; one at least.
        package init(parts: [[UInt8]], digest: UInt64, watch: LiveWatch) {
            self.parts = parts
            self.digest = digest
            self.watch = watch
        }
    }

    /// Encodes `found`, which was read at `seq`.
    package convenience init(
        _ found: SearchResult, at seq: UInt64, projection: Projection, withMeta: Bool,
        including added: Included? = nil
    ) {
        self.init(
            found.documents, total: found.total,
            digest: Self.digest(of: found) ^ (added?.digest ?? 0), at: seq,
            projection: projection, withMeta: withMeta, including: added)
    }

    /// Encodes the rows of a window as it was at `seq`.
    init(
        _ documents: [Document], total: Int?, digest: UInt64, at seq: UInt64,
        projection: Projection, withMeta: Bool, including added: Included? = nil
    ) {
        self.seq = seq
        self.total = total
        self.digest = digest
        watch = added?.watch
        var parts: [[UInt8]] = []
        var part = ByteBuffer(capacity: 4096)
        for document in documents {
            if part.count >= Self.partBytes {
                parts.append([UInt8](part.bytes))
                part.removeAll()
            }
            if !part.isEmpty { part.append(UInt8(ascii: ",")) }
            ItemEncoder.append(document, projection, withMeta: withMeta, to: &part)
        }
        parts.append([UInt8](part.bytes))
        var included = [[UInt8]?](repeating: nil, count: parts.count)
        for objects in added?.parts ?? [] {
            // A small answer is one part; else what is included follows in parts of its own.
            let last = parts.count - 1
            if included[last] == nil, parts[last].count + objects.count <= Self.partBytes {
                included[last] = objects
            } else {
                parts.append([])
                included.append(objects)
            }
        }
        self.parts = parts
        self.included = included
    }

    /// The digest that cursors carry: rows in order, and the total where it is part of the answer.
    package static func digest(of found: SearchResult) -> UInt64 {
        guard let total = found.total else { return found.digest }
        // An odd multiplier (2^64 divided by the golden ratio) spreads the total over all bits.
        return found.digest ^ (UInt64(total) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    }
}

/// How one entity stands in a list of items: projected, with `_meta` where it was asked for.
package enum ItemEncoder {
    package static func append(
        _ document: Document, _ projection: Projection, withMeta: Bool, to output: inout ByteBuffer
    ) {
        guard withMeta else {
            projection.write(document, into: &output)
            return
        }
        var meta = ByteBuffer(capacity: 96)
        meta.append("{\"revision\":")
        meta.append(decimal: document.revision)
        meta.append(",\"source\":\"local\",\"fetchedAt\":null,\"sync\":\"none\"}")
        projection.write(document, meta: meta.bytes, into: &output)
    }
}
