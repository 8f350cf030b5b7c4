import FreshetBase
/// The textual forms of settings: sizes, times, addresses, host names and origins.
package enum SettingText {
    /// Patterns of the JSON Schema: what `bytes` and `milliseconds` take.
    static let sizePattern = "^[0-9]+(B|KiB|MiB|GiB|KB|kB|MB|GB)?$"
    static let timePattern = "^[0-9]+(ms|s|m|h|d)$"

    private static func product(_ number: Int, _ factor: Int) -> Int? {
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// `4096`, `64KiB`, `16MiB`, `1GiB`; also `KB`, `MB`, `GB` by thousands.
    package static func bytes(_ text: String) -> Int? {
        guard let (number, unit) = split(text) else { return nil }
        let factor: Int
        switch unit {
        case "", "B": factor = 1
        case "KiB": factor = 1 << 10
        case "MiB": factor = 1 << 20
        case "GiB": factor = 1 << 30
        case "KB", "kB": factor = 1_000
        case "MB": factor = 1_000_000
        case "GB": factor = 1_000_000_000
        default: return nil
        }
        return product(number, factor)
    }

    /// `[0-9]+(ms|s|m|h|d)`, in milliseconds.
    package static func milliseconds(_ text: String) -> Int? {
        guard let (number, unit) = split(text) else { return nil }
        let factor: Int
        switch unit {
        case "ms": factor = 1
        case "s": factor = 1_000
        case "m": factor = 60_000
        case "h": factor = 3_600_000
        case "d": factor = 86_400_000
        default: return nil
        }
        return product(number, factor)
    }

    package static func count(_ text: String) -> Int? {
        guard let (number, unit) = split(text), unit.isEmpty else { return nil }
        return number
    }

    /// `HOST:PORT`, `[::1]:PORT`, `:PORT` (every address) or `PORT` (loopback).
    package static func address(_ text: String) -> (host: String, port: UInt16)? {
        if let port = port(text) { return ("127.0.0.1", port) }
        guard let colon = text.lastIndex(of: ":"),
            let port = port(String(text[text.index(after: colon)...]))
        else { return nil }
        var host = String(text[..<colon])
        if host.isEmpty { return ("0.0.0.0", port) }
        if host.hasPrefix("["), host.hasSuffix("]"), host.count > 2 {
            host = String(host.dropFirst().dropLast())
            let fits = host.utf8.allSatisfy { isHex($0) || $0 == colonByte || $0 == dotByte }
            return fits ? (host, port) : nil
        }
        return isHost(host) ? (host, port) : nil
    }

    /// Whether only this machine can reach `host`.
    package static func isLoopback(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// A host name or address without a port, such as `data.example.org`.
    static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 253
            && text.utf8.allSatisfy {
                isHex($0) || ($0 | 0x20) &- 0x61 <= 25 || $0 == dotByte
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    /// A host with a port if wanted, as `hosts` takes it.
    static func isHostWithPort(_ text: String) -> Bool {
        if isHost(text) { return true }
        if text.hasPrefix("["), text.hasSuffix("]") { return address(text + ":1") != nil }
        guard !text.hasPrefix(":") else { return false }
        return address(text) != nil
    }

    /// `https://example.org` or `http://localhost:5173`: scheme, host, port, and nothing more, as
    /// browsers send it: without the scheme's own port.
    static func isOrigin(_ text: String) -> Bool {
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")]
        where text.hasPrefix(scheme) {
            return !text.hasSuffix(port) && isHostWithPort(String(text.dropFirst(scheme.count)))
        }
        return false
    }

    /// `16MiB`, `1536`: the largest unit that divides the number.
    package static func text(bytes: Int) -> String {
        for (unit, factor) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        where bytes >= factor && bytes % factor == 0 {
            return "\(bytes / factor)\(unit)"
        }
        return String(bytes)
    }

    /// `10s`, `1500ms`, `30m`.
    package static func text(milliseconds: Int) -> String {
        Duration.milliseconds(milliseconds).shortText
    }

    /// `127.0.0.1:8080`, with brackets around an IPv6 address.
    package static func text(host: String, port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    private static let colonByte = UInt8(ascii: ":")
    private static let dotByte = UInt8(ascii: ".")

    private static func isHex(_ byte: UInt8) -> Bool {
        byte &- 0x30 <= 9 || (byte | 0x20) &- 0x61 <= 5
    }

    private static func port(_ text: String) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else { return nil }
        return UInt16(text)
    }

    /// The digits at the front as a number, and what follows them.
    private static func split(_ text: String) -> (Int, String)? {
        let digits = text.utf8.prefix { $0 &- 0x30 <= 9 }
        guard let number = Int(String(digits) ?? "") else { return nil }
        return (number, String(text.dropFirst(digits.count)))
    }
}
