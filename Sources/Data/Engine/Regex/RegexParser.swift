/// Reads an expression. What it does not know is a fault with the place and what was expected
/// there, never a literal: a later version may give it a meaning.
struct RegexParser {
    let bytes: [UInt8]
    var position = 0
    /// Whether `(?i)` holds here. It does up to the end of the group in which it stands.
    var ignoresCase = false

    /// Parses all of `pattern`. O(bytes); recurses as deep as groups nest, at most 100.
    static func parse(_ pattern: String) throws(RegexFault) -> RegexNode {
        let bytes = Array(pattern.utf8)
        guard bytes.count <= RegexLimits.patternBytes else {
            throw .tooComplex(RegexLimits.text)
        }
        var parser = RegexParser(bytes: bytes)
        let node = try parser.alternation(depth: 0)
        guard parser.isAtEnd else { throw parser.fault("no ) without its (") }
        return node
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte; 0 at the end, where `isAtEnd` must tell it from a NUL of the pattern.
    var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    func fault(_ expected: String, at offset: Int? = nil) -> RegexFault {
        .syntax(offset: offset ?? position, expected: expected)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    // MARK: Structure

    private mutating func alternation(depth: Int) throws(RegexFault) -> RegexNode {
        guard depth <= RegexLimits.depth else { throw .tooComplex(RegexLimits.levels) }
        var parts = [try sequence(depth: depth)]
        while take("|") { parts.append(try sequence(depth: depth)) }
        return parts.count == 1 ? parts[0] : .alternation(parts)
    }

    private mutating func sequence(depth: Int) throws(RegexFault) -> RegexNode {
        var parts: [RegexNode] = []
        while !isAtEnd, next != UInt8(ascii: "|"), next != UInt8(ascii: ")") {
            guard let part = try atom(depth: depth) else { continue }
            parts.append(try repeats(of: part))
        }
        return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// What a repeat applies to; nil behind a `(?i)`, which is nothing.
    private mutating func atom(depth: Int) throws(RegexFault) -> RegexNode? {
        let start = position
        switch next {
        case UInt8(ascii: "("):
            position += 1
            return try group(from: start, depth: depth)
        case UInt8(ascii: "["):
            position += 1
            return .set(try characterClass(from: start))
        case UInt8(ascii: "."):
            position += 1
            return .set(.dot)
        case UInt8(ascii: "^"):
            position += 1
            return .assertion(.textStart)
        case UInt8(ascii: "$"):
            position += 1
            return .assertion(.textEnd)
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
            throw fault("something to repeat before it; a backslash makes it a character")
        case UInt8(ascii: "\\"):
            position += 1
            switch try escape(from: start) {
            case .scalar(let scalar): return .set(literal(scalar))
            case .set(let set): return .set(set)
            case .assertion(let assertion): return .assertion(assertion)
            }
        default:
            return .set(literal(scalar()))
        }
    }

    private func literal(_ scalar: UInt32) -> ScalarSet {
        let set = ScalarSet(scalar)
        return ignoresCase ? set.folded : set
    }

    /// The next scalar; a Swift string's UTF-8 is valid.
    mutating func scalar() -> UInt32 {
        let first = UInt32(next)
        position += 1
        guard first >= 0x80 else { return first }
        let length = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        var value = first & (0x3F >> UInt32(length))
        for _ in 0..<length {
            value = value << 6 | UInt32(next & 0x3F)
            position += 1
        }
        return value
    }

    // MARK: Groups

    private mutating func group(from start: Int, depth: Int) throws(RegexFault) -> RegexNode? {
        let outer = ignoresCase
        if take("?") {
            let isOff = take("-")
            if take("i") {
                ignoresCase = !isOff
                if take(")") { return nil }
                guard take(":") else { throw fault("a ) or : behind the i") }
            } else {
                guard !isOff, take(":") else { throw unknownGroup(from: start) }
            }
        }
        let node = try alternation(depth: depth + 1)
        guard take(")") else { throw fault("a ) for the ( at byte \(start)") }
        ignoresCase = outer
        return node
    }

    private func unknownGroup(from start: Int) -> RegexFault {
        let second = position + 1 < bytes.count ? bytes[position + 1] : 0
        let isLook = second == UInt8(ascii: "=") || second == UInt8(ascii: "!")
        switch next {
        case UInt8(ascii: "="), UInt8(ascii: "!"):
            return fault("no look-around, which could not be matched in linear time", at: start)
        case UInt8(ascii: "<") where isLook:
            return fault("no look-around, which could not be matched in linear time", at: start)
        case UInt8(ascii: "<"), UInt8(ascii: "P"), UInt8(ascii: "'"):
            return fault("a group without a name: ( or (?:", at: start)
        default:
            return fault("(?: or (?i) or (?i:", at: start)
        }
    }

    // MARK: Repeats

    private mutating func repeats(of part: RegexNode) throws(RegexFault) -> RegexNode {
        let start = position
        let minimum: Int
        let maximum: Int?
        switch next {
        case UInt8(ascii: "*"): (minimum, maximum) = (0, nil)
        case UInt8(ascii: "+"): (minimum, maximum) = (1, nil)
        case UInt8(ascii: "?"): (minimum, maximum) = (0, 1)
        case UInt8(ascii: "{"):
            (minimum, maximum) = try bounds(from: start)
        default: return part
        }
        if bytes[start] != UInt8(ascii: "{") { position += 1 }
        // Lazy: the same texts.
        _ = take("?")
        switch next {
        case UInt8(ascii: "+"):
            throw fault("no + behind a repeat: possessive repeats are not offered")
        case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
            throw fault("one repeat; (?:…) around it repeats it again")
        default:
            return .repeated(part, minimum: minimum, maximum: maximum)
        }
    }

    private mutating func bounds(from start: Int) throws(RegexFault) -> (Int, Int?) {
        position += 1
        let form = "{m}, {m,} or {m,n}; a backslash makes the brace a character"
        guard let minimum = try number() else { throw fault(form, at: start) }
        if take("}") { return (minimum, minimum) }
        guard take(",") else { throw fault(form, at: start) }
        if take("}") { return (minimum, nil) }
        guard let maximum = try number(), take("}") else { throw fault(form, at: start) }
        guard minimum <= maximum else {
            throw fault("a first number no greater than the second", at: start)
        }
        return (minimum, maximum)
    }

    private mutating func number() throws(RegexFault) -> Int? {
        let start = position
        var value = 0
        while !isAtEnd, next &- 0x30 <= 9 {
            value = value * 10 + Int(next - 0x30)
            guard value <= RegexLimits.count else { throw .tooComplex(RegexLimits.size) }
            position += 1
        }
        return position > start ? value : nil
    }
}
