import FreshetBase

/// The address under which an upstream is reached: scheme, host, port, and a path before all
/// others.
///
/// Made of the configuration's text alone; requests add paths behind it and can never change what
/// stands before them.
package struct UpstreamBase: Sendable, Equatable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https

        var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package let scheme: Scheme
    /// In lower case, an IPv6 address in brackets.
    package let host: String
    package let port: UInt16
    /// Begins with `/` and does not end with one, or is empty.
    package let path: String
    /// Scheme, host and port: what a redirect must not leave.
    package let origin: String

    /// What was expected of a text that is no base.
    package static let expectation =
        "an address such as \"https://api.example.org/v2\": http or https, a host, and nothing"
        + " behind the path"

    /// - Returns: nil unless `text` is `http://` or `https://`, a host, a port if wanted, and a path
    ///   if wanted, without user, query, fragment, white space, and segments `.` or `..`.
    package init?(_ text: String) {
        guard let colon = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased())
        else { return nil }
        let rest = text[colon.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        guard let place = Self.place(rest[..<slash]) else { return nil }
        var path = rest[slash...]
        while path.last == "/" { path.removeLast() }
        guard Self.isPath(path) else { return nil }
        self.scheme = scheme
        host = place.host
        port = place.port ?? scheme.defaultPort
        self.path = String(path)
        origin = "\(scheme.rawValue)://\(host)" + (port == scheme.defaultPort ? "" : ":\(port)")
    }

    /// Whether `text`, which is no base, has a user in front of its host.
    package static func namesUser(_ text: String) -> Bool {
        guard let colon = text.firstRange(of: "://") else { return false }
        let rest = text.utf8[colon.upperBound...]
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        return rest[..<end].contains(UInt8(ascii: "@"))
    }

    private static func place(_ text: Substring) -> (host: String, port: UInt16?)? {
        var host = text
        var port: UInt16?
        let afterBracket = text.lastIndex(of: "]") ?? text.startIndex
        if let colon = text[afterBracket...].lastIndex(of: ":") {
            let digits = text[text.index(after: colon)...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
                let number = UInt16(digits), number > 0
            else { return nil }
            port = number
            host = text[..<colon]
        }
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 3
        let inner = isAddress ? host.dropFirst().dropLast() : host
        let fits = inner.utf8.allSatisfy { byte in
            let letter = (byte | 0x20) &- 0x61
            return isAddress
                ? letter < 6 || byte &- 0x30 < 10 || byte == 0x3A || byte == 0x2E
                : letter < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        guard fits, !inner.isEmpty, inner.utf8.count <= 253 else { return nil }
        return (host.lowercased(), port)
    }

    private static func isPath(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { PathText.isPathByte($0) || $0 == 0x2F || $0 == 0x25 }
            && PathText.hasWholeEscapes(text)
            && text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
                .allSatisfy { !PathText.isDots($0) && !$0.isEmpty }
    }

    /// `https://api.example.org/v2`, the port where it is not the scheme's own.
    package var description: String { origin + path }

    /// Whether the host is an address of the link-local networks (169.254/16, fe80::/10), where
    /// clouds keep their secrets.
    package var isLinkLocal: Bool {
        if host.hasPrefix("169.254.") { return true }
        guard host.hasPrefix("[fe"), let digit = host.dropFirst(3).first else { return false }
        return "89ab".contains(digit) && host.dropFirst(5).first == ":"
    }

    /// Where a redirect from the path and query `path` to `location` leads, as path and query behind
    /// the origin; nil where that is another origin, or no address at all.
    func redirect(from path: String, to location: String) -> String? {
        let bytes = Array(location.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }) else {
            return nil
        }
        let target = location.prefix { $0 != "#" }
        if target.hasPrefix("//") {
            return redirect(from: path, to: "\(scheme.rawValue):\(target)")
        }
        if target.hasPrefix("/") { return String(target) }
        if let colon = target.firstRange(of: "://") {
            let rest = target[colon.upperBound...]
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            guard let other = UpstreamBase(String(target[..<end])), other.origin == origin else {
                return nil
            }
            let path = String(target[end...])
            return path.hasPrefix("/") ? path : "/" + path
        }
        // Relative to the folder of the path (RFC 3986, section 5.3); a colon in the first segment
        // would be a scheme.
        guard !target.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") else { return nil }
        let plain = path.prefix { $0 != "?" }
        if target.hasPrefix("?") { return String(plain + target) }
        guard let slash = plain.lastIndex(of: "/") else { return "/" + String(target) }
        return Self.withoutDots(plain[...slash] + target)
    }

    /// The path and query without segments `.` and `..` in the path (RFC 3986, section 5.2.4).
    private static func withoutDots(_ target: Substring) -> String {
        let path = target.prefix { $0 != "?" }
        var segments: [Substring] = []
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/") + target[path.endIndex...]
    }
}

/// What may stand in a path (RFC 3986, section 3.3).
enum PathText {
    /// A byte of a segment that needs no escape.
    static func isPathByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
    }

    /// Whether each `%` has two hexadecimal digits behind it.
    static func hasWholeEscapes(_ text: some StringProtocol) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.allSatisfy { index in
            bytes[index] != 0x25
                || index + 2 < bytes.count && isHex(bytes[index + 1]) && isHex(bytes[index + 2])
        }
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }

    /// Whether a segment is `.` or `..` to somebody who decodes it, which would change the path.
    static func isDots(_ segment: some StringProtocol) -> Bool {
        guard let first = segment.utf8.first, first == 0x2E || first == 0x25,
            segment.utf8.count <= "%2e%2e".utf8.count
        else { return false }
        let plain = segment.lowercased().replacing("%2e", with: ".")
        return plain == "." || plain == ".."
    }
}
