import FreshetBase
import FreshetQuery

extension Query {
    /// Path and parameters of a search or a get that asks the same, without the row rule of whoever
    /// has asked.
    var address: String {
        var parameters: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) {
            if let value { parameters.append((name, value)) }
        }
        var path = "/v1/\(type.text)"
        add("filter", ownFilter.map { Self.loose($0.description) })
        if let ids {
            if ids.count == 1, isGet {
                path += "/" + Self.strict(ids[0].text)
            } else {
                add("ids", Self.list(ids))
            }
        }
        switch order {
        case .natural: break
        case .keys(let keys):
            add("order", Self.loose(keys.map(\.description).joined(separator: ",")))
        case .ids(let ids): add("order", "ids:" + Self.list(ids))
        }
        if offset > 0 { add("offset", "\(offset)") }
        if let limit, limit != Self.defaultLimit || ids != nil { add("limit", "\(limit)") }
        add("group", group.map { Self.loose($0.description) })
        add(
            "aggregate",
            aggregates.map { Self.loose($0.map(\.description).joined(separator: ",")) })
        add("distinct", distinct.map { Self.loose($0.description) })
        add("fields", fields.map { Self.loose($0.map(\.description).joined(separator: ",")) })
        switch include {
        case nil: break
        case .paths: add("include", include.map { Self.loose($0.description) })
        case .all(let depth):
            add("include", "*")
            add("depth", "\(depth)")
        }
        if count { add("count", "true") }
        if meta { add("meta", "true") }
        guard !parameters.isEmpty else { return path }
        return path + "?" + parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Whether a get of its one id asks the same.
    private var isGet: Bool {
        ownFilter == nil && limit == nil && offset == 0 && order == .natural && group == nil
            && aggregates == nil && distinct == nil && !count
    }

    private static func list(_ ids: [EntityID]) -> String {
        ids.map { strict($0.text) }.joined(separator: ",")
    }

    /// An expression as a person types it into a URL: `+` for a space, and escaped what would end it.
    private static func loose(_ text: String) -> String {
        escaped(text) { $0 > 0x20 && $0 < 0x7F && !"%&+#".utf8.contains($0) }
            .split(separator: "%20", omittingEmptySubsequences: false).joined(separator: "+")
    }

    /// Text in which only the unreserved characters stand for themselves (RFC 3986, section 2.3).
    private static func strict(_ text: String) -> String {
        escaped(text) { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._~".utf8.contains(byte)
            }
        }
    }

    private static func escaped(_ text: String, unless isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
