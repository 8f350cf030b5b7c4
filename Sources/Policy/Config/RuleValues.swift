import FreshetJSON

/// What `$subject` and `$claims.x` stand for in the rules of one token.
struct RuleValues {
    struct Fault: Error {
        let expected: String
    }

    /// nil where there is no token.
    let subject: String?
    let claims: JSONValue?

    /// The rule with JSON literals in place of `$subject` and `$claims.name`, outside of quotes and
    /// backquotes. A filter has no `$` of its own there, and a literal cannot end another, so a
    /// value is never read as a part of the expression.
    func insert(into rule: String) throws(Fault) -> String {
        var result: [UInt8] = []
        let bytes = Array(rule.utf8)
        var quote: UInt8?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if let open = quote {
                result.append(byte)
                if byte == UInt8(ascii: "\\"), open != UInt8(ascii: "`"), index < bytes.count {
                    result.append(bytes[index])
                    index += 1
                } else if byte == open {
                    quote = nil
                }
                continue
            }
            guard byte == UInt8(ascii: "$") else {
                let isQuote =
                    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
                    || byte == UInt8(ascii: "`")
                if isQuote { quote = byte }
                result.append(byte)
                continue
            }
            var end = index
            while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
            let name = String(decoding: bytes[index..<end], as: UTF8.self)
            result += Array(try literal(name).utf8)
            index = end
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func literal(_ name: String) throws(Fault) -> String {
        let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard path == ["subject"] || path.first == "claims" && path.count > 1 else {
            throw Fault(expected: "$subject or $claims.NAME in place of $\(name)")
        }
        guard let subject else {
            throw Fault(expected: "a rule without $\(name): whoever shows no token has none")
        }
        guard path.count > 1 else { return JSONValue.string(subject).text }
        var value = claims
        for member in path.dropFirst() { value = value?[member] }
        guard let value, value.objectValue == nil else {
            throw Fault(expected: "a claim for $\(name), which is not among the token's claims")
        }
        return value.text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 25 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
