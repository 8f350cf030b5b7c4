import FreshetBase
import FreshetJSON
import FreshetQuery

/// Where an operation's stream stands, kept in the commit of what it has brought.
struct StreamRecord: Sendable, Equatable {
    static let type = TypeName.internal("stream")

    /// Ids that are kept; a window that has more is fetched anew after a restart.
    static let mostIDs = 10_000

    /// A digest of the configuration that the stream is read by: another one begins anew.
    let digest: String
    let position: String
    /// Whether all rows that pass the operation's filter are in the stream's value.
    let isWhole: Bool
    /// The rows of a value that is not whole; nil where they are too many, or it is whole.
    let ids: [EntityID]?
    /// When the newest value came; nil in records of earlier versions.
    let at: WallTime?

    static func id(of operation: String) -> EntityID? { try? EntityID(operation) }

    init(digest: String, position: String, isWhole: Bool, ids: [EntityID]?, at: WallTime) {
        self.digest = digest
        self.position = position
        self.isWhole = isWhole
        self.ids = ids
        self.at = at
    }

    init?(_ document: Document?) {
        guard let document, let digest = document.member(named: "digest")?.string,
            let position = document.member(named: "position")?.string,
            let isWhole = document.member(named: "whole")?.bool
        else { return nil }
        self.digest = digest
        self.position = position
        self.isWhole = isWhole
        at = document.member(named: "at")?.int64.map { WallTime(milliseconds: $0) }
        ids = document.member(named: "ids").map { list in
            list.elements.compactMap { $0.string.flatMap { try? EntityID($0) } }
        }
    }

    func document(_ id: EntityID, using builder: inout DocumentBuilder) -> Document? {
        var json = ByteBuffer(capacity: 128 + 16 * (ids?.count ?? 0))
        json.append("{")
        json.member("id")
        id.appendJSON(asInteger: false, to: &json)
        json.member("digest", digest)
        json.member("position", position)
        json.member("whole")
        json.append(isWhole ? "true" : "false")
        if let at { json.member("at", Int(at.milliseconds)) }
        if let ids {
            json.member("ids", each: ids) { id, json in
                id.appendJSON(asInteger: false, to: &json)
            }
        }
        json.append("}")
        // A record that has no room leaves the stream to begin anew, which is slower and as exact.
        return try? builder.build(json: json.bytes, id: .fromBody, maximumBytes: 8 << 20)
    }
}
