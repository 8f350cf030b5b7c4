/// Where a shared log is on etcd: `etcd://h1:2379,h2:2379,h3:2379/freshet`, or `etcds://` for TLS.
package struct EtcdAddress: Equatable, Sendable {
    /// Where each node takes requests of clients: `http://h1:2379`.
    package let nodes: [String]
    /// What the names of all keys begin with, without a slash at either end.
    package let prefix: String
    package let isSecure: Bool

    /// etcd's own port for clients.
    private static let usualPort = 2379
    private static let mostNodes = 16
    private static let longestPrefix = 200

    /// - Parameter text: The scheme, 1...16 nodes with commas between them, and the prefix of the keys,
    ///   1...200 letters, digits, `-`, `_`, `.` and `/`. A node without a port has 2379.
    package init(_ text: String) throws(LogAddressFault) {
        func fault(_ sentence: String) -> LogAddressFault { LogAddressFault(description: sentence) }
        let schemes = [("etcd://", false), ("etcds://", true)]
        guard let (scheme, isSecure) = schemes.first(where: { text.hasPrefix($0.0) }) else {
            throw fault("the log's URL begins with etcd://, etcds:// or postgres://")
        }
        let rest = text.dropFirst(scheme.count)
        let place = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(place.count + 1)
        guard !place.isEmpty else {
            throw fault("the log's URL names no node: \(scheme)HOST/PREFIX")
        }
        guard !place.contains("@") else {
            throw fault("user and password stand beside the log's URL, not in it")
        }
        guard !rest.contains("?"), !rest.contains("#") else {
            throw fault("the log's URL has no query and no fragment")
        }
        var nodes: [String] = []
        for node in place.split(separator: ",", omittingEmptySubsequences: false) {
            guard let found = Self.node(node) else {
                throw fault("\"\(node)\" of the log's URL is no HOST or HOST:PORT")
            }
            let base = (isSecure ? "https://" : "http://") + found
            guard !nodes.contains(base) else {
                throw fault("the log's URL names the node \(found) twice")
            }
            nodes.append(base)
        }
        guard nodes.count <= Self.mostNodes else {
            throw fault("the log's URL names \(nodes.count) nodes, at most \(Self.mostNodes)")
        }
        guard !path.isEmpty else {
            throw fault("the log's URL names no prefix of its keys: \(scheme)\(place)/PREFIX")
        }
        let isPlain = path.utf8.allSatisfy { Self.isPlain($0) || $0 == UInt8(ascii: "/") }
        guard isPlain, path.utf8.count <= Self.longestPrefix,
            path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
        else {
            throw fault(
                "the prefix \"\(path)\" of the log's URL is not 1 to \(Self.longestPrefix) letters, "
                    + "digits, \"-\", \"_\", \".\" and single \"/\" between them")
        }
        self.nodes = nodes
        self.isSecure = isSecure
        prefix = String(path)
    }

    /// `HOST:PORT` of a node as it is written; nil where it is none.
    private static func node(_ text: Substring) -> String? {
        let host: Substring
        let port: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[...end]
            port = text[text.index(after: end)...]
            let address = host.dropFirst().dropLast()
            guard address.contains(":"), address.allSatisfy({ $0.isHexDigit || ":.".contains($0) })
            else { return nil }
        } else {
            host = text.prefix { $0 != ":" }
            port = text[host.endIndex...]
            guard !host.isEmpty, host.utf8.allSatisfy(isPlain) else { return nil }
        }
        if port.isEmpty { return "\(host):\(usualPort)" }
        guard port.hasPrefix(":"), let number = UInt16(port.dropFirst()), number > 0,
            port.dropFirst().allSatisfy(\.isNumber)
        else { return nil }
        return "\(host):\(number)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-_.".utf8.contains(byte)
    }
}
