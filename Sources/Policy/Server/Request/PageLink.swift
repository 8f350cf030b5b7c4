import FreshetHTTP
import FreshetHTTPServer

/// The `Link` header to the next page: the same question with another `after`.
enum PageLink {
    /// Longer links stay away: clients bound the length of a header. `meta.next` is always there.
    private static let maximumBytes = 4096

    /// - Parameter target: The query of the request's URL as it was typed; nil where the question
    ///   is no URL, and so has no link.
    static func write(
        _ next: String, of target: [UInt8]?, _ response: inout ResponseWriter
    ) {
        guard let target, let link = link(next, target) else { return }
        link.withUnsafeBytes { response.header("Link", bytes: $0) }
    }

    static func link(_ next: String, _ target: [UInt8]) -> [UInt8]? {
        var link = Array("<?".utf8)
        for piece in target.split(separator: UInt8(ascii: "&")) {
            let name = piece.prefix { $0 != UInt8(ascii: "=") }
            // A name in disguise may be one of those that must not stay.
            if name.contains(UInt8(ascii: "%")) || name.contains(UInt8(ascii: "+")) { return nil }
            if name.elementsEqual("after".utf8) || name.elementsEqual("offset".utf8) { continue }
            for byte in piece { append(byte, to: &link) }
            link.append(UInt8(ascii: "&"))
        }
        link += Array("after=\(next)>; rel=\"next\"".utf8)
        return link.count <= maximumBytes ? link : nil
    }

    /// What could end the reference or the header is escaped.
    private static func append(_ byte: UInt8, to link: inout [UInt8]) {
        let isPlain = byte > 0x20 && byte < 0x7F && !"<>\"\\".utf8.contains(byte)
        if isPlain { return link.append(byte) }
        let digits = Array("0123456789ABCDEF".utf8)
        link += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
