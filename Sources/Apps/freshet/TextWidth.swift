/// How many columns of a terminal text takes (Unicode Standard Annex #11).
enum TextWidth {
    /// Scalars that take two columns: East Asian wide and fullwidth ones, and pictures.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]

    static func columns(_ text: some StringProtocol) -> Int {
        text.utf8.count == text.utf16.count
            ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    /// The front of `text` that takes `count` columns at most.
    static func prefix(_ text: String, _ count: Int) -> Substring {
        var used = 0
        let end = text.indices.first { index in
            used += columns(text[index])
            return used > count
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// `text` in `count` columns, with a mark where something is left out.
    static func cut(_ text: String, to count: Int) -> String {
        columns(text) > count ? prefix(text, count - 1) + "…" : text
    }

    private static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first?.value else { return 0 }
        // What joins a picture makes no new column; the picture itself is asked for by U+FE0F.
        let isPicture = character.unicodeScalars.contains { $0.value == 0xFE0F }
        return isPicture || wide.contains { $0.contains(first) } ? 2 : 1
    }
}
