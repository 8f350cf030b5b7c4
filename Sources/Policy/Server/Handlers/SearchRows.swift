package import FreshetBase
package import FreshetEngine
package import FreshetLive
package import FreshetQuery

/// Writes what a search found, from the opening brace to the end of its list, some bytes at a time:
/// `{"items":[…]`, `{"groups":[…]`, or `{"aggregates":…`.
package struct SearchRows {
    private let found: SearchResult
    private let projection: Projection
    private let withMeta: Bool
    /// What `_meta` tells of an entity; nil: nothing more than it knows itself.
    private let metadata: ((Document) -> ItemMetadata)?
    private let shape: LiveResult.Shape
    private var groups: GroupWriter?
    private var position = 0
    private var hasBegun = false

    package init(
        _ found: SearchResult, of query: Query, metadata: ((Document) -> ItemMetadata)? = nil
    ) {
        self.found = found
        self.metadata = query.meta ? metadata : nil
        projection = Projection(query)
        withMeta = query.meta
        shape = LiveResult.Shape(found)
        groups = found.groups.map { GroupWriter($0, projection, withMeta: query.meta) }
    }

    /// Appends rows until `bytes` are appended, or as many as that are read in vain, or none is left.
    ///
    /// - Returns: Whether there are more. Not called again when there are none.
    package mutating func append(upTo bytes: Int, to body: inout ByteBuffer) -> Bool {
        let start = body.count
        if !hasBegun {
            hasBegun = true
            body.append("{")
            body.append(shape.frame.opening)
        }
        switch shape {
        case .groups:
            if groups?.append(upTo: bytes, to: &body) ?? false { return true }
        case .items:
            var read = 0
            while position < found.documents.count {
                if Projection.isPieceFull(of: bytes, written: body.count - start, read: read) {
                    return true
                }
                read += found.documents[position].json.count
                if position > 0 { body.append(UInt8(ascii: ",")) }
                ItemEncoder.append(
                    found.documents[position], projection, withMeta: withMeta,
                    metadata?(found.documents[position]), to: &body)
                position += 1
            }
        case .aggregates, .aggregate:
            guard let rows = found.aggregates else { break }
            let more = rows.bytes.withUnsafeBytes { all in
                while position < rows.count {
                    if body.count - start >= bytes { return true }
                    if position > 0 { body.append(UInt8(ascii: ",")) }
                    body.append(UnsafeRawBufferPointer(rebasing: all[rows.place(of: position)]))
                    position += 1
                }
                return false
            }
            if more { return true }
        }
        body.append(shape.frame.closing)
        return false
    }
}
