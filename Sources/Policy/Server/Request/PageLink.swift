import FreshetBase
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
        var link = ByteBuffer(capacity: target.count + next.utf8.count + 32)
        link.append("<?")
        let isWhole = target.withUnsafeBytes { append($0, to: &link) }
        link.append("after=")
        link.append(text: next)
        link.append(">; rel=\"next\"")
        return isWhole && link.count <= maximumBytes ? Array(link.bytes) : nil
    }

    /// Appends the parameters of `target` that stay, an ampersand behind each.
    ///
    /// - Returns: false where it cannot be told which they are.
    private static func append(
        _ target: UnsafeRawBufferPointer, to link: inout ByteBuffer
    ) -> Bool {
        var start = 0
        while start < target.count {
            let end = target[start...].firstIndex(of: UInt8(ascii: "&")) ?? target.count
            let piece = UnsafeRawBufferPointer(rebasing: target[start..<end])
            start = end + 1
            let name = UnsafeRawBufferPointer(
                rebasing: piece.prefix { $0 != UInt8(ascii: "=") })
            // A name in disguise may be one of those that must not stay.
            if name.contains(UInt8(ascii: "%")) || name.contains(UInt8(ascii: "+")) {
                return false
            }
            if piece.isEmpty || spells(name, "after") || spells(name, "offset") { continue }
            escape(piece, to: &link)
            link.append(UInt8(ascii: "&"))
        }
        return true
    }

    private static func spells(_ name: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
        Bytes.equal(
            name, UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Appends `piece`, with what could end the reference or the header escaped.
    private static func escape(_ piece: UnsafeRawBufferPointer, to link: inout ByteBuffer) {
        let digits: StaticString = "0123456789ABCDEF"
        for byte in piece {
            switch byte {
            // All that is visible but `"`, `<`, `>` and `\`.
            case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D...0x7E:
                link.append(byte)
            default:
                link.append(UInt8(ascii: "%"))
                link.append(digits.utf8Start[Int(byte >> 4)])
                link.append(digits.utf8Start[Int(byte & 15)])
            }
        }
    }
}
