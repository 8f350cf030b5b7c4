import FreshetBase

/// What a filter with a frequent slip was meant to be, for the hint of its problem: one `=` for two,
/// one `&` or `|` for two, text without quotes.
///
/// A repair is only told where the whole filter can be read after it.
enum FilterRepair {
    static let oneEqualSign = "== (one = is not enough)"
    static let oneAmpersand = "&& (one & is not enough)"
    static let oneBar = "|| (one | is not enough)"

    /// What other languages call an operator, and what it is called here.
    static let foreignOperators: [(theirs: String, ours: String)] = [
        ("=~", "~="), ("~", "~="), ("=>", ">="), ("=<", "<="), ("<>", "!="), ("=!", "!="),
        ("===", "=="), ("!==", "!="),
    ]

    /// What was expected in place of `theirs`.
    static func expected(inPlaceOf theirs: String, _ ours: String) -> String {
        "\(ours) ('\(theirs)' is no operator)"
    }

    /// Longer filters are not looked at: a hint is to be read.
    private static let longestText = 512
    private static let mostSlips = 8

    /// The text of a filter that can be read, or nil where `text` has other faults.
    static func repaired(_ text: String) -> String? {
        guard text.utf8.count <= longestText else { return nil }
        var bytes = Array(text.utf8)
        for slip in 0...mostSlips {
            let repaired = String(decoding: bytes, as: UTF8.self)
            do throws(FilterFault) {
                _ = try Filter(parsing: repaired)
                return slip == 0 ? nil : repaired
            } catch {
                guard case .syntax(let offset, let expected) = error,
                    mend(&bytes, at: offset, expected)
                else { return nil }
            }
        }
        return nil
    }

    /// The value of a parameter, as it can be typed into an address bar.
    static func typed(_ text: String) -> String {
        var typed = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ": typed += "+"
            case "+": typed += "%2B"
            case "&": typed += "%26"
            case "#": typed += "%23"
            case "%": typed += "%25"
            default: typed.unicodeScalars.append(scalar)
            }
        }
        return typed
    }

    /// A test for equality of the property `name` with the text `value`, or nil where one of them is
    /// nothing that a hint should repeat.
    static func equality(_ name: String, _ value: String) -> String? {
        guard (1...64).contains(name.utf8.count), (1...128).contains(value.utf8.count) else {
            return nil
        }
        guard let path = try? PropertyPath(parsing: name) else { return nil }
        let bare = "\(path.description)==\(value)"
        if (try? Filter(parsing: bare)) != nil { return bare }
        return repaired(bare)
    }

    /// - Returns: Whether something was changed.
    private static func mend(_ bytes: inout [UInt8], at offset: Int, _ expected: String) -> Bool {
        guard offset < bytes.count else { return false }
        for (theirs, ours) in foreignOperators
        where expected == Self.expected(inPlaceOf: theirs, ours) {
            bytes.replaceSubrange(offset..<offset + theirs.utf8.count, with: ours.utf8)
            return true
        }
        switch expected {
        case oneEqualSign, oneAmpersand, oneBar:
            bytes.insert(bytes[offset], at: offset)
            return true
        case FilterLexer.aValue, FilterLexer.aString, FilterLexer.endOfNumber:
            var start = offset
            while start > 0, isInWord(bytes[start - 1]) { start -= 1 }
            var end = offset
            while end < bytes.count, isInWord(bytes[end]) { end += 1 }
            guard start < end else { return false }
            bytes.insert(UInt8(ascii: "'"), at: end)
            bytes.insert(UInt8(ascii: "'"), at: start)
            return true
        default:
            return false
        }
    }

    /// What a text that lacks its quotes goes on with.
    private static func isInWord(_ byte: UInt8) -> Bool {
        FilterLexer.isNameByte(byte) || byte >= 0x80 || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "+")
    }
}
