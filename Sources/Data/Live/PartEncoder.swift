package import FreshetBase
package import FreshetEngine
import FreshetQuery

extension LiveResult.Shape {
    package init(_ found: SearchResult) {
        if let rows = found.aggregates {
            self = rows.isGrouped ? .aggregates : .aggregate
        } else {
            self = found.groups == nil ? .items : .groups
        }
    }
}

/// Encodes what a search found in parts of bounded size, joined by commas; one empty part where
/// there is nothing.
struct PartEncoder: ~Copyable {
    private let limit: Int
    private var parts: [[UInt8]] = []
    private var part = ByteBuffer(capacity: 4096)

    /// - Parameter limit: Bytes at which a part ends; the row that passes it is its last.
    init(limit: Int) {
        self.limit = limit
    }

    consuming func parts(
        of found: SearchResult, projection: Projection, withMeta: Bool
    ) -> [[UInt8]] {
        if let rows = found.aggregates {
            rows.bytes.withUnsafeBytes { bytes in
                for index in 0..<rows.count {
                    beginRow()
                    part.append(UnsafeRawBufferPointer(rebasing: bytes[rows.place(of: index)]))
                }
            }
        } else if let groups = found.groups {
            var writer = GroupWriter(groups, projection, withMeta: withMeta)
            while writer.append(upTo: limit, endsParts: true, to: &part) { finishPart() }
        } else {
            append(found.documents, projection, withMeta: withMeta)
        }
        finishPart()
        return parts
    }

    consuming func parts(
        of documents: [Document], projection: Projection, withMeta: Bool
    ) -> [[UInt8]] {
        append(documents, projection, withMeta: withMeta)
        finishPart()
        return parts
    }

    private mutating func append(
        _ documents: [Document], _ projection: Projection, withMeta: Bool
    ) {
        for document in documents {
            beginRow()
            ItemEncoder.append(document, projection, withMeta: withMeta, to: &part)
        }
    }

    private mutating func beginRow() {
        if part.count >= limit { finishPart() }
        if !part.isEmpty { part.append(UInt8(ascii: ",")) }
    }

    private mutating func finishPart() {
        parts.append([UInt8](part.bytes))
        part.removeAll()
    }
}

/// Writes the groups of a window, some bytes at a time, joined by commas.
package struct GroupWriter {
    private let items: GroupedItems
    private let projection: Projection
    private let withMeta: Bool
    private var group = 0
    private var row = 0

    package init(_ items: GroupedItems, _ projection: Projection, withMeta: Bool) {
        self.items = items
        self.projection = projection
        self.withMeta = withMeta
    }

    /// Appends rows until `bytes` are appended, or none is left.
    ///
    /// - Parameter endsParts: A group that goes on is closed, and opened again by the next call, so
    ///   that what is appended stands for itself.
    /// - Returns: Whether there are more.
    package mutating func append(
        upTo bytes: Int, endsParts: Bool, to output: inout ByteBuffer
    ) -> Bool {
        let start = output.count
        var opensGroup = endsParts
        while group < items.groups.count {
            let rows = items.groups[group].rows
            if row == rows.lowerBound || opensGroup {
                if output.count > start || (!endsParts && group > 0) {
                    output.append(UInt8(ascii: ","))
                }
                output.append("{\"key\":")
                output.append(items.groups[group].key)
                output.append(",\"items\":[")
            } else {
                output.append(UInt8(ascii: ","))
            }
            opensGroup = false
            ItemEncoder.append(items.documents[row], projection, withMeta: withMeta, to: &output)
            row += 1
            let isLast = row == rows.upperBound
            if isLast { group += 1 }
            let isFull = output.count - start >= bytes
            if isLast || (isFull && endsParts) { output.append("]}") }
            if isFull { return group < items.groups.count }
        }
        return false
    }
}
