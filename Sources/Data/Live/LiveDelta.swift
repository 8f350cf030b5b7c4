import FreshetBase
import FreshetJSON
import FreshetQuery

/// An encoded delta, shared by all who take the same step. Immutable.
package final class LiveDelta: Sendable {
    /// The version that the client has, and the one that it comes to.
    package let from, to: UInt64
    /// Of what the client holds afterwards.
    package let digest: UInt64
    /// The members of the event's data from `from` on, with the closing brace: the sender writes
    /// the opening one and, where a connection has several queries, `q`.
    package let members: [UInt8]
    /// Bytes of `members` that a snapshot does not have, in place of which it has rows that the
    /// delta does not put. Old values do not count, since no snapshot tells them.
    let ownBytes: Int
    /// The event made of it.
    private let encoded = LazyReference<EncodedEvent>()

    private final class EncodedEvent: Sendable {
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
    }

    init(
        _ delta: NetDelta, from: UInt64, to: UInt64, digest: UInt64, _ content: ShownContent
    ) {
        precondition(from < to, "a delta leads to a later version")
        assert(
            zip(delta.placed, delta.placed.dropFirst()).allSatisfy { $0.index < $1.index },
            "placed rows ascend")
        assert(
            Set(delta.placed.map(\.document.id)).isDisjoint(with: delta.removed.map(\.id)),
            "a row that is placed is not removed")
        self.from = from
        self.to = to
        self.digest = digest
        var output = ByteBuffer(capacity: 1024)
        output.append("\"from\":")
        output.append(decimal: from)
        output.append(",\"to\":")
        output.append(decimal: to)
        Self.append(removed: delta.removed, to: &output)
        Self.append(placed: delta.placed, to: &output)
        output.append(",\"put\":[")
        var shared = output.count
        for (index, document) in delta.put.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            ItemEncoder.append(
                document, content.projection, withMeta: content.withMeta, to: &output)
        }
        shared = output.count - shared
        output.append("]")
        let oldStart = output.count
        if let old = delta.old {
            output.append(",\"old\":{")
            for (index, entry) in old.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                entry.id.appendJSON(asInteger: false, to: &output)
                output.append(UInt8(ascii: ":"))
                ItemEncoder.append(
                    entry.document, content.projection, withMeta: content.withMeta, to: &output)
            }
            output.append("}")
        }
        let oldBytes = output.count - oldStart
        if let included = delta.included, !included.isEmpty {
            output.append(",\"included\":")
            for part in LiveIncluded.parts(of: included, limit: .max, withMeta: content.withMeta) {
                output.append(part)
            }
        }
        Self.append(dropped: delta.dropped, to: &output)
        if let total = delta.total {
            output.append(",\"total\":")
            output.append(decimal: total)
        }
        output.append(",\"commits\":")
        output.append(decimal: delta.commits)
        output.append("}")
        members = [UInt8](output.bytes)
        ownBytes = members.count - oldBytes - shared
    }

    /// The whole event that all of one kind of receiver are sent; `encode` makes it for the first of
    /// them. Of two who come at once one has made it in vain.
    package func event(_ encode: () -> [UInt8]) -> [UInt8] {
        (encoded.load() ?? encoded.storeIfNil(EncodedEvent(encode()))).bytes
    }

    private static func append(
        removed: [(id: EntityID, reason: RemovalReason)], to output: inout ByteBuffer
    ) {
        output.append(",\"remove\":{")
        for (index, entry) in removed.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            entry.id.appendJSON(asInteger: false, to: &output)
            output.append(":\"")
            output.append(entry.reason.name)
            output.append(UInt8(ascii: "\""))
        }
        output.append("}")
    }

    /// Ids by type, as `included` has them for names.
    private static func append(dropped: [LiveIncluded.Row], to output: inout ByteBuffer) {
        guard !dropped.isEmpty else { return }
        output.append(",\"dropped\":{")
        for (index, row) in dropped.enumerated() {
            if index > 0, dropped[index - 1].type == row.type {
                output.append(UInt8(ascii: ","))
            } else {
                output.append(index > 0 ? "],\"" : "\"")
                output.append(text: row.type.text)
                output.append("\":[")
            }
            row.document.id.appendJSON(asInteger: false, to: &output)
        }
        output.append("]}")
    }

    /// Ids stand as the entity spells them, so that they compare with those of items.
    private static func append(placed: [NetDelta.Place], to output: inout ByteBuffer) {
        output.append(",\"place\":[")
        for (index, place) in placed.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "["))
            if let id = place.document.member(named: "id") {
                output.append(id.bytes)
            } else {
                place.document.id.appendJSON(asInteger: false, to: &output)
            }
            output.append(UInt8(ascii: ","))
            output.append(decimal: place.index)
            output.append(UInt8(ascii: "]"))
        }
        output.append("]")
    }
}
