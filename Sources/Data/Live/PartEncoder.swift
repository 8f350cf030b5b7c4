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
/// there is nothing. A row, and a group with all of its rows, stands in one part, however large it is.
struct PartEncoder: ~Copyable {
    private let limit: Int
    private var parts: [[UInt8]] = []
    private var part = ByteBuffer(capacity: 4096)

    /// - Parameter limit: Bytes of a part, unless a single row or group has more.
    init(limit: Int) {
        self.limit = limit
    }

    consuming func parts(
        of found: SearchResult, projection: Projection, withMeta: Bool
    ) -> [[UInt8]] {
        if let rows = found.aggregates {
            rows.bytes.withUnsafeBytes { bytes in
                for index in 0..<rows.count {
                    let start = begin()
                    part.append(UnsafeRawBufferPointer(rebasing: bytes[rows.place(of: index)]))
                    end(start)
                }
            }
        } else if let groups = found.groups {
            var writer = GroupWriter(groups, projection, withMeta: withMeta)
            for _ in groups.groups {
                let start = begin()
                writer.appendGroup(to: &part)
                end(start)
            }
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
            let start = begin()
            ItemEncoder.append(document, projection, withMeta: withMeta, to: &part)
            end(start)
        }
    }

    /// Begins a row or a group.
    ///
    /// - Returns: Where what stands in the part already ends.
    private mutating func begin() -> Int {
        let start = part.count
        if start > 0 { part.append(UInt8(ascii: ",")) }
        return start
    }

    /// Ends it: where it has no room beside what stands in the part, it begins the next one.
    private mutating func end(_ start: Int) {
        guard part.count > limit, start > 0 else { return }
        let moved = [UInt8](part.bytes[(start + 1)...])
        part.truncate(to: start)
        finishPart()
        part.append(moved)
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

    /// Appends rows until `bytes` are appended, as many as that are read in vain, or none is left.
    ///
    /// - Returns: Whether there are more.
    package mutating func append(upTo bytes: Int, to output: inout ByteBuffer) -> Bool {
        let start = output.count
        var read = 0
        while group < items.groups.count {
            read += items.documents[row].json.count
            if group > 0, row == items.groups[group].rows.lowerBound {
                output.append(UInt8(ascii: ","))
            }
            appendRow(to: &output)
            if Projection.isPieceFull(of: bytes, written: output.count - start, read: read) {
                return group < items.groups.count
            }
        }
        return false
    }

    /// Appends the next group, whole.
    mutating func appendGroup(to output: inout ByteBuffer) {
        let next = group
        while group == next { appendRow(to: &output) }
    }

    /// Appends one row with what stands before it in its group, and behind it.
    private mutating func appendRow(to output: inout ByteBuffer) {
        let rows = items.groups[group].rows
        if row == rows.lowerBound {
            output.append("{\"key\":")
            output.append(items.groups[group].key)
            output.append(",\"items\":[")
        } else {
            output.append(UInt8(ascii: ","))
        }
        ItemEncoder.append(items.documents[row], projection, withMeta: withMeta, to: &output)
        row += 1
        if row == rows.upperBound {
            group += 1
            output.append("]}")
        }
    }
}
