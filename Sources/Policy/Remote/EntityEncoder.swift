import FreshetBase
import FreshetJSON
import FreshetQuery

/// The form that an entity has at the upstream.
enum EntityEncoder {
    /// The document with the upstream's names of its members.
    static func bytes(of document: Document, _ mapping: RemoteMapping, sendsID: Bool) -> [UInt8] {
        let idTokens = mapping.id.tokens
        if mapping.rename.isEmpty, idTokens == ["id"], sendsID { return Array(document.json) }
        let members = JSONValue(JSONView(canonical: document.json)).objectValue ?? []
        var result: [JSONValue.Member] = []
        for member in members {
            if member.name == "id" {
                // Where the id stands inside of something else, it is the upstream's affair.
                if sendsID, idTokens.count == 1 {
                    result.append(.init(name: idTokens[0], value: member.value))
                }
                continue
            }
            let name = mapping.rename.first { $0.local == member.name }?.remote ?? member.name
            result.append(.init(name: name, value: member.value))
        }
        return JSONValue.object(result).bytes
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
