import FreshetJSON

/// Why a text or a JSON value is no value of a setting.
struct SettingMismatch: Error {
    let expected: String
}

extension Setting {
    /// The value that a flag or a variable spells.
    ///
    /// - Parameter texts: One, or any number for a list.
    func value(ofTexts texts: [String]) throws(SettingMismatch) -> Value {
        guard !isList else { return .list(try checked(texts)) }
        let text = texts.last ?? ""
        let value: Value? =
            switch form {
            case .flag: Self.bool(text).map { .flag($0) }
            case .text: text.isEmpty ? nil : .text(text)
            case .optionalText: .text(text)
            case .address: SettingText.address(text).map { .address(host: $0.host, port: $0.port) }
            case .words(let words): words.contains(text) ? .text(text) : nil
            case .bytes(let bounds):
                SettingText.bytes(text).flatMap { bounds.contains($0) ? .bytes($0) : nil }
            case .time(let bounds):
                SettingText.milliseconds(text).flatMap {
                    bounds.contains($0) ? .milliseconds($0) : nil
                }
            case .count(let bounds):
                SettingText.count(text).flatMap { bounds.contains($0) ? .count($0) : nil }
            case .list: nil
            }
        guard let value else { throw SettingMismatch(expected: expectation) }
        return value
    }

    /// The value that a member of the file has.
    func value(of json: JSONValue) throws(SettingMismatch) -> Value {
        switch form {
        case .flag:
            if let flag = json.boolValue { return .flag(flag) }
        case .list:
            if let elements = json.arrayValue {
                let texts = elements.compactMap(\.stringValue)
                if texts.count == elements.count { return .list(try checked(texts)) }
            }
        case .bytes, .count:
            if let number = json.int64Value, number >= 0 {
                return try value(ofTexts: [String(number)])
            }
            if case .bytes = form, let text = json.stringValue {
                return try value(ofTexts: [text])
            }
        case .text, .optionalText, .address, .words, .time:
            if let text = json.stringValue { return try value(ofTexts: [text]) }
        }
        throw SettingMismatch(expected: expectation)
    }

    /// What a fault says was expected.
    var expectation: String {
        switch form {
        case .flag: "expected true or false"
        case .text: "expected a text that is not empty"
        case .optionalText: "expected a text"
        case .address: "expected an address such as \"127.0.0.1:8080\" or \"[::1]:8080\""
        case .words(let words):
            "expected one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .bytes(let bounds):
            "expected a size such as \"16MiB\", from \(SettingText.text(bytes: bounds.lowerBound))"
                + " to \(SettingText.text(bytes: bounds.upperBound))"
        case .time(let bounds):
            "expected a time such as \"10s\", from "
                + SettingText.text(milliseconds: bounds.lowerBound)
                + " to \(SettingText.text(milliseconds: bounds.upperBound))"
        case .count(let bounds):
            bounds.upperBound == .max
                ? "expected an integer of \(bounds.lowerBound) or more"
                : "expected an integer from \(bounds.lowerBound) to \(bounds.upperBound)"
        case .list(_, .host): "expected a list of host names such as \"data.example.org\""
        case .list(_, .origin): "expected a list of origins such as \"https://app.example.org\""
        }
    }

    /// The value as a flag would spell it.
    package func text(of value: Value) -> String {
        switch value {
        case .flag(let flag): flag ? "true" : "false"
        case .text(let text): text
        case .address(let host, let port): SettingText.text(host: host, port: port)
        case .bytes(let bytes): SettingText.text(bytes: bytes)
        case .milliseconds(let time): SettingText.text(milliseconds: time)
        case .count(let count): String(count)
        case .list(let list): list.isEmpty ? "none" : list.joined(separator: ",")
        }
    }

    private func checked(_ texts: [String]) throws(SettingMismatch) -> [String] {
        for text in texts {
            switch form {
            case .list(_, .host) where !SettingText.isHostWithPort(text):
                throw SettingMismatch(
                    expected: "expected a host name such as \"data.example.org\", not \"\(text)\"")
            case .list(_, .origin) where text == "*":
                throw SettingMismatch(
                    expected: "expected single origins such as \"https://app.example.org\";"
                        + " \"*\" would open the service to every web page")
            case .list(_, .origin) where !SettingText.isOrigin(text):
                throw SettingMismatch(
                    expected: "expected an origin such as \"https://app.example.org\", without a"
                        + " path and without the port of its scheme, not \"\(text)\"")
            default: break
            }
        }
        return texts
    }

    private static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "1", "yes", "on": true
        case "false", "0", "no", "off": false
        default: nil
        }
    }
}
