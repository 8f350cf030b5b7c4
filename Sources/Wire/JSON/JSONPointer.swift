/// A JSON pointer (RFC 6901): the way to a value inside another.
package struct JSONPointer: Sendable, Hashable, CustomStringConvertible {
    /// Member names and array positions, unescaped, outermost first; none for the whole document.
    package let tokens: [String]

    /// The pointer to the whole document.
    package init() { tokens = [] }

    package init(tokens: [String]) { self.tokens = tokens }

    /// Reads a pointer's text.
    ///
    /// - Returns: Nothing unless it is empty or starts with `/`, and every `~` begins `~0` or `~1`.
    package init?(_ text: String) {
        if text.isEmpty {
            tokens = []
            return
        }
        guard text.utf8.first == UInt8(ascii: "/") else { return nil }
        var tokens: [String] = []
        for part in text.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            guard let token = Self.unescape(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    private static func unescape(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var isEscape = false
        for byte in part {
            if isEscape {
                guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
                bytes.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                isEscape = false
            } else if byte == UInt8(ascii: "~") {
                isEscape = true
            } else {
                bytes.append(byte)
            }
        }
        return isEscape ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The pointer to that member of what this one refers to.
    package func appending(_ token: String) -> JSONPointer {
        JSONPointer(tokens: tokens + [token])
    }

    /// The pointer to that element of what this one refers to.
    package func appending(_ index: Int) -> JSONPointer {
        appending(String(index))
    }

    /// The pointer's text.
    package var description: String {
        var bytes: [UInt8] = []
        for token in tokens {
            bytes.append(UInt8(ascii: "/"))
            for byte in token.utf8 {
                switch byte {
                case UInt8(ascii: "~"): bytes += "~0".utf8
                case UInt8(ascii: "/"): bytes += "~1".utf8
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What the pointer refers to inside of `view`.
    package func resolve(_ view: JSONView) -> JSONView? {
        var view = view
        for token in tokens {
            let next: JSONView?
            if view.kind == .array {
                guard let index = Self.index(token) else { return nil }
                next = view.elements.dropFirst(index).first { _ in true }
            } else {
                next = view.member(named: token)
            }
            guard let next else { return nil }
            view = next
        }
        return view
    }

    /// The array position that a token stands for: digits without a leading zero.
    static func index(_ token: String) -> Int? {
        guard token.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else { return nil }
        guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
        return Int(token)
    }

    package static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
    }
}
