package import FreshetBase
import FreshetEngine
import FreshetJSON
package import FreshetLive
package import FreshetQuery

/// What came with the items of an answer. Immutable.
package struct IncludedEntities: Sendable {
    package struct Row: Sendable {
        package let type: TypeName
        package let document: Document
    }

    package enum Outcome: String, Sendable {
        /// Every id that was followed has its entity.
        case ok
        /// Some have.
        case partial
        /// None has.
        case failed
    }

    /// Each entity once, without the items themselves: by type name, then by id.
    package let rows: [Row]
    /// Dangling ids in the same order.
    package let missing: [EntityKey]
    /// Each followed path, level by level.
    package let outcomes: [(path: String, outcome: Outcome)]
    /// The properties that were looked at for those that point back, and at whom.
    let backward: [(type: TypeName, property: [UInt8], parents: Set<EntityID>)]

    /// The rows as a live query keeps them. Computed: only who stays asks for it.
    package var watched: LiveIncluded {
        LiveIncluded(
            rows.map { LiveIncluded.Row(type: $0.type, document: $0.document) }, watch: watch)
    }

    /// The changes that may alter this.
    private var watch: LiveWatch {
        var watch = LiveWatch(shown: [:], backward: [:])
        for row in rows { watch.shown[row.type, default: []].insert(row.document.id) }
        for key in missing { watch.shown[key.type, default: []].insert(key.id) }
        for (type, property, parents) in backward {
            watch.backward[type, default: []].append(
                .init(property: property, parents: parents))
        }
        return watch
    }

    /// Hash over the rows and what is missing; part of the answer's entity tag.
    package var digest: UInt64 {
        var digest = ResultDigest()
        for row in rows {
            row.type.text.utf8.withContiguousStorageIfAvailable {
                digest.add(id: UnsafeRawBufferPointer($0), revision: 1)
            }
            digest.add(row.document)
        }
        // Outcomes follow from the rows and these.
        for key in missing {
            Array("\(key.type.text):\(key.id.text)".utf8).withUnsafeBytes {
                digest.add(id: $0, revision: 0)
            }
        }
        return digest.value
    }

    /// Appends the members of `included` for some of the rows, with the braces that belong to them:
    /// pieces in order make the whole object.
    package func append(_ range: Range<Int>, withMeta: Bool, to output: inout ByteBuffer) {
        if range.lowerBound == 0 { output.append(UInt8(ascii: "{")) }
        for index in range {
            let row = rows[index]
            if index == 0 || rows[index - 1].type != row.type {
                output.append(index == 0 ? "\"" : "},\"")
                output.append(text: row.type.text)
                output.append("\":{")
            } else {
                output.append(UInt8(ascii: ","))
            }
            row.document.id.appendJSON(asInteger: false, to: &output)
            output.append(UInt8(ascii: ":"))
            ItemEncoder.append(row.document, .all, withMeta: withMeta, to: &output)
        }
        if range.upperBound == rows.count { output.append(rows.isEmpty ? "}" : "}}") }
    }

    /// Appends `"missing":[…],"include":{…}`: ids as `type:id`, those of `roots` first.
    package func appendMeta(
        missingRoots roots: [EntityID], of type: TypeName, to output: inout ByteBuffer
    ) {
        output.append("\"missing\":[")
        let all = roots.map { EntityKey(type, $0) } + missing
        for (index, entry) in all.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(jsonString: "\(entry.type.text):\(entry.id.text)")
        }
        output.append("],\"include\":{")
        for (index, entry) in outcomes.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(jsonString: entry.path)
            output.append(":\"")
            output.append(text: entry.outcome.rawValue)
            output.append(UInt8(ascii: "\""))
        }
        output.append(UInt8(ascii: "}"))
    }
}
