/// The `Prefer` header (RFC 7240).
package enum Preference {
    /// Whether one of the preferences of a line is `return=minimal`.
    package static func isReturnMinimal(_ value: UnsafeRawBufferPointer) -> Bool {
        if value.equals("return=minimal") { return true }
        var preferences = CommaList(value)
        while let preference = preferences.next() {
            var parts = CommaList(preference, separator: Ascii.semicolon)
            guard let first = parts.next(), let (name, text) = MediaType.split(first) else {
                continue
            }
            // The first of several `return` counts (RFC 7240 2).
            if HeaderText.equalsIgnoringCase(name, "return") {
                return HeaderText.equalsIgnoringCase(text, "minimal")
            }
        }
        return false
    }
}
