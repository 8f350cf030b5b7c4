/// How many columns of a terminal text takes (Unicode Standard Annex #11).
enum TextWidth {
    /// Scalars that take two columns: East Asian wide and fullwidth ones, pictures and flags.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
        0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693,
        0x26A1...0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE,
        0x26D4...0x26D4, 0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA,
        0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C,
        0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0,
        0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
        0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF,
        0x1F18E...0x1F18E, 0x1F191...0x1F19A, 0x1F1E6...0x1F1FF, 0x1F200...0x1F202,
        0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251, 0x1F260...0x1F265,
        0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0,
        0x1F900...0x1FAFF, 0x20000...0x3FFFD,
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
