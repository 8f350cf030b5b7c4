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
            if expected == FilterLexer.aValue, let written = numeral(of: bytes[start..<end]) {
                bytes.replaceSubrange(start..<end, with: written)
                return true
            }
            if let value = foreignValues[lowercased(bytes[start..<end])] {
                bytes.replaceSubrange(start..<end, with: value.utf8)
                return true
            }
            bytes.insert(UInt8(ascii: "'"), at: end)
            bytes.insert(UInt8(ascii: "'"), at: start)
            return true
        default:
            return mendWord(&bytes, at: offset)
        }
    }

    /// Words of other languages that stand where an operator was expected, the longest first.
    private static let foreignWords: [(theirs: String, ours: String)] = [
        ("is not ", "!= "), ("is ", "== "), ("and", "and"), ("or", "or"), ("in", "in"),
        ("eq", "=="), ("ne", "!="), ("gt", ">"), ("ge", ">="), ("lt", "<"), ("le", "<="),
    ]
    private static let foreignValues = [
        "true": "true", "false": "false", "null": "null", "none": "null", "nil": "null",
        "undefined": "null",
    ]
    /// Functions that other languages write as operators.
    private static let functions = [
        "contains": "contains", "like": "contains", "startswith": "startsWith",
        "endswith": "endsWith",
    ]

    /// The number that other languages read `word` as: `.5` is 0.5, `+5` is 5. nil where it is none.
    private static func numeral(of word: ArraySlice<UInt8>) -> [UInt8]? {
        var text = Array(word.first == UInt8(ascii: "+") ? word.dropFirst() : word)
        if text.first == UInt8(ascii: ".") { text.insert(UInt8(ascii: "0"), at: 0) }
        let isNumber = text.withUnsafeBytes { bytes -> Bool in
            var lexer = FilterLexer(bytes)
            // What is no number has a fault of its own, which nobody is told.
            return (try? lexer.number())?.count == bytes.count
        }
        return isNumber ? text : nil
    }

    private static func lowercased(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Mends a word in the place of an operator: `AND`, `is null`, `title contains 'x'`.
    private static func mendWord(_ bytes: inout [UInt8], at offset: Int) -> Bool {
        var end = offset
        while end < bytes.count, FilterLexer.isNameByte(bytes[end]) { end += 1 }
        guard end > offset else { return false }
        if let function = functions[lowercased(bytes[offset..<end])] {
            return call(function, &bytes, offset..<end)
        }
        let rest = lowercased(bytes[offset...])
        for (theirs, ours) in foreignWords where rest.hasPrefix(theirs) {
            let isWhole = theirs.hasSuffix(" ") || theirs.utf8.count == end - offset
            let place = offset..<offset + theirs.utf8.count
            // What is written so already has another fault.
            guard isWhole, !bytes[place].elementsEqual(ours.utf8) else { continue }
            bytes.replaceSubrange(place, with: ours.utf8)
            return true
        }
        return false
    }

    /// Makes `path WORD 'text'` into `function(path,'text')`. A pattern's `%` at its ends goes.
    private static func call(
        _ function: String, _ bytes: inout [UInt8], _ word: Range<Int>
    ) -> Bool {
        var pathEnd = word.lowerBound
        while pathEnd > 0, bytes[pathEnd - 1] == 0x20 { pathEnd -= 1 }
        var start = pathEnd
        while start > 0, isInPath(bytes[start - 1]) { start -= 1 }
        var open = word.upperBound
        while open < bytes.count, bytes[open] == 0x20 { open += 1 }
        guard start < pathEnd, open < bytes.count,
            bytes[open] == UInt8(ascii: "'") || bytes[open] == UInt8(ascii: "\""),
            let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
        else { return false }
        let percent = UInt8(ascii: "%")
        let text = bytes[(open + 1)..<close].drop { $0 == percent }
        let quote = bytes[open...open]
        let path = bytes[start..<pathEnd]
        let end = text.lastIndex { $0 != percent }.map { $0 + 1 } ?? text.startIndex
        bytes.replaceSubrange(
            start...close,
            with: Array("\(function)(".utf8) + path + [UInt8(ascii: ",")] + quote
                + text[..<end] + quote + [UInt8(ascii: ")")])
        return true
    }

    private static func isInPath(_ byte: UInt8) -> Bool {
        FilterLexer.isNameByte(byte) || byte == UInt8(ascii: ".")
    }

    /// What a text that lacks its quotes goes on with.
    private static func isInWord(_ byte: UInt8) -> Bool {
        FilterLexer.isNameByte(byte) || byte >= 0x80 || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "/")
            || byte == UInt8(ascii: "+")
    }
}
