/// What a client's `Accept-Encoding` says of an answer that is there compressed with gzip, too (RFC
/// 9110, section 12.5.3).
package enum AcceptedCoding {
    /// Whether the compressed form is sent: `gzip`, `x-gzip` or else `*` is named with a weight above
    /// 0, and not below that of `identity` where that is named. A client that names none gets the plain
    /// one.
    ///
    /// - Parameter value: The header's value, of several lines their list.
    package static func takesGzip(_ value: UnsafeRawBufferPointer) -> Bool {
        var gzip: Int?
        var others = 0
        var identity = 0
        var codings = CommaList(value)
        while let coding = codings.next() {
            var parts = CommaList(coding, separator: Ascii.semicolon)
            guard let name = parts.next() else { continue }
            var weight = 1000
            while let parameter = parts.next() {
                guard let (name, text) = MediaType.split(parameter),
                    HeaderText.equalsIgnoringCase(name, "q")
                else { continue }
                weight = AcceptedMedia.weight(text)
            }
            if HeaderText.equalsIgnoringCase(name, "gzip")
                || HeaderText.equalsIgnoringCase(name, "x-gzip")
            {
                gzip = max(gzip ?? 0, weight)
            } else if HeaderText.equalsIgnoringCase(name, "identity") {
                identity = weight
            } else if name.equals("*") {
                others = weight
            }
        }
        let weight = gzip ?? others
        return weight > 0 && weight >= identity
    }
}
