import FreshetBase
import FreshetJSON
import FreshetQuery

/// The form that an entity has at the upstream.
enum EntityEncoder {
    /// The document with the upstream's names of its members.
    static func bytes(of document: Document, _ mapping: RemoteMapping, sendsID: Bool) -> [UInt8] {
        if mapping.rename.isEmpty, mapping.id.tokens == ["id"], sendsID {
            return Array(document.json)
        }
        return JSONValue.object(members(of: document, mapping, sendsID: sendsID)).bytes
    }

    /// A merge patch (RFC 7396) that makes `document` of what the upstream has: all that it has in it,
    /// and null for what `old` has and it has not. What neither knows stays as it is there.
    static func patch(
        from old: Document?, to document: Document, _ mapping: RemoteMapping, sendsID: Bool
    ) -> [UInt8] {
        guard let old else { return bytes(of: document, mapping, sendsID: sendsID) }
        return JSONValue.object(
            patch(
                from: members(of: old, mapping, sendsID: sendsID),
                to: members(of: document, mapping, sendsID: sendsID))
        ).bytes
    }

    private static func patch(
        from old: [JSONValue.Member], to new: [JSONValue.Member]
    ) -> [JSONValue.Member] {
        // By name: an entity may have a million members.
        var before: [String: JSONValue] = [:]
        for member in old { before[member.name] = member.value }
        var result = new
        for index in result.indices {
            let known = before.removeValue(forKey: result[index].name)
            if let known = known?.objectValue, let value = result[index].value.objectValue {
                result[index].value = .object(patch(from: known, to: value))
            }
        }
        result += old.filter { before[$0.name] != nil }.map { .init(name: $0.name, value: .null) }
        return result
    }

    /// The members by the upstream's names, each once: a renamed one and the id win over others of
    /// their names, as where an answer is read.
    private static func members(
        of document: Document, _ mapping: RemoteMapping, sendsID: Bool
    ) -> [JSONValue.Member] {
        let idTokens = mapping.id.tokens
        var result: [JSONValue.Member] = []
        var places: [String: Int] = [:]
        for member in JSONValue(JSONView(canonical: document.json)).objectValue ?? [] {
            var name = member.name
            if name == "id" {
                // Where the id stands inside of something else, it is the upstream's affair.
                guard sendsID, idTokens.count == 1 else { continue }
                name = idTokens[0]
            } else {
                name = mapping.rename.first { $0.local == name }?.remote ?? name
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
        let path = location.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(last.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        // What is no id names nothing.
        return try? EntityID(String(decoding: bytes, as: UTF8.self))
    }
}
