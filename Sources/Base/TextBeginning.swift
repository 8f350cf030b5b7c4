extension String {
    /// The text; of a longer one the whole Unicode scalars among its first `bytes` of UTF-8.
    package func beginning(bytes: Int) -> Substring {
        guard utf8.count > bytes else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
