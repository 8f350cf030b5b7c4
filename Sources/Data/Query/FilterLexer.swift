import FreshetBase
import FreshetJSON

/// Reads the words of a filter's text: names, operators and literals, one after the other.
///
/// Never looks at a byte twice but for a peeked word; never recurses but for lists in lists, which
/// the depth limit bounds.
struct FilterLexer {
    /// The text; the caller keeps it alive.
    let bytes: UnsafeRawBufferPointer
    /// The next byte.
    var position = 0

    static let aValue = "a value: text in quotes, a number, true, false, null or a list [1,2]"
    static let aString = "a text in quotes"
    static let endOfNumber = "the end of the number; text stands in quotes"
    static let aName = "a property name; a name with other characters stands in backquotes"

    /// Words that are no names unless they stand in backquotes.
    static let reservedWords: Set<String> = [
        "and", "or", "not", "in", "has", "hasAny", "hasAll", "true", "false", "null",
        "exists", "isNull", "startsWith", "contains", "endsWith", "size",
    ]

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte, or 0 at the end (no filter has a zero byte outside of quotes).
    var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    func fault(_ expected: String, at offset: Int? = nil) -> FilterFault {
        .syntax(offset: offset ?? position, expected: expected)
    }

    mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Takes `text` if it is next.
    mutating func take(_ text: StaticString) -> Bool {
        guard isNext(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    func isNext(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        for index in 0..<count where bytes[position + index] != text.utf8Start[index] {
            return false
        }
        return true
    }

    /// The number of bytes of the unquoted name that is next; 0 where there is none.
    func wordLength() -> Int {
        var end = position
        guard end < bytes.count else { return 0 }
        guard ASCII.isLetter(bytes[end]) || bytes[end] == UInt8(ascii: "_") else { return 0 }
        while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
        return end - position
    }

    /// Whether `word` is the whole word that is next.
    func isNextWord(_ word: StaticString) -> Bool {
        isNext(word) && wordLength() == word.utf8CodeUnitCount
    }

    /// Takes `word` if it is the whole word that is next.
    mutating func takeWord(_ word: StaticString) -> Bool {
        guard isNextWord(word) else { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    mutating func expectEnd(_ expected: String) throws(FilterFault) {
        guard isAtEnd else { throw fault(expected) }
    }

    /// Takes `text`, after white space.
    mutating func expect(_ text: StaticString, _ expected: String) throws(FilterFault) {
        skipSpace()
        guard take(text) else { throw fault(expected) }
    }

    // MARK: Names

    mutating func path() throws(FilterFault) -> PropertyPath {
        var names = [try name()]
        while take(".") {
            guard names.count < PropertyPath.maximumCount else {
                throw .tooComplex(FilterLimits.levels)
            }
            names.append(try name())
        }
        return .shared(names)
    }

    private mutating func name() throws(FilterFault) -> String {
        if next == 0x60 { return try quotedName() }
        let count = wordLength()
        guard count > 0 else { throw fault(Self.aName) }
        let word = UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
        position += count
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func quotedName() throws(FilterFault) -> String {
        var name: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0x60 {
                guard next == 0x60 else { return String(decoding: name, as: UTF8.self) }
                position += 1
            }
            name.append(byte)
        }
        throw fault("a closing backquote")
    }

    // MARK: Literals

    mutating func literal(depth: Int) throws(FilterFault) -> Literal {
        var output = ByteBuffer(capacity: 32)
        var left = FilterLimits.elements
        try literal(depth: depth, &left, into: &output)
        return Literal(canonical: Array(output.bytes))
    }

    /// Elements in brackets, or in parentheses as `in (1,2)` has them.
    mutating func list(depth: Int) throws(FilterFault) -> [Literal] {
        skipSpace()
        let isRound = next == UInt8(ascii: "(")
        guard isRound || next == UInt8(ascii: "[") else {
            throw fault("a list such as [1,2] or (1,2)")
        }
        position += 1
        var literals: [Literal] = []
        var left = FilterLimits.elements
        skipSpace()
        if take(isRound ? ")" : "]") { return literals }
        while true {
            try countElement(&left)
            var output = ByteBuffer(capacity: 32)
            try literal(depth: depth, &left, into: &output)
            literals.append(Literal(canonical: Array(output.bytes)))
            skipSpace()
            if take(isRound ? ")" : "]") { return literals }
            guard take(",") else { throw fault(isRound ? "',' or ')'" : "',' or ']'") }
        }
    }

    private func countElement(_ left: inout Int) throws(FilterFault) {
        guard left > 0 else { throw .tooComplex(FilterLimits.list) }
        left -= 1
    }

    private mutating func literal(
        depth: Int, _ left: inout Int, into output: inout ByteBuffer
    ) throws(FilterFault) {
        skipSpace()
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let text = try string()
            text.withUnsafeBytes { output.append(jsonString: $0) }
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let number = try number()
            output.append(number)
        case UInt8(ascii: "["):
            try listLiteral(depth: depth + 1, &left, into: &output)
        default:
            if takeWord("true") {
                output.append("true")
            } else if takeWord("false") {
                output.append("false")
            } else if takeWord("null") {
                output.append("null")
            } else {
                throw fault(Self.aValue)
            }
        }
    }

    private mutating func listLiteral(
        depth: Int, _ left: inout Int, into output: inout ByteBuffer
    ) throws(FilterFault) {
        guard depth <= FilterLimits.depth else { throw .tooComplex(FilterLimits.levels) }
        position += 1
        output.append(UInt8(ascii: "["))
        skipSpace()
        if !take("]") {
            while true {
                try countElement(&left)
                try literal(depth: depth, &left, into: &output)
                skipSpace()
                if take("]") { break }
                guard take(",") else { throw fault("',' or ']'") }
                output.append(UInt8(ascii: ","))
            }
        }
        output.append(UInt8(ascii: "]"))
    }

    /// A JSON number, as it is spelled.
    mutating func number() throws(FilterFault) -> UnsafeRawBufferPointer {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let hasLeadingZero = next == UInt8(ascii: "0")
        let integerStart = position
        try digits()
        guard !hasLeadingZero || position == integerStart + 1 else {
            throw fault("a number without leading zeros", at: integerStart)
        }
        if take(".") { try digits() }
        if next | 0x20 == UInt8(ascii: "e") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        guard !Self.isNameByte(next), next != UInt8(ascii: ".") else {
            throw fault(Self.endOfNumber)
        }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
    }

    private mutating func digits() throws(FilterFault) {
        guard ASCII.isDigit(next) else { throw fault("a digit") }
        while ASCII.isDigit(next) { position += 1 }
    }

    /// A text in either kind of quotes, unescaped.
    mutating func string() throws(FilterFault) -> [UInt8] {
        let quote = next
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault(Self.aString)
        }
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote {
                position += 1
                return text
            }
            guard byte >= 0x20 else {
                throw fault("no control character in a text; \\n or \\u000a stands for one")
            }
            if byte == UInt8(ascii: "\\") {
                try escape(quote: quote, into: &text)
            } else {
                text.append(byte)
                position += 1
            }
        }
        throw fault(quote == UInt8(ascii: "'") ? "a closing '" : "a closing \"")
    }

    private mutating func escape(quote: UInt8, into text: inout [UInt8]) throws(FilterFault) {
        let start = position
        position += 1
        let letter = next
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "'") where quote == letter: text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var value = try hexadecimal(from: start)
            if value & 0xFC00 == 0xD800, take("\\u") {
                let second = try hexadecimal(from: start)
                guard second & 0xFC00 == 0xDC00 else {
                    throw fault("a complete surrogate pair", at: start)
                }
                value = 0x10000 + (value & 0x3FF) << 10 + (second & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(value) else {
                throw fault("a complete surrogate pair", at: start)
            }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default:
            throw fault("an escape of JSON: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
        }
    }

    private mutating func hexadecimal(from start: Int) throws(FilterFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = next
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw fault("four hexadecimal digits after \\u", at: start)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
    /// Where in the spelling of a text, its quote included, the byte `place` of the text begins.
    static func spelledOffset(of place: Int, in spelling: UnsafeRawBufferPointer) -> Int {
        var offset = 1
        var passed = 0
        while passed < place, offset < spelling.count {
            guard spelling[offset] == UInt8(ascii: "\\") else {
                offset += 1
                passed += 1
                continue
            }
            var lexer = FilterLexer(spelling)
            lexer.position = offset
            var text: [UInt8] = []
            // The parser took this escape before, so there is no error to lose.
            guard (try? lexer.escape(quote: spelling[0], into: &text)) != nil else { return offset }
            if passed + text.count > place { return offset }
            passed += text.count
            offset = lexer.position
        }
        return offset
    }
}
