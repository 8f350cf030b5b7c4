import FreshetBase
import FreshetHTTP
import FreshetJSON
import FreshetQuery

/// Turns an entity into the form that it has at the upstream, as `EntityDecoder` has taken it from there.
struct EntityEncoder {
    private let mapping: RemoteMapping
    private let sendsID: Bool
    private let nested: (TypeName, EntityID) -> Document?
    /// Whether the upstream's own form is ours.
    private let isPlain: Bool

    /// - Parameters:
    ///   - sendsID: Whether the id is sent along.
    ///   - nested: Finds what was taken out of the entity.
    init(
        _ mapping: RemoteMapping, sendsID: Bool, nested: @escaping (TypeName, EntityID) -> Document?
    ) {
        self.mapping = mapping
        self.sendsID = sendsID
        self.nested = nested
        isPlain = mapping.isPlain && sendsID
    }

    /// The document with the upstream's names of its members, and with what was taken out of it.
    func bytes(of document: Document) -> [UInt8] {
        isPlain ? Array(document.json) : JSONValue.object(members(of: document)).bytes
    }

    /// A merge patch (RFC 7396) that makes `document` of what the upstream has.
    ///
    /// What neither knows stays as it is there, and where `old` is what the upstream has, what is in
    /// both as well, but for the id: somebody else may have changed it there.
    func patch(from old: Document?, to document: Document) -> [UInt8] {
        guard let old else { return bytes(of: document) }
        let changes = Self.patch(
            from: members(of: old), to: members(of: document), leavesEqual: old.isFetched,
            but: mapping.id.tokens.first)
        return JSONValue.object(changes).bytes
    }

    private static func patch(
        from old: [JSONValue.Member], to new: [JSONValue.Member], leavesEqual: Bool,
        but idName: String? = nil
    ) -> [JSONValue.Member] {
        // By name: an entity may have a million members.
        var before: [String: JSONValue] = [:]
        for member in old { before[member.name] = member.value }
        var result: [JSONValue.Member] = []
        result.reserveCapacity(new.count)
        for member in new {
            let known = before.removeValue(forKey: member.name)
            if let known = known?.objectValue, let value = member.value.objectValue {
                let changes = patch(from: known, to: value, leavesEqual: leavesEqual)
                if leavesEqual, changes.isEmpty { continue }
                result.append(.init(name: member.name, value: .object(changes)))
            } else if !leavesEqual || member.name == idName || member.value.bytes != known?.bytes {
                // Another spelling of a number is another value.
                result.append(member)
            }
        }
        return result
            + old.filter { before[$0.name] != nil }.map { .init(name: $0.name, value: .null) }
    }

    // MARK: Members

    private func members(of document: Document) -> [JSONValue.Member] {
        let members = JSONValue(JSONView(canonical: document.json)).objectValue ?? []
        var references: [(RemoteMapping.Extraction, JSONValue)] = []
        let own = members.filter { member in
            guard let extraction = mapping.extract.first(where: { $0.member == member.name })
            else { return true }
            references.append((extraction, member.value))
            // Where it stands in the entity's own form; deeper it was added beside that.
            return extraction.pointer.tokens.count == 1
        }
        var value = JSONValue.object(
            renamed(
                own, idAt: mapping.id, mapping.rename, sendsID: sendsID,
                // A member that stands for another one at the top has that one's name.
                placed: Dictionary(
                    references.map { ($0.0.member, $0.0.pointer.tokens[0]) },
                    uniquingKeysWith: { one, _ in one })))
        for extraction in mapping.extract {
            let ids = references.first { $0.0.member == extraction.member }?.1
            if let place = value[extraction.pointer] {
                value = value.replacing(
                    extraction.pointer.tokens[...], with: putBack(ids ?? place, extraction))
            } else if let ids {
                value = .object(
                    (value.objectValue ?? []) + [.init(name: extraction.member, value: ids)])
            }
        }
        return value.objectValue ?? []
    }

    /// The entities that `ids` name, as far as they are known here; an id of another stays.
    private func putBack(
        _ ids: JSONValue, _ extraction: RemoteMapping.Extraction
    ) -> JSONValue {
        if let list = ids.arrayValue { return .array(list.map { putBack($0, extraction) }) }
        guard let id = Self.id(ids), let document = nested(extraction.type, id) else { return ids }
        let members = JSONValue(JSONView(canonical: document.json)).objectValue ?? []
        return .object(
            renamed(members, idAt: extraction.id, extraction.rename, sendsID: true))
    }

    private static func id(_ value: JSONValue) -> EntityID? {
        value.bytes.withUnsafeBytes { try? EntityID(json: JSONView(canonical: $0)) }
    }

    /// The members by the upstream's names, each once: a renamed one and the id win over others of
    /// their names, as where an answer is read.
    private func renamed(
        _ members: [JSONValue.Member], idAt pointer: JSONPointer, _ renames: [RemoteMapping.Rename],
        sendsID: Bool, placed: [String: String] = [:]
    ) -> [JSONValue.Member] {
        var result: [JSONValue.Member] = []
        var places: [String: Int] = [:]
        for member in members {
            var name = member.name
            if name == "id" {
                // Where the id stands inside of something else, it is the upstream's affair.
                guard sendsID, pointer.tokens.count == 1 else { continue }
                name = pointer.tokens[0]
            } else {
                name =
                    placed[name] ?? renames.first { $0.local == name }?.remote ?? name
            }
            let sent = JSONValue.Member(name: name, value: member.value)
            if let place = places[name] {
                if name != member.name { result[place] = sent }
            } else {
                places[name] = result.count
                result.append(sent)
            }
        }
        return result
    }
}

extension RequestTemplate {
    /// The id that a create's `Location` names: its last segment, unescaped.
    func id(in location: String) -> EntityID? {
        let path = Substring(
            location.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        // What is no id names nothing.
        guard let last = path.divided(at: "/").last(where: { !$0.isEmpty }),
            let text = PercentDecoding.text(last)
        else { return nil }
        return try? EntityID(text)
    }
}
