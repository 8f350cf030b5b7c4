package import FreshetBase
package import FreshetCore
import FreshetJSON
import FreshetQuery

/// The configuration's `access`, with every rule parsed and its `$` values in place.
package struct AccessSettings: Sendable {
    package struct Token: Sendable {
        package let name: String
        package let digest: SHA256Digest
        package let rights: AccessRights
        package let expires: WallTime?
    }

    /// Of whoever shows no token.
    package let anonymous: AccessRights
    package let tokens: [Token]
}

/// Reads `access` member by member; what is faulty grants nothing and is noted with its pointer.
enum AccessReader {
    static func access(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> AccessSettings? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let nobody = RuleValues(subject: nil, claims: nil)
        let anonymous = rights(
            reader.entries("anonymous", faults: &faults), nobody, isAdmin: false, faults: &faults)
        var tokens: [AccessSettings.Token] = []
        if let list = reader.value("tokens") {
            let place = pointer.appending("tokens")
            guard let elements = list.arrayValue else {
                faults.expected("a list of tokens", at: place)
                return nil
            }
            for (index, element) in elements.enumerated() {
                guard let token = token(element, at: place.appending(index), faults: &faults)
                else { continue }
                if tokens.contains(where: { $0.name == token.name }) {
                    faults.expected(
                        "another name: a token above is named \"\(token.name)\"",
                        at: place.appending(index).appending("name"))
                }
                if tokens.contains(where: { $0.digest == token.digest }) {
                    faults.expected(
                        "another token: one above has the same digest",
                        at: place.appending(index).appending("sha256"))
                }
                tokens.append(token)
            }
        }
        reader.finish(faults: &faults)
        return AccessSettings(anonymous: anonymous, tokens: tokens)
    }

    private static func token(
        _ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]
    ) -> AccessSettings.Token? {
        guard var reader = MemberReader(value, at: pointer, faults: &faults) else { return nil }
        let name = reader.string("name", faults: &faults)
        if reader.value("name") == nil || name?.isEmpty == true || (name?.utf8.count ?? 0) > 256 {
            faults.expected(
                "a name of 1 to 256 bytes, which the log shows", at: pointer.appending("name"))
        }
        var digest: SHA256Digest?
        if let text = reader.string("sha256", faults: &faults) {
            digest = SHA256Digest(hexadecimal: text)
            if digest == nil {
                faults.expected(
                    "the SHA-256 of the token, 64 hexadecimal digits; \"freshet token new\" makes"
                        + " both", at: pointer.appending("sha256"))
            }
        } else if reader.value("sha256") == nil {
            faults.expected(
                "the SHA-256 of the token, 64 hexadecimal digits",
                at: pointer.appending("sha256"))
        }
        let subject = reader.string("subject", faults: &faults)
        var claims: JSONValue?
        if let value = reader.value("claims") {
            if value.objectValue == nil {
                faults.expected("an object", at: pointer.appending("claims"))
            }
            claims = value
        }
        let isAdmin = reader.bool("admin", faults: &faults) ?? false
        var expires: WallTime?
        if let text = reader.string("expires", faults: &faults) {
            expires = WallTime(rfc3339: text)
            if expires == nil {
                faults.expected(
                    "a time such as \"2027-01-01T00:00:00Z\"", at: pointer.appending("expires"))
            }
        }
        let values = RuleValues(subject: subject ?? name, claims: claims)
        let hasTypes = reader.value("types") != nil
        let types = reader.entries("types", faults: &faults)
        reader.finish(faults: &faults)
        // An administrator exports everything, so nothing is kept from one that names no types.
        let rights =
            isAdmin && !hasTypes
            ? AccessRights(named: [:], others: .everything, isAdmin: true)
            : rights(types, values, isAdmin: isAdmin, faults: &faults)
        guard let name, let digest else { return nil }
        return AccessSettings.Token(name: name, digest: digest, rights: rights, expires: expires)
    }

    private static func rights(
        _ entries: [(name: String, value: JSONValue, pointer: JSONPointer)],
        _ values: RuleValues, isAdmin: Bool, faults: inout [SchemaFault]
    ) -> AccessRights {
        var named: [TypeName: AccessRights.OfType] = [:]
        var others = AccessRights.OfType.nothing
        for entry in entries {
            guard var reader = MemberReader(entry.value, at: entry.pointer, faults: &faults)
            else { continue }
            let read = rows("read", &reader, values, faults: &faults)
            let write = rows("write", &reader, values, faults: &faults)
            let level =
                reader.word("level", of: AccessRights.Level.self, faults: &faults) ?? .remote
            reader.finish(faults: &faults)
            let rights = AccessRights.OfType(read: read, write: write, level: level)
            if entry.name == "*" {
                others = rights
            } else if let name = TypeName(entry.name) {
                named[name] = rights
            } else {
                faults.expected("a type name, or \"*\" for all others", at: entry.pointer)
            }
        }
        return AccessRights(named: named, others: others, isAdmin: isAdmin)
    }

    /// `true`, `false` or a filter; absent is false.
    private static func rows(
        _ name: String, _ reader: inout MemberReader, _ values: RuleValues,
        faults: inout [SchemaFault]
    ) -> AccessRights.Rows {
        guard let value = reader.value(name) else { return .none }
        if let flag = value.boolValue { return flag ? .all : .none }
        let place = reader.pointer.appending(name)
        guard let text = value.stringValue else {
            faults.expected(
                "true, false, or a filter such as \"team == $claims.team\"", at: place)
            return .none
        }
        do {
            let filter = try Filter(parsing: try values.insert(into: text)).canonical()
            switch filter {
            case .constant(let flag): return flag ? .all : .none
            default: return .some(try RowRule(filter))
            }
        } catch let fault as RuleValues.Fault {
            faults.expected(fault.expected, at: place)
        } catch let fault as FilterFault {
            faults.expected(
                "a filter: \(QueryFault(fault, in: name).detail), counted with the $ values in"
                    + " place", at: place)
        } catch {
            faults.expected("a filter that can be carried out", at: place)
        }
        return .none
    }
}

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

extension WallTime {
    /// Reads `2027-01-01T00:00:00Z`, with a fraction or an offset if wanted; nil for anything else.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[range] {
                guard byte &- 0x30 <= 9 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
            index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: character) | 0x20
        }
        guard has("-", at: 4), has("-", at: 7), has("t", at: 10), has(":", at: 13),
            has(":", at: 16), let year = number(0..<4), let month = number(5..<7),
            let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19)
        else { return nil }
        guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var index = 19
        var milliseconds = 0
        if has(".", at: index) {
            index += 1
            let start = index
            var scale = 100
            while index < bytes.count, bytes[index] &- 0x30 <= 9 {
                milliseconds += Int(bytes[index] - 0x30) * scale
                scale /= 10
                index += 1
            }
            guard index > start else { return nil }
        }
        var offset = 0
        if has("z", at: index) {
            index += 1
        } else {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == 0x2D,
                has(":", at: index + 3), let hours = number(index + 1..<index + 3),
                let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == 0x2D ? -1 : 1)
            index += 6
        }
        guard index == bytes.count else { return nil }
        let days = Self.daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(milliseconds: Int64(seconds * 1000 + milliseconds))
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        month == 2
            ? (isLeap(year) ? 29 : 28)
            : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        var days = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        for earlier in 1..<month { days += Self.days(in: earlier, of: year) }
        return days + day - 1
    }
}
