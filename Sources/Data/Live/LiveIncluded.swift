import FreshetBase
import FreshetEngine
package import FreshetQuery

/// The entities that an include adds to the items of an answer. Immutable.
package struct LiveIncluded: Sendable {
    package struct Row: Sendable {
        package let type: TypeName
        package let document: Document

        package init(type: TypeName, document: Document) {
            self.type = type
            self.document = document
        }

        /// Where it stands among the others.
        func precedes(_ other: Row) -> Bool {
            type == other.type ? document.id < other.document.id : type < other.type
        }
    }

    /// Each entity once, without the items: by type, then by id.
    let rows: [Row]
    /// What may alter them.
    let watch: LiveWatch

    /// - Parameter rows: In the order of types, and of ids in each.
    package init(_ rows: [Row], watch: LiveWatch) {
        self.rows = rows
        self.watch = watch
    }

    /// About as many bytes as they have in a snapshot.
    var bytes: Int { rows.reduce(0) { $0 + $1.document.json.count + 16 } }

    /// The rows as objects by type and id, of about `limit` bytes, each complete; one at least.
    func parts(limit: Int, withMeta: Bool) -> [[UInt8]] {
        Self.parts(of: rows, limit: limit, withMeta: withMeta)
    }

    static func parts(of rows: [Row], limit: Int, withMeta: Bool) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var part = ByteBuffer(capacity: 4096)
        part.append("{")
        for (index, row) in rows.enumerated() {
            if part.count >= limit {
                part.append("}}")
                parts.append([UInt8](part.bytes))
                part.removeAll()
                part.append("{")
            }
            if part.count > 1, rows[index - 1].type == row.type {
                part.append(",")
            } else {
                part.append(part.count > 1 ? "},\"" : "\"")
                part.append(text: row.type.text)
                part.append("\":{")
            }
            row.document.id.appendJSON(asInteger: false, to: &part)
            part.append(":")
            ItemEncoder.append(row.document, .all, withMeta: withMeta, to: &part)
        }
        part.append(rows.isEmpty ? "}" : "}}")
        parts.append([UInt8](part.bytes))
        return parts
    }
}
